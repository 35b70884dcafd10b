//! What speaks against the data of the blocks of a file: their digests, and that they cannot be decompressed.

use std::collections::{HashMap, HashSet};

use asdf_bridge::asdf::{Array, AsdfFile, Block, Code, DigestState, IndexState, Item};

use crate::failure::Result;
use crate::output::warn;

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

/// What speaks against an array, or one that is a mask.
pub(crate) struct Doubt {
    /// Its path.
    pub(crate) path: String,
    pub(crate) why: &'static str,
}

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// What the headers say.
    Headers,
    /// The digests too, for which all is read.
    Digests,
    /// What comes of decompressing them too.
    Data,
}

/// What speaks against the data of blocks, each of which is looked at once.
pub(crate) struct Doubts {
    file: AsdfFile,
    /// Which numbers of blocks are not certain, once that was looked for.
    astray: Option<Astray>,
    depth: Depth,
    /// Arrays are copied with their blocks, so that nobody else sees that one cannot be had.
    copied: bool,
    /// By the file that the tree names, if it is another one, and the number of the block.
    known: HashMap<(String, usize), Option<&'static str>>,
}

impl Doubts {
    /// Those of a file as the headers of its blocks tell them: nothing of the data is read.
    pub(crate) fn of_headers(file: &AsdfFile) -> Doubts {
        Doubts::of_depth(file, Depth::Headers)
    }

    /// Those of a file. Only digests count: who reads the data sees whether they can be decompressed.
    pub(crate) fn of_digests(file: &AsdfFile) -> Doubts {
        Doubts::of_depth(file, Depth::Digests)
    }

    /// As [`Self::of_digests`], where arrays are copied as the tree has them.
    pub(crate) fn of_copy(file: &AsdfFile) -> Doubts {
        Doubts { copied: true, ..Doubts::of_digests(file) }
    }

    /// Those of a file, all of whose data are decompressed, too.
    pub(crate) fn of_data(file: &AsdfFile) -> Doubts {
        Doubts::of_depth(file, Depth::Data)
    }

    fn of_depth(file: &AsdfFile, depth: Depth) -> Doubts {
        Doubts { file: file.clone(), astray: None, depth, copied: false, known: HashMap::new() }
    }

    /// What speaks against the values of an array, and of its mask. Of data that are cut off nothing can be said.
    pub(crate) fn of(&mut self, array: &Array) -> Vec<Doubt> {
        let mask = array.mask_array();
        let parts = [Some(array), mask.as_ref()].into_iter().flatten();
        let doubts = parts.filter_map(|array| {
            self.of_one(array).map(|why| Doubt { path: array.path().to_owned(), why })
        });
        let mut doubts: Vec<Doubt> = doubts.collect();
        doubts.extend(array.chunks().flat_map(|chunk| self.of(chunk)));
        doubts
    }

    /// Why an array or its mask cannot be had, where nobody else finds out.
    fn unsound(&self, array: &Array) -> Option<asdf_bridge::asdf::Error> {
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

    /// Whether the number of a block is not certain. That the file cannot be read is said by who reads it.
    fn is_astray(&mut self, block: &Block) -> bool {
        if self.astray.is_none() && self.file.is_numbered(block).unwrap_or(false) {
            return false;
        }
        let astray = self.astray.get_or_insert_with(|| Astray::of(&self.file).unwrap_or_default());
        astray.behind.is_some_and(|behind| block.address > behind)
            || astray.blocks.contains(&block.index)
    }

    /// What speaks against the data of a block of the file, or of another one that it names.
    pub(crate) fn of_block(&mut self, file: &AsdfFile, block: &Block) -> Option<&'static str> {
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

/// As [`warn_of`], of what paths pick, which may have slices, or of all if there are none: each array is told once.
///
/// # Errors
/// If the file cannot be read; if something is no path.
pub(crate) fn warn_of_picked(file: &AsdfFile, paths: &[String], doubts: &mut Doubts) -> Result<()> {
    if paths.is_empty() {
        return warn_of(file, None, doubts);
    }
    let mut known = HashSet::new();
    for path in paths {
        // That there is nothing of that path is said by who picks it.
        for path in file.spread(path).map_or(Vec::new(), |spread| spread.paths) {
            let whole = super::taken::whole(&path)?;
            if file.get(&whole).is_ok() && known.insert(whole.clone()) {
                warn_of(file, Some(&whole), doubts)?;
            }
        }
    }
    Ok(())
}

/// Warns of the arrays at and below a path whose digests do not fit, since a copy of them has digests that are right,
/// or none; of those with a part of a row, which is left behind, and of those that cannot be had.
///
/// # Errors
/// If the file cannot be read.
pub(crate) fn warn_of(file: &AsdfFile, path: Option<&str>, doubts: &mut Doubts) -> Result<()> {
    super::walk_once(file, path, &mut |item: &Item, _| {
        if item.is_array()
            && let Ok(array) = item.array()
        {
            for Doubt { path, why } in doubts.of(&array) {
                warn(&format!("`{path}`: {why}"));
            }
            let odd = array.odd().unwrap_or_default();
            for finding in odd.iter().filter(|finding| finding.code == Code::PartialRow) {
                warn(&finding.reason);
            }
            if let Some(why) = doubts.unsound(&array) {
                warn(&why.named(item.path()));
            }
        }
        Ok(!item.is_array())
    })
}

/// A word for a state.
pub(crate) fn word(state: DigestState) -> &'static str {
    match state {
        DigestState::Absent => "absent",
        DigestState::Good => "good",
        DigestState::Legacy => "legacy",
        DigestState::Bad => "bad",
    }
}
