//! What each byte of a stretch is: which element of which row it belongs to.

use std::ops::Range;

use dudley::read::Record;
use dudley::{Data, Dtype, Layout};
use dudley_parser::layout::path::push_name;

/// Pieces of a stretch at most.
const MOST: usize = 4096;

/// Elements that are looked at to find them: those of a list may overlap.
const VISITS: u32 = 1 << 18;

/// Bytes that are one element, or one string.
#[derive(Debug, PartialEq)]
pub(crate) struct Piece {
    pub(crate) start: u64,
    pub(crate) bytes: u64,
    /// The row.
    pub(crate) row: usize,
    /// Where in the row: indices, and fields with theirs.
    pub(crate) steps: Vec<Step>,
}

/// One step into an array.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    Index(u64),
    Field(String),
}

/// Finds the pieces of a stretch.
pub(crate) struct Finder<'l> {
    layout: &'l Layout,
    stretch: Range<u64>,
    row: usize,
    steps: Vec<Step>,
    visits: u32,
    pub(crate) found: Vec<Piece>,
}

impl<'l> Finder<'l> {
    pub(crate) fn new(layout: &'l Layout, stretch: Range<u64>) -> Finder<'l> {
        Finder { layout, stretch, row: 0, steps: Vec::new(), visits: VISITS, found: Vec::new() }
    }

    /// The pieces of an array that are in the stretch.
    pub(crate) fn array(&mut self, row: usize, data: &Data) {
        self.row = row;
        if data.filter().is_some() || matches!(data.dtype(), Dtype::Variable(_)) {
            return self.push(data.begin(), data.bytes());
        }
        // What a view shows several times, or not at all, has the index that it has without.
        let data = &data.unviewed();
        let strides: Option<Vec<u64>> =
            data.strides().iter().map(|stride| u64::try_from(*stride).ok()).collect();
        if let Some(strides) = strides {
            self.dims(data.dtype(), data.shape(), &strides, data.address());
        }
    }

    fn push(&mut self, start: u64, bytes: u64) {
        let there = start < self.stretch.end && start.saturating_add(bytes) > self.stretch.start;
        if there && bytes > 0 && self.found.len() < MOST {
            let (row, steps) = (self.row, self.steps.clone());
            self.found.push(Piece { start, bytes, row, steps });
        }
    }

    fn dims(&mut self, dtype: &Dtype, shape: &[u64], strides: &[u64], address: u64) {
        let text = dtype.primitive().is_some_and(|(primitive, _)| primitive.is_text());
        match (shape, strides) {
            ([], _) | (_, []) => self.element(dtype, address),
            // The units of a string are one piece.
            ([length], _) if text => {
                self.push(address, length.saturating_mul(dtype.size().unwrap_or(1)));
            }
            ([length, shape @ ..], [stride, strides @ ..]) => {
                let extent = extent(dtype, shape, strides);
                if *stride == 0 || extent == 0 {
                    return;
                }
                // The first that ends behind the start of the stretch.
                let before = self.stretch.start.saturating_sub(address).saturating_sub(extent - 1);
                for index in before.div_ceil(*stride)..*length {
                    let at = index.saturating_mul(*stride).saturating_add(address);
                    if at >= self.stretch.end || self.found.len() >= MOST || self.visits == 0 {
                        return;
                    }
                    self.visits -= 1;
                    self.steps.push(Step::Index(index));
                    self.dims(dtype, shape, strides, at);
                    self.steps.pop();
                }
            }
        }
    }

    fn element(&mut self, dtype: &Dtype, address: u64) {
        match dtype {
            Dtype::Primitive(primitive, _) => self.push(address, primitive.size()),
            Dtype::Record(record) => self.record(record, address),
            Dtype::Variable(_) => {}
        }
    }

    fn record(&mut self, record: &Record, address: u64) {
        for field in record.fields.iter().filter(|field| !field.is_fixed(self.layout)) {
            let at = address.saturating_add(field.offset);
            self.steps.push(Step::Field(field.name.clone()));
            match field.filter {
                Some(_) => self.push(at, field.bytes),
                None => {
                    let (shape, strides) = field.stored_dims();
                    self.dims(&field.dtype, &shape, &strides, at);
                }
            }
            self.steps.pop();
        }
    }
}

/// Bytes from the first element of an array to the end of its last.
fn extent(dtype: &Dtype, shape: &[u64], strides: &[u64]) -> u64 {
    if shape.contains(&0) {
        return 0;
    }
    let reached = shape.iter().zip(strides).fold(0_u64, |reached, (dim, stride)| {
        reached.saturating_add((dim - 1).saturating_mul(*stride))
    });
    reached.saturating_add(dtype.size().unwrap_or(0))
}

/// The path of a piece: the indices of lists where `[:]` stands for them, the others behind.
pub(crate) fn path(row: &str, steps: &[Step]) -> String {
    let mut steps = steps.iter().peekable();
    let mut path = String::new();
    let (mut rest, mut quoted) = (row, false);
    while let Some(c) = rest.chars().next() {
        if !quoted && rest.starts_with("[:]") && matches!(steps.peek(), Some(Step::Index(_))) {
            if let Some(Step::Index(index)) = steps.next() {
                path += &format!("/{index}");
            }
            rest = &rest[3..];
            continue;
        }
        let escape = quoted && c == '\\';
        quoted ^= c == '"';
        let length = c.len_utf8()
            + if escape { rest[1..].chars().next().map_or(0, char::len_utf8) } else { 0 };
        path += &rest[..length];
        rest = &rest[length..];
    }
    let mut open = false;
    for step in steps {
        match step {
            Step::Index(index) => {
                path += if open { ", " } else { "[" };
                path += &index.to_string();
                open = true;
            }
            Step::Field(name) => {
                path += if std::mem::take(&mut open) { "]." } else { "." };
                push_name(&mut path, name);
            }
        }
    }
    if open { path + "]" } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_its_indices_where_they_belong() {
        let steps = [Step::Index(7), Step::Index(2), Step::Field("a b".into()), Step::Index(1)];
        assert_eq!(path("/l[:]/x", &steps), "/l/7/x[2].\"a b\"[1]");
        assert_eq!(path("/\"[:]\"/x", &steps[..2]), "/\"[:]\"/x[7, 2]");
        assert_eq!(path("/x", &[]), "/x");
    }
}
