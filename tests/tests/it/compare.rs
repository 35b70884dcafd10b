//! Is nothing missed of what a changed layout moves, and nothing said that is not so? Random layouts,
//! changed at random, are placed for many values of their params, path by path.

use std::collections::BTreeMap;

use dudley_parser::compare::{Change, Level, Quantity, compare};
use dudley_parser::layout::{ArrayId, Element, ParamValue, Scope};
use dudley_parser::resolve::{
    Event, Fault, Flow, Found, Given, MemberKind, ParamAt, Resolver, State, Values, WalkOptions,
};
use dudley_parser::{Layout, check};
use dudley_tests::random::layout;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// What a param is that nobody names, by its address.
type Other = fn(u64) -> i64;

/// Params by their names.
#[derive(Clone, Debug)]
struct ByName<'l> {
    layout: &'l Layout,
    values: BTreeMap<&'static str, i64>,
    other: Other,
}

impl ByName<'_> {
    fn of(&self, name: &str, address: u64) -> i64 {
        self.values.get(name).copied().unwrap_or_else(|| (self.other)(address))
    }
}

impl Values for ByName<'_> {
    fn param(&self, at: &ParamAt) -> Result<i128, Fault> {
        let name = self.layout.name(self.layout[at.param].name);
        Ok(self.of(name, at.address).into())
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

fn places(layout: &Layout, values: &BTreeMap<&'static str, i64>, other: Other) -> Places {
    let values = ByName { layout, values: values.clone(), other };
    let streamed = layout.params().filter(|(_, param)| {
        matches!((param.value, param.scope), (ParamValue::Streamed(..), Scope::Dict(_)))
    });
    let params = streamed.map(|(id, param)| (id, values.of(layout.name(param.name), 0).into()));
    let given = Given { start: 16, params: params.collect(), ..Given::default() };
    let mut state = State::new();
    let mut resolver = Resolver::new(layout, &given, &values, &mut state);
    let mut found = Places::new();
    let mut visit = |resolver: &mut Resolver<'_>, event: Event<'_>| {
        match event.found {
            Found::Array { array, placed: Ok(placed), .. } => {
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
    for n in [3, 1, 2, 0, -1, 4, 5, 8, 20, 21, 22, 24] {
        for m in few {
            let others: [(i64, Other); 6] = [
                (2, |_| 1),
                (0, |_| 1),
                (2, |_| 2),
                (2, |_| 5),
                (2, |address| (address % 3) as i64),
                (2, |address| (address * address / 7 % 4) as i64),
            ];
            for (len, other) in others {
                let values = BTreeMap::from([("N", n), ("M", m), ("LEN", len)]);
                let (a, b) = (places(old, &values, other), places(new, &values, other));
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
        ("N", "M"),
        ("i2", "i4"),
        ("f8", "u8"),
        ("i4", "f4"),
        ("i1", "i2"),
        (" %8", ""),
        ("*2", "*3"),
        ("[N", "[N+"),
        ("N-20", "N-19"),
        (", ", ", 2, "),
        ("%1", "%16"),
        ("m0", "m9"),
        ("m1 = ", "m5 = i2 m1 = "),
        ("N+", "N"),
        ("M+1", "M+"),
        ("[2", "[3"),
        ("*N", "*M"),
        ("-1", "1"),
        ("c8", "f8"),
        ("[", "[1, "),
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

/// Whether a param is declared more than once, so that one value for all of that name is not all there is.
fn ambiguous(old: &Layout, new: &Layout) -> bool {
    let often = |layout: &Layout, name: &str| {
        layout.params().filter(|(_, param)| layout.name(param.name) == name).count() > 1
    };
    let names = ["N", "M", "LEN"];
    [old, new].into_iter().any(|layout| names.iter().any(|name| often(layout, name)))
}

/// That an example says what is so: with its params, whatever the others are.
fn holds(old: &Layout, new: &Layout, change: &Change) -> Result<(), TestCaseError> {
    let Some(example) = &change.example else { return Ok(()) };
    let plain = |(name, _): &(String, i64)| ["N", "M", "LEN"].contains(&name.as_str());
    if ambiguous(old, new) || !example.params.iter().all(plain) {
        return Ok(());
    }
    for (others, other) in [(1, (|_| 1) as Other), (2, |_| 2)] {
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
            prop_assert_eq!(number, example.old, "{:?} with {}", change, others);
        }
        let is = b.get(&path).and_then(number);
        if let (Some(is), Some(new)) = (is, example.new) {
            prop_assert_eq!(is, new, "{:?} with {}", change, others);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, rng_seed: RngSeed::Fixed(3), ..ProptestConfig::default() })]

    #[test]
    fn addresses_are_those_of_brute_force(
        text in layout(),
        edits in prop::collection::vec((0..16_u8, 0..8_usize, 0..20_usize), 1..3),
        far in any::<bool>(),
    ) {
        // Where a sum is below 0 nothing can be placed: what changes, changes for large params only.
        let text = if far { text.replace("[N", "[N-20") } else { text };
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
        let moved = |change: &Change| {
            change.levels.has(Level::Layout)
                && ["change-address", "change-size"].contains(&change.code)
        };
        if let (None, Some(alarm), false) =
            (&missed, found.iter().find(|it| moved(it)), ambiguous(&old, &new))
        {
            prop_assert!(false, "alarm {:#?}\n{}---\n{}", alarm, text, other);
        }
        for change in &found {
            holds(&old, &new, change)?;
        }
        if text == other {
            prop_assert!(found.is_empty());
        }
    }
}

/// Items of lists; some are alike in one way and not in another.
const ITEMS: [&str; 9] = [
    "f8",
    "i4",
    "f8 %16",
    "i1[N]",
    "[i2]*M",
    "/ a = i1  n : u1  b = f8[n]",
    "/ k : u1 c/ l [{m : u1 x = i1[m] y = i2[k]}]*M r [[i2]*k]",
    "[{m : u1 x = i1[m]}, i2, / z = {m : u1 x = i1[m]}]",
    "/ x [f8, i2, f8, i2, i2]  n : u1  y [[i1[n], i1[n]], f4]",
];

/// The last of them once more.
const OTHERWISE: &str = "/ x [f8, i2]*2  x [i2]  n : u1  y [[i1[n]]*2]  y [f4]";

/// A list of some items, in brackets as they come: `random` gives numbers below another.
fn spelt(items: &[usize], random: &mut impl FnMut(usize) -> usize) -> String {
    let mut text = String::new();
    let mut at = 0;
    while at < items.len() {
        let rest = &items[at..];
        let body = &rest[..1 + random(rest.len().min(3))];
        let most = rest.chunks(body.len()).take_while(|chunk| chunk == &body).count();
        let times = 1 + random(most);
        at += times * body.len();
        let mut name = |item: &usize| {
            if item + 1 == ITEMS.len() && random(2) == 0 { OTHERWISE } else { ITEMS[*item] }
        };
        let names: Vec<&str> = body.iter().map(&mut name).collect();
        text += &match (random(3), names.len()) {
            // Extensions repeat one item.
            (0, 1) if times > 1 => format!("l [{}]\nl [{}]\n", names[0], times - 1),
            _ if times > 1 => format!("l [{}]*{times}\n", names.join(", ")),
            _ => format!("l [{}]\n", names.join(", ")),
        };
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, rng_seed: RngSeed::Fixed(5), ..ProptestConfig::default() })]

    /// Items in other brackets are said to be others perhaps, or nothing is missed and there is no false alarm.
    #[test]
    fn nothing_is_missed_in_other_brackets(
        items in prop::collection::vec(0..2_usize, 1..8),
        ways in prop::collection::vec(0..6_usize, 64),
        kinds in prop::collection::vec(0..ITEMS.len(), 2),
        other in prop::option::of((0..8_usize, 0..ITEMS.len())),
    ) {
        let items: Vec<usize> = items.into_iter().map(|kind| kinds[kind]).collect();
        let mut ways = ways.into_iter();
        let mut random = |below: usize| ways.next().unwrap_or(0) % below;
        let mut changed = items.clone();
        if let Some((at, kind)) = other {
            let at = at % items.len();
            changed[at] = kind;
        }
        let whole = |list: String| format!("N : u1\nM : u1\n{list}x = i2\n");
        let (a, b) = (whole(spelt(&items, &mut random)), whole(spelt(&changed, &mut random)));
        let layout = |text: &str| check(text.as_bytes()).layout.unwrap_or_else(|| panic!("{text}"));
        let (old, new) = (layout(&a), layout(&b));
        let found = compare(&old, &new, 16);
        let level = |level| found.iter().any(|change| change.levels.has(level));
        let may_differ = found.iter().any(|change| change.message.contains("they may be others"));
        if may_differ {
            prop_assert!(Level::ALL.into_iter().all(level), "{}---\n{}{:#?}", a, b, found);
        } else if items == changed {
            prop_assert!(Level::ALL.into_iter().all(|it| !level(it)), "{}---\n{}{:#?}", a, b, found);
        } else if let Some(missed) = brute_force(&old, &new) {
            prop_assert!(level(Level::Layout), "missed {}\n{}---\n{}{:#?}", missed, a, b, found);
        } else {
            prop_assert!(!level(Level::Layout), "alarm {}\n---\n{}{:#?}", a, b, found);
        }
        for change in &found {
            holds(&old, &new, change)?;
        }
    }
}
