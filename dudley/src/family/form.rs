//! The form of a catalog: its layout for the columns of a family.

use std::fmt::Write as _;
use std::sync::Arc;

use dudley_parser::Layout;
use dudley_parser::layout::path::push_name;

use super::columns::{Column, Table};
use crate::error::{Error, Result};
use crate::read::dtype::Record;
use crate::read::stream::{Stream, parse_layout};

/// What a catalog says that it is.
pub(super) const KIND: &str = "dudley family 1";

/// The part of the layout that all catalogs have.
const HEAD: &str = "\
## catalog of a family: many streams of one layout, and where they are
kind = S1[16]  #: const = \"dudley family 1\"
identity = u8  ## of the layout of the members, comments left out
TEMPLATE : i8
template = U1[TEMPLATE+0]  ## layout of the members
HOW : i8
how = U1[HOW+0]  ## how members are found in their files, and opened
FILES : i8
NAMES : i8
file/
  name = U1[NAMES+0]     ## names, one after the other; from the folder of the catalog on
  end = u8[FILES+0]      ## (bytes) end of each name
  bytes = u8[FILES+0]    ## (bytes) size when it was read
  changed = i8[FILES+0]  ## (ns) time of its last change then, since 1970
  missing = b1[FILES+0]  ## it was gone at the last update
/
MEMBERS : i8  ## members, in the order of their files
member/
  start = u8[MEMBERS+0]   ## (bytes) where it begins in its file
  bytes = u8[MEMBERS+0]   ## (bytes) length of the stream
  file = u4[MEMBERS+0]    ## index of its file
  native = b1[MEMBERS+0]  ## it begins with a signature
  big = b1[MEMBERS+0]     ## big-endian, where its layout does not say
/
";

/// The layout of a catalog with these columns.
///
/// # Errors
/// If a name of the members' layout cannot be written in a layout.
pub(super) fn layout(template: &Layout, columns: &[Column]) -> Result<Layout> {
    let mut text = HEAD.to_owned();
    for table in [Table::Summary, Table::Params] {
        let its: Vec<&Column> = columns.iter().filter(|column| column.table == table).collect();
        if its.is_empty() {
            continue;
        }
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{} = {{", table.name());
        for column in its {
            text += "  ";
            push_name(&mut text, &column.name);
            let _ = write!(text, " = {}", column.primitive.name());
            if !column.shape.is_empty() {
                let _ = write!(text, "{:?}", column.shape);
            }
            push_doc(&mut text, template, column);
            text.push('\n');
        }
        text += "}[MEMBERS+0]\n";
    }
    parse_layout(text.as_bytes())
}

fn push_doc(text: &mut String, template: &Layout, column: &Column) {
    let doc = template.doc(column.doc).next().unwrap_or_default();
    match (template.unit(column.doc), doc.starts_with('(')) {
        (Some(unit), false) => {
            let _ = write!(text, "  ## ({unit}) {doc}");
        }
        _ if doc.is_empty() => {}
        _ => {
            let _ = write!(text, "  ## {doc}");
        }
    }
}

/// Where the columns of a table lie in a record.
#[derive(Clone, Debug)]
pub(super) struct Records {
    pub(super) record: Option<Arc<Record>>,
    /// Offset in bytes, for each column of the family; none for those of the other table.
    pub(super) offsets: Vec<Option<usize>>,
}

impl Records {
    /// Those of a table in a catalog, which need not have bytes.
    ///
    /// # Errors
    /// [`Error::NotCatalog`] if it does not have them all.
    pub(super) fn of(catalog: &Stream, columns: &[Column], table: Table) -> Result<Records> {
        let mut offsets = vec![None; columns.len()];
        if columns.iter().all(|column| column.table != table) {
            return Ok(Records { record: None, offsets });
        }
        let record = catalog.get(&format!("/{}", table.name()))?.record()?;
        for (column, offset) in columns.iter().zip(&mut offsets) {
            if column.table != table {
                continue;
            }
            let field = record.fields.iter().find(|field| {
                field.name == column.name
                    && field.shape == column.shape
                    && field.dtype.primitive().map(|(it, _)| it) == Some(column.primitive)
            });
            let field = field.ok_or_else(|| Error::NotCatalog {
                why: format!("its `{}` have no `{}` of this layout", table.name(), column.name)
                    .into(),
            })?;
            *offset = Some(crate::error::to_usize(field.offset)?);
        }
        Ok(Records { record: Some(record), offsets })
    }

    /// Bytes of a record; 0 if there are none.
    pub(super) fn size(&self) -> usize {
        // A record of a catalog has at most a few columns of bounded size.
        self.record.as_ref().map_or(0, |record| record.size as usize)
    }
}
