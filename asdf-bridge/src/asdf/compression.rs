//! Compressed blocks: which filter a label stands for, and a block's data decompressed.

use std::sync::Arc;

use dudley::bytes;
use dudley::bytes::{Source, Window};
use dudley::filter::{Filter, Registry};

use super::blocks::{Block, label};
use super::decoded::{self, Decoded};
use super::error::{Error, Result};

/// How a Blosc2 frame begins, behind its first two bytes.
const FRAME: &[u8] = b"b2frame\0";

/// The labels that blocks bear, and the filters that they stand for.
///
/// A program adds a compression of its own by a filter and its label:
///
/// ```
/// use asdf_bridge::asdf::Codecs;
///
/// let codecs = Codecs::default().label(*b"gzip", "gzip");
/// assert_eq!(codecs.filter_name(*b"gzip", &[]), Some("gzip"));
/// assert_eq!(codecs.filter_name(*b"lz4\0", &[]), Some("asdf_lz4"));
/// ```
#[derive(Clone, Debug)]
pub struct Codecs {
    filters: Registry,
    labels: Vec<([u8; 4], String)>,
}

impl Default for Codecs {
    /// What this crate reads: `zlib`, `bzp2`, `lz4`, `lz4f`, `zstd`, `xz`; and `blsc` and `bls2` if the
    /// filters `blosc_chunk` and `blosc2` are registered.
    fn default() -> Self {
        let labels = [
            (*b"zlib", "zlib"),
            (*b"bzp2", "bzip2"),
            (*b"lz4\0", "asdf_lz4"),
            (*b"lz4f", "lz4"),
            (*b"zstd", "zstd"),
            (*b"xz\0\0", "xz"),
            (*b"blsc", "blosc_chunk"),
            (*b"bls2", "blosc_chunk"),
        ];
        let labels = labels.map(|(label, filter)| (label, filter.to_owned())).to_vec();
        Codecs { filters: crate::filter::registry(), labels }
    }
}

impl Codecs {
    /// Lets a label stand for a filter, which may be registered or not.
    #[must_use]
    pub fn label(mut self, label: [u8; 4], filter: impl Into<String>) -> Self {
        self.labels.retain(|(known, _)| *known != label);
        self.labels.push((label, filter.into()));
        self
    }

    /// Replaces the filters.
    #[must_use]
    pub fn filters(mut self, filters: Registry) -> Self {
        self.filters = filters;
        self
    }

    /// The filters, for layouts that name them.
    pub fn registry(&self) -> &Registry {
        &self.filters
    }

    /// The name of the filter that a label stands for. Under `bls2` Python stores a chunk and other
    /// programs a frame, so `stored`, the first bytes of the data, decides.
    pub fn filter_name(&self, label: [u8; 4], stored: &[u8]) -> Option<&str> {
        if label == *b"bls2" && stored.get(2..).is_some_and(|rest| rest.starts_with(FRAME)) {
            return Some("blosc2");
        }
        self.labels.iter().find(|(known, _)| *known == label).map(|(_, filter)| filter.as_str())
    }

    /// The data of a block, decompressed as far as they are read.
    ///
    /// # Errors
    /// [`Error::Limit`] for more than `limit` bytes; [`Error::Block`] for a label that is not known;
    /// [`Error::Engine`] for data that are damaged, as far as that is seen before they are read.
    pub(super) fn open(
        &self,
        source: Arc<dyn Source>,
        block: &Block,
        limit: u64,
    ) -> Result<Decoded> {
        if block.decoded > limit {
            return Err(Error::Limit {
                what: format!("block {} decompressed", block.index).into(),
                limit: format!("{limit} bytes").into(),
            });
        }
        bytes::check(source.len(), block.data.start, block.used())?;
        let filter = self.filter(&*source, block, block.used())?.clone();
        Decoded::new(source, filter, block)
    }

    /// Hands out the first bytes of a block, as many as the first `there` stored ones can be decompressed to, up to
    /// `limit`; how many those are.
    ///
    /// # Errors
    /// As [`Self::open`], or if `sink` fails; not for data that are damaged.
    pub(super) fn start(
        &self,
        source: Arc<dyn Source>,
        block: &Block,
        there: u64,
        limit: u64,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<u64> {
        let filter = self.filter(&*source, block, there)?.clone();
        let stored = Window::new(source, block.data.start, there)?;
        decoded::start(&*filter, stored, block.decoded.min(limit), sink)
    }

    /// The filter of a block that has this many stored bytes.
    fn filter(&self, source: &dyn Source, block: &Block, there: u64) -> Result<&Arc<dyn Filter>> {
        let mut head = [0; 16];
        let head = &mut head[..there.min(16) as usize];
        source.read_at(block.data.start, head)?;
        let filter = self.filter_name(block.label, head).and_then(|name| self.filters.get(name));
        filter.ok_or_else(|| Error::Block {
            index: block.index as i64,
            address: Some(block.address),
            expected: "a compression that is known".into(),
            found: format!("`{}`", label(block.label)).into(),
        })
    }

    /// Whether the label of a block stands for a filter that is there.
    pub(crate) fn knows(&self, block: &Block) -> bool {
        let name = self.filter_name(block.label, &[]);
        block.label == [0; 4] || name.is_some_and(|name| self.filters.get(name).is_some())
    }
}
