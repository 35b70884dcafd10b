//! Whether a struct is what a layout that somebody wrote declares: asked while it is compiled.
//!
//! The macro knows the layout and the names of the fields, the compiler knows their types. So the
//! macro writes down what the layout says of each field, and these functions compare.

use dudley_parser::layout::dtype::{Kind, Primitive};

use super::constant_text::Out;
use super::form::{Dims, Element, Form, Struct};

/// The declaration of a field in a layout.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// The name of the item.
    pub name: &'static str,
    /// Where it is declared: file, line and column.
    pub place: &'static str,
    /// How it is declared.
    pub line: &'static str,
    /// Whether a struct may do without.
    pub dispensable: bool,
    /// Its kind.
    pub what: What,
}

/// The kind of an item of a layout.
#[derive(Clone, Copy, Debug)]
pub enum What {
    /// An integer that may be a dimension.
    Param,
    /// Numbers, flags or units of text.
    Array(Primitive, Shape),
    /// Strings of their own length each.
    Texts(Shape),
    /// Structs of fixed size.
    Record(&'static [Declared], Shape),
    /// Named items.
    Dict(&'static [Declared]),
    /// Repeated dicts.
    List(&'static [Declared], Shape),
    /// Kinds that no field can have.
    Other,
}

/// The dimensions of an item.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Their lengths, where they are numbers.
    pub lengths: &'static [Option<usize>],
    /// Whether a param in front says that the item is there.
    pub presence: bool,
}

/// That a field is what the layout declares.
///
/// # Panics
/// If not, which is an error of the compiler.
#[track_caller]
pub const fn field(form: &Form, declared: &Declared) {
    let fits = match declared.what {
        What::Param => {
            matches!(form.element, Element::Primitive(primitive) if is_integer(primitive))
                && form.rank() == 0
                && !form.optional
        }
        What::Array(primitive, shape) => match form.element {
            Element::Primitive(own) | Element::Enum(own, _) => {
                fits_primitive(own, primitive) && fits_shape(form, form.dims, &shape)
            }
            // Text may be shorter than its room, so the last length does not matter.
            Element::Text => primitive.is_text() && fits_text(form, &shape),
            _ => false,
        },
        What::Texts(shape) => {
            matches!(form.element, Element::Text) && fits_shape(form, form.dims, &shape)
        }
        What::Record(members, shape) => match form.element {
            Element::Record(record) if fits_shape(form, form.dims, &shape) => {
                return fields(record, members, declared);
            }
            _ => false,
        },
        What::Dict(items) => match form.element {
            Element::Dict(dict) if form.rank() == 0 && !form.optional => {
                return fields(dict, items, declared);
            }
            _ => false,
        },
        What::List(items, shape) => match form.element {
            Element::Dict(dict) if fits_list(form, &shape) => return fields(dict, items, declared),
            _ => false,
        },
        What::Other => false,
    };
    if !fits {
        let mut out = Out::<4096>::new();
        says(&mut out, declared);
        out.push(", but the field is ");
        out.form(form);
        fail(&out);
    }
}

/// That a field has a form which a layout can say.
///
/// # Panics
/// If not, which is an error of the compiler.
#[track_caller]
pub const fn form(form: &Form) {
    sayable(form);
    assert!(
        !matches!(form.dims, Dims::Any),
        "an array of any rank has no layout: name its dimensions with `#[dudley(shape = \"NY, NX\")]`, \
         or take `Array2` or another of a fixed rank"
    );
}

/// As [`form`], of a field that has a `shape`.
#[track_caller]
const fn sayable(form: &Form) {
    assert!(!form.twofold, "an `Option` of an `Option` has no layout: take one `Option`");
    if let (Element::Dict(_), Dims::Fixed(..), true) = (form.element, form.dims, form.optional) {
        panic!("an optional array of structs has no layout: take a `Vec` of them");
    }
    assert!(
        !(form.optional && matches!(form.dims, Dims::Any)),
        "an optional array of any rank has no layout: take `Array2` or another of a fixed rank"
    );
    let mut dims = form.dims;
    loop {
        dims = match dims {
            Dims::None | Dims::Any => break,
            Dims::Free(rest) => *rest,
            Dims::Fixed(length, rest) => {
                assert!(length > 0, "an array of length 0 has no layout");
                *rest
            }
        };
    }
}

/// That a `shape` names as many dimensions as a field has.
///
/// # Panics
/// If not, which is an error of the compiler.
#[track_caller]
pub const fn shape(form: &Form, dims: usize) {
    sayable(form);
    let list = form.optional && !form.is_dict() && matches!(form.element, Element::Dict(_));
    assert!(
        !list,
        "an optional list has no `shape`: its length and whether it is there have names of their own"
    );
    let rank = form.rank() + form.optional as usize;
    if dims != rank && !matches!(form.dims, Dims::Any) {
        let mut out = Out::<4096>::new();
        out.push("`shape` has ");
        out.number(dims as i128);
        out.push(" of the ");
        out.number(rank as i128);
        out.push(" dimensions of ");
        out.form(form);
        if form.optional {
            out.push(", the first of which says whether it is there");
        }
        fail(&out);
    }
}

/// That a field which reads smaller types has numbers.
///
/// # Panics
/// If not, which is an error of the compiler.
#[track_caller]
pub const fn widen(form: &Form) {
    match form.element {
        Element::Text => panic!("`widen` says nothing of text"),
        Element::Dict(_) => {
            panic!("`widen` says nothing of a struct: say it of the struct, or of its fields")
        }
        Element::Record(of) if of.declared => {
            panic!("`widen` says nothing of a struct: say it of the struct, or of its fields")
        }
        Element::Record(_) | Element::Primitive(_) | Element::Enum(..) => {}
    }
}

/// That the fields of a struct are the items of a dict, or the members of a record.
#[track_caller]
const fn fields(of: &Struct, declared: &[Declared], around: &Declared) {
    let mut at = 0;
    while at < declared.len() {
        match find(of.fields, declared[at].name).or_in(of.params, declared[at].name) {
            Found::Field(form) => field(form, &declared[at]),
            Found::None if declared[at].dispensable => {}
            Found::None => {
                let mut out = Out::<4096>::new();
                says(&mut out, &declared[at]);
                out.push(", for which `");
                out.push(of.name);
                out.push("` has no field");
                fail(&out);
            }
        }
        at += 1;
    }
    at = 0;
    while at < of.fields.len() {
        let mut known = false;
        let mut other = 0;
        while other < declared.len() {
            known = known || same(declared[other].name, of.fields[at].name);
            other += 1;
        }
        if !known {
            let mut out = Out::<4096>::new();
            out.push("`");
            out.push(of.name);
            out.push("` has the field `");
            out.push(of.fields[at].name);
            out.push("`, which the layout does not have at ");
            out.push(around.place);
            out.push(": `");
            out.push(around.line);
            out.push("`");
            fail(&out);
        }
        at += 1;
    }
}

enum Found<'f> {
    Field(&'f Form),
    None,
}

impl<'f> Found<'f> {
    const fn or_in(self, fields: &'f [super::form::Field], name: &str) -> Found<'f> {
        match self {
            Found::Field(form) => Found::Field(form),
            Found::None => find(fields, name),
        }
    }
}

const fn find<'f>(fields: &'f [super::form::Field], name: &str) -> Found<'f> {
    let mut at = 0;
    while at < fields.len() {
        if same(fields[at].name, name) {
            return Found::Field(&fields[at].form);
        }
        at += 1;
    }
    Found::None
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

#[track_caller]
const fn fail(message: &Out<4096>) -> ! {
    panic!("{}", message.text())
}

const fn says(out: &mut Out<4096>, declared: &Declared) {
    out.push(declared.place);
    out.push(": the layout declares `");
    out.push(declared.line);
    out.push("`");
}

const fn is_integer(primitive: Primitive) -> bool {
    matches!(primitive.kind(), Kind::Signed | Kind::Unsigned)
}

/// Whether elements of a Rust type are those of a primitive: as [`crate::elements::element::Element::is`].
const fn fits_primitive(own: Primitive, declared: Primitive) -> bool {
    let also = match own {
        Primitive::U1 => matches!(declared, Primitive::S1 | Primitive::Utf8),
        Primitive::U2 => matches!(declared, Primitive::Utf16),
        Primitive::U4 => matches!(declared, Primitive::P4 | Primitive::Utf32),
        Primitive::U8 => matches!(declared, Primitive::P8),
        _ => false,
    };
    also || own as usize == declared as usize
}

const fn fits_shape(form: &Form, dims: Dims, shape: &Shape) -> bool {
    if let (true, Dims::Any) = (form.optional, dims) {
        return false;
    }
    shape.presence == form.optional && fits_dims(dims, shape.lengths, 0)
}

const fn fits_text(form: &Form, shape: &Shape) -> bool {
    let (rank, declared) = (form.dims.rank(), shape.lengths.len());
    declared == rank + 1
        && shape.presence == form.optional
        && fits_dims(form.dims, shape.lengths.split_at(rank).0, 0)
}

/// A list of none or one is an optional dict.
const fn fits_list(form: &Form, shape: &Shape) -> bool {
    if form.optional {
        return form.rank() == 0 && shape.lengths.len() == 1 && shape.lengths[0].is_none();
    }
    fits_dims(form.dims, shape.lengths, 0)
}

const fn fits_dims(dims: Dims, lengths: &[Option<usize>], axis: usize) -> bool {
    match dims {
        Dims::None => axis == lengths.len(),
        Dims::Any => true,
        Dims::Free(rest) => axis < lengths.len() && fits_dims(*rest, lengths, axis + 1),
        Dims::Fixed(own, rest) => {
            let fits = axis < lengths.len()
                && match lengths[axis] {
                    Some(length) => length == own,
                    None => true,
                };
            fits && fits_dims(*rest, lengths, axis + 1)
        }
    }
}

impl Out<4096> {
    /// The kind of a field, for a message.
    const fn form(&mut self, form: &Form) {
        if form.optional {
            self.push("an optional ");
        }
        match form.element {
            Element::Primitive(primitive) | Element::Enum(primitive, _) => {
                self.push("`");
                self.push(primitive.name());
                self.lengths(form.dims);
                self.push("`");
            }
            Element::Text => {
                self.push("text");
                self.of_shape(form.dims);
            }
            Element::Record(of) => {
                self.push("a record of `");
                self.push(of.name);
                self.push("`");
                self.of_shape(form.dims);
            }
            Element::Dict(of) => {
                self.push("a dict of `");
                self.push(of.name);
                self.push("`");
                self.of_shape(form.dims);
            }
        }
    }

    const fn of_shape(&mut self, dims: Dims) {
        if !matches!(dims, Dims::None) {
            self.push(", repeated `");
            self.lengths(dims);
            self.push("`");
        }
    }

    const fn lengths(&mut self, dims: Dims) {
        let mut rest = dims;
        if matches!(rest, Dims::None) {
            return;
        }
        self.push("[");
        loop {
            rest = match rest {
                Dims::None | Dims::Any => break,
                Dims::Fixed(length, rest) => {
                    self.number(length as i128);
                    *rest
                }
                Dims::Free(rest) => {
                    self.push("_");
                    *rest
                }
            };
            if !matches!(rest, Dims::None) {
                self.push(", ");
            }
        }
        self.push("]");
    }
}
