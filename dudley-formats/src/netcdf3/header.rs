//! The header of a netCDF-3 file: dimensions, attributes and variables, in the order of the file.

use std::sync::Arc;

use dudley::bytes::Source;
use dudley::verify::Finding;
use dudley::{ByteOrder, Error, Primitive, Result, Severity};
use dudley_parser::layout::path::push_name;
use smallvec::SmallVec;

use crate::cursor::{Cursor, malformed};

/// The tags of the lists of a header.
pub(super) const DIMENSIONS: u32 = 10;
pub(super) const VARIABLES: u32 = 11;
pub(super) const ATTRIBUTES: u32 = 12;

/// The greatest number of dimensions of a variable, as in the library of netCDF.
const MOST_DIMS: u64 = 1024;

/// Entries of a list for which memory is set aside before they are read.
const MOST_RESERVED: u64 = 1024;

/// The readable part of a header.
pub(super) struct Header {
    /// 1, 2 or 5.
    pub(super) version: u8,
    /// The number of records; `None` if the length of the file decides it.
    pub(super) records: Option<u64>,
    pub(super) dims: Vec<Dim>,
    pub(super) attributes: Vec<Attribute>,
    pub(super) variables: Vec<Variable>,
    /// The address behind the read part.
    pub(super) end: u64,
    /// Whether the whole header was read. An unreadable part is a finding.
    pub(super) is_whole: bool,
}

/// A dimension. One of length 0 has as many as there are records.
pub(super) struct Dim {
    pub(super) name: String,
    pub(super) len: u64,
    pub(super) address: u64,
}

/// An attribute, with its stored values.
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) kind: Type,
    pub(super) bytes: Vec<u8>,
    pub(super) address: u64,
}

/// The name of a variable: most take no memory of their own, of which a file has many.
#[derive(Default, PartialEq, Eq, Hash)]
pub(super) struct Name(SmallVec<[u8; 24]>);

impl From<&str> for Name {
    fn from(name: &str) -> Name {
        Name(SmallVec::from_slice(name.as_bytes()))
    }
}

impl Name {
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl std::ops::Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        // It was made from a text.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// A variable in the header.
pub(super) struct Variable {
    pub(super) name: Name,
    /// The numbers of its dimensions.
    pub(super) dims: SmallVec<[u64; 4]>,
    pub(super) attributes: Vec<Attribute>,
    /// Its type, or a number that is no type.
    pub(super) kind: Result<Type, u32>,
    /// Its size in bytes in the header; readers compute it.
    pub(super) bytes: u64,
    pub(super) begin: u64,
    pub(super) address: u64,
}

impl Variable {
    pub(super) fn path(&self) -> String {
        let mut path = String::from("/");
        push_name(&mut path, &self.name);
        path
    }
}

/// A type of netCDF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Byte = 1,
    Char,
    Short,
    Int,
    Float,
    Double,
    UByte,
    UShort,
    UInt,
    Int64,
    UInt64,
}

impl Type {
    const ALL: [Type; 11] = [
        Type::Byte,
        Type::Char,
        Type::Short,
        Type::Int,
        Type::Float,
        Type::Double,
        Type::UByte,
        Type::UShort,
        Type::UInt,
        Type::Int64,
        Type::UInt64,
    ];

    /// The type of a number; types from the seventh on belong to CDF-5.
    fn of(number: u32, version: u8) -> Option<Type> {
        let most = if version == 5 { 11 } else { 6 };
        Type::ALL[..most].iter().copied().find(|kind| *kind as u32 == number)
    }

    /// The type with the values of a primitive, except for text.
    pub(super) fn of_primitive(primitive: Primitive) -> Option<Type> {
        Type::ALL.into_iter().find(|kind| kind.primitive() == primitive)
    }

    pub(super) fn primitive(self) -> Primitive {
        match self {
            Type::Byte => Primitive::I1,
            Type::Char => Primitive::Utf8,
            Type::Short => Primitive::I2,
            Type::Int => Primitive::I4,
            Type::Float => Primitive::F4,
            Type::Double => Primitive::F8,
            Type::UByte => Primitive::U1,
            Type::UShort => Primitive::U2,
            Type::UInt => Primitive::U4,
            Type::Int64 => Primitive::I8,
            Type::UInt64 => Primitive::U8,
        }
    }

    pub(super) fn size(self) -> u64 {
        self.primitive().size()
    }
}

/// Reads a header. An error that does not end the reading is a finding.
///
/// # Errors
/// If the lists before the variables are damaged, so that no variable is found.
pub(super) fn read(source: &Arc<dyn Source>, found: &mut dyn FnMut(Finding)) -> Result<Header> {
    let cursor = Cursor::new(source, ByteOrder::Big, 0);
    let mut reader = Reader { cursor, version: 0, padding: None, found };
    let header = header_of(&mut reader);
    reader.report_padding();
    header
}

struct Reader<'r> {
    cursor: Cursor,
    version: u8,
    padding: Option<Padding>,
    found: &'r mut dyn FnMut(Finding),
}

/// Padding with other bytes than zeros: some writers never set it.
struct Padding {
    /// The owner and the address of the first padding.
    what: String,
    address: u64,
    bytes: u64,
    /// The number of paddings behind the first.
    more: u64,
}

/// The header, as in [`read`].
fn header_of(reader: &mut Reader<'_>) -> Result<Header> {
    reader.version = reader.version()?;
    let records = reader.count("the number of records")?;
    let none = if reader.version == 5 { u64::MAX } else { u64::from(u32::MAX) };
    let mut header = Header {
        version: reader.version,
        records: Some(records).filter(|records| *records != none),
        dims: Vec::new(),
        attributes: Vec::new(),
        variables: Vec::new(),
        end: 0,
        is_whole: true,
    };
    reader.list("dimensions", DIMENSIONS, &mut header.dims, Reader::dim)?;
    header.attributes = reader.attributes("global attributes")?;
    let list = reader.list("variables", VARIABLES, &mut header.variables, Reader::variable);
    if let Err(error) = list {
        if error.is_unread() || header.variables.is_empty() {
            return Err(error);
        }
        let finding = Finding::of_error(Severity::Error, "header", &error);
        let message = format!("{}; the variables behind this place are not known", finding.message);
        (reader.found)(Finding { message, ..finding });
        header.is_whole = false;
    }
    header.end = reader.cursor.at();
    Ok(header)
}

impl Reader<'_> {
    fn version(&mut self) -> Result<u8> {
        let magic = self.cursor.take(4, "the signature")?;
        match magic {
            [b'C', b'D', b'F', version @ (1 | 2 | 5)] => Ok(*version),
            [b'C', b'D', b'F', other] => {
                let what = format!(
                    "version {other} of netCDF's classic format is none: 1, 2 and 5 are known"
                );
                Err(malformed(3, what))
            }
            _ => Err(malformed(0, "a netCDF-3 file begins with `CDF`")),
        }
    }

    /// A non-negative number, of 8 bytes in CDF-5.
    fn count(&mut self, what: &str) -> Result<u64> {
        if self.version == 5 { self.cursor.u8(what) } else { self.cursor.u4(what).map(u64::from) }
    }

    /// A list: its tag, the number of entries, and the entries. An empty list is two zeros.
    fn list<T>(
        &mut self,
        what: &str,
        tag: u32,
        entries: &mut Vec<T>,
        entry: impl Fn(&mut Self) -> Result<T>,
    ) -> Result<()> {
        let address = self.cursor.at();
        let is = self.cursor.u4(what)?;
        let count = self.count(what)?;
        if is == 0 && count == 0 {
            return Ok(());
        }
        if is != tag {
            let what = format!(
                "the list of {what} begins with {is}, where {tag} is expected, or zeros for none"
            );
            return Err(malformed(address, what));
        }
        // An entry has at least a name and a number.
        if count > self.cursor.left() / 8 {
            let left = self.cursor.left();
            let what = format!(
                "{what}: {count} entries do not fit in the {left} bytes that are left of the file"
            );
            return Err(malformed(address + 4, what));
        }
        entries.reserve(count.min(MOST_RESERVED) as usize);
        for _ in 0..count {
            entries.push(entry(self)?);
        }
        Ok(())
    }

    fn dim(&mut self) -> Result<Dim> {
        let address = self.cursor.at();
        let name = self.name("the name of a dimension")?.to_owned();
        let len = self.count("the length of a dimension")?;
        Ok(Dim { name, len, address })
    }

    fn attributes(&mut self, what: &str) -> Result<Vec<Attribute>> {
        let mut attributes = Vec::new();
        self.list(what, ATTRIBUTES, &mut attributes, Reader::attribute)?;
        Ok(attributes)
    }

    fn attribute(&mut self) -> Result<Attribute> {
        let address = self.cursor.at();
        let name = self.name("the name of an attribute")?.to_owned();
        let values = self.values().map_err(|error| of("the attribute", &name, error))?;
        self.padding(values.1.len() as u64, &|| format!("the attribute `{name}`"))?;
        Ok(Attribute { name, kind: values.0, bytes: values.1, address })
    }

    fn values(&mut self) -> Result<(Type, Vec<u8>)> {
        let at = self.cursor.at();
        let number = self.cursor.u4("its type")?;
        let version = self.version;
        let kind = Type::of(number, version).ok_or_else(|| {
            malformed(at, format!("it is of type {number}, which CDF-{version} does not have"))
        })?;
        let count = self.count("the number of its values")?;
        let bytes = self.cursor.take(count.saturating_mul(kind.size()), "its values")?;
        Ok((kind, bytes.to_vec()))
    }

    fn variable(&mut self) -> Result<Variable> {
        let address = self.cursor.at();
        let name = self.name("the name of a variable")?;
        let unnamed = self.unnamed();
        let mut variable = unnamed.map_err(|error| of("the variable", &name, error))?;
        (variable.name, variable.address) = (name, address);
        Ok(variable)
    }

    /// A variable behind its name.
    fn unnamed(&mut self) -> Result<Variable> {
        let at = self.cursor.at();
        let rank = self.count("the number of its dimensions")?;
        if rank > MOST_DIMS {
            return Err(malformed(
                at,
                format!("it has {rank} dimensions; {MOST_DIMS} are the most"),
            ));
        }
        let mut dims = SmallVec::new();
        for _ in 0..rank {
            dims.push(self.count("its dimensions")?);
        }
        let attributes = self.attributes("its attributes")?;
        let number = self.cursor.u4("its type")?;
        let kind = Type::of(number, self.version).ok_or(number);
        let bytes = self.count("its size")?;
        let begin = match self.version {
            1 => self.cursor.u4("its address")?.into(),
            _ => self.cursor.u8("its address")?,
        };
        Ok(Variable { name: Name::default(), dims, attributes, kind, bytes, begin, address: at })
    }

    /// A name, without NULs at its end.
    fn name(&mut self, what: &str) -> Result<Name> {
        let address = self.cursor.at();
        let len = self.count(what)?;
        let bytes = without_nuls(self.cursor.take(len, what)?);
        let (name, is_text) = match std::str::from_utf8(bytes) {
            Ok(text) if !bytes.contains(&0) => (Name::from(text), true),
            _ => (Name::from(&*String::from_utf8_lossy(bytes).replace('\0', "\u{fffd}")), false),
        };
        self.padding(len, &|| format!("{what}, `{}`", &*name))?;
        let why = match () {
            () if !is_text => "is no text in UTF-8: U+FFFD stands for what is none",
            () if name.0.is_empty() => "is empty",
            () if name.0.contains(&b'/') => "has a `/`, which netCDF does not allow",
            () => return Ok(name),
        };
        let finding =
            Finding::new(Severity::Warning, "name", format!("{what}, `{}`, {why}", &*name));
        (self.found)(finding.at(address, len));
        Ok(name)
    }

    /// The padding behind bytes up to a multiple of 4: zeros.
    fn padding(&mut self, bytes: u64, what: &dyn Fn() -> String) -> Result<()> {
        let (address, count) = (self.cursor.at(), (4 - bytes % 4) % 4);
        let is_zero = self.cursor.take(count, "padding")?.iter().all(|byte| *byte == 0);
        match &mut self.padding {
            _ if is_zero => {}
            Some(padding) => padding.more += 1,
            none => *none = Some(Padding { what: what(), address, bytes: count, more: 0 }),
        }
        Ok(())
    }

    /// Reports all padding that is not zeros, as one finding.
    fn report_padding(&mut self) {
        let Some(Padding { what, address, bytes, more }) = self.padding.take() else { return };
        let mut message = format!("{what}: the bytes that pad it are not zeros");
        if more > 0 {
            message += &format!(", nor are those at {more} more places of the header");
        }
        (self.found)(Finding::new(Severity::Error, "padding", message).at(address, bytes));
    }
}

/// The finding about an entry with a name.
fn of(what: &str, name: &str, error: Error) -> Error {
    match error {
        Error::Malformed { address, what: why } => {
            malformed(address, format!("{what} `{name}`: {why}"))
        }
        error => error,
    }
}

/// Bytes without NULs at their end.
pub(super) fn without_nuls(bytes: &[u8]) -> &[u8] {
    let len = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    &bytes[..len]
}
