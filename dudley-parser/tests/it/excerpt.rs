//! What of a layout an item needs: which params, types and dicts an excerpt has, and how it is written.

use dudley_parser::check;
use dudley_parser::layout::excerpt::{Excerpts, Subject};
use dudley_parser::layout::{Layout, Step};

fn layout(text: &str) -> Layout {
    check(text.as_bytes()).layout.unwrap_or_else(|| panic!("errors in {text}"))
}

/// The excerpt of what a step of the root declares, by its path.
fn excerpt(layout: &Layout, path: &str) -> String {
    let step = layout.root().iter().find(|step| layout.step_path(**step).as_deref() == Some(path));
    let subject = match *step.unwrap_or_else(|| panic!("no {path}")) {
        Step::Array(id) => Subject::Array(id),
        Step::Param(id) => Subject::Param(id),
        Step::Repeat(id) => Subject::List(layout[id].list),
        step => panic!("{step:?} has no excerpt"),
    };
    let text = Excerpts::new(layout).of(subject).text(layout);
    assert!(check(text.as_bytes()).layout.is_some(), "errors in {text}");
    text
}

/// A layout, the path of an item, and its excerpt.
const CASES: &[(&str, &str, &str)] = &[
    ("a = i1 ## one\nb = i2 # two", "/b", "b = i2 # two\n"),
    ("N : 3 ## n\nM : i4\ng/ x = f8[N-]\ny = f8[M]", "/g/x", "N : 3\n## n\ng/\nx = f8[N-]\n"),
    ("> N : i2  l [i1[N]]*2  a = i1  l[3]", "/l", ">\nN : i2\nl = [i1[N]] * 2\nl[3]\n"),
    ("N : 1  x = i1[N]  N : i8  y = i1[N]", "/y", "N : 1\nN : i8\ny = i1[N]\n"),
    ("N : 1  a/ N : 2  x = i1[N]", "/a/x", "a/\nN : 2\nx = i1[N]\n"),
    (
        "t {a = i1}  u {b = t}  v {c = i2}  x = u[2]  y = v",
        "/x",
        "t {a = i1}\nu {b = t}\nx = u[2]\n",
    ),
    ("t {a = i1[N]}  N : i1  M : i1  x = t", "/x", "t {a = i1[N]}\nN : i1\nx = t\n"),
    ("i8 {\"\" = i8}%4\nN : i8  x = i1[N]", "/x", "i8 {\"\" = i8}%4\nN : |i8\nx = i1[N]\n"),
    ("A : i8  B : 9  x = f8 @B-A  y = i1", "/x", "A : i8\nB : 9\nx = f8 @B-A\n"),
    ("{ N : i1  t : f8 }\nx = i1", "/t", "t = f8\n"),
    ("a/ x = i1\n..\n/\n## about x\nb/ y = i1", "/a/x", "a/\nx = i1\n..\n/\n## about x\n"),
];

#[test]
fn an_excerpt_has_what_its_item_needs() {
    for (text, path, expected) in CASES {
        assert_eq!(excerpt(&layout(text), path), *expected, "{path} of\n{text}");
    }
}

#[test]
fn what_has_an_address_needs_nothing_before_it() {
    let layout = layout("N : i8 @40  a = i1[N]  b = i1[N] @100  M : i1  c = i1[M] @200");
    let excerpts = Excerpts::new(&layout);
    let explicit = layout.root().iter().map(|step| match *step {
        Step::Array(id) => excerpts.of(Subject::Array(id)).explicit,
        Step::Param(id) => excerpts.of(Subject::Param(id)).explicit,
        step => panic!("{step:?}"),
    });
    assert_eq!(explicit.collect::<Vec<_>>(), [true, false, true, false, false]);
}
