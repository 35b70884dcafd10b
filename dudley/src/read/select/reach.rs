//! Places, types and shapes of paths inside structs of variable size.

use dudley_parser::layout::RecordId;
use dudley_parser::resolve::Resolver;

use super::{Picked, member, pick};
use crate::error::Result;
use crate::read::data::Data;
use crate::read::dtype::{Dtype, Field, fields_at, key_of, strides};
use crate::read::path::Part;
use crate::read::presented::Presented;
use crate::read::slice::{self, Index, resolve};

/// What a path reaches in instances.
pub(super) struct Reached {
    /// The dimensions of the instances that are picked.
    pub(super) dims: Vec<u64>,
    /// What it is in the first of them.
    pub(super) first: Data,
    /// Whether it is of that type and shape in all of them.
    pub(super) alike: bool,
}

impl Reached {
    /// All of it where that is nothing: an array without elements, of that type.
    pub(super) fn nothing(self) -> Data {
        let shape: Vec<u64> = self.dims.iter().chain(self.first.shape()).copied().collect();
        let strides = strides(&shape, self.first.dtype.size().unwrap_or(0));
        let presented = Presented::default();
        Data { shape, strides, bytes: 0, filter: None, decoded: None, presented, ..self.first }
    }

    /// The shape of all of it, as values have it: the last dimension of text is one of strings no more.
    pub(super) fn shape(&self) -> Vec<u64> {
        let text = self.first.dtype().primitive().is_some_and(|(primitive, _)| primitive.is_text());
        let inner = self.first.shape();
        let inner = &inner[..inner.len() - usize::from(text && !inner.is_empty())];
        self.dims.iter().chain(inner).copied().collect()
    }
}

/// What a path reaches from structs of variable size on; `None` if that is structs themselves, or nothing is
/// picked.
///
/// # Errors
/// If placing them fails; slices and fields that do not fit.
pub(super) fn reach(
    path: &str,
    data: &Data,
    rest: &[Part],
    which: Which,
) -> Result<Option<Reached>> {
    let Some(record) = data.variable_record() else { return Ok(None) };
    data.stream.with_resolver(|resolver| {
        if let Some(node) = &data.node {
            resolver.place(node)?;
        }
        let mut way = Way { path, data, which, first: None, alike: true };
        let array = Instances { record, shape: &data.shape, address: data.address };
        let dims = way.array(resolver, &array, rest)?;
        Ok(dims.zip(way.first).map(|(dims, first)| Reached { dims, first, alike: way.alike }))
    })
}

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// The content of one instance.
    One,
    /// The content of any number of instances.
    Any,
}

/// Instances that follow each other.
struct Instances<'i> {
    record: RecordId,
    shape: &'i [u64],
    address: u64,
}

/// The way of a path.
struct Way<'w> {
    path: &'w str,
    data: &'w Data,
    which: Which,
    first: Option<Data>,
    alike: bool,
}

impl Way<'_> {
    /// Goes into instances; gives the dimensions of those that are picked, and of what is in between.
    fn array(
        &mut self,
        resolver: &mut Resolver<'_>,
        array: &Instances<'_>,
        rest: &[Part],
    ) -> Result<Option<Vec<u64>>> {
        let (indices, rest): (&[Index], _) = match rest.split_first() {
            Some((Part::Slice(indices), rest)) => (indices, rest),
            _ => (&[], rest),
        };
        let picked = resolve(indices, array.shape).map_err(|error| error.of_item(self.path))?;
        let transparent = resolver.layout()[array.record].transparent;
        let (name, rest) = match rest.split_first() {
            // What stands for its one member is that, but its params and that member can be named.
            Some((Part::Field(name), rest))
                if !transparent || member(resolver.layout(), array.record, name).is_some() =>
            {
                (Some(name.as_str()), rest)
            }
            _ if transparent => (None, rest),
            _ => return Ok(None),
        };
        let mut dims: Vec<u64> = picked.iter().filter(|it| !it.single).map(|it| it.count).collect();
        if self.which == Which::One && !dims.is_empty() {
            return Ok(None);
        }
        let Some(addresses) = self.addresses(resolver, array, &picked)? else { return Ok(None) };
        let mut inner: Option<Vec<u64>> = None;
        for address in addresses {
            let order = self.data.stream.order();
            let fields = fields_at(resolver, array.record, address, order)?;
            let found = fields.iter().find(|field| match name {
                Some(name) => key_of(&fields, field) == name,
                None => field.param.is_none(),
            });
            let Some(field) = found.filter(|field| !field.is_fixed(resolver.layout())) else {
                return Ok(None);
            };
            let here = address + field.offset;
            let between = match field.dtype {
                Dtype::Variable(record) => {
                    let array = Instances { record, shape: &field.shape, address: here };
                    match self.array(resolver, &array, rest)? {
                        Some(between) => between,
                        None => return Ok(None),
                    }
                }
                _ => {
                    self.leaf(field, here, rest)?;
                    Vec::new()
                }
            };
            let known = inner.get_or_insert_with(|| between.clone());
            self.alike &= *known == between;
        }
        dims.extend(inner.unwrap_or_default());
        Ok(Some(dims))
    }

    /// Where the instances that are picked begin; `None` if there are none, or they have no bytes.
    fn addresses(
        &self,
        resolver: &mut Resolver<'_>,
        array: &Instances<'_>,
        picked: &[slice::Picked],
    ) -> Result<Option<Vec<u64>>> {
        if picked.iter().any(|it| it.count == 0) || array.shape.contains(&0) {
            return Ok(None);
        }
        let mut numbers = vec![0_u64];
        for (pick, length) in picked.iter().zip(array.shape) {
            let at = |at: u64| (pick.start as i64 + at as i64 * pick.step) as u64;
            let count = if pick.single { 1 } else { pick.count };
            let one = |number: &u64| number.saturating_mul(*length);
            numbers = numbers
                .iter()
                .flat_map(|number| {
                    (0..count).map(move |index| one(number).saturating_add(at(index)))
                })
                .collect();
        }
        let last = numbers.iter().copied().max().unwrap_or(0);
        let (mut all, mut address) = (vec![array.address], array.address);
        for _ in 0..last {
            let size = resolver.instance_size(array.record, address)?;
            if size == 0 {
                return Ok(None);
            }
            address += size;
            all.push(address);
        }
        Ok(Some(numbers.iter().filter_map(|number| all.get(*number as usize).copied()).collect()))
    }

    /// A member that is no struct of variable size.
    fn leaf(&mut self, field: &Field, address: u64, rest: &[Part]) -> Result<()> {
        let whole = self.data;
        let leaf = Data {
            path: self.path.to_owned(),
            array: field.array,
            dtype: field.dtype.clone(),
            strides: Vec::new(),
            shape: field.shape.clone(),
            address,
            bytes: field.bytes,
            filter: field.filter.clone(),
            decoded: None,
            node: None,
            doc: Some(field.doc),
            kept: crate::elements::borrowed::Kept::default(),
            extent: None,
            presented: Presented::default(),
            stream: whole.stream.clone(),
        };
        let size = leaf.dtype.size().unwrap_or(0);
        let leaf = Data { strides: strides(&leaf.shape, size), ..leaf };
        let leaf = leaf.presented_as(field.presented.clone());
        let Picked::Data(leaf) = pick(self.path, leaf, rest)? else { return Ok(()) };
        match &self.first {
            None => self.first = Some(leaf),
            Some(first) => {
                self.alike &= first.shape == leaf.shape && first.dtype_name() == leaf.dtype_name();
            }
        }
        Ok(())
    }
}
