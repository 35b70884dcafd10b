//! How the layout of a struct is written, while the program is compiled.

use dudley_parser::layout::dtype::{ByteOrder, Primitive};

use super::check;
use super::constant_text::Out;
use super::form::{Dims, Element, Field, Form, Struct};

impl<const CAP: usize> Out<CAP> {
    /// A name with something in front, all of it in quotes if the name needs them.
    const fn name(&mut self, prefix: Prefix, field: &Field) {
        if field.quoted {
            self.push("\"");
        }
        match prefix {
            Prefix::None => {}
            Prefix::Has => self.push("has_"),
            Prefix::Count => self.push("n_"),
            Prefix::Axis(axis) => {
                self.push("n");
                self.number(axis as i128);
                self.push("_");
            }
        }
        self.push(field.name);
        if field.quoted {
            self.push("\"");
        }
    }

    /// Documentation: its first line here, the others below.
    const fn doc(&mut self, own: &[&str], otherwise: &[&str]) {
        let doc = if own.is_empty() { otherwise } else { own };
        let mut at = 0;
        while at < doc.len() {
            if at == 0 {
                self.push("  ## ");
            } else {
                self.line();
                self.push(if doc[at].is_empty() { "##" } else { "## " });
            }
            self.push(doc[at]);
            at += 1;
        }
    }

    /// The names of the values of an enum.
    const fn values(&mut self, values: &[(&str, i128)]) {
        self.line();
        self.push("#: names = [");
        let mut at = 0;
        while at < values.len() {
            self.push(if at == 0 { "\"" } else { ", \"" });
            self.push(values[at].0);
            self.push("\"");
            at += 1;
        }
        self.push("], values = [");
        at = 0;
        while at < values.len() {
            if at > 0 {
                self.push(", ");
            }
            self.number(values[at].1);
            at += 1;
        }
        self.push("]");
    }

    pub(super) const fn root(&mut self, root: &Struct) {
        match root.order {
            Some(ByteOrder::Little) => self.push("<"),
            Some(ByteOrder::Big) => self.push(">"),
            None => {}
        }
        let mut at = 0;
        while at < root.doc.len() {
            self.line();
            self.push(if root.doc[at].is_empty() { "##" } else { "## " });
            self.push(root.doc[at]);
            at += 1;
        }
        self.items(root, None);
        self.push("\n");
    }

    /// The fields of a struct as items of a dict. `order` is what the structs around it say.
    const fn items(&mut self, of: &Struct, order: Option<ByteOrder>) {
        let mut at = 0;
        while at < of.params.len() {
            let param = &of.params[at];
            self.line();
            self.name(Prefix::None, param);
            self.push(" : ");
            self.element(&param.form.element, or(param.order, order));
            self.doc(param.doc, &[]);
            if param.presence {
                self.push("  #: presence");
            }
            at += 1;
        }
        at = 0;
        while at < of.fields.len() {
            let field = &of.fields[at];
            // Where the type of a field is known the macro has it checked there, with a better span.
            match field.shape {
                Some(shape) => check::shape(&field.form, shape.len()),
                None => check::form(&field.form),
            }
            let own = match field.form.element {
                Element::Dict(dict) => or(field.order, dict.order),
                _ => field.order,
            };
            let order = or(own, order);
            match field.form.element {
                Element::Dict(dict) => self.container(field, dict, order),
                _ => self.array(field, order),
            }
            at += 1;
        }
    }

    /// The params that are named after a field: what its shape does not say.
    const fn params(&mut self, field: &Field, order: Option<ByteOrder>) {
        if field.shape.is_some() {
            return;
        }
        if field.form.optional {
            self.line();
            self.name(Prefix::Has, field);
            self.push(" : i1");
            if !field.form.is_dict() {
                self.push("  #: presence");
            }
        }
        let rank = field.form.rank();
        let (mut dims, mut axis) = (own_dims(&field.form), 0);
        loop {
            dims = match dims {
                Dims::None | Dims::Any => break,
                Dims::Fixed(_, rest) => *rest,
                Dims::Free(rest) => {
                    self.line();
                    self.name(Prefix::of(axis, rank), field);
                    self.push(" : ");
                    self.primitive(Primitive::I8, order);
                    *rest
                }
            };
            axis += 1;
        }
    }

    /// The dimensions of a field, between brackets.
    const fn shape(&mut self, field: &Field) {
        let rank = field.form.rank();
        if rank == 0 && !field.form.optional && field.shape.is_none() {
            return;
        }
        self.push("[");
        if let Some(shape) = field.shape {
            let mut at = 0;
            while at < shape.len() {
                if at > 0 {
                    self.push(", ");
                }
                self.push(shape[at]);
                at += 1;
            }
        } else {
            if field.form.optional {
                self.name(Prefix::Has, field);
            }
            self.dims(field, own_dims(&field.form), 0);
        }
        self.push("]");
    }

    const fn dims(&mut self, field: &Field, dims: Dims, axis: usize) {
        if !matches!(dims, Dims::None) && (axis > 0 || field.form.optional) {
            self.push(", ");
        }
        match dims {
            Dims::None | Dims::Any => {}
            Dims::Fixed(length, rest) => {
                self.number(length as i128);
                self.dims(field, *rest, axis + 1);
            }
            Dims::Free(rest) => {
                self.name(Prefix::of(axis, field.form.rank()), field);
                self.dims(field, *rest, axis + 1);
            }
        }
    }

    const fn align(&mut self, align: Option<u32>) {
        if let Some(align) = align {
            self.push(" %");
            self.number(align as i128);
        }
    }

    /// A data item, with its params in front.
    const fn array(&mut self, field: &Field, order: Option<ByteOrder>) {
        self.params(field, order);
        self.line();
        self.name(Prefix::None, field);
        self.push(" = ");
        match field.form.element {
            Element::Text if field.form.dims.rank() == 0 => self.push("U1"),
            Element::Text => {
                self.push("{len : ");
                self.primitive(Primitive::I4, order);
                self.push("  \"\" = U1[len]}");
            }
            element => self.element(&element, order),
        }
        self.shape(field);
        self.align(field.align);
        let otherwise = match field.form.element {
            Element::Record(record) => record.doc,
            _ => &[],
        };
        self.doc(field.doc, otherwise);
        if let Element::Enum(_, values) = field.form.element {
            self.values(values);
        }
    }

    /// The type of an element.
    pub(super) const fn element(&mut self, element: &Element, order: Option<ByteOrder>) {
        match element {
            Element::Primitive(primitive) | Element::Enum(primitive, _) => {
                self.primitive(*primitive, order);
            }
            Element::Text => self.push("U1"),
            Element::Record(record) => {
                self.push("{");
                let packed = self.packed;
                match record.packed {
                    Some(most) => {
                        self.push("%");
                        self.number(most as i128);
                        self.packed = true;
                    }
                    // Packing reaches into structs that are written inside, and no default is greater than this.
                    None if packed => {
                        self.push("%16");
                        self.packed = false;
                    }
                    None => {}
                }
                self.depth += 1;
                self.items(record, or(record.order, order));
                self.depth -= 1;
                self.packed = packed;
                self.line();
                self.push("}");
                self.align(record.align);
            }
            Element::Dict(_) => {}
        }
    }

    /// A dict, or a list of them.
    const fn container(&mut self, field: &Field, dict: &Struct, order: Option<ByteOrder>) {
        self.params(field, order);
        self.line();
        self.name(Prefix::None, field);
        if matches!(field.form.dims, Dims::None) && !field.form.optional {
            self.push("/");
            self.doc(field.doc, dict.doc);
            self.depth += 1;
            self.items(dict, order);
            self.depth -= 1;
            self.line();
            self.push("..");
            return;
        }
        self.push(" [");
        self.doc(field.doc, dict.doc);
        if field.form.is_dict() {
            self.repetition(dict, order);
            self.push("]*");
            match field.shape {
                Some(shape) => self.push(shape[0]),
                None => self.name(Prefix::Has, field),
            }
        } else {
            self.list(field, dict, order, field.form.dims, 0);
        }
    }

    /// The inside of a list whose bracket is open, and the end of it.
    const fn list(
        &mut self,
        field: &Field,
        dict: &Struct,
        order: Option<ByteOrder>,
        dims: Dims,
        axis: usize,
    ) {
        let (Dims::Fixed(_, rest) | Dims::Free(rest)) = dims else { return };
        if let Dims::None = rest {
            self.repetition(dict, order);
        } else {
            self.depth += 1;
            self.line();
            self.push("[");
            self.list(field, dict, order, *rest, axis + 1);
            self.depth -= 1;
            self.line();
        }
        self.push("]*");
        match (field.shape, dims) {
            (Some(shape), _) => self.push(shape[axis]),
            (None, Dims::Fixed(length, _)) => self.number(length as i128),
            (None, _) => self.name(Prefix::of(axis, field.form.rank()), field),
        }
    }

    const fn repetition(&mut self, dict: &Struct, order: Option<ByteOrder>) {
        self.depth += 1;
        self.line();
        self.push("/");
        self.depth += 1;
        self.items(dict, order);
        self.depth -= 2;
        self.line();
    }
}

/// What stands in front of the name of a field in that of a param. No two fields get equal names:
/// a name begins with `n_`, `has_` or `n` with digits and `_`, and the field is the rest.
#[derive(Clone, Copy)]
enum Prefix {
    None,
    Has,
    Count,
    Axis(usize),
}

impl Prefix {
    const fn of(axis: usize, rank: usize) -> Prefix {
        if rank == 1 { Prefix::Count } else { Prefix::Axis(axis) }
    }
}

const fn or(first: Option<ByteOrder>, second: Option<ByteOrder>) -> Option<ByteOrder> {
    if first.is_some() { first } else { second }
}

/// The dimensions that a layout has to name; that of a string are its units.
const fn own_dims(form: &Form) -> Dims {
    match (form.element, form.dims) {
        (Element::Text, Dims::None) => Dims::Free(&Dims::None),
        (_, dims) => dims,
    }
}
