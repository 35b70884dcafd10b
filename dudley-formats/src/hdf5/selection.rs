//! Selections of elements of an array, which virtual arrays store: regular ones, and lists of blocks.

use std::fmt::Write;

use dudley::Result;

use super::file::Block;

/// The most rows of a selection that is a list of blocks.
const MOST: u64 = 1 << 20;

/// The number of selected indices of a dimension without an end.
const ENDLESS: u64 = u64::MAX;

/// A selection as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stored {
    None,
    All,
    /// Blocks at equal distances in each dimension.
    Regular(Vec<Dim>),
    /// The first and the last indices of each block.
    Blocks(Vec<(Vec<u64>, Vec<u64>)>),
}

/// The selected indices of a dimension: `len` of them, in blocks of `block`, which begin `stride` apart.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Dim {
    start: u64,
    stride: u64,
    block: u64,
    len: u64,
}

/// Selected elements of an array of a shape. They are numbered in row-major order, as all elements of the array are.
#[derive(Debug)]
pub(super) struct Selection {
    pub(super) count: u64,
    /// The number of the first element of the array that is selected, and the number behind the last one.
    pub(super) bounds: (u64, u64),
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Grid(Grid),
    Runs(Vec<Run>),
}

/// Elements side by side.
#[derive(Clone, Copy, Debug)]
struct Run {
    from: u64,
    len: u64,
    /// The number of selected elements before it.
    before: u64,
}

/// A regular selection. All elements of the dimensions behind the last one here are selected.
#[derive(Debug)]
struct Grid {
    dims: Vec<Dim>,
    /// Elements of the array, and selected ones, for each index of a dimension.
    sizes: Vec<(u64, u64)>,
}

impl Dim {
    fn all(len: u64) -> Dim {
        Dim { start: 0, stride: 1, block: 1, len }
    }

    /// The index that is selected as this one of all.
    fn at(&self, number: u64) -> u64 {
        self.start + number / self.block * self.stride + number % self.block
    }

    /// The number of selected indices before one.
    fn before(&self, index: u64) -> u64 {
        let from = index.saturating_sub(self.start);
        let number = from / self.stride * self.block + (from % self.stride).min(self.block);
        number.min(self.len)
    }

    /// How many selected indices are side by side from one of them on.
    fn together(&self, number: u64) -> u64 {
        let left = self.len - number;
        if self.stride == self.block { left } else { left.min(self.block - number % self.block) }
    }

    /// The index behind the last one that is selected; `None` if no array has that many.
    fn end(&self) -> Option<u64> {
        let Some(last) = self.len.checked_sub(1) else { return Some(0) };
        let begin = (last / self.block).checked_mul(self.stride)?.checked_add(self.start)?;
        begin.checked_add(last % self.block + 1)
    }
}

impl Stored {
    /// Reads a selection.
    ///
    /// # Errors
    /// If it is malformed, or of a kind that no virtual array has.
    pub(super) fn read(block: &mut Block<'_>) -> Result<Stored> {
        let kind = block.u4()?;
        match kind {
            0 | 3 => {
                block.u4()?;
                block.skip(8)?;
                Ok(if kind == 0 { Stored::None } else { Stored::All })
            }
            2 => hyperslab(block),
            1 => Err(block.wrong("a selection of points")),
            kind => Err(block.wrong(format!("a selection of kind {kind}"))),
        }
    }

    /// The selection in an array of a shape.
    ///
    /// # Errors
    /// Why it does not fit.
    pub(super) fn within(&self, shape: &[u64]) -> std::result::Result<Selection, String> {
        let rank = |own: usize| {
            let why = || format!("a selection of {own} dimensions of an array of {}", shape.len());
            if own == shape.len() { Ok(()) } else { Err(why()) }
        };
        let outside = || format!("a selection beyond an array of {shape:?} elements");
        let nothing = Selection { count: 0, bounds: (0, 0), kind: Kind::Runs(Vec::new()) };
        let all: Vec<Dim>;
        let dims = match self {
            Stored::None => return Ok(nothing),
            Stored::Blocks(blocks) => {
                blocks.first().map_or(Ok(()), |block| rank(block.0.len()))?;
                return Selection::of_runs(runs(blocks, shape)?);
            }
            Stored::All => {
                all = shape.iter().map(|len| Dim::all(*len)).collect();
                &all
            }
            Stored::Regular(dims) => {
                rank(dims.len())?;
                dims
            }
        };
        if dims.iter().any(|dim| dim.len == 0) {
            return Ok(nothing);
        }
        if !dims.iter().zip(shape).all(|(dim, len)| dim.end().is_some_and(|end| end <= *len)) {
            return Err(outside());
        }
        let whole = [Dim::all(1)];
        let (dims, shape) =
            if dims.is_empty() { (&whole[..], &[1][..]) } else { (&dims[..], shape) };
        let inner = dims.iter().zip(shape).skip(1).rev();
        let inner = inner.take_while(|(dim, len)| dim.len == **len).count();
        let mut sizes = Vec::new();
        let (mut size, mut selected) = (1_u64, 1_u64);
        for (dim, len) in dims.iter().zip(shape).rev() {
            sizes.push((size, selected));
            size = size.checked_mul(*len).ok_or_else(outside)?;
            selected = selected.saturating_mul(dim.len);
        }
        sizes.reverse();
        let end = |at: u64| {
            dims.iter().zip(&sizes).map(move |(dim, (size, _))| dim.at(at * (dim.len - 1)) * size)
        };
        let bounds = (end(0).sum(), end(1).sum::<u64>() + 1);
        let kept = dims.len() - inner;
        sizes.truncate(kept);
        let grid = Grid { dims: dims[..kept].to_vec(), sizes };
        Ok(Selection { count: selected, bounds, kind: Kind::Grid(grid) })
    }

    /// The dimension in which it has no end.
    pub(super) fn endless(&self) -> Option<usize> {
        match self {
            Stored::Regular(dims) => dims.iter().position(|dim| dim.len == ENDLESS),
            _ => None,
        }
    }

    /// The number of selected indices below one of a dimension.
    pub(super) fn below(&self, axis: usize, index: u64) -> u64 {
        match self {
            Stored::Regular(dims) => dims.get(axis).map_or(0, |dim| dim.before(index)),
            _ => 0,
        }
    }

    /// The selection with the selected indices of a range of a dimension, by their numbers.
    pub(super) fn with(&self, axis: usize, from: u64, len: u64) -> Option<Stored> {
        let Stored::Regular(dims) = self else { return None };
        let mut dims = dims.clone();
        let dim = dims.get_mut(axis)?;
        if from > 0 {
            // From the beginning of a block on.
            let skipped = (from / dim.block).checked_mul(dim.stride)?;
            dim.start = dim.start.checked_add(skipped)?;
        }
        dim.len = len;
        Some(Stored::Regular(dims))
    }

    /// The number of indices of a block of a dimension.
    pub(super) fn block(&self, axis: usize) -> u64 {
        match self {
            Stored::Regular(dims) => dims.get(axis).map_or(0, |dim| dim.block),
            _ => 0,
        }
    }

    /// The index behind the last one of a dimension; 0 if no index is selected, or all are.
    pub(super) fn end(&self, axis: usize) -> u64 {
        match self {
            Stored::Regular(dims) => dims.get(axis).and_then(Dim::end).unwrap_or(0),
            Stored::Blocks(blocks) => {
                let ends = blocks.iter().filter_map(|(_, last)| last.get(axis));
                ends.max().map_or(0, |last| last.saturating_add(1))
            }
            Stored::None | Stored::All => 0,
        }
    }

    /// The selection as a slice.
    pub(super) fn words(&self) -> String {
        let mut text = String::from("[");
        match self {
            Stored::None => {}
            Stored::All => text.push_str("..."),
            Stored::Blocks(blocks) if let [(first, last)] = &blocks[..] => {
                let ranges = first
                    .iter()
                    .zip(last)
                    .map(|(first, last)| format!("{first}:{}", last.saturating_add(1)));
                text += &ranges.collect::<Vec<_>>().join(", ");
            }
            Stored::Blocks(blocks) => {
                let _ = write!(text, "{} blocks", blocks.len());
            }
            Stored::Regular(dims) => {
                for (at, dim) in dims.iter().enumerate() {
                    text.push_str(if at > 0 { ", " } else { "" });
                    let Dim { start, stride, block, len } = dim;
                    let end = dim.end().filter(|_| *len != ENDLESS);
                    let end = end.map(|end| end.to_string()).unwrap_or_default();
                    let _ = match (len, block) {
                        (1, _) => write!(text, "{start}"),
                        _ if stride == block => write!(text, "{start}:{end}"),
                        (_, 1) => write!(text, "{start}:{end}:{stride}"),
                        _ => write!(text, "{start}:{end}, {block} of {stride}"),
                    };
                }
            }
        }
        text.push(']');
        text
    }
}

fn hyperslab(block: &mut Block<'_>) -> Result<Stored> {
    let version = block.u4()?;
    let (regular, width) = match version {
        1 => {
            block.skip(8)?;
            (false, 4)
        }
        2 => {
            let flags = block.u1()?;
            block.skip(4)?;
            (flags & 1 != 0, 8)
        }
        3 => (block.u1()? & 1 != 0, usize::from(block.u1()?)),
        version => return Err(block.wrong(format!("version {version} of a selection"))),
    };
    let rank = block.u4()?;
    if !(1..=32).contains(&rank) || !matches!(width, 2 | 4 | 8) {
        return Err(block.wrong(format!("{rank} dimensions, in numbers of {width} bytes")));
    }
    let endless = u64::MAX >> (64 - 8 * width);
    if regular {
        let mut dims: Vec<Dim> = Vec::new();
        for _ in 0..rank {
            let (start, stride) = (block.uint(width)?, block.uint(width)?);
            let (count, length) = (block.uint(width)?, block.uint(width)?);
            let is_endless = count == endless || length == endless;
            if is_endless && dims.iter().any(|dim| dim.len == ENDLESS) {
                return Err(block.wrong("a selection without an end in two dimensions"));
            }
            dims.push(match (count, length) {
                (0, _) | (_, 0) => Dim { start, stride: 1, block: 1, len: 0 },
                // A single block, or one without an end.
                (1, len) => {
                    Dim { start, len: if is_endless { ENDLESS } else { len }, ..Dim::all(0) }
                }
                _ if stride < length => {
                    return Err(block.wrong("a selection of blocks that overlap"));
                }
                _ if is_endless => Dim { start, stride, block: length, len: ENDLESS },
                _ => {
                    let len = count.checked_mul(length).filter(|len| *len != ENDLESS);
                    let len = len.ok_or_else(|| block.wrong("a selection of too many elements"))?;
                    Dim { start, stride, block: length, len }
                }
            });
        }
        return Ok(Stored::Regular(dims));
    }
    let count = block.uint(width)?;
    let mut blocks = Vec::new();
    for _ in 0..count {
        let corner = |block: &mut Block<'_>| {
            (0..rank).map(|_| block.uint(width)).collect::<Result<Vec<u64>>>()
        };
        blocks.push((corner(block)?, corner(block)?));
    }
    Ok(Stored::Blocks(blocks))
}

/// The elements of blocks that are side by side, in order.
fn runs(blocks: &[(Vec<u64>, Vec<u64>)], shape: &[u64]) -> std::result::Result<Vec<Run>, String> {
    let mut runs: Vec<Run> = Vec::new();
    let mut sizes = vec![1_u64; shape.len()];
    for axis in (1..shape.len()).rev() {
        sizes[axis - 1] = sizes[axis].saturating_mul(shape[axis]);
    }
    for (first, last) in blocks {
        let fits = |axis: usize| first[axis] <= last[axis] && last[axis] < shape[axis];
        if !(0..shape.len()).all(fits) {
            return Err(format!("a selection beyond an array of {shape:?} elements"));
        }
        let is_whole = |axis: &usize| first[*axis] == 0 && last[*axis] == shape[*axis] - 1;
        let inner = (1..shape.len()).rev().take_while(is_whole).count();
        let axis = shape.len() - 1 - inner;
        let outer: Vec<u64> = (0..axis).map(|axis| last[axis] - first[axis] + 1).collect();
        let rows = outer.iter().fold(1_u64, |rows, len| rows.saturating_mul(*len));
        if rows.saturating_add(runs.len() as u64) > MOST {
            return Err(format!("a selection of more than {MOST} rows"));
        }
        let len = (last[axis] - first[axis] + 1) * sizes[axis];
        for row in 0..rows {
            let (mut rest, mut from) = (row, first[axis] * sizes[axis]);
            for axis in (0..axis).rev() {
                from += (first[axis] + rest % outer[axis]) * sizes[axis];
                rest /= outer[axis];
            }
            runs.push(Run { from, len, before: 0 });
        }
    }
    runs.sort_unstable_by_key(|run| run.from);
    Ok(runs)
}

impl Selection {
    fn of_runs(runs: Vec<Run>) -> std::result::Result<Selection, String> {
        let mut joined: Vec<Run> = Vec::new();
        let mut count = 0;
        for run in runs {
            match joined.last_mut() {
                Some(last) if last.from + last.len > run.from => {
                    return Err("a selection with blocks that overlap".to_owned());
                }
                Some(last) if last.from + last.len == run.from => last.len += run.len,
                _ => joined.push(Run { before: count, ..run }),
            }
            count += run.len;
        }
        let end = joined.last().map_or(0, |run| run.from + run.len);
        let bounds = (joined.first().map_or(0, |run| run.from), end);
        Ok(Selection { count, bounds, kind: Kind::Runs(joined) })
    }

    /// Passes on the selected elements of a range of the array: the first element of each run, the number of elements,
    /// and the number of selected elements before it.
    pub(super) fn each(&self, range: (u64, u64), found: &mut dyn FnMut(u64, u64, u64)) {
        match &self.kind {
            Kind::Grid(grid) => grid.each(0, (0, 0), range, found),
            Kind::Runs(runs) => {
                let first = runs.partition_point(|run| run.from + run.len <= range.0);
                for run in runs[first..].iter().take_while(|run| run.from < range.1) {
                    let from = run.from.max(range.0);
                    let end = (run.from + run.len).min(range.1);
                    found(from, end - from, run.before + from - run.from);
                }
            }
        }
    }

    /// Passes on the elements of the array that are selected as the `count` ones from a number on: the first element of
    /// each run, and the number of elements.
    pub(super) fn places(&self, number: u64, count: u64, found: &mut dyn FnMut(u64, u64)) {
        let (mut number, mut left) = (number, count);
        while left > 0 {
            let (from, most) = match &self.kind {
                Kind::Grid(grid) => grid.place(number),
                Kind::Runs(runs) => {
                    let at = runs.partition_point(|run| run.before <= number);
                    let Some(run) = at.checked_sub(1).map(|at| runs[at]) else { return };
                    (run.from + number - run.before, (run.before + run.len).saturating_sub(number))
                }
            };
            let here = most.min(left);
            if here == 0 {
                return;
            }
            found(from, here);
            number += here;
            left -= here;
        }
    }
}

impl Grid {
    /// The elements in a range from a dimension on; `from` is the first element of the outer indices, with the number of
    /// selected elements before it.
    fn each(
        &self,
        axis: usize,
        from: (u64, u64),
        range: (u64, u64),
        found: &mut dyn FnMut(u64, u64, u64),
    ) {
        let (dim, (size, selected)) = (&self.dims[axis], self.sizes[axis]);
        let low = dim.before(range.0.saturating_sub(from.0) / size);
        let high = dim.before(range.1.saturating_sub(from.0).div_ceil(size));
        let mut number = low;
        while number < high {
            let at = (from.0 + dim.at(number) * size, from.1 + number * selected);
            if axis + 1 < self.dims.len() {
                self.each(axis + 1, at, range, found);
                number += 1;
                continue;
            }
            let count = dim.together(number).min(high - number);
            let (begin, end) = (at.0.max(range.0), (at.0 + count * size).min(range.1));
            if begin < end {
                found(begin, end - begin, at.1 + begin - at.0);
            }
            number += count;
        }
    }

    /// The element that is selected as this one of all, and how many are side by side from there on.
    fn place(&self, number: u64) -> (u64, u64) {
        let (mut rest, mut from) = (number, 0);
        let last = self.dims.len() - 1;
        for (dim, (size, selected)) in self.dims.iter().zip(&self.sizes).take(last) {
            from += dim.at(rest / selected) * size;
            rest %= selected;
        }
        let (dim, (size, _)) = (&self.dims[last], self.sizes[last]);
        let (index, within) = (rest / size, rest % size);
        if index >= dim.len {
            return (from, 0);
        }
        (from + dim.at(index) * size + within, dim.together(index) * size - within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the elements that a selection has, in order.
    fn naive(stored: &Stored, shape: &[u64]) -> Vec<u64> {
        let count: u64 = shape.iter().product();
        let is_in = |number: &u64| {
            let mut rest = *number;
            let mut indices = vec![0; shape.len()];
            for (index, len) in indices.iter_mut().zip(shape).rev() {
                (*index, rest) = (rest % len, rest / len);
            }
            match stored {
                Stored::None => false,
                Stored::All => true,
                Stored::Regular(dims) => dims.iter().zip(&indices).all(|(dim, index)| {
                    (0..dim.len).any(|at| {
                        let begin = dim.start + at / dim.block * dim.stride;
                        begin + at % dim.block == *index
                    })
                }),
                Stored::Blocks(blocks) => blocks.iter().any(|(first, last)| {
                    let ends = first.iter().zip(last);
                    ends.zip(&indices)
                        .all(|((first, last), index)| (*first..=*last).contains(index))
                }),
            }
        };
        (0..count).filter(is_in).collect()
    }

    fn check(stored: &Stored, shape: &[u64]) {
        let expected = naive(stored, shape);
        let selection = stored.within(shape).unwrap_or_else(|why| panic!("{stored:?} {why}"));
        let all = shape.iter().product();
        assert_eq!(selection.count, expected.len() as u64, "{stored:?} {shape:?}");
        if let (Some(first), Some(last)) = (expected.first(), expected.last()) {
            assert_eq!(selection.bounds, (*first, last + 1), "{stored:?} {shape:?}");
        }
        for range in [(0, all), (all / 3, all / 2), (all / 2, all / 2 + 1), (1, all)] {
            let mut found = Vec::new();
            selection.each(range, &mut |from, len, before| {
                found.extend((0..len).map(|at| (from + at, before + at)));
            });
            let numbered = expected.iter().enumerate().map(|(at, number)| (*number, at as u64));
            let within = numbered.filter(|(number, _)| (range.0..range.1).contains(number));
            assert_eq!(found, within.collect::<Vec<_>>(), "{stored:?} {shape:?} {range:?}");
        }
        let count = selection.count;
        for (from, len) in [(0, count), (count / 3, count / 2), (count.saturating_sub(1), 1)] {
            let len = len.min(count - from);
            let mut found = Vec::new();
            selection.places(from, len, &mut |at, len| found.extend(at..at + len));
            assert_eq!(found, expected[from as usize..(from + len) as usize], "{stored:?}");
        }
    }

    #[test]
    fn selections_have_the_elements_that_they_say() {
        let mut state = 3_u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (state >> 33) % below
        };
        for _ in 0..2000 {
            let shape: Vec<u64> = (0..1 + random(3)).map(|_| 1 + random(7)).collect();
            check(&Stored::All, &shape);
            let dims = shape.iter().map(|len| {
                let block = 1 + random(*len);
                let stride = block + random(3);
                let most = 1 + (len - block) / stride;
                let count = 1 + random(most);
                let start = random(len - block - (count - 1) * stride + 1);
                // The last block may be cut.
                Dim { start, stride, block, len: count * block - random(block) }
            });
            check(&Stored::Regular(dims.collect()), &shape);
            let mut blocks = Vec::new();
            for _ in 0..random(4) {
                let first: Vec<u64> = shape.iter().map(|len| random(*len)).collect();
                let ends = first.iter().zip(&shape);
                let last = ends.map(|(first, len)| first + random(len - first)).collect();
                blocks.push((first, last));
            }
            let blocks = Stored::Blocks(blocks);
            if blocks.within(&shape).is_ok() {
                check(&blocks, &shape);
            }
        }
        check(&Stored::All, &[]);
    }

    #[test]
    fn selections_that_do_not_fit_are_refused() {
        let dim = |start, stride, len, block| Dim { start, stride, block, len };
        let refused = |dim: Dim| Stored::Regular(vec![dim]).within(&[10]).is_err();
        assert!(refused(dim(0, 5, 3, 1)));
        assert!(refused(dim(9, 2, 2, 2)));
        assert!(refused(dim(u64::MAX, 1, 1, 1)));
        assert!(refused(dim(0, u64::MAX, 3, 1)));
        assert!(refused(dim(0, 1, u64::MAX - 1, 1)));
        assert!(refused(dim(0, 1, ENDLESS, 1)));
        assert!(!refused(dim(0, 1, 0, 1)) && !refused(dim(0, 1, 10, 1)));
        assert!(Stored::Regular(vec![dim(0, 1, 1, 1); 2]).within(&[10]).is_err());
        let blocks = |blocks: &[(u64, u64)]| {
            Stored::Blocks(blocks.iter().map(|(a, b)| (vec![*a], vec![*b])).collect()).within(&[10])
        };
        assert!(blocks(&[(0, 10)]).is_err() && blocks(&[(3, 2)]).is_err());
        assert!(blocks(&[(0, 3), (3, 4)]).is_err_and(|why| why.contains("overlap")));
        // Each row of a block is kept.
        let tall = Stored::Blocks(vec![(vec![0, 0], vec![1 << 40, 0])]);
        assert!(tall.within(&[1 << 41, 2]).is_err_and(|why| why.contains("rows")));
    }
}
