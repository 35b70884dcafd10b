//! Do the functions that are fuzzed keep their promises on the known layouts, on what fuzzing
//! found earlier, and on noise made of both?
//!
//! This is the part of fuzzing that every test run does: the same for each run, and short.

use std::fs;
use std::path::Path;

use dudley_tests::fuzzed::{TARGETS, kept, seeds};

#[test]
fn seeds_break_no_promise() {
    for (_, seed) in seeds() {
        for (name, target) in TARGETS {
            run(name, target, &seed);
        }
    }
}

#[test]
fn what_fuzzing_reached_breaks_no_promise() {
    for (name, target) in TARGETS {
        let inputs = kept(name).expect("fuzz/corpus is there");
        assert!(!inputs.is_empty(), "nothing is kept for {name}");
        inputs.iter().for_each(|input| target(input));
    }
}

#[test]
fn findings_break_no_promise_again() {
    let folder = dudley_tests::root().join("tests/corpus/findings");
    for (name, target) in TARGETS {
        for file in fs::read_dir(folder.join(name)).into_iter().flatten().flatten() {
            run(name, target, &fs::read(file.path()).expect("a finding"));
        }
    }
}

#[test]
fn noise_breaks_no_promise() {
    let seeds: Vec<Vec<u8>> = seeds().into_iter().map(|(_, seed)| seed).collect();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..20_000 {
        let mut seed = seeds[random.below(seeds.len())].clone();
        for _ in 0..=random.below(4) {
            mutate(&mut seed, &seeds, &mut random);
        }
        let (name, target) = TARGETS[round % TARGETS.len()];
        run(name, target, &seed);
    }
}

/// Runs a target; where it panics, leaves the input to be looked at.
fn run(name: &str, target: fn(&[u8]), input: &[u8]) {
    let done = std::panic::catch_unwind(|| target(input));
    if done.is_err() {
        let path = dudley_tests::target().join(format!("broke-{name}"));
        fs::write(&path, input).expect("a place for the input");
        panic!("`{name}` broke; its input is {}: {}", shown(&path), input.escape_ascii());
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Numbers that are the same in each run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// What a layout is made of, numbers that are at some limit among it.
const WORDS: [&str; 35] = [
    "[",
    "]",
    "{",
    "}",
    "\"\"",
    "..",
    "/",
    "@",
    "%",
    "->",
    "*",
    "-1",
    "0",
    "+",
    "-",
    "#:",
    "##",
    "9223372036854775807",
    "4294967296",
    "= f8",
    ": i8",
    ":= u8",
    "= U2[N]",
    "[N]*N",
    "N",
    "%65536",
    "%1073741824",
    "-> zlib",
    "@N+1",
    "\n---\n",
    "'",
    "\r",
    "<",
    "const = [1, 2]",
    "stream_bytes",
];

fn mutate(input: &mut Vec<u8>, seeds: &[Vec<u8>], random: &mut Random) {
    let at = random.below(input.len() + 1);
    let end = (at + random.below(16)).min(input.len());
    match random.below(6) {
        0 => drop(input.drain(at..end)),
        1 => input.truncate(at),
        2 => {
            let again = input[at..end].to_vec();
            input.splice(at..at, again);
        }
        3 => {
            if let Some(byte) = input.get_mut(at) {
                *byte = random.next() as u8;
            }
        }
        4 => {
            let other = &seeds[random.below(seeds.len())];
            let from = random.below(other.len());
            let to = (from + random.below(64)).min(other.len());
            input.splice(at..at, other[from..to].iter().copied());
        }
        _ => drop(
            input.splice(at..at, format!(" {} ", WORDS[random.below(WORDS.len())]).into_bytes()),
        ),
    }
}
