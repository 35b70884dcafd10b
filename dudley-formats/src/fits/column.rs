//! The columns of a table: their types and their offsets in a row.

use dudley::Result;

use super::hdu::Hdu;
use super::header::Header;
use super::said::columns;

/// A column.
#[derive(Debug)]
pub(super) struct Column {
    /// Its number, from 1.
    pub(super) number: u64,
    /// Bytes from the start of a row.
    pub(super) offset: u64,
    /// Bytes in a row.
    pub(super) width: u64,
    /// The type of its elements, as the layout has it.
    pub(super) dtype: &'static str,
    /// Its shape in a row.
    pub(super) shape: Vec<u64>,
    /// For a column of descriptors, the elements of its cells in the heap.
    pub(super) heap: Option<Cells>,
    /// For a column of bits, the number of bits.
    pub(super) bits: Option<u64>,
    /// The code of its type.
    pub(super) code: char,
    /// For a column of an ASCII table, the number of digits after an implied decimal point.
    pub(super) decimals: u64,
}

/// The cells of a column of descriptors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells {
    /// The code of the type of their elements.
    pub(super) code: char,
    /// Bytes of each of the two integers of a descriptor: 4 or 8.
    pub(super) integer: u64,
}

/// The dtype of a code in the layout and the bytes of an element; `None` for bits and descriptors.
pub(super) fn primitive(code: char) -> Option<(&'static str, u64)> {
    Some(match code {
        'L' | 'B' => ("u1", 1),
        'A' => ("S1", 1),
        'I' => ("i2", 2),
        'J' => ("i4", 4),
        'K' => ("i8", 8),
        'E' => ("f4", 4),
        'D' => ("f8", 8),
        'C' => ("c8", 8),
        'M' => ("c16", 16),
        _ => return None,
    })
}

/// Whether elements of a code are numbers that may be scaled.
pub(super) fn is_number(code: char) -> bool {
    "BIJKED".contains(code)
}

/// Splits the format of a column: `3PE(20)` is 3, `P`, `E(20)`.
fn split(form: &str) -> Option<(u64, char, &str)> {
    let digits = form.len() - form.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let count = if digits == 0 { 1 } else { form[..digits].parse().ok()? };
    let code = form[digits..].chars().next()?;
    Some((count, code.to_ascii_uppercase(), &form[digits + code.len_utf8()..]))
}

/// The columns of a binary table, up to the first faulty one, whose error goes to `found`.
pub(super) fn of_table(hdu: &Hdu, found: &mut dyn FnMut(dudley::Error)) -> Vec<Column> {
    let row = hdu.axes.first().copied().unwrap_or(0);
    let (mut all, mut offset) = (Vec::new(), 0);
    let count = columns(&hdu.header).unwrap_or_else(|error| {
        found(error);
        0
    });
    for number in 1..=count {
        match column(&hdu.header, number, offset, row) {
            Ok(column) => {
                offset += column.width;
                all.push(column);
            }
            Err(error) => {
                found(error);
                break;
            }
        }
    }
    all
}

fn column(header: &Header, number: u64, offset: u64, row: u64) -> Result<Column> {
    let key = format!("TFORM{number}");
    let wrong = |what: String| header.wrong(&key, &what);
    let form = header
        .text(&key)
        .ok_or_else(|| wrong(format!("there is no {key}: the columns from it on are left out")))?;
    let unknown = || {
        wrong(format!("{key} is `{form}`, which is no type: the columns from it on are left out"))
    };
    let (count, code, rest) = split(form).ok_or_else(unknown)?;
    let mut column = Column {
        number,
        offset,
        width: 0,
        dtype: "u1",
        shape: vec![count],
        heap: None,
        bits: None,
        code,
        decimals: 0,
    };
    let size = match code {
        'X' => {
            column.bits = Some(count);
            column.shape = vec![count.div_ceil(8)];
            1
        }
        'P' | 'Q' => {
            let integer = if code == 'P' { 4 } else { 8 };
            column.dtype = if code == 'P' { "i4" } else { "i8" };
            let of = rest.chars().next().map_or(' ', |c| c.to_ascii_uppercase());
            if primitive(of).is_none() && of != 'X' {
                return Err(unknown());
            }
            column.heap = Some(Cells { code: of, integer });
            column.shape = vec![count.checked_mul(2).ok_or_else(unknown)?];
            integer
        }
        _ => {
            let (dtype, size) = primitive(code).ok_or_else(unknown)?;
            column.dtype = dtype;
            column.shape = shape(header, number, count, code, rest);
            size
        }
    };
    let elements = column.shape.iter().try_fold(1_u64, |all, dim| all.checked_mul(*dim));
    let elements = if column.shape.contains(&0) { Some(0) } else { elements };
    // The elements that the format counts take space, even if `TDIM` has fewer.
    let of_count = if matches!(code, 'X' | 'P' | 'Q') { elements } else { Some(count) };
    column.width = of_count.and_then(|count| count.checked_mul(size)).ok_or_else(unknown)?;
    if offset.checked_add(column.width).is_none_or(|end| end > row) {
        let what = format!(
            "column {number} ends {} bytes behind the start of a row, which has {row}: the columns from it on are left out",
            u128::from(offset) + u128::from(column.width)
        );
        return Err(wrong(what));
    }
    if code != 'A' && column.shape == [1] {
        column.shape.clear();
    }
    Ok(column)
}

/// The shape of a cell: `TDIM` reversed, unless it has more elements than the format; for a row of texts, the number of
/// texts and the width in their format.
fn shape(header: &Header, number: u64, count: u64, code: char, rest: &str) -> Vec<u64> {
    let dims = header.text(&format!("TDIM{number}")).and_then(|text| {
        let inside = text.strip_prefix('(')?.strip_suffix(')')?;
        let dims: Vec<u64> =
            inside.split(',').map(|dim| dim.trim().parse().ok()).collect::<Option<_>>()?;
        let all = dims.iter().try_fold(1_u64, |all, dim| all.checked_mul(*dim))?;
        (all <= count && count > 0 && all > 0).then(|| dims.into_iter().rev().collect::<Vec<u64>>())
    });
    let width = rest.parse::<u64>().ok().filter(|width| *width > 0 && code == 'A');
    match (dims, width) {
        (Some(dims), _) => dims,
        (None, Some(width)) if width < count && count.is_multiple_of(width) => {
            vec![count / width, width]
        }
        _ => vec![count],
    }
}

/// The columns of an ASCII table, each a text, without faulty ones, whose errors go to `found`.
pub(super) fn of_ascii(hdu: &Hdu, found: &mut dyn FnMut(dudley::Error)) -> Vec<Column> {
    let row = hdu.axes.first().copied().unwrap_or(0);
    let mut all = Vec::new();
    let count = columns(&hdu.header).unwrap_or_else(|error| {
        found(error);
        0
    });
    for number in 1..=count {
        match ascii_column(&hdu.header, number, row) {
            Ok(column) => all.push(column),
            Err(error) => found(error),
        }
    }
    all
}

fn ascii_column(header: &Header, number: u64, row: u64) -> Result<Column> {
    let (start, form) = (format!("TBCOL{number}"), format!("TFORM{number}"));
    let first = header.count(&start, None)?;
    let text =
        header.text(&form).ok_or_else(|| header.wrong(&form, &format!("there is no {form}")))?;
    let unknown =
        || header.wrong(&form, &format!("{form} is `{text}`, which is no type of an ASCII table"));
    let code = text.chars().next().ok_or_else(unknown)?.to_ascii_uppercase();
    let width = text[code.len_utf8()..]
        .split('.')
        .next()
        .and_then(|width| width.trim().parse::<u64>().ok());
    let width = width.filter(|_| "AIFED".contains(code)).ok_or_else(unknown)?;
    let offset =
        first.checked_sub(1).ok_or_else(|| header.wrong(&start, &format!("{start} is 0")))?;
    if offset.checked_add(width).is_none_or(|end| end > row) {
        let what = format!("column {number} ends behind the {row} bytes of a row");
        return Err(header.wrong(&start, &what));
    }
    let decimals = text.split('.').nth(1).and_then(|it| it.trim().parse().ok()).unwrap_or(0);
    Ok(Column {
        number,
        offset,
        width,
        dtype: "S1",
        shape: vec![width],
        heap: None,
        bits: None,
        code,
        decimals,
    })
}
