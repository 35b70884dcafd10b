//! A file, opened: its text, its tree, its blocks.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use dudley::bytes::{FileSource, Source};
use dudley::model::Dataset;
use dudley::{Data, Work};

use super::blocks::{Block, Blocks, IndexState, Slot};
use super::compression::Codecs;
use super::decoded::Decoded;
use super::digest::{self, DigestState};
use super::error::{Error, Result};
use super::external::{External, Folder, Nothing, join};
use super::lodged::Lodged;
use super::ndarray::{Source as Place, is_array};
use super::report::Report;
use super::text::{self, Text};
use super::tree::{LazyTree, Node, Tree};

/// The longest text that is read, in bytes, unless the caller says otherwise.
const TEXT: u64 = 1 << 30;

/// The most bytes that a block is decompressed to, unless the caller says otherwise.
const DECODED: u64 = 64 << 30;

/// Bytes of a block that one thread reads at a time.
const PART: usize = 4 << 20;

/// How to open a file.
///
/// ```
/// use asdf_bridge::asdf::Open;
///
/// let file = Open::new().decoded_limit(1 << 20).bytes(*b"#ASDF 1.0.0\n--- {a: [1, 2]}\n...\n")?;
/// assert_eq!(file.get("/a/1")?.node().as_i64(), Some(2));
/// # Ok::<(), asdf_bridge::asdf::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Open {
    text_limit: Option<u64>,
    decoded_limit: Option<u64>,
    external: Option<Arc<dyn External>>,
    codecs: Option<Arc<Codecs>>,
    work: Work,
    /// The URI by which the file was named, if another file named it.
    uri: String,
    /// The file of another format that it lies in.
    pub(super) lodged: Option<Arc<Lodged>>,
}

impl Open {
    /// Nothing said.
    pub fn new() -> Open {
        Open::default()
    }

    /// How many bytes of text are read at most: 1 GiB by default.
    #[must_use]
    pub fn text_limit(mut self, bytes: u64) -> Open {
        self.text_limit = Some(bytes);
        self
    }

    /// How many bytes a block may be decompressed to: 64 GiB by default.
    #[must_use]
    pub fn decoded_limit(mut self, bytes: u64) -> Open {
        self.decoded_limit = Some(bytes);
        self
    }

    /// Where other files come from that the tree names. By default those in the folder of the file and
    /// below it, and none for a file that is not opened by its path.
    #[must_use]
    pub fn external(mut self, external: impl External + 'static) -> Open {
        self.external = Some(Arc::new(external));
        self
    }

    /// The compressions that blocks may have; those of this crate otherwise.
    #[must_use]
    pub fn codecs(mut self, codecs: impl Into<Arc<Codecs>>) -> Open {
        self.codecs = Some(codecs.into());
        self
    }

    /// How long reads are done: by how many threads, and who watches. By default by as many as the machine
    /// runs at once.
    #[must_use]
    pub fn work(mut self, work: Work) -> Open {
        self.work = work;
        self
    }

    /// Opens a file, which is read by position.
    ///
    /// # Errors
    /// [`Error::Engine`] if it cannot be opened; as [`Self::source`].
    pub fn file(mut self, path: impl AsRef<Path>) -> Result<AsdfFile> {
        let path = path.as_ref();
        if self.external.is_none() {
            self.external = Some(Arc::new(Folder::new(path.parent().unwrap_or(Path::new("")))));
        }
        self.source(FileSource::open(path)?)
    }

    /// Opens a file in memory.
    ///
    /// # Errors
    /// If [`Self::source`] fails.
    pub fn bytes(self, bytes: impl Into<Vec<u8>>) -> Result<AsdfFile> {
        self.source(bytes.into())
    }

    /// Opens a file from anywhere. Its text is read; the tree is parsed when it is first asked for, and one
    /// that cannot be parsed is an error for the code that asks for it, and a finding.
    ///
    /// # Errors
    /// [`Error::NotAsdf`]; [`Error::Limit`] for a text that is too long; [`Error::Engine`] if it cannot
    /// be read.
    pub fn source(self, source: impl Source + 'static) -> Result<AsdfFile> {
        let source: Arc<dyn Source> = Arc::new(source);
        let mut report = Report::default();
        let limit = self.text_limit.unwrap_or(TEXT);
        let (text, bytes) = text::read(&*source, limit, &mut report)?;
        let tree = Arc::new(LazyTree::new(source.clone(), &self.uri, text.tree.clone(), bytes));
        let blocks = Blocks::new(source.clone(), &text, tree.clone(), self.work.clone());
        Ok(AsdfFile {
            inner: Arc::new(Inner {
                source,
                tree,
                blocks,
                text,
                report,
                decoded_limit: self.decoded_limit.unwrap_or(DECODED),
                codecs: self.codecs.clone().unwrap_or_default(),
                external: self.external.clone().unwrap_or_else(|| Arc::new(Nothing)),
                uri: self.uri.clone(),
                work: self.work.clone(),
                open: self,
                decoded: Mutex::default(),
                others: Mutex::default(),
            }),
        })
    }
}

/// An ASDF or FINF file. Cheap to clone; clones share what was found out so far.
///
/// ```
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let path = folder.path().join("a.asdf");
/// # let mut bytes = b"#ASDF 1.0.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n\
/// # run: {rho: !core/ndarray-1.1.0 {source: 0, datatype: uint16, byteorder: big, shape: [2, 2]}}\n...\n\
/// # \xd3BLK\0\x30\0\0\0\0\0\0\0\0".to_vec();
/// # for _ in 0..3 { bytes.extend([0, 0, 0, 0, 0, 0, 0, 8]); }
/// # bytes.extend([0; 16]);
/// # bytes.extend([0, 1, 0, 2, 0, 3, 1, 0]);
/// # std::fs::write(&path, bytes).expect("a file");
/// use asdf_bridge::asdf::AsdfFile;
///
/// let file = AsdfFile::open(&path)?;
/// let rho = file.array("/run/rho")?;
/// assert_eq!(rho.shape(), [2, 2]);
/// assert_eq!(rho.read::<u16>()?[[1, 1]], 256);
/// assert_eq!(rho.slice("-1, ::-1")?.read::<u16>()?.as_slice(), Some(&[256, 3][..]));
/// # Ok::<(), asdf_bridge::asdf::Error>(())
/// ```
#[derive(Clone)]
pub struct AsdfFile {
    pub(super) inner: Arc<Inner>,
}

pub(super) struct Inner {
    source: Arc<dyn Source>,
    text: Text,
    tree: Arc<LazyTree>,
    pub(super) blocks: Blocks,
    /// Of the text.
    pub(super) report: Report,
    decoded_limit: u64,
    pub(super) codecs: Arc<Codecs>,
    external: Arc<dyn External>,
    uri: String,
    pub(super) work: Work,
    /// How other files are opened.
    open: Open,
    /// Decompressed blocks that are in use.
    decoded: Mutex<HashMap<usize, Weak<Decoded>>>,
    others: Mutex<HashMap<String, AsdfFile>>,
}

/// Where the data of a block are, decompressed if necessary.
pub(super) struct Elements {
    pub(super) source: Arc<dyn Source>,
    /// Their first address there.
    pub(super) address: u64,
    pub(super) bytes: u64,
    /// Where they stand in the file, as stored.
    pub(super) stored: u64,
}

impl AsdfFile {
    /// Opens a file.
    ///
    /// # Errors
    /// If [`Open::file`] fails.
    pub fn open(path: impl AsRef<Path>) -> Result<AsdfFile> {
        Open::new().file(path)
    }

    /// The text without the tree: the version, comments, the place of the tree.
    pub fn text(&self) -> &Text {
        &self.inner.text
    }

    /// Where the bytes come from.
    pub fn source(&self) -> &dyn Source {
        &*self.inner.source
    }

    /// The compressions that are known.
    pub fn codecs(&self) -> &Codecs {
        &self.inner.codecs
    }

    /// The tree.
    ///
    /// # Errors
    /// [`Error::NoTree`]; [`Error::Tree`] if it cannot be parsed.
    pub fn tree(&self) -> Result<&Tree> {
        match self.parsed() {
            Some(Ok(tree)) => Ok(tree),
            None => Err(Error::NoTree),
            Some(Err(error)) => Err(again(error)),
        }
    }

    /// The tree, parsed when it is first asked for; `None` if there is none.
    pub(super) fn parsed(&self) -> Option<&Result<Tree>> {
        self.inner.tree.get()
    }

    /// A block by its number; a number below 0 counts from the end. Only the headers of the blocks
    /// before it are read.
    ///
    /// # Errors
    /// [`Error::Block`] if there is none, or it cannot be used.
    pub fn block(&self, index: i64) -> Result<Arc<Block>> {
        self.inner.blocks.get(index).map_err(|error| error.in_file(self.uri()))
    }

    /// All blocks, or what is wrong where one should be.
    ///
    /// # Errors
    /// [`Error::Engine`] if the file cannot be read.
    pub fn blocks(&self) -> Result<Vec<Result<Arc<Block>>>> {
        let slots = self.inner.blocks.all()?;
        let blocks = slots.into_iter().enumerate().map(|(index, slot)| match slot {
            Slot::Block(block) => Ok(Arc::new(block)),
            Slot::Bad { address, expected, found } => Err(Error::Block {
                index: index as i64,
                address: Some(address),
                expected: expected.into(),
                found: found.into(),
            }),
        });
        Ok(blocks.collect())
    }

    /// The state of the block index.
    ///
    /// # Errors
    /// [`Error::Engine`] if the file cannot be read.
    pub fn index(&self) -> Result<IndexState> {
        Ok(self.inner.blocks.report()?.1)
    }

    /// Whether the block index says that a block has its number, and nothing that was read speaks against it. Blocks
    /// behind it are not looked at: where the index does not help, [`Self::check`] does.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, NewArray, Open};
    ///
    /// let file = Builder::new().put("x", NewArray::from(vec![1.0, 2.0]));
    /// let sound = Open::new().bytes(file.to_bytes()?)?;
    /// assert!(sound.is_numbered(&*sound.block(0)?)?);
    /// let without = Open::new().bytes(file.index(false).to_bytes()?)?;
    /// assert!(!without.is_numbered(&*without.block(0)?)?);
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Engine`] if the file cannot be read.
    pub fn is_numbered(&self, block: &Block) -> Result<bool> {
        self.inner.blocks.is_certain(block.index)
    }

    /// Compares a block's data with its digest. They are all read.
    ///
    /// # Errors
    /// [`Error::Engine`] if they are not all there.
    pub fn digest(&self, block: &Block) -> Result<DigestState> {
        digest::check(&self.inner.source, block, &self.inner.codecs, self.inner.decoded_limit)
    }

    /// The data of a block, decompressed.
    ///
    /// # Errors
    /// As [`Self::block`]; [`Error::Limit`]; [`Error::Engine`] for data that are damaged or not there.
    pub fn block_data(&self, index: i64) -> Result<Vec<u8>> {
        let elements = self.elements(index)?;
        let source = &*elements.source;
        dudley::bytes::check(source.len(), elements.address, elements.bytes)?;
        if let Some(bytes) = source.bytes() {
            return Ok(dudley::bytes::slice(bytes, elements.address, elements.bytes)?.to_vec());
        }
        let size = usize::try_from(elements.bytes);
        let mut data = Vec::new();
        let size = size.ok().filter(|size| data.try_reserve_exact(*size).is_ok());
        data.resize(size.ok_or_else(|| dudley::Error::too_large(elements.bytes))?, 0);
        let count = data.len().div_ceil(PART) as u64;
        self.inner.work.run(count, data.chunks_mut(PART).enumerate(), |(at, part)| {
            source.read_at(elements.address + (at * PART) as u64, part)?;
            Ok(part.len() as u64)
        })?;
        Ok(data)
    }

    /// The URI by which another file named it, from the folder of the one that was opened; empty if it was opened itself.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("a.asdf");
    /// # std::fs::write(&path, "#ASDF 1.0.0\n--- {a: {$ref: 'b.asdf#/x'}}\n...\n").expect("a file");
    /// # std::fs::write(folder.path().join("b.asdf"), "#ASDF 1.0.0\n--- {x: 1}\n...\n").expect("a file");
    /// use asdf_bridge::asdf::AsdfFile;
    ///
    /// let file = AsdfFile::open(&path)?;
    /// let a = file.get("/a")?;
    /// assert_eq!((file.uri(), a.file().uri(), a.own_path()), ("", "b.asdf", "/x"));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn uri(&self) -> &str {
        &self.inner.uri
    }

    /// A number that no other file has that is open; clones have the same.
    pub(super) fn id(&self) -> usize {
        Arc::as_ptr(&self.inner).addr()
    }

    /// The file of another format that it lies in; `None` for a file of its own.
    pub fn host(&self) -> Option<&Dataset> {
        self.inner.open.lodged.as_ref().map(|lodged| &lodged.host)
    }

    /// Whether a source is data of the file that this one lies in.
    pub(super) fn is_of_host(&self, source: &Place) -> bool {
        let lodged = self.inner.open.lodged.as_ref();
        matches!((source, lodged), (Place::External(uri), Some(it)) if uri.starts_with(it.scheme))
    }

    /// The array of the file that this one lies in, which a source names.
    pub(super) fn of_host(&self, source: &Place) -> Result<Data> {
        let wrong = |uri: &str, why: &str| Error::External { uri: uri.into(), why: why.into() };
        match (source, &self.inner.open.lodged) {
            (Place::External(uri), Some(lodged)) => {
                let name = uri.strip_prefix(lodged.scheme).unwrap_or(uri);
                (lodged.array)(name).map_err(|error| wrong(uri, &error.to_string()))
            }
            _ => Err(wrong("", "it is of no file that this one lies in")),
        }
    }

    /// Where the data of a block are, decompressed if necessary.
    pub(super) fn elements(&self, index: i64) -> Result<Elements> {
        let block = self.block(index)?;
        let stored = block.data.start;
        if block.compression().is_none() {
            let source = self.inner.source.clone();
            return Ok(Elements { source, address: stored, bytes: block.used(), stored });
        }
        let decoded = self.decompressed(&block)?;
        Ok(Elements { bytes: decoded.len(), source: decoded, address: 0, stored })
    }

    /// The data of a compressed block: those that are at hand as long as somebody uses them.
    pub(super) fn decompressed(&self, block: &Block) -> Result<Arc<Decoded>> {
        let known = self.decoded().get(&block.index).and_then(Weak::upgrade);
        if let Some(known) = known {
            return Ok(known);
        }
        let limit = self.inner.decoded_limit;
        let decoded = self.inner.codecs.open(self.inner.source.clone(), block, limit)?;
        let decoded = Arc::new(decoded);
        self.decoded().insert(block.index, Arc::downgrade(&decoded));
        Ok(decoded)
    }

    /// Hands out the first bytes of a compressed block, as many as `there` stored ones can be decompressed to; how many
    /// those are. It may be that none can.
    pub(super) fn decoded_start(
        &self,
        block: &Block,
        there: u64,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<u64> {
        let limit = self.inner.decoded_limit;
        self.inner.codecs.start(self.inner.source.clone(), block, there, limit, sink)
    }

    fn decoded(&self) -> std::sync::MutexGuard<'_, HashMap<usize, Weak<Decoded>>> {
        self.inner.decoded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file that a source is in, this one or another, and the number of its block there.
    pub(super) fn home(&self, place: &Place) -> Result<(AsdfFile, i64)> {
        match place {
            Place::Block(index) => Ok((self.clone(), *index)),
            Place::External(uri) => Ok((self.other(without_fragment(uri))?, 0)),
        }
    }

    /// The URIs of the other files that the tree names: for arrays, and in references. They are relative to the
    /// folder of the file.
    ///
    /// ```
    /// use asdf_bridge::asdf::Open;
    ///
    /// let file = Open::new().bytes(*b"#ASDF 1.0.0\n--- {a: {$ref: 'b.asdf#/x'}, c: {$ref: '#/a'}}\n...\n")?;
    /// assert_eq!(file.named_files()?, ["b.asdf"]);
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::tree`].
    pub fn named_files(&self) -> Result<Vec<String>> {
        let named = self.tree()?.nodes().filter_map(|node| {
            let array = node.get("source").filter(|_| is_array(node)).and_then(Node::as_str);
            let array = array.filter(|uri| !self.is_of_host(&Place::External((*uri).to_owned())));
            array.or_else(|| node.reference()).map(without_fragment)
        });
        let named: BTreeSet<&str> = named.filter(|uri| !uri.is_empty()).collect();
        Ok(named.into_iter().map(str::to_owned).collect())
    }

    /// Another file, which this one names.
    pub(super) fn other(&self, uri: &str) -> Result<AsdfFile> {
        let uri = join(&self.inner.uri, uri);
        let mut others = self.inner.others.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = others.get(&uri) {
            return Ok(known.clone());
        }
        let source = self.inner.external.open(&uri)?;
        let mut open = self.inner.open.clone();
        open.external = Some(self.inner.external.clone());
        open.uri.clone_from(&uri);
        open.lodged = None;
        let file = open.source(source).map_err(|error| match error {
            error @ Error::External { .. } => error,
            error => Error::External { uri: uri.as_str().into(), why: error.to_string().into() },
        })?;
        others.insert(uri, file.clone());
        Ok(file)
    }
}

impl fmt::Debug for AsdfFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AsdfFile")
            .field("text", &self.inner.text)
            .field("len", &self.inner.source.len())
            .finish_non_exhaustive()
    }
}

/// A URI of a file, whatever of it is meant.
pub(super) fn without_fragment(uri: &str) -> &str {
    uri.split('#').next().unwrap_or_default()
}

/// What was wrong with the tree, said again.
fn again(error: &Error) -> Error {
    match error {
        Error::Tree { address, line, column, why } => {
            Error::Tree { address: *address, line: *line, column: *column, why: why.clone() }
        }
        error => Error::Tree {
            address: error.address().unwrap_or_default(),
            line: 1,
            column: 1,
            why: error.to_string().into(),
        },
    }
}
