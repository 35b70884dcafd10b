//! The elements of an array as values, some at a time, so that not all need be held.

use super::{EMPTY_LIMIT, Form, Instances, bound_empty};
use crate::data::Data;
use crate::error::{Error, Result};
use crate::listing::advance;
use crate::slice::Index;
use crate::value::{Builder, Value};

/// Elements that are decoded at a time.
const SOME: u64 = 1024;

/// Goes through an array in row-major order.
pub(crate) struct InTurn<'d> {
    data: &'d Data,
    form: Form,
    /// The indices of the next element, and how many are before it.
    index: Vec<u64>,
    before: u64,
    /// Where the next element lies, if they differ in size.
    address: u64,
    done: bool,
}

impl<'d> InTurn<'d> {
    /// Begins with the first element.
    pub(crate) fn new(data: &'d Data, form: Form) -> InTurn<'d> {
        let index = vec![0; data.shape().len()];
        InTurn { data, form, index, before: 0, address: data.address, done: data.is_empty() }
    }

    /// The next elements, with the indices of the first of them; none behind the last.
    ///
    /// # Errors
    /// What decoding says.
    pub(crate) fn some(&mut self) -> Result<Option<(Vec<u64>, Vec<Value>)>> {
        let data = self.data;
        if self.before == 0 {
            bound_empty(data.dtype(), data.shape())?;
        }
        if self.done {
            return Ok(None);
        }
        let (first, form) = (self.index.clone(), self.form);
        let values = match data.variable_record() {
            None => self.take(&mut |index, _| {
                let index: Vec<Index> = index.iter().map(|at| Index::At(*at as i64)).collect();
                data.slice(&index)?.value_of(form)
            }),
            Some(id) => data.stream.with_resolver(|resolver| {
                if let Some(node) = &data.node {
                    resolver.put_in_force(node)?;
                }
                let mut instances = Instances { stream: &data.stream, id, form };
                self.take(&mut |_, address| {
                    let mut builder = Builder::default();
                    instances.emit(resolver, &[], address, &mut builder)?;
                    Ok(builder.finish())
                })
            }),
        };
        values.map(|values| Some((first, values))).map_err(|error| error.of_item(data.path()))
    }

    fn take(
        &mut self,
        next: &mut dyn FnMut(&[u64], &mut u64) -> Result<Value>,
    ) -> Result<Vec<Value>> {
        let mut values = Vec::new();
        while !self.done && (values.len() as u64) < SOME {
            values.push(next(&self.index, &mut self.address)?);
            self.before += 1;
            if self.address == self.data.address
                && self.data.dtype().size().is_none()
                && self.before > EMPTY_LIMIT
            {
                return Err(Error::too_large(u64::MAX));
            }
            self.done = !advance(&mut self.index, self.data.shape());
        }
        Ok(values)
    }
}
