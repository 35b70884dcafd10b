//! Does typed code read and write what the dynamic reader and writer do?

use std::fs;
use std::path::Path;

use dudley::{ByteOrder, Open};
use dudley_bulk::{Case, Compared, KNOWN, RANDOM};
use dudley_tests::{known, random};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

/// Adds up what was compared; says what was wrong.
#[derive(Default)]
struct Tally {
    all: Compared,
    written: usize,
    wrong: Vec<String>,
}

impl Tally {
    fn add(&mut self, case: &Case, compared: Result<Compared, String>) {
        match compared {
            Ok(compared) => {
                self.all.items += compared.items;
                self.all.untyped += compared.untyped;
                self.written += usize::from(compared.written);
            }
            Err(why) => self.wrong.push(format!("{}: {why}", case.name)),
        }
    }

    fn judge(&self) {
        eprintln!("{:?}, {} streams written", self.all, self.written);
        let shown: Vec<&str> = self.wrong.iter().take(20).map(String::as_str).collect();
        assert!(self.wrong.is_empty(), "{} differ:\n{}", self.wrong.len(), shown.join("\n"));
    }
}

#[test]
fn known_streams_are_read_and_written_alike() {
    let mut tally = Tally::default();
    for case in KNOWN {
        let folder = Path::new(case.name);
        let expected = known::json(&folder.join("expected.json"));
        let bytes = fs::read(folder.join(expected["stream"].as_str().expect("a name")));
        let bytes = bytes.expect("a stream");
        let mut open = Open::new();
        if let Some(order) = known::order(&expected["caller_order"]) {
            open = open.order(order);
        }
        if expected["kind"] == "raw" {
            open = open.raw();
        }
        for (name, value) in expected["supplied"].as_object().into_iter().flatten() {
            open = open.param(name.as_str(), value.as_i64().expect("an integer"));
        }
        tally.add(case, case.compare(open, &|open| open.bytes(bytes.clone())));
    }
    tally.judge();
    assert!(tally.all.items > 500 && tally.written > 60, "few were compared");
}

#[test]
fn random_streams_are_read_and_written_alike() {
    let mut tally = Tally::default();
    let mut runner = TestRunner::deterministic();
    for case in RANDOM {
        for at in 0..20 {
            let bytes = random::bytes().new_tree(&mut runner).expect("bytes").current();
            let order = if at % 2 == 0 { ByteOrder::Little } else { ByteOrder::Big };
            let open = Open::new().raw().order(order);
            tally.add(case, case.compare(open, &|open| open.bytes(bytes.clone())));
        }
    }
    tally.judge();
    assert!(tally.all.items > 1000 && tally.written > 100, "few were compared");
}
