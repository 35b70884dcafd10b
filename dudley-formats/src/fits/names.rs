//! The names of HDUs in the layout, and those of columns.

use std::collections::{HashMap, HashSet};

use super::hdu::Hdu;

/// HDUs of one name: a single one bears it itself, of several each the name of its version in a dict.
pub(super) struct Group<'h> {
    pub(super) name: String,
    /// Each with its name in the dict, if there are several.
    pub(super) hdus: Vec<(String, &'h Hdu)>,
}

/// HDUs by name, in the order in which the names occur: `PRIMARY` is that of the first, `EXTNAME` says that of others,
/// and what has none is `HDU` and its number.
pub(super) fn groups(hdus: &[Hdu]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut taken: HashSet<(usize, String)> = HashSet::new();
    for hdu in hdus {
        let name = match (hdu.number, hdu.header.text("EXTNAME")) {
            (0, _) => "PRIMARY".to_owned(),
            (_, Some(name)) => name.to_owned(),
            (number, None) => format!("HDU{number}"),
        };
        let at = *known.entry(name.clone()).or_insert_with(|| {
            groups.push(Group { name, hdus: Vec::new() });
            groups.len() - 1
        });
        let version = hdu.header.int("EXTVER").ok().flatten().unwrap_or(1).to_string();
        let version = if taken.insert((at, version.clone())) {
            version
        } else {
            format!("HDU{}", hdu.number)
        };
        groups[at].hdus.push((version, hdu));
    }
    groups
}

/// Names that are taken, so that no two are the same.
#[derive(Default)]
pub(super) struct Taken(HashSet<String>);

impl Taken {
    /// The name, or with a number behind it if it is taken.
    pub(super) fn take(&mut self, name: &str) -> String {
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        // There are more numbers than names.
        let free =
            std::iter::once(name.to_owned()).chain(numbered).find(|name| !self.0.contains(name));
        let free = free.unwrap_or_default();
        self.0.insert(free.clone());
        free
    }
}
