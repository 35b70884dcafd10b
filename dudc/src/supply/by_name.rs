//! Arrays with names instead of paths: the name of a file does not distinguish `/l/0`, the first item of a list, from
//! `/l/"0"`, nor the second param `k`, `/k#2`, from a param with this name.
//!
//! A dict has only one of the first two, and the names of its params are checked, so names are enough.

use std::borrow::Cow;
use std::collections::HashMap;

use dudley::Result;
use dudley::read::path::{Part, parse};
use dudley_parser::layout::path::{of_param, split};
use dudley_parser::layout::{Layout, Scope};

use dudley::numpy::layout::path_of;

use super::{Values, unlike};
use crate::convert::names;

/// The name for the path of an item.
pub(super) fn item(path: &str) -> Cow<'_, str> {
    match path.contains('"').then(|| parse(path)) {
        Some(Ok(parts)) => path_of(&parts.into_iter().filter_map(name).collect::<Vec<_>>()).into(),
        _ => path.into(),
    }
}

/// The name for the path of a param.
pub(super) fn param(path: &str) -> Cow<'_, str> {
    if !path.contains(['"', '#']) {
        return path.into();
    }
    let called = names::of_param(&of_param(path));
    let called = called.strip_prefix(':').unwrap_or(&called).to_owned();
    format!("{}{}", item(split(path).0), path_of(&[called])).into()
}

fn name(part: Part) -> Option<String> {
    match part {
        Part::Name { text, .. } => Some(text),
        Part::Param(..) | Part::Field(_) | Part::Slice(_) => None,
    }
}

impl Values {
    /// The name here for the path of an item.
    pub(super) fn item_key<'p>(&self, path: &'p str) -> Cow<'p, str> {
        if self.by_name { item(path) } else { path.into() }
    }

    /// The name here for the path of a param.
    pub(super) fn param_key<'p>(&self, path: &'p str) -> Cow<'p, str> {
        if self.by_name { param(path) } else { path.into() }
    }

    /// Checks that names distinguish the given params of a layout.
    ///
    /// # Errors
    /// If they do not.
    pub(super) fn check_names(&self, layout: &Layout) -> Result<()> {
        let mut known = HashMap::new();
        let params = layout.params().filter(|(_, param)| matches!(param.scope, Scope::Dict(_)));
        for path in params.map(|(id, _)| layout.param_path(id)).filter(|_| self.by_name) {
            let key = param(&path).into_owned();
            let Some(other) = known.insert(key.clone(), path.clone()) else { continue };
            if self.params.contains_key(&key) {
                let called = names::of_param(&of_param(&path));
                let both = format!("{other}`, `{path}");
                return Err(unlike(&both, "names of their own", format!("`{called}` for both")));
            }
        }
        Ok(())
    }
}
