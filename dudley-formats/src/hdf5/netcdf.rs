//! The conventions of netCDF-4 over HDF5: the names and lengths of dimensions.

use hashbrown::HashMap;

use super::attribute::Attribute;
use super::dataset::Space;
use super::file::File;
use super::heap::Objects;
use super::tree::{Dataset, Group, Member};

/// Attributes that say how others are to be read.
pub(super) const HIDDEN: [&str; 6] = [
    "DIMENSION_LIST",
    "REFERENCE_LIST",
    "_Netcdf4Dimid",
    "_Netcdf4Coordinates",
    "_nc3_strict",
    "_NCProperties",
];

/// The dimensions of a file, by the addresses of their scales.
#[derive(Default)]
pub(super) struct Dims {
    /// Those that have a number, by it.
    numbered: HashMap<i64, u64>,
    /// How long those without end are: as the longest array along them.
    lengths: HashMap<u64, u64>,
}

impl Dims {
    /// Those of what is in a group. A part of a file does not tell how long the longest array is.
    pub(super) fn of(file: &File, objects: &Objects, root: &Group, is_part: bool) -> Dims {
        let mut dims = Dims::default();
        dims.number(file, objects, root);
        if !is_part {
            dims.extend(file, objects, root);
        }
        dims
    }

    /// Learns the numbers of dimensions. Only scales have a number of their own: netCDF-4 gives one to the first variable
    /// of several dimensions, too, and there it is that of its first dimension.
    fn number(&mut self, file: &File, objects: &Objects, group: &Group) {
        for (_, member) in &group.members {
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
                        self.numbered.entry(*number).or_insert(dataset.address);
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
            Some(numbers) => numbers.iter().map(|it| self.numbered.get(it).copied()).collect(),
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
        let of = |scale: &Option<u64>| {
            scale.as_ref().and_then(|it| names.get(it)).cloned().unwrap_or_default()
        };
        self.scales(file, objects, dataset).iter().map(of).collect()
    }

    /// The shape that an array has in a file of netCDF: there all along a dimension without end are as long as the longest
    /// of them. `None` if that is how it is stored.
    pub(super) fn shape(
        &self,
        file: &File,
        objects: &Objects,
        dataset: &Dataset,
    ) -> Option<Vec<u64>> {
        let Space { shape, most, .. } = &dataset.array.space;
        if self.lengths.is_empty() || most.iter().all(Option::is_some) {
            return None;
        }
        let scales = self.scales(file, objects, dataset);
        let mut longer = shape.clone();
        for ((length, scale), most) in longer.iter_mut().zip(scales).zip(most) {
            if let (Some(scale), None) = (scale, most) {
                *length = (*length).max(self.lengths.get(&scale).copied().unwrap_or(0));
            }
        }
        (longer != *shape).then_some(longer)
    }
}

/// Whether an array is a dimension scale.
pub(super) fn is_scale(file: &File, objects: &Objects, attributes: &[Attribute]) -> bool {
    let class = attributes.iter().find(|it| it.name == "CLASS");
    class.and_then(|it| it.text(file, objects)).as_deref() == Some("DIMENSION_SCALE")
}
