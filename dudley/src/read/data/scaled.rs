//! Stored values as the physical ones that they stand for: what the attributes `scale_factor`, `add_offset`, `_FillValue`
//! and the like say, applied while elements are read.

mod decimal;
mod number;
mod rule;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use dudley_parser::comments::Attribute;
use dudley_parser::layout::dtype::{ByteOrder, Kind, Primitive};
use dudley_parser::layout::words::Words;
use dudley_parser::layout::{DocKey, Layout};
use dudley_parser::resolve::Strided;

use super::{Data, Parts};
use crate::bytes::region::Region;
use crate::bytes::source::{Source, check};
use crate::elements::gather;
use crate::error::{Error, Result, to_usize};
use crate::read::dtype::{Dtype, Field, Record};
use decimal::Decimal;
use number::{Fills, Number};
use rule::{Rule, flipped};

/// This many bytes of elements are made at once.
const AT_ONCE: u64 = 64 << 10;

/// Attributes that are only about stored values, and not about the physical ones.
const OF_STORED: [&str; 14] = [
    "decimal",
    "decimals",
    "integers",
    "scale_factor",
    "add_offset",
    "_FillValue",
    "missing_value",
    "_Unsigned",
    "const",
    "names",
    "values",
    "valid_min",
    "valid_max",
    "valid_range",
];

/// The scale of stored values by their attributes: it makes physical values.
#[derive(Clone, Debug, PartialEq)]
pub struct Scaling {
    /// The type of the stored values.
    of: Primitive,
    scale: Number,
    offset: Number,
    fills: Fills,
    /// The type of the other sign, where values are of that.
    seen_as: Option<Primitive>,
    /// Of texts that are decimal numbers.
    decimal: Option<Decimal>,
}

impl Scaling {
    /// What attributes say of elements of a type; `None` if it changes nothing.
    fn of_type(attributes: &[Attribute], primitive: Primitive) -> Option<Scaling> {
        let given = |name: &str| attributes.iter().find(|it| it.name == name);
        let number = |name: &str| Number::of(&given(name)?.value);
        let is_text = primitive == Primitive::S1;
        if !is_text && !Rule::is_for(primitive) {
            return None;
        }
        let is_unsigned = given("_Unsigned").and_then(Attribute::text);
        let is_unsigned = is_unsigned.and_then(|it| it.to_ascii_lowercase().parse::<bool>().ok());
        let seen_as = flipped(primitive)
            .filter(|_| is_unsigned.is_some_and(|it| it == (primitive.kind() == Kind::Signed)));
        let decimal = if is_text { Some(Decimal::of(attributes)?) } else { None };
        let scaling = Scaling {
            of: primitive,
            scale: number("scale_factor").unwrap_or(Number::ONE),
            offset: number("add_offset").unwrap_or(Number::ZERO),
            fills: if is_text { Fills::default() } else { Fills::of(attributes, seen_as) },
            seen_as,
            decimal,
        };
        (scaling.is_linear() || !scaling.fills.is_empty()).then_some(scaling)
    }

    /// Whether stored values differ from the physical ones, and not only in those that stand for none.
    pub fn is_linear(&self) -> bool {
        self.scale != Number::ONE
            || self.offset != Number::ZERO
            || self.decimal.is_some()
            || self.seen_as.is_some()
    }

    /// Whether physical values have all that stored ones have: `f8` does not have all integers of 8 bytes.
    pub fn is_exact(&self) -> bool {
        self.is_linear() || self.of.kind() == Kind::Float || self.of.size() < 8
    }

    /// How elements of a type are made physical.
    fn rule(self, primitive: Primitive, order: ByteOrder) -> Rule {
        match (self.decimal, self.seen_as) {
            (Some(decimal), _) => Rule::Decimal(decimal.scaled(self.scale, self.offset), order),
            (None, Some(seen))
                if (self.scale, self.offset) == (Number::ONE, Number::ZERO)
                    && self.fills.is_empty() =>
            {
                Rule::As(seen, order)
            }
            (None, seen) => {
                let primitive = seen.unwrap_or(primitive);
                Rule::new(primitive, order, self.scale, self.offset, self.fills)
            }
        }
    }
}

impl std::fmt::Display for Scaling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let stored = match (&self.decimal, self.seen_as.map(Primitive::kind)) {
            (Some(_), _) => "the number that the text is",
            (None, Some(Kind::Unsigned)) => "stored, as an unsigned integer",
            (None, Some(_)) => "stored, as a signed integer",
            (None, None) => "stored",
        };
        f.write_str("physical = ")?;
        if self.offset != Number::ZERO {
            write!(f, "{} + ", self.offset)?;
        }
        if self.scale != Number::ONE {
            write!(f, "{} * ", self.scale)?;
        }
        f.write_str(stored)?;
        if self.fills.is_empty() {
            return Ok(());
        }
        write!(f, ", and NaN where {} is stored", self.fills)
    }
}

impl Data {
    /// The scales of stored values, or of their fields: each with the path behind the path of the array.
    ///
    /// ```
    /// let open = dudley::Open::new().layout_text("x = i2  #: scale_factor = 0.5")?.raw();
    /// let x = open.bytes(vec![3, 0])?.get("/x")?.data()?;
    /// assert_eq!(x.scalings()[0].1.to_string(), "physical = 0.5 * stored");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn scalings(&self) -> Vec<(String, Scaling)> {
        let mut found = Vec::new();
        let doc = self.doc.unwrap_or(DocKey::NOTHING);
        find(self.stream.layout(), &self.dtype, doc, String::new(), &mut found);
        found
    }

    /// The same array with the physical values that the stored ones stand for; `None` if they are these themselves.
    ///
    /// Integers with the offset, or the attribute `_Unsigned`, that makes them unsigned, or signed, stay integers, and so
    /// do texts that are integers. All others become `f8`, of complex numbers `c16`, computed as `add_offset + scale_factor *
    /// stored`, and those that stand for none (`_FillValue`, `missing_value`) NaN. The byte order stays.
    ///
    /// ```
    /// let open = dudley::Open::new().layout_text("x = >i2[2]  #: add_offset = 32768")?.raw();
    /// let x = open.bytes(vec![0x80, 0, 0x7f, 0xff])?.get("/x")?.data()?;
    /// let physical = x.scaled()?.expect("scaled");
    /// assert_eq!(physical.read::<u16>()?.as_slice(), Some(&[0, 65535][..]));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::TooLarge`] if an element has no address.
    pub fn scaled(&self) -> Result<Option<Data>> {
        self.scaled_where(&|_| true)
    }

    /// As [`Self::scaled`], but elements whose scaling is not meant stay as they are, with their attributes.
    ///
    /// ```
    /// use dudley::read::Scaling;
    ///
    /// let x = "x = >i2[2]  #: _FillValue = 9";
    /// let x = dudley::Open::new().layout_text(x)?.raw().bytes([0, 9, 0, 7])?.get("/x")?.data()?;
    /// assert!(x.scaled_where(&Scaling::is_linear)?.is_none());
    /// let physical = x.scaled_where(&Scaling::is_exact)?.expect("one is none");
    /// assert!(physical.read::<f64>()?[[0]].is_nan());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As that.
    pub fn scaled_where(&self, is_meant: &dyn Fn(&Scaling) -> bool) -> Result<Option<Data>> {
        if !self.scalings().iter().any(|(_, scaling)| is_meant(scaling)) {
            return Ok(None);
        }
        self.made(&|attributes, primitive, order| {
            let scaling = Scaling::of_type(attributes, primitive).filter(is_meant);
            scaling.map_or(Rule::Same, |scaling| scaling.rule(primitive, order))
        })
        .map(Some)
    }

    /// The same array with elements of some types stored otherwise, as another format has them.
    ///
    /// ```
    /// use dudley::Primitive;
    /// use dudley::read::Recode;
    ///
    /// let open = dudley::Open::new().layout_text("x = <u2[2]")?.raw();
    /// let x = open.bytes(vec![0, 0, 0xff, 0xff])?.get("/x")?.data()?;
    /// let signed = x.recoded(&|primitive| (primitive == Primitive::U2).then_some(Recode::OtherSign))?;
    /// assert_eq!(signed.read::<i16>()?.as_slice(), Some(&[-32768, 32767][..]));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::scaled`]; [`Error::Variable`] for structs of variable size.
    pub fn recoded(&self, recode: &dyn Fn(Primitive) -> Option<Recode>) -> Result<Data> {
        self.made(&|_, primitive, order| match recode(primitive) {
            Some(Recode::OtherSign) => Rule::Flip(primitive, order, order),
            Some(Recode::Letters(letters)) => Rule::Letters(letters),
            None => Rule::Same,
        })
    }

    /// The same array with its elements, and the members of these, side by side. They are read from where they are when they
    /// are requested.
    ///
    /// # Errors
    /// [`Error::Variable`] for structs of variable size.
    pub(crate) fn side_by_side(&self) -> Result<Data> {
        self.made(&|_, _, _| Rule::Same)
    }

    /// The array whose elements a rule makes of these.
    fn made(&self, rule: &RuleOf<'_>) -> Result<Data> {
        let layout = self.stream.layout();
        let mut made = Made { layout, rule, words: Words::default(), leaves: Vec::new() };
        let doc = self.doc.unwrap_or(DocKey::NOTHING);
        // An element of decimal texts is a whole text.
        let width = match self.dtype.primitive() {
            Some((primitive, order)) => rule(self.attributes(), primitive, order).width(),
            None => None,
        };
        let outer = self.shape.len().saturating_sub(usize::from(width.is_some()));
        if width.is_some() && self.strides.last().is_some_and(|stride| *stride != 1) {
            return Err(Error::NoView { path: self.path.as_str().into() });
        }
        let inner = Strided::rows(self.shape[outer..].to_vec(), self.dtype.size().unwrap_or(0));
        let named = |error: Error| error.of_item(&self.path);
        let (dtype, _) = made.dtype(&self.dtype, doc, &inner, 0, 0).map_err(named)?;
        let key = made.said(doc, &self.dtype);
        let (size, to) = (self.dtype.size().unwrap_or(0), dtype.size().unwrap_or(0));
        let from = size.saturating_mul(width.unwrap_or(1));
        let shape = &self.shape[..outer];
        let count = shape.iter().try_fold(1_u64, |count, dim| count.checked_mul(*dim));
        let count = if shape.contains(&0) { Some(0) } else { count };
        let bytes = count.and_then(|count| count.checked_mul(to));
        let bytes = bytes.ok_or_else(|| named(Error::too_large(u64::MAX)))?;
        let (stored, decoded) = (Arc::new(self.clone()), Arc::default());
        let (leaves, large) = (made.leaves, Mutex::default());
        let source = Scaled { stored, decoded, outer, leaves, from, to, bytes, large };
        let parts = Parts::new(dtype, shape).path(&self.path).work((*self.stream.work).clone());
        parts.words(made.words.layout(), key).data(source)
    }
}

/// How elements of a type are stored in another way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recode {
    /// Integers of the other sign, less half of their range: unsigned ones as signed ones, and the reverse.
    OtherSign,
    /// Booleans as one letter for false and one for true.
    Letters([u8; 2]),
}

/// The rule for elements of a type, of which these attributes are said.
type RuleOf<'r> = dyn Fn(&[Attribute], Primitive, ByteOrder) -> Rule + 'r;

/// What of a type is scaled.
fn find(
    layout: &Layout,
    dtype: &Dtype,
    doc: DocKey,
    path: String,
    found: &mut Vec<(String, Scaling)>,
) {
    match dtype {
        Dtype::Primitive(primitive, _) => {
            let scaling = Scaling::of_type(layout.attributes(doc), *primitive);
            found.extend(scaling.map(|scaling| (path, scaling)));
        }
        Dtype::Record(record) => {
            for field in record.fields.iter().filter(|field| field.filter.is_none()) {
                let mut path = format!("{path}.");
                dudley_parser::layout::path::push_name(&mut path, &field.name);
                find(layout, &field.dtype, field.doc, path, found);
            }
        }
        Dtype::Variable(_) => {}
    }
}

/// Elements of one primitive, side by side, in each element of an array.
#[derive(Clone, Debug)]
struct Leaf {
    /// Where they are in an element that is stored, and in one that is made of it.
    from: usize,
    to: usize,
    /// How many bytes they have in each.
    bytes: (usize, usize),
    /// Where they are in an element that is stored, if they are not side by side there, row by row.
    strided: Option<Region>,
    rule: Rule,
}

impl Leaf {
    /// Makes these elements in an element of those of a stored one.
    fn make(&self, stored: &[u8], physical: &mut [u8], rows: &mut Vec<u8>) -> Result<()> {
        let physical = &mut physical[self.to..self.to + self.bytes.1];
        let Some(region) = &self.strided else {
            return self.rule.apply(&stored[self.from..self.from + self.bytes.0], physical);
        };
        rows.clear();
        gather::gather(stored, region, &mut |block| {
            rows.extend_from_slice(block);
            Ok(())
        })?;
        self.rule.apply(rows, physical)
    }
}

/// A type that is made of another one.
struct Made<'l> {
    layout: &'l Layout,
    rule: &'l RuleOf<'l>,
    words: Words,
    leaves: Vec<Leaf>,
}

impl Made<'_> {
    /// The physical type of elements that are in an element where `places` says, from `from` on, and side by side in the
    /// physical one from `to` on; with the shape that they have there: of decimal texts the last dimension goes.
    fn dtype(
        &mut self,
        dtype: &Dtype,
        doc: DocKey,
        places: &Strided,
        from: u64,
        to: u64,
    ) -> Result<(Dtype, Vec<u64>)> {
        let Strided { shape, strides, first } = places;
        let mut shape = shape.clone();
        let too_large = || Error::too_large(u64::MAX);
        let counted = |shape: &[u64]| {
            let count = shape.iter().try_fold(1_u64, |count, dim| count.checked_mul(*dim));
            if shape.contains(&0) { Ok(0) } else { count.ok_or_else(too_large) }
        };
        let from = from.checked_add(*first).ok_or_else(too_large)?;
        let stored = counted(&shape)?;
        match dtype {
            Dtype::Primitive(primitive, order) => {
                let rule = (self.rule)(self.layout.attributes(doc), *primitive, *order);
                if let Some(width) = rule.width()
                    && shape.pop() != Some(width)
                {
                    return Err(Error::WrongValue {
                        item: crate::error::Item::UNKNOWN,
                        expected: format!(
                            "whole texts of {width} units, which are decimal numbers"
                        )
                        .into(),
                        found: "parts of them".into(),
                    });
                }
                let count = counted(&shape)?;
                let physical = rule.dtype(*primitive, *order);
                let bytes = |of: Primitive, count: u64| {
                    to_usize(of.size().checked_mul(count).ok_or_else(too_large)?)
                };
                let bytes = (bytes(*primitive, stored)?, bytes(physical.0, count)?);
                let region = Region::new(from, &places.shape, strides, primitive.size())?;
                let strided = (!region.is_contiguous()).then_some(region);
                // Where there are none, it matters to nobody where they would be.
                let from = if stored == 0 { 0 } else { to_usize(from)? };
                let to = to_usize(to)?;
                self.leaves.push(Leaf { from, to, bytes, strided, rule });
                if self.leaves.len() > LEAVES {
                    return Err(too_large());
                }
                Ok((Dtype::Primitive(physical.0, physical.1), shape))
            }
            Dtype::Record(record) => {
                // The first one says what all are, though there be none.
                let before = self.leaves.len();
                let mut physical = Dtype::from(self.record(record, from, to)?);
                if stored == 0 {
                    self.leaves.truncate(before);
                }
                let more = if self.leaves.len() == before { 0 } else { stored };
                let places = Region::new(from, &shape, strides, record.size)?;
                for instance in 1..more {
                    let size = physical.size().unwrap_or(0);
                    let to = size.checked_mul(instance).and_then(|by| to.checked_add(by));
                    let to = to.ok_or_else(too_large)?;
                    let here = places.cut(instance..instance + 1);
                    let from = here.first().map_or(from, |place| place.span().start);
                    physical = self.record(record, from, to)?.into();
                }
                Ok((physical, shape))
            }
            Dtype::Variable(_) => Err(Error::Variable { path: Box::default() }),
        }
    }

    fn record(&mut self, record: &Record, from: u64, to: u64) -> Result<Record> {
        let too_large = || Error::too_large(u64::MAX);
        let (mut fields, mut size) = (Vec::new(), 0_u64);
        for field in record.fields.iter().filter(|field| !field.is_fixed(self.layout)) {
            if field.filter.is_some() {
                return Err(Error::Variable { path: Box::default() });
            }
            let from = from.checked_add(field.offset).ok_or_else(too_large)?;
            let to = to.checked_add(size).ok_or_else(too_large)?;
            let (dtype, shape) = self.dtype(&field.dtype, field.doc, &field.strided(), from, to)?;
            let made = Field::new(&*field.name, size, dtype, &shape);
            size = size.checked_add(made.bytes).ok_or_else(too_large)?;
            let key = self.said(field.doc, &field.dtype);
            fields.push(made.said(key));
        }
        Ok(Record::new(size, fields))
    }

    /// What is said of what was made last, as far as it is true of physical values.
    fn said(&mut self, doc: DocKey, of: &Dtype) -> DocKey {
        let lines: Vec<&str> = self.layout.doc(doc).collect();
        let is_same = self.leaves.last().is_none_or(|leaf| leaf.rule == Rule::Same);
        let is_scaled = of.primitive().is_some() && !is_same;
        // They are row by row, however those that are stored are.
        let of_stored =
            |it: &&Attribute| it.presents() || is_scaled && OF_STORED.contains(&&*it.name);
        let attributes = self.layout.attributes(doc).iter();
        let kept = attributes.filter(|it| !of_stored(it)).map(|it| (&*it.name, it.value.clone()));
        self.words.add(&lines.join("\n"), kept)
    }
}

/// This many runs of elements are looked after in each element of an array.
const LEAVES: usize = 1 << 16;

/// The physical values of an array, side by side, made as they are read.
struct Scaled {
    stored: Arc<Data>,
    /// The same with its filter undone.
    decoded: Arc<OnceLock<Data>>,
    /// How many of its dimensions are those of the physical array; what is behind is in an element.
    outer: usize,
    leaves: Vec<Leaf>,
    /// Bytes of an element that is stored, and of a physical one.
    from: u64,
    to: u64,
    bytes: u64,
    /// The last element of which a part was requested, and its number: one that is large is requested in many parts.
    large: Mutex<Option<(u64, Arc<Vec<u8>>)>>,
}

impl Source for Scaled {
    fn len(&self) -> u64 {
        self.bytes
    }

    fn made_as(&self, from: (Primitive, ByteOrder), of: Primitive) -> Option<Arc<dyn Source>> {
        let leaf = self.whole()?;
        // An element may also be an array, which is made as a whole.
        if leaf.rule.dtype(from.0, from.1) != from || self.to != from.0.size() {
            return None;
        }
        let rule = leaf.rule.made_as(of)?;
        let (from, to) = (self.from, of.size());
        let leaf = Leaf { bytes: (leaf.bytes.0, of.size() as usize), rule, ..leaf.clone() };
        Some(Arc::new(Scaled {
            stored: self.stored.clone(),
            decoded: self.decoded.clone(),
            outer: self.outer,
            leaves: vec![leaf],
            from,
            to,
            bytes: self.bytes.checked_div(self.to)?.checked_mul(to)?,
            large: Mutex::default(),
        }))
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> Result<()> {
        check(self.bytes, address, buf.len() as u64)?;
        if buf.is_empty() {
            return Ok(());
        }
        let stored = match self.decoded.get() {
            Some(stored) => stored,
            None => {
                let decoded = self.stored.decoded()?;
                decoded.check_constants()?;
                self.decoded.get_or_init(|| decoded)
            }
        };
        let (shape, strides) = (&stored.shape[..self.outer], &stored.strides[..self.outer]);
        let region = Region::new(stored.address, shape, strides, self.from)?;
        let end = address + buf.len() as u64;
        let (mut element, last) = (address / self.to, end.div_ceil(self.to));
        let step = (AT_ONCE / self.to.max(self.from)).max(1);
        let (mut raw, mut made) = (Vec::new(), Vec::new());
        let mut rest = buf;
        while element < last {
            let next = last.min(element + step);
            // The first element and the last one may be requested in part.
            let begins = element * self.to;
            let from = address.saturating_sub(begins);
            let until = (next * self.to).min(end) - begins;
            let (here, after) = std::mem::take(&mut rest).split_at_mut(to_usize(until - from)?);
            rest = after;
            let is_part = from > 0 || until < (next - element) * self.to;
            let part = to_usize(from)?..to_usize(until)?;
            if is_part && let Some(known) = self.large(element, next) {
                here.copy_from_slice(&known[part]);
                element = next;
                continue;
            }
            stored.with_source(|source| {
                if gather::stays(source, &region) {
                    let at = region.span().start + element * self.from;
                    let len = (next - element) * self.from;
                    check(source.len(), at, len)?;
                    raw.resize(to_usize(len)?, 0);
                    return source.read_at(at, &mut raw);
                }
                raw.clear();
                region.cut(element..next).iter().try_for_each(|part| {
                    gather::gather(source, part, &mut |bytes| {
                        raw.extend_from_slice(bytes);
                        Ok(())
                    })
                })
            })?;
            if is_part {
                made.resize(to_usize((next - element) * self.to)?, 0);
                self.make(&raw, &mut made)?;
                here.copy_from_slice(&made[part]);
                if next - element == 1 && self.to > AT_ONCE {
                    let made = Arc::new(std::mem::take(&mut made));
                    *self.large.lock().unwrap_or_else(PoisonError::into_inner) =
                        Some((element, made));
                }
            } else {
                self.make(&raw, here)?;
            }
            element = next;
        }
        Ok(())
    }
}

impl Scaled {
    /// An element that is large, if it was made before.
    fn large(&self, element: u64, next: u64) -> Option<Arc<Vec<u8>>> {
        let large = self.large.lock().unwrap_or_else(PoisonError::into_inner);
        let (known, made) = large.as_ref()?;
        (*known == element && next - element == 1).then(|| made.clone())
    }

    /// What makes all of an element, if one rule does.
    fn whole(&self) -> Option<&Leaf> {
        let [leaf] = &self.leaves[..] else { return None };
        let is_whole = (leaf.bytes.0 as u64, leaf.bytes.1 as u64) == (self.from, self.to);
        (leaf.strided.is_none() && is_whole).then_some(leaf)
    }

    /// Makes physical elements of stored ones.
    fn make(&self, stored: &[u8], physical: &mut [u8]) -> Result<()> {
        if let Some(leaf) = self.whole() {
            return leaf.rule.apply(stored, physical);
        }
        let (from, to) = (to_usize(self.from)?, to_usize(self.to)?);
        let mut rows = Vec::new();
        for (stored, physical) in stored.chunks_exact(from).zip(physical.chunks_exact_mut(to)) {
            for leaf in &self.leaves {
                leaf.make(stored, physical, &mut rows)?;
            }
        }
        Ok(())
    }
}
