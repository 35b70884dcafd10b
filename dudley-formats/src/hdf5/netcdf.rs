//! The conventions of netCDF-4 over HDF5: the names and lengths of dimensions.

use hashbrown::HashMap;

use super::attribute::Attribute;
use super::dataset::Space;
use super::file::File;
use super::heap::Objects;
use super::tree::{Dataset, Group, Member};

/// Attributes that only tell readers how to read the file.
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
    /// The scales that have a number, by number.
    numbered: HashMap<i64, u64>,
    /// The lengths of unlimited dimensions: the length of the longest array along each.
    lengths: HashMap<u64, u64>,
}

impl Dims {
    /// Collects the dimensions of a group and its members. A part of a file does not tell the length of the longest
    /// array.
    pub(super) fn of(file: &File, objects: &Objects, root: &Group, is_part: bool) -> Dims {
        let mut dims = Dims::default();
        dims.number(file, objects, root);
        if !is_part {
            dims.extend(file, objects, root);
        }
        dims
    }

    /// Collects the numbers of dimensions. Only the number of a scale is its own: netCDF-4 also gives one to the first
    /// variable of several dimensions, and there it is the number of its first dimension.
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

    /// Collects the lengths of unlimited dimensions.
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

    /// The address of the scale of each dimension of an array; empty if the file does not say.
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

    /// The name of each dimension of an array; empty if the file does not say. `names` are the names of scales.
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

    /// The shape of an array in netCDF, where all arrays along an unlimited dimension are as long as the longest of
    /// them. `None` if this is the stored shape.
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
