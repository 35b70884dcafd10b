//! Formulas, as they are written, are what the resolver finds for any legal params: hand-made cases, the known
//! layouts (those of `DUDLEY_CORPUS` too) and random ones, with random params.

mod written;

use dudley_parser::Layout;
use dudley_parser::formula::{Dim, Expr, Formulas, Repetition, Row, What};
use dudley_parser::layout::{
    Array, ArrayId, Element, ListId, ParamId, ParamValue, RecordId, Scope,
};
use dudley_parser::resolve::{
    Event, Flow, Found, Given, MemberKind, NoValues, Resolver, State, WalkOptions,
};
use hashbrown::HashMap;
use std::collections::{BTreeMap, BTreeSet};

use crate::placing::make::{Maker, Writer};

fn layout(text: &str) -> Layout {
    let checked = dudley_parser::check(text.as_bytes());
    checked.layout.unwrap_or_else(|| panic!("{:?}", checked.diagnostics))
}

fn dims(shape: &[Dim]) -> String {
    let dims = shape.iter().map(|dim| match dim {
        Dim::Known(number) => number.to_string(),
        Dim::Symbolic(text, _) => text.clone(),
    });
    dims.collect::<Vec<_>>().join(",")
}

/// `path [shape] @address +bytes`, a line for each row.
fn rows(text: &str, given: &[(&str, i128)]) -> Vec<String> {
    let layout = layout(text);
    let mut all = Given { start: 16, ..Given::default() };
    for (id, param) in layout.params() {
        if let Some((_, value)) = given.iter().find(|(name, _)| *name == layout.name(param.name)) {
            all.params.insert(id, *value);
        }
    }
    let mut rows = Vec::new();
    let options = WalkOptions::elide_above(4096);
    Formulas::new(&layout, &all).walk(options, &mut |formulas, row: Row<'_>| {
        let labels = formulas.labels();
        let show = |expr: &Result<Expr, _>| match expr {
            Ok(expr) => labels.formula(expr),
            Err(gap) => format!("{gap:?}"),
        };
        let line = match &row.what {
            What::Dict(_) => return Flow::Continue,
            What::List { length, .. } => format!("#{} {}", row.path, show(length)),
            What::Array { shape, address, bytes, spliced, .. } => {
                let mut line =
                    format!("{} [{}] @{} +{}", row.path, dims(shape), show(address), show(bytes));
                if let Some(spliced) = spliced {
                    let strides = spliced.strides.as_ref().expect("strides");
                    let strides: Vec<_> = strides.iter().map(|s| labels.formula(s)).collect();
                    line += &format!(" s={}", strides.join(","));
                }
                line
            }
            What::Param { address: Some(address), .. } => {
                format!(":{} @{}", row.path, show(address))
            }
            What::Param { .. } => return Flow::Continue,
            What::Elided { repetitions, .. } => format!("... {repetitions}"),
        };
        rows.push(line);
        Flow::Continue
    });
    rows
}

#[test]
fn of_ends_only_those_stand_that_may_be_the_greatest() {
    let items: String = (0..1000).map(|at| format!("x{at} = u1 @P+{at}\n")).collect();
    let layout = layout(&format!("P : u8\nQ : u8\n{items}y = u1 @Q+3\nz = u1 @Q+1\n"));
    let given = Given { start: 16, ..Given::default() };
    let mut formulas = Formulas::new(&layout, &given);
    let end = formulas.data_end().expect("it is a sum");
    // No param is below -1, so all params lie in front of x999.
    assert_eq!(formulas.labels().formula(&end), "max(1000 + P, 4 + Q)");
}

#[test]
fn addresses_are_formulas() {
    for (text, expected) in [
        (
            "IMAX : i8 JMAX : i8 x = f8[IMAX,JMAX] y = f8",
            &[
                ":/IMAX @16",
                ":/JMAX @24",
                "/x [IMAX,JMAX] @32 +8*dim(IMAX)*dim(JMAX)",
                "/y [] @32 + 8*dim(IMAX)*dim(JMAX) +8",
            ] as &[&str],
        ),
        (
            "N : i8 M : i8 x = f8[N-,M+] y = f8 z = f4[N-]",
            &[
                ":/N @16",
                ":/M @24",
                "/x [N-,M+] @32 +8*dim(N-)*dim(M+)",
                "/y [] @32 + 8*dim(N-)*dim(M+) +8",
                "/z [N-] @40 + 8*dim(N-)*dim(M+) +4*dim(N-)",
            ],
        ),
        (
            "N : i8 x = f8[N-] y = f8[N+] z = i1",
            &[
                ":/N @16",
                "/x [N-] @24 +8*dim(N-)",
                "/y [N+] @24 + 8*dim(N-) +8*dim(N+)",
                "/z [] @24 + 8*dim(N-) + 8*dim(N+) +1",
            ],
        ),
        (
            "N : i8 s = S1[N] x = f8 t = S1[N] y = f8",
            &[
                ":/N @16",
                "/s [N] @24 +dim(N)",
                "/x [] @align8(24 + dim(N)) +8",
                "/t [N] @align8(32 + dim(N)) +dim(N)",
                "/y [] @32 + 2*align8(dim(N)) +8",
            ],
        ),
        (
            "N : i8 s = S1[N] a = i4 b = f8",
            &[
                ":/N @16",
                "/s [N] @24 +dim(N)",
                "/a [] @align4(24 + dim(N)) +4",
                "/b [] @align8(28 + dim(N)) +8",
            ],
        ),
        (
            "A : i8 B : i8 x = u1[A-B] y = i1 @A-4",
            &[":/A @16", ":/B @24", "/x [A-B] @32 +(A-B)", "/y [] @A - 4 +1"],
        ),
        (
            "N : i8 l [i1, f8]*N x = i1",
            &[
                ":/N @16",
                "#/l 2*N",
                "/l/[2*i] [] @24 + 16*i +1",
                "/l/[1 + 2*i] [] @32 + 16*i +8",
                "/x [] @24 + 16*N +1",
            ],
        ),
        (
            "a = i1[13] N : i8 b = i1[3] l [i1, f8]*N x = i1",
            &[
                "/a [13] @16 +13",
                ":/N @32",
                "/b [3] @40 +3",
                "#/l 2*N",
                "/l/0 [] @43 +1",
                "/l/1 [] @48 +8",
                "/l/[2*i] [] @40 + 16*i +1",
                "/l/[1 + 2*i] [] @48 + 16*i +8",
                "/x [] @43 + when(N, 16*N - 3) +1",
            ],
        ),
        (
            "N : i8 M : i8 t = f8[N] l [f8[M]]*N l[2]",
            &[
                ":/N @16",
                ":/M @24",
                "/t [N] @32 +8*dim(N)",
                "#/l 2 + N",
                "/l/[i] [M] @32 + 8*dim(N) + 8*dim(M)*i +8*dim(M)",
                "/l/[N] [M] @32 + 8*dim(N) + 8*N*dim(M) +8*dim(M)",
                "/l/[1 + N] [M] @32 + 8*dim(N) + 8*dim(M) + 8*N*dim(M) +8*dim(M)",
            ],
        ),
        (
            "N : i8 \"\" = {t = f8 x = f4[N]}[3]",
            &[
                ":/N @16",
                "/t [3] @24 +24 s=align8(8 + 4*dim(N))",
                "/x [3,N] @32 +12*dim(N) s=align8(8 + 4*dim(N)),4",
            ],
        ),
        (
            "a/ N : i4 .. b/ N : i4 x = f4[N] N : i4 y = f4[N]",
            &[
                ":/a/N @16",
                ":/b/N @20",
                "/b/x [/b/N] @24 +4*dim(/b/N)",
                ":/b/N#2 @24 + 4*dim(/b/N)",
                "/b/y [/b/N#2] @28 + 4*dim(/b/N) +4*dim(/b/N#2)",
            ],
        ),
        (
            "v = {n : i4 x = f4[n]} y = f8 z = f8 @100",
            &["/v [] @16 +Variable", "/y [] @Variable +8", "/z [] @100 +8"],
        ),
        (
            "N : i8 l [/ m : i4 x = f4[m] y = f8[N]]*N z = f8",
            &[
                ":/N @16",
                "#/l N",
                ":/l/[i]/m @Variable",
                "/l/[i]/x [m] @Variable +4*dim(m)",
                "/l/[i]/y [N] @Variable +8*dim(N)",
                "/z [] @Variable +8",
            ],
        ),
    ] {
        assert_eq!(rows(text, &[]), expected, "{text}");
    }
}

/// What occurs 0 times takes nothing, whatever its size would be.
#[test]
fn what_is_never_there_does_not_vary() {
    for text in [
        "l [[/ M : i4 x = f8[M]]*0]*3\ny = i4",
        "l [{M : u1  x = f8[M]}[0]]*3\ny = i4",
        "l [/ a = i2  k [[/ M : i4 x = f8[M]]*0, f8[0] -> zlib]*2]*3\ny = i4",
        "Z : 0\nl [[/ M : i4 x = f8[M]]*Z]*3\ny = i4",
        "Z : 1\nl [/ a = i2  k [[/ M : i4 x = f8[M]]*Z-, f8[2,Z-] -> zlib]*2]*3\ny = i4",
    ] {
        let last = rows(text, &[]).pop();
        let wanted = if text.contains("a = i2") { "/y [] @24 +4" } else { "/y [] @16 +4" };
        assert_eq!(last.as_deref(), Some(wanted), "{text}");
    }
}

#[test]
fn what_is_given_is_a_number() {
    let text = "N : i8 M : i8 x = f8[N,M-] y = i1[N] z = f8";
    assert_eq!(
        rows(text, &[("N", 3), ("M", 5)])[2..],
        ["/x [3,4] @32 +96", "/y [3] @128 +3", "/z [] @136 +8"]
    );
    assert_eq!(
        rows(text, &[("N", -1)])[2..],
        ["/x [M-] @32 +8*dim(M-)", "/y [] @32 + 8*dim(M-) +1", "/z [] @40 + 8*dim(M-) +8"]
    );
    assert_eq!(
        rows(text, &[("M", 0)])[2..],
        ["/x [N,0] @32 +0", "/y [N] @32 +dim(N)", "/z [] @align8(32 + dim(N)) +8"]
    );
    let long = rows("N : i8 l [f8[N]]*5000 x = i1", &[]);
    assert_eq!(
        long[1..],
        [
            "#/l 5000",
            "/l/0 [N] @24 +8*dim(N)",
            "/l/1 [N] @24 + 8*dim(N) +8*dim(N)",
            "/l/2 [N] @24 + 16*dim(N) +8*dim(N)",
            "... 4996",
            "/l/4999 [N] @24 + 39992*dim(N) +8*dim(N)",
            "/x [] @24 + 40000*dim(N) +1"
        ]
    );
}

#[test]
fn what_is_illegal_with_what_is_given_is_nowhere() {
    let text = "N : i8 M : i8 s = {x = i8  y = f4[N-3]}[M] z = i4 t = i4[N-3] u = i4";
    let nowhere = "Illegal";
    for (row, line) in rows(text, &[("N", 1)])[2..].iter().enumerate() {
        assert!(line.contains(&format!("@{nowhere}")), "{row}: {line}");
    }
    assert_eq!(
        rows(text, &[("N", 3)])[2..][..2],
        ["/s [M] @32 +8*dim(M)", "/z [] @32 + 8*dim(M) +4"]
    );
}

#[test]
fn long_formulas_begin_anew() {
    let mut text = String::new();
    for at in 0..200 {
        text += &format!("N{at} : i8\nx{at} = f8[N{at}]\n");
    }
    let rows = rows(&text, &[]);
    assert_eq!(rows.len(), 400);
    assert!(rows.iter().any(|row| row.contains("@end(/x64)")), "{}", rows[130]);
    assert!(rows.iter().all(|row| row.len() < 2000));
}

/// As deep as brackets nest.
const DEPTH: usize = 250;

#[test]
fn many_items_take_no_time() {
    let mut text = String::from("N : i8 M : i8\n");
    for at in 0..20_000 {
        text += &format!("x{at} = f4[N,M-]\ns{at} = i1[M]\n");
    }
    let layout = layout(&text);
    let given = Given::default();
    let mut count = 0;
    Formulas::new(&layout, &given).walk(WalkOptions::default(), &mut |_, _: Row<'_>| {
        count += 1;
        Flow::Continue
    });
    assert_eq!(count, 40_003);
}

#[test]
fn deep_lists_take_no_time() {
    // The others are as deep as lists are measured, and less.
    for depth in [DEPTH, 95, 60, 20] {
        let mut text = "[i1, ".repeat(depth) + "f8[N]";
        for at in 0..depth {
            text += if at % 2 == 0 { "]*N" } else { "]*M" };
        }
        rows(&format!("N : i8 M : i8 l = {text} x = f8"), &[]);
    }
}

/// What lies somewhere, or has a length, and where, or how long it is.
type Places = BTreeMap<Key, Vec<(u64, u64)>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Array(usize),
    Param(usize),
    List(usize),
}

fn array_key(id: ArrayId) -> Key {
    Key::Array(id.index())
}

fn param_key(id: ParamId) -> Key {
    Key::Param(id.index())
}

fn list_key(id: ListId) -> Key {
    Key::List(id.index())
}

/// Where the resolver finds everything that is not faulty.
fn resolved(layout: &Layout, given: &Given) -> Places {
    let mut places = Places::new();
    let mut state = State::new();
    let mut resolver = Resolver::new(layout, given, &NoValues, &mut state);
    let mut visit = |resolver: &mut Resolver<'_>, event: Event<'_>| {
        match event.found {
            Found::Array { array: id, placed: Ok(placed), .. } => {
                let array = &layout[id];
                let (true, Element::Record(record)) = (array.spliced, array.element) else {
                    places.entry(array_key(id)).or_default().push((placed.address, placed.bytes));
                    return Flow::Continue;
                };
                let (Ok(shape), Ok(members)) = (resolver.shape(array), resolver.members(record, 0))
                else {
                    return Flow::Continue;
                };
                let count: u64 = shape.iter().product();
                for member in members {
                    let (key, bytes) = match member.kind {
                        MemberKind::Array(id) => (array_key(id), member.bytes * count),
                        MemberKind::Param(id) if layout[id].is_streamed() => (param_key(id), 0),
                        MemberKind::Param(_) => continue,
                    };
                    let address = placed.address + member.offset;
                    places.entry(key).or_default().push((address, bytes));
                }
            }
            Found::Param { param, placed: Some(Ok(placed)) } => {
                places.entry(param_key(param)).or_default().push((placed.address, 0));
            }
            Found::List { list, length: Ok(length) } => {
                places.entry(list_key(list)).or_default().push((0, length));
            }
            _ => {}
        }
        Flow::Continue
    };
    resolver.walk(WalkOptions::elide_above(12), &mut visit);
    places
}

/// Every combination of the repetitions' numbers.
fn numbers(repetitions: &[Repetition], params: &HashMap<ParamId, i128>) -> Vec<Vec<u64>> {
    let mut all = vec![Vec::new()];
    for repetition in repetitions {
        let mut longer = Vec::new();
        for numbers in &all {
            let count = repetition.count.eval(params, numbers).unwrap_or(0);
            assert!(count < 20, "more repetitions than are compared");
            for number in repetition.from..count {
                longer.push([numbers.as_slice(), &[number]].concat());
            }
        }
        all = longer;
    }
    all
}

/// Compares formulas that know some of the params with the resolver that knows all. Gives how many
/// formulas with params were compared.
fn compare(text: &str, layout: &Layout, given: &Given, known: &Given) -> usize {
    let params = &given.params;
    let expected = resolved(layout, given);
    let mut found = Places::new();
    let mut gaps = BTreeSet::new();
    let mut symbolic = 0;
    Formulas::new(layout, known).walk(WalkOptions::elide_above(12), &mut |formulas, row| {
        let (key, address, bytes) = match &row.what {
            What::Array { array, address, bytes, .. } => {
                (array_key(*array), address, bytes.clone())
            }
            What::Param { param, address: Some(address), .. } => {
                (param_key(*param), address, Ok(Expr::number(0)))
            }
            What::List { list, length } => (list_key(*list), &Ok(Expr::number(0)), length.clone()),
            _ => return Flow::Continue,
        };
        let (Ok(address), Ok(bytes)) = (address, bytes) else {
            gaps.insert(key);
            return Flow::Continue;
        };
        symbolic += usize::from(address.as_number().is_none());
        for numbers in numbers(row.repetitions, params) {
            // An address below 0 has none, nor has the resolver.
            let read = |expr: &Expr| {
                // A param within a struct has no value, but may be called like one that has.
                let value = expr.eval(params, &numbers)?;
                let text = formulas.labels().formula(expr);
                let written = written::value(&text, formulas.labels(), params, &numbers);
                assert_eq!(written, Some(value), "{text} with {params:?}");
                written
            };
            let (Some(at), Some(bytes)) = (read(address), read(&bytes)) else {
                gaps.insert(key);
                continue;
            };
            found.entry(key).or_default().push((at, bytes));
        }
        Flow::Continue
    });
    let mut state = State::new();
    let end = Resolver::new(layout, given, &NoValues, &mut state).data_end();
    let mut formulas = Formulas::new(layout, known);
    if let (Ok(end), Ok(expr)) = (end, formulas.data_end())
        && let Some(value) = expr.eval(params, &[])
    {
        let text = formulas.labels().formula(&expr);
        assert_eq!(value, end, "the end {text} of\n{} with {params:?}", layout.text());
        let written = written::value(&text, formulas.labels(), params, &[]);
        assert_eq!(written, Some(end), "{text} with {params:?}");
    }
    for (key, mut places) in found {
        let mut expected = expected.get(&key).cloned().unwrap_or_default();
        if gaps.contains(&key) {
            continue;
        }
        places.sort();
        expected.sort();
        // All that the resolver finds is found. Behind an illegal number it finds nothing, and formulas do not
        // look at all numbers. Of a list repeated 0 times there may be rows for the first repetition.
        places.retain(|place| expected.contains(place));
        places.dedup();
        expected.dedup();
        assert_eq!(places, expected, "{key:?} of {text} with {params:?}");
    }
    symbolic + compare_members(layout, given, known)
}

/// The same of the members of structs.
fn compare_members(layout: &Layout, given: &Given, known: &Given) -> usize {
    let params = &given.params;
    let mut state = State::new();
    let mut resolver = Resolver::new(layout, given, &NoValues, &mut state);
    let mut formulas = Formulas::new(layout, known);
    let mut symbolic = 0;
    for id in records(layout) {
        // Of structs that differ in size, and of illegal numbers, nobody knows where all members lie.
        let Ok(expected) = resolver.members(id, 0) else { continue };
        let found = formulas.members(id);
        assert_eq!(found.len(), expected.len(), "{}", layout.text());
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found.kind, expected.kind);
            for (expr, expected) in
                [(&found.offset, expected.offset), (&found.bytes, expected.bytes)]
            {
                let Some(expr) = expr.as_ref().ok().filter(|it| it.eval(params, &[]).is_some())
                else {
                    continue;
                };
                let text = formulas.labels().formula(expr);
                let written = written::value(&text, formulas.labels(), params, &[]);
                let found = (expr.eval(params, &[]), written);
                let wanted = (Some(expected), Some(expected));
                assert_eq!(found, wanted, "{text} with {params:?} in\n{}", layout.text());
                symbolic += usize::from(expr.as_number().is_none());
            }
        }
    }
    symbolic
}

/// The structs of a layout.
fn records(layout: &Layout) -> BTreeSet<RecordId> {
    let of = |array: &Array| match array.element {
        Element::Record(id) => Some(id),
        Element::Primitive(..) => None,
    };
    layout.arrays().filter_map(|(_, array)| of(array)).collect()
}

/// What a plan writes for people is what its operations come to.
fn plan_is_written(text: &str, layout: &Layout, random: &mut impl FnMut(u64) -> u64) {
    use dudley_parser::formula::plan::{Plan, What as PlanWhat};

    let mut plan = Plan::new(layout, 16);
    let mut nodes = Vec::new();
    plan.walk(&mut |_, row| {
        if let PlanWhat::Array { place, .. } = row.what {
            nodes.extend([place.address, place.bytes].into_iter().flatten());
        }
    });
    nodes.extend(plan.data_end());
    let written: Vec<_> = nodes.iter().map(|&node| (node, plan.text(node))).collect();
    for _ in 0..8 {
        // A param within a struct may be called the same.
        let of_dicts = layout.params().filter(|(_, param)| matches!(param.scope, Scope::Dict(_)));
        let params: HashMap<ParamId, i128> =
            of_dicts.map(|(id, _)| (id, i128::from(random(8)) - 1)).collect();
        let numbers: Vec<u64> = (0..8).map(|_| random(4)).collect();
        let values = plan.evaluate(&|id| params.get(&id).copied(), &numbers);
        for (node, formula) in &written {
            let value = values[node.index()];
            let Some(formula) = formula.as_ref().filter(|it| !it.contains("end(")) else {
                continue;
            };
            let found = written::value(formula, plan.labels(), &params, &numbers);
            if let (Some(found), Some(value)) = (found, value) {
                assert_eq!(found as i64, value, "{formula} with {params:?} {numbers:?} in {text}");
            }
        }
    }
}

fn corpus() -> Vec<String> {
    let own = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus/layouts");
    let more = std::env::var_os("DUDLEY_CORPUS");
    let more = more.map(|folder| std::path::PathBuf::from(folder).join("layouts"));
    std::iter::once(own).chain(more).flat_map(|folder| texts(&folder)).collect()
}

fn texts(folder: &std::path::Path) -> Vec<String> {
    let rows = std::fs::read_to_string(folder.join("resolved.json")).expect("corpus file");
    let rows: serde_json::Value = serde_json::from_str(&rows).expect("JSON");
    let rows = rows.as_array().expect("an array").iter();
    let mut texts: Vec<String> = rows.filter_map(|r| r["text"].as_str().map(Into::into)).collect();
    for entry in std::fs::read_dir(folder.join("streams")).expect("corpus folder") {
        let path = entry.expect("entry").path().join("layout.dud");
        texts.extend(std::fs::read_to_string(path));
    }
    texts
}

#[test]
fn formulas_are_what_the_resolver_finds() {
    let mut random = random();
    let mut compared = 0;
    for text in corpus() {
        let Some(layout) = dudley_parser::check_to_read(text.as_bytes()).layout else { continue };
        plan_is_written(&text, &layout, &mut random);
        compared += compare_at_random(&text, &layout, 12, &mut random);
    }
    assert!(compared > 1000, "only {compared} formulas were compared");
}

#[test]
fn formulas_of_random_layouts_are_what_the_resolver_finds() {
    let mut random = random();
    let mut compared = 0;
    for seed in 0..1000 {
        let (types, items) = Maker::layout(seed);
        let text = Writer(&types).layout(&items);
        let layout = dudley_parser::check_to_read(text.as_bytes()).layout.expect("a layout");
        compared += compare_at_random(&text, &layout, 4, &mut random);
    }
    assert!(compared > 1000, "only {compared} formulas were compared");
}

/// Compares with some params known, and some rounds with all of them; their values are random.
fn compare_at_random(
    text: &str,
    layout: &Layout,
    rounds: usize,
    random: &mut impl FnMut(u64) -> u64,
) -> usize {
    let mut compared = 0;
    for round in 0..rounds {
        let start = if round % 2 == 0 { 16 } else { 0 };
        let mut all = Given { start, ..Given::default() };
        let mut known = all.clone();
        for (id, param) in layout.params() {
            let open = param.stream_bytes || matches!(param.value, ParamValue::Streamed(..));
            if open && matches!(param.scope, Scope::Dict(_)) {
                let value = i128::from(random(12)) - 1;
                all.params.insert(id, value);
                if random(4) == 0 || round + 2 >= rounds {
                    known.params.insert(id, value);
                }
            }
        }
        compared += compare(text, layout, &all, &known);
    }
    compared
}

/// Numbers below a limit that only look random.
fn random() -> impl FnMut(u64) -> u64 {
    let mut seed = 1_u64;
    move |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    }
}

#[test]
fn what_has_illegal_bytes_is_nowhere() {
    use dudley_parser::formula::plan::{Plan, What};

    let layout = layout("N : i8\nx = f8[N-3]\ny = i4");
    let mut plan = Plan::new(&layout, 16);
    let mut found = Vec::new();
    plan.walk(&mut |plan, row| {
        if let What::Array { place, .. } = row.what {
            let address = place.address.expect("an operation");
            found.push((address, plan.text(address).expect("a formula")));
        }
    });
    let [(x, text), (y, _)] = &found[..] else { panic!("two items: {found:?}") };
    assert_eq!(text, "24", "it is aligned already");
    for (n, expected) in [(1, None), (2, None), (3, Some(24)), (0, None), (4, Some(24))] {
        let values = plan.evaluate(&|_| Some(n), &[]);
        assert_eq!(values[x.index()], expected, "x with N = {n}");
        assert_eq!(values[y.index()].is_some(), expected.is_some(), "y with N = {n}");
    }
}
