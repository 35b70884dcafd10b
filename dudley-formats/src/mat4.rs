//! MATLAB v4: consecutive matrices, each with a header, column by column.

use std::collections::HashMap;
use std::sync::Arc;

use dudley::bytes::Source;
use dudley::model::{Candidate, Claim, Describe, Described};
use dudley::typed::{Big, Bytes, Little, Record};
use dudley::verify::Finding;
use dudley::{ByteOrder, Result, Severity};
use dudley_parser::comments::AttrValue;
use dudley_parser::layout::text::Text;
use dudley_parser::layout::words::Said;

use crate::cursor::{Cursor, malformed};
use crate::fixed::Fixed;
use crate::headers;

dudley::layout!(mod matrix = "layouts/mat4-matrix.dud");

type Header = <matrix::Summary as Record>::Bytes;

/// Kinds of matrices other than full numeric ones: character codes and sparse matrices.
const TEXT: i32 = 1;
const SPARSE: i32 = 2;

/// The longest accepted name, longer than in any version of MATLAB.
const LONGEST_NAME: i32 = 1 << 10;

/// The format.
pub(crate) struct Mat4;

impl Describe for Mat4 {
    fn describe(&self) -> &'static str {
        "a MATLAB file (version 4)"
    }

    fn name(&self) -> &'static str {
        "mat4"
    }

    fn recognise(&self, candidate: &Candidate) -> Result<Option<Claim>> {
        let head = candidate.head()?;
        let Some(matrix) = Matrix::decode(head, 0) else { return Ok(None) };
        let name = &head[Header::LEN..head.len().min(matrix.data as usize)];
        let name = name.strip_suffix(b"\0").unwrap_or(name);
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let fits = name.first().is_some_and(u8::is_ascii_alphabetic) && name.iter().all(is_name);
        Ok(fits.then_some(Claim::Header))
    }

    fn read(&self, candidate: &Candidate, found: &mut dyn FnMut(Finding)) -> Result<Described> {
        let mut matrices = Vec::new();
        let source = candidate.bytes()?;
        let mut cursor = Cursor::new(&source, ByteOrder::Little, 0);
        while cursor.left() > 0 {
            match Matrix::read(&mut cursor) {
                Ok(matrix) => matrices.push(matrix),
                Err(error) if error.is_unread() || matrices.is_empty() => return Err(error),
                Err(error) => {
                    found(Finding::of_error(Severity::Error, "matrix", &error));
                    break;
                }
            }
        }
        // As in MATLAB, the last matrix of a name counts.
        let names = matrices.iter().map(|matrix| matrix.name.clone());
        let last: HashMap<String, usize> = names.enumerate().map(|(at, name)| (name, at)).collect();
        let order = matrices.first().map_or(ByteOrder::Little, |matrix| matrix.order);
        let mut layout = Text::new(order, &Said::default());
        for (at, matrix) in matrices.iter().enumerate() {
            if last[&matrix.name] == at {
                matrix.describe(&source, &mut layout)?;
            } else {
                let what = "a matrix of the same name follows, which takes its place";
                let finding = Finding::new(Severity::Warning, "hidden", what);
                found(finding.at(matrix.data, matrix.bytes).of(headers::path(&[&matrix.name])));
            }
        }
        Ok(Described { layout, ..Described::default() })
    }
}

/// A matrix, and the place of its numbers.
struct Matrix {
    name: String,
    order: ByteOrder,
    head: matrix::Summary,
    /// The dtype of its numbers, and bytes of a number.
    dtype: (&'static str, u64),
    data: u64,
    bytes: u64,
}

impl Matrix {
    /// Decodes the header at the start of bytes, which begin at an address; `None` if its numbers are inconsistent.
    fn decode(bytes: &[u8], at: u64) -> Option<Matrix> {
        let header = Header::cut(bytes).first()?;
        let (little, big) =
            (matrix::Summary::decode::<Little>(header), matrix::Summary::decode::<Big>(header));
        let (order, head) = match (little.kind, big.kind) {
            (0..=999, _) => (ByteOrder::Little, little),
            (_, 1000..=1999) => (ByteOrder::Big, big),
            _ => return None,
        };
        let dtype = match head.kind / 10 % 100 {
            0 => ("f8", 8),
            1 => ("f4", 4),
            2 => ("i4", 4),
            3 => ("i2", 2),
            4 => ("u2", 2),
            5 => ("u1", 1),
            _ => return None,
        };
        let fits = match head.kind % 10 {
            0 | 1 => head.rows >= 0 && head.columns >= 0 && matches!(head.imaginary, 0 | 1),
            SPARSE => head.rows > 0 && matches!(head.columns, 3 | 4) && head.imaginary == 0,
            _ => false,
        };
        if !fits || !(1..=LONGEST_NAME).contains(&head.name_bytes) {
            return None;
        }
        let data = at + Header::LEN as u64 + u64::from(head.name_bytes.unsigned_abs());
        let [rows, columns] =
            [head.rows, head.columns].map(|count| u64::from(count.unsigned_abs()));
        let bytes = headers::bytes(&[rows, columns, 1 + head.imaginary as u64], dtype.1)?;
        Some(Matrix { name: String::new(), order, head, dtype, data, bytes })
    }

    /// Reads the matrix at the cursor, and moves the cursor to its end.
    fn read(cursor: &mut Cursor) -> Result<Matrix> {
        let at = cursor.at();
        let header = cursor.take(Header::LEN as u64, "the header of a matrix")?;
        let mut matrix = Matrix::decode(header, at).ok_or_else(|| {
            malformed(at, "the numbers in the header of a matrix do not fit each other")
        })?;
        let name = cursor.take(matrix.data - cursor.at(), "the name of a matrix")?;
        if name.last() != Some(&0) {
            return Err(malformed(at, "the name of a matrix does not end with NUL"));
        }
        matrix.name = headers::text(name);
        if matrix.name.is_empty() {
            return Err(malformed(at, "a matrix without a name"));
        }
        cursor.skip(matrix.bytes, &format!("the matrix `{}`", matrix.name))?;
        Ok(matrix)
    }

    /// Adds it to a layout.
    fn describe(&self, source: &Arc<dyn Source>, layout: &mut Text) -> Result<()> {
        let (dtype, size) = self.dtype;
        let dtype = match self.order {
            ByteOrder::Big => format!(">{dtype}"),
            ByteOrder::Little => format!("<{dtype}"),
        };
        let [rows, columns] =
            [self.head.rows, self.head.columns].map(|count| u64::from(count.unsigned_abs()));
        let mut said = Said::default();
        // Sums do not overflow: the matrix was read to its end.
        if self.head.kind % 10 == SPARSE {
            let column = |at: u64| self.data + at * rows * size;
            // The last row number and the last column number are the shape of the whole matrix.
            let last = |at: u64| {
                let layout = format!("n = {dtype} @{}", column(at + 1) - size);
                Fixed::new(&layout, self.order, source.clone())?.int("n")
            };
            headers::attribute(&mut said, "sparse", AttrValue::Ints(vec![last(0)?, last(1)?]));
            layout.open(&self.name, &said);
            for (at, part) in (0..columns).zip(["row", "column", "real", "imaginary"]) {
                let item = format!("{dtype}[{}] @{}", rows - 1, column(at));
                layout.item(part, item, &Said::default());
            }
            layout.close();
            return Ok(());
        }
        headers::dims(&mut said, ["row", "column"]);
        said.spelt("order = \"F\"".to_owned());
        if self.head.kind % 10 == TEXT {
            headers::attribute(&mut said, "text", AttrValue::True);
        }
        let item = |address: u64| format!("{dtype}[{rows}, {columns}] @{address}");
        if self.head.imaginary == 1 {
            layout.open(&self.name, &Said::default());
            layout.item("real", item(self.data), &said);
            layout.item("imaginary", item(self.data + self.bytes / 2), &said);
            layout.close();
        } else {
            layout.item(&self.name, item(self.data), &said);
        }
        Ok(())
    }
}
