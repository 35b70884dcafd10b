//! Some items of a stream as a stream of their own, over the same bytes.

use std::sync::Arc;

use dudley_parser::layout::Step;
use dudley_parser::layout::excerpt::Excerpts;

use super::{Stream, parse_layout};
use crate::error::Result;
use crate::read::path;

impl Stream {
    /// The items at and below some paths, over the same bytes: a stream whose layout has only these items, with the
    /// params and types that they need, and their documentation. [`crate::write::rewrite`] makes a file of it. `None`
    /// if a path leads into a list or struct, or if items of a list have addresses of their own.
    ///
    /// # Errors
    /// If there is no such item, or one cannot be placed.
    ///
    /// ```
    /// use dudley::{Open, WriteOptions, write};
    ///
    /// let text = "N : u1  M : u1\nx = u1[N]  ## (cm) where\ny = u1[M]";
    /// let stream = Open::new().layout_text(text)?.raw().bytes(vec![2, 1, 7, 8, 9])?;
    /// let part = stream.part(&["/y"])?.expect("a whole item");
    /// assert_eq!(part.layout().text(), "M : u1\ny = u1[M]\n");
    ///
    /// let mut alone = Vec::new();
    /// write::rewrite(&part, &WriteOptions { raw: true, ..WriteOptions::default() }, &mut alone)?;
    /// assert_eq!(alone, [1, 9]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn part(&self, paths: &[impl AsRef<str>]) -> Result<Option<Stream>> {
        let paths: Vec<String> = paths
            .iter()
            .map(|path| Ok(self.get(path.as_ref())?.path().to_owned()))
            .collect::<Result<_>>()?;
        let (own, excerpts) = (self.layout(), Excerpts::new(self.layout()));
        let Some(part) = excerpts.part(&paths) else { return Ok(None) };
        let (mut places, mut unaligned) = (Vec::new(), Vec::new());
        for &at in part.steps.iter().filter(|at| own.takes_place(own.root()[**at])) {
            let address = self.resolve(|resolver| resolver.step_address(at))?;
            let align = match own.root()[at] {
                Step::Array(id) => own[id].align,
                Step::Param(id) => own[id].align,
                _ => 1,
            };
            if !address.is_multiple_of(align.max(1)) {
                unaligned.push(at);
            }
            places.push(address);
        }
        let layout = parse_layout(excerpts.text_of(&part, &unaligned).as_bytes())?;
        let bytes = self.bytes();
        let mut given = bytes.given();
        given.start = self.given().start;
        let lie = layout.root().iter().enumerate().filter(|(_, step)| layout.takes_place(**step));
        given.cursors = lie.map(|(at, _)| at).zip(places).collect();
        for (id, value) in &self.given().params {
            // Those that nothing of the part needs are not in it.
            if let Ok(id) = path::param(&layout, &self.layout().param_path(*id)) {
                given.params.insert(id, *value);
            }
        }
        bytes.stream(Arc::new(layout), Some(self.order()), given).map(Some)
    }
}
