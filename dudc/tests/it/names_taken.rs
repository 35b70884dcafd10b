//! What others put in the places of files that commands make: links, pipes and folders.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::Command;

use crate::kit::Folder;

const PRECIOUS: &str = "precious";

/// Puts something at a name.
fn put(folder: &Folder, name: &str, what: &str) {
    let path = folder.path(name);
    match what {
        "link" => symlink(folder.path("victim"), &path).expect("a link"),
        "link to nothing" => symlink(folder.path("nowhere"), &path).expect("a link"),
        "link to a folder" => symlink(folder.path("theirs"), &path).expect("a link"),
        "pipe" => {
            assert!(Command::new("mkfifo").arg(&path).status().expect("it runs").success());
        }
        _ => {
            fs::create_dir(&path).expect("a folder");
            fs::write(path.join("kept"), PRECIOUS).expect("space");
        }
    }
}

#[test]
fn what_stands_where_a_command_makes_a_file_is_not_followed() {
    let folder = Folder::packed("--attach");
    folder.write("victim", PRECIOUS);
    folder.write("theirs/kept", PRECIOUS);
    folder.write("h.dud", "N : i8\nh = [/ t = f8 ]*N\n");
    folder.write("none.json", r#"{"N": 0, "h": []}"#);
    folder.write("more.json", r#"[{"t": 1.0}]"#);
    folder.done("pack h.dud -o h.bd --data none.json --attach");
    folder.done("family build c.bd run.bd");
    folder.done("convert run.bd run.asdf");
    let commands = [
        ("h.bd", "append h.bd /h --data more.json"),
        ("run.bd", "attach run.bd run.dud --force"),
        ("run.bd", "index run.bd"),
        ("run.bd", "pack run.dud -o run.bd --data values.json --attach --force"),
        ("run.asdf", "convert run.bd run.asdf --force"),
        ("c.bd", "family build c.bd run.bd --force"),
        ("c.bd", "family update c.bd"),
        ("new.asdf", "convert run.bd new.asdf --explode"),
        ("new", "convert run.bd new"),
        ("new", "convert run.bd new /grp/rho --sparse --to b2nd"),
        ("new", "doc run.dud -o new"),
        ("new.md", "doc run.dud --format markdown -o new.md"),
    ];
    let kinds = ["link", "link to nothing", "link to a folder", "pipe", "folder"];
    for (output, words) in commands {
        for taken in [format!(".{output}.lock"), format!(".{output}.0.tmp")] {
            for kind in kinds {
                put(&folder, &taken, kind);
                let path = folder.path(&taken);
                let state = || {
                    let found = fs::symlink_metadata(&path).expect("it is there");
                    (found.ino(), found.file_type())
                };
                let before = state();
                folder.done(words);
                assert_eq!(state(), before, "{words}: {kind} at {taken}");
                assert!(!folder.path("nowhere").exists(), "{words}: {kind} at {taken}");
                assert_eq!(folder.bytes("victim"), PRECIOUS.as_bytes());
                assert_eq!(folder.bytes("theirs/kept"), PRECIOUS.as_bytes());
                if kind == "folder" {
                    assert_eq!(fs::read(path.join("kept")).expect("kept"), b"precious");
                    fs::remove_dir_all(&path).expect("ours");
                } else {
                    fs::remove_file(&path).expect("ours")
                }
                for name in folder.names().iter().filter(|name| name.starts_with("new")) {
                    let path = folder.path(name);
                    fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path)).expect("ours");
                }
                let left: Vec<_> =
                    folder.names().into_iter().filter(|name| name.starts_with('.')).collect();
                assert!(left.is_empty(), "{words}: {left:?}");
            }
        }
    }
}

#[test]
fn a_pipe_is_not_waited_for_by_any_command() {
    let folder = Folder::packed("--attach");
    put(&folder, "pipe.bd", "pipe");
    for words in [
        "ls pipe.bd",
        "get pipe.bd /x",
        "get pipe.bd /x --layout run.dud",
        "stat pipe.bd",
        "dump pipe.bd",
        "dump pipe.bd --hex",
        "verify pipe.bd",
        "diff pipe.bd run.bd",
        "diff run.bd pipe.bd",
        "convert pipe.bd new.bd",
        "describe pipe.bd",
        "salvage pipe.bd",
        "index pipe.bd",
        "append pipe.bd --text x",
        "attach pipe.bd run.dud",
        "family build c.bd pipe.bd",
    ] {
        let said = folder.run(words);
        assert!(said.status != 0, "{words}: {said:?}");
    }
    // A member that became one.
    folder.done("family build c.bd run.bd");
    fs::remove_file(folder.path("run.bd")).expect("ours");
    put(&folder, "run.bd", "pipe");
    for words in ["family get c.bd /grp/rho", "family update c.bd"] {
        assert!(folder.fails(words, 3).contains("it is no file"), "{words}");
    }
}

#[test]
fn what_is_hidden_in_names_of_files_is_not_shown() {
    let folder = Folder::packed("--attach");
    let name = "q\nerror: all is \u{202e}lost\u{1b}[31m";
    fs::copy(folder.path("run.bd"), folder.path(name)).expect("space");
    folder.done(&["family", "build", "c.bd", name]);
    fs::remove_file(folder.path(name)).expect("ours");
    let shown = "q\u{fffd}error: all is \u{fffd}lost\u{fffd}[31m";
    for words in [
        &["family", "get", "c.bd", "/grp/rho"][..],
        &["get", name, "/x"],
        &["stat", name],
        &["verify", name],
        &["convert", name, "new.bd"],
        &["diff", name, "run.bd"],
        &["attach", name, "run.dud"],
        &["index", name],
        &["pack", name, "-o", "x.bd"],
    ] {
        let said = folder.run(words);
        assert!(said.status != 0 && said.err.contains(shown), "{words:?}: {said:?}");
        let is_hidden = |text: &str| text.contains(['\u{202e}', '\u{1b}']) || text.contains("q\n");
        assert!(!is_hidden(&said.err) && !is_hidden(&said.out), "{words:?}: {said:?}");
    }
}

#[test]
fn a_file_that_is_replaced_keeps_its_permissions() {
    let folder = Folder::packed("--attach");
    for words in [
        "pack run.dud -o run.bd --data values.json --attach --force",
        "attach run.bd run.dud --force",
        "index run.bd",
    ] {
        let private = fs::Permissions::from_mode(0o640);
        fs::set_permissions(folder.path("run.bd"), private).expect("ours");
        folder.done(words);
        let mode = fs::metadata(folder.path("run.bd")).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o640, "{words}");
    }
}

/// Runs a command that can write no file of more than 1 KiB.
fn on_a_full_disk(folder: &Folder, words: &str) -> i32 {
    let mut command = Command::new("sh");
    let limit = "trap '' XFSZ; ulimit -f 1; exec \"$@\"";
    command.args(["-c", limit, "sh", env!("CARGO_BIN_EXE_dudc")]).args(words.split(' '));
    let ended = command.current_dir(folder.path("")).output().expect("a shell");
    ended.status.code().expect("no signal")
}

#[test]
fn folders_and_files_that_belong_together_are_complete_or_absent() {
    let folder = Folder::empty();
    folder.write("a.dud", "x = f8[4]\ny = f8[40,50]\n");
    let numbers = |row: usize| (0..50).map(|i| (i * 7919 + row * 31) % 997).collect::<Vec<_>>();
    let rows: Vec<_> = (0..40).map(numbers).collect();
    folder.write("v.json", serde_json::json!({"x": [1, 2, 3, 4], "y": rows}).to_string());
    folder.done("pack a.dud -o a.bd --data v.json --attach");
    fs::create_dir(folder.path("old")).expect("space");
    folder.write("old/mine", PRECIOUS);
    folder.write("run0000.asdf", "of before");
    let before = folder.names();
    for words in [
        "convert a.bd new.b2nd /y --sparse",
        "convert a.bd new",
        "doc a.dud -o new",
        "doc a.dud -o old --force",
        "convert a.bd run.asdf --explode --force",
        "convert a.bd new.npz",
    ] {
        assert_eq!(on_a_full_disk(&folder, words), 3, "{words}");
        assert_eq!(folder.names(), before, "{words}");
        assert_eq!(fs::read_dir(folder.path("old")).expect("there").count(), 1, "{words}");
        assert_eq!(folder.bytes("run0000.asdf"), b"of before", "{words}");
    }
    // What a process left that was killed.
    folder.write(".new.0.tmp/.unfinished", "");
    folder.write(".new.0.tmp/new/index.html", "half");
    folder.done("doc a.dud -o new");
    folder.done("doc a.dud -o old");
    folder.done("convert a.bd run.asdf --explode --force");
    let names = folder.names();
    assert!(names.iter().all(|name| !name.starts_with('.')), "{names:?}");
    assert!(names.contains(&"run0001.asdf".to_owned()), "{names:?}");
    assert_eq!(folder.bytes("old/mine"), PRECIOUS.as_bytes());
}
