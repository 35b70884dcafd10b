//! Arrays that are changed in place: slices set, dimensions made longer or shorter.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use dudley::ByteOrder;
use dudley::append::Storage;
use dudley::elements::Element;
use dudley::read::slice::{Index, Picked, parse_slice, resolve};

use super::grid::{Axis, Run, counts, product, ravel};
use super::pack::Cut;
use super::scatter::{self, Dim};
use crate::blosc2::encoding::refused;
use crate::blosc2::error::{Error, Part, Result};
use crate::blosc2::frame::FrameEditor;
use crate::blosc2::frame::b2nd::encoded;
use crate::blosc2::memory;

/// An array that is changed in place.
///
/// No reader sees a change before [`Self::commit`]. Without a commit, the array stays as it was.
///
/// ```
/// use asdf_bridge::blosc2::{ArrayEditor, Frame, NewArray};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("rho.b2nd");
/// let mut writer = NewArray::of::<i32>(&[4, 6])?.file(&path, false)?;
/// writer.write_elements(&[7; 24])?;
/// writer.finish()?;
///
/// let mut editor = ArrayEditor::open(&path)?;
/// editor.set("1:3, ::2", &[1, 2, 3, 4, 5, 6])?;
/// editor.append(0, &[9; 12])?;
/// editor.commit()?;
/// let rho = Frame::open(&path)?.array()?.expect("an array");
/// assert_eq!(rho.shape(), [6, 6]);
/// assert_eq!(rho.slice::<i32>("2")?.as_slice(), Some(&[4, 7, 5, 7, 6, 7][..]));
/// assert_eq!(rho.slice::<i32>("5, 0")?.sum(), 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ArrayEditor {
    frame: FrameEditor,
    shape: Vec<u64>,
    cut: Cut,
    dtype: String,
    order: ByteOrder,
    /// The name of its metalayer.
    meta: &'static str,
}

impl ArrayEditor {
    /// Opens the array in a file, or in the folder of a sparse frame.
    ///
    /// # Errors
    /// As [`FrameEditor::open`]; [`Error::NoMetalayer`] for a frame without an array.
    pub fn open(path: impl AsRef<Path>) -> Result<ArrayEditor> {
        ArrayEditor::of_frame(FrameEditor::open(path)?)
    }

    /// Opens a storage; `name` is for messages.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn of_storage(storage: Arc<dyn Storage>, name: &str) -> Result<ArrayEditor> {
        ArrayEditor::of_frame(FrameEditor::of_storage(storage, name)?)
    }

    fn of_frame(frame: FrameEditor) -> Result<ArrayEditor> {
        let none = || Error::NoMetalayer { part: Part::Metalayer, name: "b2nd".into() };
        let array = frame.frame().array()?.ok_or_else(none)?;
        let of_today =
            array.meta.dtype.is_some() && frame.frame().meta_names().any(|it| it == "b2nd");
        if !of_today {
            return Err(refused("an array without a dtype is read, and not changed"));
        }
        let size = frame.frame().typesize();
        let cut = Cut { chunks: array.chunks().to_vec(), blocks: array.blocks().to_vec(), size };
        let order = array.element.primitive().map_or(ByteOrder::Little, |(_, order)| order);
        Ok(ArrayEditor {
            shape: array.shape().to_vec(),
            dtype: array.dtype().to_owned(),
            cut,
            order,
            meta: "b2nd",
            frame,
        })
    }

    /// Its shape now, in elements.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// The frame it is in, to change metalayers and how chunks are compressed.
    pub fn frame(&mut self) -> &mut FrameEditor {
        &mut self.frame
    }

    /// Sets what a slice such as `10:20, ::2, -1` picks to elements, row-major.
    ///
    /// # Errors
    /// [`Error::WrongType`] for elements of another size; else as [`Self::set_bytes`].
    pub fn set<T: Element>(&mut self, slice: &str, elements: &[T]) -> Result<()> {
        let indices = parse_slice(slice);
        let indices = indices.map_err(|why| refused(&format!("bad slice: {why}")))?;
        let bytes = self.bytes_of(elements)?;
        self.set_bytes(&indices, &bytes)
    }

    fn bytes_of<T: Element>(&self, elements: &[T]) -> Result<Vec<u8>> {
        if T::SIZE != self.cut.size {
            let found = self.dtype.as_str().into();
            return Err(Error::WrongType { expected: T::NAME.into(), found });
        }
        let mut bytes = memory::zeros((T::SIZE * elements.len()) as u64)?;
        T::encode_slice(elements, self.order, &mut bytes).map_err(Error::engine(Part::Array))?;
        Ok(bytes)
    }

    /// Sets what indices pick to bytes of elements, row-major.
    ///
    /// # Errors
    /// [`Error::Range`] for a slice that does not fit, or another number of bytes; what is wrong with a
    /// chunk of which a part is set.
    pub fn set_bytes(&mut self, indices: &[Index], bytes: &[u8]) -> Result<()> {
        let picked = resolve(indices, &self.shape).map_err(|error| refused(&error.to_string()))?;
        let count: u64 = picked.iter().map(|picked| picked.count).product();
        let len = count.saturating_mul(self.cut.size as u64);
        if bytes.len() as u64 != len {
            return Err(refused(&format!("expected {len} bytes, found {}", bytes.len())));
        }
        if count == 0 {
            return Ok(());
        }
        let axes = picked.iter().zip(self.cut.chunks.iter().zip(&self.cut.blocks));
        let axes: Vec<Side> =
            axes.map(|(picked, (chunk, block))| Side::new(picked, *chunk, *block)).collect();
        let chunks: Vec<Vec<Range<usize>>> = axes.iter().map(Side::chunks).collect();
        let all: Vec<Range<usize>> = chunks.iter().map(|of| 0..of.len()).collect();
        product(&all, |at| {
            let runs: Vec<Range<usize>> =
                at.iter().zip(&chunks).map(|(at, of)| of[*at].clone()).collect();
            self.set_chunk(&axes, &runs, bytes)
        })
    }

    /// Sets the part of a chunk that these runs are.
    fn set_chunk(&mut self, axes: &[Side], runs: &[Range<usize>], bytes: &[u8]) -> Result<()> {
        let grid = counts(&self.shape, &self.cut.chunks);
        let index = axes.iter().zip(runs).map(|(side, runs)| side.axis.runs[runs.start].chunk);
        let index: Vec<u64> = index.collect();
        let number = ravel(index.iter().copied(), &grid);
        let there = self.extents(&index);
        let whole = axes.iter().zip(runs).zip(&there).all(|((side, runs), there)| {
            side.axis.runs[runs.clone()].iter().map(|run| run.count).sum::<u64>() == *there
        });
        let mut chunk = if whole {
            // Not decoded: all of it is set.
            memory::zeros(self.frame.chunksize())?
        } else {
            self.frame.read(number)?
        };
        let (block_grid, size) = (self.cut.block_grid(), self.cut.size);
        let block_bytes = chunk.len() / block_grid.iter().product::<u64>().max(1) as usize;
        product(runs, |at| {
            let runs: Vec<Run> =
                axes.iter().zip(at).map(|(side, at)| side.axis.runs[*at]).collect();
            let block = ravel(runs.iter().map(|run| run.block), &block_grid);
            let mut to = block as usize * block_bytes;
            let (mut first, mut from_stride, mut to_stride) = (0, size, size);
            let mut dims = Vec::with_capacity(runs.len());
            for (run, side) in runs.iter().zip(axes).rev() {
                let at = if side.reversed { side.axis.count - 1 - run.to } else { run.to };
                let from = from_stride as isize * if side.reversed { -1 } else { 1 };
                dims.push(Dim {
                    count: run.count as usize,
                    from,
                    to: to_stride * side.axis.step as usize,
                });
                first += at as usize * from_stride;
                to += run.within as usize * to_stride;
                from_stride *= side.axis.count as usize;
                to_stride *= side.axis.block as usize;
            }
            dims.reverse();
            scatter::copy(bytes, first, &mut chunk, to, &dims, size);
            Ok(())
        })?;
        self.frame.update(number, &chunk)
    }

    /// How many elements of a chunk are in the array, along each dimension.
    fn extents(&self, index: &[u64]) -> Vec<u64> {
        let dims = self.shape.iter().zip(&self.cut.chunks).zip(index);
        dims.map(|((dim, chunk), at)| (*chunk).min(dim.saturating_sub(at * chunk))).collect()
    }

    /// Makes dimensions longer or shorter, at their ends; new elements are zeros.
    ///
    /// # Errors
    /// [`Error::Range`] for a shape that cannot be; what is wrong with a chunk at the end of a dimension
    /// that grows.
    pub fn resize(&mut self, shape: &[u64]) -> Result<()> {
        let size = self.cut.size as u64;
        let total = shape.iter().try_fold(size, |total, dim| total.checked_mul(*dim));
        if shape.len() != self.shape.len() || total.is_none() {
            return Err(refused(&format!("an array of {:?} to be of {shape:?}", self.shape)));
        }
        let chunks = self.cut.chunks.clone();
        let wrong = || refused(&format!("chunks of {chunks:?} for {shape:?}"));
        if self.cut.chunks.contains(&0) {
            return Err(wrong());
        }
        self.clear_ends(shape)?;
        let (old, new) = (counts(&self.shape, &self.cut.chunks), counts(shape, &self.cut.chunks));
        let count = new.iter().try_fold(1_u64, |count, dim| count.checked_mul(*dim));
        let count = count.filter(|count| *count <= (1 << 31) / 8).ok_or_else(wrong)?;
        let nbytes = count.checked_mul(self.frame.chunksize()).ok_or_else(wrong)?;
        let mut order = Vec::new();
        let ranges: Vec<Range<usize>> = new.iter().map(|count| 0..*count as usize).collect();
        product(&ranges, |at| {
            let inside = at.iter().zip(&old).all(|(at, dim)| (*at as u64) < *dim);
            let number = ravel(at.iter().map(|at| *at as u64), &old);
            order.push(inside.then_some(number));
            Ok(())
        })?;
        let meta = encoded(shape, &self.cut.chunks, &self.cut.blocks, &self.dtype)?;
        self.frame.set_meta(self.meta, &meta)?;
        self.frame.reorder(&order, nbytes)?;
        self.shape = shape.to_vec();
        Ok(())
    }

    /// What lies behind the end of a dimension was never seen, and may be anything: where the dimension
    /// grows, it is made zeros.
    fn clear_ends(&mut self, shape: &[u64]) -> Result<()> {
        let grid = counts(&self.shape, &self.cut.chunks);
        let ranges: Vec<Range<usize>> = grid.iter().map(|count| 0..*count as usize).collect();
        let grows: Vec<bool> = shape.iter().zip(&self.shape).map(|(new, old)| new > old).collect();
        product(&ranges, |at| {
            let index: Vec<u64> = at.iter().map(|at| *at as u64).collect();
            let there = self.extents(&index);
            let cut_off = there.iter().zip(&self.cut.chunks).zip(&grows);
            if !cut_off.clone().any(|((there, chunk), grows)| *grows && there < chunk) {
                return Ok(());
            }
            let number = ravel(index.iter().copied(), &grid);
            let chunk = self.frame.read(number)?;
            let mut clean = memory::zeros(chunk.len() as u64)?;
            self.cut.copy_valid(&chunk, &there, &mut clean)?;
            if clean == chunk { Ok(()) } else { self.frame.update(number, &clean) }
        })
    }

    /// Makes a dimension longer by elements, row-major in the shape that the array has along the others.
    ///
    /// # Errors
    /// [`Error::Range`] for no such dimension, or elements that do not come to whole indices of it; else
    /// as [`Self::set`] and [`Self::resize`].
    pub fn append<T: Element>(&mut self, axis: usize, elements: &[T]) -> Result<()> {
        let others = self.shape.iter().enumerate().filter(|(at, _)| *at != axis);
        let each: u64 = others.map(|(_, dim)| *dim).product();
        let count = elements.len() as u64;
        if axis >= self.shape.len() || each == 0 || !count.is_multiple_of(each) {
            let why = format!("{count} elements along dimension {axis} of {:?}", self.shape);
            return Err(refused(&why));
        }
        let bytes = self.bytes_of(elements)?;
        let mut shape = self.shape.clone();
        let start = shape[axis];
        shape[axis] += count / each;
        self.resize(&shape)?;
        let start = i64::try_from(start).map_err(|_| refused("an array of more than 64 bits"))?;
        let all = Index::Range { start: None, stop: None, step: 1 };
        let mut indices = vec![all; shape.len()];
        indices[axis] = Index::Range { start: Some(start), stop: None, step: 1 };
        self.set_bytes(&indices, &bytes)
    }

    /// Makes all changes seen, durably and at once. More may follow.
    ///
    /// # Errors
    /// As [`FrameEditor::commit`].
    pub fn commit(&mut self) -> Result<()> {
        self.frame.commit()
    }
}

/// What is set along one dimension: indices that go up, and whether what they are set to goes down.
struct Side {
    axis: Axis,
    reversed: bool,
}

impl Side {
    fn new(picked: &Picked, chunk: u64, block: u64) -> Side {
        let reversed = picked.step < 0;
        let step = picked.step.unsigned_abs();
        let start = if reversed {
            picked.start - picked.count.saturating_sub(1) * step
        } else {
            picked.start
        };
        let up = Picked { start, step: step as i64, ..*picked };
        Side { axis: Axis::new(&up, chunk, block), reversed }
    }

    /// Runs of one chunk after the other.
    fn chunks(&self) -> Vec<Range<usize>> {
        self.axis.chunks(0..self.axis.runs.len())
    }
}

#[cfg(test)]
mod tests {
    use dudley::ndarray::{ArrayD, Slice};

    use super::*;
    use crate::blosc2::{Codec, Encoding, Frame, NewArray};

    fn array(path: &Path) -> ArrayD<i32> {
        let array = Frame::open(path).expect("a frame").array().expect("right").expect("an array");
        array.read::<i32>().expect("decoded")
    }

    #[test]
    fn slices_set_are_those_of_ndarray() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.b2nd");
        for sparse in [false, true] {
            let _ = (std::fs::remove_file(&path), std::fs::remove_dir_all(&path));
            let new = NewArray::of::<i32>(&[13, 9, 7]).expect("known");
            let new = new.chunks(&[5, 4, 7]).blocks(&[2, 3, 4]);
            let new = new.encoding(Encoding::new(4).codec(Codec::Lz4));
            let writer = if sparse { new.folder(&path) } else { new.file(&path, false) };
            let mut writer = writer.expect("begun");
            let values: Vec<i32> = (0..819).collect();
            writer.write_elements(&values).expect("written");
            writer.finish().expect("complete");
            let mut wanted = ArrayD::from_shape_vec(vec![13, 9, 7], values).expect("it fits");
            let mut editor = ArrayEditor::open(&path).expect("its own");
            let slices: [(&str, [Slice; 3]); 5] = [
                ("...", [(..).into(), (..).into(), (..).into()]),
                ("3:11, 2:5", [(3..11).into(), (2..5).into(), (..).into()]),
                (
                    "::-2, 1::3, ::-1",
                    [Slice::new(0, None, -2), Slice::new(1, None, 3), Slice::new(0, None, -1)],
                ),
                ("12:, :, 6:", [(12..).into(), (..).into(), (6..).into()]),
                ("5:5", [(5..5).into(), (..).into(), (..).into()]),
            ];
            for (number, (text, slices)) in slices.into_iter().enumerate() {
                let mut view = wanted.slice_each_axis_mut(|axis| slices[axis.axis.index()]);
                let elements: Vec<i32> =
                    (0..view.len() as i32).map(|i| i * 7 - number as i32 * 1000).collect();
                for (to, from) in view.iter_mut().zip(&elements) {
                    *to = *from;
                }
                editor.set(text, &elements).expect(text);
                let seen = number == 1 && array(&path) == wanted;
                assert!(!seen, "seen before it is committed");
                editor.commit().expect("committed");
                assert_eq!(array(&path), wanted, "{text}");
            }
            assert!(editor.set("20", &[1]).is_err());
            assert!(editor.set(":2", &[1]).is_err());
            assert!(editor.set("0, 0, 0", &[1_i64]).is_err());
        }
    }

    #[test]
    fn dimensions_grow_and_shrink() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.b2nd");
        let new = NewArray::of::<i32>(&[5, 6]).expect("known").chunks(&[4, 4]).blocks(&[3, 2]);
        let mut writer = new.file(&path, false).expect("begun");
        writer.write_elements(&[7; 30]).expect("written");
        writer.finish().expect("complete");
        let mut editor = ArrayEditor::open(&path).expect("its own");
        editor.resize(&[3, 9]).expect("resized");
        editor.append(1, &[1, 2, 3]).expect("appended");
        // What was cut off does not come back.
        editor.resize(&[6, 10]).expect("resized");
        editor.commit().expect("committed");
        let found = array(&path);
        for ((i, j), value) in
            found.into_dimensionality::<dudley::ndarray::Ix2>().expect("two").indexed_iter()
        {
            let wanted = match (i, j) {
                (0..3, 0..6) => 7,
                (0..3, 9) => i as i32 + 1,
                _ => 0,
            };
            assert_eq!(*value, wanted, "{i} {j}");
        }
        assert!(editor.resize(&[6]).is_err());
        assert!(editor.append(2, &[1]).is_err());
        assert!(editor.append(0, &[1]).is_err());
    }
}
