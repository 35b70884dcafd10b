//! An open file of any format.

use std::any::Any;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::node::{Fact, Node};
use super::portable::{self, LeftBehind, Portable};
use super::table::{Loose, Table};
use crate::elements::value::Value;
use crate::error::{Error, Result};
use crate::read::path::without_slices;
use crate::read::select::{Selected, items};
use crate::read::stream::Stream;

/// The layout with which a file of another format is read in place.
#[derive(Debug, Default)]
pub struct Description {
    /// Its text.
    pub text: String,
    /// Whether its items have the paths that they have in the dataset.
    pub same_paths: bool,
    /// The differences from the dataset, and doubts about the values.
    pub notes: Vec<Doubt>,
    /// Why the elements cannot be read, although the text describes their storage.
    pub fault: Option<Error>,
}

/// The thoroughness of a search for doubts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// Only as far as opening reads.
    Opened,
    /// Headers are read, and no data.
    Headers,
    /// All data with a checksum is read.
    Checksums,
}

/// Doubts about values that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// The path of the array; `None` if it is all of the dataset.
    pub path: Option<String>,
    /// Why.
    pub why: String,
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            Some(path) => write!(f, "`{path}`: {}", self.why),
            None => f.write_str(&self.why),
        }
    }
}

/// The replacement of masked elements.
#[derive(Clone, Copy, Debug)]
pub enum Masked<'v> {
    /// Null.
    Null,
    /// The stored values.
    Stored,
    /// The first of these values that the type of the element holds.
    Filled(&'v [Value]),
}

/// The content of a [`Dataset`], from its format.
pub trait Content: Any + Send + Sync {
    /// The name of its format with its article: "an ASDF file".
    fn describe(&self) -> &'static str;

    /// The name of its format for programs: `asdf`.
    fn name(&self) -> &'static str;

    /// The root dict.
    ///
    /// # Errors
    /// If it cannot be read.
    fn root(&self) -> Result<Node>;

    /// The node at a path without slices.
    ///
    /// # Errors
    /// [`Error::NoSuchItem`](crate::Error::NoSuchItem) if there is no node; [`Error::BadPath`](crate::Error::BadPath).
    fn get(&self, path: &str) -> Result<Node>;

    /// The arrays or values at a path, which may have slices and fields.
    ///
    /// # Errors
    /// As [`select`](crate::read::select::select).
    fn select(&self, path: &str) -> Result<Selected>;

    /// As [`Self::select`], with a treatment of masked elements.
    ///
    /// # Errors
    /// As [`Self::select`]; [`Error::WrongValue`] if the type of an element holds none of the values.
    fn select_with(&self, path: &str, masked: Masked<'_>) -> Result<Selected> {
        let _ = masked;
        self.select(path)
    }

    /// The cells without a value at a path, which may have slices and fields, one after the other: an element is
    /// a cell, and a struct has a cell for each number or text in it. `None` if all have a value.
    ///
    /// # Errors
    /// As [`Self::select`].
    fn missing(&self, path: &str) -> Result<Option<Vec<bool>>> {
        let _ = path;
        Ok(None)
    }

    /// Whether any element at a path, which may have slices and fields, is masked.
    ///
    /// # Errors
    /// As [`Self::select`].
    fn is_masked(&self, path: &str) -> Result<bool> {
        Ok(self.missing(path)?.is_some())
    }

    /// The array or value of a path before its slices and fields: `/x` for `/x[2].y`.
    ///
    /// # Errors
    /// As [`Self::get`].
    fn whole(&self, path: &str) -> Result<Node> {
        self.get(&without_slices(path)?)
    }

    /// The paths without slices of lists that a path with such slices picks, as far as the format distinguishes them.
    ///
    /// # Errors
    /// As [`Self::get`].
    fn paths(&self, path: &str) -> Result<Vec<String>> {
        Ok(vec![path.to_owned()])
    }

    /// The nodes at a path with slices of lists; one node without such slices.
    ///
    /// # Errors
    /// As [`Self::get`].
    fn nodes(&self, path: &str) -> Result<Vec<Node>> {
        let Some(stream) = self.stream()? else { return Ok(vec![self.get(path)?]) };
        let node = |item| if self.is_decoded() { Node::decoded(item) } else { Node::from(item) };
        Ok(items(&stream.limited(), path)?.into_iter().map(node).collect())
    }

    /// See [`Dataset::portable`]. A format without rules of its own has its nodes in other formats as they are.
    ///
    /// # Errors
    /// As [`Self::nodes`]; if a node cannot be found; if `take` fails.
    fn portable(
        &self,
        path: Option<&str>,
        take: &mut dyn FnMut(Portable) -> Result<()>,
    ) -> Result<LeftBehind> {
        portable::of_nodes(self.nodes(path.unwrap_or("/"))?, take)
    }

    /// See [`Dataset::path_here`].
    ///
    /// # Errors
    /// [`Error::BadPath`](crate::Error::BadPath).
    fn path_here(&self, elsewhere: &str) -> Result<String> {
        Ok(elsewhere.to_owned())
    }

    /// The stream whose items are its nodes; `None` for a format with its own nodes, or without bytes.
    ///
    /// # Errors
    /// If its layout has errors.
    fn stream(&self) -> Result<Option<&Stream>> {
        Ok(None)
    }

    /// The stream that has what a path leads to, and perhaps no more than that; `None` where all of the layout has to be
    /// parsed for it.
    fn excerpt(&self, path: &str) -> Option<Stream> {
        let _ = path;
        None
    }

    /// Whether arrays are decoded when they are read, so that their addresses are not those of the file.
    fn is_decoded(&self) -> bool {
        false
    }

    /// Doubts about the values at some paths, or at all without paths. A path without an item is not
    /// reported here.
    ///
    /// # Errors
    /// If the file cannot be read.
    fn doubts(&self, paths: &[&str], depth: Depth) -> Result<Vec<Doubt>> {
        let _ = (paths, depth);
        Ok(Vec::new())
    }

    /// The layout with which the file is read in place; `None` if the file has, or is, a layout.
    ///
    /// # Errors
    /// If the file has errors.
    fn layout(&self) -> Result<Option<Description>> {
        Ok(None)
    }

    /// Facts about the whole file that only this format has, by names. No program interprets them.
    ///
    /// # Errors
    /// If finding them fails.
    fn facts(&self) -> Result<Vec<Fact>> {
        Ok(Vec::new())
    }

    /// The tables of its parts that are no nodes, such as blocks or chunks.
    ///
    /// # Errors
    /// If finding them fails.
    fn tables(&self, depth: Depth) -> Result<Vec<Table>> {
        let _ = depth;
        Ok(Vec::new())
    }

    /// The other files that it refers to, if it is in a folder.
    fn files(&self, folder: &Path) -> Vec<PathBuf> {
        let _ = folder;
        Vec::new()
    }

    /// The parts of the file that are in no node.
    ///
    /// # Errors
    /// If it cannot be read.
    fn loose(&self) -> Result<Vec<Loose>> {
        Ok(Vec::new())
    }

    /// The paths of nodes that describe the storage, and not the content.
    ///
    /// # Errors
    /// If it cannot be read.
    fn storage(&self) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// Remarks for listings: oddities and faults of the file.
    ///
    /// # Errors
    /// If it cannot be read.
    fn remarks(&self) -> Result<Vec<Doubt>> {
        self.doubts(&[], Depth::Headers)
    }

    /// Checks that the arrays at some paths, or all arrays without paths, are not larger than the default limit of a read: a few bytes may stand for all that
    /// a disk holds.
    ///
    /// # Errors
    /// If it is more.
    fn check_size(&self, paths: &[&str]) -> Result<()> {
        let _ = paths;
        Ok(())
    }
}

/// An open file, or bytes, of any format. It is cheap to clone: clones share cached results.
///
/// ```
/// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
/// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
/// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
/// assert_eq!((file.name(), file.get("/x")?.path().as_str()), ("run.bd", "/x"));
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone)]
pub struct Dataset {
    name: Arc<str>,
    content: Arc<dyn Content>,
}

impl Dataset {
    /// A dataset of a format, with its name for messages.
    pub fn new(name: impl Into<Arc<str>>, content: impl Content) -> Dataset {
        Dataset { name: name.into(), content: Arc::new(content) }
    }

    /// The name for messages.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
    /// assert_eq!(file.name(), "run.bd");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name of its format with its article: "an ASDF file".
    pub fn describe(&self) -> &'static str {
        self.content.describe()
    }

    /// The name of its format for programs: `asdf`.
    pub fn format(&self) -> &'static str {
        self.content.name()
    }

    /// The root dict.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
    /// assert_eq!(file.root()?.children()?.count(), 1);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn root(&self) -> Result<Node> {
        self.content.root()
    }

    /// The node at a path without slices: `/run/rho`, `/list/3`.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
    /// assert!(file.get("/x").is_ok() && file.get("/y").is_err());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoSuchItem`](crate::Error::NoSuchItem) if there is no node; [`Error::BadPath`](crate::Error::BadPath).
    pub fn get(&self, path: &str) -> Result<Node> {
        self.content.get(path)
    }

    /// The arrays or values at a path, which may have slices and fields: `/rho[10:20, ::2]`, `/list[:]/x`.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
    /// assert_eq!(file.select("/x")?.read::<f64>()?.sum(), 0.5);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`select`](crate::read::select::select).
    pub fn select(&self, path: &str) -> Result<Selected> {
        self.content.select(path)
    }

    /// As [`Self::select`], with a treatment of masked elements.
    ///
    /// # Errors
    /// As [`Self::select`]; [`Error::WrongValue`] if the type of an element can hold none of the
    /// values.
    pub fn select_with(&self, path: &str, masked: Masked<'_>) -> Result<Selected> {
        self.content.select_with(path, masked)
    }

    /// The cells without a value at a path, which may have slices and fields, one after the other: an element is
    /// a cell, and a struct has a cell for each number or text in it. `None` if all have a value, as in all streams.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
    /// assert!(file.missing("/x")?.is_none()); // no mask
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::select`].
    pub fn missing(&self, path: &str) -> Result<Option<Vec<bool>>> {
        self.content.missing(path)
    }

    /// Whether any element at a path, which may have slices and fields, is masked.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
    /// assert!(!file.is_masked("/x")?);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::select`].
    pub fn is_masked(&self, path: &str) -> Result<bool> {
        self.content.is_masked(path)
    }

    /// The paths without slices of lists that a path with such slices picks, for a format that distinguishes them.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
    /// assert_eq!(file.paths("/x")?, ["/x"]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::get`].
    pub fn paths(&self, path: &str) -> Result<Vec<String>> {
        self.content.paths(path)
    }

    /// The nodes at a path with slices of lists: `/list[2:]/x`.
    ///
    /// ```
    /// use dudley::model::Formats;
    ///
    /// let open = dudley::Open::new().layout_text("l [{x = u1}]*3")?.raw();
    /// let dataset = Formats::builtin().source("bytes", vec![1, 2, 3], &open)?;
    /// let paths: Vec<String> = dataset.nodes("/l[1:]")?.iter().map(|node| node.path()).collect();
    /// assert_eq!(paths, ["/l/1", "/l/2"]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::get`].
    pub fn nodes(&self, path: &str) -> Result<Vec<Node>> {
        self.content.nodes(path)
    }

    /// Hands over what other formats take of it: all arrays and values at and below a path, or all without one, in the
    /// order of the file, with their paths there. A path may have slices of lists, and in a format with nodes of its own of an
    /// array. Params of a stream, which are no nodes, are not among them. Returns what stays behind.
    ///
    /// ```
    /// use dudley::model::{Formats, Portable};
    ///
    /// let open = dudley::Open::new().layout_text("x = u1  ## (cm) place\ng/ y = u1[2] /")?.raw();
    /// let dataset = Formats::builtin().source("bytes", vec![1, 2, 3], &open)?;
    /// let mut found = Vec::new();
    /// let left = dataset.portable(None, &mut |it: Portable| {
    ///     found.push((it.elsewhere, it.node.stored()?.shape().to_vec(), it.unit));
    ///     Ok(())
    /// })?;
    /// assert_eq!(found[0], ("/x".to_owned(), vec![], Some("cm".to_owned())));
    /// assert_eq!(found[1], ("/g/y".to_owned(), vec![2], None));
    /// assert!(left.types.is_empty() && left.history == 0);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::nodes`]; if a node cannot be found; if `take` fails. What cannot be read of an array or value, its node
    /// says.
    pub fn portable(
        &self,
        path: Option<&str>,
        take: &mut dyn FnMut(Portable) -> Result<()>,
    ) -> Result<LeftBehind> {
        self.content.portable(path, take)
    }

    /// The path in it of what stands under a path in other formats: see [`Portable::elsewhere`].
    ///
    /// ```
    /// let open = dudley::Open::new().layout_text("x = u1")?.raw();
    /// let dataset = dudley::model::Formats::builtin().source("bytes", vec![1], &open)?;
    /// assert_eq!(dataset.path_here("/x")?, "/x"); // the same in a stream
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::BadPath`](crate::Error::BadPath).
    pub fn path_here(&self, elsewhere: &str) -> Result<String> {
        self.content.path_here(elsewhere)
    }

    /// The array or value of a path before its slices and fields: `/x` for `/x[2].y`.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub fn whole(&self, path: &str) -> Result<Node> {
        self.content.whole(path)
    }

    /// The content as its format has it.
    pub fn inner(&self) -> &dyn Content {
        &*self.content
    }

    /// The stream whose items are its nodes; `None` for a format with its own nodes, and for a layout.
    ///
    /// ```
    /// use dudley::model::Formats;
    ///
    /// let open = dudley::Open::new().layout_text("x = u1[3]")?.raw();
    /// let dataset = Formats::builtin().source("bytes", vec![1, 2, 3], &open)?;
    /// assert_eq!(dataset.stream()?.expect("a stream").layout().text(), "x = u1[3]");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If its layout has errors.
    pub fn stream(&self) -> Result<Option<&Stream>> {
        self.content.stream()
    }

    /// Whether a read decodes arrays, so that their addresses are not addresses of the file.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
    /// assert!(!file.is_decoded());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn is_decoded(&self) -> bool {
        self.content.is_decoded()
    }

    /// Doubts about the values at some paths, or at all without paths: wrong checksums, headers that contradict each
    /// other. A path without an item is not reported here.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn doubts(&self, paths: &[&str], depth: Depth) -> Result<Vec<Doubt>> {
        self.content.doubts(paths, depth)
    }

    /// The layout with which the file is read in place, if its format has no layouts; `None` for a stream
    /// that carries its layout, and for a layout.
    ///
    /// # Errors
    /// If the file has errors.
    pub fn layout(&self) -> Result<Option<Description>> {
        self.content.layout()
    }

    /// Facts about the whole file that only its format has, by names.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
    /// assert!(file.facts().is_ok());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If finding them fails.
    pub fn facts(&self) -> Result<Vec<Fact>> {
        self.content.facts()
    }

    /// The tables of its parts that are no nodes, such as blocks or chunks.
    ///
    /// # Errors
    /// If finding them fails.
    pub fn tables(&self, depth: Depth) -> Result<Vec<Table>> {
        self.content.tables(depth)
    }

    /// The other files that it refers to, if it is in a folder.
    pub fn files(&self, folder: &Path) -> Vec<PathBuf> {
        self.content.files(folder)
    }

    /// The parts of the file that are in no node.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn loose(&self) -> Result<Vec<Loose>> {
        self.content.loose()
    }

    /// The paths of nodes that describe the storage, and not the content.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn storage(&self) -> Result<Vec<String>> {
        self.content.storage()
    }

    /// Remarks for listings: oddities and faults of the file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn remarks(&self) -> Result<Vec<Doubt>> {
        self.content.remarks()
    }

    /// Checks that the arrays at some paths, or all arrays without paths, are not larger than the default limit of a read: a few bytes may stand for all that
    /// a disk holds.
    ///
    /// # Errors
    /// If it is more.
    pub fn check_size(&self, paths: &[&str]) -> Result<()> {
        self.content.check_size(paths)
    }

    /// The file as the type of its own format, for its special functions; `None` if it has another format.
    ///
    /// ```
    /// use dudley::model::{Formats, Streamed};
    ///
    /// let open = dudley::Open::new().layout_text("x = u1[3]")?.raw();
    /// let dataset = Formats::builtin().source("bytes", vec![1, 2, 3], &open)?;
    /// let stream = dataset.content::<Streamed>().expect("a stream").stream()?;
    /// assert_eq!(stream.layout().text(), "x = u1[3]");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn content<T: Content>(&self) -> Option<&T> {
        (&*self.content as &dyn Any).downcast_ref()
    }
}

impl std::fmt::Debug for Dataset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Dataset({:?}, {})", self.name, self.describe())
    }
}
