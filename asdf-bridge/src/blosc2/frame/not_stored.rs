//! Whether the bytes that a frame stores are its values: python-blosc2 marks those that are computed, or lie in another
//! file or on a server, of which some may have been fetched.

use std::ops::Range;

use super::{Frame, Place};
use crate::blosc2::chunk::{Chunk, Special};
use crate::blosc2::error::{Error, Result};

/// The metalayers that say that values are elsewhere, and the text in them that is followed by what they are: an
/// expression or a function, an array on a server, what a proxy has not fetched.
const MARKS: [(&str, &str); 3] =
    [("b2o", "kind"), ("LazyArray", ""), ("proxy-source", "source_kind")];

/// The mark whose values are those that are stored, where nothing says which were fetched, as python-blosc2 did once.
const PROXY: &str = "proxy-source";

/// Metalayers that say what the bytes mean, which are there.
const OTHERS: [&str; 9] = [
    "b2nd",
    "caterva",
    "vlarray",
    "listarray",
    "batcharray",
    "b2embed",
    "b2dict",
    "b2tree",
    "ctable_varlen_scalar",
];

/// What names of marks that are not known may have in them.
const HINTS: [&str; 6] = ["b2", "proxy", "lazy", "remote", "virtual", "udf"];

/// Metalayers of variable size that belong to a mark.
const BELONGING: [&str; 5] = ["b2o", "_LazyArray", "hdf5-index", "zarr-metadata", "b2z-frame"];

/// What their names begin with where a proxy writes down what it has.
const OF_PROXY: &str = "proxy-";

/// That values are elsewhere, and which of them are not.
#[derive(Debug)]
pub(super) struct Elsewhere {
    /// The metalayer that says so, and of what kind they are.
    mark: Box<str>,
    fetched: Fetched,
}

/// What was fetched.
#[derive(Debug)]
enum Fetched {
    Nothing,
    /// The stored values.
    Stored,
    /// What has its bit, from the least of each byte on: this many of each chunk, which are its blocks, or one.
    Bits(Vec<u8>, u64),
}

/// Whether a metalayer of the header says that values are elsewhere.
pub(super) fn is_mark(name: &str) -> bool {
    MARKS.iter().any(|(mark, _)| *mark == name)
}

impl Frame {
    /// Checks that the bytes which are stored are the values of the frame. Python-blosc2 marks frames that stand for others:
    /// expressions, functions, arrays on a server, and proxies of which only some was fetched. What is elsewhere is an
    /// error for the code that reads it ([`Self::read_range`], [`NdArray::read`](crate::blosc2::NdArray::read)); a
    /// [`Self::chunk`] is what is stored, whatever that means.
    ///
    /// ```
    /// use asdf_bridge::blosc2::{Encoding, Error, Frame, NewArray};
    ///
    /// let lazy = NewArray::of::<f64>(&[2])?.meta("b2o", b"\x82\xa4kind\xa8lazyexpr\xa7version\x01");
    /// let mut writer = lazy.memory()?;
    /// writer.write_elements(&[0.0, 0.0])?;
    /// let frame = Frame::from_source(writer.finish_bytes()?)?;
    /// assert!(matches!(frame.check_values(), Err(Error::Elsewhere { .. })));
    /// assert!(frame.array()?.expect("its shape is known").read::<f64>().is_err());
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Elsewhere`] with the mark, and the first chunk of which something is elsewhere if others are here;
    /// what is wrong with that chunk.
    pub fn check_values(&self) -> Result<()> {
        let Some(elsewhere) = self.elsewhere() else { return Ok(()) };
        if let Fetched::Nothing = elsewhere.fetched {
            return Err(elsewhere.error(None));
        }
        (0..self.chunk_count()).try_for_each(|number| {
            let chunk = self.chunk(number)?;
            self.check_held(number, &chunk, 0..chunk.block_count())
        })
    }

    /// Checks that some blocks of a chunk are values of the frame.
    pub(crate) fn check_held(
        &self,
        number: u64,
        chunk: &Chunk<'_>,
        blocks: Range<usize>,
    ) -> Result<()> {
        match self.elsewhere() {
            Some(elsewhere) if !elsewhere.holds(number, chunk, blocks) => {
                Err(elsewhere.error(Some(number)))
            }
            _ => Ok(()),
        }
    }

    /// Checks that no value of the frame is elsewhere, whether it was fetched or not: what is fetched is not to be changed here.
    pub(super) fn check_unmarked(&self) -> Result<()> {
        self.elsewhere().map_or(Ok(()), |elsewhere| Err(elsewhere.error(None)))
    }

    /// Metalayers that are not known, and may say that the values are elsewhere, by their name or since nothing is
    /// stored. It is empty where a mark that is known says so.
    ///
    /// ```
    /// let frame = asdf_bridge::blosc2::Frame::open("tests/small.b2nd")?;
    /// assert!(frame.doubtful_marks().is_empty());
    /// # Ok::<(), asdf_bridge::blosc2::Error>(())
    /// ```
    pub fn doubtful_marks(&self) -> Vec<&str> {
        if self.inner.marked {
            return Vec::new();
        }
        let unknown: Vec<_> = self.meta_names().filter(|name| !OTHERS.contains(name)).collect();
        // Looked at only where there is a metalayer that is not known.
        let is_empty = unknown.iter().any(|name| self.is_map(name)) && self.stores_nothing();
        let hinted = |name: &str| {
            let name = name.to_ascii_lowercase();
            HINTS.iter().any(|hint| match *hint {
                "b2" => name.starts_with(hint),
                hint => name.contains(hint),
            })
        };
        let of_header =
            unknown.into_iter().filter(|name| hinted(name) || is_empty && self.is_map(name));
        let belongs =
            |name: &&str| ["b2o", "_LazyArray"].contains(name) || name.starts_with(OF_PROXY);
        of_header.chain(self.vlmeta_names().filter(belongs)).collect()
    }

    /// Whether a metalayer is a map of msgpack, as marks are.
    fn is_map(&self, name: &str) -> bool {
        let content = self.meta(name).unwrap_or_default();
        content.first().is_some_and(|first| matches!(first, 0x80..=0x8f | 0xde | 0xdf))
    }

    /// Whether all its chunks are zeros or were never set.
    fn stores_nothing(&self) -> bool {
        let nothing = |number| {
            matches!(self.place(number), Ok(Place::Special(Special::Zeros | Special::Uninit)))
        };
        self.chunk_count() > 0 && (0..self.chunk_count()).all(nothing)
    }

    fn elsewhere(&self) -> Option<&Elsewhere> {
        if !self.inner.marked {
            return None;
        }
        self.inner.elsewhere.get_or_init(|| Elsewhere::of(self)).as_ref()
    }

    /// Whether a metalayer says where values are: it is no longer true where they are written anew.
    pub(super) fn is_of_mark(&self, kind: &str, name: &str) -> bool {
        self.inner.marked
            && match kind {
                "meta" => is_mark(name) || name == "remote-store",
                _ => BELONGING.contains(&name) || name.starts_with(OF_PROXY),
            }
    }
}

impl Elsewhere {
    fn of(frame: &Frame) -> Option<Elsewhere> {
        let marks = MARKS.iter().filter(|(mark, _)| frame.meta_names().any(|name| name == *mark));
        let mut said = Vec::new();
        for (mark, key) in marks.clone() {
            let kind = text_behind(&frame.meta(mark).unwrap_or_default(), key);
            said.push(kind.map_or(format!("`{mark}`"), |kind| format!("`{mark}` ({kind})")));
        }
        let (first, _) = marks.clone().next()?;
        let is_proxy = marks.count() == 1 && *first == PROXY;
        Some(Elsewhere {
            mark: said.join(", ").into(),
            fetched: Fetched::of(frame, is_proxy).unwrap_or(Fetched::Nothing),
        })
    }

    fn holds(&self, number: u64, chunk: &Chunk<'_>, blocks: Range<usize>) -> bool {
        let bit = |bits: &[u8], at: u64| {
            let byte = usize::try_from(at / 8).ok().and_then(|byte| bits.get(byte));
            byte.is_some_and(|byte| byte >> (at % 8) & 1 == 1)
        };
        match &self.fetched {
            Fetched::Nothing => false,
            Fetched::Stored => chunk.special().is_none(),
            // One that was thrown out again, whatever its bit is.
            Fetched::Bits(..) if chunk.special() == Some(Special::Uninit) => false,
            Fetched::Bits(bits, 1) => bit(bits, number),
            // A chunk whose blocks are others than those of its bits has none of them for sure.
            Fetched::Bits(bits, per)
                if chunk.special().is_some() || chunk.block_count() as u64 != *per =>
            {
                (0..*per).all(|block| bit(bits, number.saturating_mul(*per).saturating_add(block)))
            }
            Fetched::Bits(bits, per) => {
                let first = number.saturating_mul(*per);
                blocks.into_iter().all(|block| bit(bits, first.saturating_add(block as u64)))
            }
        }
    }

    fn error(&self, chunk: Option<u64>) -> Error {
        Error::Elsewhere { chunk, mark: self.mark.clone() }
    }
}

impl Fetched {
    /// `None` where what says it is not as it should be, or nothing does.
    fn of(frame: &Frame, is_proxy: bool) -> Option<Fetched> {
        let content =
            |name: &str| frame.vlmeta_names().any(|it| it == name).then(|| frame.vlmeta(name).ok());
        // A program that stopped while it fetched something.
        if content("proxy-dirty").is_some() {
            return None;
        }
        let (name, per) = match content("proxy-fetched-blocks") {
            Some(_) => ("proxy-fetched-blocks", frame.array().ok()??.blocks_of_chunk()),
            None => ("proxy-fetched", 1),
        };
        let Some(stored) = content(name) else { return is_proxy.then_some(Fetched::Stored) };
        let bits = bytes(&stored?)?;
        let right = frame.chunk_count().checked_mul(per)?.div_ceil(8);
        (bits.len() as u64 == right).then_some(Fetched::Bits(bits, per))
    }
}

/// Bytes as msgpack has them; their number follows from what they are.
fn bytes(content: &[u8]) -> Option<Vec<u8>> {
    let before = match content.first()? {
        0xc4 => 2,
        0xc5 => 3,
        0xc6 => 5,
        _ => return None,
    };
    content.get(before..).map(<[u8]>::to_vec)
}

/// The short text that follows another one in msgpack, as a value does its key.
fn text_behind(content: &[u8], key: &str) -> Option<String> {
    if key.is_empty() {
        return None;
    }
    let mark = [&[0xa0 | key.len() as u8], key.as_bytes()].concat();
    let at = content.windows(mark.len()).position(|part| part == mark)? + mark.len();
    let (first, rest) = content.get(at..)?.split_first()?;
    let length = (0xa0..=0xbf).contains(first).then_some(usize::from(first & 0x1f))?;
    String::from_utf8(rest.get(..length)?.to_vec()).ok()
}
