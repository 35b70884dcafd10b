//! Does the JSON of `dudc` have the forms that `docs/schema/dudc.json` describes?
//!
//! All commands that print JSON are run, on streams, layouts and files of all kinds, and a script
//! validates what each printed.

use std::fs;
use std::path::{Path, PathBuf};

use asdf_bridge::blosc2::{Encoding, NewFrame};
use dudley::checkpoint::{Checkpoints, Rotation};
use dudley_tests::python::Python;
use dudley_tests::{command, known, root};

/// What is run, and where what was printed goes.
struct Runs {
    folder: PathBuf,
    count: usize,
}

impl Runs {
    /// Runs a command line, in the folder. It prints JSON of this form, whatever its exit status, or
    /// nothing but an error.
    fn run(&mut self, form: &str, arguments: &[&str]) {
        let mut dudc = command::dudc().expect("a `dudc`");
        let output = dudc
            .args(arguments)
            .args(["--format", "json"])
            .current_dir(&self.folder)
            .output()
            .expect("an output");
        let said = String::from_utf8_lossy(&output.stderr);
        if output.stdout.is_empty() {
            assert!(said.contains("error"), "{arguments:?} prints nothing: {said}");
            return;
        }
        let file = self.folder.join("printed").join(format!("{form}.{}.json", self.count));
        fs::write(file, output.stdout).expect("a file");
        self.count += 1;
    }

    /// Runs a command line that makes something.
    fn make(&self, arguments: &[&str]) {
        let mut dudc = command::dudc().expect("a `dudc`");
        command::success(dudc.args(arguments).current_dir(&self.folder));
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.folder.join(name), bytes).expect("a file");
    }
}

/// The known streams, and layouts without streams.
fn streams(runs: &mut Runs) {
    for folder in known::folders().iter().take(1) {
        for case in known::streams(folder) {
            let expected = known::json(&case.join("expected.json"));
            let stream = case.join(expected["stream"].as_str().unwrap_or_default());
            let (stream, layout) = (stream.display().to_string(), case.join("layout.dud"));
            let layout = layout.display().to_string();
            let mut how = vec!["--layout", &layout];
            if expected["kind"] == "raw" {
                how.push("--raw");
            }
            let with = |verb| [&[verb, &*stream], &how[..]].concat();
            runs.run("listing", &with("ls"));
            runs.run("listing", &[&with("dump")[..], &["--exact"]].concat());
            runs.run("statistics", &with("stat"));
            runs.run("bytes", &[&with("dump")[..], &["--hex"]].concat());
            runs.run("listing", &["ls", &layout]);
            runs.run("diagnostics", &["check", "--strict", &layout]);
        }
    }
    let examples = root().join("examples/layouts");
    for entry in fs::read_dir(examples).expect("a folder").flatten() {
        let layout = entry.path().display().to_string();
        if layout.ends_with(".dud") {
            runs.run("listing", &["ls", &layout]);
            runs.run("diagnostics", &["lint", &layout]);
        }
    }
    runs.write("wrong.dud", b"x = f9\ny = f8[N]\nz = f8 @16 z = f4");
    runs.run("diagnostics", &["check", "wrong.dud", "--strict"]);
    layouts(runs);
}

/// Two layouts: what changes, with and without an example, at items of one of them, to nowhere.
fn layouts(runs: &mut Runs) {
    runs.write("old.dud", b"N : i4\nx = f8[N] ## (m)\ny = i4\nz = i4\nl [i4]*N\nw = i1[N]");
    runs.write("new.dud", b"N : i4\nx = f8[N] ## (s)\na = i8\nz = i2\nl [i4]*N+\nw = i1[N-3]");
    runs.run("changes", &["diff", "old.dud", "new.dud"]);
    runs.run("changes", &["diff", "old.dud", "old.dud"]);
    runs.run("changes", &["diff", "old.dud", "wrong.dud"]);
    runs.run("breaking", &["breaking", "old.dud", "new.dud"]);
    runs.run("breaking", &["breaking", "old.dud", "wrong.dud", "--against", "new.dud"]);
    runs.run("breaking", &["breaking", "old.dud", "--against", "old.dud"]);
}

/// A stream of our own, what is done with it, and what is wrong with it.
fn tools(runs: &mut Runs) {
    runs.write(
        "a.dud",
        b"{N := i8 time = f8 ## (s) when\n}\nx = f8[N]\nc = c8[2]\ns = S1[4]\nb = b1[2]\n\
          r = {k : u1 v = f4[k]}[2]\nl [f8]*N\n",
    );
    let values = |name: &str, x: &str| {
        format!(
            "{{\"N\": 2, \"time\": {name}, \"x\": [1, {x}], \"c\": [[1, 2], [3, 4]], \"s\": \"ab\", \
             \"b\": [true, false], \"r\": [{{\"k\": 1, \"v\": [1]}}, {{\"k\": 0, \"v\": []}}], \"l\": [1, 2]}}"
        )
    };
    runs.write("a.json", values("1", "\"nan\"").as_bytes());
    runs.write("b.json", values("2", "5").as_bytes());
    for name in ["a", "b"] {
        let (data, stream) = (format!("{name}.json"), format!("{name}.bd"));
        runs.make(&["pack", "a.dud", "-o", &stream, "--data", &data, "--attach"]);
    }
    runs.write("c.dud", b"N := 2 y = f8[N]\nx = f4[N]  #: old\n");
    runs.write("c.json", b"{\"y\": [1, 2], \"x\": [1, 2]}");
    runs.make(&["pack", "c.dud", "-o", "c.bd", "--data", "c.json", "--attach"]);
    runs.run("listing", &["ls", "a.bd"]);
    runs.run("array", &["get", "a.bd", "/x[:1]"]);
    runs.run("array", &["get", "a.bd", "/r"]);
    runs.run("array", &["get", "a.bd", "/l[:]"]);
    for more in [&["--all"][..], &["/r"], &["/x[1:]"], &["/l[:]"], &["--range", "8:40"]] {
        runs.run("bytes", &[&["dump", "a.bd", "--hex"], more].concat());
    }
    runs.run("statistics", &["stat", "a.bd"]);
    runs.run("files", &["ls", "a.bd", "a.dud", "missing.bd"]);
    runs.run("files", &["stat", "a.bd", "b.bd", "missing.bd"]);
    runs.run("arrays", &["get", "a.bd", "/x", "/r", "/missing"]);
    runs.run("differences", &["diff", "a.bd", "a.bd"]);
    runs.run("differences", &["diff", "a.bd", "b.bd"]);
    runs.run("differences", &["diff", "a.bd", "c.bd"]);
    runs.run("findings", &["verify", "a.bd"]);
    let mut cut = fs::read(runs.folder.join("a.bd")).expect("a stream");
    cut.truncate(100);
    runs.write("cut.bd", &cut);
    runs.run("findings", &["verify", "cut.bd", "--layout", "a.dud"]);
    runs.run("bytes", &["dump", "cut.bd", "--hex", "--layout", "a.dud"]);
    runs.run("salvage", &["salvage", "a.bd"]);
    checkpoints(runs);
    family(runs);
}

fn family(runs: &mut Runs) {
    runs.write("f.dud", b"{N := i8 time = f8 ## (s) when\n}\nx = f8[N]\n");
    for (name, time) in [("one", 1), ("two", 2)] {
        let data = format!("{name}.json");
        runs.write(&data, format!("{{\"N\": 2, \"time\": {time}, \"x\": [1, 2]}}").as_bytes());
        let stream = format!("{name}.bd");
        runs.make(&["pack", "f.dud", "-o", &stream, "--data", &data, "--attach"]);
    }
    runs.run("family-build", &["family", "build", "catalog.bd", "one.bd", "two.bd"]);
    runs.run("family-list", &["family", "ls", "catalog.bd"]);
    runs.run("family-places", &["family", "locate", "catalog.bd", "/x[1]"]);
    runs.run("array", &["family", "get", "catalog.bd", "/x"]);
    fs::remove_file(runs.folder.join("two.bd")).expect("a file");
    runs.run("array", &["family", "get", "catalog.bd", "/x", "--skip-missing"]);
}

/// A directory of checkpoints, one of which is damaged.
fn checkpoints(runs: &mut Runs) {
    let rotation = Rotation { keep: 2, every: 1 };
    let checkpoints = Checkpoints::open(runs.folder.join("run"), rotation).expect("a folder");
    for step in [1, 2] {
        let draft = checkpoints.begin(step).expect("a new one");
        fs::write(draft.file("state.txt"), "state").expect("space");
        draft.publish().expect("space");
    }
    runs.write("run/checkpoint-0000000002/state.txt", b"other");
    runs.run("checkpoints", &["checkpoint", "ls", "run"]);
    runs.run("checkpoints", &["checkpoint", "verify", "run"]);
}

/// Files of other formats, made here, and those that the caller has.
fn foreign(runs: &mut Runs) {
    runs.make(&["convert", "c.bd", "a.asdf"]);
    frame(&runs.folder.join("x.b2frame")).expect("a frame");
    let shared = "#ASDF 1.0.0\n--- {a: &a [1, {b: 2}], c: *a, d: {$ref: '#/d'}}\n...\n";
    fs::write(runs.folder.join("s.asdf"), shared).expect("written");
    let mut files = vec![runs.folder.join("a.asdf"), runs.folder.join("s.asdf")];
    if let Some(corpus) = std::env::var_os("DUDLEY_CORPUS") {
        for folder in ["asdf/edge", "finf", "asdf/libasdf"] {
            let found = fs::read_dir(Path::new(&corpus).join(folder));
            files.extend(found.into_iter().flatten().flatten().map(|entry| entry.path()));
        }
    }
    let trees = files.iter().filter(|file| {
        let head = fs::read(file).unwrap_or_default();
        head.starts_with(b"#ASDF ") || head.starts_with(b"%FINF ")
    });
    for file in trees {
        let name = file.display().to_string();
        runs.run("tree", &["ls", &name]);
        runs.run("tree", &["dump", &name]);
        runs.run("findings", &["verify", &name]);
        runs.run("bytes", &["dump", &name, "--hex"]);
    }
    runs.run("salvage-tree", &["salvage", "a.asdf"]);
    runs.run("statistics", &["stat", "a.asdf"]);
    runs.run("listing", &["ls", "x.b2frame"]);
    runs.run("listing", &["ls", "x.b2frame", "/data"]);
    let whole = fs::read(runs.folder.join("x.b2frame")).expect("a frame");
    runs.write("cut.b2frame", &whole[..whole.len() - 40]);
    runs.run("salvage-frame", &["salvage", "cut.b2frame"]);
    runs.run("bytes", &["dump", "x.b2frame", "--hex"]);
    // The first chunk of the frame, behind its header.
    runs.write("x.chunk", &chunk(&fs::read(runs.folder.join("x.b2frame")).expect("a frame")));
    runs.run("bytes", &["dump", "x.chunk", "--hex"]);
}

/// The first chunk of a frame: it begins where the header ends, and says its length at byte 12.
fn chunk(frame: &[u8]) -> Vec<u8> {
    let number = |at: usize, bytes: &[u8]| {
        bytes[at..at + 4].iter().fold(0, |number, byte| number << 8 | usize::from(*byte))
    };
    let chunk = &frame[number(11, frame)..];
    let length: Vec<u8> = chunk[12..16].iter().rev().copied().collect();
    chunk[..number(0, &length)].to_vec()
}

/// A frame of three chunks.
fn frame(file: &Path) -> asdf_bridge::blosc2::Result<()> {
    let frame = NewFrame::new(Encoding::new(1)).chunksize(1 << 10).vlmeta("note", b"\xa2hi");
    let mut writer = frame.file(file, false)?;
    writer.write(&[7; 3000])?;
    writer.finish()?;
    Ok(())
}

#[test]
fn what_is_printed_is_described() {
    let Some(python) = Python::get() else { return };
    if command::dudc().is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("printed")).expect("a folder");
    let mut runs = Runs { folder: folder.path().to_path_buf(), count: 0 };
    streams(&mut runs);
    tools(&mut runs);
    foreign(&mut runs);
    let schema = root().join("docs/schema/dudc.json").display().to_string();
    let printed = python.run("schema.py", &folder.path().join("printed"), &[&schema]);
    assert!(printed.is_empty(), "{printed}");
}
