//! Do commands fail beside a writer that extends what they read?

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::kit::Folder;

/// Runs commands some times while somebody writes.
fn beside(folder: &Folder, write: impl Fn() + Sync, commands: &[&str]) {
    let (done, written) = (AtomicBool::new(false), AtomicU32::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                write();
                written.fetch_add(1, Ordering::Relaxed);
            }
        });
        for _ in 0..10 {
            for words in commands {
                let said = folder.run(*words);
                if said.status != 0 {
                    done.store(true, Ordering::Relaxed);
                    panic!("{words}, beside {written:?}: {said:?}");
                }
            }
        }
        done.store(true, Ordering::Relaxed);
    });
    folder.done("verify f.bd");
}

#[test]
fn beside_one_that_appends_records() {
    let folder = Folder::empty();
    folder.write("h.dud", "NT : i8\nh = [/ t = f8  r = f8[3] ]*NT\n");
    folder.write("none.json", r#"{"NT": 0, "h": []}"#);
    folder.done("pack h.dud -o f.bd --data none.json --attach");
    let records = serde_json::json!(vec![serde_json::json!({"t": 1, "r": [1, 1, 1]}); 100]);
    folder.write("more.json", records.to_string());
    folder.done("append f.bd /h --data more.json");
    let write = || folder.done("append f.bd /h --data more.json");
    let commands = [
        "dump f.bd --hex /h",
        "dump f.bd /h/0",
        "stat f.bd /:NT",
        "ls f.bd",
        "verify f.bd",
        "convert f.bd new.bd --force",
        "diff f.bd f.bd",
        "diff f.bd ./f.bd /h[:]/t",
    ];
    beside(&folder, || drop(write()), &commands);
}

#[test]
fn beside_one_that_appends_items_and_makes_the_index_anew() {
    let folder = Folder::empty();
    folder.write("h.dud", "x = f8[4]\n");
    folder.write("x.json", r#"{"x": [1, 2, 3, 4]}"#);
    folder.done("pack h.dud -o f.bd --data x.json --attach");
    let count = AtomicU32::new(0);
    let write = || {
        let name = format!("y{}", count.fetch_add(1, Ordering::Relaxed));
        folder.write("y.json", format!(r#"{{"{name}": [1, 2, 3]}}"#));
        let text = format!("{name} = f8[3]");
        folder.done(&["append", "f.bd", "--text", &text, "--data", "y.json"]);
        if name.ends_with(['3', '6', '9']) {
            folder.done("index f.bd --checksum");
        }
    };
    let commands = [
        "verify f.bd",
        "diff f.bd f.bd",
        "diff f.bd f.bd --attrs --format json",
        "dump f.bd --hex",
        "get f.bd /x[1]",
        "stat f.bd",
        "convert f.bd new.npz --force",
        "salvage f.bd",
    ];
    beside(&folder, write, &commands);
}
