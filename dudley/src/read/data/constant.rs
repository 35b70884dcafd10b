//! Does an array hold the values that the layout states of it and of the fields of its structs (spec 7.3)? Asked
//! before any of its elements are handed out.

use std::sync::Arc;

use dudley_parser::comments::Attribute;
use dudley_parser::layout::ArrayId;
use dudley_parser::resolve::Resolver;

use super::Data;
use super::decode::value_here;
use crate::bytes::source::Source;
use crate::elements::gather::gather;
use crate::elements::value::Unseen;
use crate::error::{Error, Result, to_usize};
use crate::read::constant::Stated;
use crate::read::dtype::{Dtype, Record};
use crate::read::stream::decode::compare;

/// Which part of an item or field an array is, of which a value is declared.
#[derive(Debug)]
pub(crate) enum Extent {
    /// A field, and how many of its dimensions, from the first, are those of the structs that hold it: the value is
    /// declared of what is in one of them.
    Field(usize),
    /// A slice of an array of all of which the value is declared.
    Slice(Box<Data>),
}

impl Extent {
    /// That of a field, which has this many dimensions of structs.
    pub(crate) fn of_field(field: &Data, structs: usize) -> Option<Arc<Extent>> {
        field.constant().map(|_| Arc::new(Extent::Field(structs)))
    }

    /// That of a slice of `whole`.
    pub(crate) fn of_slice(whole: &Data) -> Option<Arc<Extent>> {
        let is_slice = matches!(whole.extent.as_deref(), Some(Extent::Slice(_)));
        let stated = whole.stated().filter(|_| !is_slice);
        if stated.is_some_and(|stated| each(whole, &stated) < whole.shape.len()) {
            Some(Arc::new(Extent::Slice(Box::new(whole.clone()))))
        } else {
            whole.extent.clone()
        }
    }
}

/// How many dimensions stand in front of those that one declared value has: a list has all of an item, a text the last
/// one, a number none.
fn each(data: &Data, stated: &Stated) -> usize {
    let rank = data.shape.len();
    let is_text = matches!(data.dtype, Dtype::Primitive(primitive, _) if primitive.is_text());
    match (stated.is_one(), is_text) {
        (false, _) => rank.min(stated.outer()),
        (true, true) => rank.min(stated.outer()).max(rank.saturating_sub(1)),
        (true, false) => rank,
    }
}

impl Data {
    /// What the layout says of it to be constant (spec 7.3), and the dimensions in front of what that is said of.
    pub(crate) fn constant(&self) -> Option<(&Attribute, usize)> {
        let (doc, layout) = (self.doc?, self.stream.layout());
        let (stated, outer) = match self.array {
            Some(array) => layout.stated(&layout[array])?,
            None => (layout.attribute(doc, "const")?, 0),
        };
        match self.extent.as_deref() {
            Some(Extent::Field(structs)) => Some((stated, structs + outer)),
            _ => Some((stated, outer)),
        }
    }

    /// The only legal elements of it, if the layout states them.
    pub(crate) fn stated(&self) -> Option<Stated> {
        Some(Stated::new(self.stream.layout(), self.constant()?, &self.dtype))
    }

    /// Checks that it holds the only values that the layout allows for it and for the fields of its structs (spec 7.3):
    /// any code that hands out its bytes asks this first. Of what has none, nothing is read.
    ///
    /// # Errors
    /// [`Error::Const`], unless the stream continues in spite of it; if reading fails.
    pub(crate) fn check_constants(&self) -> Result<()> {
        self.check_constant()?;
        let layout = self.stream.layout();
        if self.is_empty() || !self.array.is_some_and(|id| layout[id].constant) {
            return Ok(());
        }
        match &self.dtype {
            Dtype::Primitive(..) => Ok(()),
            Dtype::Record(record) => self.as_decoded()?.check_fields(record),
            Dtype::Variable(_) => self.emit(&mut Unseen, false),
        }
    }

    fn check_fields(&self, record: &Record) -> Result<()> {
        let layout = self.stream.layout();
        let holds = |array: ArrayId| layout[array].constant;
        let fields = record.fields.iter().enumerate();
        let constant = fields.filter(|(_, field)| {
            field.array.is_none_or(holds) && !field.is_fixed(layout) && !field.shape.contains(&0)
        });
        for (at, field) in constant {
            if field.filter.is_some() || matches!(field.dtype, Dtype::Variable(_)) {
                // Each struct has its own stored bytes.
                return self.emit(&mut Unseen, false);
            }
            self.field_at(record, at)?.check_constants()?;
        }
        Ok(())
    }

    /// The same of what is declared of it as a whole.
    ///
    /// # Errors
    /// As [`Self::check_constants`].
    pub(crate) fn check_constant(&self) -> Result<()> {
        let stated = self.stated().filter(|_| !self.is_empty());
        let Some(stated) = stated else { return Ok(()) };
        if let Some(Extent::Slice(whole)) = self.extent.as_deref() {
            return whole.check_constant();
        }
        let data = self.as_decoded()?;
        let compared = data.with_source(|source| data.compare(&stated, source));
        compared.or_else(|error| self.stream.inner.constants.wrong(error.of_item(&self.path)))
    }

    /// The same of structs that differ in size, while the params around them are in force: a type that stands for its
    /// one member has the values of that.
    ///
    /// # Errors
    /// As [`Self::check_constants`].
    pub(crate) fn check_variable(&self, resolver: &mut Resolver<'_>) -> Result<()> {
        let (Some(stated), Some(id)) = (self.stated(), self.variable_record()) else {
            return Ok(());
        };
        let found = value_here(resolver, self, id)?;
        if stated.is(&found) {
            Ok(())
        } else {
            let wrong = stated.wrong(self.address, &found).of_item(&self.path);
            self.stream.inner.constants.wrong(wrong)
        }
    }

    /// Compares each value with the one that is declared. The bytes of the first are compared with those of the others,
    /// since few are different and mean the same.
    fn compare(&self, stated: &Stated, source: &dyn Source) -> Result<()> {
        let Some(size) = self.dtype.size() else { return Ok(()) };
        let each = each(self, stated);
        let stated = &stated.clone().each();
        let (shape, strides) = (&self.shape[each..], &self.strides[each..]);
        let elements = shape.iter().try_fold(1_u64, |all, dim| all.checked_mul(*dim));
        let length = elements.and_then(|elements| elements.checked_mul(size));
        let length = length.ok_or_else(|| Error::too_large(u64::MAX))?;
        let one = |value: u64| {
            let address = self.address_of(value * elements.unwrap_or(1));
            compare(&self.stream, &self.dtype, source, (address, shape, strides), stated)
        };
        if length == 0 || each == 0 {
            return one(0);
        }
        let size = to_usize(length)?;
        let (mut first, mut seen) = (Vec::new(), 0_u64);
        gather(source, &self.region()?, &mut |mut block| {
            while !block.is_empty() {
                let at = (seen % length) as usize;
                let (here, rest) = block.split_at((size - at).min(block.len()));
                if seen < length {
                    first.extend_from_slice(here);
                    if first.len() == size {
                        one(0)?;
                    }
                } else if first[at..at + here.len()] != *here {
                    one(seen / length)?;
                }
                seen += here.len() as u64;
                block = rest;
            }
            Ok(())
        })
    }
}
