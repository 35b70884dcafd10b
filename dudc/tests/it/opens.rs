//! How often does a command open the file that it reads? The system counts.

#![cfg(target_os = "linux")]

use std::mem::MaybeUninit;

use asdf_bridge::blosc2::Encoding;
use rustix::fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init};

use crate::kit::Folder;

/// How often a file is opened while a command runs.
fn opens(folder: &Folder, file: &str, words: &str) -> usize {
    let events = init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).expect("events");
    // Equal events one after the other are one: what is read between two opens tells them apart.
    let wanted = WatchFlags::OPEN | WatchFlags::ACCESS | WatchFlags::CLOSE_NOWRITE;
    add_watch(&events, folder.path(file), wanted).expect("it is watched");
    folder.done(words);
    let mut buffer = [MaybeUninit::uninit(); 4096];
    let mut reader = Reader::new(events, &mut buffer);
    let mut count = 0;
    while let Ok(event) = reader.next() {
        count += usize::from(event.events().contains(ReadFlags::OPEN));
    }
    count
}

#[test]
fn a_command_opens_a_file_twice_at_most() {
    let folder = Folder::packed("--attach");
    folder.done("pack run.dud -o raw.bin --data values.json --raw");
    folder.done("convert run.bd run.asdf");
    folder.done("convert run.bd run.b2nd /grp/rho");
    folder.done("convert run.bd indexed.bd");
    folder.done("index indexed.bd");
    folder.done("convert run.bd grid.npy /grp/rho");
    folder.done("convert run.bd run.npz");
    folder.done("convert run.bd small.npz --compress");
    folder.write("run.cdata", Encoding::new(1).chunk(&[7; 400]).expect("a chunk"));
    let raw = "--layout run.dud --raw";
    for (file, path, how) in [
        ("run.bd", "/grp/rho", ""),
        ("indexed.bd", "/grp/rho", ""),
        ("raw.bin", "/grp/rho", raw),
        ("run.asdf", "/magic", ""),
        ("run.b2nd", "/data", ""),
        ("run.cdata", "/data", ""),
        ("grid.npy", "/grid", ""),
        ("run.npz", "/grp/rho", ""),
        ("small.npz", "/grp/rho", ""),
    ] {
        let salvaged = format!("salvage {file} -o out --force");
        let is_salvaged = matches!(file, "run.asdf" | "run.b2nd" | "run.cdata");
        for command in is_salvaged.then_some(salvaged).into_iter().chain([
            format!("ls {file} {how}"),
            format!("ls {file} {path} {how}"),
            format!("ls {file} --format json {how}"),
            format!("get {file} {path} {how}"),
            format!("get {file} {path}[1:] {how}"),
            format!("get {file} {path} -o out.npy --force {how}"),
            format!("stat {file} {how}"),
            format!("dump {file} {how}"),
            format!("dump {file} {path} {how}"),
            format!("dump {file} --hex {how}"),
            format!("verify {file} {how}"),
            format!("convert {file} out.npz --force {how}"),
            format!("convert {file} out.asdf --force {how}"),
        ]) {
            let count = opens(&folder, file, &command);
            assert!((1..=2).contains(&count), "{command}: {count}");
        }
    }
}
