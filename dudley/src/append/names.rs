//! The names of the parts of a record, for lookup one name after the other.

/// Names of the dicts of a record and of its parts, as a tree.
pub(super) struct Names(Vec<Name>);

/// As many names are compared one after the other.
const FEW: usize = 8;

#[derive(Default)]
struct Name {
    name: String,
    within: usize,
    /// Those in it, sorted by their names.
    below: Vec<usize>,
    part: Option<usize>,
}

impl Names {
    /// Those of parts, by their paths in the record, as far as these need no quotes; others are found by their paths.
    pub(super) fn of<'p>(paths: impl Iterator<Item = (usize, &'p str)>) -> Names {
        let mut names = Names(vec![Name::default()]);
        for (part, path) in paths.filter(|(_, path)| !path.contains('"')) {
            let last = path.split('/').filter(|name| !name.is_empty()).fold(0, |here, name| {
                names.search(here, name).unwrap_or_else(|at| {
                    let new = names.0.len();
                    names.0.push(Name { name: name.to_owned(), within: here, ..Name::default() });
                    names.0[here].below.insert(at, new);
                    new
                })
            });
            names.0[last].part = Some(part);
        }
        names
    }

    fn search(&self, of: usize, name: &str) -> std::result::Result<usize, usize> {
        let below = &self.0[of].below;
        below.binary_search_by(|at| self.0[*at].name.as_str().cmp(name)).map(|at| below[at])
    }

    pub(super) fn child(&self, of: usize, name: &str) -> Option<usize> {
        let below = &self.0[of].below;
        if below.len() > FEW {
            return self.search(of, name).ok();
        }
        // The first byte mostly decides, without a call.
        let is_it =
            |other: &str| other.as_bytes().first() == name.as_bytes().first() && other == name;
        below.iter().copied().find(|at| is_it(&self.0[*at].name))
    }

    pub(super) fn part(&self, of: usize) -> Option<usize> {
        self.0[of].part
    }

    pub(super) fn path(&self, mut of: usize) -> Vec<&str> {
        let mut path = Vec::new();
        while of != 0 {
            path.push(self.0[of].name.as_str());
            of = self.0[of].within;
        }
        path.reverse();
        path
    }
}
