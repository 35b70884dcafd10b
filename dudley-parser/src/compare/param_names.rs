//! The names of the params of examples.

use super::declared::Comparison;
use super::tree::{Tree, What};
use crate::layout::path::{push_name, push_param};
use crate::layout::{Element, Layout, ParamId, RecordId, Step};
use hashbrown::HashMap;

/// The names of params.
#[derive(Default)]
pub(super) struct Named {
    /// The params of structs by their paths, in both layouts, once they are requested.
    of_structs: [Option<HashMap<ParamId, String>>; 2],
}

impl Named {
    /// The name of each param with its value; where several have one name, params of structs have their path.
    pub(super) fn names(
        &mut self,
        of: &Comparison<'_>,
        params: Vec<(Option<(usize, ParamId)>, i64)>,
    ) -> Vec<(String, i64)> {
        let label = |param: Option<(usize, ParamId)>| {
            param.map_or_else(String::new, |(side, id)| of.labels[side].param(id))
        };
        let mut often: HashMap<String, usize> = HashMap::new();
        params.iter().for_each(|(param, _)| *often.entry(label(*param)).or_default() += 1);
        let mut name = |param: Option<(usize, ParamId)>| {
            let label = label(param);
            let (Some((side, id)), true) = (param, often[&label] > 1) else { return label };
            let layout = [of.old, of.new][side];
            let paths = self.of_structs[side].get_or_insert_with(|| in_structs(layout));
            paths.get(&id).cloned().unwrap_or(label)
        };
        params.into_iter().map(|(param, value)| (name(param), value)).collect()
    }
}

/// The paths of all params of structs.
fn in_structs(layout: &Layout) -> HashMap<ParamId, String> {
    let mut paths = HashMap::new();
    for node in Tree::new(layout).nodes {
        if let What::Array(id) = node.what
            && let Element::Record(record) = layout[id].element
        {
            members(layout, record, &node.path, &mut paths);
        }
    }
    paths
}

fn members(layout: &Layout, record: RecordId, path: &str, paths: &mut HashMap<ParamId, String>) {
    for step in layout.run(layout[record].members) {
        let mut path = format!("{path}.");
        match *step {
            Step::Param(id) => {
                let param = &layout[id];
                push_param(&mut path, layout.name(param.name), param.ordinal as usize);
                paths.insert(id, path);
            }
            Step::Array(id) => {
                if let Element::Record(inner) = layout[id].element {
                    push_name(&mut path, layout.name(layout[id].name));
                    members(layout, inner, &path, paths);
                }
            }
            _ => {}
        }
    }
}
