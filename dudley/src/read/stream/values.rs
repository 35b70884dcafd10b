//! Params and counts as they stand in a stream.

use std::sync::Arc;

use dudley_parser::layout::ArrayId;
use dudley_parser::layout::dtype::ByteOrder;
use dudley_parser::resolve::{Fault, ParamAt, Resolver, Values};

use super::{Stream, guard};
use crate::bytes::source::Source;
use crate::error::Error;

/// Params and counts as they stand in a stream.
pub(crate) struct StreamValues<'s> {
    pub(crate) source: &'s dyn Source,
    pub(crate) order: ByteOrder,
}

impl Values for StreamValues<'_> {
    fn param(&self, at: &ParamAt) -> std::result::Result<i128, Fault> {
        let mut bytes = [0; 8];
        let size = at.primitive.size() as usize;
        let bytes = &mut bytes[..size];
        self.source.read_at(at.address, bytes).map_err(|error| Fault::Source(Arc::new(error)))?;
        let order = at.order.unwrap_or(self.order);
        Ok(crate::elements::number::integer(bytes, at.primitive, order))
    }

    fn stored(&self, _: ArrayId, address: u64) -> std::result::Result<u64, Fault> {
        let mut bytes = [0; 8];
        self.source.read_at(address, &mut bytes).map_err(|error| Fault::Source(Arc::new(error)))?;
        Ok(match self.order {
            ByteOrder::Little => u64::from_le_bytes(bytes),
            ByteOrder::Big => u64::from_be_bytes(bytes),
        })
    }
}

/// As [`StreamValues`], where nothing is read behind a constant that is wrong (spec 7.3a).
pub(super) struct Guarded<'s> {
    pub(super) stored: &'s StreamValues<'s>,
    pub(super) stream: &'s Stream,
}

impl Values for Guarded<'_> {
    fn param(&self, at: &ParamAt) -> std::result::Result<i128, Fault> {
        let value = self.stored.param(at)?;
        guard::check_param(self.stream, at, value).map_err(fault)?;
        Ok(value)
    }

    fn stored(&self, array: ArrayId, address: u64) -> std::result::Result<u64, Fault> {
        self.stored.stored(array, address)
    }

    fn guard(&self, resolver: &mut Resolver<'_>, step: usize) -> std::result::Result<(), Fault> {
        guard::step(self.stream, resolver, self.stored.source, step).map(drop).map_err(fault)
    }

    fn guard_within(
        &self,
        resolver: &mut Resolver<'_>,
        array: ArrayId,
        address: u64,
    ) -> std::result::Result<(), Fault> {
        guard::within(self.stream, resolver, array, address).map_err(fault)
    }
}

fn fault(error: Error) -> Fault {
    Fault::Source(Arc::new(error))
}
