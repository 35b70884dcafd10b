//! `dudc` with several files, or several paths: what it prints of each, and how it ends.

use crate::kit::Folder;
use serde_json::{Value, json};

fn folder() -> Folder {
    let files: [(&str, &[u8]); 4] = [
        ("a.dud", b"x = u1[2]  y = u1"),
        ("b.dud", b"x = u1[2]"),
        ("a", &[1, 2, 3]),
        ("b", &[4, 5]),
    ];
    let folder = Folder::with::<[u8]>(&files);
    for name in ["a", "b"] {
        let values = if name == "a" { json!({"x": [1, 2], "y": 3}) } else { json!({"x": [4, 5]}) };
        folder.write("values.json", values.to_string());
        folder.done(&*format!("pack {name}.dud -o {name}.bd --data values.json --attach"));
    }
    folder
}

fn run(folder: &Folder, words: &str) -> (i32, String, String) {
    let said = folder.run(words);
    (said.status, said.out, said.err)
}

#[test]
fn each_file_has_a_heading_and_is_shown_as_by_itself() {
    let folder = folder();
    for command in ["ls", "stat"] {
        let [a, b] = ["a.bd", "b.bd"].map(|file| folder.done(&*format!("{command} {file}")));
        let both = folder.done(&*format!("{command} a.bd b.bd"));
        assert_eq!(both, format!("a.bd:\n{a}\nb.bd:\n{b}"), "{command}");
        let [a, b] = ["a.bd", "b.bd"].map(|file| folder.done(&*format!("{command} {file} /x")));
        let both = folder.done(&*format!("{command} a.bd b.bd /x"));
        assert_eq!(both, format!("a.bd:\n{a}\nb.bd:\n{b}"), "{command}");
    }
    let [x, y] = ["/x[1:]", "/y"].map(|path| folder.done(&*format!("get a.bd {path}")));
    assert_eq!(folder.done("get a.bd /x[1:] /y"), format!("/x[1:]:\n{x}\n/y:\n{y}"));
    let both = folder.done("verify a.bd b.bd");
    assert_eq!(both, "a.bd: 0 errors, 0 warnings\nb.bd: 0 errors, 0 warnings\n");
}

#[test]
fn json_is_one_document_with_each_as_by_itself() {
    let folder = folder();
    for command in ["ls", "stat"] {
        let [a, b] = ["a.bd", "b.bd"].map(|file| {
            let mut one = folder.json(&*format!("{command} {file} --format json"));
            one["file"] = file.into();
            one
        });
        let both = folder.json(&*format!("{command} a.bd b.bd --format json"));
        assert_eq!(both, json!({"version": 1, "files": [a, b]}), "{command}");
    }
    let [x, y] =
        ["/x[1:]", "/y"].map(|path| folder.json(&*format!("get a.bd {path} --format json")));
    let both = folder.json("get a.bd /x[1:] /y --format json");
    assert_eq!(both, json!({"version": 1, "arrays": [x, y]}));
}

#[test]
fn what_is_wrong_with_one_does_not_stop_the_others() {
    let folder = folder();
    folder.write("cut.bd", &folder.bytes("a.bd")[..12]);
    for command in ["ls", "stat"] {
        for (words, status, error) in [
            ("a.bd missing.bd b.bd", 3, "cannot read missing.bd"),
            ("missing.bd a.bd b.bd", 3, "cannot read missing.bd"),
            ("a.bd b.bd missing.bd", 3, "cannot read missing.bd"),
            ("a.bd b.bd cut.bd", 1, "cut.bd"),
        ] {
            let (found, out, err) = run(&folder, &format!("{command} {words}"));
            assert_eq!(found, status, "{command} {words}: {err}");
            assert!(
                out.contains("a.bd:\n") && out.contains("\nb.bd:\n"),
                "{command} {words}: {out}"
            );
            assert!(err.contains(error) && err.matches("error: ").count() == 1, "{err}");
            let (found, out, _) = run(&folder, &format!("{command} {words} --format json"));
            assert_eq!(found, status, "{command} {words}");
            let json: Value = serde_json::from_str(&out).expect("JSON");
            let files = json["files"].as_array().expect("a list");
            let names: Vec<&str> = files.iter().filter_map(|it| it["file"].as_str()).collect();
            assert_eq!(names, words.split(' ').collect::<Vec<_>>());
            let wrong: Vec<bool> = files.iter().map(|file| file["error"].is_string()).collect();
            let expected: Vec<bool> =
                names.iter().map(|it| !["a.bd", "b.bd"].contains(it)).collect();
            assert_eq!(wrong, expected, "{command} {words}");
        }
        // One has no such item, the other has.
        let (status, out, err) = run(&folder, &format!("{command} a.bd b.bd /y"));
        assert!(status == 1 && out.starts_with("a.bd:\n") && err.contains("no item `/y`"), "{err}");
    }
    let (status, out, err) = run(&folder, "get a.bd /x /no /y");
    assert!(status == 1 && out.contains("/x:\n") && out.contains("/y:\n"), "{out}");
    assert!(err.contains("no item `/no`"), "{err}");
    let (status, out, _) = run(&folder, "get a.bd /x /no /y --format json");
    let json: Value = serde_json::from_str(&out).expect("JSON");
    assert!(status == 1 && json["arrays"][1]["path"] == "/no" && json["arrays"][2]["value"] == 3);
    let (status, out, _) = run(&folder, "verify a.bd missing.bd b.bd");
    assert_eq!((status, out.lines().count()), (3, 2));
}

#[test]
fn files_are_told_from_paths() {
    let folder = folder();
    // As ever: a path without its first slash.
    assert_eq!(folder.done("ls a.bd x"), folder.done("ls a.bd /x"));
    assert_eq!(folder.done("stat a.bd y x"), folder.done("stat a.bd /y /x"));
    assert_eq!(folder.done("ls a.bd /"), folder.done("ls a.bd"));
    // A folder of the machine is no file of ours.
    folder.write("tmp.dud", "tmp = u1  x.y = u1".replace("x.y", "\"x.y\""));
    let listed = folder.done("ls tmp.dud /tmp");
    assert!(listed.contains("/tmp") && !listed.contains("x.y"), "{listed}");
    let (status, _, err) = run(&folder, "ls a.bd nothing");
    assert!(status == 1 && err.contains("`nothing` was taken for a path"), "{err}");
    let absolute = folder.path("missing.bd").display().to_string();
    let (status, out, err) = run(&folder, &format!("ls a.bd {absolute}"));
    assert!(status == 3 && out.starts_with("a.bd:\n") && err.contains("missing.bd"), "{err}");
}

#[test]
fn what_cannot_be_for_several_is_refused() {
    let folder = folder();
    let err = folder.fails("get a.bd /x /y -o x.npy", 2);
    assert!(err.contains("an output holds one array"), "{err}");
    assert!(!folder.names().contains(&"x.npy".to_owned()));
    let err = folder.fails("ls a.bd /x /y", 2);
    assert!(err.contains("takes one path"), "{err}");
    let err = folder.fails("stat - -", 2);
    assert!(err.contains("only once"), "{err}");
    let err = folder.fails("get - /x /y", 2);
    assert!(err.contains("only once"), "{err}");
}

#[test]
fn what_is_wrong_names_its_file() {
    let folder = folder();
    let mut damaged = folder.bytes("a.bd");
    damaged.truncate(17);
    folder.write("cut.bd", &damaged);
    folder.write("n.dud", "N : i8  x = u1[N]");
    folder.write("values.json", r#"{"N": 2, "x": [1, 2]}"#);
    folder.done("pack n.dud -o n.bd --data values.json --attach");
    let mut negative = folder.bytes("n.bd");
    negative[16..24].copy_from_slice(&(-5_i64).to_le_bytes());
    folder.write("n.bd", negative);
    folder.write("tree.asdf", "#ASDF 1.0.0\n%YAML 1.1\n---\na: [1, 2\n...\n");
    for (words, file) in [
        ("get a.bd /no", "a.bd"),
        ("get a.bd /x[:,1]", "a.bd"),
        ("stat a.bd /no", "a.bd"),
        ("ls n.bd", "n.bd"),
        ("dump n.bd", "n.bd"),
        ("stat n.bd b.bd", "n.bd"),
        ("convert n.bd n.npz", "n.bd"),
        ("index n.bd", "n.bd"),
        ("get cut.bd /x", "cut.bd"),
        ("append a.bd /no --data values.json", "a.bd"),
        ("append a.bd /x --data values.json", "a.bd"),
        ("pack b.dud -o c.bd --data values.json", "values.json"),
        ("ls tree.asdf", "tree.asdf"),
        ("dump tree.asdf", "tree.asdf"),
    ] {
        let said = folder.run(words);
        assert!(said.status > 0 && said.err.starts_with("error: "), "{words}: {}", said.err);
        for line in said.err.lines().filter(|line| line.starts_with("error: ")) {
            assert_eq!(line.matches(file).count(), 1, "{words}: {line}");
        }
    }
    // What the command line has wrong is not of the file.
    let said = folder.fails("get a.bd /x[", 2);
    assert!(said.starts_with("error: bad path"), "{said}");
}
