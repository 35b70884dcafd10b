//! The attributes of the elements of an array, and of their fields.

use std::collections::BTreeMap;

use dudley_parser::Layout;
use dudley_parser::comments::Attribute;
use dudley_parser::layout::{DocKey, Element, RecordId, Step};

use super::Data;
use crate::read::dtype::Dtype;

/// What is said of an item, and of its fields by their names.
#[derive(Debug, Default)]
pub(crate) struct Fields<T> {
    pub(crate) here: T,
    pub(crate) fields: BTreeMap<String, Fields<T>>,
}

impl<T> Fields<T> {
    /// What the attributes of an array and of its fields say.
    pub(crate) fn of(data: &Data, said: fn(&[Attribute]) -> T) -> Fields<T> {
        let record = match data.dtype() {
            Dtype::Primitive(..) => None,
            Dtype::Record(record) => record.id,
            Dtype::Variable(id) => Some(*id),
        };
        Fields::new(data.layout(), data.attributes(), record, said)
    }

    fn new(
        layout: &Layout,
        attributes: &[Attribute],
        record: Option<RecordId>,
        said: fn(&[Attribute]) -> T,
    ) -> Fields<T> {
        let members = record.map_or(&[][..], |record| layout.run(layout[record].members));
        let fields = members.iter().filter_map(|step| {
            let (name, span, inner) = match *step {
                Step::Param(id) => (layout.param_key(record?, id), layout[id].span, None),
                Step::Array(id) => {
                    let inner = match layout[id].element {
                        Element::Record(inner) => Some(inner),
                        Element::Primitive(..) => None,
                    };
                    (layout.name(layout[id].name).to_owned(), layout[id].span, inner)
                }
                _ => return None,
            };
            let attributes = layout.attributes(DocKey::of(span));
            Some((name, Fields::new(layout, attributes, inner, said)))
        });
        Fields { fields: fields.collect(), here: said(attributes) }
    }
}
