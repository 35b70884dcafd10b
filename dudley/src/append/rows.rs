//! Rows that are added to an array in blocks (spec 7.5): more blocks behind the data, and layout text that says so.

use std::fmt::Write;

use dudley_parser::layout::ListId;
use dudley_parser::layout::blocks::WHOLE;
use dudley_parser::layout::words;
use dudley_parser::resolve::Target;

use super::Append;
use crate::elements::value::Value;
use crate::encode::input::Input;
use crate::error::{Error, Result};
use crate::read::path::{Part, parse};

impl Append {
    /// Adds rows, the indices of the first dimension, to an array in blocks (spec 7.5). The rows are durable: after a
    /// crash all of them are there or none. The blocks go behind the data, and the layout gets a line for them. The
    /// stored blocks must be complete and on their grid, because an incomplete block is not written again.
    ///
    /// ```
    /// use dudley::append::Append;
    /// use dudley::{Stream, Writer, parse_layout};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let layout = parse_layout(b"T = f4[0] -> zlib  #: chunks = [100]\nx = f8")?;
    /// Writer::new(layout).put("/T", &[0.0_f32; 0]).put("/x", 1.0).attach(true).write_file(&path, false)?;
    ///
    /// let mut append = Append::open(&path)?;
    /// append.rows("/T", &[1.5_f32; 200])?;
    /// append.rows("/T", &[2.5_f32; 50])?;
    ///
    /// let stream = Stream::open(&path)?;
    /// assert_eq!(stream.select("/T[199:201]")?.read::<f32>()?.as_slice(), Some(&[1.5, 2.5][..]));
    /// // The last block has room for 50 more, which it would be written anew for.
    /// assert!(append.rows("/T", &[3.5_f32; 50]).is_err());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::CannotGrow`]; as [`crate::append::Extension::commit`].
    pub fn rows<'a>(&mut self, path: &str, rows: impl Into<Input<'a>>) -> Result<()> {
        self.commit_pushed()?;
        let input = rows.into();
        let cannot = |why: String| Error::CannotGrow { path: path.into(), why: why.into() };
        let item = self.stream.get(path)?;
        let Target::List(list) = item.node().target else {
            return Err(cannot("it is no array in blocks".to_owned()));
        };
        let data = item.data()?;
        let Some((blocks, whole)) = data.blocks().zip(data.shape().split_first()) else {
            return Err(cannot("it is no array in blocks with a first dimension".to_owned()));
        };
        let (there, inner) = whole;
        let cell = self.cell(list, blocks.cell.clone())?;
        let cell = cell.filter(|cell| cell.len() == inner.len() + 1);
        let cell = cell.ok_or_else(|| cannot("none of its blocks has elements".to_owned()))?;
        if there % cell[0] != 0 {
            return Err(cannot(format!(
                "its {there} rows do not fill its blocks of {}: those at its end would have to be written anew",
                cell[0]
            )));
        }
        let across = cell[1..].iter().zip(inner).map(|(cell, dim)| dim.div_ceil(*cell));
        let across = across.fold(1_u64, u64::saturating_mul);
        if !blocks.is_full() || blocks.len as u64 != across.saturating_mul(there / cell[0]) {
            return Err(cannot("its blocks are not those of a grid, in its order".to_owned()));
        }
        let more = match &input {
            Input::Typed(typed) => typed.shape().first().copied(),
            Input::Rows(rows) => rows.shape().first().copied(),
            Input::Value(Value::Array(rows)) => Some(rows.len() as u64),
            Input::Value(_) => None,
        };
        let more = more.ok_or_else(|| cannot("what is given has no rows".to_owned()))?;
        let count = more.div_ceil(cell[0]).checked_mul(across);
        let length = there.checked_add(more).filter(|length| i64::try_from(*length).is_ok());
        let (Some(count), Some(length)) = (count, length) else {
            return Err(Error::too_large(more));
        };
        if more == 0 {
            return Ok(());
        }
        let is_index = |name: &str| name.bytes().all(|it| it.is_ascii_digit()) && !name.is_empty();
        let mut text = String::from("/ ");
        let parts = parse(path)?;
        for (at, part) in parts.iter().enumerate() {
            let name = match part {
                Part::Name { text, quoted } if *quoted || !is_index(text) => text,
                _ => return Err(cannot("it stands in a list".to_owned())),
            };
            let behind = if at + 1 < parts.len() { "/ " } else { "" };
            let _ = write!(text, "{}{behind}", words::name(name));
        }
        let shape: Vec<String> =
            std::iter::once(&length).chain(inner).map(u64::to_string).collect();
        let _ = write!(text, " [{count}]  #: {WHOLE} = [{}]", shape.join(", "));
        self.extend(&text)?.put(path, input).commit()
    }

    /// The shape of the blocks of a list: of those that are there, or that it would have.
    fn cell(&self, list: ListId, there: Option<Vec<u64>>) -> Result<Option<Vec<u64>>> {
        if there.is_some() {
            return Ok(there);
        }
        Ok(self.stream.with_resolver(|resolver| resolver.cell(list))?)
    }
}
