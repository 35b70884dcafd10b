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

/// A known stream: its layout, how it is opened, its bytes.
fn known_streams() -> impl Iterator<Item = (&'static Case, Open, Vec<u8>)> {
    KNOWN.iter().map(|case| {
        let folder = Path::new(case.name);
        let expected = known::json(&folder.join("expected.json"));
        let bytes = fs::read(folder.join(expected["stream"].as_str().expect("a name")));
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
        (case, open, bytes.expect("a stream"))
    })
}

#[test]
fn a_build_script_makes_modules() {
    let places = dudley_bulk::blast::Addresses::new(&dudley_bulk::blast::Params { n: 3 });
    assert_eq!(places.expect("params").zones().address().expect("known"), 48);
}

#[test]
fn known_streams_are_read_and_written_alike() {
    let mut tally = Tally::default();
    for (case, open, bytes) in known_streams() {
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

#[test]
fn damaged_streams_are_errors_and_no_more() {
    let mut read = 0;
    for (at, (case, open, bytes)) in known_streams().enumerate() {
        let whole = case.read(open.clone(), &|open| open.bytes(bytes.clone()));
        for cut in 0..8 {
            let cut = bytes.len() * cut / 8;
            let less = case.read(open.clone(), &|open| open.bytes(bytes[..cut].to_vec()));
            assert!(less <= whole, "{} has more items when it is cut at {cut}", case.name);
        }
        for flip in 0..24 {
            // Spread over the stream, and over the bits; the first bytes are params.
            let place = (flip * (flip + at)) % bytes.len().max(1);
            let mut damaged = bytes.clone();
            if let Some(byte) = damaged.get_mut(place) {
                *byte ^= 1 << (flip % 8);
            }
            read += case.read(open.clone(), &|open| open.bytes(damaged.clone()));
        }
    }
    assert!(read > 0);
}
