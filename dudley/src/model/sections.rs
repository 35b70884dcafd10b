//! A file as it is stored: its sections, for the code that shows bytes.

use std::sync::Arc;

use dudley_parser::layout::dtype::ByteOrder;

use crate::bytes::source::Source;
use crate::error::{Error, Result};
use crate::read::data::Data;
use crate::read::stream::Stream;

/// The sections of a file as it is stored, or of the part at a path.
pub struct Sections {
    /// The name of its format for programs: `asdf`.
    pub name: &'static str,
    /// The byte order, where all of it has one.
    pub order: Option<ByteOrder>,
    /// Its bytes, which addresses count from the start of.
    pub source: Arc<dyn Source>,
    /// In the order of the output; sections behind the items of a stream are sorted among these by their addresses.
    /// An error replaces sections that cannot be determined.
    pub sections: Vec<Result<Section>>,
    /// Why these are no more than its first bytes.
    pub fault: Option<Error>,
}

/// Bytes of a file that lie together.
#[derive(Default)]
pub struct Section {
    /// Their name: `tree`, or the path of an array.
    pub name: String,
    /// Where they begin.
    pub address: u64,
    /// The number of sections.
    pub bytes: u64,
    /// The unit of the elements.
    pub unit: Option<String>,
    /// A remark about them.
    pub doc: Option<String>,
    /// Their content.
    pub holds: Holds,
}

/// The content of the bytes of a section.
#[derive(Default)]
pub enum Holds {
    /// Text.
    #[default]
    Text,
    /// A signature.
    Signature,
    /// Nothing that belongs to the file.
    Nothing,
    /// Elements of this type and shape, encoded or not.
    Elements(String, Vec<u64>),
    /// A header, and what is behind it; of what has a type and a shape, these.
    Headed(Header, Option<(String, Vec<u64>)>),
    /// The part at a path of an array that is stored without compression: the path, the part, and the whole array.
    Array(String, Box<(Data, Data)>),
    /// The items of a stream at or below a path, and the headers of those that filters made, by the names of these and
    /// their first bytes.
    Items(Stream, Option<String>, fn(&str, &[u8]) -> Option<Header>),
    /// They are in another file, under a path if it is known.
    Elsewhere(String, Option<String>),
}

/// The header of some bytes.
pub struct Header {
    /// The layout of its fields, and of the following bytes as far as it has them.
    pub layout: &'static str,
    /// The path of an item of the layout, and the sections that replace it; sections of elements have the
    /// documentation of the item.
    pub within: Option<(&'static str, Vec<Section>)>,
    /// The separator between the name of the section and of a field.
    pub joint: &'static str,
    /// The name of the bytes behind it, if there are any.
    pub rest: Option<&'static str>,
}

impl Section {
    /// A section without a remark.
    pub fn new(name: impl Into<String>, address: u64, bytes: u64, holds: Holds) -> Section {
        Section { name: name.into(), address, bytes, holds, ..Section::default() }
    }

    /// Behind its last byte.
    pub fn end(&self) -> u64 {
        self.address.saturating_add(self.bytes)
    }
}
