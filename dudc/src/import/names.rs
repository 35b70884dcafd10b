//! The structs of a program by name, and the list of all names.

use std::collections::HashSet;

use gimli::constants as dw;

use super::dwarf::{Entry, Types};

fn is_struct(entry: &Entry) -> bool {
    matches!(entry.tag, dw::DW_TAG_structure_type | dw::DW_TAG_class_type | dw::DW_TAG_union_type)
}

pub(crate) fn of_bytes(bytes: u64) -> String {
    if bytes == 1 { "1 byte".to_owned() } else { format!("{bytes} bytes") }
}

/// The names of the structs of a program, each once, for a message.
pub(crate) fn names(types: &Types) -> String {
    const MOST: usize = 20;
    let mut seen = HashSet::new();
    let mut names = Vec::new();
    for (at, entry) in types.entries.iter().enumerate() {
        let is_one = is_struct(entry) && entry.tag != dw::DW_TAG_union_type;
        if !is_one || entry.name.is_empty() || entry.declared {
            continue;
        }
        let name = format!("`{}` of {}", types.full_name(at), of_bytes(entry.size.unwrap_or(0)));
        if seen.insert(name.clone()) {
            names.push(name);
        }
    }
    // Names of the language and its library, which begin so, come last.
    names.sort_by_key(|name| {
        name.starts_with("`std::") || name.starts_with("`__") || name.contains("::__")
    });
    match names.len() {
        0 => "there is none that is used".to_owned(),
        count if count <= MOST => names.join(", "),
        count => format!("{} and {} more", names[..MOST].join(", "), count - MOST),
    }
}

/// The type of a name, with or without the names around it.
pub(crate) fn find(types: &Types, name: &str) -> Result<usize, String> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let (mut all, mut is_declared) = (Vec::new(), false);
    for (at, entry) in types.entries.iter().enumerate() {
        let named = is_struct(entry) || entry.tag == dw::DW_TAG_typedef;
        if entry.name.is_empty() || !named {
            continue;
        }
        let Some(plain) = types.plain(at).filter(|plain| is_struct(&types.entries[*plain])) else {
            continue;
        };
        let full = types.full_name(at);
        // Fortran ignores the case of letters.
        let is_it = entry.name == name
            || full.eq_ignore_ascii_case(name)
            || entry.fortran && entry.name.eq_ignore_ascii_case(name);
        if types.entries[plain].declared {
            is_declared |= is_it;
            continue;
        }
        if is_it {
            found.push((plain, full.clone()));
        }
        all.push(full);
    }
    // A program has the same type once for each file that uses it.
    let mut seen = HashSet::new();
    found.retain(|(at, full)| seen.insert((full.clone(), types.entries[*at].size)));
    found.sort_by_key(|(_, full)| full != name);
    match &found[..] {
        [] if is_declared => Err(format!(
            "`{name}` is only declared in the program: import from the object file or library of the source file that \
             defines it, or compile with -fstandalone-debug (Clang) or -femit-class-debug-always (GCC)"
        )),
        [] => {
            let of_template = all
                .iter()
                .find(|full| full.strip_prefix(name).is_some_and(|it| it.starts_with('<')));
            let near = of_template
                .cloned()
                .or_else(|| dudley_parser::similar::similar(name, all.iter().map(String::as_str)));
            let hint = near.map_or_else(
                || {
                    "; compilers leave out what is not used: compile with -fno-eliminate-unused-debug-types"
                        .to_owned()
                },
                |near| format!("; did you mean `{near}`?"),
            );
            Err(format!("the program has no struct `{name}`{hint}"))
        }
        [(at, _)] => Ok(*at),
        [(at, full), rest @ ..] if full == name && rest.iter().all(|(_, other)| other != name) => {
            Ok(*at)
        }
        several => {
            let names: Vec<String> = several
                .iter()
                .map(|(at, full)| {
                    format!("`{full}` of {}", of_bytes(types.entries[*at].size.unwrap_or(0)))
                })
                .collect();
            Err(format!("`{name}` is the name of several types: {}", names.join(", ")))
        }
    }
}
