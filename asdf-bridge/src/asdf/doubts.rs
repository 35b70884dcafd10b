//! Doubts about the data of the blocks of a file: wrong digests, and failed decompression.

use std::collections::{HashMap, HashSet};

use dudley::model::Doubt;
use dudley::read::path::{Part, parse, spell};

use super::array::Array;
use super::blocks::{Block, IndexState};
use super::digest::DigestState;
use super::error::{Error, Result};
use super::file::AsdfFile;
use super::item::Item;
use super::report::Code;
use super::walk::References;

/// What is said of data whose digest is another one.
const CHANGED: &str = "the data of its block are not those that the digest was made of";

/// What is said of data that cannot be decompressed to their end.
const DAMAGED: &str = "the data of its block are damaged, and nothing says where the damage begins: values may be \
                       wrong from the first one on";

/// What is said of data without a digest whose block does not end where it should.
const MISPLACED: &str = "its block does not end where another one begins, and has no digest: its header may be \
                         damaged, and values may be others";

/// What is said of data without a digest whose header states a wrong size for itself.
const OVERSTATED: &str = "the header of its block states a size for itself that it cannot have, and no digest: it is \
                          damaged, and values may be others";

/// What is said of data that are not all there, of which nothing tells that they begin where the header says.
const CUT: &str = "its data reach beyond the end of the file: that is cut off, or the header of its block is damaged, \
                   and values may be others";

/// What is said of data that are not compressed and not as many as their header says when decompressed.
const UNLABELLED: &str = "the header of its block has no compression, and another size of the data when decompressed: \
                          they may be compressed, and values be others";

/// What is said of data of a streamed block that says what such a block cannot be.
const STREAMED: &str = "the header of its streamed block is wrong: values may be others";

/// What is said of an array without a byte order.
const UNORDERED: &str =
    "the tree does not say its byte order, and `big` is taken: values may be others";

/// What is said of an array in chunks.
const CHUNKS: &str = "its chunks overlap, do not have all of its elements, which are 0 then, or are of another type than \
                      the tree says";

/// What is said of an array with keys that mean nothing here.
const UNKNOWN: &str =
    "the tree has a key for it that is not known: it may be a damaged one, and values be others";

/// What is said of a block whose number nothing but counting tells.
const COUNTED: &str = "a block is damaged or lost, and no index says which number its own has: values may be those of \
                       another array";

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// The headers alone.
    Headers,
    /// The digests too, for which all is read.
    Digests,
    /// The decompressed data too.
    Data,
}

/// Doubts about the data of blocks. Each block is checked once.
///
/// ```
/// use asdf_bridge::asdf::{Builder, Doubts, NewArray, Open};
///
/// let mut bytes = Builder::new().put("x", NewArray::from(vec![1_i8; 100])).to_bytes()?;
/// let at = bytes.windows(9).position(|found| found == [1; 9]).expect("the data");
/// bytes[at] = 2;
/// let file = Open::new().bytes(bytes)?;
/// assert!(Doubts::of_headers(&file).of_paths(&[])?.is_empty());
/// let doubts = Doubts::of_digests(&file).of_paths(&["/x"])?;
/// assert_eq!(doubts[0].path.as_deref(), Some("/x"));
/// # Ok::<(), asdf_bridge::asdf::Error>(())
/// ```
pub struct Doubts {
    file: AsdfFile,
    /// Which numbers of blocks are not certain, once that was looked for.
    astray: Option<Astray>,
    depth: Depth,
    /// Arrays are copied with their blocks, so that nobody else sees that one cannot be obtained.
    copied: bool,
    /// By the file that the tree names, if it is another one, and the number of the block.
    known: HashMap<(String, usize), Option<&'static str>>,
}

impl Doubts {
    /// Those of a file as the headers of its blocks tell them: nothing of the data is read.
    pub fn of_headers(file: &AsdfFile) -> Doubts {
        Doubts::of_depth(file, Depth::Headers)
    }

    /// Those of a file. Only digests count: who reads the data sees whether they can be decompressed.
    pub fn of_digests(file: &AsdfFile) -> Doubts {
        Doubts::of_depth(file, Depth::Digests)
    }

    /// As [`Self::of_digests`], where arrays are copied as the tree has them.
    pub fn of_copy(file: &AsdfFile) -> Doubts {
        Doubts { copied: true, ..Doubts::of_digests(file) }
    }

    /// Those of a file, all of whose data are decompressed, too.
    pub fn of_data(file: &AsdfFile) -> Doubts {
        Doubts::of_depth(file, Depth::Data)
    }

    fn of_depth(file: &AsdfFile, depth: Depth) -> Doubts {
        Doubts { file: file.clone(), astray: None, depth, copied: false, known: HashMap::new() }
    }

    /// Doubts about the values of an array and its mask. Nothing is known about data that are cut off.
    pub fn of(&mut self, array: &Array) -> Vec<Doubt> {
        let mask = array.mask_array();
        let parts = [Some(array), mask.as_ref()].into_iter().flatten();
        let doubts = parts.filter_map(|array| {
            let why = self.of_one(array)?.to_owned();
            Some(Doubt { path: Some(array.path().to_owned()), why })
        });
        let mut doubts: Vec<Doubt> = doubts.collect();
        doubts.extend(array.chunks().flat_map(|chunk| self.of(chunk)));
        doubts
    }

    /// Why an array or its mask cannot be obtained, where nobody else finds out.
    fn unsound(&self, array: &Array) -> Option<Error> {
        match (self.copied, self.depth) {
            (true, _) => array.check().err(),
            // Files of numbers have no masks.
            (false, Depth::Digests) => array.check_mask().err(),
            (false, _) => None,
        }
    }

    fn of_one(&mut self, array: &Array) -> Option<&'static str> {
        let odd = array.odd().unwrap_or_default();
        let of_tree = match () {
            () if odd.iter().any(|it| it.code == Code::NoByteOrder) => Some(UNORDERED),
            () if odd.iter().any(|it| it.code == Code::Chunks) => Some(CHUNKS),
            () if odd.iter().any(|it| it.code == Code::UnknownKey) => Some(UNKNOWN),
            () => None,
        };
        of_tree.or_else(|| self.of_stored(array))
    }

    fn of_stored(&mut self, array: &Array) -> Option<&'static str> {
        let (file, block) = array.stored_in().ok().flatten()?;
        if file.uri() == self.file.uri() && self.is_astray(&block) {
            return Some(COUNTED);
        }
        self.of_block(&file, &block)
    }

    /// Whether the number of a block is uncertain. A file that cannot be read is an error of the read.
    fn is_astray(&mut self, block: &Block) -> bool {
        if self.astray.is_none() && self.file.is_numbered(block).unwrap_or(false) {
            return false;
        }
        let astray = self.astray.get_or_insert_with(|| Astray::of(&self.file).unwrap_or_default());
        astray.behind.is_some_and(|behind| block.address > behind)
            || astray.blocks.contains(&block.index)
    }

    /// Doubts about the data of a block of the file, or of another file that it names.
    pub fn of_block(&mut self, file: &AsdfFile, block: &Block) -> Option<&'static str> {
        let depth = self.depth;
        *self.known.entry((file.uri().to_owned(), block.index)).or_insert_with(|| match depth {
            _ if block.compression().is_none() && block.decoded != block.used() => Some(UNLABELLED),
            _ if is_cut(file, block) => Some(CUT),
            _ if block.is_streamed() && has_bad_header(file, block) => Some(STREAMED),
            _ if block.digest == [0; 16] && block.is_overstated() => Some(OVERSTATED),
            _ if block.digest == [0; 16] && !ends_well(file, block) => Some(MISPLACED),
            Depth::Headers => None,
            Depth::Digests => matches!(file.digest(block), Ok(DigestState::Bad)).then_some(CHANGED),
            Depth::Data => {
                let found = file.verify_block(block);
                let has = |code| found.iter().any(|finding| finding.code == code);
                match (has(Code::BadData), has(Code::BadDigest)) {
                    (true, _) => Some(DAMAGED),
                    (false, true) => Some(CHANGED),
                    (false, false) => None,
                }
            }
        })
    }
}

/// Whether a block ends where the next one begins; the last one with nothing behind it but the index. Of what cannot
/// be read something else is said.
fn ends_well(file: &AsdfFile, block: &Block) -> bool {
    let next = match file.block(block.index as i64 + 1) {
        Ok(next) => Some(next.address),
        // None if there are no more.
        Err(error) => error.address(),
    };
    if let Some(next) = next {
        return block.end() == next;
    }
    let Ok(report) = file.check() else { return true };
    !report.findings.iter().any(|finding| match finding.code {
        Code::Junk | Code::NotAdjacent => finding.address >= block.end(),
        // Python leaves away what is set aside behind the last data.
        Code::Overhang => finding.address == block.address && block.data.end != file.source().len(),
        _ => false,
    })
}

/// Whether the walk along the blocks found something wrong with the header of one.
fn has_bad_header(file: &AsdfFile, block: &Block) -> bool {
    let Ok(report) = file.check() else { return false };
    report.of(Code::BadHeader).any(|finding| finding.address == block.address)
}

/// Whether data reach beyond the end of the file, so that no digest can be compared. What is compressed begins in a
/// way that tells that it begins there, unless an index behind it says that nothing was cut off.
fn is_cut(file: &AsdfFile, block: &Block) -> bool {
    block.data.end > file.source().len()
        && (block.compression().is_none()
            || file.index().is_ok_and(|index| index != IndexState::Absent))
}

/// Which numbers of blocks are not certain.
#[derive(Default)]
struct Astray {
    /// Those behind this address: the chain of blocks is broken there, and the index does not list what was found.
    behind: Option<u64>,
    /// Those that may have another number where some are gone.
    blocks: HashSet<usize>,
}

impl Astray {
    fn of(file: &AsdfFile) -> Result<Astray> {
        let mut astray = Astray::default();
        if let IndexState::Good { .. } = file.index()? {
            return Ok(astray);
        }
        let report = file.check()?;
        astray.blocks.extend(report.of(Code::MissingBlock).filter_map(|finding| finding.block));
        let behind =
            report.findings.iter().filter_map(|finding| match (finding.code, finding.block) {
                // Any of them may be another one; so may one that is found earlier than it should be.
                (Code::MissingBlock, None) | (Code::NotAdjacent, _) => {
                    Some(finding.address.saturating_sub(1))
                }
                (code, _) => code.is_gap().then_some(finding.address),
            });
        astray.behind = behind.min();
        Ok(astray)
    }
}

impl Doubts {
    /// Doubts about the arrays at some paths, which may have slices, or about all arrays without paths: each array is reported
    /// once. Also of arrays with a part of a row, which is left behind, and of those that cannot be obtained.
    ///
    /// # Errors
    /// If the file cannot be read; if something is no path. That there is nothing of a path is said by the code that picks it.
    pub fn of_paths(&mut self, paths: &[&str]) -> Result<Vec<Doubt>> {
        let file = self.file.clone();
        let mut found = Vec::new();
        if paths.is_empty() {
            match file.root() {
                Ok(root) => self.below(&root, &mut found)?,
                Err(Error::NoTree) => {}
                Err(error) => return Err(error),
            }
        }
        let mut known = HashSet::new();
        for path in paths {
            for path in file.spread(path).map_or(Vec::new(), |spread| spread.paths) {
                let mut parts = parse(&path)?;
                parts.retain(|part| matches!(part, Part::Name { .. }));
                let whole = spell(&parts);
                if let Ok(item) = file.get(&whole)
                    && known.insert(whole)
                {
                    self.below(&item, &mut found)?;
                }
            }
        }
        Ok(found)
    }

    /// Doubts about the arrays at and below an item.
    fn below(&mut self, item: &Item, found: &mut Vec<Doubt>) -> Result<()> {
        item.walk_once(References::Followed, &mut |item, _| {
            if item.is_array()
                && let Ok(array) = item.array()
            {
                found.extend(self.of(&array));
                let odd = array.odd().unwrap_or_default();
                let rows = odd.into_iter().filter(|odd| odd.code == Code::PartialRow);
                found.extend(rows.map(|odd| Doubt { path: None, why: odd.reason }));
                let unsound = self.unsound(&array);
                found.extend(unsound.map(|why| Doubt { path: None, why: why.named(item.path()) }));
            }
            Ok(!item.is_array())
        })
    }
}
