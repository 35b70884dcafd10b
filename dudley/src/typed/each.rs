//! Structs taken one by one while an array of them is decoded.

use crate::elements::value::{Builder, Scalar, Sink, Value};
use crate::error::Result;

/// A sink that hands out the elements of an array as soon as each is complete.
pub(super) struct Each<'t> {
    /// How many dimensions the array has.
    rank: usize,
    /// How deep the decoder is in arrays and structs.
    depth: usize,
    builder: Builder,
    take: &'t mut dyn FnMut(Value) -> Result<()>,
}

impl<'t> Each<'t> {
    pub(super) fn new(rank: usize, take: &'t mut dyn FnMut(Value) -> Result<()>) -> Self {
        Self { rank, depth: 0, builder: Builder::default(), take }
    }

    /// Something is complete; if it is an element, it is handed out.
    fn complete(&mut self) -> Result<()> {
        if self.depth != self.rank {
            return Ok(());
        }
        let value = std::mem::take(&mut self.builder).finish();
        (self.take)(value)
    }

    fn is_within(&self) -> bool {
        self.depth > self.rank
    }
}

impl Sink for Each<'_> {
    fn scalar(&mut self, value: Scalar<'_>) -> Result<()> {
        self.builder.scalar(value)?;
        self.complete()
    }

    fn begin_array(&mut self, length: u64) -> Result<()> {
        self.depth += 1;
        if self.is_within() { self.builder.begin_array(length) } else { Ok(()) }
    }

    fn end_array(&mut self) -> Result<()> {
        if self.is_within() {
            self.builder.end_array()?;
            self.depth -= 1;
            return self.complete();
        }
        self.depth -= 1;
        Ok(())
    }

    fn begin_struct(&mut self) -> Result<()> {
        self.depth += 1;
        self.builder.begin_struct()
    }

    fn field(&mut self, name: &str) -> Result<()> {
        self.builder.field(name)
    }

    fn end_struct(&mut self) -> Result<()> {
        self.builder.end_struct()?;
        self.depth -= 1;
        self.complete()
    }
}
