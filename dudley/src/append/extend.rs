//! More layout text, with values for what it declares.
//!
//! The new text is the old one with the addition behind it. Both are resolved and compared, and the
//! pass of every writer runs over what is new: once to find out whether all of it fits, where it ends
//! and what is missing, and then to write it. Before that nothing is changed.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use dudley_parser::ast::{ItemKind, ParamValue, Place as Written};
use dudley_parser::layout::blocks::CHUNKS;
use dudley_parser::layout::{Layout, Param, Place, Scope, Step};
use dudley_parser::place;
use dudley_parser::span::Span;

use super::compatible::same;
use super::{Append, stream};
use crate::bytes::output::Output;
use crate::encode::input::Input;
use crate::encode::pass::{Base, Pass, chunked, complete};
use crate::error::{Error, Item, Result};
use crate::read::stream::{Stream, StreamValues, parse_layout};
use crate::write::{Declared, Given, Seen, Supplied, Supply, WriteOptions, attached_text, plain};

/// An addition to a stream. Nothing is written before [`Self::commit`].
///
/// ```
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let path = folder.path().join("run.bd");
/// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
/// # create.file(&path)?.finish()?;
/// let mut append = dudley::append::Append::open(&path)?;
/// let extension = append.extend("M : i8  x = f8[M]")?.param("/M", 2).put("/x", &[1.0, 2.0]);
/// extension.commit()?;
/// assert_eq!(append.stream().get("/x")?.read::<f64>()?.sum(), 3.0);
/// # Ok::<(), dudley::Error>(())
/// ```
#[must_use = "nothing is added before `commit`"]
pub struct Extension<'e, 'a> {
    append: &'e mut Append,
    layout: Arc<Layout>,
    params: BTreeMap<String, i128>,
    items: BTreeMap<String, Input<'a>>,
}

impl Append {
    /// Adds a fragment of layout text: items, params, types, records of lists (`time[1] r[1]`). It starts
    /// in the root dict, and its first item goes to the end of the data.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
    /// # create.file(&path)?.finish()?;
    /// let mut append = dudley::append::Append::open(&path)?;
    /// append.extend("M : i8  x = f8[M]  ## (cm) place")?.param("/M", 2).put("/x", &[1.0, 2.0]).commit()?;
    /// assert_eq!(append.stream().get("/x")?.unit(), Some("cm"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Layout`] if the text with the fragment has errors; [`Error::Undescribed`].
    pub fn extend<'a>(&mut self, fragment: &str) -> Result<Extension<'_, 'a>> {
        self.commit_pushed()?;
        let layout = Arc::new(parse_layout(merged(self.layout(), fragment).as_bytes())?);
        let (params, items) = (BTreeMap::new(), BTreeMap::new());
        Ok(Extension { append: self, layout, params, items })
    }

    /// As [`Self::extend`], with values from elsewhere; and commits it.
    ///
    /// ```
    /// use std::borrow::Cow;
    ///
    /// use dudley::{Supplied, Supply, Value};
    ///
    /// struct Ones;
    ///
    /// impl Supply for Ones {
    ///     fn param(&self, _: &str) -> Option<i128> {
    ///         None
    ///     }
    ///
    ///     fn item(&self, _: &str) -> Option<Supplied<'_>> {
    ///         Some(Supplied::Value(Cow::Owned(Value::Int(1))))
    ///     }
    /// }
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
    /// # create.file(&path)?.finish()?;
    /// let mut append = dudley::append::Append::open(&path)?;
    /// append.extend_with("x = i4  y = i2", &Ones)?;
    /// assert_eq!(append.stream().get("/y")?.scalar::<i16>()?, 1);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::extend`] and [`Extension::commit`].
    pub fn extend_with(&mut self, fragment: &str, supply: &dyn Supply) -> Result<()> {
        self.commit_pushed()?;
        let layout = Arc::new(parse_layout(merged(self.layout(), fragment).as_bytes())?);
        self.add(layout, supply)
    }

    /// Takes another layout for the same data: everything that is there keeps its path, type, shape and
    /// address, and nothing is new. Comments may differ, and the order in which things are declared.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
    /// # create.file(&path)?.finish()?;
    /// let mut append = dudley::append::Append::open(&path)?;
    /// append.replace_layout(dudley::parse_layout(b"N : i8  t = f8[N]  ## (s) time")?)?;
    /// assert_eq!(append.stream().get("/t")?.unit(), Some("s"));
    /// assert!(append.replace_layout(dudley::parse_layout(b"N : i8  t = f4[N]")?).is_err());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Moved`] and [`Error::NoSuchItem`] if an item is not the same; [`Error::InOldData`] if
    /// an item is new; [`Error::Io`].
    pub fn replace_layout(&mut self, layout: impl Into<Arc<Layout>>) -> Result<()> {
        self.commit_pushed()?;
        let layout = layout.into();
        let new = self.planned(&layout)?;
        same(&self.stream, &new)?;
        same(&new, &self.stream)?;
        let (old, text) = (attached_text(self.layout()), attached_text(&layout));
        let at = self.target(self.place.end())?;
        self.place.attach(at, self.reserve > 0, &old, &text)?;
        self.renew(layout)
    }

    /// The committed data with a new layout.
    pub(super) fn planned(&self, layout: &Arc<Layout>) -> Result<Stream> {
        self.check_described()?;
        if let Some((id, _)) = layout.params().find(|(_, param)| param.is_by_length()) {
            return Err(Error::LengthDecides { path: layout.param_path(id).into() });
        }
        stream(self.place.snapshot(self.place.end())?, layout, &self.filters)
    }

    /// Adds what a layout has behind the present one.
    fn add(&mut self, layout: Arc<Layout>, supply: &dyn Supply) -> Result<()> {
        let known = Extended::new(&self.stream, supply);
        // What was there already is stored as it is.
        let chunked = if self.layout().has_attribute(CHUNKS) {
            None
        } else {
            let options = WriteOptions { attach: true, ..self.ingredients().0 };
            chunked(&layout, &options, &known)?
        };
        let layout = chunked.map_or(layout, Arc::new);
        let (layout, end) = match self.rehearse(&layout, &known) {
            Err(Error::InOldData { item, address, end }) => {
                let refusal = Error::InOldData { item, address, end };
                let text = placed_at(&layout, self.layout().root().len(), end).ok_or(refusal)?;
                let layout = Arc::new(parse_layout(text.as_bytes())?);
                let end = self.rehearse(&layout, &known)?;
                (layout, end)
            }
            end => (layout, end?),
        };
        let (before, committed) = (self.place.text(), self.place.end());
        let written = self.write_added(&layout, &known, end);
        if written.is_err() {
            let old = attached_text(self.layout());
            self.place.give_back(before, committed, &old);
        }
        written?;
        self.renew(layout)
    }

    /// Writes what a layout has behind the present one, up to `end`, and the layout.
    fn write_added(&mut self, layout: &Arc<Layout>, known: &Extended<'_>, end: u64) -> Result<()> {
        let (old, text) = (attached_text(self.layout()), attached_text(layout));
        let at = self.target(end)?;
        let beyond = place::add(at, text.len() as u64 + 8);
        self.place.clear(end, beyond.ok_or_else(|| Error::too_large(at))?, &old)?;
        let (options, stream, steps) = self.ingredients();
        let values = StreamValues { source: stream.source(), order: stream.order() };
        let base = Base { values: &values, steps, end: stream.data_end()? };
        complete(Pass::new(layout, &options, known, &mut self.place).adding(base))?;
        self.place.attach(at, self.reserve > 0, &old, &text)
    }

    /// Everything but the writing; gives where the data will end.
    fn rehearse(&self, layout: &Arc<Layout>, known: &Extended<'_>) -> Result<u64> {
        let new = self.planned(layout)?;
        same(&self.stream, &new)?;
        let mut rehearsal = Rehearsal { floor: self.place.end(), end: self.place.end() };
        let (options, stream, steps) = self.ingredients();
        let values = StreamValues { source: new.source(), order: stream.order() };
        let base = Base { values: &values, steps, end: stream.data_end()? };
        complete(Pass::new(layout, &options, known, &mut rehearsal).adding(base))?;
        Ok(rehearsal.end)
    }

    fn ingredients(&self) -> (WriteOptions, Stream, usize) {
        let order = self.stream.signature().map_or(self.stream.order(), |it| it.order);
        let filters = self.filters.clone();
        let options = WriteOptions { order, filters, ..WriteOptions::default() };
        (options, self.stream.clone(), self.layout().root().len())
    }
}

impl<'a> Extension<'_, 'a> {
    /// The layout with the addition.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
    /// # create.file(&path)?.finish()?;
    /// let mut append = dudley::append::Append::open(&path)?;
    /// let extension = append.extend("x = i4")?;
    /// assert!(extension.layout().text().contains("x = i4"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// Gives a new param: a streamed one is written, a fixed one overridden. See
    /// [`Writer::param`](crate::Writer::param).
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
    /// # create.file(&path)?.finish()?;
    /// let mut append = dudley::append::Append::open(&path)?;
    /// append.extend("M : i8  x = i4[M]")?.param("/M", 1).put("/x", &[7]).commit()?;
    /// assert_eq!(append.stream().get("/x")?.shape()?, [1]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn param(mut self, path: impl Into<String>, value: impl Into<i128>) -> Self {
        self.params.insert(plain(path.into()), value.into());
        self
    }

    /// Gives the elements of a new item. See [`Writer::put`](crate::Writer::put).
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
    /// # create.file(&path)?.finish()?;
    /// let mut append = dudley::append::Append::open(&path)?;
    /// append.extend("x = i4  name = S1[4]")?.put("/x", 7).put("/name", "run").commit()?;
    /// assert_eq!(append.stream().get("/name")?.read_text()?, "run");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn put(mut self, path: impl Into<String>, input: impl Into<Input<'a>>) -> Self {
        self.items.insert(path.into(), input.into());
        self
    }

    /// Writes the addition durably: after a crash the stream has all of it or none.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
    /// # create.file(&path)?.finish()?;
    /// let mut append = dudley::append::Append::open(&path)?;
    /// append.extend("x = i4")?.put("/x", 7).commit()?;
    /// assert_eq!(dudley::Stream::open(&path)?.get("/x")?.scalar::<i32>()?, 7);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// Before anything is written: [`Error::Missing`], [`Error::Unused`], [`Error::WrongShape`],
    /// [`Error::WrongInput`] and [`Error::WrongValue`] for values that do not fit the fragment;
    /// [`Error::Moved`] if something would move, [`Error::InOldData`] if something new would lie in old
    /// data; [`Error::LengthDecides`]. Else [`Error::Io`]; then the stream must be opened again.
    pub fn commit(self) -> Result<()> {
        let given = Given { params: &self.params, items: &self.items };
        self.append.add(self.layout, &given)
    }
}

/// The text of a layout with a fragment behind it, which starts at the root.
fn merged(layout: &Layout, fragment: &str) -> String {
    let body = layout.body().trim_start_matches('\u{feff}').trim_end();
    let fragment = fragment.trim_start_matches('\u{feff}').trim();
    let start = match fragment.chars().next() {
        Some('/') => "\n",
        Some('#') => "\n/\n",
        _ => "\n/ ",
    };
    format!("{body}{start}{fragment}\n")
}

/// The text of a layout with the address `end`, aligned, at the first item behind the first `steps`
/// steps; `None` if that has an address of its own, or is no item by itself.
fn placed_at(layout: &Layout, steps: usize, end: u64) -> Option<String> {
    let takes_space = |step: &&Step| match step {
        Step::Enter(_) => false,
        Step::Param(id) => layout[*id].is_streamed(),
        _ => true,
    };
    let (name, place, align) = match layout.root().iter().skip(steps).find(takes_space)? {
        Step::Array(id) => (layout[*id].span, layout[*id].place, layout[*id].align),
        Step::Param(id) => (layout[*id].span, layout[*id].place, layout[*id].align),
        _ => return None,
    };
    let Place::Next = place else { return None };
    let address = place::align_up(end, align)?;
    let mut text = layout.body().to_owned();
    let (start, end) = place_span(&text, name)?;
    text.replace_range(start..end, &format!(" @{address}"));
    Some(text)
}

/// Where the place of an item stands in a text, or would stand.
fn place_span(text: &str, name: Span) -> Option<(usize, usize)> {
    let ast = dudley_parser::parse::parse(text.as_bytes()).ast;
    let array = ast.items.iter().find_map(|item| match &item.kind {
        ItemKind::Data { name: found, array } if found.span == name => Some(array),
        ItemKind::Param { name: found, value: ParamValue::Typed(array), .. }
            if found.span == name =>
        {
            Some(array)
        }
        _ => None,
    })?;
    let end = array.span.end as usize;
    Some(match &array.place {
        Some(Written::At { span, .. } | Written::Align { span, .. }) => {
            (span.start as usize, span.end as usize)
        }
        None => (end, end),
    })
}

/// Where bytes would go.
struct Rehearsal {
    floor: u64,
    end: u64,
}

impl Output for Rehearsal {
    fn put(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        if address < self.floor {
            return Err(Error::InOldData { item: Item::UNKNOWN, address, end: self.floor });
        }
        let end = place::add(address, bytes.len() as u64);
        self.end = self.end.max(end.ok_or_else(|| Error::too_large(u64::MAX))?);
        Ok(())
    }

    fn grow(&mut self, _: u64) -> Result<()> {
        Ok(())
    }
}

/// What is given, with the params that the stream has already.
struct Extended<'s> {
    supply: &'s dyn Supply,
    there: HashMap<String, i128>,
}

impl<'s> Extended<'s> {
    fn new(stream: &Stream, supply: &'s dyn Supply) -> Self {
        let layout = stream.layout();
        let ours = layout
            .params()
            .filter(|(_, param)| param.is_streamed() && matches!(param.scope, Scope::Dict(_)));
        let there = ours.filter_map(|(id, _)| {
            // What cannot be read is missed by what needs it.
            let (value, _) = stream.with_resolver(|resolver| resolver.raw_value(id)).ok()?;
            Some((layout.param_path(id), value))
        });
        Extended { supply, there: there.collect() }
    }
}

impl Supply for Extended<'_> {
    fn param(&self, path: &str) -> Option<i128> {
        self.there.get(path).copied().or_else(|| self.supply.param(path))
    }

    fn item(&self, path: &str) -> Option<Supplied<'_>> {
        self.supply.item(path)
    }

    fn check_param(&self, path: &str, declared: &Param) -> Result<()> {
        match (self.there.get(path), self.supply.param(path)) {
            (Some(there), Some(given)) if *there != given => Err(Error::WrongValue {
                item: Item::new(path),
                expected: format!("{there}, which the stream has").into(),
                found: given.to_string().into(),
            }),
            (Some(_), _) => Ok(()),
            (None, _) => self.supply.check_param(path, declared),
        }
    }

    fn check_item(&self, path: &str, declared: &Declared<'_>) -> Result<()> {
        self.supply.check_item(path, declared)
    }

    fn unused(&self, seen: &Seen) -> Vec<String> {
        self.supply.unused(seen)
    }
}
