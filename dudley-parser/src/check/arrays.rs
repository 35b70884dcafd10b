//! Arrays: dtype, shape, filter, place; first what is wrong in itself, then what names mean.
//!
//! A type is unfolded at each of its uses, so the two are apart: `validate_*` reports, once, where
//! a thing is written; `bind_*` looks names up and builds, once for each use.

use super::Checker;
use super::facts::{Facts, Natural};
use super::literals::operation;
use crate::ast::{self, Count as AstCount, CountKind, Dtype, ExprToken, Place as AstPlace};
use crate::diagnostic::Diagnostic;
use crate::layout::expr::ExprOp;
use crate::layout::{
    Alignment, Array, ArrayId, Count, DictId, Dim, DocKey, Element, ExprId, Filter, FilterId,
    Place, RecordId,
};
use crate::names::Symbol;
use crate::resolve::ErrorKind;
use crate::span::Span;

/// The filters that a reader of this project knows: built in, or registered by its bridge crate.
pub(crate) const KNOWN_FILTERS: [&str; 9] =
    ["zlib", "gzip", "bzip2", "lz4", "zstd", "blosc2", "blosc_chunk", "asdf_lz4", "xz"];

/// How many dimensions an array may have, those of its type included; as deep as brackets may nest.
const RANK_LIMIT: usize = 256;

/// The greatest alignment (spec 6.2).
const ALIGN_LIMIT: i64 = 1 << 30;

/// Whose array it is.
#[derive(Clone, Copy)]
pub(super) struct Owner {
    pub(super) name: Symbol,
    pub(super) dict: Option<DictId>,
    pub(super) span: Span,
    pub(super) key: DocKey,
}

/// What a dtype comes to in one place of use: an element, and the dimensions of typedefs.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub(super) element: Element,
    pub(super) dims: Vec<Dim>,
    pub(super) align: Natural,
    /// The typedef that was unfolded, as a struct.
    pub(super) typedef: Option<RecordId>,
}

impl<'a> Checker<'a> {
    /// An array of a dict or list: validated and bound.
    pub(super) fn array(
        &mut self,
        array: &'a ast::Array,
        owner: Owner,
        poisoned: bool,
        step: u32,
    ) -> ArrayId {
        let before = self.diagnostics.len();
        if let Some(facts) = self.validate_array(array, owner.key) {
            self.count_unfolded(&facts, owner.span);
        }
        let id = self.bind_array(array, owner, step);
        let faulty = self.diagnostics[before..].iter().any(|found| found.severity.is_error());
        if poisoned || faulty {
            self.poison_array(id);
        }
        id
    }

    /// An array of unknown size: nothing more is said about it.
    fn poison_array(&mut self, id: ArrayId) {
        let record = self.poisoned_record();
        let array = &mut self.layout.arrays[id.index()];
        array.element = Element::Record(record);
        array.filter = None;
        array.rank = 0;
        array.place = Place::Next;
    }

    /// Reports what is wrong with an array as it is written.
    pub(super) fn validate_array(&mut self, array: &'a ast::Array, key: DocKey) -> Option<Facts> {
        let info = self.validate_dtype(&array.dtype, key);
        if let Some(info) = &info
            && info.text
            && info.rank == 0
            && array.shape_span.is_none()
        {
            let message = "text needs a dimension: the last one counts its characters";
            let help = "write for example `S1[16]`";
            let diagnostic = Diagnostic::error("text-no-shape", array.dtype.span(), message);
            self.report(diagnostic.help(help));
        }
        for dim in &array.shape {
            self.validate_dim(dim);
        }
        let rank = array.shape.len() + info.as_ref().map_or(0, |info| info.rank);
        if rank > RANK_LIMIT {
            let message = format!("an array of {rank} dimensions; it may have {RANK_LIMIT}");
            self.report(Diagnostic::error(
                "nesting",
                array.shape_span.unwrap_or(array.dtype.span()),
                message,
            ));
        }
        if let Some(filter) = &array.filter {
            self.validate_filter(filter, info.as_ref());
        }
        self.validate_place(array.place.as_ref());
        info
    }

    /// What is known of a dtype wherever it is used; `None` if it is faulty.
    pub(super) fn validate_dtype(&mut self, dtype: &'a Dtype, key: DocKey) -> Option<Facts> {
        match dtype {
            Dtype::Struct(body) => Some(self.validate_struct(body, key)),
            Dtype::Named { prefix, name } => self.validate_named(*prefix, *name),
        }
    }

    fn validate_dim(&mut self, dim: &AstCount) {
        match &dim.kind {
            CountKind::Int(value) if *value < -1 => {
                let message = format!("a dimension of {value}; the least one is -1");
                self.report(Diagnostic::error("dim-negative", dim.span, message));
            }
            _ => self.validate_expr(dim, dim.span, |value| ErrorKind::Dimension {
                value,
                params: Vec::new(),
            }),
        }
    }

    fn validate_filter(&mut self, filter: &ast::Filter, of: Option<&Facts>) {
        let name = self.name(filter.name.symbol).to_owned();
        let message = format!("the filter `{name}`: an extension of the language");
        self.report(Diagnostic::note("ext-filter", filter.name.span, message));
        if !KNOWN_FILTERS.contains(&name.as_str()) {
            let message = format!("no filter `{name}` is known here; only this item needs it");
            let help = format!("the known ones are {}", KNOWN_FILTERS.join(", "));
            let found = Diagnostic::warning("unknown-filter", filter.name.span, message);
            self.report(found.help(help));
        }
        if of.is_some_and(|info| info.variable) {
            let message = "a struct of variable size cannot be filtered";
            self.report(Diagnostic::error("filter-target", filter.span, message));
        }
        match &filter.stored {
            Some(AstCount { kind: CountKind::Int(value), span }) if *value < 0 => {
                let message = format!("{value} stored bytes; the least number is 0");
                self.report(Diagnostic::error("bad-stored", *span, message));
            }
            Some(stored) => self.validate_expr(stored, stored.span, |value| ErrorKind::Stored {
                value,
                params: Vec::new(),
            }),
            None => {}
        }
    }

    /// Reports an illegal alignment or address.
    pub(super) fn validate_place(&mut self, place: Option<&AstPlace>) {
        match place {
            Some(AstPlace::Align { align, .. }) => self.validate_align(*align),
            Some(AstPlace::At { address, span }) => match &address.kind {
                CountKind::Int(value) if *value < 0 => {
                    let message = format!("an address of {value}; addresses begin at 0");
                    self.report(Diagnostic::error("bad-address", address.span, message));
                }
                CountKind::Param { .. } => self.note_expr(address.span),
                _ => self.validate_expr(address, *span, |value| ErrorKind::Address {
                    value,
                    params: Vec::new(),
                }),
            },
            None => {}
        }
    }

    pub(super) fn validate_align(&mut self, align: ast::Int) {
        let value = align.value;
        if !(0..=ALIGN_LIMIT).contains(&value) || (value != 0 && !(value as u64).is_power_of_two())
        {
            let message = format!("an alignment of {value}: expected 1, 2, 4, 8 or 16 bytes");
            let help = "powers of two up to 2^30 are an extension; 0 is the default";
            self.report(Diagnostic::error("bad-align", align.span, message).help(help));
        } else if value > 16 {
            let message = "an alignment above 16: an extension of the language";
            self.report(Diagnostic::note("ext-align", align.span, message));
        }
    }

    /// Adds an array to the layout, its names looked up where the checker stands.
    pub(super) fn bind_array(&mut self, array: &'a ast::Array, owner: Owner, step: u32) -> ArrayId {
        let bound = self.bind_dtype(&array.dtype);
        let own: Vec<Dim> = array.shape.iter().map(|dim| self.bind_dim(dim)).collect();
        let filter = array.filter.as_ref().map(|filter| self.bind_filter(filter));
        let (place, align) = self.bind_place(array.place.as_ref(), bound.align);
        let dims = self.layout.dims.len() as u32;
        let rank = (own.len() + bound.dims.len()) as u32;
        self.layout.dims.extend(own.into_iter().chain(bound.dims));
        self.push_array(Array {
            name: owner.name,
            dict: owner.dict,
            rank,
            dims,
            element: bound.element,
            filter,
            place,
            align,
            asked: array.place.as_ref().and_then(AstPlace::asked),
            step,
            span: owner.span,
            dtype_span: array.dtype.span(),
            spliced: false,
            constant: false,
            guard: false,
            presented: false,
            typedef: bound.typedef,
        })
    }

    /// The alignment that `%n` gives to something of a natural alignment.
    pub(super) fn asked_align(&mut self, align: ast::Int, natural: u64) -> u64 {
        let asked = Alignment { asked: align.value, natural, span: align.span };
        self.layout.alignments.push(asked);
        legal_align(align, natural)
    }

    /// The alignment of what has no place of its own, where the checker stands (spec 3.11).
    pub(super) fn packed(&mut self, natural: Natural) -> u64 {
        if let (Some(pack), Natural { bytes, asked: Some(span) }) = (self.pack, natural)
            && bytes > pack
        {
            self.layout.alignments.push(Alignment { asked: bytes as i64, natural: pack, span });
        }
        natural.capped(self.pack).bytes
    }

    /// Caps default alignments from here on.
    pub(super) fn enter_pack(&mut self, pack: ast::Pack) {
        let value = pack.align.value;
        let span = pack.sign.to(pack.align.span);
        let legal = u64::try_from(value).ok().filter(|value| value.is_power_of_two());
        match legal.filter(|value| *value <= ALIGN_LIMIT as u64) {
            None => {
                let message = format!("a packing of {value}: expected 1, 2, 4, 8 or 16 bytes");
                let help = "powers of two up to 2^30 are an extension";
                self.report(Diagnostic::error("bad-align", pack.align.span, message).help(help));
            }
            Some(pack) => {
                self.pack = Some(pack);
                let message = "packing: an extension of the language";
                self.report(Diagnostic::note("ext-pack", span, message));
            }
        }
    }

    pub(super) fn bind_dim(&mut self, dim: &AstCount) -> Dim {
        Dim { count: self.bind_count(dim), span: dim.span }
    }

    /// Looks up the params of a count. An unknown one is reported and stands for 1.
    pub(super) fn bind_count(&mut self, count: &AstCount) -> Count {
        match &count.kind {
            CountKind::Int(value) => Count::Int(*value),
            CountKind::Param { name, suffix, .. } => match self.param_or_report(*name) {
                Some(param) => Count::Param(param, *suffix),
                None => Count::Int(1),
            },
            CountKind::Expr(tokens) => self.bind_expr(tokens),
        }
    }

    fn bind_expr(&mut self, tokens: &[ExprToken]) -> Count {
        let mut ops = Vec::with_capacity(tokens.len());
        for token in tokens {
            ops.push(match operation(token) {
                Ok(op) => op,
                Err(name) => match self.param_or_report(name) {
                    Some(param) => ExprOp::Param(param),
                    None => ExprOp::Int(1),
                },
            });
        }
        let id = ExprId(self.layout.exprs.len() as u32);
        self.layout.exprs.push(ops);
        Count::Expr(id)
    }

    fn bind_filter(&mut self, filter: &'a ast::Filter) -> FilterId {
        let stored = filter.stored.as_ref().map(|stored| self.bind_dim(stored));
        let id = FilterId(self.layout.filters.len() as u32);
        self.layout.filters.push(Filter {
            name: filter.name.symbol,
            args: filter.args.iter().map(|arg| arg.value.clone()).collect(),
            stored,
            span: filter.name.span,
        });
        id
    }

    /// Where an item goes, and the alignment in force.
    pub(super) fn bind_place(
        &mut self,
        place: Option<&AstPlace>,
        natural: Natural,
    ) -> (Place, u64) {
        let natural = self.packed(natural);
        match place {
            None => (Place::Next, natural),
            Some(AstPlace::Align { align, .. }) => (Place::Next, self.asked_align(*align, natural)),
            Some(AstPlace::At { address, span }) => {
                // A bare param after `@` is an expression: plain arithmetic (spec 6.4).
                let count = match &address.kind {
                    CountKind::Param { name, suffix: 0, .. } => {
                        self.bind_expr(&[ExprToken::Param(*name)])
                    }
                    _ => self.bind_count(address),
                };
                (Place::At(count, *span), natural)
            }
        }
    }

    /// What a dtype comes to here.
    pub(super) fn bind_dtype(&mut self, dtype: &'a Dtype) -> Bound {
        match dtype {
            Dtype::Struct(body) => self.bind_anonymous(body),
            Dtype::Named { prefix, name } => {
                self.bind_named(prefix.map(|(prefix, _)| prefix), *name)
            }
        }
    }
}

/// The alignment that `%n` asks for; 0, and what is no alignment, mean the default.
pub(super) fn legal_align(align: ast::Int, natural: u64) -> u64 {
    match u64::try_from(align.value) {
        Ok(value) if value.is_power_of_two() && value <= ALIGN_LIMIT as u64 => value,
        _ => natural,
    }
}
