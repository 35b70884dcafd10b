//! What files of netCDF-4 say otherwise than HDF5 does: the names and lengths of dimensions.

use std::collections::HashMap;

use dudley::Result;

use super::attribute::{Attribute, attributes};
use super::dataset::Space;
use super::file::File;
use super::heap::Objects;
use super::object::{body, kind, messages, one};
use super::tree::{Dataset, Group, Member};
use super::types::Class;

/// Attributes that say how others are to be read.
pub(super) const HIDDEN: [&str; 6] = [
    "DIMENSION_LIST",
    "REFERENCE_LIST",
    "_Netcdf4Dimid",
    "_Netcdf4Coordinates",
    "_nc3_strict",
    "_NCProperties",
];

/// The dimensions of a file.
#[derive(Default)]
pub(super) struct Dims {
    /// Those that have a number, by it: the name, and the address of the scale.
    numbered: HashMap<i64, (String, u64)>,
    /// How long those without end are, by the addresses of their scales: as the longest array along them.
    lengths: HashMap<u64, u64>,
    /// All arrays were looked at.
    is_whole: bool,
}

impl Dims {
    /// Those of a file, all of which a group has, or a part.
    pub(super) fn of(file: &File, objects: &Objects, root: &Group, is_whole: bool) -> Dims {
        let mut dims = Dims { is_whole, ..Dims::default() };
        dims.number(file, objects, root);
        if is_whole {
            dims.extend(file, objects, root);
        }
        dims
    }

    /// Learns the numbers of dimensions. Only scales have a number of their own: netCDF-4 gives one to the first variable
    /// of several dimensions, too, and there it is that of its first dimension.
    fn number(&mut self, file: &File, objects: &Objects, group: &Group) {
        for (name, member) in &group.members {
            match member {
                Member::Group(group) => self.number(file, objects, group),
                Member::Array(dataset) => {
                    let attributes = &dataset.attributes;
                    if !is_scale(file, objects, attributes) {
                        continue;
                    }
                    let own = attributes.iter().find(|it| it.name == "_Netcdf4Dimid");
                    let number = own.and_then(|it| it.integers(file, objects));
                    if let Some([number]) = number.as_deref() {
                        let scale = || (name.clone(), dataset.address);
                        self.numbered.entry(*number).or_insert_with(scale);
                    }
                }
                Member::Path(_) => {}
            }
        }
    }

    /// Learns the lengths of dimensions without end.
    fn extend(&mut self, file: &File, objects: &Objects, group: &Group) {
        for (_, member) in &group.members {
            match member {
                Member::Group(group) => self.extend(file, objects, group),
                Member::Array(dataset) => {
                    let Space { shape, most, .. } = &dataset.array.space;
                    if most.iter().all(Option::is_some) {
                        continue;
                    }
                    let scales = self.scales(file, objects, dataset);
                    for ((scale, length), most) in scales.iter().zip(shape).zip(most) {
                        if let (Some(scale), None) = (scale, most) {
                            let known = self.lengths.entry(*scale).or_default();
                            *known = (*known).max(*length);
                        }
                    }
                }
                Member::Path(_) => {}
            }
        }
    }

    /// For each dimension of an array the address of its scale; empty if nothing says so.
    fn scales(&self, file: &File, objects: &Objects, dataset: &Dataset) -> Vec<Option<u64>> {
        let attribute = |name: &str| dataset.attributes.iter().find(|it| it.name == name);
        if let Some(listed) =
            attribute("DIMENSION_LIST").and_then(|it| it.references(file, objects))
        {
            return listed.iter().map(|it| it.first().copied()).collect();
        }
        let numbers = attribute("_Netcdf4Coordinates").and_then(|it| it.integers(file, objects));
        match numbers {
            Some(numbers) => numbers
                .iter()
                .map(|it| self.numbered.get(it).map(|(_, address)| *address))
                .collect(),
            None if dataset.array.space.shape.len() == 1
                && is_scale(file, objects, &dataset.attributes) =>
            {
                vec![Some(dataset.address)]
            }
            None => Vec::new(),
        }
    }

    /// The names of the dimensions of an array, one for each; empty if nothing says so. `names` are those of scales.
    pub(super) fn names(
        &self,
        file: &File,
        objects: &Objects,
        dataset: &Dataset,
        names: &HashMap<u64, String>,
    ) -> Vec<String> {
        let numbered = |address: &u64| {
            let mut all = self.numbered.values();
            all.find(|(_, scale)| scale == address).map(|(name, _)| name.clone())
        };
        let of = |scale: &Option<u64>| {
            let name =
                scale.as_ref().and_then(|it| names.get(it).cloned().or_else(|| numbered(it)));
            name.unwrap_or_default()
        };
        self.scales(file, objects, dataset).iter().map(of).collect()
    }

    /// The shape that an array has in a file of netCDF: there all along a dimension without end are as long as the longest
    /// of them. `None` if that is how it is stored.
    ///
    /// # Errors
    /// If something is wrong with an array along a dimension.
    pub(super) fn shape(
        &self,
        file: &File,
        objects: &Objects,
        dataset: &Dataset,
    ) -> Result<Option<Vec<u64>>> {
        let Space { shape, most, .. } = &dataset.array.space;
        if most.iter().all(Option::is_some) {
            return Ok(None);
        }
        let mut longer = shape.clone();
        for (at, scale) in self.scales(file, objects, dataset).into_iter().enumerate() {
            let (Some(scale), Some(None)) = (scale, most.get(at)) else { continue };
            let length = if self.is_whole {
                self.lengths.get(&scale).copied().unwrap_or(0)
            } else {
                length(file, scale)?
            };
            longer[at] = longer[at].max(length);
        }
        Ok((longer != *shape).then_some(longer))
    }
}

/// How long the arrays along the dimension of a scale are, as that names them.
fn length(file: &File, scale: u64) -> Result<u64> {
    let extent = |address: u64, at: usize| -> Result<u64> {
        let messages = messages(file, address)?;
        let Some(space) = one(&messages, kind::DATASPACE) else { return Ok(0) };
        let space = Space::read(&mut body(file, space, "a dataspace message")?)?;
        Ok(space.shape.get(at).copied().unwrap_or(0))
    };
    let said = attributes(file, &messages(file, scale)?, &mut |_| {})?;
    let mut longest = extent(scale, 0)?;
    let users = said.iter().find(|it| it.name == "REFERENCE_LIST");
    for (address, at) in users.map(users_of).unwrap_or_default() {
        longest = longest.max(extent(address, at)?);
    }
    Ok(longest)
}

/// The arrays along a dimension, each with which of its dimensions that is.
fn users_of(attribute: &Attribute) -> Vec<(u64, usize)> {
    let Class::Struct(members) = &attribute.of.class else { return Vec::new() };
    let [(_, of, reference), (_, at, index)] = &members[..] else { return Vec::new() };
    let uint = |element: &[u8], from: u64, size: u64| {
        let bytes = element.get(from as usize..(from + size.min(8)) as usize).unwrap_or_default();
        bytes.iter().rev().fold(0_u64, |number, byte| number << 8 | u64::from(*byte))
    };
    let elements = attribute.data.chunks_exact(attribute.of.size.max(1) as usize);
    let user = |it: &[u8]| (uint(it, *of, reference.size), uint(it, *at, index.size) as usize);
    elements.map(user).collect()
}

/// Whether an array is a dimension scale.
pub(super) fn is_scale(file: &File, objects: &Objects, attributes: &[Attribute]) -> bool {
    let class = attributes.iter().find(|it| it.name == "CLASS");
    class.and_then(|it| it.text(file, objects)).as_deref() == Some("DIMENSION_SCALE")
}
