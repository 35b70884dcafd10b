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

/// A layout, the paths of what is picked, what of it is unaligned, and the text of that part.
const PARTS: &[(&str, &[&str], &[usize], &str)] = &[
    ("a = i1 ## one\nb = i2 # two", &["/b"], &[], "b = i2 # two\n"),
    // Comments go with what they are about, and hide nothing that follows.
    ("a = i1 # one\n b = i1  c = i1", &["/a", "/c"], &[], "a = i1 # one\nc = i1\n"),
    (
        "## all\na = i1\n# of b\n\nb = i1  # b\n# of c\nc = i1",
        &["/b"],
        &[],
        "## all\n# of b\n\nb = i1  # b\n",
    ),
    ("g/ ## é\n a = i1\n h/ b = i1\n # ü\n..\n..\nc = i1", &["/g/a"], &[], "g/ ## é\n a = i1\n"),
    (
        "g/ ## é\n h/ b = i1 # ü\n .. c = i1 # ö\n..",
        &["/g/h", "/g/c"],
        &[],
        "g/ ## é\n h/ b = i1 # ü\n .. c = i1 # ö\n",
    ),
    ("g/ a = i1\n.. ## (m) of a\nc = i1", &["/g"], &[], "g/ a = i1\n.. ## (m) of a\n"),
    ("g/ a = i1 b = i1\n.. ## of b\nc = i1", &["/g/a", "/c"], &[], "g/ a = i1\n..\nc = i1\n"),
    // Dicts with nothing in them, params, addresses, types.
    ("a = i1 e/ ## none\n/ b = i1", &["/e", "/b"], &[], "e/ ## none\n/ b = i1\n"),
    ("N : i1  N : 2  N = i1  x = i1[N]", &["/:N#2"], &[], "N : i1  N : 2\n"),
    ("A : i8  x = f8 @A  y = f8 @17", &["/x", "/y"], &[2], "x = f8  y = f8 %1\n"),
    ("l = [/ t {a = i1}  b = t ]\nx = t", &["/x"], &[], "t {a = i1}\nx = t\n"),
    (
        "t {a = i1}  u {b = t}  v {c = i2}  x = u[2]",
        &["/x"],
        &[],
        "t {a = i1}  u {b = t}\nx = u[2]\n",
    ),
    ("{ N : i1  t : f8 }\nx = i1[2]", &["/x"], &[], "x = i1[2]\n"),
    ("> l [i1]*2  a = i1  l[3]", &["/l"], &[], "> l [i1]*2\nl[3]\n"),
];

#[test]
fn parts_keep_what_is_said_of_them() {
    for (text, paths, unaligned, expected) in PARTS {
        let layout = layout(text);
        let excerpts = Excerpts::new(&layout);
        let part = excerpts.part(paths).unwrap_or_else(|| panic!("no part of {text}"));
        let found = excerpts.text_of(&part, unaligned);
        assert_eq!(found, *expected, "{text}");
        assert!(check(found.as_bytes()).layout.is_some(), "errors in {found}");
    }
    // Parts of items, and lists with addresses of their own.
    for (text, path) in [("l [i1]*2", "/l/0"), ("x = i1", "/y"), ("l [i1 @40, i1]", "/l")] {
        assert!(Excerpts::new(&layout(text)).part(&[path]).is_none(), "{text}");
    }
}
