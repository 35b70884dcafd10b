//! Which times are in structs that are compared: the unit of a datetime or timedelta of numpy is part of its type.

use std::collections::BTreeMap;

use dudley_parser::layout::path::push_name;
use dudley_parser::layout::{DocKey, Element, Layout, RecordId, Step};

use crate::elements::scalar::time;
use crate::read::data::Data;
use crate::read::dtype::Dtype;

/// What the times in the structs of an array are, such as `M8[s]`, by the paths of their fields.
pub(super) fn of_structs(data: &Data, path: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let layout = data.stream.layout();
    if layout.has_attribute("numpy") {
        of(layout, &data.dtype, path, &mut found);
    }
    found
}

fn of(layout: &Layout, dtype: &Dtype, path: &str, found: &mut BTreeMap<String, String>) {
    match dtype {
        Dtype::Primitive(..) => {}
        Dtype::Variable(id) => below(layout, *id, path, found),
        Dtype::Record(record) => match record.id {
            Some(id) => below(layout, id, path, found),
            // No layout declares it.
            None => {
                for field in &record.fields {
                    let path = member(path, &field.name);
                    of(layout, &field.dtype, &path, found);
                    found.extend(time(layout, field.doc).map(|time| (path, time.to_owned())));
                }
            }
        },
    }
}

fn member(path: &str, name: &str) -> String {
    let mut path = path.to_owned();
    // A type that stands for its one member has the path of that.
    if !name.is_empty() {
        path.push('.');
        push_name(&mut path, name);
    }
    path
}

fn below(layout: &Layout, id: RecordId, path: &str, found: &mut BTreeMap<String, String>) {
    for step in layout.run(layout[id].members) {
        let Step::Array(array) = step else { continue };
        let array = &layout[*array];
        let path = member(path, layout.name(array.name));
        match (array.typedef, array.element) {
            (Some(id), _) | (None, Element::Record(id)) => below(layout, id, &path, found),
            (None, Element::Primitive(..)) => {
                if let Some(time) = time(layout, DocKey::of(array.span)) {
                    found.insert(path, time.to_owned());
                }
            }
        }
    }
}
