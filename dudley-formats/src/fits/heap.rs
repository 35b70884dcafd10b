//! The values of rows in the heap of a table, by cell.

use dudley::Severity;
use dudley::bytes::{Region, Source};
use dudley::elements::read_vec;
use dudley::verify::Finding;
use dudley::{ByteOrder, Result};
use dudley_parser::layout::text::Text;
use dudley_parser::layout::words::{Said, name};

use super::column::{Cells, Column, is_number, primitive};
use super::hdu::Hdu;
use super::said::{self, Found, LOGICAL};

/// The heap of a table.
pub(super) struct Heap<'h> {
    pub(super) hdu: &'h Hdu,
    pub(super) source: &'h dyn Source,
    /// The path of the dict of its columns.
    pub(super) path: &'h str,
}

impl Heap<'_> {
    /// Writes a dict with a list for each column of descriptors; the list has an array for each row.
    pub(super) fn items(
        &self,
        columns: &[Column],
        names: &[String],
        dict: &str,
        text: &mut Text,
        found: &mut Found<'_>,
    ) {
        let mut about = Said::default();
        about.doc("what the rows have in the heap, an array each");
        text.open(dict, &about);
        let start = self.start().unwrap_or_else(|error| {
            found(Finding::of_error(Severity::Error, "fits-heap", &error).of(self.path));
            // Then no cell is within the heap.
            self.hdu.size
        });
        for (column, name) in columns.iter().zip(names) {
            let Some(cells) = column.heap.filter(|_| column.shape == [2]) else { continue };
            match self.descriptors(column, cells) {
                Ok(descriptors) => {
                    self.list((column, cells), name, start, &descriptors, text, found)
                }
                Err(error) => {
                    found(Finding::of_error(Severity::Error, "fits-heap", &error).of(self.path))
                }
            }
        }
        text.close();
    }

    /// The offset of the heap in the data: the end of the rows, or `THEAP` after a gap.
    fn start(&self) -> Result<u64> {
        let header = &self.hdu.header;
        let rows = self.hdu.axes[0].saturating_mul(self.hdu.axes[1]);
        let start = header.count("THEAP", Some(rows))?;
        if (rows..=self.hdu.size).contains(&start) {
            return Ok(start);
        }
        let size = self.hdu.size;
        let what = format!("THEAP is {start}: the rows end at {rows}, and the data at {size}");
        Err(header.wrong("THEAP", &what))
    }

    /// The number of elements of each cell and their offset in the heap: two integers for each row.
    fn descriptors(&self, column: &Column, cells: Cells) -> Result<Vec<i64>> {
        let (row, rows) = (self.hdu.axes[0], self.hdu.axes[1]);
        let strides = [row as i64, cells.integer as i64];
        let address = self.hdu.data() + column.offset;
        let region = Region::new(address, &[rows, 2], &strides, cells.integer)?;
        if cells.integer == 8 {
            return read_vec(self.source, &region, ByteOrder::Big);
        }
        let short: Vec<i32> = read_vec(self.source, &region, ByteOrder::Big)?;
        Ok(short.into_iter().map(i64::from).collect())
    }

    fn list(
        &self,
        (column, cells): (&Column, Cells),
        name_: &str,
        start: u64,
        descriptors: &[i64],
        text: &mut Text,
        found: &mut Found<'_>,
    ) {
        let (dtype, size) = primitive(cells.code).unwrap_or(("u1", 1));
        let mut each = Said::default();
        if is_number(cells.code) {
            let value = |root: &str| self.hdu.header.number(&format!("{root}{}", column.number));
            said::scaling(&mut each, value("TSCAL"), value("TZERO"), value("TNULL"));
        }
        if cells.code == 'L' {
            each.spelt(LOGICAL.to_owned());
        }
        let each = each.text("      ");
        let (mut items, mut outside) = (String::from("[\n"), 0_u64);
        for pair in descriptors.chunks_exact(2) {
            let [count, offset] = [pair[0], pair[1]].map(|it| u64::try_from(it).ok());
            let count =
                count.map(|count| if cells.code == 'X' { count.div_ceil(8) } else { count });
            let end = count.zip(offset).and_then(|(count, offset)| {
                count.checked_mul(size)?.checked_add(offset)?.checked_add(start)
            });
            let is_inside = end.is_some_and(|end| end <= self.hdu.size);
            let count = count.unwrap_or(0);
            // An array outside the heap gets an address past the file, so reading it fails.
            let address = match (is_inside, offset) {
                _ if count == 0 => self.hdu.data(),
                (true, Some(offset)) => self.hdu.data() + start + offset,
                _ => self.source.len(),
            };
            outside += u64::from(!is_inside && pair[0] != 0);
            let count = count.min(i64::MAX as u64 / 32);
            items += &format!("    {dtype}[{count}] @{address},{each}\n");
        }
        items += "    ]";
        if outside > 0 {
            let what =
                format!("{outside} cells of column {} are not within the heap", column.number);
            let mut path = format!("{}/", self.path);
            path += &name(name_);
            found(
                Finding::new(Severity::Error, "fits-heap", what)
                    .at(self.hdu.data(), self.hdu.size)
                    .of(path),
            );
        }
        text.item(name_, items, &said::of_column(&self.hdu.header, column.number, false));
    }
}
