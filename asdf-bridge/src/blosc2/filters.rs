//! The filters of a chunk, undone in the reverse of the order in which they were applied.

mod bytedelta;
mod delta;
mod forward;
pub(crate) mod lossy;
mod ndcell;
mod truncation;

pub use forward::Filter;
pub(crate) use forward::Forward;

use super::error::{Error, Part, Result};
use super::kernels::{Kernels, Path};
use crate::blosc2::context::Context;
use crate::blosc2::layouts::CHUNK;

/// A filter that is to be undone.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Shuffle {
        typesize: usize,
    },
    /// `whole`: an old encoder did nothing to blocks whose elements are no multiple of eight.
    BitShuffle {
        typesize: usize,
        whole: bool,
    },
    NdCell(ndcell::Cells),
    /// In place.
    Delta {
        width: usize,
    },
    /// In place. `resets`: the sum starts anew with the last elements, as an old encoder had it.
    ByteDelta {
        typesize: usize,
        resets: bool,
    },
}

impl Step {
    fn is_in_place(&self) -> bool {
        matches!(self, Step::Delta { .. } | Step::ByteDelta { .. })
    }
}

/// The filters of a chunk, the one to undo first in front.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pipeline {
    steps: Vec<Step>,
}

impl Pipeline {
    /// From the bytes of a header: filters in the order in which they were applied.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for filters that are not built in; [`Error::Damaged`] for what cannot
    /// be undone.
    pub(crate) fn new(
        filters: &[u8],
        metas: &[u8],
        typesize: usize,
        version: u8,
        context: &Context,
    ) -> Result<Pipeline> {
        let mut steps = Vec::new();
        for (at, (&filter, &meta)) in filters.iter().zip(metas).enumerate() {
            let given = |otherwise: usize| match meta {
                0 => otherwise,
                meta => usize::from(meta),
            };
            match filter {
                // Nothing, and filters that only lose precision when encoding.
                0 | 4 | 36 => {}
                1 => match given(typesize) {
                    1 => {}
                    typesize => steps.push(Step::Shuffle { typesize }),
                },
                2 => steps.push(Step::BitShuffle { typesize, whole: version <= 2 }),
                3 => steps.push(Step::Delta { width: delta::width(typesize) }),
                32 | 33 => steps.push(Step::NdCell(ndcell::Cells::new(meta, context)?)),
                34 | 35 => {
                    let typesize = given(context.typesize.unwrap_or(typesize));
                    steps.push(Step::ByteDelta { typesize, resets: filter == 34 });
                }
                id => {
                    let place = CHUNK.at("filters") + at as u64;
                    return Err(
                        Error::unsupported("filter", id, "").named_at(Part::ChunkHeader, place)
                    );
                }
            }
        }
        steps.reverse();
        Ok(Pipeline { steps })
    }

    /// Whether there is nothing to undo but in place.
    pub(crate) fn is_in_place(&self) -> bool {
        self.steps.iter().all(Step::is_in_place)
    }

    /// Whether there is nothing to undo but a shuffle of elements of this many bytes.
    pub(crate) fn is_shuffle_of(&self, size: usize) -> bool {
        matches!(self.steps[..], [Step::Shuffle { typesize }] if typesize == size)
    }

    /// Whether blocks refer to the first of their chunk.
    pub(crate) fn needs_first_block(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Delta { .. }))
    }

    /// Undoes all filters. What was decoded is in `buffers[0]`, or in `dst` if all is
    /// [in place](Self::is_in_place); the result is in `dst`. All are of the length of the block.
    /// `first` is the first block of the chunk, none for that itself; `past`: see [`Kernels`].
    ///
    /// # Errors
    /// [`Error::Damaged`] for a block of a length that the filter cannot have made.
    pub(crate) fn undo(
        &self,
        buffers: [&mut [u8]; 2],
        dst: &mut [u8],
        first: Option<&[u8]>,
        past: bool,
    ) -> Result<()> {
        let path = Path::best();
        let last_is_copy = self.steps.last().is_some_and(|step| !step.is_in_place());
        let [mut current, mut other] = buffers;
        let mut left = self.steps.iter().filter(|step| !step.is_in_place()).count();
        for step in &self.steps {
            let here: &mut [u8] = if left == 0 { dst } else { current };
            match step {
                Step::Delta { width } => {
                    delta::undo(here, first, *width);
                    continue;
                }
                Step::ByteDelta { typesize, resets } => {
                    bytedelta::undo(here, *typesize, *resets);
                    continue;
                }
                _ => {}
            }
            left -= 1;
            let (src, to): (&[u8], &mut [u8]) = match left {
                0 => (current, dst),
                _ => (current, other),
            };
            // What is worked on once more stays in the cache.
            let kernels = Kernels { path, past: past && left == 0 && last_is_copy };
            match step {
                Step::Shuffle { typesize } => kernels.unshuffle(src, to, *typesize),
                Step::BitShuffle { typesize, whole } => match whole {
                    true if src.len() / typesize % 8 != 0 => to.copy_from_slice(src),
                    _ => kernels.bitunshuffle(src, to, *typesize),
                },
                Step::NdCell(cells) => cells.undo(src, to)?,
                Step::Delta { .. } | Step::ByteDelta { .. } => {}
            }
            if left > 0 {
                std::mem::swap(&mut current, &mut other);
            }
        }
        Ok(())
    }
}

/// That a filter was given a block that it can have made.
fn wrong_length(expected: usize, found: usize) -> Error {
    let expected = format!("a block of {expected} bytes, as of the array");
    Error::damaged(Part::Filters, 0_u64, expected, format!("{found} bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pipeline(filters: &[u8], metas: &[u8]) -> Result<Pipeline> {
        Pipeline::new(filters, metas, 4, 5, &Context::default())
    }

    #[test]
    fn filters_are_undone_from_the_last_to_the_first() {
        let all = pipeline(&[3, 4, 1, 35, 2, 0], &[0; 6]).expect("all are known");
        assert_eq!(
            all.steps,
            [
                Step::BitShuffle { typesize: 4, whole: false },
                Step::ByteDelta { typesize: 4, resets: false },
                Step::Shuffle { typesize: 4 },
                Step::Delta { width: 4 },
            ]
        );
        assert!(all.needs_first_block() && !all.is_in_place());
        assert!(pipeline(&[3, 36], &[0, 0]).expect("both are known").is_in_place());
    }

    #[test]
    fn what_cannot_be_undone_is_refused_by_name() {
        let unknown = pipeline(&[0, 200], &[0, 0]).expect_err("a filter of a user");
        assert_eq!(
            unknown.to_string(),
            "header of the chunk at address 17: filter 200 is not supported"
        );
        // Cells without an array.
        assert!(pipeline(&[32], &[4]).is_err());
    }

    #[test]
    fn a_pipeline_ends_in_the_destination_whatever_its_length() {
        let src: Vec<u8> = (0..64).collect();
        for count in 0..=6 {
            // Shuffling 64 bytes as 8 elements of 8 twice gives them back.
            let pipeline =
                Pipeline::new(&vec![1; count], &vec![8; count], 4, 5, &Context::default());
            let pipeline = pipeline.expect("known");
            let (mut a, mut b, mut dst) = (src.clone(), vec![0; 64], src.clone());
            pipeline.undo([&mut a, &mut b], &mut dst, None, false).expect("undone");
            let mut once = vec![0; 64];
            Kernels { path: Path::Portable, past: false }.unshuffle(&src, &mut once, 8);
            assert_eq!(dst, if count % 2 == 0 { &src[..] } else { &once[..] }, "{count}");
        }
    }
}
