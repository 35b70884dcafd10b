//! Which type of `dudley::typed` does an item have?

use dudley_parser::layout::dtype::{ByteOrder, Kind, Primitive};
use dudley_parser::layout::{Array, Count, DocKey, Element, Param, ParamValue, RecordId, Step};
use proc_macro2::TokenStream;
use quote::quote;

use super::Generator;

/// The type of an item in Rust.
pub(super) struct ItemKind {
    /// Its type, with a mode `M`.
    pub(super) tokens: TokenStream,
    /// A param says whether it is there (spec 7.4).
    pub(super) optional: bool,
    /// The layout's type, for documentation.
    pub(super) dtype: String,
}

impl Generator<'_> {
    /// The kind of an array: an item of a dict or list, or with `outer` dimensions in front a member
    /// of a record that is spliced into its dict.
    pub(super) fn kind(&mut self, array: &Array, outer: usize, hint: &str) -> ItemKind {
        let k = self.krate.clone();
        let (rank, optional) = self.rank(array);
        let rank = rank + outer;
        let dims = self.dims(rank);
        let (tokens, dtype) = match array.element {
            Element::Primitive(primitive, order) => {
                return ItemKind { optional, ..self.primitive_kind(primitive, order, rank) };
            }
            Element::Record(id) => {
                let name = self.type_name(id);
                let dtype = name.clone().unwrap_or_else(|| "{…}".to_owned());
                let hint = name.as_deref().unwrap_or(hint);
                let ty = self.record_type(id, hint);
                if self.transfer && self.literal_size(id).is_some() {
                    self.convert(id, hint);
                }
                let tokens = match self.literal_size(id) {
                    Some(_) => quote!(#k::typed::Records<#ty, #dims, M>),
                    None => quote!(#k::typed::Instances<#ty, #dims, M>),
                };
                (tokens, dtype)
            }
        };
        ItemKind { tokens, optional, dtype }
    }

    fn primitive_kind(
        &self,
        primitive: Primitive,
        order: Option<ByteOrder>,
        rank: usize,
    ) -> ItemKind {
        let (k, dims) = (&self.krate, self.dims(rank));
        let element = rust_type(k, primitive);
        let tokens = match (primitive.is_text(), rank) {
            (true, 1..) => {
                let dims = self.dims(rank - 1);
                quote!(#k::typed::Text<#dims, M>)
            }
            (_, 0) => quote!(#k::typed::Scalar<#element, M>),
            _ => quote!(#k::typed::Array<#element, #dims, M>),
        };
        ItemKind { tokens, optional: false, dtype: primitive.with_order(order) }
    }

    /// The kind of a stored param of a record that is spliced into its dict: the values of all records.
    pub(super) fn stored_kind(&self, param: &Param, outer: usize) -> ItemKind {
        match param.value {
            ParamValue::Streamed(primitive, order) => self.primitive_kind(primitive, order, outer),
            // It has one value, which is not in the stream.
            ParamValue::Fixed(_) => self.primitive_kind(Primitive::I8, None, 0),
        }
    }

    /// The number of dimensions of an array in Rust, and whether a param gives its presence: the
    /// dimension of such a param does not count, and neither does a dimension of -1.
    pub(super) fn rank(&self, array: &Array) -> (usize, bool) {
        // The one dimension of a view is presented as others.
        let mut rank = self.layout.presented_rank(array);
        let mut optional = false;
        for dim in self.layout.dims(array) {
            match dim.count {
                Count::Int(-1) => rank = rank.saturating_sub(1),
                Count::Param(id, _) if self.is_presence(id) => {
                    optional = true;
                    rank = rank.saturating_sub(1);
                }
                _ => {}
            }
        }
        (rank, optional)
    }

    /// Whether a param is 0 or -1 and nothing else.
    pub(super) fn is_presence(&self, id: dudley_parser::layout::ParamId) -> bool {
        let key = DocKey::of(self.layout[id].span);
        self.layout.attribute(key, "presence").is_some()
    }

    /// Whether the layout states the only legal value of something.
    pub(super) fn is_const(&self, key: DocKey) -> bool {
        self.layout.attribute(key, "const").is_some()
    }

    /// The dimension type of `ndarray`.
    pub(super) fn dims(&self, rank: usize) -> TokenStream {
        let k = &self.krate;
        match rank {
            0 => quote!(#k::ndarray::Ix0),
            1 => quote!(#k::ndarray::Ix1),
            2 => quote!(#k::ndarray::Ix2),
            3 => quote!(#k::ndarray::Ix3),
            4 => quote!(#k::ndarray::Ix4),
            5 => quote!(#k::ndarray::Ix5),
            6 => quote!(#k::ndarray::Ix6),
            _ => quote!(#k::ndarray::IxDyn),
        }
    }

    /// The name of the type that a record comes from.
    pub(super) fn type_name(&self, id: RecordId) -> Option<String> {
        let ty = self.layout[id].ty?;
        Some(self.layout.name(self.layout[ty].name).to_owned())
    }

    /// The Rust type of the instances of a record; of a typedef that is shown as its member, the
    /// type of the member.
    pub(super) fn record_type(&mut self, id: RecordId, hint: &str) -> TokenStream {
        if self.layout[id].transparent {
            let layout = self.layout;
            let steps = layout.run(layout[id].members).iter();
            let mut member = steps.filter_map(|step| match step {
                Step::Array(member) => Some(&layout[*member]),
                _ => None,
            });
            if let Some(member) = member.next_back() {
                return self.value_type(member, hint);
            }
        }
        match self.literal_size(id) {
            Some(size) => self.record(id, size, hint),
            None => self.structure(id, hint),
        }
    }
}

/// The Rust type of an element.
pub(super) fn rust_type(k: &TokenStream, primitive: Primitive) -> TokenStream {
    let float = |size| match size {
        2 => quote!(#k::half::f16),
        4 => quote!(::core::primitive::f32),
        _ => quote!(::core::primitive::f64),
    };
    match (primitive.kind(), primitive.size()) {
        (Kind::Signed, 1) => quote!(::core::primitive::i8),
        (Kind::Signed, 2) => quote!(::core::primitive::i16),
        (Kind::Signed, 4) => quote!(::core::primitive::i32),
        (Kind::Signed, _) => quote!(::core::primitive::i64),
        (Kind::Unsigned | Kind::Text | Kind::Pointer, 1) => quote!(::core::primitive::u8),
        (Kind::Unsigned | Kind::Text | Kind::Pointer, 2) => quote!(::core::primitive::u16),
        (Kind::Unsigned | Kind::Text | Kind::Pointer, 4) => quote!(::core::primitive::u32),
        (Kind::Unsigned | Kind::Text | Kind::Pointer, _) => quote!(::core::primitive::u64),
        (Kind::Bool, _) => quote!(::core::primitive::bool),
        (Kind::Float, size) => float(size),
        (Kind::Complex, size) => {
            let part = float(size / 2);
            quote!(#k::num_complex::Complex<#part>)
        }
    }
}

/// The type that marks the encoding of text.
pub(super) fn encoding(k: &TokenStream, primitive: Primitive) -> TokenStream {
    match primitive {
        Primitive::S1 => quote!(#k::typed::Cp1252),
        Primitive::Utf8 => quote!(#k::typed::Utf8),
        Primitive::Utf16 => quote!(#k::typed::Utf16),
        _ => quote!(#k::typed::Utf32),
    }
}
