//! Does a tree that is edited over its text mean what was wished, and keep what was not touched?

use asdf_bridge::asdf::{Edit, Error, Node, NodeKind, Scalar, Style, Tree, Yaml};
use proptest::prelude::*;

const HEAD: &str = "%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";

fn edited(text: &str, change: impl FnOnce(&mut Edit) -> Result<(), Error>) -> String {
    let mut edit = Edit::new(text).expect("a tree");
    change(&mut edit).unwrap_or_else(|error| panic!("{error} in\n{text}"));
    edit.text().to_owned()
}

#[test]
fn values_are_replaced_where_they_stand() {
    for (text, value, expected) in [
        ("a: 1 # one\nb: 2\n", Yaml::from(22), "a: 22 # one\nb: 2\n"),
        ("a:\nb: 2\n", Yaml::from("x"), "a: x\nb: 2\n"),
        ("a: # none\nb: 2\n", Yaml::from("x"), "a: x # none\nb: 2\n"),
        ("a:    'x'\n", Yaml::from(true), "a:    true\n"),
        ("a: |\n  x\n  y\n\n# b\nb: 2\n", Yaml::from("x"), "a: x\n\n# b\nb: 2\n"),
        ("a: # of a\n# more\n- 1 # one\n- 2\nb: 2\n", Yaml::from(5), "a: 5 # of a\n# more\nb: 2\n"),
        ("a: {b: [1, 2]}\n", Yaml::null(), "a: null\n"),
        ("a:\n  b: 1\nc: 2\n", Yaml::mapping([("d", 1)]), "a:\n  d: 1\nc: 2\n"),
        ("a: 1 # c\n", Yaml::mapping([("d", 1)]), "a: {d: 1} # c\n"),
        ("{a: 1, b: 2}\n", Yaml::from(3), "{a: 3, b: 2}\n"),
        ("{\"a\":1, b: 2}\n", Yaml::from(3), "{\"a\": 3, b: 2}\n"),
        ("{a, b: 2}\n", Yaml::from(3), "{a: 3, b: 2}\n"),
        ("? a\n: 1\nb: 2\n", Yaml::from(3), "? a\n: 3\nb: 2\n"),
        ("a: &x !t 1\nb: *x\n", Yaml::from(3), "a: 3\nb: &x !t 1\n"),
        ("a: 1\r\nb: 2\r\n", Yaml::mapping([("d", 1)]), "a:\r\n  d: 1\r\nb: 2\r\n"),
    ] {
        assert_eq!(edited(text, |edit| edit.set("/a", value)), expected, "{text}");
    }
    let tagged = Yaml::from("m").tagged("!unit/unit-1.0.0");
    let text = edited(&format!("{HEAD}a: 1\n...\n"), |edit| edit.set("/a", tagged));
    assert_eq!(text, format!("{HEAD}a: !unit/unit-1.0.0 m\n...\n"));
}

#[test]
fn entries_are_added_where_they_belong() {
    let add =
        |text: &str, path: &str, value: Yaml<'_>| edited(text, |edit| edit.insert(path, value));
    assert_eq!(add("a: 1 # c\n# end\n", "/b", 2.into()), "a: 1 # c\nb: 2\n# end\n");
    assert_eq!(add("a:\n- 1\n- 2\nb: 3\n", "/a/1", 9.into()), "a:\n- 1\n- 9\n- 2\nb: 3\n");
    assert_eq!(add("a:\n- 1\n- 2\nb: 3\n", "/a/0", 9.into()), "a:\n- 9\n- 1\n- 2\nb: 3\n");
    assert_eq!(add("a:\n- 1\n- 2\nb: 3\n", "/a/2", 9.into()), "a:\n- 1\n- 2\n- 9\nb: 3\n");
    assert_eq!(add("- x: 1\n  y: 2\n", "/0/z", 3.into()), "- x: 1\n  y: 2\n  z: 3\n");
    assert_eq!(add("a: {}\n", "/a/b", 3.into()), "a:\n  b: 3\n");
    assert_eq!(add("a: [] # c\n", "/a/0", 3.into()), "a: [3] # c\n");
    assert_eq!(add("a: [1, 2,]\n", "/a/0", 3.into()), "a: [3, 1, 2,]\n");
    assert_eq!(add("a: [1, 2 , ]\n", "/a/2", 3.into()), "a: [1, 2, 3 , ]\n");
    assert_eq!(add("{}\n", "/a", 3.into()), "{a: 3}\n");
    assert_eq!(
        add(&format!("{HEAD}{{}}\n...\n"), "/a", Yaml::sequence([1, 2])),
        format!("{}\na: [1, 2]\n...\n", HEAD.trim_end())
    );
    let nested = Yaml::mapping([("c", Yaml::sequence([Yaml::mapping([("d", 1), ("e", 2)])]))]);
    assert_eq!(
        add("a:\n  b: |+\n    x\n\nz: 1\n", "/a/m", nested),
        "a:\n  b: |+\n    x\n\n  m:\n    c:\n    - d: 1\n      e: 2\nz: 1\n"
    );
    assert_eq!(add("a: 1\n", "/\"12\"", "yes".into()), "a: 1\n'12': 'yes'\n");
}

#[test]
fn entries_are_taken_out_with_their_lines_alone() {
    let cut = |text: &str, path: &str| edited(text, |edit| edit.remove(path));
    assert_eq!(cut("# a\na: 1 # one\n# b\nb: 2\n", "/a"), "# a\n# b\nb: 2\n");
    assert_eq!(cut("a: 1\nb:\n  c: |\n    x\n  d: 2\n# e\n", "/b"), "a: 1\n# e\n");
    assert_eq!(cut("a:\n  b: 1 # b\nc: 2\n", "/a/b"), "a: {} # b\nc: 2\n");
    assert_eq!(cut("a: # c\n- 1\n", "/a/0"), "a: [] # c\n");
    assert_eq!(cut("- a: 1\n  # b\n  b: 2\n", "/0/a"), "- # b\n  b: 2\n");
    assert_eq!(cut("- - 1\n  - 2\n", "/0/0"), "- - 2\n");
    assert_eq!(cut("a: [1, 2, 3]\n", "/a/2"), "a: [1, 2]\n");
    assert_eq!(cut("a: [1, 2, 3]\n", "/a/0"), "a: [2, 3]\n");
    assert_eq!(cut("a: [1,]\n", "/a/0"), "a: []\n");
    assert_eq!(cut("a: 1\n", "/a"), "{}\n");
    assert_eq!(
        cut("a: &x [1, &y {z: 2}]\nb: *y\nc: *x\nd: *y\n", "/a"),
        "b: &y {z: 2}\nc: &x [1, *y]\nd: *y\n"
    );
}

#[test]
fn keys_are_renamed_in_their_place() {
    let text = edited("a : 1 # one\n\"b\": 2\n", |edit| edit.rename("/b", "c d"));
    assert_eq!(text, "a : 1 # one\nc d: 2\n");
    let mut edit = Edit::new("a: 1\nb: [2]\n").expect("a tree");
    assert!(matches!(edit.rename("/a", "b"), Err(Error::NotEditable { .. })));
    assert!(matches!(edit.rename("/b/0", "c"), Err(Error::NotEditable { .. })));
    assert!(matches!(edit.rename("/c", "d"), Err(Error::NoSuchNode { .. })));
    assert!(matches!(edit.insert("/a", 2), Err(Error::NotEditable { .. })));
    assert!(matches!(edit.set("/a/b", 2), Err(Error::NoSuchNode { .. })));
    assert!(matches!(edit.set("/b/7", 2), Err(Error::NoSuchNode { .. })));
    assert!(matches!(edit.push("/a", 2), Err(Error::NotEditable { .. })));
    assert!(matches!(edit.remove("/"), Err(Error::NotEditable { .. })));
    assert_eq!(edit.text(), "a: 1\nb: [2]\n");
}

#[test]
fn what_is_shared_is_changed_wherever_it_stands() {
    let text = "a: &x {k: 1}\nb: *x\nc: {<<: *x, m: 2}\n";
    assert_eq!(
        edited(text, |edit| edit.set("/b/k", 5)),
        "a: &x {k: 5}\nb: *x\nc: {<<: *x, m: 2}\n"
    );
    assert_eq!(edited(text, |edit| edit.set("/b", 5)), "a: &x {k: 1}\nb: 5\nc: {<<: *x, m: 2}\n");
    let own = edited(text, |edit| edit.set("/c/k", 5));
    assert_eq!(own, "a: &x {k: 1}\nb: *x\nc: {<<: *x, m: 2, k: 5}\n");
    let edit = Edit::new(&own).expect("a tree");
    assert_eq!(edit.tree().root().get("c").and_then(|c| c.get("k")?.as_i64()), Some(5));
    let shared = std::sync::Arc::new(Yaml::mapping([("k", 1)]));
    let twice = Yaml::sequence([Yaml::from(shared.clone()), Yaml::from(shared)]);
    assert_eq!(
        edited("a: &id001 1\nb: *id001\n", |edit| edit.set("/c", twice)),
        "a: &id001 1\nb: *id001\nc:\n- &id002\n  k: 1\n- *id002\n"
    );
}

/// What a tree means, aliases as what they stand for.
#[derive(Clone, Debug, PartialEq)]
enum Model {
    Scalar(String),
    List(Vec<Model>),
    Map(Vec<(String, Model)>),
}

fn model(node: Node<'_>) -> Model {
    match node.kind() {
        NodeKind::Scalar => Model::Scalar(match node.scalar() {
            Some(Scalar::Text(text)) => format!("text {text}"),
            scalar => format!("{scalar:?}"),
        }),
        NodeKind::Sequence => Model::List(node.items().map(model).collect()),
        NodeKind::Mapping => {
            let entries = node.entries();
            Model::Map(
                entries
                    .map(|(key, value)| (key.text().unwrap_or("?").into(), model(value)))
                    .collect(),
            )
        }
    }
}

/// Text of a tree in many styles. Names of keys are used once in all.
#[derive(Clone, Debug)]
enum Written {
    Scalar(String),
    List(bool, Vec<Written>),
    Map(bool, Vec<Written>),
}

fn written() -> impl Strategy<Value = Written> {
    let scalar = prop_oneof![
        Just("1"),
        Just("0x1F"),
        Just("1_000"),
        Just("'it''s'"),
        Just("\"q\\n\""),
        Just("~"),
        Just(""),
        Just("!t x"),
        Just("!!str 7"),
        Just("|\n$  lines\n$  more"),
        Just(">-\n$  folded\n\n$  text"),
        Just("plain text"),
        Just("1.50 # half"),
        Just("|+\n$  kept\n"),
    ];
    let leaf = scalar.prop_map(|text| Written::Scalar(text.to_owned()));
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            (any::<bool>(), prop::collection::vec(inner.clone(), 0..4))
                .prop_map(|(flow, items)| Written::List(flow, items)),
            (any::<bool>(), prop::collection::vec(inner, 0..4))
                .prop_map(|(flow, items)| Written::Map(flow, items)),
        ]
    })
}

struct Writer {
    out: String,
    keys: usize,
}

impl Writer {
    fn flow(&mut self, value: &Written) {
        match value {
            Written::Scalar(text) => {
                let one_line = text.lines().next().unwrap_or("").split(" #").next().unwrap_or("");
                let safe = !one_line.starts_with(['|', '>']) && !one_line.is_empty();
                self.out += if safe { one_line } else { "null" };
            }
            Written::List(_, items) => {
                self.out.push('[');
                for (at, item) in items.iter().enumerate() {
                    self.out += if at > 0 { " , " } else { "" };
                    self.flow(item);
                }
                self.out.push(']');
            }
            Written::Map(_, items) => {
                self.out.push('{');
                for (at, item) in items.iter().enumerate() {
                    self.out += if at > 0 { "," } else { "" };
                    self.keys += 1;
                    self.out += &format!("k{}: ", self.keys);
                    self.flow(item);
                }
                self.out.push('}');
            }
        }
    }

    /// What stands behind a key or dash.
    fn block(&mut self, value: &Written, indent: usize) {
        let spaces = " ".repeat(indent);
        match value {
            Written::Scalar(text) => self.out += &format!(" {}\n", text.replace('$', &spaces)),
            Written::List(flow, items) | Written::Map(flow, items) if *flow || items.is_empty() => {
                self.out.push(' ');
                self.flow(value);
                self.out.push('\n');
            }
            Written::List(_, items) => {
                self.out += " # a list\n";
                for item in items {
                    self.out += &format!("{spaces}# an item\n{spaces}-");
                    self.block(item, indent + 2);
                }
            }
            Written::Map(_, items) => {
                self.out.push('\n');
                for item in items {
                    self.keys += 1;
                    self.out += &format!("\n{spaces}# of k{}\n{spaces}k{} :", self.keys, self.keys);
                    self.block(item, indent + 2);
                }
            }
        }
    }
}

/// All paths of a tree.
fn paths(node: Node<'_>, path: &str, out: &mut Vec<String>) {
    for (at, item) in node.items().enumerate() {
        let path = format!("{path}/{at}");
        paths(item, &path, out);
        out.push(path);
    }
    for (key, value) in node.entries() {
        let path = format!("{path}/{}", key.text().expect("a key"));
        paths(value, &path, out);
        out.push(path);
    }
}

#[derive(Clone, Copy, Debug)]
enum Change {
    Set,
    Remove,
    Insert,
    Rename,
}

/// The model after a change at a path.
fn after(model: &mut Model, path: &[&str], change: Change, value: &Model) {
    let (name, rest) = path.split_first().expect("a path");
    match model {
        Model::List(items) => {
            let at: usize = name.parse().expect("a number");
            match (rest, change) {
                ([_, ..], _) => after(&mut items[at], rest, change, value),
                (_, Change::Remove) => drop(items.remove(at)),
                (_, Change::Insert) => items.insert(at, value.clone()),
                (_, Change::Set) => items[at] = value.clone(),
                (_, Change::Rename) => {}
            }
        }
        Model::Map(entries) => {
            let at = entries.iter().position(|(key, _)| key == name).expect("a key");
            match (rest, change) {
                ([_, ..], _) => after(&mut entries[at].1, rest, change, value),
                (_, Change::Remove) => drop(entries.remove(at)),
                (_, Change::Insert) => entries.push(("new".to_owned(), value.clone())),
                (_, Change::Set) => entries[at].1 = value.clone(),
                (_, Change::Rename) => entries[at].0 = "new".to_owned(),
            }
        }
        Model::Scalar(_) => unreachable!("a scalar has no parts"),
    }
}

fn values() -> impl Strategy<Value = usize> {
    0_usize..6
}

fn value(which: usize) -> Yaml<'static> {
    match which {
        0 => Yaml::from(42),
        1 => Yaml::from("some: text # with\nlines"),
        2 => Yaml::sequence([1.5, 2.5]),
        3 => Yaml::mapping([
            ("x", Yaml::from(1)),
            ("y", Yaml::sequence([Yaml::mapping([("z", true)])])),
        ]),
        4 => Yaml::mapping([("x", 1)]).tagged("!core/thing-1.0.0").styled(Style::Block),
        _ => Yaml::null(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn random_edits_agree_with_the_model(
        tree in written(),
        pick in any::<prop::sample::Index>(),
        kind in 0..4_usize,
        which in values(),
    ) {
        let mut writer = Writer { out: format!("{HEAD}# first\nk0 :"), keys: 0 };
        writer.block(&tree, 2);
        let text = writer.out + "# last\n...\n";
        let old = Tree::parse(&text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
        let mut all = Vec::new();
        paths(old.root(), "", &mut all);
        let path = pick.get(&all).clone();
        let names: Vec<&str> = path.split('/').skip(1).collect();
        let (parent, _) = path.rsplit_once('/').expect("a path");
        let in_list = names.last().is_some_and(|name| name.parse::<usize>().is_ok());
        let change = [Change::Set, Change::Remove, Change::Insert, Change::Rename][kind];
        let mut edit = Edit::new(&text).expect("a tree");
        let done = match change {
            Change::Set => edit.set(&path, value(which)),
            Change::Remove => edit.remove(&path),
            Change::Insert if in_list => edit.insert(&path, value(which)),
            Change::Insert => edit.insert(&format!("{parent}/new"), value(which)),
            Change::Rename if in_list => return Ok(()),
            Change::Rename => edit.rename(&path, "new"),
        };
        prop_assert!(done.is_ok(), "{change:?} {path}: {done:?}\n{text}");
        let new = edit.text();
        let mut probe = Edit::new("{}").expect("a tree");
        probe.set("/v", value(which)).expect("a value");
        let value = model(probe.tree().root().get("v").expect("a value"));
        let mut expected = model(old.root());
        after(&mut expected, &names, change, &value);
        prop_assert_eq!(model(Tree::parse(new).expect("a tree").root()), expected, "{:?} {}\n{}\n{}", change, path, text, new);
        // Comments stay, except for that of the line and those within what is gone.
        for comment in ["# first", "# last"] {
            prop_assert!(new.contains(comment));
        }
        let kept = |text: &str| text.lines().filter(|line| line.trim().starts_with("# of")).count();
        if matches!(change, Change::Insert | Change::Rename) {
            prop_assert_eq!(kept(new), kept(&text));
            let (lines, mut at) = (new.lines().collect::<Vec<_>>(), 0);
            let touched = text.lines().filter(|line| {
                let found = lines[at..].iter().position(|new| new == line);
                at += found.map_or(0, |found| found + 1);
                found.is_none()
            });
            let touched = touched.count();
            prop_assert!(touched <= 1, "{:?} {}\n{}\n{}", change, path, text, new);
        }
    }
}

#[test]
fn keys_that_are_spelt_alike_are_changed_apart() {
    let mut edit = Edit::new("m: {1: a, '1': b, true: c}\nn:\n  1: d\n").expect("a tree");
    edit.set("/m/\"!!int 1\"", "x").expect("it is there");
    edit.set("/m/\"1\"", "u").expect("it is there");
    edit.set("/m/\"true\"", "z").expect("it is there, as a boolean");
    edit.insert("/n/\"!!float 1.5\"", 7).expect("it is new");
    edit.set("/n/\"1\"", "e").expect("it is there, as a number");
    assert_eq!(edit.text(), "m: {1: x, '1': u, true: z}\nn:\n  1: e\n  1.5: 7\n");
    edit.remove("/m/\"!!int 1\"").expect("it is there");
    edit.rename("/m/\"1\"", "!!null null").expect("it is free");
    assert_eq!(edit.text(), "m: {null: u, true: z}\nn:\n  1: e\n  1.5: 7\n");
    // Named so, it is the number; as text it is another one.
    assert!(edit.insert("/n/\"1.5\"", 8).is_err());
    edit.insert("/n/\"!!str 1.5\"", 8).expect("it is new");
    assert_eq!(edit.text(), "m: {null: u, true: z}\nn:\n  1: e\n  1.5: 7\n  '1.5': 8\n");
}

#[test]
fn lines_that_end_as_yaml_1_1_has_it_are_changed_too() {
    let text = "a: 1 # one\u{85}b: 'x\u{2028}\n  y'\u{2028}c: |\u{85}  z\u{2029}# end\u{2028}d:\u{2029}- 1\u{85}- 2 # last\u{85}";
    let mut edit = Edit::new(text).expect("a tree");
    edit.set("/a", 7).expect("a");
    edit.remove("/d/0").expect("an item");
    edit.push("/d", "new\u{2028}").expect("an item");
    edit.insert("/e", "p\u{85}q").expect("a key");
    edit.rename("/b", "k\u{2029}").expect("a key");
    let root = edit.tree().root();
    let text_of =
        |name: &str| root.get(name).and_then(|node| node.text()).expect("text").to_owned();
    assert_eq!(text_of("a"), "7");
    assert_eq!(text_of("k\u{2029}"), "x\u{2028}\ny");
    assert_eq!(text_of("c"), "z\u{2029}");
    assert_eq!(text_of("e"), "p\u{85}q");
    let items: Vec<_> =
        root.get("d").expect("a list").items().filter_map(|item| item.text()).collect();
    assert_eq!(items, ["2", "new\u{2028}"]);
    // What is not touched stays byte for byte.
    assert!(edit.text().starts_with("a: 7 # one\u{85}"), "{:?}", edit.text());
    assert!(edit.text().contains(
        "'x\u{2028}\n  y'\u{2028}c: |\u{85}  z\u{2029}# end\u{2028}d:\u{2029}- 2 # last"
    ));
    for key in ["/a", "/c", "/d", "/e"] {
        edit.remove(key).expect(key);
    }
    assert_eq!(edit.tree().root().len(), 1, "{:?}", edit.text());
}
