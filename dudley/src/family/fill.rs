//! Replacements of members that cannot be read: as many elements of one value as a member has.

use super::read::{Missing, Read};
use super::stack::in_memory;
use super::{Family, MemberId};
use crate::elements::value::Value;
use crate::error::{Error, Item, Result};
use crate::read::data::Data;
use crate::read::dtype::Dtype;
use crate::read::native::native_dtype;
use crate::read::select::{Picked, Selected, declared};
use crate::read::stream::Stream;

impl Read {
    /// Puts what stands for each member that cannot be read beside the others: elements as those have
    /// them, or, where not one can be read or they may differ, as the catalog says. Whether that is
    /// known of each.
    ///
    /// # Errors
    /// If the value cannot stand for the elements.
    pub(super) fn fill_gaps(
        &self,
        family: &Family,
        path: &str,
        home: &Stream,
        members: &[MemberId],
        found: &mut [Option<Selected>],
    ) -> Result<bool> {
        let Missing::Fill(_) = &self.missing else { return Ok(true) };
        let others = found.iter().flatten().next().cloned();
        let others = others.map(|other| (are_numbers(&other), self.filled(path, home, &other)));
        let others = match others {
            // What cannot stand for any number of its type is wrong whatever can be read.
            Some((false, Err(_))) if found.iter().all(Option::is_some) => return Ok(true),
            Some((_, filled)) => Some(filled?),
            None => None,
        };
        for (id, gap) in members.iter().zip(found).filter(|(_, found)| found.is_none()) {
            let own = if others.is_none() || self.ragged {
                self.own(family, path, home, *id, others.is_none())?
            } else {
                None
            };
            match own.or_else(|| others.clone()) {
                Some(filled) => *gap = Some(filled),
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    /// What stands for a member by what the catalog knows of it; `None` if that is not enough. That the
    /// path leads nowhere is an error if it is `alone`: nobody else says so.
    fn own(
        &self,
        family: &Family,
        path: &str,
        home: &Stream,
        id: MemberId,
        alone: bool,
    ) -> Result<Option<Selected>> {
        let known = family.member(id)?.known(Vec::new())?;
        match declared(&known, path) {
            Ok(Some(data)) => {
                let one = Selected { stacked: Vec::new(), parts: vec![Picked::Data(data)] };
                self.filled(path, home, &one).map(Some)
            }
            Err(
                error @ (Error::NoSuchItem { .. }
                | Error::BadSlice { .. }
                | Error::BadPath { .. }
                | Error::NotData { .. }),
            ) if alone => Err(error),
            Ok(None) | Err(_) => Ok(None),
        }
    }

    /// The same with the value for all elements.
    fn filled(&self, path: &str, home: &Stream, of: &Selected) -> Result<Selected> {
        let fill = |part: &Picked| match part {
            Picked::Data(data) => {
                let size = data.dtype().size().ok_or_else(|| Error::Variable { path: path.into() });
                let bytes = data.len()?.checked_mul(size?);
                let bytes = bytes.ok_or_else(|| Error::too_large(u64::MAX).of_item(path))?;
                let dtype = native_dtype(data.dtype());
                let filling = self.filling(path, &dtype, data.shape(), bytes)?;
                let bytes = filling.unwrap_or_default();
                Ok(Picked::Data(in_memory(home, data, dtype, data.shape().to_vec(), bytes)))
            }
            Picked::Value { .. } => Err(Error::Variable { path: path.into() }),
        };
        let parts = of.parts.iter().map(fill).collect::<Result<Vec<_>>>()?;
        Ok(Selected { stacked: of.stacked.clone(), parts })
    }

    /// The bytes that stand for a member that cannot be read.
    pub(super) fn filling(
        &self,
        path: &str,
        dtype: &Dtype,
        shape: &[u64],
        bytes: u64,
    ) -> Result<Option<Vec<u8>>> {
        let Missing::Fill(value) = &self.missing else { return Ok(None) };
        let unfit = |expected: &str, found: &str| Error::WrongValue {
            item: Item::new(path),
            expected: expected.into(),
            found: found.into(),
        };
        let Some((primitive, order)) = dtype.primitive() else {
            return Err(unfit("numbers or text, which a value can stand for", "structs"));
        };
        let one = match (primitive.is_text(), value) {
            (true, Value::Text(text)) => {
                let units = shape.last().copied().unwrap_or(1);
                crate::elements::text::encode(text, primitive, units, order)
            }
            (true, _) => Err(unfit("a text for members that cannot be read", "a number")),
            (false, value) => crate::elements::scalar::elements(value, primitive, order),
        };
        let one = one.map_err(|error| error.of_item(path))?;
        let mut all = crate::elements::buffer::zeros(bytes)?;
        all.chunks_exact_mut(one.len().max(1)).for_each(|room| room.copy_from_slice(&one));
        Ok(Some(all))
    }
}

fn are_numbers(selected: &Selected) -> bool {
    let primitive = |data: &Data| data.dtype().primitive().map(|(primitive, _)| primitive);
    match selected.parts.first() {
        Some(Picked::Data(data)) => primitive(data).is_some_and(|it| !it.is_text()),
        _ => false,
    }
}
