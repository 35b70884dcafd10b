//! `dudc family`: catalogs of many streams on the command line.

use std::process::Command;

use crate::kit::Folder;

const LAYOUT: &str = "{\n  time : f8  ## (s) time\n  N : i8  ## zones\n}\nrho = f8[N]\n";

/// A folder with `runs/0.bd` to `runs/3.bd`: at time n + 0.5, `N` zones of density n, 10 n, ...
fn folder() -> Folder {
    let folder = Folder::empty();
    std::fs::create_dir(folder.path("runs")).expect("a folder");
    folder.write("run.dud", LAYOUT);
    (0..4).for_each(|n| member(&folder, n, 3, "run.dud"));
    folder
}

fn member(folder: &Folder, n: u32, zones: u32, layout: &str) {
    let rho: Vec<u32> = (0..zones).map(|zone| n * 10_u32.pow(zone)).collect();
    folder.write("v.json", format!("{{\"time\": {n}.5, \"N\": {zones}, \"rho\": {rho:?}}}"));
    folder.done(&format!("pack {layout} -o runs/{n}.bd --data v.json --attach --force"));
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn files_are_named_in_many_ways() {
    let folder = folder();
    folder.write("list.txt", "runs/0.bd\nruns/3.bd\n");
    folder.write("runs/notes.txt", "no stream");
    for (files, count) in [
        (&["runs"][..], 4),
        (&["runs/?.bd"], 4),
        (&["runs/[12].bd", "runs/1.bd"], 0),
        (&["@list.txt"], 2),
        (&["runs/1.bd", "@list.txt", "runs/1.bd"], 3),
    ] {
        let mut words = vec!["family", "build", "runs.bd", "--force"];
        words.extend(files);
        match count {
            0 => drop(folder.fails(&words, 3)),
            count => {
                let said = folder.done(&words);
                let expected =
                    format!("runs.bd: {count} members in {count} files; {count} new, 0 changed\n");
                assert_eq!(said, expected);
            }
        }
    }
    let mut command = Command::new(if cfg!(unix) { "sh" } else { return });
    command.current_dir(folder.path("")).env("DUDC", env!("CARGO_BIN_EXE_dudc"));
    let piped = command.args(["-c", "ls runs/*.bd | \"$DUDC\" family build all.bd -"]).output();
    assert!(text(&piped.expect("a shell").stdout).starts_with("all.bd: 4 members"));
    // A catalog in the folder is none of its members.
    folder.done(&["family", "build", "runs/all.bd", "runs"]);
    assert!(
        folder.done(&["family", "build", "runs/all.bd", "runs", "--force"]).contains("4 members")
    );
}

#[test]
fn members_are_listed() {
    let folder = folder();
    folder.done(&["family", "build", "runs.bd", "runs"]);
    let shown = folder.done(&["family", "ls", "runs.bd", "--where", "time > 2"]);
    let lines: Vec<Vec<&str>> =
        shown.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0][..5], ["2", "of", "4", "members", "in"]);
    assert_eq!(lines[1], ["member", "file", "address", "kind", "time", "(s)", "N"]);
    assert_eq!(lines[2], ["2", "runs/2.bd", "0", "native", "<", "2.5", "3"]);
    assert_eq!(lines.len(), 4);
    let json = folder.done(&["family", "ls", "runs.bd", "--member", "1", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&json["version"], &json["members"]), (&1.into(), &4.into()));
    assert_eq!(json["columns"][0]["unit"], "s");
    assert_eq!(json["rows"][0]["values"], serde_json::json!({"time": 1.5, "N": 3}));
    assert_eq!(json["rows"].as_array().map(Vec::len), Some(1));
    folder.fails(&["family", "ls", "runs.bd", "--member", "4"], 1);
    let said = folder.fails(&["family", "ls", "runs.bd", "--where", "tima > 1"], 1);
    assert!(said.contains("did you mean `time`?\n  tima > 1\n  ^\n"), "{said}");
    let said = folder.fails(&["family", "ls", "runs.bd", "--where", "time >"], 2);
    assert!(said.contains("a condition is like `time > 1e-9 and N in (256, 512)`"), "{said}");
    folder.fails(&["family", "ls", "runs/1.bd"], 1);
    folder.fails(&["family", "ls", "no.bd"], 3);
}

#[test]
fn places_are_told() {
    let folder = folder();
    folder.done(&["family", "build", "runs.bd", "runs"]);
    std::fs::remove_file(folder.path("runs/2.bd")).expect("there");
    let shown = folder.done(&["family", "locate", "runs.bd", "/rho[1:]", "2"]);
    let words: Vec<&str> = shown.lines().nth(1).expect("a row").split_whitespace().collect();
    // The signature takes 16 bytes, the summary 16.
    assert_eq!(words, ["2", "runs/2.bd", "40", "16", "<f8", "[2]"]);
    let json = folder.done(&["family", "locate", "runs.bd", "/rho[::2]", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let place = serde_json::json!([{"address": 32, "bytes": 16, "shape": [2], "strides": [16], "span": [32, 56]}]);
    assert_eq!(json["members"][3]["places"], place);
    folder.fails(&["family", "locate", "runs.bd", "/rh"], 1);
    folder.fails(&["family", "locate", "runs.bd", "/rho["], 2);
    folder.fails(&["family", "locate", "runs.bd", "/rho", "9"], 1);
}

#[test]
fn members_are_stacked() {
    let folder = folder();
    folder.done(&["family", "build", "runs.bd", "runs"]);
    let got = folder.done(&["family", "get", "runs.bd", "/rho[:2]", "--where", "time > 1"]);
    assert_eq!(got, "<f8[3, 2]\n[[1.0, 10.0],\n [2.0, 20.0],\n [3.0, 30.0]]\n");
    folder.done(&["family", "get", "runs.bd", "/rho", "-o", "rho.npy"]);
    let npy = std::fs::read(folder.path("rho.npy")).expect("an output");
    let numbers = &npy[npy.len() - 4 * 3 * 8..];
    assert_eq!(numbers[8 * 8..][..8], 200.0_f64.to_le_bytes());
    assert!(text(&npy[..100]).contains("'shape': (4, 3)"));
    member(&folder, 1, 2, "run.dud");
    let said = folder.fails(&["family", "get", "runs.bd", "/rho"], 1);
    assert!(said.contains("runs/1.bd: it changed since the catalog was made"), "{said}");
    assert_eq!(
        folder.done(&["family", "update", "runs.bd"]),
        "runs.bd: 4 members in 4 files; 0 new, 1 changed\n"
    );
    let said = folder.fails(&["family", "get", "runs.bd", "/rho"], 1);
    assert!(said.contains("member 0 has f8[3], member 1 has f8[2]"), "{said}");
    let got = folder.done(&[
        "family", "get", "runs.bd", "/rho", "--ragged", "--member", "1", "--member", "2",
        "--format", "json",
    ]);
    let json: serde_json::Value = serde_json::from_str(&got).expect("JSON");
    assert_eq!(json["value"], serde_json::json!([[1.0, 10.0], [2.0, 20.0, 200.0]]));
    assert_eq!(json["members"], serde_json::json!([1, 2]));
}

#[test]
fn what_differs_in_shape_is_no_array() {
    let folder = folder();
    member(&folder, 1, 2, "run.dud");
    folder.done(&["family", "build", "runs.bd", "runs"]);
    let get = ["family", "get", "runs.bd", "/rho", "--ragged"];
    for output in ["x.npy", "x.raw"] {
        folder.fails(&[&get[..], &["-o", output]].concat(), 1);
        assert!(!folder.path(output).exists(), "{output}");
    }
    let got = folder.done(&[&get[..], &["--format", "json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&got).expect("JSON");
    assert_eq!((&json["shape"], &json["dtype"]), (&serde_json::json!([4]), &"<f8".into()));
}

#[test]
fn another_layout_is_named_before_its_sizes() {
    let folder = folder();
    folder.write("other.dud", "{\n  N : i8\n  time : f8\n}\nrho = f8[N]\n");
    member(&folder, 3, 2, "other.dud");
    let said = folder.fails(&["family", "build", "runs.bd", "runs"], 1);
    assert!(said.contains("3.bd") && said.contains("differs"), "{said}");
    // A layout that is given is that of all, whatever they carry.
    let whole = std::fs::read(folder.path("runs/0.bd")).expect("a member");
    let end = u64::from_le_bytes(whole[8..16].try_into().expect("8 bytes")) as usize;
    let mut bytes = whole[..end].to_vec();
    bytes.resize(end.next_multiple_of(16), 0);
    std::fs::write(folder.path("two.bd"), bytes.repeat(2)).expect("space");
    let words = ["family", "build", "two.cat", "two.bd", "--scan", "--layout", "run.dud"];
    assert!(folder.done(&words).contains("2 members"), "both");
}

#[test]
fn only_catalogs_are_overwritten_and_only_streams_are_members() {
    let folder = folder();
    let member = std::fs::read(folder.path("runs/0.bd")).expect("a member");
    let said = folder.fails(&["family", "build", "runs/0.bd", "runs", "--force"], 1);
    assert!(said.contains("no catalog"), "{said}");
    assert_eq!(std::fs::read(folder.path("runs/0.bd")).expect("a member"), member);
    folder.done(&["family", "build", "runs.bd", "runs"]);
    folder.done(&["family", "build", "runs.bd", "runs", "--force"]);
    // What a crash of a program may leave of a restart file.
    std::fs::write(folder.path("runs/zero.bd"), [0; 2000]).expect("space");
    for words in
        [&["family", "update", "runs.bd", "runs"][..], &["family", "build", "b.bd", "runs"]]
    {
        let said = folder.fails(words, 1);
        assert!(said.contains("zero.bd") && said.contains("no native stream"), "{said}");
    }
}

#[test]
fn what_is_gone_is_named() {
    let folder = folder();
    folder.done(&["family", "build", "runs.bd", "runs"]);
    std::fs::remove_file(folder.path("runs/0.bd")).expect("there");
    std::fs::remove_file(folder.path("runs/2.bd")).expect("there");
    let said = folder.fails(&["family", "get", "runs.bd", "/time"], 3);
    assert!(said.contains("2 files cannot be used"), "{said}");
    let got = folder.run(&["family", "get", "runs.bd", "/time", "--fill", "-1"]);
    assert_eq!(got.out, "<f8[4]\n[-1.0, 1.5, -1.0, 3.5]\n");
    assert!(got.err.contains("warning: member 0: cannot open"), "{}", got.err);
    let got = folder.done(&["family", "get", "runs.bd", "/time", "--skip-missing"]);
    assert_eq!(got, "<f8[2]\n[1.5, 3.5]\n");
    let kept = folder.run(&["family", "update", "runs.bd", "--keep-missing", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&kept.out).expect("JSON");
    assert_eq!(json["gone"], serde_json::json!(["runs/0.bd", "runs/2.bd"]));
    assert!(folder.done(&["family", "ls", "runs.bd", "--where", "missing"]).contains("2 of 4"));
    assert!(folder.done(&["family", "update", "runs.bd"]).starts_with("runs.bd: 2 members"));
}

#[test]
fn another_layout_is_refused() {
    let folder = folder();
    folder.write("other.dud", LAYOUT.replace("rho = f8[N]", "rho = f8[N]%16"));
    member(&folder, 2, 3, "other.dud");
    let said = folder.fails(&["family", "build", "runs.bd", "runs"], 1);
    assert!(said.starts_with("error: runs/2.bd: `/`: the layout of the stream differs"), "{said}");
    assert!(!folder.path("runs.bd").exists());
    let output = folder.run(&["family", "build", "runs.bd", "runs", "--skip-bad"]);
    assert!(output.out.starts_with("runs.bd: 3 members"));
    assert!(output.err.contains("warning: runs/2.bd is left out"));
    folder.fails(&["family", "build", "runs.bd", "runs"], 3);
    folder.fails(&["family", "build", "runs.bd", "runs", "--update", "--force"], 2);
}

#[test]
fn several_raw_members_share_a_file() {
    let folder = folder();
    let mut bytes = Vec::new();
    for n in 0..3 {
        folder.write("v.json", format!("{{\"time\": {n}.5, \"N\": 1, \"rho\": [{n}]}}"));
        folder.done(&["pack", "run.dud", "-o", "one.raw", "--raw", "--data", "v.json", "--force"]);
        bytes.extend(std::fs::read(folder.path("one.raw")).expect("there"));
        bytes.resize(bytes.len().next_multiple_of(32), 0);
    }
    std::fs::write(folder.path("all.dat"), &bytes[..32 * 2 + 24]).expect("space");
    let build = ["family", "build", "all.bd", "all.dat", "--force", "--layout", "run.dud"];
    for more in
        [&["--scan"][..], &["--every", "32"], &["--base", "0", "--base", "0x20", "--base", "64"]]
    {
        let words: Vec<&str> = build.iter().chain(more).copied().collect();
        assert!(folder.done(&words).starts_with("all.bd: 3 members in 1 file;"), "{more:?}");
        let got = folder.done(&["family", "get", "all.bd", "/rho[0]"]);
        assert_eq!(got, "<f8[3]\n[0.0, 1.0, 2.0]\n", "{more:?}");
    }
    folder.fails(&["family", "build", "all.bd", "all.dat", "--force"], 1);
    let odd = ["--base", "8"];
    folder.fails(&build.iter().chain(&odd).copied().collect::<Vec<_>>(), 1);
}

#[test]
fn files_put_together_without_padding_say_what_is_missing() {
    let folder = folder();
    let parts =
        ["runs/0.bd", "runs/1.bd"].map(|name| std::fs::read(folder.path(name)).expect("a file"));
    let end = parts[0].len();
    assert!(!end.is_multiple_of(16), "{end}");
    std::fs::write(folder.path("all.dat"), parts.concat()).expect("a file");
    let said = folder.fails(&["family", "build", "all.bd", "all.dat", "--scan"], 1);
    let on = end.next_multiple_of(16);
    let expected = format!(
        "a member cannot begin at byte {end}: members begin at multiples of 16, the next of which is \
         {on}, {} bytes on",
        on - end
    );
    assert!(said.contains(&expected), "{said}");
    // With the padding.
    let mut padded = parts[0].clone();
    padded.resize(on, 0);
    padded.extend(&parts[1]);
    std::fs::write(folder.path("all.dat"), padded).expect("a file");
    assert!(
        folder
            .done(&["family", "build", "all.bd", "all.dat", "--scan"])
            .contains("2 members in 1 file;")
    );
    assert!(folder.done(&["family", "ls", "all.bd"]).starts_with("2 members in 1 file, layout"));
}

#[test]
fn places_where_no_member_can_begin_are_refused() {
    let folder = folder();
    for (words, expected) in [
        (
            &["--base", "17"][..],
            "cannot begin at byte 17: members begin at multiples of 16, the next",
        ),
        (&["--every", "0"], "members cannot begin 0 bytes apart: they begin at multiples of 16"),
        (&["--every", "100"], "members cannot begin 100 bytes apart"),
        (&["--base", "8", "--every", "16"], "cannot begin at byte 8"),
    ] {
        let said = folder.fails(&[&["family", "build", "all.bd", "runs"], words].concat(), 1);
        assert!(said.contains(expected), "{words:?}: {said}");
        assert!(!folder.path("all.bd").exists());
    }
    assert!(folder.fails(&["family", "build", "-", "runs"], 2).contains("needs a file"));
    assert!(folder.fails(&["family", "ls", "-"], 2).contains("needs a file"));
}

#[test]
fn slices_that_do_not_fit_all_members_name_those() {
    let folder = folder();
    member(&folder, 2, 2, "run.dud");
    folder.done(&["family", "build", "runs.bd", "runs"]);
    let get = ["family", "get", "runs.bd", "/rho[2]"];
    let said = folder.fails(&get, 1);
    assert!(said.contains("runs/2.bd: member 2: `/rho`: bad slice"), "{said}");
    assert!(!said.contains("member 1"), "{said}");
    let output = folder.run(&[&get[..], &["--fill", "-1"]].concat());
    assert!(output.out.ends_with("[0.0, 100.0, -1.0, 300.0]\n"), "{}", output.out);
    assert!(output.err.contains("member 2 of runs/2.bd: `/rho`: bad slice"));
    let output = folder.run(&[&get[..], &["--skip-missing"]].concat());
    assert!(output.out.ends_with("[0.0, 100.0, 300.0]\n"), "{}", output.out);
    // What fits none is no matter of members.
    let said = folder.fails(&["family", "get", "runs.bd", "/rho[7]", "--fill", "0"], 1);
    assert!(said.contains("bad slice") && !said.contains("member"), "{said}");
}

#[test]
fn values_that_cannot_fill_and_members_named_twice_are_refused() {
    let folder = folder();
    folder.done(&["family", "build", "runs.bd", "runs"]);
    for (path, fill) in [("/:N", "0.5"), ("/:N", "1e30"), ("/:N", "nan")] {
        let said = folder.fails(&["family", "get", "runs.bd", path, "--fill", fill], 1);
        assert!(said.contains("expected"), "{path} {fill}: {said}");
    }
    let words = ["family", "get", "runs.bd", "/rho", "--member", "1", "--member", "1"];
    assert!(folder.fails(&words, 2).contains("--member 1 is given twice"));
    let words = ["family", "ls", "runs.bd", "--member", "1", "--member", "1"];
    assert!(folder.fails(&words, 2).contains("--member 1 is given twice"));
}

#[test]
fn conditions_name_the_columns_that_there_are() {
    let folder = folder();
    folder.done(&["family", "build", "runs.bd", "runs"]);
    let said = folder.fails(&["family", "ls", "runs.bd", "--where", "rho > 1"], 1);
    let expected = "the catalog does not hold `rho`, which is not in the summary of the layout: its \
                    columns are `time`, `N`";
    assert!(said.contains(expected), "{said}");
    let said = folder.fails(&["family", "ls", "runs.bd", "--where", "tine > 1"], 1);
    assert!(said.contains("did you mean `time`?") && said.contains("`time`, `N`"), "{said}");
}

#[test]
fn a_layout_that_was_given_is_that_of_updates_too() {
    let folder = folder();
    folder.done(&["family", "build", "runs.bd", "runs", "--layout", "run.dud"]);
    folder.write("v.json", r#"{"time": 9.5, "N": 1, "rho": [7]}"#);
    folder.done(&["pack", "run.dud", "-o", "runs/raw.bd", "--data", "v.json", "--raw"]);
    let said = folder.done(&["family", "update", "runs.bd", "runs/raw.bd"]);
    assert!(said.contains("5 members in 5 files; 1 new"), "{said}");
    assert!(folder.done(&["family", "get", "runs.bd", "/rho[0]"]).ends_with("3.0, 7.0]\n"));
    // Without it what has no signature is no member.
    folder.done(&["family", "build", "own.bd", "runs/0.bd"]);
    assert!(
        folder
            .fails(&["family", "update", "own.bd", "runs/raw.bd"], 1)
            .contains("no native stream")
    );
}

#[test]
fn a_damaged_catalog_is_refused() {
    let folder = folder();
    folder.done(&["family", "build", "runs.bd", "runs"]);
    let whole = std::fs::read(folder.path("runs.bd")).expect("a catalog");
    let layout = u64::from_le_bytes(whole[8..16].try_into().expect("8 bytes")) as usize;
    let mut refused = 0;
    for at in (16..layout).step_by(5) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x41;
        std::fs::write(folder.path("runs.bd"), &bytes).expect("space");
        let got = folder.run(&["family", "get", "runs.bd", "/rho[0]", "--all"]);
        match got.status {
            1 => refused += 1,
            // Of padding there is no checksum, and nothing in it is read.
            _ => assert_eq!(got.out, "<f8[4]\n[0.0, 1.0, 2.0, 3.0]\n", "byte {at}"),
        }
    }
    assert!(refused > (layout - 16) / 5 * 8 / 10, "{refused}");
    // Without checksums there are still the hash of the layout, and where members can begin.
    std::fs::write(folder.path("runs.bd"), &whole).expect("space");
    folder.done(&["index", "--remove", "runs.bd"]);
    let bare = std::fs::read(folder.path("runs.bd")).expect("a catalog");
    let line = bare.windows(4).position(|it| it == b"time").expect("the template");
    let start = folder.run(&["ls", "runs.bd", "/member/start"]).out;
    let start =
        start.lines().nth(1).and_then(|line| line.split_whitespace().nth(3).map(str::to_owned));
    let start: usize = start.expect("a row").parse().expect("an address");
    for (at, expected) in [(line, "`/identity`"), (start, "is no multiple of 16")] {
        let mut bytes = bare.clone();
        bytes[at] ^= 1;
        std::fs::write(folder.path("runs.bd"), &bytes).expect("space");
        let said = folder.fails(&["family", "get", "runs.bd", "/rho[0]"], 1);
        assert!(said.contains(expected), "{said}");
    }
    // It can be made anew all the same.
    folder.done(&["family", "build", "runs.bd", "runs", "--force"]);
    assert_eq!(
        folder.done(&["family", "get", "runs.bd", "/rho[0]"]),
        "<f8[4]\n[0.0, 1.0, 2.0, 3.0]\n"
    );
}

/// A file of four members, one after the other; where they begin.
fn four(folder: &Folder) -> (Vec<u8>, Vec<usize>) {
    let (mut bytes, mut starts) = (Vec::new(), Vec::new());
    for n in 0..4 {
        bytes.resize(bytes.len().next_multiple_of(16), 0);
        starts.push(bytes.len());
        bytes.extend(std::fs::read(folder.path(&format!("runs/{n}.bd"))).expect("a file"));
    }
    (bytes, starts)
}

#[test]
fn one_bad_member_leaves_the_others_of_its_file() {
    let folder = folder();
    let (bytes, starts) = four(&folder);
    for cut in [starts[3] + 20, starts[3] + 40, bytes.len() - 12] {
        std::fs::write(folder.path("four.bd"), &bytes[..cut]).expect("space");
        let words = ["family", "build", "all.bd", "four.bd", "--scan", "--force"];
        let said = folder.fails(&words, 1);
        assert!(said.starts_with("error: four.bd: ") && !said.contains("1 errors"), "{said}");
        let output = folder.run(&[&words[..], &["--skip-bad"]].concat());
        assert_eq!(output.status, 0);
        let (out, err) = (output.out, output.err);
        assert!(out.starts_with("all.bd: 3 members in 1 file;"), "{out}");
        let expected =
            format!("warning: the member at byte {} of four.bd is left out: ", starts[3]);
        assert!(err.starts_with(&expected), "{err}");
        assert_eq!(
            folder.done(&["family", "get", "all.bd", "/rho[0]"]),
            "<f8[3]\n[0.0, 1.0, 2.0]\n"
        );
    }
    std::fs::write(folder.path("none.bd"), &bytes[..40]).expect("space");
    let output =
        folder.run(&["family", "build", "no.bd", "none.bd", "--skip-bad", "--layout", "run.dud"]);
    assert!(output.err.contains("warning: no.bd has no members"), "{output:?}");
}

#[test]
fn files_that_are_cut_off_say_which_item_is() {
    let folder = folder();
    let whole = std::fs::read(folder.path("runs/2.bd")).expect("a file");
    std::fs::write(folder.path("runs/2.bd"), &whole[..50]).expect("space");
    let said = folder.fails(&["family", "build", "runs.bd", "runs"], 1);
    assert!(
        said.starts_with("error: runs/2.bd: `/rho`: 24 bytes are needed at address 32"),
        "{said}"
    );
}

#[test]
fn a_file_that_was_touched_is_told_with_dates() {
    let folder = folder();
    folder.done(&["family", "build", "runs.bd", "runs"]);
    let whole = std::fs::read(folder.path("runs/2.bd")).expect("a file");
    std::fs::remove_file(folder.path("runs/2.bd")).expect("there");
    std::fs::write(folder.path("runs/2.bd"), whole).expect("space");
    let said = folder.fails(&["family", "get", "runs.bd", "/rho"], 1);
    let expected = said.split("expected a last change at ").nth(1).expect("what was expected");
    assert_eq!(expected.find('T'), Some(10), "{said}");
    assert_eq!(&expected[19..20], ".", "{said}");
}

#[test]
fn text_can_be_filled_too() {
    let folder = folder();
    folder.write("run.dud", "{\n  N : i8\n}\nlabel = S1[8]\nwide = U2[2, 4]\n");
    for n in 0..3 {
        folder.write("v.json", format!(r#"{{"N": 1, "label": "r{n}", "wide": ["ab", "cd"]}}"#));
        let out = format!("runs/{n}.bd");
        folder.done(&["pack", "run.dud", "-o", &out, "--data", "v.json", "--attach", "--force"]);
    }
    std::fs::remove_file(folder.path("runs/3.bd")).expect("there");
    folder.done(&["family", "build", "runs.bd", "runs"]);
    let whole = folder.done(&["family", "get", "runs.bd", "/label"]);
    // Where all can be read nothing is to be filled.
    assert_eq!(folder.done(&["family", "get", "runs.bd", "/label", "--fill", "0"]), whole);
    std::fs::remove_file(folder.path("runs/1.bd")).expect("there");
    let got = folder.done(&["family", "get", "runs.bd", "/label", "--fill", "none"]);
    assert!(got.contains(r#"["r0", "none", "r2"]"#), "{got}");
    let got = folder.done(&["family", "get", "runs.bd", "/wide", "--fill", "-"]);
    assert!(got.contains(r#"["-", "-"]"#), "{got}");
    let said = folder.fails(&["family", "get", "runs.bd", "/label", "--fill", "0"], 1);
    assert!(said.contains("a text for members that cannot be read"), "{said}");
}

#[test]
fn members_that_follow_each_other_may_have_an_index() {
    let folder = folder();
    for n in 1..3 {
        folder.done(&["index", &format!("runs/{n}.bd"), "--checksum"]);
    }
    let (mut bytes, starts) = four(&folder);
    std::fs::write(folder.path("four.bd"), &bytes).expect("space");
    let words = ["family", "build", "all.bd", "four.bd", "--scan", "--force"];
    assert!(folder.done(&words).starts_with("all.bd: 4 members in 1 file;"));
    let rho = folder.done(&["family", "get", "all.bd", "/rho[0]", "--where", "-time < -1.5"]);
    assert_eq!(rho, "<f8[2]\n[2.0, 3.0]\n");
    // What is left of an index is no part of a member, and none by itself.
    bytes[starts[2] - 20] ^= 1;
    std::fs::write(folder.path("four.bd"), &bytes).expect("space");
    let said = folder.fails(&words, 1);
    assert!(said.starts_with("error: four.bd: "), "{said}");
}

#[test]
fn places_of_strided_elements_say_so() {
    let folder = folder();
    folder.done(&["family", "build", "runs.bd", "runs"]);
    let said = folder.done(&["family", "locate", "runs.bd", "/rho[::-2]", "1"]);
    let lines: Vec<Vec<&str>> = said.lines().map(|it| it.split_whitespace().collect()).collect();
    assert_eq!(lines[0][6..], ["strides", "from", "to"]);
    assert_eq!(lines[1], ["1", "runs/1.bd", "48", "16", "<f8", "[2]", "[-16]", "32", "56"]);
    assert!(!folder.done(&["family", "locate", "runs.bd", "/rho[1:]", "1"]).contains("strides"));
    let json = folder.done(&["family", "locate", "runs.bd", "/rho[::2]", "1", "--format", "json"]);
    assert!(json.contains(r#""span":[32,56]"#), "{json}");
}
