//! Errors in bytes, each with its address and the path of its item.
//!
//! Faults of layout text are not here: those are diagnostics of `dudley_parser`.

mod group;
mod item;
mod make;
mod reason;
mod store;
mod text;

use std::fmt;
use std::io;

use dudley_parser::layout::dtype::Primitive;
use dudley_parser::resolve::ShapeParam;

pub use group::Group;
pub use item::{Context, Item, is_unread};
pub use reason::{Damage, Fault, FilterError, TextError};
pub use store::StoreFault;
pub(crate) use text::plural;
pub use text::{Stray, file_name};
use text::{
    but_missing, first_error, in_rust, listed, no_text, of_files, of_path, of_range, of_shape,
    quoted, unknown_format,
};

/// The result of all functions that touch bytes.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error in the bytes of a stream. Addresses and sizes are in bytes.
///
/// ```
/// use dudley::{Error, Open};
///
/// let stream = Open::new().layout_text("x = f8[4]")?.raw().bytes([0; 16])?;
/// let error = stream.get("/x")?.read::<f64>().expect_err("16 bytes are missing");
/// assert!(matches!(error, Error::Truncated { needed: 32, available: 16, .. }));
/// assert_eq!((error.item(), error.address()), (Some("/x"), Some(0)));
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused.
    #[error("{context}: {source}")]
    Io {
        /// The failed operation, such as ``cannot open `a.bd` ``.
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
        /// Their number.
        available: u64,
    },
    /// Another program cut off the end of a file while it was read.
    #[error(
        "{item}the file became shorter while it was read: {needed} byte{} needed at address {address} of \
         {file}, but there are {available} now",
        if *needed == 1 { " is" } else { "s are" }
    )]
    Shortened {
        /// The item.
        item: Item,
        /// The name of the file in backquotes, or `it`.
        file: Box<str>,
        /// Where the bytes begin.
        address: u64,
        /// How many there were when the file was opened.
        needed: u64,
        /// How many there are now.
        available: u64,
    },
    /// The first 16 bytes are those of a native stream, but damaged.
    #[error("damaged native signature: {damage}")]
    Signature {
        /// The damage.
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
    #[error("{item}filter `{filter}`: {reason}")]
    FilterArgument {
        /// The item.
        item: Item,
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
    /// A stream is written in place, and its writer has not finished it, or was stopped before it could.
    #[error(
        "the stream is not finished: it is being written, or its writer was stopped before all of it was there"
    )]
    Unfinished,
    /// The elements of an item are not of the type asked for.
    #[error("{item}expected elements of type {expected}, found {}", in_rust(*found))]
    WrongType {
        /// The item.
        item: Item,
        /// The Rust type asked for.
        expected: &'static str,
        /// The declaration in the layout.
        found: Primitive,
    },
    /// Elements of one type were given for an item of another one.
    #[error("{item}expected elements of type {}, found {found}", in_rust(*expected))]
    WrongInput {
        /// The item.
        item: Item,
        /// The declaration in the layout.
        expected: Primitive,
        /// The Rust type of what was given.
        found: &'static str,
    },
    /// The values of a type do not all fit into the type asked for.
    #[error(
        "{item}values of {} cannot all be held by {into} (a lossy conversion must be asked for)",
        in_rust(*from)
    )]
    LossyConversion {
        /// The item.
        item: Item,
        /// The declaration in the layout.
        from: Primitive,
        /// The Rust type asked for.
        into: &'static str,
    },
    /// The shape of an item is not the one asked for.
    #[error(
        "{item}expected shape {expected:?}, found {found:?}{}",
        of_shape(expected, found, params, shapes)
    )]
    WrongShape {
        /// The item.
        item: Item,
        /// The requested shape, in elements, slowest dimension first.
        expected: Box<[u64]>,
        /// What was found.
        found: Box<[u64]>,
        /// The params that decide what is expected.
        params: Vec<ShapeParam>,
        /// The items whose shapes decide these params, by their paths, each with its shape.
        shapes: Box<[(String, Box<[u64]>)]>,
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
        reason: TextError,
    },
    /// More memory or a larger address than this machine has.
    #[error("{item}{size} bytes are more than this machine can hold or address")]
    TooLarge {
        /// The item.
        item: Item,
        /// How much was needed.
        size: u64,
    },
    /// Lists say that they have more items than are visited one by one.
    #[error(
        "`{path}`: there are more items here than the {most} that are visited in a stream of {bytes} byte{}", plural(*bytes)
    )]
    TooManyItems {
        /// The list whose items are too many.
        path: Box<str>,
        /// How many items are visited.
        most: u64,
        /// The length of the stream in bytes.
        bytes: u64,
    },
    /// Something of the layout cannot be placed in this stream.
    #[error("{0}")]
    Resolve(dudley_parser::resolve::ResolveError),
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
    /// No text of a layout stands where the signature says so.
    #[error(
        "no layout stands at address {address}, where the signature says so: {}",
        no_text(*address, *at, *found)
    )]
    NoText {
        /// Where the layout should begin.
        address: u64,
        /// The address of the first byte that no text has.
        at: u64,
        /// That byte; `None` where there is text, but more of it than any layout has.
        found: Option<u8>,
    },
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
        /// The fault.
        why: Box<str>,
    },
    /// There is no param of that name that could be given.
    #[error("no param `{name}` to give: {why}")]
    NoSuchParam {
        /// The name, or path.
        name: Box<str>,
        /// The fault.
        why: Box<str>,
    },
    /// A path cannot be read.
    #[error("bad path `{path}`, at character {column}: {why}")]
    BadPath {
        /// The path.
        path: Box<str>,
        /// Where, in characters from 1.
        column: usize,
        /// The fault.
        why: Box<str>,
    },
    /// A slice does not fit an array.
    #[error("{item}bad slice: {why}")]
    BadSlice {
        /// The item.
        item: Item,
        /// The fault.
        why: Box<str>,
    },
    /// The elements are structs, and were requested as numbers.
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
        /// The reason.
        why: Box<str>,
    },
    /// An error about the item of a path. Most errors name the path themselves.
    #[error("{}", of_path(path, error))]
    OfPath {
        /// The path.
        path: Box<str>,
        /// The fault.
        #[source]
        error: Box<Error>,
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
    /// Something is a dict or list, and was requested as data.
    #[error("`{path}` is a {kind} and has no elements itself")]
    NotData {
        /// The path.
        path: Box<str>,
        /// Its kind.
        kind: &'static str,
    },
    /// A value for an item does not fit it.
    #[error("{item}expected {expected}, found {found}")]
    WrongValue {
        /// The item.
        item: Item,
        /// The type or shape that the layout expects.
        expected: Box<str>,
        /// The given value.
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
        /// The path without an item.
        paths: Vec<Stray>,
        /// Items and params of the layout that nothing was given for.
        missing: Vec<String>,
    },
    /// The layout that a stream carries puts something elsewhere than the one that is used.
    #[error("`{path}`: the layout of the stream differs: expected {expected}, found {found}")]
    Incompatible {
        /// The path.
        path: Box<str>,
        /// The value in the layout in use.
        expected: Box<str>,
        /// The value in the layout of the stream.
        found: Box<str>,
    },
    /// A file, or bytes, are of no format that is known.
    #[error(
        "it is of no format that is known{}: with a layout it is read as a raw stream",
        unknown_format(*probably, *no_text)
    )]
    UnknownFormat {
        /// The probable format, with its article.
        probably: Option<&'static str>,
        /// The address of the first byte that no text has, and that byte: so it is no layout either.
        no_text: Option<(u64, u8)>,
    },
    /// Elements of an array are masked, and were requested as if all had a value.
    #[error("`{path}` has masked elements: its value has null for them")]
    Masked {
        /// The path of the array.
        path: Box<str>,
    },
    /// The headers of a file of another format contradict themselves, or the file.
    #[error("{what} (address {address})")]
    Malformed {
        /// Where what is wrong stands.
        address: u64,
        /// The fault.
        what: Box<str>,
    },
    /// An error in a file of a format that is not a stream.
    #[error(transparent)]
    Foreign(Box<dyn std::error::Error + Send + Sync>),
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
        /// The size.
        fault: Fault,
        /// Where the index, or the part of it that is wrong, is or should be.
        address: u64,
        /// What was expected.
        expected: Box<str>,
        /// What was found.
        found: Box<str>,
    },
    /// A store did not give what was asked of it.
    #[error("cannot read {}`{object}`: {fault}", of_range(range))]
    Store {
        /// The object, as it was opened.
        object: Box<str>,
        /// The bytes that were requested; none for what is known of the object itself.
        range: std::ops::Range<u64>,
        /// The event.
        #[source]
        fault: StoreFault,
    },
    /// The address of an object of a store cannot be used.
    #[error("`{address}` cannot be opened: {why}")]
    StoreAddress {
        /// The address.
        address: Box<str>,
        /// The fault.
        why: Box<str>,
    },
    /// The watcher of a read stopped it.
    #[error("the read was cancelled")]
    Cancelled,
    /// A writer was asked for more after it was finished.
    #[error("the writer is finished: nothing more can be written")]
    Finished,
    /// Another one is writing the stream.
    #[error("`{}` is being written by {holder}: one writer at a time", file_name(&path))]
    Locked {
        /// The file.
        path: std::path::PathBuf,
        /// Who, where that is known: process, host, and since when.
        holder: Box<str>,
    },
    /// An earlier write to a stream failed, so nobody knows what of it is durable.
    #[error(
        "an earlier write to {name} has failed: what was committed is found when it is opened again"
    )]
    Abandoned {
        /// The file.
        name: Box<str>,
    },
    /// An error on one of several ranks that write or read a file together. All ranks return it.
    #[error("{}{why}", rank.map(|rank| format!("rank {rank}: ")).unwrap_or_default())]
    OfRank {
        /// The rank, from 0; `None` for what is missing on any of them.
        rank: Option<u64>,
        /// The text of its error.
        why: Box<str>,
    },
    /// A new layout does not leave something where it is.
    #[error("`{path}` would change: it is {expected}, and would be {found}")]
    Moved {
        /// The path.
        path: Box<str>,
        /// Its kind and its place.
        expected: Box<str>,
        /// Its kind and its place in the future stream.
        found: Box<str>,
    },
    /// Something new would lie in the data that is there.
    #[error(
        "{item}it would begin at address {address}, inside the data that is there, which ends at \
         {end}: give it the place `@{end}`, or one behind that"
    )]
    InOldData {
        /// The item.
        item: Item,
        /// Where it would begin.
        address: u64,
        /// Where the data ends.
        end: u64,
    },
    /// No records can be appended to something.
    #[error("no records can be appended to `{path}`: {why}")]
    CannotGrow {
        /// The path.
        path: Box<str>,
        /// Why not.
        why: Box<str>,
    },
    /// No records can be taken away from something.
    #[error("no records can be taken away from the end of `{path}`: {why}")]
    CannotCut {
        /// The path.
        path: Box<str>,
        /// Why not.
        why: Box<str>,
    },
    /// Something cannot be written over.
    #[error("`{path}` cannot be written in place: {why}")]
    NotInPlace {
        /// The path.
        path: Box<str>,
        /// Why not.
        why: Box<str>,
    },
    /// A stream has bytes that its layout does not describe, where something would be appended.
    #[error(
        "{bytes} byte{} from address {address} on are not described by the layout, and would be \
         written over: they must be discarded first", plural(*bytes)
    )]
    Undescribed {
        /// Where they begin.
        address: u64,
        /// Their number.
        bytes: u64,
    },
    /// A layout was given for a stream that has one.
    #[error("the stream has a layout of its own, at address {address}: it takes no other")]
    HasLayout {
        /// Where it stands.
        address: u64,
    },
    /// The size of something follows from the length of the stream, which appending changes.
    #[error(
        "param `{path}` takes the length of the stream, or what that has left, which appending to it would change"
    )]
    LengthDecides {
        /// The param.
        path: Box<str>,
    },
    /// No layout was found in a damaged stream.
    #[error("no layout was found that fits the data: {looked} texts were tried")]
    NothingToSalvage {
        /// How many texts looked like one.
        looked: u64,
    },
    /// The target of a new file exists, and may not be replaced.
    #[error("`{}` exists", file_name(&path))]
    Exists {
        /// The target.
        path: std::path::PathBuf,
    },
    /// The target of a new file is one of those that are read for it.
    #[error("{} is read, and cannot be the output too: write a file of another name", file_name(&path))]
    IsRead {
        /// The target.
        path: std::path::PathBuf,
    },
    /// Files among many are not what they should be.
    #[error("{}", of_files(failed))]
    Files {
        /// Each with what is wrong with it.
        failed: Vec<(std::path::PathBuf, Error)>,
    },
    /// An error in a file that was opened by its path. [`Self::cause`] is the error without the path.
    #[error("`{}`: {error}", file_name(path))]
    OfFile {
        /// The file.
        path: std::path::PathBuf,
        /// The fault.
        #[source]
        error: Box<Error>,
    },
    /// An error in one member of a family.
    #[error("member {member}: {error}")]
    OfMember {
        /// Its number.
        member: u64,
        /// The fault.
        #[source]
        error: Box<Error>,
    },
    /// A file is no catalog of a family, or a damaged one.
    #[error("no catalog of a family: {why}")]
    NotCatalog {
        /// The fault.
        why: Box<str>,
    },
    /// A file of a family is not the one that its catalog was made from.
    #[error("it changed since the catalog was made: expected {expected}, found {found}")]
    Stale {
        /// The value in the catalog.
        expected: Box<str>,
        /// The value now.
        found: Box<str>,
    },
    /// A member of a family cannot begin where somebody said, or where it is.
    #[error(
        "a member cannot begin at byte {start}: members begin at multiples of 16, the next of which is \
         {}, {} bytes on",
        start.next_multiple_of(16), start.next_multiple_of(16) - start
    )]
    BadStart {
        /// The byte of the file.
        start: u64,
    },
    /// Members of a family cannot lie so far apart.
    #[error(
        "members cannot begin {step} bytes apart: they begin at multiples of 16, so they are 16 bytes \
         or a multiple of that apart"
    )]
    BadStep {
        /// From one to the next, in bytes.
        step: u64,
    },
    /// A catalog has fewer members.
    #[error("there is no member {member}: the catalog has {count}")]
    NoSuchMember {
        /// The number asked for.
        member: u64,
        /// Their number.
        count: u64,
    },
    /// The arrays of members at one path cannot be stacked.
    #[error("{item}members differ: member {first} has {expected}, member {other} has {found}")]
    Unlike {
        /// The path.
        item: Item,
        /// A member.
        first: u64,
        /// The type and shape that it has there.
        expected: Box<str>,
        /// The first member that has something else.
        other: u64,
        /// Its kind.
        found: Box<str>,
    },
    /// A condition on members cannot be read, or asks for what a catalog does not hold.
    #[error("bad condition, at character {column}: {why}")]
    BadCondition {
        /// The condition.
        text: Box<str>,
        /// Where, in characters from 1.
        column: usize,
        /// The fault.
        why: Box<str>,
        /// Whether the text is no condition, whatever the catalog holds.
        is_text: bool,
    },
}

/// As it is displayed: a program whose `main` gives an error shows it so.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// `length` as a size of memory.
pub(crate) fn to_usize(length: u64) -> Result<usize> {
    usize::try_from(length).map_err(|_| Error::too_large(length))
}

#[cfg(test)]
mod tests;
