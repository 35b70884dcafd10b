//! What goes wrong with bytes: one error, with its address and item path.
//!
//! Faults of layout text are not here: those are diagnostics of `dudley_parser`.

use std::fmt;
use std::io;

use dudley_parser::layout::dtype::Primitive;

use crate::filter::FilterError;
use crate::signature::Damage;

/// The result of everything that touches bytes.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Which item an error is about, when that is known: its path in the layout, such as
/// `/run/temperature`. Displays as nothing, or as a prefix of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item(Option<Box<str>>);

impl Item {
    /// Of an error that knows nothing of items yet.
    pub const UNKNOWN: Item = Item(None);

    /// The item of a path.
    pub fn new(path: impl Into<Box<str>>) -> Item {
        Item(Some(path.into()))
    }

    /// The path, when known.
    pub fn path(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(path) => write!(f, "`{path}`: "),
            None => Ok(()),
        }
    }
}

/// What went wrong with the bytes of a stream. Addresses and sizes are in bytes.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused.
    #[error("{context}: {source}")]
    Io {
        /// What was tried, such as ``cannot open `a.bd` ``.
        context: String,
        /// Why it failed.
        #[source]
        source: io::Error,
    },
    /// The stream ends before something that should be in it.
    #[error(
        "{item}{needed} byte{} needed at address {address}, but the stream has {available} there",
        if *needed == 1 { " is" } else { "s are" }
    )]
    Truncated {
        /// The item.
        item: Item,
        /// Where the bytes should begin.
        address: u64,
        /// How many there should be.
        needed: u64,
        /// How many there are.
        available: u64,
    },
    /// The first 16 bytes are those of a native stream, but damaged.
    #[error("damaged native signature: {damage}")]
    Signature {
        /// What happened to it.
        damage: Damage,
    },
    /// A filter could not decode what is stored, or not encode what was given.
    #[error("{item}filter `{filter}` at address {address}: {reason}")]
    Filter {
        /// The item.
        item: Item,
        /// Where the filtered bytes begin.
        address: u64,
        /// The name of the filter.
        filter: Box<str>,
        /// Why.
        #[source]
        reason: FilterError,
    },
    /// A filter does not take the arguments that the layout gives it.
    #[error("filter `{filter}`: {reason}")]
    FilterArgument {
        /// The name of the filter.
        filter: Box<str>,
        /// Why.
        #[source]
        reason: FilterError,
    },
    /// No filter of that name is registered.
    #[error("{item}unknown filter `{filter}`")]
    UnknownFilter {
        /// The item.
        item: Item,
        /// The name in the layout.
        filter: Box<str>,
    },
    /// The elements of an item are not of the type asked for.
    #[error("{item}expected elements of type {expected}, found {}", in_rust(*found))]
    WrongType {
        /// The item.
        item: Item,
        /// The Rust type asked for.
        expected: &'static str,
        /// What the layout declares.
        found: Primitive,
    },
    /// The values of a type do not all fit into the type asked for.
    #[error(
        "{item}values of {} cannot all be held by {into} (a lossy conversion must be asked for)",
        in_rust(*from)
    )]
    LossyConversion {
        /// The item.
        item: Item,
        /// What the layout declares.
        from: Primitive,
        /// The Rust type asked for.
        into: &'static str,
    },
    /// The shape of an item is not the one asked for.
    #[error("{item}expected shape {expected:?}, found {found:?}{}", from_params(params))]
    WrongShape {
        /// The item.
        item: Item,
        /// What was asked for, in elements, slowest dimension first.
        expected: Box<[u64]>,
        /// What there is.
        found: Box<[u64]>,
        /// The params that decide what is expected, by their paths, each with its value.
        params: Vec<(String, i64)>,
    },
    /// A run of bytes is not as long as what should fit into it.
    #[error("{item}expected {expected} byte{}, found {found}", plural(*expected))]
    WrongLength {
        /// The item.
        item: Item,
        /// The length that is right.
        expected: u64,
        /// The length given.
        found: u64,
    },
    /// An item does not hold the only value that its `const` attribute allows.
    #[error("{item}expected {expected} at address {address}, found {found}")]
    Const {
        /// The item.
        item: Item,
        /// Where it stands.
        address: u64,
        /// The value that the layout states.
        expected: Box<str>,
        /// The value in the stream.
        found: Box<str>,
    },
    /// Text cannot be written in the encoding of an item.
    #[error("{item}{reason}")]
    Text {
        /// The item.
        item: Item,
        /// Why not.
        reason: crate::text::TextError,
    },
    /// More memory or a larger address than this machine has.
    #[error("{item}{size} bytes are more than this machine can hold or address")]
    TooLarge {
        /// The item.
        item: Item,
        /// How much was needed.
        size: u64,
    },
    /// Something of the layout cannot be placed in this stream.
    #[error("{0}")]
    Resolve(#[from] dudley_parser::resolve::ResolveError),
    /// A layout text has errors.
    #[error("{}", first_error(text, errors))]
    Layout {
        /// The text, as far as it is UTF-8.
        text: String,
        /// All its errors.
        errors: Vec<dudley_parser::Diagnostic>,
    },
    /// A stream was opened without a layout, and has none appended.
    #[error("no layout: none is appended to the stream, and none was given")]
    NoLayout,
    /// The layout is appended where the stream should have data.
    #[error(
        "the layout address {address} of the stream lies inside the data, which the layout says \
         ends at {end}: the stream was cut off, or the address is damaged"
    )]
    LayoutInData {
        /// Where the layout is.
        address: u64,
        /// Where the data ends.
        end: u64,
    },
    /// There is nothing of that path.
    #[error("no item `{path}`: {why}")]
    NoSuchItem {
        /// The path.
        path: Box<str>,
        /// What is wrong with it.
        why: Box<str>,
    },
    /// There is no param of that name that could be given.
    #[error("no param `{name}` to give: {why}")]
    NoSuchParam {
        /// The name, or path.
        name: Box<str>,
        /// What is wrong with it.
        why: Box<str>,
    },
    /// A path cannot be read.
    #[error("bad path `{path}`, at character {column}: {why}")]
    BadPath {
        /// The path.
        path: Box<str>,
        /// Where, in characters from 1.
        column: usize,
        /// What is wrong.
        why: Box<str>,
    },
    /// A slice does not fit an array.
    #[error("{item}bad slice: {why}")]
    BadSlice {
        /// The item.
        item: Item,
        /// What is wrong.
        why: Box<str>,
    },
    /// The elements are structs, and were asked for as numbers.
    #[error("`{path}`: its elements are of type `{found}`: name a field, or read values")]
    NotPrimitive {
        /// The path.
        path: Box<str>,
        /// The type.
        found: Box<str>,
    },
    /// An item of a listing could not be placed.
    #[error("{why}")]
    Listed {
        /// The path.
        path: Box<str>,
        /// What was said of it.
        why: Box<str>,
    },
    /// The elements are no text.
    #[error("`{path}`: its elements are no text")]
    NotText {
        /// The path.
        path: Box<str>,
    },
    /// The structs are of variable size, so there is no stride from one to the next.
    #[error("`{path}`: its structs differ in size: read it as values, or one instance of it")]
    Variable {
        /// The path.
        path: Box<str>,
    },
    /// The elements cannot be borrowed: not in memory, not aligned, not side by side, of the other
    /// byte order, or filtered.
    #[error("`{path}`: its elements cannot be borrowed as they are: read a copy")]
    NoView {
        /// The path.
        path: Box<str>,
    },
    /// Something is a dict or list, and was asked for as data.
    #[error("`{path}` is a {kind} and has no elements itself")]
    NotData {
        /// The path.
        path: Box<str>,
        /// What it is.
        kind: &'static str,
    },
    /// What was given for an item does not fit it.
    #[error("{item}expected {expected}, found {found}")]
    WrongValue {
        /// The item.
        item: Item,
        /// What the layout wants.
        expected: Box<str>,
        /// What was given.
        found: Box<str>,
    },
    /// Items of the layout that nothing was given for.
    #[error("nothing was given for {}", listed(&quoted(paths)))]
    Missing {
        /// Their paths.
        paths: Vec<String>,
    },
    /// Values were given for what is not in the stream.
    #[error("there is nothing in the layout for {}{}", listed(paths), but_missing(missing))]
    Unused {
        /// What there is nothing for.
        paths: Vec<Stray>,
        /// Items and params of the layout that nothing was given for.
        missing: Vec<String>,
    },
    /// The layout that a stream carries puts something elsewhere than the one that is used.
    #[error("`{path}`: the layout of the stream differs: expected {expected}, found {found}")]
    Incompatible {
        /// The path.
        path: Box<str>,
        /// What the layout in use says.
        expected: Box<str>,
        /// What the layout of the stream says.
        found: Box<str>,
    },
    /// A stream that must begin with a signature does not.
    #[error("no native stream: it does not begin with `8d 3c 42 44` or `8d 3e 42 44`")]
    NotNative,
    /// Bytes do not have the checksum that was stored for them.
    #[error(
        "{item}{length} byte{} at address {address}: expected checksum {expected:08x}, found \
         {found:08x}",
        plural(*length)
    )]
    Checksum {
        /// The item.
        item: Item,
        /// Where the bytes begin.
        address: u64,
        /// How many they are.
        length: u64,
        /// The CRC-32C that was stored.
        expected: u32,
        /// The CRC-32C of what is there.
        found: u32,
    },
    /// The index of a layout cannot be used, or not be written.
    #[error("the index at address {address}: expected {expected}, found {found}")]
    Index {
        /// What that comes to.
        fault: crate::index::Fault,
        /// Where the index, or the part of it that is wrong, is or should be.
        address: u64,
        /// What should be there.
        expected: Box<str>,
        /// What is there.
        found: Box<str>,
    },
    /// A writer was asked for more after it was finished.
    #[error("the writer is finished: nothing more can be written")]
    Finished,
    /// The target of a new file exists, and may not be replaced.
    #[error("`{}` exists", path.display())]
    Exists {
        /// The target.
        path: std::path::PathBuf,
    },
}

/// As it is displayed: a program whose `main` gives an error shows it so.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error {
    /// The operating system refused `context`.
    pub fn io(context: impl Into<String>, source: io::Error) -> Error {
        Error::Io { context: context.into(), source }
    }

    /// `needed` bytes at `address` are not all there.
    pub fn truncated(address: u64, needed: u64, available: u64) -> Error {
        Error::Truncated { item: Item::UNKNOWN, address, needed, available }
    }

    /// A filter failed on the bytes at `address`.
    pub fn filter(address: u64, filter: &str, reason: FilterError) -> Error {
        Error::Filter { item: Item::UNKNOWN, address, filter: filter.into(), reason }
    }

    /// Lengths that should be equal are not.
    pub fn wrong_length(expected: u64, found: u64) -> Error {
        Error::WrongLength { item: Item::UNKNOWN, expected, found }
    }

    /// `size` bytes cannot be had.
    pub fn too_large(size: u64) -> Error {
        Error::TooLarge { item: Item::UNKNOWN, size }
    }

    /// No filter of this name is registered.
    pub fn unknown_filter(filter: &str) -> Error {
        Error::UnknownFilter { item: Item::UNKNOWN, filter: filter.into() }
    }

    /// The shape of an item is not the one expected.
    pub fn wrong_shape(path: &str, expected: &[u64], found: &[u64]) -> Error {
        Error::WrongShape {
            item: Item::new(path),
            expected: expected.into(),
            found: found.into(),
            params: Vec::new(),
        }
    }

    /// The path of the item, when the error has one.
    pub fn item(&self) -> Option<&str> {
        match self {
            Error::Truncated { item, .. }
            | Error::Filter { item, .. }
            | Error::UnknownFilter { item, .. }
            | Error::WrongType { item, .. }
            | Error::LossyConversion { item, .. }
            | Error::WrongShape { item, .. }
            | Error::WrongLength { item, .. }
            | Error::Const { item, .. }
            | Error::Checksum { item, .. }
            | Error::Text { item, .. }
            | Error::BadSlice { item, .. }
            | Error::WrongValue { item, .. }
            | Error::TooLarge { item, .. } => item.path(),
            Error::Resolve(error) => error.path(),
            Error::NoSuchItem { path, .. }
            | Error::NotPrimitive { path, .. }
            | Error::NotText { path }
            | Error::Listed { path, .. }
            | Error::Variable { path }
            | Error::NoView { path }
            | Error::NotData { path, .. } => Some(path),
            _ => None,
        }
    }

    /// The address in bytes, when the error has one.
    pub fn address(&self) -> Option<u64> {
        match self {
            Error::Truncated { address, .. }
            | Error::Filter { address, .. }
            | Error::Const { address, .. }
            | Error::Checksum { address, .. }
            | Error::Index { address, .. } => Some(*address),
            _ => None,
        }
    }

    /// Says which item the error is about, unless it says so already.
    ///
    /// ```
    /// use dudley::error::Error;
    ///
    /// let error = Error::truncated(16, 8, 3).of_item("/time");
    /// assert_eq!(
    ///     error.to_string(),
    ///     "`/time`: 8 bytes are needed at address 16, but the stream has 3 there",
    /// );
    /// ```
    #[must_use]
    pub fn of_item(mut self, path: &str) -> Error {
        match &mut self {
            Error::Truncated { item, .. }
            | Error::Filter { item, .. }
            | Error::UnknownFilter { item, .. }
            | Error::WrongType { item, .. }
            | Error::LossyConversion { item, .. }
            | Error::WrongShape { item, .. }
            | Error::WrongLength { item, .. }
            | Error::Const { item, .. }
            | Error::Checksum { item, .. }
            | Error::Text { item, .. }
            | Error::BadSlice { item, .. }
            | Error::WrongValue { item, .. }
            | Error::TooLarge { item, .. }
                if item.path().is_none() =>
            {
                *item = Item::new(path);
            }
            Error::Variable { path: known } if known.is_empty() => *known = path.into(),
            Error::Resolve(error) => return Error::Resolve(error.clone().needed_by(path)),
            _ => {}
        }
        self
    }

    /// Of a wrong shape, says which params decide the right one, unless it says so already.
    #[must_use]
    pub fn of_params(mut self, decisive: impl FnOnce() -> Vec<(String, i64)>) -> Error {
        if let Error::WrongShape { params, .. } = &mut self
            && params.is_empty()
        {
            *params = decisive();
        }
        self
    }

    /// Replaces the address, when the error has one: for sources that shift addresses.
    #[must_use]
    pub fn map_address(mut self, map: impl FnOnce(u64) -> u64) -> Error {
        match &mut self {
            Error::Truncated { address, .. }
            | Error::Filter { address, .. }
            | Error::Const { address, .. }
            | Error::Checksum { address, .. }
            | Error::Index { address, .. } => *address = map(*address),
            _ => {}
        }
        self
    }
}

/// The first error of a layout in one line, and how many there are.
fn first_error(text: &str, errors: &[dudley_parser::Diagnostic]) -> String {
    let Some(first) = errors.first() else { return "the layout has errors".to_owned() };
    let at = dudley_parser::span::LineIndex::new(text).line_column(first.primary.span.start);
    let more = match errors.len() {
        1 => String::new(),
        n => format!(" (and {} more error{})", n - 1, plural(n as u64 - 1)),
    };
    format!("the layout has an error at {}:{}: {}{more}", at.line, at.column, first.message)
}

/// The first few of many.
fn listed<T: fmt::Display>(paths: &[T]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<String> = paths.iter().take(SHOWN).map(T::to_string).collect();
    let mut text = shown.join(", ");
    if paths.len() > SHOWN {
        text += &format!(" and {} more", paths.len() - SHOWN);
    }
    text
}

fn quoted(paths: &[String]) -> Vec<String> {
    paths.iter().map(|path| format!("`{path}`")).collect()
}

fn but_missing(missing: &[String]) -> String {
    match missing.is_empty() {
        true => String::new(),
        false => format!("; nothing was given for {}", listed(&quoted(missing))),
    }
}

fn from_params(params: &[(String, i64)]) -> String {
    let params: Vec<String> =
        params.iter().map(|(path, value)| format!("{path} = {value}")).collect();
    match params.is_empty() {
        true => String::new(),
        false => format!(" (the shape expected is from {})", params.join(", ")),
    }
}

/// A path that values were given for, and that is not in the layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stray {
    /// The path.
    pub path: String,
    /// The path of the layout that was perhaps meant.
    pub similar: Option<String>,
}

impl fmt::Display for Stray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.path)?;
        match &self.similar {
            Some(similar) => write!(f, " (did you mean `{similar}`?)"),
            None => Ok(()),
        }
    }
}

/// Adds to the error of a result what the caller knows.
pub trait Context<T> {
    /// Says which item an error is about, unless it says so already.
    ///
    /// # Errors
    /// The error of `self`.
    fn of_item(self, path: &str) -> Result<T>;
}

impl<T> Context<T> for Result<T> {
    fn of_item(self, path: &str) -> Result<T> {
        self.map_err(|error| error.of_item(path))
    }
}

/// A primitive with the type that it is in Rust, whose `i8` has one byte and not eight.
fn in_rust(primitive: Primitive) -> String {
    let rust = match primitive {
        Primitive::I1 => "i8",
        Primitive::I2 => "i16",
        Primitive::I4 => "i32",
        Primitive::I8 => "i64",
        Primitive::U1 | Primitive::S1 | Primitive::Utf8 => "u8",
        Primitive::U2 | Primitive::Utf16 => "u16",
        Primitive::U4 | Primitive::P4 | Primitive::Utf32 => "u32",
        Primitive::U8 | Primitive::P8 => "u64",
        Primitive::F2 => "f16",
        Primitive::F4 => "f32",
        Primitive::F8 => "f64",
        Primitive::C4 => "Complex<f16>",
        Primitive::C8 => "Complex<f32>",
        Primitive::C16 => "Complex<f64>",
        Primitive::B1 => "bool",
    };
    format!("`{}` ({rust} in Rust)", primitive.name())
}

/// What makes a word mean so many.
pub(crate) fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// `length` as a size of memory.
pub(crate) fn to_usize(length: u64) -> Result<usize> {
    usize::try_from(length).map_err(|_| Error::too_large(length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_item_and_the_outermost_address_win() {
        let error = Error::truncated(100, 8, 0).of_item("/a/b").of_item("/a");
        assert_eq!(error.item(), Some("/a/b"));
        assert_eq!(error.map_address(|a| a - 64).address(), Some(36));
        let io = Error::io("cannot open `x`", io::Error::from(io::ErrorKind::NotFound));
        assert_eq!((io.item(), io.address()), (None, None));
        assert!(io.of_item("/a").to_string().starts_with("cannot open `x`: "));
    }

    #[test]
    fn checksums_and_indices_say_where_and_what() {
        let item = Item::new("/rho");
        let error = Error::Checksum { item, address: 16, length: 1, expected: 0x1f, found: 2 };
        assert_eq!(
            error.to_string(),
            "`/rho`: 1 byte at address 16: expected checksum 0000001f, found 00000002"
        );
        let fault = crate::index::Fault::Stale;
        let (expected, found) = ("a layout of 9 bytes".into(), "one of 8".into());
        let error = Error::Index { fault, address: 64, expected, found };
        assert_eq!(
            error.to_string(),
            "the index at address 64: expected a layout of 9 bytes, found one of 8"
        );
        assert_eq!(error.map_address(|a| a + 1).address(), Some(65));
    }

    #[test]
    fn results_carry_errors_cheaply() {
        assert!(size_of::<Error>() <= 96, "{}", size_of::<Error>());
    }
}
