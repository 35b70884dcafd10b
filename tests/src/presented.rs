//! Random arrays that are not stored row by row (7.7 of the language), and where each of their elements is: worked out
//! with plain integers, as numpy has it.

use proptest::prelude::*;
use serde_json::{Value as Json, json};

/// A number: its type, and how many bytes it has; all are unsigned.
const NUMBERS: [(&str, u64, bool); 4] =
    [("u1", 1, false), (">u2", 2, true), ("<u2", 2, false), ("u4", 4, false)];

/// An array, as a layout writes it and as it is presented.
#[derive(Clone, Debug)]
pub struct Presented {
    /// Its type, shape and attributes, with a line end.
    pub text: String,
    /// Bytes that it takes.
    pub bytes: u64,
    /// Elements in each dimension.
    pub shape: Vec<u64>,
    /// Bytes from one index to the next.
    pub strides: Vec<i64>,
    /// Bytes from where it begins to the first element.
    pub first: i64,
    /// Bytes of an element.
    pub size: u64,
    /// Whether the first byte of an element is the greatest.
    pub big: bool,
    /// Elements in the one dimension that is stored, if it is a view of that.
    pub stored: Option<u64>,
}

fn count(shape: &[u64]) -> u64 {
    shape.iter().product()
}

/// Strides of elements of this many bytes.
fn packed(shape: &[u64], size: u64, columns: bool) -> Vec<i64> {
    let mut strides = vec![0; shape.len()];
    let mut step = size as i64;
    let axes: Vec<usize> =
        if columns { (0..shape.len()).collect() } else { (0..shape.len()).rev().collect() };
    for axis in axes {
        strides[axis] = step;
        step *= shape[axis] as i64;
    }
    strides
}

fn number() -> impl Strategy<Value = (&'static str, u64, bool)> {
    prop::sample::select(NUMBERS.to_vec())
}

fn dims(most: usize) -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(prop_oneof![8 => 1..4_u64, 1 => Just(0)], 0..=most)
}

/// Dimensions that are written fastest first, in front of those of a type or not.
fn columns() -> impl Strategy<Value = Presented> {
    (number(), dims(3), 0..3_usize).prop_map(|((name, size, big), shape, inner)| {
        let own = |size| packed(&shape, size, true);
        let written = |name: &str| {
            let dims: Vec<String> = shape.iter().map(u64::to_string).collect();
            let dims =
                if dims.is_empty() { String::new() } else { format!("[{}]", dims.join(", ")) };
            format!("{name}{dims}  #: order = \"F\"\n")
        };
        // Of the types, one has rows, and one columns: of 2 and 3 numbers of 2 bytes.
        let (name, size, big, inner) = match inner {
            0 => (name, size, big, None),
            at => (["rows", "columns"][at - 1], 2, true, Some(at == 2)),
        };
        let Some(is_columns) = inner else {
            let (bytes, strides) = (count(&shape) * size, own(size));
            let text = written(name);
            return Presented { text, bytes, shape, strides, first: 0, size, big, stored: None };
        };
        let each = [2, 3];
        Presented {
            text: written(name),
            bytes: count(&shape) * 12,
            strides: [own(12), packed(&each, 2, is_columns)].concat(),
            shape: [&shape[..], &each].concat(),
            first: 0,
            size,
            big,
            stored: None,
        }
    })
}

/// A view, which need not lie within its item.
fn view() -> impl Strategy<Value = Presented> {
    let axis = (prop_oneof![9 => 1..4_u64, 1 => Just(0)], -9..9_i64);
    (number(), 0..12_u64, prop::collection::vec(axis, 0..4), 0..30_i64, 0..3).prop_map(
        |((name, size, big), stored, axes, first, way)| {
            let shape: Vec<u64> = axes.iter().map(|axis| axis.0).collect();
            let mut strides: Vec<i64> = axes.iter().map(|axis| axis.1).collect();
            let mut said = format!("view_shape = {shape:?}, view_offset = {first}");
            if way == 0 {
                strides = packed(&shape, size, false);
            } else {
                said += &format!(", view_strides = {strides:?}");
            }
            // Where elements are none, it matters to nobody where they would be.
            let first = if shape.contains(&0) { 0 } else { first };
            let text = format!("{name}[{stored}]  #: {said}\n");
            Presented {
                text,
                bytes: stored * size,
                shape,
                strides,
                first,
                size,
                big,
                stored: Some(stored),
            }
        },
    )
}

/// An array that lies within its item.
pub fn array() -> impl Strategy<Value = Presented> {
    prop_oneof![2 => columns(), 2 => view().prop_filter("within", Presented::is_within)]
}

/// A view, whether it lies within its item or not.
pub fn any_view() -> impl Strategy<Value = Presented> {
    view()
}

/// What stands in front of items: numbers of one byte after the other, and the types of elements.
pub const HEAD: &str =
    "< %1\nrows {\"\" = >u2[2, 3]}\ncolumns {\"\" = >u2[2, 3]  #: order = \"F\"\n}\n";

/// A layout of arrays, each as an item, as a field of two structs and in two dicts of a list.
pub fn layout(arrays: &[Presented]) -> String {
    let mut text = HEAD.to_owned();
    for (at, array) in arrays.iter().enumerate() {
        let of = &array.text;
        text += &format!(
            "x{at} = {of}r{at} = {{ k = u1  m = {of}  }}[2]\nl{at} [/ k = u1  m = {of}]*2\n"
        );
    }
    text
}

/// Some arrays, and the bytes of a stream of their layout.
pub fn cases() -> impl Strategy<Value = (Vec<Presented>, Vec<u8>)> {
    let length = |arrays: &[Presented]| arrays.iter().map(|it| 5 * it.bytes + 4).sum::<u64>();
    prop::collection::vec(array(), 1..4).prop_flat_map(move |arrays| {
        let bytes = prop::collection::vec(any::<u8>(), length(&arrays) as usize);
        (Just(arrays), bytes)
    })
}

impl Presented {
    /// Whether all elements are within the bytes of the item.
    pub fn is_within(&self) -> bool {
        self.places()
            .iter()
            .all(|place| u64::try_from(*place).is_ok_and(|place| place + self.size <= self.bytes))
    }

    /// Where each element begins in the bytes of the item, row by row.
    pub fn places(&self) -> Vec<i64> {
        let mut places = vec![self.first];
        for (dim, stride) in self.shape.iter().zip(&self.strides) {
            let next = |place: &i64| -> Vec<i64> {
                (0..*dim as i64).map(|at| place + at * stride).collect()
            };
            places = places.iter().flat_map(next).collect();
        }
        places
    }

    /// The values, in lists of lists, of an item with these bytes.
    pub fn values(&self, bytes: &[u8]) -> Json {
        let number = |place: i64| {
            let at = place as usize;
            let bytes = bytes[at..at + self.size as usize].iter();
            let join = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
            if self.big { bytes.fold(0, join) } else { bytes.rev().fold(0, join) }
        };
        nested(
            &self.places().into_iter().map(|it| json!(number(it))).collect::<Vec<_>>(),
            &self.shape,
        )
    }

    /// Whether each of the elements that are stored is there once.
    pub fn is_whole(&self) -> bool {
        let mut places = self.places();
        places.sort_unstable();
        let stored = self.bytes / self.size;
        places.into_iter().eq((0..stored).map(|at| (at * self.size) as i64))
    }

    /// Whether nobody can tell of values of its shape whether they are those that are stored, or those that it shows.
    pub fn is_doubtful(&self) -> bool {
        self.stored.is_some_and(|stored| self.shape == [stored]) && !self.is_whole()
    }

    /// The values that are given to the code that writes those bytes.
    pub fn given(&self, bytes: &[u8]) -> Json {
        match self.stored {
            _ if self.is_whole() => self.values(bytes),
            None => self.values(bytes),
            Some(stored) => {
                let (shape, strides) = (vec![stored], vec![self.size as i64]);
                Presented { shape, strides, first: 0, ..self.clone() }.values(bytes)
            }
        }
    }
}

/// A flat list as lists of lists.
fn nested(values: &[Json], shape: &[u64]) -> Json {
    let Some((dim, inner)) = shape.split_first() else { return values[0].clone() };
    let each = count(inner) as usize;
    (0..*dim as usize).map(|at| nested(&values[at * each..(at + 1) * each], inner)).collect()
}
