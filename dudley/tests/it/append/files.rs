//! Real files: one writer at a time, readers beside it, and processes that are killed.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use dudley::append::Append;
use dudley::{Result, Stream, Writer, parse_layout};

use crate::append::disk::Random;

/// How often a process is killed in an ordinary run; `DUDLEY_TORTURE` says it for another.
const KILLS: u64 = 200;

/// Elements of a record.
const WIDTH: usize = 50;

fn create(path: &Path) {
    let layout = parse_layout(history(0).as_bytes()).expect("a layout");
    Writer::new(layout).param("/N0", 0).attach(true).write_file(path, true).expect("space");
}

fn history(part: u64) -> String {
    format!("N{part} : i8  hist{part} = [/ n = i8  r = f8[{WIDTH}]]*N{part}")
}

/// Appends this many records to the last list, in one commit.
fn push(append: &mut Append, part: u64, more: u64) -> Result<()> {
    let mut hist = append.records(&format!("/hist{part}"))?;
    for _ in 0..more {
        let n = (part * 1_000_000 + hist.len()) as i64;
        hist.push(&[("n", n.into()), ("r", (&vec![n as f64; WIDTH]).into())])?;
    }
    hist.commit()
}

/// Adds a list behind the last one.
fn extend(append: &mut Append, part: u64) -> Result<()> {
    append.extend(&history(part))?.param(format!("/N{part}"), 0).commit()
}

/// How many lists there are, and how many records in all; each is checked.
fn count(stream: &Stream) -> Result<(u64, u64)> {
    let (mut parts, mut records) = (0, 0);
    while let Ok(list) = stream.get(&format!("/hist{parts}")) {
        let length = list.len()?;
        for at in (0..length).filter(|at| *at < 2 || at + 3 > length || at.is_multiple_of(101)) {
            let record = list.element(at)?;
            let n = (parts * 1_000_000 + at) as i64;
            let found = record.child("n").map(|n| n.data()?.scalar::<i64>()).transpose()?;
            assert_eq!(found, Some(n), "/hist{parts}/{at}");
            let r = record.child("r").map(|r| r.read::<f64>()).transpose()?.expect("an array");
            assert!(r.iter().all(|element| *element == n as f64), "/hist{parts}/{at}: {r}");
        }
        records += length;
        parts += 1;
    }
    Ok((parts, records))
}

#[test]
fn readers_beside_a_writer_see_what_was_committed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.bd");
    create(&path);
    let (done, seen) = (AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            let (path, done, seen) = (&path, &done, &seen);
            scope.spawn(move || {
                let mut before = (0, 0);
                while !done.load(Ordering::Acquire) {
                    let least = seen.load(Ordering::Acquire);
                    let stream = Stream::open(path).expect("it opens");
                    let now = count(&stream).expect("what was there when it was opened");
                    assert!(now >= before && now.1 >= least, "{now:?} after {before:?}");
                    let text = stream.appended_text().expect("it is read").expect("there is one");
                    assert!(text.starts_with(stream.layout().text().trim_end().as_bytes()));
                    assert_eq!(count(&stream).expect("the same again"), now);
                    before = now;
                }
            });
        }
        let mut append = Append::open(&path).expect("it opens");
        let mut random = Random::new(5);
        let (mut part, mut records) = (0, 0);
        for _ in 0..150 {
            match random.below(6) {
                0 => {
                    part += 1;
                    extend(&mut append, part).expect("space");
                }
                1 => {
                    append.close().expect("space");
                    append = Append::open(&path).expect("it opens");
                }
                more => {
                    push(&mut append, part, more * 10).expect("space");
                    records += more * 10;
                    seen.store(records, Ordering::Release);
                }
            }
        }
        done.store(true, Ordering::Release);
    });
}

#[test]
fn the_second_writer_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.bd");
    create(&path);
    let first = Append::open(&path).expect("nobody writes it");
    let kept = first.stream().clone();
    let error = Append::open(&path).err().expect("it is locked").to_string();
    assert!(error.contains("is being written by"), "{error}");
    Stream::open(&path).expect("readers need no lock");
    drop(first);
    Append::open(&path).expect("it is free, whoever still reads it");
    drop(kept);
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

/// What the other tests run and kill: it says each commit when it is done.
#[test]
#[ignore = "run by a test, and killed"]
fn appends_until_it_is_killed() {
    let Some(path) = std::env::var_os("DUDLEY_APPEND_TO") else { return };
    let mut append = Append::open(path).expect("nobody else writes it");
    let (parts, mut records) = count(append.stream()).expect("all is there");
    let mut part = parts - 1;
    let mut random = Random::new(records + parts);
    loop {
        match random.below(5) {
            0 => {
                part += 1;
                extend(&mut append, part).expect("space");
            }
            more => {
                push(&mut append, part, more * 4).expect("space");
                records += more * 4;
            }
        }
        println!("committed {} {records}", part + 1);
    }
}

#[test]
fn killed_processes_leave_all_they_committed() {
    let kills = std::env::var("DUDLEY_TORTURE").ok().and_then(|kills| kills.parse().ok());
    let kills: u64 = kills.unwrap_or(KILLS);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.bd");
    let mut random = Random::new(9);
    for kill in 0..kills {
        if kill % 20 == 0 {
            create(&path);
        }
        let least = killed_after(&path, random.below(12));
        let stream = Stream::open(&path).expect("it opens");
        let found = count(&stream).expect("all is there");
        assert!(found >= least, "{found:?} is less than {least:?}, which was committed");
    }
}

/// Runs a process that appends and kills it after this many commits; the last that it reported.
fn killed_after(path: &Path, commits: u64) -> (u64, u64) {
    let program = std::env::current_exe().expect("this one");
    let mut child = Command::new(program)
        .args(["--exact", "append::files::appends_until_it_is_killed", "--ignored", "--nocapture"])
        .env("DUDLEY_APPEND_TO", path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let (mut last, mut told) = ((0, 0), 0);
    let mut next = |last: &mut (u64, u64)| -> bool {
        let Some(Ok(line)) = lines.next() else { return false };
        // What the frame of tests says may stand before it.
        if let Some((_, numbers)) = line.split_once("committed ") {
            let mut numbers = numbers.split(' ').filter_map(|number| number.parse().ok());
            if let (Some(parts), Some(records)) = (numbers.next(), numbers.next()) {
                *last = (parts, records);
            }
        }
        true
    };
    while told <= commits && next(&mut last) {
        told += 1;
    }
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    while next(&mut last) {}
    assert!(told > commits, "it ended by itself");
    last
}
