//! A file that is updated: its tree changed over the text, arrays added, replaced and taken out.
//!
//! ASDF has no pointer that could be moved from an old tree to a new one, so there are two ways, and no third
//! that would leave a torn file to be mended by any code that comes next, which other programs would not do. Where
//! the texts of both trees differ in one sector, the file is written [in place](in_place); else
//! [a whole new file](whole) takes the place of the old one. Either way a crash leaves the one or the other.

mod chain;
mod in_place;
mod new_file;
mod overwrite;
mod place;
mod plan;

use dudley::error::file_name;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dudley::Work;
use dudley::append::{FileStorage, Snapshot, Storage};
use dudley::bytes::{AtomicFile, Lock};
use dudley::write::Input;

use super::block_use;
use super::blocks::IndexState;
use super::compression::Codecs;
use super::edit::Edit;
use super::error::{Error, Result};
use super::file::{AsdfFile, Open};
use super::form::Form;
use super::text::{self, Dialect};
use super::tree::Tree;
use super::write::block::NewBlock;
use super::write::node::{Nodes, Sources};
use super::write::rules::{Padding, Rules};
use super::write::standard::{Standard, Target};
use super::write::yaml::Yaml;
use chain::{Chain, renumber};
use in_place::steps;
use new_file::write_whole;
use overwrite::Over;
use place::Place;
use plan::Plan;

/// Data of new blocks begin at multiples of this many bytes.
const ALIGN: u64 = 64;

/// A file that is updated. Nothing but [elements](Self::write) is written before [`Self::commit`], and then all of
/// it or nothing: after a crash at any moment the file is the old one or the new one, to whatever program reads it.
///
/// The text of the tree stays as it is except for what is changed: see [`Edit`]. Arrays in what is set go to new
/// blocks, and those that no array is in any more become free, for later updates to use again.
///
/// While it is there, no other update of the file begins, in this process or another one. Who reads the file
/// needs no lock.
///
/// ```
/// use asdf_bridge::asdf::{AsdfFile, Builder, NewArray, Update, Yaml};
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let path = folder.path().join("run.asdf");
/// Builder::new().put("title", "a run").put("rho", NewArray::from(vec![1.0; 100])).write_file(&path, false)?;
///
/// let mut update = Update::open(&path)?;
/// update.set("/title", "the second run")?;
/// update.set("/rho", NewArray::from(vec![2.0; 100]))?;
/// update.insert("/steps", Yaml::sequence([10, 20]))?;
/// update.commit()?;
///
/// let file = AsdfFile::open(&path)?;
/// assert_eq!(file.get("/title")?.node().as_str(), Some("the second run"));
/// assert_eq!(file.array("/rho")?.read::<f64>()?.sum(), 200.0);
/// assert!(file.verify()?.is_clean());
/// # Ok::<(), asdf_bridge::asdf::Error>(())
/// ```
pub struct Update<'a> {
    storage: Arc<dyn Storage>,
    /// The file, if it is one, and where it is.
    old: Option<(File, PathBuf)>,
    file: AsdfFile,
    chain: Chain,
    edit: Edit,
    /// The bytes in front of the tree.
    head: Vec<u8>,
    fresh: BTreeMap<usize, NewBlock<'a>>,
    place: Place,
    over: Over,
    padding: Padding,
    compact: bool,
    whole: bool,
    codecs: Arc<Codecs>,
    work: Work,
    /// Held until this is dropped.
    lock: Option<Lock>,
}

/// How an update was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Updated {
    /// Whether that was done in place; else there is a new file of the same name.
    pub in_place: bool,
    /// Bytes of blocks that are free now.
    pub free: u64,
}

impl<'a> Update<'a> {
    /// Opens a file to be updated, and locks it against others that do so.
    ///
    /// # Errors
    /// [`dudley::Error::Locked`] with who holds it; [`Error::NotAsdf`]; [`Error::Tree`] for a tree that cannot be
    /// read; [`dudley::Error::Io`].
    pub fn open(path: impl AsRef<Path>) -> Result<Update<'a>> {
        let path = path.as_ref();
        let cannot =
            |error| dudley::Error::io(format!("cannot open `{}`", file_name(&path)), error);
        let (file, lock) = Lock::open(path)?;
        let path = path.canonicalize().map_err(cannot)?;
        let storage = FileStorage::new(file.try_clone().map_err(cannot)?);
        let name: Arc<str> = format!("`{}`", file_name(&path)).into();
        let update = Update::begin(Arc::new(storage), name)?;
        Ok(Update { old: Some((file, path)), lock: Some(lock), ..update })
    }

    /// As [`Self::open`], of something else than a file; nothing locks it. It is updated in place or not at all.
    ///
    /// A storage is expected to write what is in one sector, 512 bytes at an address that is a multiple of 512,
    /// at once or not at all.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn storage(storage: Arc<dyn Storage>) -> Result<Update<'a>> {
        Update::begin(storage, "the storage".into())
    }

    fn begin(storage: Arc<dyn Storage>, name: Arc<str>) -> Result<Update<'a>> {
        let source = Snapshot::new(storage.clone(), u64::MAX, name.clone())?;
        let file = Open::new().source(source)?;
        let target = target(&file);
        let tree = match file.tree() {
            Ok(tree) => tree.clone(),
            Err(Error::NoTree) => {
                let text = format!("{} {}\n{{}}\n...\n", target.directives(), target.root());
                Tree::parse(&text)?
            }
            Err(error) => return Err(error),
        };
        let chain = Chain::of(&file, &tree)?;
        let text = file.text();
        let head = text.tree.as_ref().map_or(text.end, |tree| tree.start);
        let mut bytes = vec![0; usize::try_from(head).map_err(|_| dudley::Error::too_large(head))?];
        file.source().read_at(0, &mut bytes)?;
        Ok(Update {
            old: None,
            file,
            chain,
            edit: Edit::of(tree, target),
            head: bytes,
            fresh: BTreeMap::new(),
            place: Place::new(storage.clone(), name),
            over: Over::default(),
            storage,
            padding: Padding::NONE,
            compact: false,
            whole: false,
            codecs: Arc::default(),
            work: Work::new(),
            lock: None,
        })
    }

    /// How much room a new file has behind its tree, for later updates in place. There are up to 4095 bytes more,
    /// since blocks are moved by multiples of 4096.
    #[must_use]
    pub fn padding(mut self, padding: Padding) -> Self {
        self.padding = padding;
        self
    }

    /// The compressions that new blocks can have; those of this crate otherwise.
    #[must_use]
    pub fn codecs(mut self, codecs: impl Into<Arc<Codecs>>) -> Self {
        self.codecs = codecs.into();
        self
    }

    /// By how many threads new blocks are compressed, digested and written, and who learns of the bytes that were
    /// stored, and may end it: the file is then the old one.
    #[must_use]
    pub fn work(mut self, work: Work) -> Self {
        self.work = work;
        self
    }

    /// Writes a whole new file, even if the file could be updated in place. With `compact`, the data of all blocks
    /// are dropped that no array is in; not for files whose blocks are named by things this crate does not
    /// know.
    #[must_use]
    pub fn whole(mut self, compact: bool) -> Self {
        (self.whole, self.compact) = (true, compact);
        self
    }

    /// The file as it is; not what is changed.
    pub fn file(&self) -> &AsdfFile {
        &self.file
    }

    /// The tree as it will be.
    pub fn tree(&self) -> &Tree {
        self.edit.tree()
    }

    /// As [`Edit::set`]; arrays go to blocks.
    ///
    /// # Errors
    /// As [`Edit::set`]; [`Error::Block`] if the blocks of the file are damaged.
    pub fn set(&mut self, path: &str, value: impl Into<Yaml<'a>>) -> Result<()> {
        let value = self.flat(&value.into())?;
        self.edit.set_flat(path, value)
    }

    /// As [`Edit::insert`]; arrays go to blocks.
    ///
    /// # Errors
    /// As [`Edit::insert`] and [`Self::set`].
    pub fn insert(&mut self, path: &str, value: impl Into<Yaml<'a>>) -> Result<()> {
        let value = self.flat(&value.into())?;
        self.edit.insert_flat(path, value)
    }

    /// As [`Edit::push`]; arrays go to blocks.
    ///
    /// # Errors
    /// As [`Edit::push`] and [`Self::set`].
    pub fn push(&mut self, path: &str, value: impl Into<Yaml<'a>>) -> Result<()> {
        let value = self.flat(&value.into())?;
        self.edit.push_flat(path, value)
    }

    /// As [`Edit::remove`]. The blocks of arrays become free.
    ///
    /// # Errors
    /// As [`Edit::remove`].
    pub fn remove(&mut self, path: &str) -> Result<()> {
        self.edit.remove(path)
    }

    /// As [`Edit::rename`].
    ///
    /// # Errors
    /// As [`Edit::rename`].
    pub fn rename(&mut self, path: &str, name: &str) -> Result<()> {
        self.edit.rename(path, name)
    }

    /// Writes over elements of an array of the file as it is, at once and in place: `path` may have slices and
    /// fields, `/rho[10:20, ::2]`. Nothing else is written.
    ///
    /// There is no commit of it: after a crash any part of it may be there, and who reads the file meanwhile may
    /// see any. To replace an array as a whole or not at all, [`Self::set`] it. The digest of the block is taken
    /// away before, and is made anew by [`Self::commit`].
    ///
    /// # Errors
    /// [`dudley::Error::NotInPlace`] for arrays in the tree, in compressed blocks and in other files; as
    /// [`AsdfFile::select`]; [`dudley::Error::WrongShape`], [`dudley::Error::WrongType`]; [`dudley::Error::Io`].
    ///
    /// ```
    /// use asdf_bridge::asdf::{AsdfFile, Builder, NewArray, Update};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.asdf");
    /// Builder::new().put("x", NewArray::from(vec![0.0; 6])).write_file(&path, false)?;
    /// let mut update = Update::open(&path)?;
    /// update.write("/x[::2]", &[1.0, 2.0, 3.0])?;
    /// update.commit()?;
    /// let file = AsdfFile::open(&path)?;
    /// assert_eq!(file.array("/x")?.read::<f64>()?.as_slice(), Some(&[1.0, 0.0, 2.0, 0.0, 3.0, 0.0][..]));
    /// assert!(file.verify()?.is_clean());
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn write<'v>(&mut self, path: &str, elements: impl Into<Input<'v>>) -> Result<()> {
        self.over.write(&self.file, path, elements.into(), &self.place)
    }

    /// A value as it will stand in the text; its arrays get blocks.
    fn flat(&mut self, value: &Yaml<'a>) -> Result<Yaml<'static>> {
        // How large the blocks are must be known before they get their numbers.
        let none = |_| Yaml::from(0);
        let mut nodes = self.nodes(&none);
        let flat = self.edit.flat(value, &mut |array, path| nodes.node(array, path))?;
        if nodes.streamed {
            return Err(Error::Unwritable {
                what: "an array of as many rows as there are".into(),
                expected: "one that is complete".into(),
                found: "one that goes on".into(),
            });
        }
        let blocks = nodes.blocks;
        if blocks.is_empty() {
            return Ok(flat);
        }
        self.chain.extend()?;
        renumber(&mut self.edit, &self.chain)?;
        let numbers: Vec<usize> = blocks.into_iter().map(|block| self.number(block)).collect();
        let number = |at: usize| Yaml::from(numbers.get(at).copied().unwrap_or(0) as u64);
        let mut nodes = self.nodes(&number);
        self.edit.flat(value, &mut |array, path| nodes.node(array, path))
    }

    /// Gives a new block a number: that of a free one that it fits in, or the next one.
    fn number(&mut self, block: NewBlock<'a>) -> usize {
        let known = self.fresh.iter().find(|(_, known)| Arc::ptr_eq(&known.pieces, &block.pieces));
        if let Some((number, _)) = known {
            return *number;
        }
        let free = match block.compression {
            None => self.chain.free(block.pieces.len(), |number| self.fresh.contains_key(&number)),
            // Nobody knows how many bytes it will store.
            Some(_) => None,
        };
        let last = self.fresh.last_key_value().map_or(0, |(number, _)| number + 1);
        let number = free.unwrap_or(last.max(self.chain.fixed()));
        self.fresh.insert(number, block);
        number
    }

    /// Writes all that was changed, and makes it durable.
    ///
    /// # Errors
    /// [`dudley::Error::Io`], such as for a full disk: the file is then the old one, or, if only its durability
    /// could not be had, the new one. [`Error::NotEditable`] if the text would not be read as the tree that it
    /// should be; [`Error::NotInPlace`] for a [storage](Self::storage) that would have to be a new file;
    /// [`Error::Block`] for a file that would have to be a new one, but has a damaged block that cannot be copied.
    pub fn commit(self) -> Result<Updated> {
        let rules = self.rules();
        self.over.finish(&self.file, &self.place)?;
        let (old, whole) = (self.old, self.whole);
        let plan = plan(self.storage, &self.file, self.chain, &self.edit, self.head, self.fresh)?;
        let plan = Plan { padding: self.padding, compact: self.compact, ..plan };
        let free = plan.freed().map(|block| block.allocated).sum();
        let steps = if whole { None } else { steps(&plan) };
        let in_place = steps.is_some();
        match (steps, old) {
            (Some(steps), _) => {
                steps.take(&plan, &rules, &self.place)?;
            }
            (None, Some((old, path))) => {
                plan.chain.whole()?;
                let file = match self.lock {
                    Some(lock) => AtomicFile::replace(&path, lock)?,
                    None => AtomicFile::create(&path, true)?,
                };
                write_whole(&plan, &rules, file, &old)?;
            }
            (None, None) => return Err(Error::NotInPlace),
        }
        Ok(Updated { in_place, free: if in_place { free } else { 0 } })
    }

    fn rules(&self) -> Rules {
        let first = self.chain.blocks.first().map(|block| block.form);
        let form = match self.file.text().dialect {
            Dialect::Finf => first.unwrap_or(Form::Finf40),
            Dialect::Asdf | Dialect::Early => Form::Asdf48,
        };
        Rules {
            form,
            literal: self.chain.literal,
            align: if form == Form::Asdf48 { ALIGN } else { 1 },
            padding: Padding::NONE,
            digests: form == Form::Asdf48,
            codecs: self.codecs.clone(),
            work: self.work.clone(),
        }
    }

    /// Arrays as nodes. FINF has no compression, whatever they say.
    fn nodes<'s>(&self, sources: &'s Sources<'s>) -> Nodes<'s, 'a> {
        let finf = self.file.text().dialect == Dialect::Finf;
        let recompression = finf.then_some(None);
        Nodes { recompression, ..Nodes::new(target(&self.file), sources) }
    }
}

/// What the file is, as something to be written.
fn target(file: &AsdfFile) -> Target {
    match file.text().dialect {
        Dialect::Finf => {
            // The names that the file has for things: `!ndarray`, or `!core/ndarray`.
            let root = file.tree().ok().and_then(|tree| tree.root().short_tag().map(str::to_owned));
            Target::Finf { literal: root.is_some_and(|tag| tag.starts_with("core/")) }
        }
        Dialect::Early => Target::Asdf(Standard::V1_0),
        Dialect::Asdf => {
            let standard = file.text().standard.as_deref().and_then(Standard::from_name);
            Target::Asdf(standard.unwrap_or_default())
        }
    }
}

fn plan<'a>(
    storage: Arc<dyn Storage>,
    file: &AsdfFile,
    chain: Chain,
    edit: &Edit,
    head: Vec<u8>,
    mut fresh: BTreeMap<usize, NewBlock<'a>>,
) -> Result<Plan<'a>> {
    let end = file.text().end;
    let mut old = vec![0; usize::try_from(end).map_err(|_| dudley::Error::too_large(end))?];
    file.source().read_at(0, &mut old)?;
    let start = head.len();
    let mut new = head;
    new.extend_from_slice(edit.text().as_bytes());
    if !edit.text().contains("\n...") {
        new.extend_from_slice(b"\n...\n");
    }
    // The whole text is to be found again where it is put.
    let (found, _) = text::read(&&new[..], u64::MAX, &mut super::report::Report::default())?;
    if found.tree != Some(start as u64..new.len() as u64) {
        return Err(Error::NotEditable {
            path: "/".into(),
            address: start as u64,
            why: "the end of the tree would be found elsewhere".into(),
        });
    }
    let count = match fresh.range(chain.fixed()..).count() {
        0 => chain.count,
        appended => chain.blocks.len() + appended,
    };
    let named = block_use::named(edit.tree(), count);
    let indexed = match file.text().dialect {
        Dialect::Asdf => true,
        // Only the last of them had an index.
        Dialect::Early => file.index()? != IndexState::Absent,
        Dialect::Finf => false,
    };
    // What was set and taken out again needs no room; numbers stay.
    for (number, block) in &mut fresh {
        if !named.contains(number) {
            *block = NewBlock::empty();
        }
    }
    Ok(Plan {
        storage,
        chain,
        old,
        new,
        had_tree: file.text().tree.is_some(),
        fresh,
        named,
        indexed,
        padding: Padding::NONE,
        compact: false,
    })
}
