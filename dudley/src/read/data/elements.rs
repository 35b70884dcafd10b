//! The elements of an array as values, some at a time, so that they are not all held.

use std::cell::Cell;

use super::Data;
use crate::elements::scalar::Form;
use crate::elements::value::{Builder, Value};
use crate::error::Result;
use crate::read::path::index_of;
use crate::read::slice::Index;
use crate::read::stream::decode::{Instances, spare, take};

/// Elements that are decoded at a time at most, and bytes of them, except for one that has more.
const SOME: (usize, u64) = (1024, 1 << 16);

/// What of an array is not decoded yet: its elements in row-major order.
pub(crate) struct Elements {
    data: Data,
    form: Form,
    /// The number of the next one.
    next: u64,
    count: u64,
    /// Where it begins, if elements differ in size.
    address: u64,
    /// Values without bytes that may still be given out.
    left: Cell<u64>,
}

impl Elements {
    /// All of an array.
    ///
    /// # Errors
    /// [`Error::Filter`](crate::Error::Filter); [`Error::TooLarge`](crate::Error::TooLarge) if 64 bits do not count
    /// them.
    pub(crate) fn of(data: &Data, form: Form) -> Result<Elements> {
        let (address, left) = (data.address, spare(&data.stream));
        let data = data.decoded()?;
        Ok(Elements { count: data.len()?, data, form, next: 0, address, left })
    }

    /// The number of the next one.
    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    /// The indices of an element, by its number.
    pub(crate) fn index(&self, number: u64) -> Vec<u64> {
        index_of(number, &self.data.shape)
    }

    /// The next ones: as many as are requested, or as are decoded at a time; none at the end.
    ///
    /// # Errors
    /// If decoding fails.
    pub(crate) fn some(&mut self, count: Option<usize>) -> Result<Vec<Value>> {
        let (most, bytes) = count.map_or(SOME, |count| (count, u64::MAX));
        let most = usize::try_from(self.count - self.next).unwrap_or(usize::MAX).min(most);
        let some = match self.data.variable_record() {
            Some(_) => self.instances(most, bytes),
            None => (0..most as u64).map(|at| self.fixed(self.next + at)).collect(),
        };
        let some = some.map_err(|error| error.of_item(&self.data.path))?;
        self.next += some.len() as u64;
        Ok(some)
    }

    fn fixed(&self, at: u64) -> Result<Value> {
        let index: Vec<Index> = self.index(at).into_iter().map(|at| Index::At(at as i64)).collect();
        self.data.slice(&index)?.value_of(self.form)
    }

    fn instances(&mut self, most: usize, bytes: u64) -> Result<Vec<Value>> {
        let Some(id) = self.data.variable_record() else { return Ok(Vec::new()) };
        let (data, begin) = (&self.data, self.address);
        let mut instances =
            Instances { stream: &data.stream, id, form: self.form, left: &self.left };
        let mut address = begin;
        let some = data.stream.with_resolver(|resolver| {
            if let Some(node) = &data.node {
                resolver.stand_at(node);
            }
            let mut some = Vec::new();
            while some.len() < most && address - begin < bytes {
                let (mut builder, before) = (Builder::default(), address);
                instances.emit(resolver, &[], &mut address, &mut builder)?;
                if address == before {
                    take(&self.left, 1)?;
                }
                some.push(builder.finish());
            }
            Ok(some)
        });
        self.address = address;
        some
    }
}
