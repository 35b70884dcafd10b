//! A file to be written: its tree, and how it is written.

pub(crate) mod plan;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use dudley::Work;
use dudley::bytes::AtomicFile;

use super::super::compression::Codecs;
use super::super::error::{Error, Result};
use super::super::file::AsdfFile;
use super::super::form::STREAMED;
use super::super::history::{Extension, HistoryEntry, Software};
use super::super::text::Dialect;
use super::super::top_keys::Names;
use super::blocks;
use super::builder::plan::Plan;
use super::compress::Compression;
use super::kept_blocks::{Carried, Kept};
use super::provenance::{self, Provenance};
use super::rules::{Padding, Rules};
use super::standard::{Standard, Target};
use super::stream::{Appending, Rows};
use super::target::{InOrder, Target as To, ToFile};
use super::yaml::Yaml;

/// Data begin at multiples of this many bytes, unless the caller says otherwise.
const ALIGN: u64 = 64;

/// A file to be written.
///
/// Arrays stand in the tree like any other value, and are read when the file is written. Files are complete or
/// absent; memory is taken for the tree, and for blocks while they are compressed.
///
/// ```
/// use asdf_bridge::asdf::{AsdfFile, Builder, Compression, NewArray, Yaml};
/// use dudley::ndarray::Array2;
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let path = folder.path().join("run.asdf");
/// let rho = Array2::<f64>::ones((100, 80));
/// Builder::new()
///     .put("title", "shock tube")
///     .put("rho", NewArray::from(&rho).compressed(Compression::zlib(6)))
///     .put("speed", Yaml::quantity(NewArray::from(vec![1.0, 2.0]), "m / s"))
///     .write_file(&path, false)?;
///
/// let file = AsdfFile::open(&path)?;
/// assert_eq!(file.array("/rho")?.read::<f64>()?.sum(), 8000.0);
/// assert!(file.verify()?.is_clean());
/// # Ok::<(), asdf_bridge::asdf::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Builder<'a> {
    pub(super) tree: Yaml<'a>,
    pub(super) target: Target,
    pub(super) comments: Vec<String>,
    pub(super) align: u64,
    pub(super) padding: Padding,
    pub(super) digests: bool,
    pub(super) index: bool,
    pub(super) inline_up_to: u64,
    pub(super) compression: Option<Compression>,
    pub(super) recompression: Option<Option<Compression>>,
    pub(super) provenance: Provenance,
    pub(super) work: Work,
    pub(super) codecs: Arc<Codecs>,
    /// The blocks of the file that the tree comes from.
    pub(super) carried: Option<Carried>,
}

impl Default for Builder<'_> {
    fn default() -> Self {
        Builder::from_tree(Yaml::mapping::<&str, Yaml<'_>>([]))
    }
}

impl<'a> Builder<'a> {
    /// A file with nothing in it.
    pub fn new() -> Builder<'a> {
        Builder::default()
    }

    /// A file with a tree, which should be a mapping: see [`Item::to_yaml`](super::super::item::Item::to_yaml)
    /// for that of another file.
    pub fn from_tree(tree: Yaml<'a>) -> Builder<'a> {
        Builder {
            tree,
            target: Target::Asdf(Standard::default()),
            comments: Vec::new(),
            align: ALIGN,
            padding: Padding::NONE,
            digests: true,
            index: true,
            inline_up_to: 0,
            compression: None,
            recompression: None,
            provenance: Provenance {
                library: Some(provenance::this()),
                entries: Vec::new(),
                extensions: Vec::new(),
            },
            work: Work::new(),
            codecs: Arc::default(),
            carried: None,
        }
    }

    /// Puts something under a key of the tree.
    #[must_use]
    pub fn put(mut self, key: &str, value: impl Into<Yaml<'a>>) -> Builder<'a> {
        self.tree.set(key, value);
        self
    }

    /// Gives data at the top of the tree the keys that they have in the format that is written, by their names: in
    /// ASDF those of [`data_key`](super::super::top_keys::data_key). They are named as in the file that the tree comes from
    /// ([`Self::blocks_of`]), or else as ASDF has it. Gives the old and the new keys. A tree with data where ASDF has
    /// something else is refused otherwise.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, NewArray};
    ///
    /// let mut new = Builder::new().put("history", NewArray::from(vec![1_u8, 2]));
    /// assert!(new.to_bytes().is_err());
    /// assert_eq!(new.move_data(), [("history".to_owned(), "history_".to_owned())]);
    /// assert!(new.to_bytes().is_ok());
    /// ```
    pub fn move_data(&mut self) -> Vec<(String, String)> {
        let from = match &self.carried {
            Some(carried) => carried.names(),
            None => Names::of(&self.tree, Dialect::Asdf),
        };
        let to = match self.target {
            Target::Asdf(_) => Names::ASDF,
            Target::Finf { .. } => Names::of(&self.tree, Dialect::Finf),
        };
        let moved = self.tree.keys().filter_map(|key| {
            let new = to.key(from.name(key)?).into_owned();
            (new != key).then(|| (key.to_owned(), new))
        });
        let mut moved: Vec<(String, String)> = moved.collect();
        moved.sort();
        moved.dedup();
        // What gets a key in whose place another one is that moves comes behind that.
        let longer = moved.iter().any(|(old, new)| new.len() > old.len());
        if longer {
            moved.reverse();
        }
        moved.retain(|(old, new)| {
            let is_free = self.tree.get(new).is_none();
            if is_free {
                self.tree.rename(old, new);
            }
            is_free
        });
        moved
    }

    /// The tree.
    pub fn tree(&mut self) -> &mut Yaml<'a> {
        &mut self.tree
    }

    /// In this version of the standard; otherwise in 1.6.0. Of the extensions that the tree names, those of the tags of
    /// other versions are left out.
    #[must_use]
    pub fn standard(mut self, standard: Standard) -> Builder<'a> {
        self.target = Target::Asdf(standard);
        self
    }

    /// As FINF 0.1.0, as pyfinf wrote it. With `literal`, as the text has it that describes the format: another
    /// magic number, with which no program but this reads it. FINF has arrays of numbers only, no compression,
    /// no digests, and says nothing of the code that wrote it.
    #[must_use]
    pub fn finf(mut self, literal: bool) -> Builder<'a> {
        self.target = Target::Finf { literal };
        self
    }

    /// With a comment of one line behind the first lines; ASDF only. For control characters it gets blanks, and
    /// `% YAML` for `%YAML`, with which some programs have the tree begin.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, Open};
    ///
    /// let bytes = Builder::new().comment("a\0%YAML 1.1").to_bytes()?;
    /// assert_eq!(Open::new().bytes(bytes)?.text().comments, ["# a % YAML 1.1"]);
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    #[must_use]
    pub fn comment(mut self, comment: &str) -> Builder<'a> {
        self.comments.extend(comment.lines().map(str::to_owned));
        self
    }

    /// The data of blocks begin at multiples of this many bytes: 64 otherwise, so that they can be looked at as
    /// numbers where they are; 1 for headers of no more than 48 bytes. Headers of FINF are never longer.
    #[must_use]
    pub fn align(mut self, bytes: u64) -> Builder<'a> {
        self.align = bytes.max(1);
        self
    }

    /// With room behind the tree and behind each block; with none otherwise.
    #[must_use]
    pub fn padding(mut self, padding: Padding) -> Builder<'a> {
        self.padding = padding;
        self
    }

    /// Whether blocks have digests (MD5): they do otherwise.
    #[must_use]
    pub fn digests(mut self, digests: bool) -> Builder<'a> {
        self.digests = digests;
        self
    }

    /// Whether an index of the blocks follows them: it does otherwise.
    #[must_use]
    pub fn index(mut self, index: bool) -> Builder<'a> {
        self.index = index;
        self
    }

    /// Arrays of this many elements at most go to the tree, unless they say otherwise; by default none do.
    #[must_use]
    pub fn inline_up_to(mut self, elements: u64) -> Builder<'a> {
        self.inline_up_to = elements;
        self
    }

    /// How blocks are compressed that do not say it themselves; not at all otherwise.
    #[must_use]
    pub fn compression(mut self, compression: Compression) -> Builder<'a> {
        self.compression = Some(compression);
        self
    }

    /// How all blocks are compressed, whatever they say: not at all for none.
    #[must_use]
    pub fn recompress(mut self, compression: Option<Compression>) -> Builder<'a> {
        self.recompression = Some(compression);
        self
    }

    /// Who is said to have written the file, under `asdf_library` and in the list of extensions: this library
    /// otherwise. None leaves what the tree says.
    #[must_use]
    pub fn library(mut self, library: impl Into<Option<Software>>) -> Builder<'a> {
        self.provenance.library = library.into();
        self
    }

    /// With one more extension that its tags or compressions are of, under `history`, so that readers can say what
    /// they lack. That of the standard's own tags is named without being requested, unless there is no library.
    /// Files of versions before 1.2.0 name none.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, Extension, Open, Yaml};
    ///
    /// let uri = "asdf://example.org/shocks/extensions/shocks-1.0.0";
    /// let front = Yaml::mapping([("x", 1.5)]).tagged("tag:example.org:shocks/front-1.0.0");
    /// let extension = Extension { uri: Some(uri.into()), ..Extension::default() };
    /// let bytes = Builder::new().put("front", front).extension(extension).to_bytes()?;
    ///
    /// let named = Open::new().bytes(bytes)?.history().extensions;
    /// assert_eq!(named[0].uri.as_deref(), Some("asdf://asdf-format.org/core/extensions/core-1.6.0"));
    /// assert_eq!(named[1].uri.as_deref(), Some(uri));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    #[must_use]
    pub fn extension(mut self, extension: Extension) -> Builder<'a> {
        self.provenance.extensions.push(extension);
        self
    }

    /// With one more entry of the history: what was done.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, HistoryEntry, Open};
    ///
    /// let entry = HistoryEntry { description: "flat field removed".into(), ..HistoryEntry::default() };
    /// let bytes = Builder::new().put("x", 1).history(entry.clone()).to_bytes()?;
    /// assert_eq!(Open::new().bytes(bytes)?.history().entries, [entry]);
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    #[must_use]
    pub fn history(mut self, entry: HistoryEntry) -> Builder<'a> {
        self.provenance.entries.push(entry);
        self
    }

    /// By how many threads blocks are compressed, digested and written, and who learns of the bytes that were
    /// stored, and may end it: with [`dudley::Error::Cancelled`], and without a file.
    #[must_use]
    pub fn work(mut self, work: Work) -> Builder<'a> {
        self.work = work;
        self
    }

    /// The compressions that blocks can have; those of this crate otherwise.
    #[must_use]
    pub fn codecs(mut self, codecs: impl Into<Arc<Codecs>>) -> Builder<'a> {
        self.codecs = codecs.into();
        self
    }

    /// The file in memory.
    ///
    /// # Errors
    /// As [`Self::write_to`].
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.write_to(Vec::new())
    }

    /// Writes the file to anything that takes bytes in order, which it gives back.
    ///
    /// # Errors
    /// [`Error::Unwritable`] for what the format does not have; [`Error::Limit`] for a tree that is too deep;
    /// what arrays and compressions say; [`Error::Engine`] if the sink refuses.
    pub fn write_to<W: Write + Send>(&self, sink: W) -> Result<W> {
        let to = InOrder::new(sink);
        self.write(&self.plan(None)?, &to)?;
        to.finish()
    }

    /// Writes the file. Where there is one already it is replaced only with `overwrite`, and only by a whole one.
    ///
    /// # Errors
    /// As [`Self::write_to`]; [`dudley::Error::Exists`].
    pub fn write_file(&self, path: impl AsRef<Path>, overwrite: bool) -> Result<()> {
        let plan = self.plan(None)?;
        let to = ToFile::new(AtomicFile::create(path, overwrite)?);
        self.write(&plan, &to)?;
        to.commit()
    }

    /// Begins a file that ends with rows, as many as will come: those of the
    /// [streamed](super::yaml::array::NewArray::streamed) array in the tree.
    ///
    /// # Errors
    /// As [`Self::write_to`]; [`Error::Unwritable`] if there is no streamed array.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, Datatype, NewArray, Open};
    /// use dudley::{ByteOrder, Primitive, ndarray::array};
    ///
    /// let events = NewArray::streamed(Datatype::Number(Primitive::F4, ByteOrder::Little), &[2]);
    /// let mut rows = Builder::new().put("events", events).begin(Vec::new())?;
    /// for at in 0..3 {
    ///     rows.write(&array![[at as f32, 0.5]])?;
    /// }
    /// let file = Open::new().bytes(rows.finish()?)?;
    /// assert_eq!(file.array("/events")?.shape(), [3, 2]);
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn begin<W: Write + Send>(&self, sink: W) -> Result<Rows<W>> {
        let plan = self.plan(None)?;
        let row = self.tree.find_streamed();
        let row =
            row.ok_or_else(|| Error::unwritable("/", "a streamed array", "none in the tree"))?;
        let (datatype, shape) = (row.datatype.clone(), row.shape.clone());
        let to = InOrder::new(sink);
        self.write(&plan, &to)?;
        Ok(Rows::new(to.finish()?, datatype, shape))
    }

    /// As [`Self::begin`], of a file that is there once it is [finished](Rows::commit).
    ///
    /// # Errors
    /// As [`Self::begin`] and [`Self::write_file`].
    pub fn begin_file(&self, path: impl AsRef<Path>, overwrite: bool) -> Result<Rows<Appending>> {
        self.begin(Appending::new(AtomicFile::create(path, overwrite)?))
    }

    /// How blocks are written.
    pub(crate) fn rules(&self) -> Rules {
        let asdf = matches!(self.target, Target::Asdf(_));
        Rules {
            form: self.target.form(),
            literal: self.target == Target::Finf { literal: true },
            align: if asdf { self.align } else { 1 },
            padding: self.padding,
            digests: self.digests && asdf,
            codecs: self.codecs.clone(),
            work: self.work.clone(),
        }
    }

    pub(super) fn write(&self, plan: &Plan<'_>, to: &dyn To) -> Result<()> {
        let rules = self.rules();
        let text = plan.text.as_bytes();
        let start = text.len() as u64;
        let room =
            if plan.blocks.is_empty() && !plan.streamed { 0 } else { self.padding.of(start) };
        let start = start.checked_add(room).ok_or_else(|| dudley::Error::too_large(u64::MAX))?;
        to.write(0, text)?;
        to.reserve(start)?;
        let placed = blocks::write(&plan.blocks, start, &rules, to)?;
        let end = placed.last().map_or(start, |last| last.end);
        if plan.streamed {
            let (header, _) = blocks::streamed(end, STREAMED, &rules)?;
            return to.write(end, &header);
        }
        if self.index && !placed.is_empty() && matches!(self.target, Target::Asdf(_)) {
            let index = blocks::index(placed.iter().map(|placed| placed.address));
            to.write(end, index.as_bytes())?;
        }
        Ok(())
    }
}

impl<'a> Builder<'a> {
    /// With all blocks of the file that the tree comes from ([`Item::to_yaml`](super::super::item::Item::to_yaml)):
    /// they keep their numbers, and those that no array of the tree is in are written as they are stored, since
    /// what this crate does not know may name them. All must be there.
    ///
    /// Otherwise blocks are those of the arrays of the tree, in the order that they had.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, NewArray, Open, Yaml};
    ///
    /// let x = NewArray::from(vec![1_u8, 2, 3]);
    /// let old = Builder::new().put("x", x).put("y", NewArray::from(vec![7_u8]));
    /// let old = Open::new().bytes(old.to_bytes()?)?;
    /// let mut tree = old.root()?.to_yaml()?;
    /// tree.set("x", Yaml::mapping([("source", 0)]).tagged("tag:example.org:mine-1.0.0"));
    /// let new = Builder::from_tree(tree).blocks_of(&old)?;
    /// assert_eq!(new.kept()?[0].index, 0);
    /// let new = Open::new().bytes(new.to_bytes()?)?;
    /// assert_eq!(new.block_data(0)?, [1, 2, 3]);
    /// assert_eq!(new.array("/y")?.read::<u8>()?.as_slice(), Some(&[7][..]));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Engine`](super::super::error::Error::Engine) if the file cannot be read. What is wrong with blocks
    /// is an error of the writer.
    pub fn blocks_of(self, file: &AsdfFile) -> Result<Builder<'a>> {
        Ok(Builder { carried: Some(Carried::new(file, false)?), ..self })
    }

    /// As [`Self::blocks_of`], of parts of a file: all blocks keep their numbers, and those that no array of the file is
    /// in their data. Blocks of arrays that are no part of the tree become empty.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, NewArray, Open};
    ///
    /// let old = Builder::new().put("x", NewArray::from(vec![1_u8])).put("y", NewArray::from(vec![7_u8]));
    /// let old = Open::new().bytes(old.to_bytes()?)?;
    /// let part = Builder::new().put("y", old.get("/y")?.to_yaml()?).numbers_of(&old)?;
    /// let part = Open::new().bytes(part.to_bytes()?)?;
    /// assert_eq!((part.block_data(0)?, part.block_data(1)?), (vec![], vec![7]));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::blocks_of`].
    pub fn numbers_of(self, file: &AsdfFile) -> Result<Builder<'a>> {
        let without = file.blocks_without_arrays()?.iter().map(|block| block.index).collect();
        Ok(Builder { carried: Some(Carried::new(file, false)?.only(without)), ..self })
    }

    /// As [`Self::blocks_of`], of a damaged file: blocks as far as they can be read. [`Self::kept`] says of which
    /// something is lost.
    ///
    /// # Errors
    /// As [`Self::blocks_of`].
    pub fn blocks_left_of(self, file: &AsdfFile) -> Result<Builder<'a>> {
        Ok(Builder { carried: Some(Carried::new(file, true)?), ..self })
    }

    /// The blocks of the file that the tree comes from which no array of the tree is in, and which are written all
    /// the same, if [`Self::blocks_of`] or [`Self::blocks_left_of`] says so.
    ///
    /// # Errors
    /// As [`Self::write_to`].
    pub fn kept(&self) -> Result<Vec<Kept>> {
        let Some(carried) = &self.carried else { return Ok(Vec::new()) };
        let (_, met, _) = self.flatten(&self.whole_tree()?, &|_| Yaml::null())?;
        let mut left: BTreeSet<usize> = (0..carried.count()).collect();
        for block in met {
            if let Some(number) = carried.number(block.pieces.origin()) {
                left.remove(&number);
            }
        }
        left.into_iter().map(|number| carried.kept(number)).collect()
    }
}
