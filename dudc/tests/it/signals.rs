//! Commands that a signal ends.
#![cfg(unix)]

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::kit::Folder;

const TERM: i32 = 15;

/// Sends a signal by its name.
fn send(signal: &str, to: &Child) {
    let id = to.id().to_string();
    let sent = Command::new("kill").args(["-s", signal, &id]).status().expect("there is `kill`");
    assert!(sent.success());
}

/// A folder with so much that it is not soon converted.
fn large() -> Folder {
    let folder = Folder::empty();
    folder.sparse("large.bd", "x = f8[1000000000]", 8_000_000_000);
    folder
}

/// Waits until something is there, while a command is busy.
fn wait_until(child: &mut Child, is_there: impl Fn() -> bool) {
    let mut tries = 0..12_000;
    while !is_there() {
        assert_eq!(child.try_wait().expect("it is there"), None, "it is still busy");
        assert!(tries.next().is_some(), "it writes something");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn nothing_half_written_is_left() {
    let folder = large();
    let before = folder.names();
    for output in ["a.npz", "folder", "b.bd /x[::2]"] {
        let mut child =
            folder.command(&format!("convert large.bd {output}")).spawn().expect("runs");
        wait_until(&mut child, || folder.names() != before);
        send("TERM", &child);
        assert_eq!(child.wait().expect("it is there").signal(), Some(TERM));
        assert_eq!(folder.names(), before, "{output}");
    }
}

#[test]
fn folders_between_are_removed() {
    const BYTES: u64 = 8_000_000_000;
    let folder = Folder::with(&[("x.dud", "x = u1[8000000000]\n")]);
    let dict = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({BYTES},), }}\n");
    let header = [b"\x93NUMPY\x01\x00", &(dict.len() as u16).to_le_bytes()[..], dict.as_bytes()];
    folder.write("in/x.npy", header.concat());
    let file = std::fs::OpenOptions::new().write(true).open(folder.path("in/x.npy"));
    let length = 10 + dict.len() as u64 + BYTES;
    file.and_then(|file| file.set_len(length)).expect("a sparse file");
    let before = folder.names();
    std::fs::create_dir(folder.path("tmp")).expect("space");
    let scratch = || std::fs::read_dir(folder.path("tmp")).expect("a folder").count();
    // What is written to a pipe is complete before the first byte of it.
    let mut command = folder.command("pack x.dud -o - --data in");
    let command = command.env("TMPDIR", folder.path("tmp")).stdout(Stdio::piped());
    let mut child = command.spawn().expect("runs");
    wait_until(&mut child, || scratch() > 0);
    send("TERM", &child);
    assert_eq!(child.wait().expect("it is there").signal(), Some(TERM));
    assert_eq!(scratch(), 0);
    std::fs::remove_dir(folder.path("tmp")).expect("there");
    assert_eq!(folder.names(), before);
}

#[test]
fn signals_that_are_ignored_stay_so() {
    let folder = large();
    let before = folder.names();
    let of = folder.command("convert large.bd a.npy");
    let mut command = Command::new("sh");
    command
        .args(["-c", "trap '' HUP; exec \"$0\" \"$@\""])
        .arg(of.get_program())
        .args(of.get_args());
    let at = of.get_current_dir().expect("that of the folder");
    let mut child = command.current_dir(at).stderr(Stdio::null()).spawn().expect("there is `sh`");
    wait_until(&mut child, || folder.names() != before);
    send("HUP", &child);
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(child.try_wait().expect("it is there"), None);
    send("TERM", &child);
    assert_eq!(child.wait().expect("it is there").signal(), Some(TERM));
    assert_eq!(folder.names(), before);
}
