//! Which layouts get an index when they are attached to a stream.

use dudley_parser::layout::{Element, Layout, Step};

/// Layouts with more items get an index when they are attached, unless the writer decides otherwise.
/// Items are the entries of an index: arrays, lists, and params outside of lists.
pub const MANY_ITEMS: usize = 1000;

/// The content of an index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Checksums of the data, for each item in extents of 1 MiB at most.
    pub checksums: bool,
}

/// The condition for an index behind an attached layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Where it has more than [`MANY_ITEMS`] items: without checksums. A stream of which no index can be made
    /// goes without.
    #[default]
    Automatic,
    /// Never.
    Never,
    /// Always, or it is an error.
    Always(Options),
}

impl From<Options> for Policy {
    fn from(options: Options) -> Policy {
        Policy::Always(options)
    }
}

impl Policy {
    /// The options of the index of a layout, or `None`.
    pub fn options(self, layout: &Layout) -> Option<Options> {
        match self {
            Policy::Automatic if has_many(layout) => Some(Options::default()),
            Policy::Automatic | Policy::Never => None,
            Policy::Always(options) => Some(options),
        }
    }
}

/// Whether a layout has more than [`MANY_ITEMS`] items.
fn has_many(layout: &Layout) -> bool {
    let mut items = 0;
    layout.root().iter().any(|step| {
        items += entries(layout, *step);
        items > MANY_ITEMS
    })
}

/// How many entries a step of the root has in an index.
fn entries(layout: &Layout, step: Step) -> usize {
    match step {
        Step::Param(_) => 1,
        Step::Array(id) => match (layout[id].dict, layout[id].element) {
            (None, _) => 0,
            (Some(_), Element::Record(record)) if layout[id].spliced => {
                let members = layout.run(layout[record].members).iter();
                members.filter(|member| layout.presented_member(**member).is_some()).count()
            }
            (Some(_), _) => 1,
        },
        // A list may be in several pieces.
        Step::Repeat(id) => usize::from(layout[layout[id].list].pieces.first() == Some(&id)),
        Step::Group(_) | Step::Enter(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Open, Writer, index, parse_layout};

    /// The number of items of a layout, as it is counted and as the index has it.
    fn counts(text: &str) -> (usize, usize) {
        let layout = parse_layout(text.as_bytes()).expect("a layout");
        let counted = layout.root().iter().map(|step| entries(&layout, *step)).sum();
        let bytes = Open::new().layout(layout).raw().bytes(vec![0; 1000]).expect("a stream");
        let mut native = Vec::new();
        let always = index::Options::default().into();
        let options = crate::WriteOptions { attach: true, index: always, ..Default::default() };
        crate::write::rewrite(&bytes, &options, &mut native).expect("space");
        let index = index::Index::of_source(native).expect("sound").expect("there");
        (counted, index.items() as usize)
    }

    #[test]
    fn items_are_counted_as_the_index_counts_them() {
        let texts = [
            ("x = u1", 1),
            ("N : i8  M : 3  grp/  x = f8[M]  y = {a = u1  b = u2}[2]", 4),
            ("l = [f8, [/ n : i4  x = f4], f8]", 1),
            ("T {a = u1}  t = T[4]", 1),
            ("l = [u1]*2  x = u1  l [u1]*3", 2),
            ("\"\" = {a = u1  b = f8}[3]  c = u1", 3),
        ];
        for (text, items) in texts {
            assert_eq!(counts(text), (items, items), "{text}");
        }
    }

    #[test]
    fn more_than_a_thousand_items_have_an_index_unless_it_is_left_out() {
        let has = |items: usize, policy: Option<Policy>| {
            let text: String = (0..items).map(|at| format!("x{at} = u1\n")).collect();
            let layout = parse_layout(text.as_bytes()).expect("a layout");
            let mut writer = Writer::new(layout).attach(true);
            for at in 0..items {
                writer = writer.put(format!("/x{at}"), 1_u8);
            }
            if let Some(policy) = policy {
                writer = writer.index(policy);
            }
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("x.bd");
            writer.write_file(&path, false).expect("space");
            let bytes = writer.to_bytes().expect("space");
            assert_eq!(bytes, std::fs::read(&path).expect("a file"));
            index::Index::of_source(bytes).expect("sound").is_some()
        };
        assert!(!has(1000, None));
        assert!(has(1001, None));
        assert!(!has(1001, Some(Policy::Never)));
        assert!(has(1, Some(Options::default().into())));
    }
}
