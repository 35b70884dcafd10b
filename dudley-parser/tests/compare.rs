//! What is said of the differences of layouts; and that nothing is missed, and nothing said that is
//! not so, as far as addresses go: random layouts, changed at random, are placed for many values.

#[path = "../../tests/src/random.rs"]
mod random;

use dudley_parser::compare::{Change, Level, Quantity, compare};
use dudley_parser::layout::{ArrayId, Element, ParamValue, Scope};
use dudley_parser::resolve::{
    Event, Fault, Flow, Found, Given, MemberKind, ParamAt, Resolver, State, Values, WalkOptions,
};
use dudley_parser::{Layout, check};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn layout(text: &str) -> Layout {
    let checked = check(text.as_bytes());
    checked.layout.unwrap_or_else(|| panic!("{text}: {:?}", checked.diagnostics))
}

fn changes(old: &str, new: &str) -> Vec<Change> {
    compare(&layout(old), &layout(new), 16)
}

/// A line for each change: code, levels, path, message, example.
fn told(old: &str, new: &str) -> String {
    let line = |change: &Change| {
        let levels: Vec<&str> = change.levels.iter().map(Level::as_str).collect();
        let mut line = format!("{} [{}] {}", change.code, levels.join(" "), change.message);
        if let Some(example) = &change.example {
            line += &format!(": {} ({})", example, example.path);
        }
        if !change.also.is_empty() {
            line += &format!("; also {}", change.also.join(" "));
        }
        line + "\n"
    };
    changes(old, new).iter().map(line).collect()
}

macro_rules! snapshots {
    ($($name:ident $old:literal $new:literal;)*) => {
        $(#[test] fn $name() {
            insta::assert_snapshot!(told($old, $new));
        })*
    };
}

snapshots! {
    inserted "N : i4\nx = f8[N]\ny = i4\nz = f8" "N : i4\nx = f8[N]\na = i2\ny = i4\nz = f8";
    removed "x = i4\ny = i4\nd/ z = i4" "x = i4\n/d/ z = i4";
    renamed "N : i4\nx = f8[N]\nd/ y = i2 ../l [i4]*N" "M : i4\nz = f8[M]\ne/ y = i2 ../k [i4]*M";
    sizes "N : i4\nx = f8[N]\ny = i1" "N : i4\nx = f4[N]\ny = i1";
    same_size "x = f8" "x = u8";
    transposed "I : i4\nJ : i4\nx = f8[J, I]" "I : i4\nJ : i4\nx = f8[I, J]";
    suffix "N : i8\nx = f8[N]\ny = i4" "N : i8\nx = f8[N-]\ny = i4";
    only_at_zero "N : i4\nM : i4\nx = i1[N]\ny = i4[N] %8" "N : i4\nM : i4\nx = i1[N] %8\ny = i4[N]";
    param_kind "N : 3\nx = f8[N]" "N : i8\nx = f8[N]";
    param_value "N : 3\nx = f8[N]\ny = i1" "N : 4\nx = f8[N]\ny = i1";
    literal "N : 3\nx = f8[N]" "x = f8[3]";
    orders "x = f8\ny = <i4\nz = u1" ">\nx = f8\ny = i4\nz = u1";
    idle_alignment "x = i4\ny = i4" "x = i4\ny = i4 %2";
    member "T {a = i4  b = i4}\nx = T[5]\ny = T\nz = i4" "T {a = i4  c = i2  b = i4}\nx = T[5]\ny = T\nz = i4";
    variable "x = {N : i4  a = i1[N]}[2]\ny = i4" "x = {N : i4  a = i1[N+1]}[2]\ny = i4";
    field_renamed "x = {n = i4  lon = f4}[3]" "x = {n = i4  lambda = f4}[3]";
    spliced "N : i4\n\"\" = {a = i4  b = i8}[N]\nc = i1" "N : i4\n\"\" = {a = i4  b = i4}[N]\nc = i1";
    lists "N : i4\nl [i1, f8]*N\nx = i2" "N : i4\nl [i1, f4]*N\nx = i2";
    lengths "l [i4]*3\nx = i2" "l [i4]*4\nx = i2";
    extended "t = [f8]\nr = [i4]\nt[1] r[1]" "t = [f8]\nr = [i8]\nt[1] r[1]";
    kinds "x = f8\ny [f8]" "x [f8]\ny = f8";
    filters "x = f8[9] -> zlib\ny = i1" "x = f8[9] -> zstd[40]\ny = i1";
    comments "x = f8 ## (cm) here\ny = i1 #: const = 3\nz = i4 ## old" "x = f8 ## (m) here\ny = i1 #: const = 4\nz = i4 ## new #: a = 1";
    types "T {a = i4}\nx = T" "S {a = i4}\nx = S";
    summaries "{ t = f8 }\nx = i4" "{ t = f8  d = f8 }\nx = i4";
    reordered "x = i4\ny = i4\nz = i4" "y = i4\nx = i4\nz = i4";
    explicit "x = i4\ny = i4\nz = i4" "x = i4\ny = i4 @24\nz = i4";
    negative "N : i4\nx = i1[N]" "N : i4\nx = i1[N-3]";
}

#[test]
fn nothing_for_what_is_the_same() {
    for (old, new) in [
        ("", ""),
        ("N := i4 x=f8[N]", "N : i4\nx = f8[ N ]  # length"),
        ("a/b/x = f8", "a/ b/ x = f8"),
        ("N : i4\nl [f8, /x = i4]*N", "N : i4\nl [f8, / x = i4 ,]*N"),
        ("T {N : i2 a = f8[N]}\nx = T[3]", "T {N : i2  a = f8[N]}\nx = T[3]"),
    ] {
        assert_eq!(changes(old, new), [], "{old} and {new}");
    }
}

#[test]
fn who_meets_a_change() {
    let of = |old: &str, new: &str| {
        let found = changes(old, new);
        let victims = found.iter().flat_map(Change::breaks).map(|one| one.as_str());
        victims.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(of("x = f8\ny = f8", "x = f8"), "old_files old_readers source");
    assert_eq!(of("N : 3", "M : i4"), "old_readers source");
    assert_eq!(of("x = f8", "x = u8"), "old_files old_readers source");
    assert_eq!(of("x = f8 ## (m)", "x = f8 ## (s)"), "source");
    assert_eq!(of("x = f8", "x = f8\ny = f8"), "");
}

#[test]
fn large_layouts() {
    let text = |extra: &str| {
        let items = (0..10_000).map(|at| format!("a{at} = f8[N, {}]\n", at % 7 + 1));
        format!("N : i4\n{extra}{}", items.collect::<String>())
    };
    assert_eq!(changes(&text(""), &text("")), []);
    let found = changes(&text(""), &text("new = i8\n"));
    let moved: Vec<_> = found.iter().filter(|change| change.code == "change-address").collect();
    assert_eq!(moved.len(), 1, "one run");
    assert_eq!(moved[0].also.len(), 9_999);
}

/// Params by their names.
#[derive(Clone, Debug)]
struct ByName<'l> {
    layout: &'l Layout,
    values: BTreeMap<&'static str, i64>,
    /// For params that nobody names.
    other: i64,
}

impl ByName<'_> {
    fn of(&self, name: &str) -> i64 {
        self.values.get(name).copied().unwrap_or(self.other)
    }
}

impl Values for ByName<'_> {
    fn param(&self, at: &ParamAt) -> Result<i128, Fault> {
        let name = self.layout.name(self.layout[at.param].name);
        Ok(self.of(name).into())
    }

    fn stored(&self, _: ArrayId, _: u64) -> Result<u64, Fault> {
        Err(Fault::Unknown)
    }
}

/// By path: address (of members: offset), bytes, strides.
type Places = BTreeMap<String, (u64, u64, Vec<u64>)>;

fn members(
    resolver: &mut Resolver<'_>,
    layout: &Layout,
    id: ArrayId,
    at: (&str, u64),
    found: &mut Places,
) {
    let Element::Record(record) = layout[id].element else { return };
    let Ok(inside) = resolver.members(record, at.1) else { return };
    for member in inside {
        let name = match member.kind {
            MemberKind::Array(id) => layout.name(layout[id].name),
            MemberKind::Param(id) => layout.name(layout[id].name),
        };
        let path = format!("{}.{name}", at.0);
        if let MemberKind::Param(id) = member.kind
            && !layout[id].is_streamed()
        {
            continue;
        }
        found.insert(path.clone(), (member.offset, member.bytes, Vec::new()));
        if let (MemberKind::Array(inner), true) = (member.kind, member.bytes > 0) {
            members(resolver, layout, inner, (&path, at.1 + member.offset), found);
        }
    }
}

fn strides(resolver: &mut Resolver<'_>, layout: &Layout, id: ArrayId) -> Vec<u64> {
    let unit = match layout[id].element {
        Element::Primitive(primitive, _) => primitive.size(),
        Element::Record(record) if layout[record].variable => return Vec::new(),
        Element::Record(record) => resolver.record_bytes(record).expect("it was placed"),
    };
    let shape = resolver.shape(&layout[id]).expect("it was placed");
    let mut strides: Vec<u64> = Vec::new();
    let mut bytes = unit;
    for dim in shape.iter().rev() {
        strides.insert(0, if *dim > 1 { bytes } else { 0 });
        bytes *= dim;
    }
    strides
}

fn places(layout: &Layout, values: &BTreeMap<&'static str, i64>, other: i64) -> Places {
    let values = ByName { layout, values: values.clone(), other };
    let streamed = layout.params().filter(|(_, param)| {
        matches!((param.value, param.scope), (ParamValue::Streamed(..), Scope::Dict(_)))
    });
    let params = streamed.map(|(id, param)| (id, values.of(layout.name(param.name)).into()));
    let given = Given { start: 16, params: params.collect(), ..Given::default() };
    let mut state = State::new();
    let mut resolver = Resolver::new(layout, &given, &values, &mut state);
    let mut found = Places::new();
    let mut visit = |resolver: &mut Resolver<'_>, event: Event<'_>| {
        match event.found {
            Found::Array { array, placed: Ok(placed) } => {
                let strides =
                    if placed.bytes > 0 { strides(resolver, layout, array) } else { Vec::new() };
                if placed.bytes > 0 {
                    let at = (event.path, placed.address);
                    members(resolver, layout, array, at, &mut found);
                }
                found.insert(event.path.to_owned(), (placed.address, placed.bytes, strides));
            }
            Found::Param { placed: Some(Ok(placed)), .. } => {
                let path = format!(":{}", event.path);
                found.insert(path, (placed.address, placed.bytes, Vec::new()));
            }
            _ => {}
        }
        Flow::Continue
    };
    resolver.walk(WalkOptions::default(), &mut visit);
    found
}

/// Whether the bytes of something lie elsewhere.
fn differs(old: &(u64, u64, Vec<u64>), new: &(u64, u64, Vec<u64>)) -> bool {
    let nowhere = old.1 == 0 && new.1 == 0;
    let strides = old.2.len() == new.2.len()
        && old.2.iter().zip(&new.2).any(|(a, b)| a != b && *a > 0 && *b > 0);
    !nowhere && (old.0 != new.0 || old.1 != new.1 || strides)
}

/// Something that lies elsewhere for some values; tried are many.
fn brute_force(old: &Layout, new: &Layout) -> Option<String> {
    let few = [3, 1, 0, 4];
    for n in [3, 1, 2, 0, -1, 5, 8] {
        for m in few {
            for len in [2, 0] {
                let values = BTreeMap::from([("N", n), ("M", m), ("LEN", len)]);
                let (a, b) = (places(old, &values, 1), places(new, &values, 1));
                for (path, place) in &a {
                    match b.get(path) {
                        Some(other) if !differs(place, other) => {}
                        other => {
                            return Some(format!("{path} with {values:?}: {place:?} {other:?}"));
                        }
                    }
                }
            }
        }
    }
    None
}

/// One line of a layout changed; the first ones are what the others are made of.
fn edited(text: &str, kind: u8, at: usize, pick: usize) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = 4 + at % (lines.len() - 4).max(1);
    let at = at.min(lines.len() - 1);
    let swap = |line: &str, from: &str, to: &str| line.replacen(from, to, 1);
    let edits = [
        ("N", "M"), ("i2", "i4"), ("f8", "u8"), ("i4", "f4"), ("i1", "i2"), (" %8", ""), ("*2", "*3"),
        ("[N", "[N+"), (", ", ", 2, "), ("%1", "%16"), ("m0", "m9"), ("m1 = ", "m5 = i2 m1 = "),
        ("N+", "N"), ("M+1", "M+"), ("[2", "[3"), ("*N", "*M"), ("-1", "1"), ("c8", "f8"), ("[", "[1, "),
    ];
    match kind {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, "added = i1".to_owned()),
        2 => lines.push("added = f8[N]".to_owned()),
        3 => lines[at] += " %8",
        4 => lines[at] += " %4",
        5 if at + 1 < lines.len() => lines.swap(at, at + 1),
        6 => lines[1] = "M : u1".to_owned(),
        7 => lines[2] = "mesh {\"\" = f4[2, M]}".to_owned(),
        8 => lines[3] = "text {LEN : u1  \"\" = S1[LEN]} %2".to_owned(),
        9 => lines[at] = swap(&lines[at], "x", "y"),
        _ => {
            // Only some of the edits have something to change.
            let fits: Vec<_> = edits.iter().filter(|(from, _)| lines[at].contains(from)).collect();
            if let Some((from, to)) = fits.get(pick % fits.len().max(1)) {
                lines[at] = swap(&lines[at], from, to);
            }
        }
    }
    lines.join("\n") + "\n"
}

/// That an example says what is so: with its params, whatever the others are.
fn holds(old: &Layout, new: &Layout, change: &Change) -> Result<(), TestCaseError> {
    let Some(example) = &change.example else { return Ok(()) };
    // Params that are declared again, or in several places, have names that only one layout knows.
    let plain = |(name, _): &(String, i64)| ["N", "M", "LEN"].contains(&name.as_str());
    let ambiguous = [old, new].into_iter().any(|layout| {
        ["N", "M", "LEN"].iter().any(|name| {
            layout.params().filter(|(_, param)| layout.name(param.name) == *name).count() > 1
        })
    });
    if ambiguous || !example.params.iter().all(plain) {
        return Ok(());
    }
    for other in [1, 2] {
        let mut values = BTreeMap::new();
        for (name, value) in &example.params {
            let name = ["N", "M", "LEN"].into_iter().find(|known| known == name);
            values.insert(name.expect("a known one"), *value);
        }
        let (a, b) = (places(old, &values, other), places(new, &values, other));
        let path = match example.path.split_once("/:") {
            Some((dict, name)) => format!(":{dict}/{name}"),
            None => example.path.clone(),
        };
        let Some(was) = a.get(&path) else { continue };
        let number = |place: &(u64, u64, Vec<u64>)| match example.quantity {
            Quantity::Address | Quantity::Offset => Some(place.0),
            Quantity::Bytes => Some(place.1),
            _ => None,
        };
        if let Some(number) = number(was) {
            prop_assert_eq!(number, example.old, "{:?} with {}", change, other);
        }
        let is = b.get(&path).and_then(number);
        if let (Some(is), Some(new)) = (is, example.new) {
            prop_assert_eq!(is, new, "{:?} with {}", change, other);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn addresses_are_those_of_brute_force(
        text in random::layout(),
        edits in prop::collection::vec((0..16_u8, 0..8_usize, 0..20_usize), 1..3),
    ) {
        let mut other = text.clone();
        for (kind, at, pick) in edits {
            other = edited(&other, kind, at, pick);
        }
        let (Some(old), Some(new)) = (check(text.as_bytes()).layout, check(other.as_bytes()).layout)
        else { return Ok(()) };
        let found = compare(&old, &new, 16);
        let layout_level = found.iter().any(|change| change.levels.has(Level::Layout));
        let renamed = found.iter().any(|change| change.code == "change-renamed");
        let missed = brute_force(&old, &new);
        if let (Some(missed), false) = (&missed, layout_level || renamed) {
            prop_assert!(false, "missed {}\n{}---\n{}\n{:#?}", missed, text, other, found);
        }
        for change in &found {
            holds(&old, &new, change)?;
        }
        if text == other {
            prop_assert!(found.is_empty());
        }
    }
}
