//! A layout as it was written: every declaration in the order of the text, with spans.
//!
//! Nothing is resolved here: names are names, dimensions are what stands in the brackets. The
//! parser builds it, the checker and the formatter read it. Comments are not attached to anything
//! yet; they lie in one list in the order of the text ([`Ast::comments`]), because what they belong
//! to depends on the declaration last begun before them.

mod renumber;

use crate::layout::dtype::ByteOrder;
use crate::names::{Names, Symbol};
use crate::span::Span;
pub(crate) use renumber::renumber;

/// A whole layout text.
///
/// ```
/// let ast = dudley_parser::parse::parse(b"N : i4  x = f8[N]  # a comment").ast;
/// assert_eq!((ast.items.len(), ast.comments.len()), (2, 1));
/// ```
#[derive(Debug, Default)]
pub struct Ast {
    /// The order indicator at the start, if there is one.
    pub order: Option<(ByteOrder, Span)>,
    /// `%n` before all else: no default alignment is greater.
    pub pack: Option<Pack>,
    /// The summary block, if there is one.
    pub summary: Option<Struct>,
    /// Everything that stands in dicts, in the order of the text.
    pub items: Vec<Item>,
    /// The dashes that end the layout.
    pub terminator: Option<Span>,
    /// All comments before the terminator, in the order of the text.
    pub comments: Vec<Comment>,
    /// The names that occur.
    pub names: Names,
    /// Offset where the layout ends: the terminator's end, else the end of the text.
    pub end: u32,
}

/// A comment with its marks, without the line end.
///
/// ```
/// let ast = dudley_parser::parse::parse(b"x = f8  # a comment").ast;
/// assert_eq!((ast.comments[0].span.start, ast.comments[0].span.end), (8, 19));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    /// From the `#` to the end of the line.
    pub span: Span,
    /// Which of the three it is.
    pub kind: CommentKind,
}

/// The kinds of comments.
///
/// ```
/// use dudley_parser::ast::CommentKind;
///
/// let ast = dudley_parser::parse::parse(b"x = f8  ## density").ast;
/// assert_eq!(ast.comments[0].kind, CommentKind::Doc);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentKind {
    /// `#` (and `###`): for people only.
    Plain,
    /// `##`: documentation.
    Doc,
    /// `#:`: attributes.
    Attribute,
}

/// A name as it stands in the text.
///
/// ```
/// use dudley_parser::ast::ItemKind;
///
/// let ast = dudley_parser::parse::parse(b"\"my name\" = f8").ast;
/// let ItemKind::Data { name, .. } = &ast.items[0].kind else { panic!("a data item") };
/// assert_eq!(ast.names.get(name.symbol), "my name");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// Its meaning, without quotes and escapes.
    pub symbol: Symbol,
    /// Where it stands, quotes included.
    pub span: Span,
}

/// An integer as it stands in the text, with its sign.
///
/// ```
/// use dudley_parser::ast::{ItemKind, ParamValue};
///
/// let ast = dudley_parser::parse::parse(b"N : 3").ast;
/// let ItemKind::Param { value: ParamValue::Fixed(int, _), .. } = &ast.items[0].kind else {
///     panic!("a fixed param")
/// };
/// assert_eq!(int.value, 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Int {
    /// The value.
    pub value: i64,
    /// Sign and digits.
    pub span: Span,
}

/// One thing in a dict (or in braces, or in an anonymous dict of a list).
///
/// ```
/// let ast = dudley_parser::parse::parse(b"x = f8  y = f8").ast;
/// assert_eq!((ast.items[0].span.start, ast.items[0].span.end), (0, 6));
/// assert!(!ast.items[0].poisoned);
/// ```
#[derive(Debug)]
pub struct Item {
    /// From the first to the last byte of it, comments behind it not included.
    pub span: Span,
    /// Its kind.
    pub kind: ItemKind,
    /// An error was reported inside, so nothing more should be said about it; its name counts as
    /// declared, its parts may be missing.
    pub poisoned: bool,
}

/// An item of a dict.
///
/// ```
/// use dudley_parser::ast::ItemKind;
///
/// let ast = dudley_parser::parse::parse(b"grp/ x = f8").ast;
/// assert!(matches!(ast.items[0].kind, ItemKind::Enter { .. }));
/// assert!(matches!(ast.items[1].kind, ItemKind::Data { .. }));
/// ```
#[derive(Debug)]
pub enum ItemKind {
    /// `name = dtype shape? filter? place?`
    Data {
        /// The name declared.
        name: Name,
        /// Its kind.
        array: Array,
    },
    /// `name : value` or `name := value`
    Param {
        /// The name declared.
        name: Name,
        /// `:=` was written, not `:`.
        walrus: bool,
        /// The part behind the colon.
        value: ParamValue,
    },
    /// `name /`
    Enter {
        /// The dict.
        name: Name,
        /// The `/`.
        slash: Span,
    },
    /// `..`
    Up,
    /// `/`
    Root,
    /// `name [ … ] repeat?` or `name = [ … ] repeat?`
    List {
        /// The list.
        name: Name,
        /// `=` was written.
        equals: bool,
        /// The items in the brackets, and their repetitions.
        list: List,
    },
    /// `name [ n ]`: one integer, or one bare name with or without suffixes, alone in brackets
    /// without `=`. Without suffixes a name may as well be a type; the checker knows.
    Extend {
        /// The list.
        name: Name,
        /// The brackets with all in them.
        brackets: Span,
        /// Their items.
        count: Count,
    },
    /// `name { … } align?`
    Type {
        /// The type declared.
        name: Name,
        /// Its members.
        body: Struct,
    },
    /// Something that could not be parsed; the name it began with, if it did, counts as declared.
    Broken {
        /// The name.
        name: Option<Name>,
    },
}

/// The part of a param behind its colon.
///
/// ```
/// use dudley_parser::ast::{ItemKind, ParamValue};
///
/// let ast = dudley_parser::parse::parse(b"N : i8").ast;
/// let ItemKind::Param { value, .. } = &ast.items[0].kind else { panic!("a param") };
/// assert!(matches!(value, ParamValue::Typed(_)));
/// ```
#[derive(Debug)]
pub enum ParamValue {
    /// A fixed value, with the place that should not be there.
    Fixed(Int, Option<Place>),
    /// A type with a place. In a summary it may be any type with a shape (spec 9.2); elsewhere the
    /// checker reports what is not an integer primitive.
    Typed(Array),
}

/// `dtype shape? filter? place?`
///
/// ```
/// use dudley_parser::ast::ItemKind;
///
/// let ast = dudley_parser::parse::parse(b"x = f8[3, 4]").ast;
/// let ItemKind::Data { array, .. } = &ast.items[0].kind else { panic!("a data item") };
/// assert_eq!(array.shape.len(), 2);
/// ```
#[derive(Debug)]
pub struct Array {
    /// The element type.
    pub dtype: Dtype,
    /// The dimensions, slowest varying first; empty when no shape was written.
    pub shape: Vec<Dim>,
    /// The brackets of the shape, if there are any.
    pub shape_span: Option<Span>,
    /// `-> filter …`
    pub filter: Option<Box<Filter>>,
    /// `@…` or `%…`
    pub place: Option<Place>,
    /// From the dtype to the end of the place.
    pub span: Span,
}

/// A type, as it is written.
///
/// ```
/// use dudley_parser::ast::{Dtype, ItemKind};
///
/// let ast = dudley_parser::parse::parse(b"x = {a = u1}").ast;
/// let ItemKind::Data { array, .. } = &ast.items[0].kind else { panic!("a data item") };
/// assert!(matches!(array.dtype, Dtype::Struct(_)));
/// ```
#[derive(Debug)]
pub enum Dtype {
    /// A primitive or a declared type.
    Named {
        /// `<`, `>` or `|`, which touches the name.
        prefix: Option<(Prefix, Span)>,
        /// The type's name.
        name: Name,
    },
    /// An anonymous struct.
    Struct(Box<Struct>),
}

impl Dtype {
    /// Where it stands, prefix included.
    ///
    /// ```
    /// use dudley_parser::ast::ItemKind;
    ///
    /// let ast = dudley_parser::parse::parse(b"x = <f8").ast;
    /// let ItemKind::Data { array, .. } = &ast.items[0].kind else { panic!("a data item") };
    /// assert_eq!(array.dtype.span().range(), 4..7);
    /// ```
    pub fn span(&self) -> Span {
        match self {
            Dtype::Named { prefix: Some((_, prefix)), name } => prefix.to(name.span),
            Dtype::Named { prefix: None, name } => name.span,
            Dtype::Struct(body) => body.span,
        }
    }
}

/// The order prefix of a primitive.
///
/// ```
/// use dudley_parser::ast::{Dtype, ItemKind, Prefix};
/// use dudley_parser::layout::dtype::ByteOrder;
///
/// let ast = dudley_parser::parse::parse(b"x = <f8").ast;
/// let ItemKind::Data { array, .. } = &ast.items[0].kind else { panic!("a data item") };
/// let Dtype::Named { prefix: Some((prefix, _)), .. } = array.dtype else { panic!("a prefix") };
/// assert_eq!(prefix, Prefix::Order(ByteOrder::Little));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefix {
    /// `<` or `>`
    Order(ByteOrder),
    /// `|`: the stream's order.
    Stream,
}

/// `{ members } align?`: of a type, an anonymous struct, or the summary (without align).
///
/// ```
/// use dudley_parser::ast::ItemKind;
///
/// let ast = dudley_parser::parse::parse(b"pair {a = u1  b = f8}").ast;
/// let ItemKind::Type { body, .. } = &ast.items[0].kind else { panic!("a type") };
/// assert_eq!(body.members.len(), 2);
/// ```
#[derive(Debug)]
pub struct Struct {
    /// From the `{` to the end of the `%n`, or of the `}`.
    pub span: Span,
    /// The `{`.
    pub open: Span,
    /// The `}`; empty where it is missing.
    pub close: Span,
    /// The members: `Data`, `Param` and `Broken` only (others were reported and dropped).
    pub members: Vec<Item>,
    /// `{ %n`: no default alignment inside is greater.
    pub pack: Option<Pack>,
    /// `} %n`
    pub align: Option<Int>,
}

/// The greatest default alignment.
///
/// ```
/// let ast = dudley_parser::parse::parse(b"%1 x = u1  y = f8").ast;
/// assert_eq!(ast.pack.map(|pack| pack.align.value), Some(1));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Pack {
    /// The `%`.
    pub sign: Span,
    /// It.
    pub align: Int,
}

/// `[ items? ] repeat?`
///
/// ```
/// use dudley_parser::ast::ItemKind;
///
/// let ast = dudley_parser::parse::parse(b"l [f8, f8]").ast;
/// let ItemKind::List { list, .. } = &ast.items[0].kind else { panic!("a list") };
/// assert_eq!((list.elements.len(), list.repeat.is_none()), (2, true));
/// ```
#[derive(Debug)]
pub struct List {
    /// From the `[` to the end of the repeat.
    pub span: Span,
    /// The `[`.
    pub open: Span,
    /// The `]`; empty where it is missing.
    pub close: Span,
    /// The items in the brackets.
    pub elements: Vec<Element>,
    /// `* n`
    pub repeat: Option<Count>,
}

/// One thing in a list.
///
/// ```
/// use dudley_parser::ast::ItemKind;
///
/// let ast = dudley_parser::parse::parse(b"l [f8, i4]").ast;
/// let ItemKind::List { list, .. } = &ast.items[0].kind else { panic!("a list") };
/// assert_eq!(list.elements[1].span.range(), 7..9);
/// ```
#[derive(Debug)]
pub struct Element {
    /// All of it.
    pub span: Span,
    /// Its kind.
    pub kind: ElementKind,
    /// As [`Item::poisoned`].
    pub poisoned: bool,
}

/// An item of a list.
///
/// ```
/// use dudley_parser::ast::{ElementKind, ItemKind};
///
/// let ast = dudley_parser::parse::parse(b"l [/ x = f8]").ast;
/// let ItemKind::List { list, .. } = &ast.items[0].kind else { panic!("a list") };
/// assert!(matches!(list.elements[0].kind, ElementKind::Dict(_)));
/// ```
#[derive(Debug)]
pub enum ElementKind {
    /// `dtype shape? filter? place?`
    Data(Array),
    /// `[ … ] repeat?`
    List(List),
    /// `/ dict_body`
    Dict(Vec<Item>),
    /// Could not be parsed.
    Broken,
}

/// A dimension, a repeat, a count of stored bytes or an address: an integer, a name with
/// suffixes, or an expression.
///
/// ```
/// use dudley_parser::ast::ItemKind;
///
/// let ast = dudley_parser::parse::parse(b"x = f8[12]").ast;
/// let ItemKind::Data { array, .. } = &ast.items[0].kind else { panic!("a data item") };
/// assert_eq!(array.shape[0].span.range(), 7..9);
/// ```
#[derive(Debug)]
pub struct Count {
    /// All of it.
    pub span: Span,
    /// Its kind.
    pub kind: CountKind,
}

/// A dimension of a shape.
pub type Dim = Count;

/// The forms of a [`Count`].
///
/// ```
/// use dudley_parser::ast::{CountKind, ItemKind};
///
/// let ast = dudley_parser::parse::parse(b"x = f8[N+]").ast;
/// let ItemKind::Data { array, .. } = &ast.items[0].kind else { panic!("a data item") };
/// assert!(matches!(array.shape[0].kind, CountKind::Param { suffix: 1, .. }));
/// ```
#[derive(Debug)]
pub enum CountKind {
    /// An integer with or without sign.
    Int(i64),
    /// A param; `suffix` is the number of `+`, or less than 0 the number of `-`.
    Param {
        /// The param.
        name: Name,
        /// How many more or fewer.
        suffix: i32,
        /// The `+` or `-` signs, if any.
        suffix_span: Option<Span>,
    },
    /// An expression of more than one operand, or in parentheses.
    Expr(Vec<ExprToken>),
}

/// One step of an expression in postfix order: the operands of an operator stand before it.
///
/// ```
/// use dudley_parser::ast::{CountKind, ExprToken, ItemKind};
///
/// let ast = dudley_parser::parse::parse(b"x = f8[2*N]").ast;
/// let ItemKind::Data { array, .. } = &ast.items[0].kind else { panic!("a data item") };
/// let CountKind::Expr(tokens) = &array.shape[0].kind else { panic!("an expression") };
/// assert!(matches!(tokens[..], [ExprToken::Int(2), ExprToken::Param(_), ExprToken::Operator(_)]));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum ExprToken {
    /// An integer; only the first operand of all has a sign.
    Int(i64),
    /// A bare param.
    Param(Name),
    /// What is done with the two operands before it.
    Operator(Operator),
}

/// The operator between two operands.
///
/// ```
/// use dudley_parser::ast::{CountKind, ExprToken, ItemKind, Operator};
///
/// let ast = dudley_parser::parse::parse(b"x = f8[N/2]").ast;
/// let ItemKind::Data { array, .. } = &ast.items[0].kind else { panic!("a data item") };
/// let CountKind::Expr(tokens) = &array.shape[0].kind else { panic!("an expression") };
/// assert!(matches!(tokens[2], ExprToken::Operator(Operator::Divide)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
}

/// `-> name args? stored?`
///
/// ```
/// use dudley_parser::ast::ItemKind;
///
/// let ast = dudley_parser::parse::parse(b"x = f8[9] -> zlib(6)").ast;
/// let ItemKind::Data { array, .. } = &ast.items[0].kind else { panic!("a data item") };
/// let filter = array.filter.as_ref().expect("a filter");
/// assert_eq!((ast.names.get(filter.name.symbol), filter.args.len()), ("zlib", 1));
/// ```
#[derive(Debug)]
pub struct Filter {
    /// From the `->` to the end.
    pub span: Span,
    /// The filter.
    pub name: Name,
    /// Its arguments.
    pub args: Vec<FilterArg>,
    /// `[ n ]`: the number of stored bytes.
    pub stored: Option<Count>,
}

/// An argument of a filter.
///
/// ```
/// use dudley_parser::ast::ItemKind;
///
/// let ast = dudley_parser::parse::parse(b"x = f8[9] -> zlib(6)").ast;
/// let ItemKind::Data { array, .. } = &ast.items[0].kind else { panic!("a data item") };
/// let filter = array.filter.as_ref().expect("a filter");
/// assert_eq!(filter.args[0].span.range(), 18..19);
/// ```
#[derive(Clone, Debug)]
pub struct FilterArg {
    /// Where it stands.
    pub span: Span,
    /// Its value.
    pub value: FilterValue,
}

/// The value of a filter's argument.
///
/// ```
/// use dudley_parser::ast::FilterValue;
///
/// let layout = dudley_parser::check(b"x = f8[9] -> zlib(6)").layout.unwrap();
/// assert_eq!(layout.filters()[0].args, [FilterValue::Int(6)]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum FilterValue {
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// A quoted text.
    Text(String),
}

/// Where an item goes.
///
/// ```
/// use dudley_parser::ast::{ItemKind, Place};
///
/// let ast = dudley_parser::parse::parse(b"x = f8 @32").ast;
/// let ItemKind::Data { array, .. } = &ast.items[0].kind else { panic!("a data item") };
/// assert!(matches!(array.place, Some(Place::At { .. })));
/// ```
#[derive(Debug)]
pub enum Place {
    /// `@address`: an integer (which may be negative here; the checker reports it), a param or a
    /// sum. A bare param has no suffix.
    At {
        /// The address.
        address: Count,
        /// From the `@`.
        span: Span,
    },
    /// `%n`
    Align {
        /// The alignment in bytes as written; 0 is the default.
        align: Int,
        /// From the `%`.
        span: Span,
    },
}

impl Place {
    /// Where it stands, mark included.
    ///
    /// ```
    /// use dudley_parser::ast::ItemKind;
    ///
    /// let ast = dudley_parser::parse::parse(b"x = f8 @32").ast;
    /// let ItemKind::Data { array, .. } = &ast.items[0].kind else { panic!("a data item") };
    /// assert_eq!(array.place.as_ref().map(|place| place.span().range()), Some(7..10));
    /// ```
    pub fn span(&self) -> Span {
        match self {
            Place::At { span, .. } | Place::Align { span, .. } => *span,
        }
    }

    /// The number of an alignment that it asks for: 0 is the default, and asks for nothing.
    pub(crate) fn asked(&self) -> Option<Span> {
        match self {
            Place::Align { align, .. } if align.value != 0 => Some(align.span),
            _ => None,
        }
    }
}
