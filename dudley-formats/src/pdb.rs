//! PDB, as Silo and Yorick write it: a chart of types and a table of symbols, both in text, lead to the data.

mod header;
mod symbols;
mod tail;
mod types;

use dudley::Result;
use dudley::model::{Candidate, Claim, Describe, Described, Fact};
use dudley::verify::Finding;
use dudley_parser::layout::text::Text;
use dudley_parser::layout::words::Said;

use crate::cursor::malformed;
use header::Header;
use symbols::Symbols;
use tail::Tail;
use types::Types;

/// The first bytes of files of the version that is read.
const MAGIC: &[u8] = b"!<<PDB:II>>!";

/// The first bytes of files of other versions.
const OTHERS: [&[u8]; 2] = [b"!<<PDB:", b"!<><PDB><>!"];

/// The ends of lines: writers use any of them.
const LINE_ENDS: &[u8] = b"\n\r\x1f";

/// The characters between the words of a line.
const BETWEEN: char = '\u{1}';

/// The first character of the line that ends a list of lines.
const END: u8 = 2;

/// The format.
pub(crate) struct Pdb;

impl Describe for Pdb {
    fn describe(&self) -> &'static str {
        "a PDB file"
    }

    fn name(&self) -> &'static str {
        "pdb"
    }

    fn recognise(&self, candidate: &Candidate) -> Result<Option<Claim>> {
        let head = candidate.head()?;
        let is = OTHERS.iter().any(|magic| head.starts_with(magic));
        Ok(is.then_some(Claim::Signature))
    }

    fn read(&self, candidate: &Candidate, found: &mut dyn FnMut(Finding)) -> Result<Described> {
        if !candidate.head()?.starts_with(MAGIC) {
            return Err(malformed(0, "of PDB only version II is read"));
        }
        let source = candidate.bytes()?;
        let header = Header::read(&source)?;
        let tail = Tail::read(&source, &header, found)?;
        let types = Types::new(&header, &tail, found);
        let mut about = Said::default();
        about.line("The data of a PDB file.");
        if tail.is_fastest_first {
            about.line("Its dimensions are said fastest first there (major order 102), and slowest first here.");
        }
        let mut layout = Text::new(header.order(), &about);
        layout.declare(types.text());
        let mut described = Described { layout, facts: facts(&tail), ..Described::default() };
        Symbols::new(&tail, &types, found).describe(&mut described);
        Ok(described)
    }
}

/// The words about the whole file.
fn facts(tail: &Tail) -> Vec<Fact> {
    let major = if tail.is_fastest_first { 102_u64 } else { 101 };
    let version = tail.version.as_ref().map(|version| {
        let shown = format!("version {}", version.replace('|', " of "));
        Fact::new("version", &**version).shown(shown)
    });
    let order = Fact::new("major_order", major).shown(format!("major order {major}"));
    version.into_iter().chain([order]).collect()
}
