//! The commands that open streams: what once went wrong.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of a test's own.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).expect("a file");
        path
    }

    fn dudc(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dudc"));
        command.current_dir(self.0.path()).args(words).output().expect("dudc runs")
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(Path::new(self.0.path()).join(name)).expect("an output")
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_layout_is_replaced_with_force() {
    let folder = Folder::new();
    folder.write("a.dud", "x = i4\n");
    folder.write("b.dud", "x = u4  ## other\n");
    folder.write("a.json", r#"{"x": 5}"#);
    let packed = folder.dudc(&["pack", "a.dud", "-o", "a.bd", "--data", "a.json", "--attach"]);
    assert!(packed.status.success(), "{}", text(&packed.stderr));
    assert_eq!(folder.dudc(&["attach", "a.bd", "b.dud"]).status.code(), Some(3));
    let forced = folder.dudc(&["attach", "a.bd", "b.dud", "--force"]);
    assert!(forced.status.success(), "{}", text(&forced.stderr));
    let printed = folder.dudc(&["detach", "a.bd"]);
    assert_eq!(text(&printed.stdout), "x = u4  ## other\n");
}

#[test]
fn a_stream_cut_off_is_read_as_far_as_it_goes() {
    let folder = Folder::new();
    folder.write("a.dud", "x = i4  y = f8[100]\n");
    folder.write("a.json", format!(r#"{{"x": 5, "y": {:?}}}"#, [0.5; 100]));
    folder.dudc(&["pack", "a.dud", "-o", "a.bd", "--data", "a.json", "--attach"]);
    let whole = folder.read("a.bd");
    folder.write("cut.bd", &whole[..100]);
    assert_eq!(folder.dudc(&["get", "cut.bd", "/x"]).status.code(), Some(1));
    let got = folder.dudc(&["get", "cut.bd", "/x", "--layout", "a.dud"]);
    assert_eq!((got.status.code(), text(&got.stdout).trim()), (Some(0), "5"));
    assert_eq!(folder.dudc(&["get", "cut.bd", "/y", "--layout", "a.dud"]).status.code(), Some(1));
}

#[test]
fn structs_are_written_as_numpy_reads_them() {
    let folder = Folder::new();
    folder.write("q.dud", "q = {a = i1  x = f4  c = i2[3]}[2]\n");
    folder.write("z", [0; 64]);
    let got = folder.dudc(&["get", "z", "/q", "--layout", "q.dud", "--raw", "-o", "q.npy"]);
    assert!(got.status.success(), "{}", text(&got.stderr));
    let fields = "[('a', '|i1'), ('', '|V3'), ('x', '<f4'), ('c', '<i2', (3,)), ('', '|V2')]";
    assert!(text(&folder.read("q.npy")).contains(fields));
}

#[test]
fn escapes_in_names_change_nothing_else() {
    let folder = Folder::new();
    folder.write("e.dud", "\"\\u{3c1}\" = f4\nb = i4\n");
    let listed = text(&folder.dudc(&["ls", "e.dud"]).stdout);
    assert!(listed.contains("/b    <i4               20"), "{listed}");
}

#[test]
fn a_file_that_is_no_text_is_not_taken_for_a_layout() {
    let folder = Folder::new();
    folder.write("noise", [0xff, 0, 1, 2]);
    let got = folder.dudc(&["get", "noise", "/x"]);
    assert_eq!(got.status.code(), Some(1));
    assert!(text(&got.stderr).contains("needs --layout"), "{}", text(&got.stderr));
}

/// A list repeated less than 0 times is an error for who asks for it, whatever the command.
#[test]
fn negative_counts_are_errors_for_all_commands() {
    let folder = Folder::new();
    folder.write("l.dud", "N : i4\na = f8\nl = [/ x = f8]*N\n");
    folder.write("l.json", r#"{"N": 2, "a": 1, "l": [{"x": 1}, {"x": 2}]}"#);
    let packed = folder.dudc(&["pack", "l.dud", "-o", "l.bd", "--data", "l.json", "--attach"]);
    assert!(packed.status.success(), "{}", text(&packed.stderr));
    let mut bytes = folder.read("l.bd");
    bytes[16..20].copy_from_slice(&(-3_i32).to_le_bytes());
    folder.write("l.bd", bytes);
    for words in ["dump", "dump --format json", "dump --nested", "ls", "index", "stat", "convert"] {
        let mut words: Vec<_> = words.split(' ').collect();
        words.insert(1, "l.bd");
        words.extend((words[0] == "convert").then_some("l.npz"));
        let said = folder.dudc(&words);
        let expected = "error: `/l`: the param `/N` is -3, read at address 16";
        assert!(text(&said.stderr).starts_with(expected), "{words:?}: {}", text(&said.stderr));
        assert_eq!(said.status.code(), Some(1), "{words:?}");
    }
    for words in [["dump", "l.bd", "/l"], ["ls", "l.bd", "/l"], ["get", "l.bd", "/l[:]/x"]] {
        let said = folder.dudc(&words);
        assert!(text(&said.stderr).contains("`/l`: the param `/N` is -3"), "{words:?}");
        assert_eq!(said.status.code(), Some(1), "{words:?}");
    }
    // The rest is there.
    assert_eq!(text(&folder.dudc(&["get", "l.bd", "/a"]).stdout), "1.0\n");
    assert_eq!(folder.dudc(&["dump", "l.bd", "/a"]).status.code(), Some(0));
}

/// Slices of lists of dicts are taken wherever a path is.
#[test]
fn slices_of_lists_of_dicts_pick_dicts() {
    let folder = Folder::new();
    folder.write("h.dud", "x = u1[3]  h [/ t = u1  g/ r = u1[2]]*4");
    folder.write("h", (0..15).collect::<Vec<u8>>());
    let run = |words: &str| {
        let words: Vec<_> = words.split(' ').collect();
        let said = folder.dudc(&[&words[..], &["--layout", "h.dud", "--raw"]].concat());
        text(&said.stdout) + &text(&said.stderr)
    };
    assert_eq!(
        run("dump h /h[::-2] --nested"),
        "[{\"t\": 12, \"g\": {\"r\": [13, 14]}}, {\"t\": 6, \"g\": {\"r\": [7, 8]}}]\n"
    );
    assert_eq!(run("dump h /h[-1] --nested"), "{\"t\": 12, \"g\": {\"r\": [13, 14]}}\n");
    assert_eq!(run("dump h /h[1:2]/g"), "/h/1/g/r = |u1[2]\n[7, 8]\n");
    assert_eq!(run("dump h /h[1:3]/t"), "/h[1:3]/t = |u1[2]\n[6, 9]\n");
    let listed = run("ls h /h[2:]/g");
    assert_eq!(listed.lines().count(), 5, "{listed}");
    assert!(listed.contains("/h/3/g/r  |u1   [2]"), "{listed}");
    let counted = run("stat h /h[1:]");
    assert!(counted.contains("/h[1:]/g/r  |u1       6 "), "{counted}");
    assert_eq!(run("diff h h /h[1:]"), "");
    assert_eq!(run("convert h o.npz /h[2:]/g /h[0]"), "");
    let back = folder.dudc(&["convert", "o.npz", "o.bd"]);
    assert!(back.status.success(), "{}", text(&back.stderr));
    for path in ["/h/\"3\"/g/r", "/h/\"0\"/t"] {
        assert!(folder.dudc(&["get", "o.bd", path]).status.success(), "{path}");
    }
    assert!(run("get h /h[1:]").contains("is a dict: `dudc dump` shows"));
    assert!(run("get h /h[:,0]/t").contains("`/h/0`: bad slice: a dict takes no index"));
    assert!(run("ls h /x[1:]").contains("`/x`: bad slice: this is a part of an array"));
    assert!(run("convert h p.npz /x[1:]").contains("is written alone, into a .npy"));
}
