//! The first bytes of a PDB file: the format of numbers, the places of the chart and of the table of symbols.

use std::sync::Arc;

use dudley::bytes::Source;
use dudley::{ByteOrder, Result};

use super::{BETWEEN, LINE_ENDS};
use crate::cursor::{Cursor, malformed};
use crate::headers;

/// The storage of integers of a type.
#[derive(Clone, Copy)]
pub(super) struct Integer {
    pub(super) size: u8,
    pub(super) order: ByteOrder,
}

/// The storage of floats of a type: the places of the bytes, from the most significant one on, and the parts of a number
/// in bits, with the bias of the exponent.
#[derive(Clone)]
pub(super) struct Float {
    pub(super) places: Vec<u64>,
    pub(super) parts: [u64; 8],
}

/// The facts in the first bytes.
pub(super) struct Header {
    /// Bytes of a pointer.
    pub(super) pointer: u8,
    /// `short`, `int`, `long`.
    pub(super) integers: [Integer; 3],
    /// `float`, `double`.
    pub(super) floats: [Float; 2],
    /// The addresses of the chart of types and of the table of symbols.
    pub(super) chart: u64,
    pub(super) symbols: u64,
}

impl Header {
    pub(super) fn read(source: &Arc<dyn Source>) -> Result<Header> {
        let mut cursor = Cursor::new(source, ByteOrder::Little, 0);
        cursor.line_of(LINE_ENDS, "its first line")?;
        let (at, what) = (cursor.at(), "the formats of numbers");
        let count = u64::from(cursor.take(1, what)?[0]);
        let bytes = cursor.take(count.saturating_sub(1), what)?.to_vec();
        let too_few =
            || malformed(at, format!("{count} bytes are too few for the formats of numbers"));
        let (sizes, rest) = bytes.split_first_chunk::<6>().ok_or_else(too_few)?;
        let (orders, rest) = rest.split_first_chunk::<3>().ok_or_else(too_few)?;
        let [pointer, short, int, long, float, double] = *sizes;
        let (places, rest) =
            rest.split_at_checked((float as usize) + double as usize).ok_or_else(too_few)?;
        let (parts, _) = rest.split_first_chunk::<14>().ok_or_else(too_few)?;
        // Behind the count and the six sizes.
        let integer = |size: u8, number: usize| -> Result<Integer> {
            let order = byte_order(orders[number], at + 7 + number as u64)?;
            Ok(Integer { size, order })
        };
        let integers = [integer(short, 0)?, integer(int, 1)?, integer(long, 2)?];
        let at = cursor.at();
        let biases = numbers(&cursor.line_of(LINE_ENDS, "the biases of exponents")?);
        let [float_bias, double_bias, ..] = biases.unwrap_or_default()[..] else {
            return Err(malformed(at, "the biases of exponents are no two numbers"));
        };
        let float_of = |places: &[u8], parts: &[u8], bias: u64| {
            let mut all = [bias; 8];
            all.iter_mut().zip(parts).for_each(|(to, part)| *to = u64::from(*part));
            Float { places: places.iter().map(|place| u64::from(*place)).collect(), parts: all }
        };
        let (float_places, double_places) = places.split_at(float as usize);
        let at = cursor.at();
        let places = numbers(&cursor.line_of(LINE_ENDS, "the places of types and symbols")?);
        let [chart, symbols, ..] = places.unwrap_or_default()[..] else {
            return Err(malformed(at, "where types and symbols are is not said by two numbers"));
        };
        if chart.max(symbols) >= source.len() {
            let what = format!(
                "types and symbols are said to be at {chart} and {symbols}, behind the end of the file"
            );
            return Err(malformed(at, what));
        }
        Ok(Header {
            pointer,
            integers,
            floats: [
                float_of(float_places, &parts[..7], float_bias),
                float_of(double_places, &parts[7..], double_bias),
            ],
            chart,
            symbols,
        })
    }

    /// The byte order of most numbers.
    pub(super) fn order(&self) -> ByteOrder {
        self.integers[1].order
    }
}

impl Float {
    /// The size and byte order of a float, if it is a float of IEEE 754.
    pub(super) fn ieee(&self) -> Option<(u64, ByteOrder)> {
        let size = self.places.len() as u64;
        let known = [
            (2, [16, 5, 10, 0, 1, 6, 0, 15]),
            (4, [32, 8, 23, 0, 1, 9, 0, 127]),
            (8, [64, 11, 52, 0, 1, 12, 0, 1023]),
        ];
        let is = known.iter().any(|(of, parts)| *of == size && *parts == self.parts);
        let order = if self.places.iter().copied().eq(1..=size) {
            ByteOrder::Big
        } else if self.places.iter().copied().eq((1..=size).rev()) {
            ByteOrder::Little
        } else {
            return None;
        };
        is.then_some((size, order))
    }
}

/// The byte order in a byte at an address.
///
/// # Errors
/// If the byte means no order.
pub(super) fn byte_order(byte: u8, at: u64) -> Result<ByteOrder> {
    match byte {
        1 => Ok(ByteOrder::Big),
        2 => Ok(ByteOrder::Little),
        _ => {
            Err(malformed(at, format!("{byte} is no byte order: 1 is big-endian, 2 little-endian")))
        }
    }
}

/// The numbers of a line, from 0 on; `None` if the line has other words.
pub(super) fn numbers(line: &[u8]) -> Option<Vec<u64>> {
    let line = headers::text(line);
    let words = line.split(BETWEEN).map(str::trim).filter(|word| !word.is_empty());
    words.map(|word| u64::try_from(word.parse::<i64>().ok()?).ok()).collect()
}
