//! The dimensions of a selection that still have their names from a layout.

use dudley::read::path::{Part, parse};
use dudley::read::slice::{Index, resolve};
use dudley::{Data, Dtype, Item, ItemKind, Stream};

use crate::failure::Result;

/// A dimension of a selection that is a whole dimension of an item.
pub(crate) struct Dim {
    /// Its name in the layout.
    pub(crate) name: String,
    /// The params that decide it.
    pub(crate) params: Vec<Item>,
}

/// The dimensions of the selection of a path.
#[derive(Default)]
pub(crate) struct PickedDims {
    /// The dimensions of the stacked lists.
    pub(crate) stacked: Vec<Option<Dim>>,
    /// The dimensions of each stacked item.
    pub(crate) dims: Vec<Option<Dim>>,
    /// The names of all these dimensions, with and without a param, and also of dimensions that are taken in part.
    pub(crate) names: Vec<Option<String>>,
}

impl PickedDims {
    /// The dimensions of an item; `None` for a dimension without a name.
    ///
    /// # Errors
    /// If reading fails.
    pub(crate) fn of_item(item: &Item) -> Result<PickedDims> {
        let named = item.dims()?.into_iter().zip(item.dim_params()?);
        let dims = named.map(|(name, params)| name.map(|name| Dim { name, params })).collect();
        Ok(PickedDims { stacked: Vec::new(), dims, names: item.dim_names()? })
    }

    /// The dimensions of the selection of a path, behind the dimensions of the lists that it stacks. The first stacked item
    /// has these dimensions, with its own params.
    ///
    /// # Errors
    /// If reading fails.
    pub(crate) fn of_path(stream: &Stream, path: &str) -> Result<PickedDims> {
        let mut picked = PickedDims::default();
        let parts = parse(path)?;
        let mut rest = &parts[..];
        let mut item = stream.root();
        while let ([part, after @ ..], ItemKind::Dict | ItemKind::List) = (rest, item.kind()) {
            rest = after;
            match part {
                Part::Slice(indices) => {
                    for (at, index) in indices.iter().enumerate() {
                        if item.kind() != ItemKind::List {
                            return picked.sliced(&item, &indices[at..], rest);
                        }
                        let length = item.len()?;
                        let Some(one) = resolve(&[*index], &[length])?.into_iter().next() else {
                            return Ok(picked);
                        };
                        if !one.single {
                            let is_whole = one.start == 0 && one.count == length && one.step == 1;
                            // The params are the params of the first stacked item.
                            let said =
                                item.repeat_dim().filter(|_| is_whole && picked.stacked.is_empty());
                            picked.stacked.push(said.map(|(name, params)| Dim { name, params }));
                        }
                        if one.count == 0 {
                            return Ok(picked);
                        }
                        item = item.element(one.start)?;
                    }
                }
                Part::Name { text, .. } => {
                    let next = match item.kind() {
                        ItemKind::List => {
                            text.parse().ok().map(|at| item.element(at)).transpose()?
                        }
                        _ => item.child(text),
                    };
                    let Some(next) = next else { return Ok(picked) };
                    item = next;
                }
                Part::Param(..) | Part::Field(_) => return Ok(picked),
            }
        }
        picked.sliced(&item, &[], rest)
    }

    /// The dimensions that slices and fields leave of an array: first some indices, then the parts of a path behind them.
    fn sliced(mut self, item: &Item, indices: &[Index], rest: &[Part]) -> Result<PickedDims> {
        if item.kind() != ItemKind::Data {
            return Ok(self);
        }
        let PickedDims { dims, names, .. } = PickedDims::of_item(item)?;
        (self.dims, self.names) = (dims, names);
        let mut data = item.data()?;
        // The fields of structs of variable size form no arrays: the structs are sliced as values.
        if matches!(data.dtype(), Dtype::Variable(_)) {
            if !rest.is_empty() || !indices.is_empty() {
                self.dims.clear();
                self.names.clear();
            }
            return Ok(self);
        }
        self.slice(&mut data, indices)?;
        for part in rest {
            match part {
                Part::Slice(indices) => self.slice(&mut data, indices)?,
                Part::Field(name) => {
                    data = data.field(name)?;
                    self.dims.resize_with(data.shape().len(), || None);
                    self.names.resize_with(data.shape().len(), || None);
                }
                Part::Name { .. } | Part::Param(..) => return Ok(self),
            }
        }
        Ok(self)
    }

    fn slice(&mut self, data: &mut Data, indices: &[Index]) -> Result<()> {
        let picked = resolve(indices, data.shape())?;
        let names = std::mem::take(&mut self.names).into_iter().zip(&picked);
        self.names = names.filter(|(_, picked)| !picked.single).map(|(name, _)| name).collect();
        let lengths = data.shape().iter();
        let dims = std::mem::take(&mut self.dims).into_iter().zip(lengths).zip(&picked);
        self.dims = dims
            .filter(|(_, picked)| !picked.single)
            .map(|((dim, length), picked)| {
                let is_whole = picked.start == 0 && picked.count == *length && picked.step == 1;
                dim.filter(|_| is_whole)
            })
            .collect();
        *data = data.slice(indices)?;
        Ok(())
    }
}
