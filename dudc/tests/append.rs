//! `append` and `salvage`, as they are used.

use std::path::PathBuf;
use std::process::{Command, Output};

use dudley::append::Append;

/// A folder of a test's own, with a stream in it.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new(layout: &str, values: &str, attach: bool) -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        folder.write("a.dud", layout);
        folder.write("a.json", values);
        let mut words = vec!["pack", "a.dud", "-o", "a.bd", "--data", "a.json"];
        words.extend(attach.then_some("--attach"));
        folder.done(&words);
        folder
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).expect("a file");
        path
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.path().join(name)).expect("a file")
    }

    fn dudc(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dudc"));
        command.current_dir(self.0.path()).args(words).output().expect("dudc runs")
    }

    /// What a command prints that succeeds.
    fn done(&self, words: &[&str]) -> String {
        let output = self.dudc(words);
        assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    /// The elements of an item, as they are shown.
    fn get(&self, path: &str) -> String {
        self.done(&["get", "a.bd", path]).lines().last().unwrap_or_default().to_owned()
    }

    /// What a command says that does not, and its exit status.
    fn fails(&self, words: &[&str]) -> (i32, String) {
        let output = self.dudc(words);
        (output.status.code().expect("a status"), text(&output.stderr))
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn items_are_added() {
    let folder = Folder::new("x = i4[3]\n", r#"{"x": [1, 2, 3]}"#, true);
    folder.write("more.dud", "g/\n  N : i4  ## zones\n  u = f8[N]  ## (cm/us) speed\n");
    folder.write("u.json", r#"{"g": {"u": [0.5, 1.5]}}"#);
    folder.done(&[
        "append",
        "a.bd",
        "--fragment",
        "more.dud",
        "--data",
        "u.json",
        "--param",
        "/g/N=2",
    ]);
    assert_eq!(folder.get("/g/u"), "[0.5, 1.5]");
    assert_eq!(folder.done(&["detach", "a.bd"]).lines().count(), 4);
    folder.write("v.json", r#"{"v": 7}"#);
    folder.done(&["append", "a.bd", "--text", "v = i2", "--data", "v.json"]);
    assert_eq!(folder.get("/v"), "7");
    let before = folder.read("a.bd");
    let (status, said) =
        folder.fails(&["append", "a.bd", "--text", "w = i2 @20", "--data", "v.json"]);
    assert_eq!(
        (status, said.contains("there is nothing in the layout for `/v`")),
        (1, true),
        "{said}"
    );
    folder.write("w.json", r#"{"w": 7}"#);
    let (status, said) =
        folder.fails(&["append", "a.bd", "--text", "w = i2 @20", "--data", "w.json"]);
    assert_eq!((status, said.contains("inside the data that is there")), (1, true), "{said}");
    assert_eq!(folder.read("a.bd"), before, "nothing was written");
}

#[test]
fn records_are_added() {
    let layout = "NT : i8\nhist = [/ t = f8  r = f4[2]  sub/k = i1]*NT\n";
    let folder = Folder::new(layout, r#"{"NT": 0, "hist": []}"#, true);
    folder.write(
        "r.json",
        r#"[{"t": 0.5, "r": [1, 2], "sub": {"k": 3}}, {"t": 1.5, "r": [4, 5], "sub/k": 6}]"#,
    );
    folder.done(&["append", "a.bd", "/hist", "--data", "r.json", "--reserve", "1000"]);
    folder.done(&["append", "a.bd", "/hist", "--data", "r.json"]);
    assert_eq!(folder.get("/hist[:]/t"), "[0.5, 1.5, 0.5, 1.5]");
    assert_eq!(folder.get("/hist[:]/sub/k"), "[3, 6, 3, 6]");
    let before = folder.read("a.bd");
    folder.write(
        "r.json",
        r#"[{"t": 0.5, "r": [1, 2], "sub": {"k": 3}}, {"t": 0.5, "r": [1], "sub": {"k": 3}}]"#,
    );
    let (status, said) = folder.fails(&["append", "a.bd", "/hist", "--data", "r.json"]);
    assert_eq!((status, said.contains("`/hist/r`")), (1, true), "{said}");
    assert_eq!(folder.get("/:NT"), "4");
    assert_eq!(folder.read("a.bd").len(), before.len());
    let (status, said) = folder.fails(&["append", "a.bd", "/:NT", "--data", "r.json"]);
    assert_eq!((status, said.contains("no list and no array")), (1, true), "{said}");
}

#[test]
fn a_layout_apart_is_printed() {
    let folder = Folder::new("x = i4\n", r#"{"x": 1}"#, false);
    folder.write("y.json", r#"{"y": 2}"#);
    let words = ["append", "a.bd", "--text", "y = i4", "--data", "y.json", "--layout", "a.dud"];
    let longer = folder.done(&words);
    folder.write("b.dud", &longer);
    assert_eq!(folder.done(&["get", "a.bd", "/y", "--layout", "b.dud"]).trim(), "2");
    let (status, said) = folder.fails(&words);
    assert_eq!((status, said.contains("4 bytes from address 20 on")), (1, true), "{said}");
    folder.done(&[&words[..], &["--discard"]].concat());
}

#[test]
fn two_writers_and_wrong_words() {
    let folder = Folder::new("x = i4\n", r#"{"x": 1}"#, true);
    let held = Append::open(folder.0.path().join("a.bd")).expect("it opens");
    let (status, said) = folder.fails(&["append", "a.bd", "--text", "y = i4"]);
    assert_eq!((status, said.contains("is being written by")), (3, true), "{said}");
    drop(held);
    let (status, said) = folder.fails(&["append", "a.bd"]);
    assert_eq!(
        (status, said.contains("by --text or --fragment, or the PATH")),
        (2, true),
        "{said}"
    );
    let (status, said) = folder.fails(&["append", "-", "--text", "y = i4"]);
    assert_eq!((status, said.contains("`dudc append` needs a file")), (2, true), "{said}");
    assert_eq!(folder.fails(&["append", "a.bd", "/x", "--text", "y = i4"]).0, 2);
    assert_eq!(folder.fails(&["append", "none.bd", "--text", "y = i4"]).0, 3);
    let (status, said) = folder.fails(&["append", "a.bd", "--text", "y = i5"]);
    assert_eq!((status, said.contains("i5")), (1, true), "{said}");
}

#[test]
fn what_is_not_given_is_named() {
    let folder = Folder::new("x = i4[3]\n", r#"{"x": [1, 2, 3]}"#, true);
    folder.write("u.json", r#"{"u": [1, 2]}"#);
    let words = ["append", "a.bd", "--text", "M3 : i8  u = f8[M3]", "--data", "u.json"];
    let (status, said) = folder.fails(&words);
    assert_eq!((status, said.trim()), (1, "error: a.bd: nothing was given for `/M3`"));
    // The same with zeros behind the data, which are no value of the param.
    folder.done(&["append", "a.bd", "--reserve", "100"]);
    assert_eq!(folder.fails(&words), (1, said));
    folder.done(&[&words[..], &["--param", "M3=2"]].concat());
    assert_eq!(folder.get("/u"), "[1.0, 2.0]");
}

#[test]
fn what_does_not_stand_last_says_so() {
    let layout = "NT : i8\nhist = [/ t = f8]*NT\nafter = i4\n";
    let folder = Folder::new(layout, r#"{"NT": 0, "hist": [], "after": 1}"#, true);
    folder.write("r.json", r#"[{"t": 0.5}]"#);
    let (status, said) = folder.fails(&["append", "a.bd", "/hist", "--data", "r.json"]);
    assert_eq!((status, said.contains("`/after` would change")), (1, true), "{said}");
    assert!(said.contains("only what stands last in a stream can grow"), "{said}");
    let help = folder.done(&["append", "--help"]);
    let help: Vec<&str> = help.split_whitespace().collect();
    assert!(help.join(" ").contains("only what stands last in the stream can grow"));
}

#[test]
fn an_index_that_is_dropped_is_told_or_made_anew() {
    let folder = Folder::new("NT : i8\nx = f8[NT]\n", r#"{"NT": 1, "x": [1]}"#, true);
    folder.write("r.json", "[2.5]");
    let append = ["append", "a.bd", "/x", "--data", "r.json"];
    folder.done(&["index", "--checksum", "a.bd"]);
    let (status, said) = folder.fails(&append);
    assert_eq!(
        (status, said.contains("the index with its checksums is gone")),
        (0, true),
        "{said}"
    );
    assert_eq!(folder.fails(&["index", "--check", "a.bd"]).0, 1);
    folder.done(&["index", "--checksum", "a.bd"]);
    assert_eq!(folder.fails(&[&append[..], &["--index"]].concat()), (0, String::new()));
    assert!(folder.done(&["index", "--check", "a.bd"]).contains("checksum"));
    // It is of the layout, which stays.
    folder.done(&["index", "a.bd"]);
    assert_eq!(folder.fails(&append), (0, String::new()));
    folder.done(&["index", "--check", "a.bd"]);
}

#[test]
fn what_is_left_is_salvaged() {
    let folder = Folder::new("x = i4[5]\nname = S1[8]\n", r#"{"x": [1, 2, 3, 4, 5], "name": "text = it"}"#.replace("text = it", "u = i4\\n-").as_str(), true);
    let intact = folder.read("a.bd");
    assert!(folder.done(&["salvage", "a.bd"]).contains("where the signature says"));
    let json: serde_json::Value =
        serde_json::from_str(&folder.done(&["salvage", "a.bd", "--format", "json"])).expect("JSON");
    assert_eq!(
        (&json["version"], &json["intact"], &json["layout"]["address"], &json["data"]["bytes"]),
        (&1.into(), &true.into(), &44.into(), &28.into()),
        "{json}"
    );
    // The address of the layout is wrong.
    for wrong in [7_u64, 1 << 40, 30, 50] {
        let mut bytes = intact.clone();
        bytes[8..16].copy_from_slice(&wrong.to_le_bytes());
        folder.write("b.bd", &bytes);
        assert_eq!(folder.dudc(&["get", "b.bd", "/x"]).status.code(), Some(1), "{wrong}");
        let said = folder.done(&["salvage", "b.bd", "-o", "c.bd", "--force"]);
        assert!(said.contains("by looking for it"), "{said}");
        assert_eq!(folder.read("c.bd"), intact, "{wrong}");
    }
    // A part of the layout may be a layout too, but not of this data.
    let cut = intact.windows(4).position(|part| part == b"name").expect("the second line");
    folder.write("d.bd", &intact[..cut]);
    assert_eq!(folder.fails(&["salvage", "d.bd"]).0, 1);
    // Nothing is left to be found.
    folder.write("d.bd", &intact[..40]);
    let (status, said) = folder.fails(&["salvage", "d.bd"]);
    assert_eq!((status, said.contains("no layout was found")), (1, true), "{said}");
    assert_eq!(folder.fails(&["salvage", "a.dud"]).0, 1);
}

/// Where records differ in size a new one is found only behind all others.
#[test]
fn records_that_differ_in_size_are_refused_with_the_reason() {
    let folder = Folder::new(
        "NT : i4\nw = {n : i4  x = f8[n]}[NT]\n",
        r#"{"NT": 1, "w": [{"n": 1, "x": [1]}]}"#,
        true,
    );
    folder.write("r.json", r#"[{"n": 2, "x": [1, 2]}]"#);
    let before = folder.read("a.bd");
    let said = folder.dudc(&["append", "a.bd", "/w", "--data", "r.json"]);
    assert_eq!(said.status.code(), Some(1));
    let text = String::from_utf8_lossy(&said.stderr);
    assert!(text.contains("`/w`: its structs differ in size"), "{text}");
    assert!(folder.read("a.bd") == before);
}

/// What replaces a file asks those who write to it first.
#[test]
fn what_is_being_extended_is_not_replaced() {
    let folder = Folder::new("NT : i8  hist = [/ t = f8]*NT", r#"{"NT": 0, "hist": []}"#, true);
    folder.write("one.json", r#"[{"t": 0.5}]"#);
    let append = Append::open(folder.0.path().join("a.bd")).expect("nobody writes it");
    for words in [
        &["detach", "--remove", "a.bd"][..],
        &["attach", "--force", "a.bd", "a.dud"],
        &["pack", "a.dud", "-o", "a.bd", "--data", "a.json", "--force"],
        &["append", "a.bd", "/hist", "--data", "one.json"],
        &["index", "a.bd"],
    ] {
        let (status, error) = folder.fails(words);
        assert_eq!(status, 3, "{words:?}: {error}");
        assert!(error.contains("is being written by process"), "{words:?}: {error}");
    }
    drop(append);
    folder.done(&["detach", "--remove", "a.bd"]);
    assert_eq!(std::fs::read_dir(folder.0.path()).expect("a folder").count(), 4);
}

#[test]
fn other_members_of_a_file_are_not_discarded_unasked() {
    let values = r#"{"NT": 1, "hist": [{"t": 0.5}]}"#;
    let folder = Folder::new("NT : i8  hist = [/ t = f8]*NT", values, true);
    folder.write("one.json", r#"[{"t": 0.5}]"#);
    let mut one = folder.read("a.bd");
    one.resize(one.len().next_multiple_of(16), 0);
    let three = [&one[..], &one, &one].concat();
    for (words, needs) in [
        (&["append", "a.bd", "/hist", "--data", "one.json"][..], 1),
        (&["append", "a.bd", "--reserve", "100"], 1),
        (&["detach", "--remove", "a.bd"], 1),
        (&["attach", "--force", "a.bd", "a.dud"], 1),
    ] {
        folder.write("a.bd", &three);
        let (status, error) = folder.fails(words);
        assert_eq!(status, needs, "{words:?}: {error}");
        assert!(error.contains("discard"), "{words:?}: {error}");
        assert_eq!(folder.read("a.bd"), three, "{words:?}");
        folder.done(&[words, &["--discard"]].concat());
        assert!(folder.read("a.bd").len() < 2 * one.len() + 4096, "{words:?}");
        let layout: &[&str] = if words[0] == "detach" { &["--layout", "a.dud"] } else { &[] };
        folder.done(&[&["get", "a.bd", "/hist[0]/t"], layout].concat());
    }
}

/// Its checksums would be found by whoever looks at what is left of it, and be wrong.
#[test]
fn an_index_that_was_not_completed_goes_with_the_first_change() {
    let folder = Folder::new("NT : i8  hist = [/ t = f8]*NT", r#"{"NT": 0, "hist": []}"#, true);
    folder.write("one.json", r#"[{"t": 0.5}]"#);
    folder.done(&["append", "a.bd", "/hist", "--data", "one.json"]);
    folder.done(&["index", "--checksum", "a.bd"]);
    let mut bytes = folder.read("a.bd");
    let footer = bytes.len() - 40;
    bytes[footer..].fill(0);
    folder.write("a.bd", bytes);
    folder.done(&["append", "a.bd", "/hist", "--data", "one.json"]);
    assert!(folder.done(&["verify", "a.bd"]).contains("0 errors, 0 warnings"));
    folder.done(&["index", "--checksum", "a.bd"]);
}
