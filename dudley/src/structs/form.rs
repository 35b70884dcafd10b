//! The form of a struct in a layout: the tables that `#[derive(Dudley)]` makes from it.
//!
//! The macro sees one struct at a time, as text. What the types of its fields come to is known only
//! to the compiler, through constants of traits. So a struct is described by a constant that refers
//! to the constants of its fields, and its layout is put together from these while it is compiled.

use dudley_parser::layout::dtype::{ByteOrder, Primitive};

/// A struct: what stands in a dict, in a repetition of a list, or in a record.
#[derive(Clone, Copy, Debug)]
pub struct Struct {
    /// Its name in the program, for messages.
    pub name: &'static str,
    /// Whether somebody declared it: a tuple is a struct of its own.
    pub declared: bool,
    /// Its documentation, line by line.
    pub doc: &'static [&'static str],
    /// The byte order of what has no other.
    pub order: Option<ByteOrder>,
    /// The alignment of a record.
    pub align: Option<u32>,
    /// The greatest alignment that fields of a record have by default.
    pub packed: Option<u32>,
    /// Params that are declared in front of its fields.
    pub params: &'static [Field],
    /// Its stored parts, in order.
    pub fields: &'static [Field],
}

/// A field, or a param, which is a scalar of integers.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name as it stands in a layout, without quotes.
    pub name: &'static str,
    /// Whether the name needs quotes.
    pub quoted: bool,
    /// Its documentation, line by line; the unit is in the first.
    pub doc: &'static [&'static str],
    /// The names of its dimensions. Without them, params have the name of the field.
    pub shape: Option<&'static [&'static str]>,
    /// Its byte order.
    pub order: Option<ByteOrder>,
    /// Its alignment.
    pub align: Option<u32>,
    /// Of a param: it says whether something is there.
    pub presence: bool,
    /// Its parts.
    pub form: Form,
}

/// The parts of a field.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// One element.
    pub element: Element,
    /// Their number.
    pub dims: Dims,
    /// Whether it may be absent.
    pub optional: bool,
    /// Whether what may be absent may be absent, which a layout cannot say.
    pub twofold: bool,
}

/// One element of a field.
#[derive(Clone, Copy, Debug)]
pub enum Element {
    /// A number or flag.
    Primitive(Primitive),
    /// A number with a name for each of its values.
    Enum(Primitive, &'static [(&'static str, i128)]),
    /// Text of any length.
    Text,
    /// A struct whose instances are all alike, stored side by side.
    Record(&'static Struct),
    /// A struct whose fields are items of a dict.
    Dict(&'static Struct),
}

/// Dimensions, slowest varying first.
#[derive(Clone, Copy, Debug)]
pub enum Dims {
    /// No more of them.
    None,
    /// A length that the type knows.
    Fixed(usize, &'static Dims),
    /// A length that each value has.
    Free(&'static Dims),
    /// As many as the `shape` of the field names.
    Any,
}

/// Whether a struct, or one in it, names dimensions of a field.
#[must_use]
pub const fn shaped(of: &Struct) -> bool {
    let mut at = 0;
    while at < of.fields.len() {
        let field = &of.fields[at];
        let within = match field.form.element {
            Element::Dict(dict) => shaped(dict),
            _ => false,
        };
        if field.shape.is_some() || within {
            return true;
        }
        at += 1;
    }
    false
}

impl Dims {
    /// How many.
    #[must_use]
    pub const fn rank(&self) -> usize {
        match self {
            Dims::None | Dims::Any => 0,
            Dims::Fixed(_, rest) | Dims::Free(rest) => 1 + rest.rank(),
        }
    }
}

impl Form {
    /// A scalar of a primitive.
    #[must_use]
    pub const fn primitive(primitive: Primitive) -> Form {
        Form::scalar(Element::Primitive(primitive))
    }

    /// One element.
    #[must_use]
    pub const fn scalar(element: Element) -> Form {
        Form { element, dims: Dims::None, optional: false, twofold: false }
    }

    /// An array.
    #[must_use]
    pub const fn array(element: Element, dims: Dims) -> Form {
        Form { element, dims, optional: false, twofold: false }
    }

    /// The same, or nothing.
    #[must_use]
    pub const fn optional(self) -> Form {
        Form { optional: true, twofold: self.optional, ..self }
    }

    /// Whether it is one dict.
    #[must_use]
    pub const fn is_dict(&self) -> bool {
        matches!((self.element, self.dims), (Element::Dict(_), Dims::None))
    }

    /// How many dimensions an array of it has in a layout, without that of its presence.
    #[must_use]
    pub const fn rank(&self) -> usize {
        match self.element {
            // A string is an array of its units.
            Element::Text if self.dims.rank() == 0 => 1,
            _ => self.dims.rank(),
        }
    }
}
