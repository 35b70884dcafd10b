//! What a path picks of which no element is looked at: an array of the type and shape that is declared,
//! for a slice of a list that picks no item, and for a stream that cannot be read.

use dudley_parser::layout::Element;
use dudley_parser::resolve::Placed;

use super::{Picked, Selection, items, member};
use crate::elements::value::Value;
use crate::error::{Error, Result};
use crate::read::data::Data;
use crate::read::dtype::{Dtype, shown_as, shown_member};
use crate::read::item::{Item, ItemKind, follow_from};
use crate::read::path::{Part, parse};
use crate::read::slice::resolve;
use crate::read::stream::Stream;

/// The type and the shape of what a path picks, as far as the params that are known decide them: where it
/// lies need not be known. `None` where they are not the same for all of it, or depend on what is stored.
///
/// # Errors
/// As [`select`](super::select::select) of what the path says; what cannot be known.
pub(crate) fn declared(stream: &Stream, path: &str) -> Result<Option<Data>> {
    let parts = parse(path)?;
    let selection = Selection { path, stacked: Vec::new(), parts: Vec::new() };
    Ok(match selection.pattern(stream.root(), &parts, Vec::new())? {
        Some(Picked::Data(data)) => Some(data),
        _ => None,
    })
}

/// The type of what fields lead to in structs, or what these are shown as, whatever is stored; `None` if that is
/// structs.
pub(super) fn member_dtype(data: &Data, rest: &[Part]) -> Option<Dtype> {
    let layout = data.layout();
    let mut names = rest.iter().filter_map(|part| match part {
        Part::Field(name) => Some(name),
        _ => None,
    });
    let (mut id, mut name) = (data.variable_record()?, names.next());
    let order = data.stream.order();
    while let Some(field) = name {
        let named = member(layout, id, field).map(|(element, _)| element);
        match named.or_else(|| shown_member(layout, id))? {
            Element::Record(inner) => id = inner,
            Element::Primitive(primitive, own) => {
                let dtype = Dtype::Primitive(primitive, own.unwrap_or(order));
                return (named.is_some() && names.next().is_none()).then_some(dtype);
            }
        }
        name = if named.is_some() { names.next() } else { name };
    }
    shown_as(layout, id, order)
}

impl Selection<'_> {
    /// What there is for an empty slice of a list, with what is left of the path: an array, or a value where its
    /// shape is not known without an item; `None` where its type is not.
    ///
    /// # Errors
    /// If the path leads nowhere in the items that there are, or could be.
    pub(super) fn nothing(&self, list: &Item, rest: &[Part]) -> Result<Option<Picked>> {
        let Some(item) = list.pattern() else { return Ok(None) };
        match self.pattern(item, rest, vec![0]) {
            Err(
                error @ (Error::NoSuchItem { .. }
                | Error::BadSlice { .. }
                | Error::BadPath { .. }
                | Error::NotData { .. }),
            ) => Err(error),
            Err(_) => Ok(None),
            Ok(data) => Ok(data),
        }
    }

    /// `dims` are those of the slices of lists so far.
    fn pattern(&self, item: Item, rest: &[Part], mut dims: Vec<u64>) -> Result<Option<Picked>> {
        let (item, rest) = follow_from(item, self.path, rest)?;
        match (item.kind(), rest.split_first()) {
            (ItemKind::List, Some((Part::Slice(indices), rest))) => {
                let (first, next) = items::split(&item, indices, rest)?;
                let picked = resolve(&[first], &[item.len()?]);
                let picked = picked.map_err(|error| error.of_item(item.path()))?[0];
                let one = if picked.single {
                    item.element(picked.start).ok()
                } else {
                    dims.push(picked.count);
                    None
                };
                let inner = one.or_else(|| item.pattern());
                inner.map_or(Ok(None), |inner| self.pattern(inner, &next, dims))
            }
            (kind @ ItemKind::Dict, Some((Part::Slice(_), _))) => {
                Err(items::no_list(item.path(), kind))
            }
            (kind @ (ItemKind::List | ItemKind::Dict), _) => {
                Err(Error::NotData { path: item.path().into(), kind: kind.as_str() })
            }
            (ItemKind::Data | ItemKind::Param, _) => {
                let (dtype, shape) = item.declared()?;
                let outer = dims.len();
                let is_variable = matches!(dtype, Dtype::Variable(_));
                if !is_variable {
                    dims.extend(shape);
                }
                let mut data = item.bare(Placed { address: 0, bytes: 0 }, dtype, dims);
                if is_variable {
                    let dtype = member_dtype(&data, rest);
                    let value = Value::Array(Vec::new());
                    return Ok(dtype.filter(|_| data.shape.contains(&0)).map(|dtype| {
                        let (shape, attributes) = (data.shape, Vec::new());
                        Picked::Value { value, dtype: Some(dtype), shape, attributes }
                    }));
                }
                for part in rest {
                    data = match part {
                        Part::Slice(indices) => {
                            let all = std::iter::repeat_n(items::ALL, outer);
                            data.slice(&all.chain(indices.iter().copied()).collect::<Vec<_>>())?
                        }
                        Part::Field(name) => data.field(name)?,
                        Part::Name { .. } | Part::Param(..) => return Ok(None),
                    };
                }
                Ok(Some(Picked::Data(data)))
            }
        }
    }
}

impl Item {
    /// The first item of a list; what it would be if there is none, or its place is not known.
    pub(super) fn pattern(&self) -> Option<Item> {
        if let (Ok(1..), Ok(first)) = (self.len(), self.element(0)) {
            return Some(first);
        }
        let node = self.stream().with_resolver(|resolver| resolver.pattern(self.node()))?;
        Some(Item::new(self.stream().clone(), node, format!("{}/0", self.path())))
    }

    /// Whether the items of a list are lists.
    pub(super) fn holds_lists(&self) -> bool {
        self.pattern().is_some_and(|item| item.kind() == ItemKind::List)
    }

    /// How many indices it takes: those of lists in lists, and of an array in them.
    pub(super) fn rank(&self) -> usize {
        match self.kind() {
            ItemKind::List => 1 + self.pattern().map_or(0, |item| item.rank()),
            ItemKind::Data => self.declared().map_or(0, |(_, shape)| shape.len()),
            ItemKind::Dict | ItemKind::Param => 0,
        }
    }
}
