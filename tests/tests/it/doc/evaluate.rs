//! Does the script of a page come to the numbers of the engine, for random layouts and params?

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write;
use std::process::{Command, Stdio};

use dudley_doc::Source;
use dudley_parser::resolve::{
    Event, Fault, Flow, Found, Given, ParamAt, Resolver, State, Values, WalkOptions,
};
use dudley_tests::expressions::{self, VALUES};
use dudley_tests::{random, root};
use proptest::prelude::prop;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::{Value as Json, json};

use super::skip;

/// Layouts that are compared, each with params of its own.
const CASES: usize = 1000;

/// Params that are not given are fields of records: no place depends on them.
struct Nothing;

impl Values for Nothing {
    fn param(&self, _: &ParamAt) -> Result<i128, Fault> {
        Err(Fault::Unknown)
    }

    fn stored(&self, _: dudley_parser::layout::ArrayId, _: u64) -> Result<u64, Fault> {
        Err(Fault::Unknown)
    }
}

/// What a page has to compute, and what the resolver says: places by paths.
struct Case {
    text: String,
    data: Json,
    params: Vec<i64>,
    places: HashMap<String, (u64, u64)>,
    end: Option<u64>,
}

fn case(text: String, random: &mut impl FnMut() -> i64) -> Option<Case> {
    let layout = dudley_parser::check_to_read(text.as_bytes()).layout?;
    let source = Source::new("random.dud", &layout);
    let data: Json = serde_json::from_str(&dudley_doc::data(&source)).expect("JSON");
    let mut given = Given { start: 16, ..Given::default() };
    let mut params = Vec::new();
    for param in data["params"].as_array().expect("a list") {
        let label = param["label"].as_str().expect("text");
        let value = random();
        let id = dudley::read::path::param(&layout, label).expect("a param of a dict");
        given.params.insert(id, value.into());
        params.push(value);
    }
    let (mut state, mut places) = (State::new(), HashMap::new());
    let mut resolver = Resolver::new(&layout, &given, &Nothing, &mut state);
    let options = WalkOptions::elide_above(3);
    let mut visit = |_: &mut Resolver<'_>, event: Event<'_>| {
        match event.found {
            Found::Array { placed: Ok(placed), .. } => {
                places.insert(event.path.to_owned(), (placed.address, placed.bytes));
            }
            Found::Param { placed: Some(Ok(placed)), .. } => {
                let (dict, name) = event.path.rsplit_once('/').expect("a path");
                places.insert(format!("{dict}/:{name}"), (placed.address, placed.bytes));
            }
            _ => {}
        }
        Flow::Continue
    };
    resolver.walk(options, &mut visit);
    let end = resolver.data_end().ok();
    Some(Case { text, data, params, places, end })
}

#[test]
fn scripts_come_to_the_places_of_the_engine() {
    let Some(node) = super::program(&["node"]) else {
        return skip("no node to run the scripts of pages");
    };
    let mut runner = TestRunner::deterministic();
    let mut numbers = 0_u64;
    let mut random = || {
        numbers += 1;
        [0, 1, -1, 2, 3, 7, 16, 100][(numbers.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 61) as usize]
    };
    let mut cases = Vec::new();
    while cases.len() < CASES {
        let text = random::layout().new_tree(&mut runner).expect("a layout").current();
        cases.extend(case(text, &mut random));
    }
    for at in 0..CASES / 10 {
        let trees = prop::collection::vec(expressions::tree(), 30);
        let trees = trees.new_tree(&mut runner).expect("expressions").current();
        let mut next = at;
        let mut values = || {
            next += 1;
            VALUES[next.wrapping_mul(0x9e37_79b9) / 8 % VALUES.len()]
        };
        cases.extend(case(expressions::layout(&trees), &mut values));
    }
    let mut lines = String::new();
    for case in &cases {
        // As text, since numbers of JavaScript are floats.
        let params: Vec<String> = case.params.iter().map(i64::to_string).collect();
        let line = json!({"ops": case.data["ops"], "params": params, "indices": [1, 1, 1, 1]});
        // Writing to a string cannot fail.
        let _ = writeln!(lines, "{line}");
    }
    let mut child = Command::new(node)
        .arg(super::scripts().join("evaluate.js"))
        .arg(root().join("dudley-doc/assets/evaluate.js"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node");
    let mut input = child.stdin.take().expect("a pipe");
    let feed = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output().expect("node ends");
    feed.join().expect("no panic").expect("all was read");
    assert!(output.status.success());
    let results = String::from_utf8(output.stdout).expect("JSON");
    let mut compared = [0; 3];
    for (case, line) in cases.iter().zip(results.lines()) {
        compare(case, &serde_json::from_str(line).expect("JSON"), &mut compared);
    }
    let [places, repeated, ends] = compared;
    assert!(places > 2 * CASES && repeated > CASES / 10 && ends > CASES / 5, "{compared:?}");
}

fn compare(case: &Case, results: &Json, compared: &mut [usize; 3]) {
    let at = |node: &Json| {
        results[node.as_u64()? as usize].as_str().and_then(|number| number.parse::<u64>().ok())
    };
    // What only a stream tells is shown as such.
    let unknown = |node: &Json| node.as_u64().is_none_or(|node| results[node as usize] == "?");
    if let (Some(end), false) = (case.end, unknown(&case.data["end"])) {
        assert_eq!(
            at(&case.data["end"]),
            Some(end),
            "the end with {:?} of\n{}",
            case.params,
            case.text
        );
        compared[2] += 1;
    }
    for row in case.data["rows"].as_array().expect("a list") {
        // Of lists the second repetition; members of records are not in the walk one by one.
        let path = row["p"].as_str().expect("text");
        let counts = row["r"].as_array().map_or(&[][..], Vec::as_slice);
        let there = counts.iter().all(|count| at(count).is_some_and(|count| count > 1));
        let known = !unknown(&row["at"]) && !unknown(&row["b"]) && row.get("sp").is_none();
        if !known || !there || !(counts.is_empty() || path.matches("[").count() == counts.len()) {
            continue;
        }
        let wanted = case.places.get(&second(path)).copied();
        if !counts.is_empty() && wanted.is_none() {
            continue;
        }
        // What cannot be placed may have legal bytes; an address it has none, except for one that is declared: then
        // its bytes are not legal.
        let (address, bytes) = (at(&row["at"]), at(&row["b"]));
        let stated = wanted.is_none() && row["x"] == true;
        let found =
            if stated { (bytes, bytes) } else { (address, bytes.filter(|_| wanted.is_some())) };
        assert_eq!(found, wanted.unzip(), "{path} with {:?} of\n{}", case.params, case.text);
        compared[usize::from(!counts.is_empty())] += 1;
    }
}

/// The path of the second repetition: `[i]` is 1, `[2*i]` 2, `[1 + 2*i]` 3.
fn second(path: &str) -> String {
    let mut exact = String::new();
    for piece in path.split_inclusive(']') {
        let Some((before, formula)) = piece.trim_end_matches(']').split_once('[') else {
            exact += piece;
            continue;
        };
        let sum: Option<u64> = formula
            .split(" + ")
            .map(|term| match term.rsplit_once('*') {
                Some((by, _)) => by.parse().ok(),
                None => Some(term.parse().unwrap_or(1)),
            })
            .sum();
        exact += &format!("{before}{}", sum.map_or("?".to_owned(), |sum| sum.to_string()));
    }
    exact
}
