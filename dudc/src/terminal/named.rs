//! Names of integers, which attributes say, beside them where they are shown.

use std::collections::BTreeMap;

use dudley::elements::{Scalar, Sink};
use dudley::read::Dtype;
use dudley::read::select::{Picked, Selected};
use dudley_parser::Layout;
use dudley_parser::comments::{Attribute, value_names};
use dudley_parser::layout::{DocKey, Element, RecordId, Step};

use super::printer::{Shows, single};
use crate::failure::printable;

/// The names of the values of an item, and of those of its fields.
#[derive(Default)]
pub(super) struct Names {
    values: BTreeMap<i64, String>,
    fields: BTreeMap<String, Names>,
}

impl Names {
    /// Those of what was selected.
    pub(super) fn of(selected: &Selected) -> Names {
        let Some(Picked::Data(data)) = selected.parts.first() else { return Names::default() };
        let layout = data.layout();
        if !layout.has_attribute("names") {
            return Names::default();
        }
        let record = match data.dtype() {
            Dtype::Primitive(..) => None,
            Dtype::Record(record) => record.id,
            Dtype::Variable(id) => Some(*id),
        };
        Names::new(layout, data.attributes(), record)
    }

    fn new(layout: &Layout, attributes: &[Attribute], record: Option<RecordId>) -> Names {
        let named = value_names(attributes).into_iter();
        let values = named.map(|(value, name)| (value, name.to_owned())).collect();
        let members = record.map_or(&[][..], |record| layout.run(layout[record].members));
        let fields = members.iter().filter_map(|step| {
            let Step::Array(id) = *step else { return None };
            let record = match layout[id].element {
                Element::Record(record) => Some(record),
                Element::Primitive(..) => None,
            };
            let attributes = layout.attributes(DocKey::of(layout[id].span));
            let name = layout.name(layout[id].name).to_owned();
            Some((name, Names::new(layout, attributes, record)))
        });
        Names { values, fields: fields.collect() }
    }
}

/// Hands on what is decoded, with names.
pub(super) struct Named<'n, S> {
    to: S,
    /// Those of the item or field at hand, and of the structs around it.
    names: Option<&'n Names>,
    around: Vec<Option<&'n Names>>,
}

impl<'n, 's, S: Shows> Named<'n, &'s mut S> {
    /// To a sink.
    pub(super) fn new(names: &'n Names, to: &'s mut S) -> Self {
        Named { to, names: Some(names), around: Vec::new() }
    }
}

impl<S: Shows> Sink for Named<'_, &mut S> {
    fn scalar(&mut self, value: Scalar<'_>) -> dudley::Result<()> {
        let name = match (self.names, &value) {
            (Some(names), Scalar::Int(value)) => {
                i64::try_from(*value).ok().and_then(|value| names.values.get(&value))
            }
            _ => None,
        };
        match name {
            Some(name) => self.to.one_as(format!("{} ({})", single(value), printable(name))),
            None => self.to.scalar(value),
        }
    }

    fn begin_array(&mut self, length: u64) -> dudley::Result<()> {
        self.to.begin_array(length)
    }

    fn end_array(&mut self) -> dudley::Result<()> {
        self.to.end_array()
    }

    fn begin_struct(&mut self) -> dudley::Result<()> {
        self.around.push(self.names);
        self.to.begin_struct()
    }

    fn field(&mut self, name: &str) -> dudley::Result<()> {
        let around = self.around.last().copied().flatten();
        self.names = around.and_then(|names| names.fields.get(name));
        self.to.field(name)
    }

    fn end_struct(&mut self) -> dudley::Result<()> {
        self.names = self.around.pop().flatten();
        self.to.end_struct()
    }
}
