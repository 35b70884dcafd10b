//! The nested form of a dump: dicts are objects, in which params are `":N"`, and lists are arrays.
//!
//! It does not say what is a dict and what a struct: the layout does. So nothing is taken apart
//! beforehand, and paths are followed when they are asked for.

use dudley::path::{Part, parse};
use dudley::writer::Seen;
use dudley_parser::layout::path::push_name;
use serde_json::Value as Json;

/// The key of an item: its name, quoted as in paths where it would look like the key of a param or
/// like a quoted one.
pub(crate) fn key(name: &str) -> String {
    match name.starts_with([':', '"']) {
        true => spelled(name),
        false => name.to_owned(),
    }
}

fn spelled(name: &str) -> String {
    let mut spelled = String::new();
    push_name(&mut spelled, name);
    spelled
}

/// What is at the path of an item.
pub(crate) fn item<'j>(root: &'j Json, path: &str) -> Option<&'j Json> {
    parse(path).ok()?.iter().try_fold(root, |here, part| {
        let Part::Name { text, quoted } = part else { return None };
        match here {
            Json::Object(fields) => fields.get(&key(text)),
            Json::Array(items) if !quoted => items.get(text.parse::<usize>().ok()?),
            _ => None,
        }
    })
}

/// What is given for a param of a dict, by its path: under `":N"`, else under its bare name, which
/// people write.
pub(crate) fn param<'j>(root: &'j Json, path: &str) -> Option<&'j Json> {
    named(root, path).or_else(|| item(root, path))
}

/// What stands under `":N"` for the path of a param.
pub(crate) fn named<'j>(root: &'j Json, path: &str) -> Option<&'j Json> {
    let (dict, name) = dudley::path::split(path);
    let dict = if dict.is_empty() { root } else { item(root, dict)? };
    dict.as_object()?.get(&format!(":{name}"))
}

/// Paths that nothing of a stream has asked for.
pub(crate) fn unused(root: &Json, seen: &Seen) -> Vec<String> {
    let mut unused = Vec::new();
    below(root, "", seen, &mut unused);
    unused
}

fn below(here: &Json, path: &str, seen: &Seen, unused: &mut Vec<String>) {
    match here {
        Json::Object(fields) => {
            for (key, value) in fields {
                match key.strip_prefix(':') {
                    Some(param) => {
                        let param = format!("{path}/{param}");
                        if !seen.params.contains(&param) {
                            unused.push(param);
                        }
                    }
                    None if key.starts_with('"') => {
                        look(value, format!("{path}/{key}"), seen, unused)
                    }
                    None => look(value, format!("{path}/{}", spelled(key)), seen, unused),
                }
            }
        }
        Json::Array(items) => {
            for (at, value) in items.iter().enumerate() {
                look(value, format!("{path}/{at}"), seen, unused);
            }
        }
        _ => {}
    }
}

fn look(value: &Json, path: String, seen: &Seen, unused: &mut Vec<String>) {
    if seen.items.contains(&path) || (value.is_number() && seen.params.contains(&path)) {
        return;
    }
    match seen.containers.contains(&path) && (value.is_object() || value.is_array()) {
        true => below(value, &path, seen, unused),
        false => unused.push(path),
    }
}
