//! The names of HDUs and columns in the layout.

use std::collections::{HashMap, HashSet};

use super::hdu::Hdu;

/// HDUs of one name: a single HDU takes the name itself; several go into a dict, each named by its version.
pub(super) struct Group<'h> {
    pub(super) name: String,
    /// The HDUs, each with its name in the dict if there are several.
    pub(super) hdus: Vec<(String, &'h Hdu)>,
}

/// HDUs by name, in the order of first occurrence: the first HDU is `PRIMARY`, others take the name in `EXTNAME`, or
/// `HDU` and their number.
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

/// The names in use, which keep new names unique.
#[derive(Default)]
pub(super) struct Taken(HashSet<String>);

impl Taken {
    /// Takes a name, with a number appended if it is in use.
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
