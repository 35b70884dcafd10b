//! Elements that are not given as they lie in memory: encoded, or converted, while they are written.

use ndarray::ArrayViewD;

use super::cell::{Cell, lengths};
use crate::element::{ByteOrder, Element, Primitive};
use crate::error::Result;
use crate::input::Typed;

/// Elements converted at a time.
const BLOCK: usize = 1 << 13;

/// An array that is stored as another type.
pub(super) struct Mapped<'a, C> {
    pub(super) view: ArrayViewD<'a, C>,
}

impl<C: Cell> Typed for Mapped<'_, C> {
    fn shape(&self) -> Vec<u64> {
        lengths(self.view.shape())
    }

    fn check(&self, primitive: Primitive) -> Result<()> {
        C::Stored::check(primitive)
    }

    fn encode(
        &self,
        _: Primitive,
        order: ByteOrder,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let mut cells = self.view.iter().map(|cell| cell.store());
        let mut room = vec![0; BLOCK.min(self.view.len()) * C::Stored::SIZE];
        loop {
            let block: Vec<C::Stored> = cells.by_ref().take(BLOCK).collect();
            if block.is_empty() {
                return Ok(());
            }
            let room = &mut room[..block.len() * C::Stored::SIZE];
            C::Stored::encode_slice(&block, order, room)?;
            sink(room)?;
        }
    }
}
