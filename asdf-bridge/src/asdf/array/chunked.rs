//! Arrays that are put together of others: `core/chunked-ndarray`, as asdf-cxx and ASDF.jl write it.

use dudley::elements::Element;
use dudley::ndarray::{ArrayD, IxDyn, Slice};
use dudley_parser::layout::blocks::Areas;

mod assembled;

use crate::asdf::array::missing::{Elements, Missing};
use crate::asdf::array::{Array, bytes_of};
use crate::asdf::datatype::Datatype;
use crate::asdf::error::{Error, Result};
use crate::asdf::report::{Code, Finding};
use crate::asdf::tree::Node;
use crate::asdf::{ndarray, tag};
pub(crate) use assembled::assembled;

/// Elements that the whole may have for each of its chunks' elements, and anyway: where no chunk is,
/// elements are 0.
const SPARSE: u64 = 64;
const SMALL: u64 = 1 << 20;

/// The keys of such an array, and of a chunk.
pub(crate) const KEYS: [&str; 4] = ["shape", "datatype", "byteorder", "chunks"];
pub(crate) const KEYS_OF_CHUNK: [&str; 2] = ["start", "ndarray"];
pub(crate) const OF_WHOLE: &str = "an array in chunks";

/// An array in chunks, each of which may have its own type; [`Item::array`](crate::asdf::Item::array) gives those of one type as one array.
#[derive(Clone, Debug)]
pub struct Chunked {
    pub(crate) path: String,
    pub(crate) shape: Vec<u64>,
    pub(crate) chunks: Vec<Chunk>,
    /// The type that the tree says, if it does: in each byte order, which is for the chunks to say.
    pub(crate) stated: Vec<Datatype>,
    /// Where it stands in the tree.
    pub(crate) address: u64,
    /// Keys that mean nothing.
    pub(crate) unknown: Vec<Finding>,
}

/// One chunk.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// Its first index in each dimension of the whole.
    pub start: Vec<u64>,
    /// Its elements.
    pub array: Array,
}

/// Whether a node is an array in chunks.
pub(crate) fn is_chunked(node: Node<'_>) -> bool {
    tag::core(node) == Some("chunked-ndarray")
}

impl Chunked {
    /// Its path in the tree.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Elements in each dimension, slowest varying first.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// The chunks, in the order of the tree.
    pub fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    /// The type that all chunks have, and what it is to numpy; of none, that which the tree says.
    ///
    /// # Errors
    /// [`Error::Node`] if they have several.
    pub(crate) fn datatype(&self, node: Node<'_>) -> Result<(Datatype, Option<String>)> {
        let of = |chunk: &Chunk| {
            (chunk.array.datatype().clone(), chunk.array.numpy().map(str::to_owned))
        };
        let Some(first) = self.chunks.first().map(of) else {
            let datatype = ndarray::datatype(node, &self.path)?;
            let numpy = bytes_of(&datatype);
            return Ok((datatype, numpy));
        };
        match self.chunks.iter().find(|chunk| of(chunk) != first) {
            None => Ok(first),
            Some(other) => {
                let (datatype, numpy) = first;
                let datatype = numpy.unwrap_or_else(|| datatype.spell(&[]));
                let expected = format!("chunks of one type, {datatype}");
                Err(other.array.node()?.error(other.array.path(), expected))
            }
        }
    }

    /// All elements, in a new array; 0 where no chunk is.
    ///
    /// # Errors
    /// If reading a chunk fails; [`Error::Limit`] for a whole that is hardly there.
    pub fn read<T: Element>(&self) -> Result<ArrayD<T>> {
        self.check_held()?;
        let dims: Vec<usize> = self.shape.iter().map(|dim| *dim as usize).collect();
        self.together(&dims, &mut |array| array.read::<T>().map(Some))
    }

    /// Which elements of the whole have no value in their chunk, or which of their cells.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub(crate) fn missing(&self, elements: &Elements<'_>) -> Result<Missing> {
        self.check_held()?;
        let of = &mut |array: &Array| Ok(array.missing()?.map(|missing| missing.cells().clone()));
        let cells = self.together(&elements.dims()?, of)?;
        Ok(Missing::new(cells, elements.cells_of_struct().is_some()))
    }

    /// Looks whether there is enough of the whole that it may be held in memory.
    ///
    /// # Errors
    /// [`Error::Limit`].
    pub(crate) fn check_held(&self) -> Result<()> {
        let count = |shape: &[u64]| shape.iter().try_fold(1_u64, |n, dim| n.checked_mul(*dim));
        let there = self.chunks.iter().filter_map(|chunk| count(chunk.array.shape()));
        let there = there.fold(0_u64, u64::saturating_add);
        let most = there.saturating_mul(SPARSE).max(SMALL);
        if count(&self.shape).is_none_or(|whole| whole > most) {
            let limit = format!("{most} elements for chunks of {there}").into();
            return Err(Error::Limit { what: format!("`{}`", self.path).into(), limit });
        }
        Ok(())
    }

    /// What is had of the chunks, put together: the default where nothing is. Behind those of the array, dimensions are
    /// of its elements.
    fn together<T: Clone + Default>(
        &self,
        dims: &[usize],
        of: &mut dyn FnMut(&Array) -> Result<Option<ArrayD<T>>>,
    ) -> Result<ArrayD<T>> {
        let mut whole = ArrayD::from_elem(IxDyn(dims), T::default());
        for chunk in &self.chunks {
            let Some(elements) = of(&chunk.array)? else { continue };
            let mut part = whole.slice_each_axis_mut(|axis| {
                let start = chunk.start.get(axis.axis.index()).map_or(0, |start| *start as isize);
                Slice::from(start..start + elements.shape()[axis.axis.index()] as isize)
            });
            part.assign(&elements);
        }
        Ok(whole)
    }

    /// Oddities of its node in the tree: chunks overlap or are missing, or have another type than
    /// the whole, [`Code::Chunks`]; and [`Code::UnknownKey`].
    ///
    /// ```
    /// use asdf_bridge::asdf::Open;
    ///
    /// let chunk = |start| format!("!core/chunk-1.0.0 {{start: [{start}], ndarray: !core/ndarray-1.1.0 [1, 2]}}");
    /// let chunks = format!("{{shape: [7], chunks: [{}, {}]}}", chunk(0), chunk(1));
    /// let text = format!("#ASDF 1.0.0\n%TAG ! tag:stsci.edu:asdf/\n---\nx: !core/chunked-ndarray-1.0.0 {chunks}\n");
    /// let odd = Open::new().bytes(text)?.get("/x")?.chunked()?.odd();
    /// assert_eq!(odd.len(), 2);
    /// assert!(odd[0].reason.contains("overlap") && odd[1].reason.contains("found 4 at most"));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn odd(&self) -> Vec<Finding> {
        let mut odd = self.unknown.clone();
        let mut add = |reason: String| {
            let reason = format!("`{}`: {reason}", self.path);
            odd.push(Finding { code: Code::Chunks, address: self.address, block: None, reason });
        };
        if let Some((one, other)) = self.areas().and_then(|areas| areas.overlap()) {
            add(format!(
                "expected chunks that do not overlap, found those at {:?} and {:?}",
                self.chunks[one].start, self.chunks[other].start
            ));
        }
        let is_stated = |chunk: &Chunk| self.stated.contains(chunk.array.datatype());
        if let Some(stated) = self.stated.first()
            && let Some(other) = self.chunks.iter().find(|chunk| !is_stated(chunk))
        {
            let (stated, other) = (stated.spell(&[]), other.array.datatype().spell(&[]));
            add(format!("expected chunks of the type that is stated, {stated}, found {other}"));
        }
        let count =
            |shape: &[u64]| shape.iter().map(|dim| u128::from(*dim)).fold(1, u128::saturating_mul);
        let there = self.chunks.iter().map(|chunk| count(chunk.array.shape()));
        let (there, whole) = (there.fold(0, u128::saturating_add), count(&self.shape));
        if there < whole {
            add(format!(
                "expected chunks of all {whole} elements, found {there} at most: the others are 0"
            ));
        }
        odd
    }

    /// Where the chunks stand in the whole.
    pub(crate) fn areas(&self) -> Option<Areas> {
        let mut areas = Areas::new(&self.shape);
        let mut chunks = self.chunks.iter();
        let add = |chunk: &Chunk| areas.push(chunk.array.shape(), Some(&chunk.start)).is_ok();
        chunks.all(add).then_some(areas)
    }
}
