//! Lists that are one array in blocks (spec 7.5): what attributes say of them, and where in the array blocks stand.

use super::presented::Misfit;
use super::{DocKey, Layout, ListId};
use crate::comments::{AttrValue, Attribute};
use crate::span::Span;

/// The attribute that makes a list one array.
pub const WHOLE: &str = "whole";
/// Where a block begins that does not stand on the grid.
pub const START: &str = "start";
/// The value of elements that are in no block.
pub const FILL: &str = "fill";
/// The same as the bytes of an element.
pub const FILL_BYTES: &str = "fill_bytes";

/// The shape of the chunks that an item asks to be stored in.
pub const CHUNKS: &str = "chunks";

/// The attributes of a list that is one array in blocks.
///
/// ```
/// let layout = dudley_parser::check(b"l [f8[2], f8[2]]  #: whole = [3], fill = -1").layout.unwrap();
/// let (id, _) = layout.lists().next().unwrap();
/// let whole = layout.whole(id).unwrap().unwrap();
/// assert_eq!((whole.shape, whole.fill.is_some()), (vec![3], true));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Whole<'l> {
    /// Elements in each dimension.
    pub shape: Vec<u64>,
    /// The value of elements that are in no block, as a value or as bytes; the default is zero.
    pub fill: Option<&'l Attribute>,
    /// The place of the shape in the text.
    pub span: Span,
}

impl Layout {
    /// Whether a list is presented as one array.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"l [f8[2], f8[2]]  #: whole = [3]").layout.unwrap();
    /// let (id, _) = layout.lists().next().unwrap();
    /// assert!(layout.is_whole(id));
    /// ```
    pub fn is_whole(&self, list: ListId) -> bool {
        let said = self.attribute(DocKey::of(self[list].span), WHOLE);
        said.is_some_and(|said| matches!(said.value, AttrValue::Ints(_)))
    }

    /// The attributes of a list that is one array in blocks; `None` for other lists.
    ///
    /// ```
    /// let text = "l [f8[2], f8[2]]  #: whole = [3], fill = -1";
    /// let layout = dudley_parser::check(text.as_bytes()).layout.unwrap();
    /// let (id, _) = layout.lists().next().unwrap();
    /// assert_eq!(layout.whole(id).unwrap().unwrap().shape, [3]);
    /// ```
    ///
    /// # Errors
    /// If `whole` is no list of integers from 0 on.
    pub fn whole(&self, list: ListId) -> Result<Option<Whole<'_>>, Misfit> {
        let key = DocKey::of(self[list].span);
        let Some(said) = self.attribute(key, WHOLE) else { return Ok(None) };
        let shape = numbers(said, "it has the elements in each dimension: `whole = [100, 150]`")?;
        let fill = self.attribute(key, FILL_BYTES).or_else(|| self.attribute(key, FILL));
        Ok(Some(Whole { shape, fill, span: said.span }))
    }

    /// Where an item of such a list begins in the whole, if it says so.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"l [f8[2]  #: start = [4]\n]  #: whole = [8]").layout.unwrap();
    /// let (_, block) = layout.arrays().next().unwrap();
    /// assert_eq!(layout.start(block.span).unwrap().unwrap().0, [4]);
    /// ```
    ///
    /// # Errors
    /// If `start` is no list of integers from 0 on.
    pub fn start(&self, item: Span) -> Result<Option<(Vec<u64>, Span)>, Misfit> {
        let Some(said) = self.attribute(DocKey::of(item), START) else { return Ok(None) };
        let help = "it has an index for each dimension: `start = [0, 64]`";
        Ok(Some((numbers(said, help)?, said.span)))
    }

    /// The shape of the chunks that an item asks to be stored in, if it does.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = f8[100]  #: chunks = [10]").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// assert_eq!(layout.chunks(x.span).unwrap().unwrap().0, [10]);
    /// ```
    ///
    /// # Errors
    /// If `chunks` is no list of integers from 0 on.
    pub fn chunks(&self, item: Span) -> Result<Option<(Vec<u64>, Span)>, Misfit> {
        let Some(said) = self.attribute(DocKey::of(item), CHUNKS) else { return Ok(None) };
        let help = "it has the elements of a chunk in each dimension: `chunks = [64, 64]`";
        Ok(Some((numbers(said, help)?, said.span)))
    }
}

fn numbers(said: &Attribute, help: &'static str) -> Result<Vec<u64>, Misfit> {
    let from_zero = |values: &Vec<i64>| values.iter().map(|it| u64::try_from(*it).ok()).collect();
    let found = match &said.value {
        AttrValue::Ints(values) => from_zero(values),
        _ => None,
    };
    found.ok_or_else(|| {
        let why = format!("`{}` is a list of integers from 0 on", said.name);
        Misfit { span: said.span, why, help }
    })
}

/// Where a cell of the grid over an array begins, by its number in row-major order.
///
/// ```
/// use dudley_parser::layout::blocks::cell_start;
///
/// assert_eq!(cell_start(&[100, 150], &[64, 100], 3)?, [64, 100]);
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// If there are fewer cells, as a sentence.
pub fn cell_start(whole: &[u64], cell: &[u64], number: u64) -> Result<Vec<u64>, String> {
    let mut start = vec![0; cell.len()];
    let mut rest = number;
    for (at, (dim, cell)) in whole.iter().zip(cell).enumerate().rev() {
        let cells = dim.div_ceil(*cell).max(1);
        start[at] = (rest % cells) * cell;
        rest /= cells;
    }
    if rest == 0 {
        return Ok(start);
    }
    let cells = whole.iter().zip(cell).map(|(dim, cell)| dim.div_ceil(*cell));
    let cells = cells.fold(1, u64::saturating_mul);
    Err(format!("blocks of {cell:?} fill `{WHOLE} = {whole:?}` with {cells} blocks"))
}

/// Blocks and where in an array they stand: the one rule for all who ask.
///
/// ```
/// use dudley_parser::layout::blocks::Areas;
///
/// let mut areas = Areas::new(&[100, 150]);
/// areas.push(&[64, 100], None)?;
/// areas.push(&[64, 50], None)?;
/// areas.push(&[0, 100], None)?;
/// areas.push(&[36, 50], None)?;
/// assert_eq!((areas.start(1), areas.shape(1)), (&[0, 100][..], &[64, 50][..]));
/// assert_eq!((areas.start(3), areas.is_missing(2)), (&[64, 100][..], true));
/// assert!(areas.push(&[64, 100], None).unwrap_err().contains("4 blocks"));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug)]
pub struct Areas {
    whole: Vec<u64>,
    /// The shape of the cells of the grid, once there is a block that has elements.
    cell: Option<Vec<u64>>,
    /// Of each block its start and its shape.
    numbers: Vec<u64>,
    count: usize,
    /// Each block begins where a cell does, and is not larger.
    on_grid: bool,
}

impl Areas {
    /// None yet, of an array of a shape.
    ///
    /// ```
    /// use dudley_parser::layout::blocks::Areas;
    ///
    /// assert!(Areas::new(&[100, 150]).is_empty());
    /// ```
    pub fn new(whole: &[u64]) -> Areas {
        Areas { whole: whole.to_vec(), cell: None, numbers: Vec::new(), count: 0, on_grid: true }
    }

    /// Adds the next block, which stands on the grid unless it says where it begins. One without elements is missing.
    ///
    /// ```
    /// use dudley_parser::layout::blocks::Areas;
    ///
    /// let mut areas = Areas::new(&[100, 150]);
    /// areas.push(&[64, 100], None)?;
    /// areas.push(&[64, 50], Some(&[0, 100]))?;
    /// assert!(areas.push(&[10], None).is_err()); // another rank
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    /// Why it cannot be a block, as a sentence.
    pub fn push(&mut self, shape: &[u64], start: Option<&[u64]>) -> Result<(), String> {
        let rank = self.whole.len();
        if shape.len() != rank {
            return Err(format!(
                "a block has as many dimensions as `{WHOLE}`, {rank}, and this has {}",
                shape.len()
            ));
        }
        if let Some(start) = start.filter(|start| start.len() != rank) {
            let given = start.len();
            return Err(format!(
                "`{START}` has an index for each of {rank} dimensions, and not {given}"
            ));
        }
        let missing = shape.contains(&0);
        if !missing && self.cell.is_none() {
            self.cell = Some(shape.to_vec());
        }
        let begin = match (start, missing) {
            (_, true) => vec![0; rank],
            (Some(start), false) => start.to_vec(),
            (None, false) => {
                let cell = self.cell.as_deref().unwrap_or_default();
                cell_start(&self.whole, cell, self.count as u64)?
            }
        };
        let inside = begin.iter().zip(&self.whole).all(|(begin, dim)| begin < dim);
        if !missing && !inside {
            return Err(format!("it begins at {begin:?}, outside of `{WHOLE} = {:?}`", self.whole));
        }
        if let (Some(cell), false) = (&self.cell, missing) {
            let fits =
                |((begin, shape), cell): ((&u64, &u64), &u64)| begin % cell == 0 && shape <= cell;
            self.on_grid &= begin.iter().zip(shape).zip(cell).all(fits);
        }
        self.numbers.extend(begin);
        let shape = shape.iter().map(|dim| if missing { 0 } else { *dim });
        self.numbers.extend(shape);
        self.count += 1;
        Ok(())
    }

    /// The shape of the array.
    ///
    /// ```
    /// use dudley_parser::layout::blocks::Areas;
    ///
    /// assert_eq!(Areas::new(&[100, 150]).whole(), [100, 150]);
    /// ```
    pub fn whole(&self) -> &[u64] {
        &self.whole
    }

    /// The shape of the first block that has elements.
    ///
    /// ```
    /// use dudley_parser::layout::blocks::Areas;
    ///
    /// let mut areas = Areas::new(&[100, 150]);
    /// assert_eq!(areas.cell(), None);
    /// areas.push(&[64, 100], None)?;
    /// assert_eq!(areas.cell(), Some(&[64, 100][..]));
    /// # Ok::<(), String>(())
    /// ```
    pub fn cell(&self) -> Option<&[u64]> {
        self.cell.as_deref()
    }

    /// How many blocks there are, missing ones among them.
    ///
    /// ```
    /// use dudley_parser::layout::blocks::Areas;
    ///
    /// let mut areas = Areas::new(&[100, 150]);
    /// areas.push(&[64, 100], None)?;
    /// areas.push(&[0, 0], None)?; // a missing block
    /// assert_eq!(areas.len(), 2);
    /// # Ok::<(), String>(())
    /// ```
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether it is empty.
    ///
    /// ```
    /// use dudley_parser::layout::blocks::Areas;
    ///
    /// let mut areas = Areas::new(&[100, 150]);
    /// areas.push(&[64, 100], None)?;
    /// assert!(!areas.is_empty());
    /// # Ok::<(), String>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether each block begins where a cell of the grid does, and is not larger.
    ///
    /// ```
    /// use dudley_parser::layout::blocks::Areas;
    ///
    /// let mut areas = Areas::new(&[100, 150]);
    /// areas.push(&[64, 100], None)?;
    /// assert!(areas.is_on_grid());
    /// areas.push(&[10, 10], Some(&[70, 0]))?;
    /// assert!(!areas.is_on_grid());
    /// # Ok::<(), String>(())
    /// ```
    pub fn is_on_grid(&self) -> bool {
        self.on_grid
    }

    fn block(&self, at: usize) -> &[u64] {
        let size = 2 * self.whole.len();
        &self.numbers[at * size..(at + 1) * size]
    }

    /// Where a block begins.
    ///
    /// ```
    /// use dudley_parser::layout::blocks::Areas;
    ///
    /// let mut areas = Areas::new(&[100, 150]);
    /// areas.push(&[64, 100], None)?;
    /// areas.push(&[64, 50], None)?;
    /// assert_eq!(areas.start(1), [0, 100]);
    /// # Ok::<(), String>(())
    /// ```
    pub fn start(&self, at: usize) -> &[u64] {
        &self.block(at)[..self.whole.len()]
    }

    /// The shape of a block, with what hangs over the edges of the array.
    ///
    /// ```
    /// use dudley_parser::layout::blocks::Areas;
    ///
    /// let mut areas = Areas::new(&[100, 150]);
    /// areas.push(&[64, 100], None)?;
    /// assert_eq!(areas.shape(0), [64, 100]);
    /// # Ok::<(), String>(())
    /// ```
    pub fn shape(&self, at: usize) -> &[u64] {
        &self.block(at)[self.whole.len()..]
    }

    /// Whether a block has no elements.
    ///
    /// ```
    /// use dudley_parser::layout::blocks::Areas;
    ///
    /// let mut areas = Areas::new(&[100, 150]);
    /// areas.push(&[0, 0], None)?;
    /// assert!(areas.is_missing(0));
    /// # Ok::<(), String>(())
    /// ```
    pub fn is_missing(&self, at: usize) -> bool {
        self.shape(at).contains(&0)
    }

    /// Where a block begins and ends in one dimension.
    fn range(&self, at: usize, axis: usize) -> (u64, u64) {
        let start = self.start(at)[axis];
        (start, start.saturating_add(self.shape(at)[axis]))
    }

    /// Two blocks that have elements in common, the earlier one first.
    ///
    /// ```
    /// use dudley_parser::layout::blocks::Areas;
    ///
    /// let mut areas = Areas::new(&[100, 150]);
    /// areas.push(&[64, 100], None)?;
    /// areas.push(&[10, 10], Some(&[60, 0]))?;
    /// assert_eq!(areas.overlap(), Some((0, 1)));
    /// # Ok::<(), String>(())
    /// ```
    pub fn overlap(&self) -> Option<(usize, usize)> {
        let mut order: Vec<usize> = (0..self.count).filter(|at| !self.is_missing(*at)).collect();
        let pair = |one: usize, other: usize| (one.min(other), one.max(other));
        if self.on_grid {
            // In order on a grid no two are in one cell, unless they say where they begin.
            order.sort_by(|one, other| self.start(*one).cmp(self.start(*other)));
            let mut beside = order.windows(2);
            let twice = beside.find(|two| self.start(two[0]) == self.start(two[1]));
            return twice.map(|two| pair(two[0], two[1]));
        }
        // Along the dimension in which they begin at the most places, few are beside each other.
        let places = |axis: &usize| {
            let mut starts: Vec<u64> = order.iter().map(|at| self.start(*at)[*axis]).collect();
            starts.sort_unstable();
            starts.dedup();
            starts.len()
        };
        let axis = (0..self.whole.len()).max_by_key(places)?;
        order.sort_by_key(|at| self.range(*at, axis));
        let mut beside: Vec<usize> = Vec::new();
        for at in order {
            beside.retain(|other| self.range(*other, axis).1 > self.range(at, axis).0);
            let meets = |other: &&usize| {
                (0..self.whole.len()).all(|axis| {
                    let (one, other) = (self.range(at, axis), self.range(**other, axis));
                    one.0 < other.1 && other.0 < one.1
                })
            };
            if let Some(other) = beside.iter().find(meets) {
                return Some(pair(*other, at));
            }
            beside.push(at);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlaps_are_those_of_each_pair() {
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (state >> 33) % below
        };
        let mut found = [0; 2];
        for _ in 0..2000 {
            let mut areas = Areas::new(&[12, 12]);
            for _ in 0..2 + random(3) {
                let (start, shape) = ([random(12), random(12)], [random(6), 1 + random(5)]);
                areas.push(&shape, Some(&start)).expect("within");
            }
            let meet = |one: usize, other: usize| {
                (0..2).all(|axis| {
                    let (a, b) = (areas.range(one, axis), areas.range(other, axis));
                    a.0.max(b.0) < a.1.min(b.1)
                })
            };
            let any = (0..areas.len()).any(|one| (0..one).any(|other| meet(one, other)));
            let overlap = areas.overlap();
            assert_eq!(overlap.is_some(), any, "{areas:?}");
            assert!(overlap.is_none_or(|(one, other)| one < other && meet(one, other)));
            found[usize::from(any)] += 1;
        }
        assert!(found[0] > 100 && found[1] > 100, "{found:?}");
    }
}
