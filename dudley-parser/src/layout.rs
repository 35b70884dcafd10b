//! The checked layout: what a layout text declares, with every name resolved.
//!
//! A [`Layout`] can only come from [`crate::check()`], so what it says holds: names stand for things
//! that exist, types are unfolded where they are used, alignments are known. Dimensions may still
//! be params; [`crate::resolve`] turns them into numbers.
//!
//! Things refer to each other by ids, dense numbers that index the tables here. What lies one after
//! the other in a stream is a run of [`Step`]s; the root has one, and so has every record, every
//! anonymous dict and every pair of list brackets. A list that repeats a billion times holds its
//! steps once.

pub mod blocks;
mod constants;
mod dims;
pub mod dtype;
pub mod excerpt;
pub mod expr;
pub mod identity;
pub mod path;
mod placing;
pub mod presented;
pub mod print;
pub mod text;
mod unit;
pub mod words;

use crate::ast::{Comment, CommentKind, FilterValue};
use crate::comments::{Attribute, doc_text};
use crate::diagnostic::Diagnostic;
use crate::names::{Names, Symbol};
use crate::span::Span;
use dtype::{ByteOrder, Primitive};
use expr::ExprOp;
use hashbrown::{HashMap, HashSet};
use std::ops::{Index, Range};
use std::sync::OnceLock;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub struct $name(pub(crate) u32);

            impl $name {
                /// The number itself, dense from 0.
                ///
                /// ```
                /// use dudley_parser::layout::ROOT;
                ///
                /// assert_eq!(ROOT.index(), 0);
                /// ```
                pub const fn index(self) -> usize {
                    self.0 as usize
                }
            }
        )*
    };
}

ids! {
    /// A dict of a layout; 0 is the root.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"grp/ x = f8").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// assert_eq!(x.dict.map(|id| id.index()), Some(1));
    /// ```
    DictId,
    /// A list of a layout.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"l [f8]").layout.unwrap();
    /// let (id, _) = layout.lists().next().unwrap();
    /// assert_eq!(layout.name(layout[id].name), "l");
    /// ```
    ListId,
    /// A data item, list item or struct member.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = f8").layout.unwrap();
    /// let (id, _) = layout.arrays().next().unwrap();
    /// assert_eq!(layout.name(layout[id].name), "x");
    /// ```
    ArrayId,
    /// A param; each redeclaration is one of its own.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"N : 3  x = f8[N]").layout.unwrap();
    /// let (id, _) = layout.params().next().unwrap();
    /// assert_eq!(layout.name(layout[id].name), "N");
    /// ```
    ParamId,
    /// A struct type in one place of use: its free params are bound.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = {a = u1  b = f8}").layout.unwrap();
    /// let (id, _) = layout.records().next().unwrap();
    /// assert_eq!(layout[id].align, 8);
    /// ```
    RecordId,
    /// A named type as declared.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"pair {a = u1  b = f8}  x = pair").layout.unwrap();
    /// let (_, record) = layout.records().next().unwrap();
    /// assert_eq!(record.ty.map(|id| layout.name(layout[id].name)), Some("pair"));
    /// ```
    TypeId,
    /// A pair of list brackets, or an extension, with its repeat count.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"l [f8]  l [2]").layout.unwrap();
    /// let (_, list) = layout.lists().next().unwrap();
    /// assert_eq!(list.pieces.iter().map(|id| layout[*id].extension).collect::<Vec<_>>(), [false, true]);
    /// ```
    RepeatId,
    /// An expression of params and integers.
    ///
    /// ```
    /// use dudley_parser::layout::Count;
    ///
    /// let layout = dudley_parser::check(b"N : 3  x = f8[2*N]").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// assert!(matches!(layout.dims(x)[0].count, Count::Expr(id) if layout.expr(id).len() == 3));
    /// ```
    ExprId,
    /// A filter in use.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = u1[9] -> zlib").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// assert_eq!(x.filter.map(|id| layout.name(layout[id].name)), Some("zlib"));
    /// ```
    FilterId,
}

/// The dict that everything lies in.
pub const ROOT: DictId = DictId(0);

/// A run of steps, as a range of the steps of its [`Layout`].
///
/// ```
/// let layout = dudley_parser::check(b"x = f8  y = f8").layout.unwrap();
/// let run = layout.lists().next().is_none().then_some(layout.root().len());
/// assert_eq!(run, Some(2));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Run {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Run {
    /// How many steps.
    ///
    /// ```
    /// use dudley_parser::layout::Run;
    ///
    /// assert_eq!(Run::default().len(), 0);
    /// ```
    pub const fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether it is empty.
    ///
    /// ```
    /// use dudley_parser::layout::Run;
    ///
    /// assert!(Run::default().is_empty());
    /// ```
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    pub(crate) const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// One thing in a run, in the order of the text.
///
/// ```
/// use dudley_parser::layout::Step;
///
/// let layout = dudley_parser::check(b"N : i8  x = f8[N]").layout.unwrap();
/// assert!(matches!(layout.root(), [Step::Param(_), Step::Array(_)]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A param; a fixed one takes no space.
    Param(ParamId),
    /// A data item, list item or member.
    Array(ArrayId),
    /// A piece of a list.
    Repeat(RepeatId),
    /// An anonymous dict in a list: its own run.
    Group(DictId),
    /// A named dict is first entered here. Takes no space.
    Enter(DictId),
}

/// A dict, named or anonymous.
///
/// ```
/// let layout = dudley_parser::check(b"grp/ x = f8").layout.unwrap();
/// assert_eq!(layout.dicts().len(), 2); // the root and `grp`
/// ```
#[derive(Clone, Debug)]
pub struct Dict {
    /// The dict around it; of an anonymous one, the dict that its list is declared in.
    pub parent: Option<DictId>,
    /// Its name; empty for the root and for anonymous dicts.
    pub name: Symbol,
    /// The root or the anonymous dict in whose run its items lie: itself, for those two.
    pub home: DictId,
    /// The steps of the root and of anonymous dicts, in the order of the text.
    pub run: Run,
    /// The list that holds it, for anonymous dicts.
    pub list: Option<ListId>,
    /// Where it was first named.
    pub span: Span,
    /// The run holds something whose place or size must be read, not computed.
    pub varying: bool,
    /// An alignment that decides where things go in the run: the greatest, in bytes.
    pub phase: u64,
    /// An explicit `@` lies in the run.
    pub absolute: bool,
}

impl Dict {
    /// The root, while nothing lies in it.
    pub(crate) fn root() -> Dict {
        Dict {
            parent: None,
            name: Symbol::EMPTY,
            home: ROOT,
            run: Run::default(),
            list: None,
            span: Span::at(0),
            varying: false,
            phase: 1,
            absolute: false,
        }
    }
}

/// A list, named or the element of another.
///
/// ```
/// let layout = dudley_parser::check(b"l [/ x = f8]*3").layout.unwrap();
/// assert_eq!(layout.lists().count(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct List {
    /// The dict it is declared in; of a sublist, the one of the list around it.
    pub dict: DictId,
    /// Its name; empty for sublists.
    pub name: Symbol,
    /// The pieces, in the order of the text. A sublist has one.
    pub pieces: Vec<RepeatId>,
    /// Where it was first named; of a sublist, its bracket.
    pub span: Span,
    /// The list around a sublist.
    pub outer: Option<ListId>,
}

/// A bracketed sequence and how often it occurs in a row.
///
/// ```
/// let layout = dudley_parser::check(b"l [/ x = f8]*3").layout.unwrap();
/// assert_eq!(layout.repeats().len(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Repeat {
    /// The list that it is a piece of.
    pub list: ListId,
    /// One repetition.
    pub body: Run,
    /// How often; an absent one is once.
    pub count: Count,
    /// The count's place in the text; of an absent one, the list's.
    pub count_span: Span,
    /// The list's name or bracket in the text.
    pub span: Span,
    /// Index of the step in the run it lies in.
    pub step: u32,
    /// As [`Dict::varying`].
    pub varying: bool,
    /// As [`Dict::phase`].
    pub phase: u64,
    /// As [`Dict::absolute`].
    pub absolute: bool,
    /// The body holds brackets or dicts itself.
    pub nested: bool,
    /// An extension (`name [n]`), which shares the body of the item that it repeats.
    pub extension: bool,
}

/// A param.
///
/// ```
/// let layout = dudley_parser::check(b"N : i8  x = f8[N]").layout.unwrap();
/// let (_, n) = layout.params().next().unwrap();
/// assert_eq!(layout.name(n.name), "N");
/// ```
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: Symbol,
    /// How often the name was declared before in the same place: shown as `NAME#2` for 1.
    pub ordinal: u32,
    /// Where it is declared.
    pub scope: Scope,
    /// Fixed or streamed.
    pub value: ParamValue,
    /// Where a streamed one lies.
    pub place: Place,
    /// The alignment in force, in bytes.
    pub align: u64,
    /// The `%n` in the text that asks for it.
    pub asked: Option<Span>,
    /// Index of its step in the run it lies in.
    pub step: u32,
    /// Some dimension, repeat, address or stored count depends on it.
    pub used: bool,
    /// It has the attribute `stream_bytes` (spec 4.7).
    pub stream_bytes: bool,
    /// The item that takes the rest of the stream; this param is its length then (spec 4.9).
    pub to_end: Option<Taker>,
    /// It lies in the stream, and has only one legal value (spec 7.3).
    pub constant: bool,
    /// Its name in the text.
    pub span: Span,
}

impl Param {
    /// Whether its value is that of the text only where no stream is there: the length of that decides it.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"N : i8  x = f8[N]").layout.unwrap();
    /// assert!(!layout.params().next().unwrap().1.is_by_length());
    /// ```
    pub fn is_by_length(&self) -> bool {
        self.stream_bytes || self.to_end.is_some()
    }
}

/// The item that takes the rest of the stream (spec 4.9): a step of the root.
///
/// ```
/// use dudley_parser::layout::Taker;
///
/// let layout = dudley_parser::check(b"N := -1  x = f8[N]").layout.unwrap();
/// assert!(layout.takers().all(|(_, taker)| matches!(taker, Taker::Array(_))));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taker {
    /// By its first dimension.
    Array(ArrayId),
    /// By its repeat.
    Repeat(RepeatId),
}

/// Where a param is declared.
///
/// ```
/// use dudley_parser::layout::{ROOT, Scope};
///
/// let layout = dudley_parser::check(b"N : i8  x = f8[N]").layout.unwrap();
/// assert_eq!(layout.params().next().unwrap().1.scope, Scope::Dict(ROOT));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// In a dict that occurs once.
    Dict(DictId),
    /// In an anonymous dict or below one: once for each repetition.
    Repeated(DictId),
    /// In a struct: once for each instance.
    Record,
}

/// Where a param's value comes from.
///
/// ```
/// use dudley_parser::layout::ParamValue;
///
/// let layout = dudley_parser::check(b"N : 3  x = f8[N]").layout.unwrap();
/// assert!(matches!(layout.params().next().unwrap().1.value, ParamValue::Fixed(_)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamValue {
    /// From the text.
    Fixed(i64),
    /// From the stream.
    Streamed(Primitive, Option<ByteOrder>),
}

/// A number that may depend on params: a dimension, a repeat, an address, a count of bytes.
///
/// ```
/// use dudley_parser::layout::Count;
///
/// let layout = dudley_parser::check(b"N : i8  x = f8[3, N-]").layout.unwrap();
/// let (_, x) = layout.arrays().next().unwrap();
/// assert_eq!(layout.dims(x)[0].count, Count::Int(3));
/// assert!(matches!(layout.dims(x)[1].count, Count::Param(_, -1)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Count {
    /// A number.
    Int(i64),
    /// A param, and how many more (or, below 0, fewer); without effect where it is 0 or -1.
    Param(ParamId, i32),
    /// An expression: plain arithmetic.
    Expr(ExprId),
}

/// A dimension and where it stands.
///
/// ```
/// use dudley_parser::layout::Count;
///
/// let layout = dudley_parser::check(b"N : i8  x = f8[N+, 3]").layout.unwrap();
/// let (_, x) = layout.arrays().next().unwrap();
/// assert!(matches!(layout.dims(x)[0].count, Count::Param(_, 1)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dim {
    /// The dimension.
    pub count: Count,
    /// Its place in the text.
    pub span: Span,
}

/// The type of the elements of an array.
///
/// ```
/// use dudley_parser::layout::Element;
///
/// let layout = dudley_parser::check(b"x = f8[3]").layout.unwrap();
/// let (_, x) = layout.arrays().next().unwrap();
/// assert!(matches!(x.element, Element::Primitive(..)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// A primitive; without an order it has the stream's.
    Primitive(Primitive, Option<ByteOrder>),
    /// A struct.
    Record(RecordId),
}

/// Where an item goes.
///
/// ```
/// use dudley_parser::layout::Place;
///
/// let layout = dudley_parser::check(b"x = f8  y = f8 @32").layout.unwrap();
/// let explicit: Vec<bool> = layout.arrays().map(|(_, it)| it.place != Place::Next).collect();
/// assert_eq!(explicit, [false, true]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// To the next multiple of the alignment.
    Next,
    /// To an address (in a struct: an offset).
    At(Count, Span),
}

/// A data item of a dict, an item of a list, or a member of a struct.
///
/// ```
/// use dudley_parser::layout::DocKey;
///
/// let layout = dudley_parser::check(b"x = f8[3]  ## place").layout.unwrap();
/// let (_, x) = layout.arrays().next().unwrap();
/// assert_eq!((layout.name(x.name), layout.doc(DocKey::of(x.span)).next()), ("x", Some("place")));
/// ```
#[derive(Clone, Debug)]
pub struct Array {
    /// Its name; empty for list items.
    pub name: Symbol,
    /// Its dict; for list items the one its list is in. None for members.
    pub dict: Option<DictId>,
    /// How many dimensions it has, those of its typedefs at the end.
    pub rank: u32,
    pub(crate) dims: u32,
    /// Its parts.
    pub element: Element,
    /// Its filter.
    pub filter: Option<FilterId>,
    /// Where it goes.
    pub place: Place,
    /// The alignment in force, in bytes.
    pub align: u64,
    /// The `%n` in the text that asks for it.
    pub asked: Option<Span>,
    /// Index of its step in the run it lies in.
    pub step: u32,
    /// Its name in the text, or the type of a list item.
    pub span: Span,
    /// Its type in the text.
    pub dtype_span: Span,
    /// Its members stand for items of its dict (spec 3.10).
    pub spliced: bool,
    /// The typedef that was unfolded here, as the struct it is written as. Its one member has the
    /// last dimensions of this array.
    pub typedef: Option<RecordId>,
    /// It, or a field of its struct, has only one legal value (spec 7.3).
    pub constant: bool,
    /// It is compared with that value where it is measured: sizes behind it are read from the stream (spec
    /// 7.3a). Only in lists and in structs of variable size.
    pub guard: bool,
    /// It is presented otherwise than it is stored, row by row, or its attributes say so (spec 7.7).
    pub presented: bool,
}

/// A struct in one place of use.
///
/// ```
/// let layout = dudley_parser::check(b"x = {a = u1  b = f8}").layout.unwrap();
/// assert_eq!(layout.records().count(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Record {
    /// The named type it comes from.
    pub ty: Option<TypeId>,
    /// Params and arrays in the order of the text.
    pub members: Run,
    /// Alignment of an instance in bytes.
    pub align: u64,
    /// The `} %n` in the text that asks for it, which may be that of the type that a typedef stands for.
    pub asked: Option<Span>,
    /// Instances differ in size (spec 3.8).
    pub variable: bool,
    /// Where things lie in an instance, or how large they are, must be found for each anew.
    pub per_instance: bool,
    /// It depends on params of a record or anonymous dict around it.
    pub local: bool,
    /// A typedef with a streamed param or a filter: shown as its member (spec 3.5).
    pub transparent: bool,
    /// How many members one instance has, those of structs in it included, however often arrays repeat them.
    pub unfolded: u64,
    /// Where it is declared.
    pub span: Span,
}

/// A named type as declared.
///
/// ```
/// let layout = dudley_parser::check(b"pair {a = u1  b = f8}  x = pair").layout.unwrap();
/// assert_eq!(layout.name(layout.types()[0].name), "pair");
/// ```
#[derive(Clone, Debug)]
pub struct Type {
    /// Its name.
    pub name: Symbol,
    /// It stands for its one member.
    pub typedef: bool,
    /// Its instances differ in size.
    pub variable: bool,
    /// Alignment of an instance in bytes.
    pub align: u64,
    /// Names of its members, and whether each is a param.
    pub members: Vec<(Symbol, bool, Span)>,
    /// Names that are not declared inside, and where.
    pub free: Vec<(Symbol, Span)>,
    /// Where it is declared.
    pub span: Span,
    /// Its braces with what follows them.
    pub body: Span,
}

/// A filter in use.
///
/// ```
/// let layout = dudley_parser::check(b"x = u1[9] -> zlib").layout.unwrap();
/// assert_eq!(layout.name(layout.filters()[0].name), "zlib");
/// ```
#[derive(Clone, Debug)]
pub struct Filter {
    /// Its name.
    pub name: Symbol,
    /// Its arguments.
    pub args: Vec<FilterValue>,
    /// The number of stored bytes, where it is given.
    pub stored: Option<Dim>,
    /// Its name in the text.
    pub span: Span,
}

/// The item of a name in a dict.
///
/// ```
/// use dudley_parser::layout::{Entry, ROOT};
///
/// let layout = dudley_parser::check(b"x = f8").layout.unwrap();
/// let x = layout.symbol("x").unwrap();
/// assert!(matches!(layout.entry(ROOT, x), Some(Entry::Array(_))));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A data item.
    Array(ArrayId),
    /// A member of a spliced record: the record, and the index of the member among its steps.
    Spliced(ArrayId, u32),
    /// A dict.
    Dict(DictId),
    /// A list.
    List(ListId),
}

/// The summary block.
///
/// ```
/// let layout = dudley_parser::check(b"{time : f8}  x = f8").layout.unwrap();
/// assert!(layout.summary().is_some());
/// ```
#[derive(Clone, Debug)]
pub struct Summary {
    /// Its members as a struct.
    pub record: RecordId,
    /// The members are the first this many steps of the root.
    pub steps: u32,
}

/// An explicit alignment, once for each use of what has it; for lints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alignment {
    /// The number behind `%`.
    pub(crate) asked: i64,
    /// The alignment in bytes without it.
    pub(crate) natural: u64,
    /// The number's place in the text.
    pub(crate) span: Span,
}

/// The key of the documentation of a declaration: its place in the text.
///
/// ```
/// use dudley_parser::layout::DocKey;
///
/// let layout = dudley_parser::check(b"## A run.\nx = f8").layout.unwrap();
/// assert_eq!(layout.doc(DocKey::LAYOUT).next(), Some("A run."));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DocKey(pub(crate) u32);

impl DocKey {
    /// The key of the layout itself.
    pub const LAYOUT: DocKey = DocKey(u32::MAX);
    /// The key of the summary block.
    pub const SUMMARY: DocKey = DocKey(u32::MAX - 1);
    /// The key of a declaration without documentation.
    pub const NOTHING: DocKey = DocKey(u32::MAX - 2);
    /// The key of the declaration at a span.
    ///
    /// ```
    /// use dudley_parser::layout::DocKey;
    ///
    /// let layout = dudley_parser::check(b"x = f8  ## density").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// assert_eq!(layout.doc(DocKey::of(x.span)).next(), Some("density"));
    /// ```
    pub const fn of(span: Span) -> DocKey {
        DocKey(span.start)
    }
}

/// A checked layout: immutable, and everything in it holds together.
///
/// ```
/// let layout = dudley_parser::check(b"N : i8  ## zones\nx = f8[N]").layout.unwrap();
/// assert_eq!((layout.arrays().count(), layout.params().count()), (1, 1));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Layout {
    pub(crate) text: String,
    pub(crate) end: u32,
    pub(crate) body_end: u32,
    pub(crate) names: Names,
    pub(crate) order: Option<ByteOrder>,
    /// The greatest default alignment, if one is declared for all of the layout.
    pub(crate) pack: Option<u64>,
    pub(crate) summary: Option<Summary>,
    pub(crate) dicts: Vec<Dict>,
    pub(crate) lists: Vec<List>,
    pub(crate) repeats: Vec<Repeat>,
    pub(crate) arrays: Vec<Array>,
    pub(crate) params: Vec<Param>,
    pub(crate) records: Vec<Record>,
    pub(crate) types: Vec<Type>,
    pub(crate) filters: Vec<Filter>,
    pub(crate) dims: Vec<Dim>,
    pub(crate) exprs: Vec<Vec<ExprOp>>,
    pub(crate) steps: Vec<Step>,
    pub(crate) entries: HashMap<(DictId, Symbol), Entry>,
    pub(crate) param_names: HashMap<(DictId, Symbol), Vec<ParamId>>,
    pub(crate) alignments: Vec<Alignment>,
    pub(crate) docs: Vec<(DocKey, Span)>,
    pub(crate) attributes: HashMap<DocKey, Vec<Attribute>>,
    /// The names of all of them, once somebody asked.
    pub(crate) attribute_names: OnceLock<HashSet<String>>,
    /// Steps of the root in which something has only one legal value, by their index.
    pub(crate) guards: Vec<usize>,
    pub(crate) left_out: Vec<Diagnostic>,
    /// Where data and params outside of all brackets are declared, with what is said about them, in the order of the text.
    pub(crate) declared: Vec<Span>,
}

macro_rules! tables {
    ($($id:ident $field:ident $target:ident,)*) => {
        $(impl Index<$id> for Layout {
            type Output = $target;
            fn index(&self, id: $id) -> &$target {
                &self.$field[id.index()]
            }
        })*
    };
}

tables! {
    DictId dicts Dict,
    ListId lists List,
    RepeatId repeats Repeat,
    ArrayId arrays Array,
    ParamId params Param,
    RecordId records Record,
    TypeId types Type,
    FilterId filters Filter,
}

impl Layout {
    /// Whether its text has a terminator (spec 2.3). That of a layout attached to a stream should
    /// have one, or it may be cut off.
    ///
    /// ```
    /// let has = |text: &[u8]| dudley_parser::check(text).layout.unwrap().has_terminator();
    /// assert!(has(b"x = f8\n-\n") && !has(b"x = f8\n"));
    /// ```
    pub fn has_terminator(&self) -> bool {
        self.body_end < self.end
    }

    /// The text that it was made from, up to its terminator.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = f8  # a comment").layout.unwrap();
    /// assert_eq!(layout.text(), "x = f8  # a comment");
    /// ```
    pub fn text(&self) -> &str {
        self.text.get(..self.end as usize).unwrap_or(&self.text)
    }

    /// The text without its terminator.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = f8\n-\n").layout.unwrap();
    /// assert_eq!(layout.body(), "x = f8\n");
    /// ```
    pub fn body(&self) -> &str {
        self.text.get(..self.body_end as usize).unwrap_or(&self.text)
    }

    /// The text as it is attached to a stream. It ends with a terminator on a line of its own, so that readers
    /// ignore everything behind it (spec 8.3).
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = f8  ## a number\n\n").layout.unwrap();
    /// assert_eq!(layout.attached(), "x = f8  ## a number\n-\n");
    /// ```
    pub fn attached(&self) -> String {
        self.body().trim_start_matches('\u{feff}').trim_end().to_owned() + "\n-\n"
    }

    /// The layout that readers of [`Self::attached`] have, without parsing that; `None` if its text begins elsewhere in this
    /// one.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = f8  ## a number\n\n").layout.unwrap();
    /// let attached = layout.as_attached().unwrap();
    /// assert_eq!((attached.text(), attached.body()), ("x = f8  ## a number\n-", "x = f8  ## a number\n"));
    /// ```
    pub fn as_attached(&self) -> Option<Layout> {
        if self.text.starts_with('\u{feff}') {
            return None;
        }
        let text = self.attached();
        let end = u32::try_from(text.len()).ok()?.checked_sub(1)?;
        let mut attached = self.clone();
        (attached.text, attached.end, attached.body_end) = (text, end, end - 1);
        Some(attached)
    }

    /// The byte order that the text begins with, if it does.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = f8").layout.unwrap();
    /// assert_eq!(layout.order(), None);
    /// ```
    pub fn order(&self) -> Option<ByteOrder> {
        self.order
    }

    /// The summary block, if there is one.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = f8").layout.unwrap();
    /// assert!(layout.summary().is_none());
    /// ```
    pub fn summary(&self) -> Option<&Summary> {
        self.summary.as_ref()
    }

    /// The text of a name.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = f8").layout.unwrap();
    /// assert_eq!(layout.name(layout.symbol("x").unwrap()), "x");
    /// ```
    pub fn name(&self, symbol: Symbol) -> &str {
        self.names.get(symbol)
    }

    /// The symbol of a name, if it occurs in the layout.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = f8").layout.unwrap();
    /// assert!(layout.symbol("x").is_some() && layout.symbol("y").is_none());
    /// ```
    pub fn symbol(&self, name: &str) -> Option<Symbol> {
        self.names.find(name)
    }

    /// How many members an instance has of the structs that a step holds; 0 if it holds none.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = {a = u1  b = f8}  y = f8").layout.unwrap();
    /// assert_eq!(layout.unfolded(layout.root()[1]), 0);
    /// ```
    pub fn unfolded(&self, step: Step) -> u64 {
        match step {
            Step::Array(id) => match self[id].element {
                Element::Record(record) => self[record].unfolded,
                Element::Primitive(..) => 0,
            },
            _ => 0,
        }
    }

    /// The steps of a run.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = {a = u1  b = f8}").layout.unwrap();
    /// let (_, record) = layout.records().next().unwrap();
    /// assert_eq!(layout.run(record.members).len(), 2);
    /// ```
    pub fn run(&self, run: Run) -> &[Step] {
        &self.steps[run.range()]
    }

    /// The step that takes all that the stream has left, by its index among those of the root.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"a = f8  N := -1  x = f8[N]").layout.unwrap();
    /// for (_, taker) in layout.takers() {
    ///     assert_eq!(layout.taker_step(taker), 2);
    /// }
    /// ```
    pub fn taker_step(&self, taker: Taker) -> usize {
        match taker {
            Taker::Array(id) => self[id].step as usize,
            Taker::Repeat(id) => self[id].step as usize,
        }
    }

    /// The params that take all that the stream has left (spec 4.9), each with what they are lengths of.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = f8").layout.unwrap();
    /// assert_eq!(layout.takers().count(), 0);
    /// ```
    pub fn takers(&self) -> impl Iterator<Item = (ParamId, Taker)> + '_ {
        self.params().filter_map(|(id, param)| Some((id, param.to_end?)))
    }

    /// The steps of the root, in the order of the text.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = f8  y = f8").layout.unwrap();
    /// assert_eq!(layout.root().len(), 2);
    /// ```
    pub fn root(&self) -> &[Step] {
        self.run(self.dicts[0].run)
    }

    /// Whether a step of the root has a place in a stream: fixed params and dicts have none.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"N : 3  x = f8[N]").layout.unwrap();
    /// let places: Vec<bool> = layout.root().iter().map(|step| layout.takes_place(*step)).collect();
    /// assert_eq!(places, [false, true]);
    /// ```
    pub fn takes_place(&self, step: Step) -> bool {
        match step {
            Step::Param(id) => self[id].is_streamed(),
            Step::Array(_) | Step::Repeat(_) => true,
            Step::Group(_) | Step::Enter(_) => false,
        }
    }

    /// The named types, in the order of the text.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"pair {a = u1  b = f8}  x = pair").layout.unwrap();
    /// assert_eq!(layout.types().len(), 1);
    /// ```
    pub fn types(&self) -> &[Type] {
        &self.types
    }

    /// The filters in use, in the order of the text.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = u1[9] -> zlib").layout.unwrap();
    /// assert_eq!(layout.filters().len(), 1);
    /// ```
    pub fn filters(&self) -> &[Filter] {
        &self.filters
    }

    /// How many params there are, those of structs and repeated dicts included.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"N : i8  M : 3  x = f8[N, M]").layout.unwrap();
    /// assert_eq!(layout.param_count(), 2);
    /// ```
    pub fn param_count(&self) -> usize {
        self.params.len()
    }

    /// The params, in the order in which they got their ids.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"N : i8  M : 3  x = f8[N, M]").layout.unwrap();
    /// let names: Vec<&str> = layout.params().map(|(_, param)| layout.name(param.name)).collect();
    /// assert_eq!(names, ["N", "M"]);
    /// ```
    pub fn params(&self) -> impl Iterator<Item = (ParamId, &Param)> {
        self.params.iter().enumerate().map(|(at, param)| (ParamId(at as u32), param))
    }

    /// The data items, list items and struct members, in the order in which they got their ids.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = f8  y = f8").layout.unwrap();
    /// let names: Vec<&str> = layout.arrays().map(|(_, array)| layout.name(array.name)).collect();
    /// assert_eq!(names, ["x", "y"]);
    /// ```
    pub fn arrays(&self) -> impl Iterator<Item = (ArrayId, &Array)> {
        self.arrays.iter().enumerate().map(|(at, array)| (ArrayId(at as u32), array))
    }

    /// The lists, sublists among them, in the order of the text.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"l [/ x = f8]*3").layout.unwrap();
    /// assert_eq!(layout.lists().count(), 1);
    /// ```
    pub fn lists(&self) -> impl Iterator<Item = (ListId, &List)> {
        self.lists.iter().enumerate().map(|(at, list)| (ListId(at as u32), list))
    }

    /// The structs, each use of a type by itself, in the order in which they got their ids.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = {a = u1}  y = {b = f8}").layout.unwrap();
    /// assert_eq!(layout.records().count(), 2);
    /// ```
    pub fn records(&self) -> impl Iterator<Item = (RecordId, &Record)> {
        self.records.iter().enumerate().map(|(at, record)| (RecordId(at as u32), record))
    }

    /// All dicts, the root first.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"grp/ x = f8").layout.unwrap();
    /// assert_eq!(layout.dicts().len(), 2);
    /// ```
    pub fn dicts(&self) -> &[Dict] {
        &self.dicts
    }

    /// The bracketed sequences of all lists.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"l [/ x = f8]*3").layout.unwrap();
    /// assert_eq!(layout.repeats().len(), 1);
    /// ```
    pub fn repeats(&self) -> &[Repeat] {
        &self.repeats
    }

    /// Whether some record is presented as items of its dict (spec 3.10).
    ///
    /// ```
    /// let layout = dudley_parser::check(b"\"\" = {a = u1  b = f8}").layout.unwrap();
    /// assert!(layout.has_spliced());
    /// ```
    pub fn has_spliced(&self) -> bool {
        self.arrays.iter().any(|array| array.spliced)
    }

    /// The dimensions of an array, slowest varying first, those of its typedefs at the end.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = f8[3, 4]").layout.unwrap();
    /// assert_eq!(layout.dims(layout.arrays().next().unwrap().1).len(), 2);
    /// ```
    pub fn dims(&self, array: &Array) -> &[Dim] {
        let start = array.dims as usize;
        &self.dims[start..start + array.rank as usize]
    }

    /// The item of a name in a dict.
    ///
    /// ```
    /// use dudley_parser::layout::ROOT;
    ///
    /// let layout = dudley_parser::check(b"x = f8").layout.unwrap();
    /// assert!(layout.entry(ROOT, layout.symbol("x").unwrap()).is_some());
    /// ```
    pub fn entry(&self, dict: DictId, name: Symbol) -> Option<Entry> {
        self.entries.get(&(dict, name)).copied()
    }

    /// The declarations of a param in a dict, oldest first.
    ///
    /// ```
    /// use dudley_parser::layout::ROOT;
    ///
    /// let layout = dudley_parser::check(b"N : i8  x = f8[N]  N : i8  y = f8[N]").layout.unwrap();
    /// assert_eq!(layout.declarations(ROOT, layout.symbol("N").unwrap()).len(), 2);
    /// ```
    pub fn declarations(&self, dict: DictId, name: Symbol) -> &[ParamId] {
        self.param_names.get(&(dict, name)).map_or(&[], Vec::as_slice)
    }

    /// The lines of documentation of a declaration, stripped.
    ///
    /// ```
    /// use dudley_parser::layout::DocKey;
    ///
    /// let layout = dudley_parser::check(b"x = f8  ## place").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// assert_eq!(layout.doc(DocKey::of(x.span)).collect::<Vec<_>>(), ["place"]);
    /// ```
    pub fn doc(&self, key: DocKey) -> impl Iterator<Item = &str> {
        let start = self.docs.partition_point(|(other, _)| *other < key);
        self.docs[start..]
            .iter()
            .take_while(move |(other, _)| *other == key)
            .map(|&(_, span)| doc_text(&self.text, &Comment { span, kind: CommentKind::Doc }))
    }

    /// The attributes of a declaration, in the order of the text; of equal names the last.
    ///
    /// ```
    /// use dudley_parser::layout::DocKey;
    ///
    /// let layout = dudley_parser::check(b"x = f8  #: level = 3, valid_min = 0").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// assert_eq!(layout.attributes(DocKey::of(x.span)).len(), 2);
    /// ```
    pub fn attributes(&self, key: DocKey) -> &[Attribute] {
        self.attributes.get(&key).map_or(&[], Vec::as_slice)
    }

    /// Whether anything has an attribute of that name.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = f8  #: level = 3").layout.unwrap();
    /// assert!(layout.has_attribute("level") && !layout.has_attribute("const"));
    /// ```
    pub fn has_attribute(&self, name: &str) -> bool {
        let all = || self.attributes.values().flatten();
        let names = || all().map(|attribute| attribute.name.clone()).collect();
        self.attribute_names.get_or_init(names).contains(name)
    }

    /// The malformed attributes, which are omitted, of a layout that is opened to read data (spec 7.2).
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = f8").layout.unwrap();
    /// assert!(layout.left_out().is_empty());
    /// ```
    pub fn left_out(&self) -> &[Diagnostic] {
        &self.left_out
    }

    /// The steps of the root in which something has only one legal value, in the order of the text, by
    /// their index: they guard the stream (spec 7.3a).
    ///
    /// ```
    /// let layout = dudley_parser::check(b"magic = u1[2]  #: const = [1, 2]\nx = f8").layout.unwrap();
    /// assert_eq!(layout.guards(), [0]);
    /// ```
    pub fn guards(&self) -> &[usize] {
        &self.guards
    }

    /// One attribute of a declaration.
    ///
    /// ```
    /// use dudley_parser::layout::DocKey;
    ///
    /// let layout = dudley_parser::check(b"x = f8  #: level = 3").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// assert!(layout.attribute(DocKey::of(x.span), "level").is_some());
    /// ```
    pub fn attribute(&self, key: DocKey, name: &str) -> Option<&Attribute> {
        self.attributes(key).iter().find(|attribute| attribute.name == name)
    }

    /// The name of a member of a record that is presented as items of its dict, and where it stands (spec 3.10): of
    /// data, and of params that are stored. None of fixed params, which stay in the record.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"\"\" = {a = u1  N : 3  b = f8[N]}").layout.unwrap();
    /// let (_, record) = layout.records().next().unwrap();
    /// let names = layout.run(record.members).iter().map(|step| layout.presented_member(*step));
    /// let names: Vec<_> = names.map(|it| it.map(|(name, _)| layout.name(name))).collect();
    /// assert_eq!(names, [Some("a"), None, Some("b")]);
    /// ```
    pub fn presented_member(&self, step: Step) -> Option<(Symbol, Span)> {
        match step {
            Step::Array(id) => Some((self[id].name, self[id].span)),
            Step::Param(id) if self[id].is_streamed() => Some((self[id].name, self[id].span)),
            _ => None,
        }
    }

    /// The param that is shown as `name` in a message: `NAME`, or `NAME#2` if redeclared.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"N : i8  x = f8[N]  N : i8  y = f8[N]").layout.unwrap();
    /// let labels: Vec<String> = layout.params().map(|(id, _)| layout.param_label(id)).collect();
    /// assert_eq!(labels, ["N", "N#2"]);
    /// ```
    pub fn param_label(&self, id: ParamId) -> String {
        let param = &self[id];
        match param.ordinal {
            0 => self.name(param.name).to_owned(),
            n => format!("{}#{}", self.name(param.name), n + 1),
        }
    }

    /// The name of a param among the values of its struct: its [label](Self::param_label), with a colon before it
    /// if a member of the struct has the same name.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = {N : i8  a = u1[N]}").layout.unwrap();
    /// let (record, _) = layout.records().next().unwrap();
    /// let (n, _) = layout.params().next().unwrap();
    /// assert_eq!(layout.param_key(record, n), "N");
    /// ```
    pub fn param_key(&self, record: RecordId, id: ParamId) -> String {
        let label = self.param_label(id);
        let is_same = |step: &Step| matches!(step, Step::Array(array) if self.name(self[*array].name) == label);
        if self.run(self[record].members).iter().any(is_same) { format!(":{label}") } else { label }
    }
}
