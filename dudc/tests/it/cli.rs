//! The built binary, on right and wrong input.

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A folder with files, and the tool run in it.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new(files: &[(&str, &[u8])]) -> Bench {
        let folder = TempDir::new().expect("temporary folder");
        for (name, bytes) in files {
            std::fs::write(folder.path().join(name), bytes).expect("write file");
        }
        Bench { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("read file")
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).expect("folder");
        let name = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("entry").file_name();
        let mut names: Vec<_> =
            entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    fn run(&self, args: &[&str]) -> Run {
        self.run_with(args, b"")
    }

    fn run_with(&self, args: &[&str], input: &[u8]) -> Run {
        let mut child = Command::new(env!("CARGO_BIN_EXE_dudc"))
            .args(args)
            .current_dir(self.folder.path())
            .env_remove("NO_COLOR")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("run dudc");
        // It may end without reading.
        let _ = child.stdin.take().expect("stdin").write_all(input);
        Run::from(child.wait_with_output().expect("output"))
    }
}

struct Run {
    status: i32,
    stdout: String,
    stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        let run = Run {
            status: output.status.code().expect("no signal"),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        };
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
        run
    }
}

impl Run {
    #[track_caller]
    fn status(self, expected: i32) -> Run {
        assert_eq!(self.status, expected, "out: {}\nerr: {}", self.stdout, self.stderr);
        self
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).expect("JSON on standard output")
    }
}

fn native(data: &[u8], layout: &str, big: bool) -> Vec<u8> {
    let address = 16 + data.len() as u64;
    let mut bytes = if big { b"\x8d>BD\r\n\x1a\n" } else { b"\x8d<BD\r\n\x1a\n" }.to_vec();
    bytes.extend(if big { address.to_be_bytes() } else { address.to_le_bytes() });
    bytes.extend(data);
    bytes.extend(layout.as_bytes());
    bytes
}

#[test]
fn check_fine() {
    let bench = Bench::new(&[("a.dud", b"x = f8"), ("b.dud", b"N : u4 y = f8[N+1]")]);
    let run = bench.run(&["check", "a.dud", "b.dud"]).status(0);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
}

#[test]
fn check_goes_through_all_files() {
    let bench = Bench::new(&[("a.dud", b"x = f9"), ("b.dud", b"ok = f8"), ("c.dud", b"y = f8[]")]);
    let run = bench.run(&["check", "a.dud", "b.dud", "c.dud"]).status(1);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.contains("error[unknown-type]") && run.stderr.contains("--> a.dud:1:5"));
    assert!(run.stderr.contains("error[empty-shape]") && run.stderr.contains("--> c.dud:1:7"));
    assert!(run.stderr.contains("a.dud: 1 error\n"));
    assert!(!run.stderr.contains('\u{1b}'));
    let run = bench.run(&["check", "missing.dud", "a.dud"]).status(3);
    assert!(run.stderr.contains("cannot read missing.dud: No such file or directory\n"));
    assert!(run.stderr.contains("unknown-type"));
}

#[test]
fn check_warnings_and_notes() {
    let bench =
        Bench::new(&[("w.dud", b"a/x = f8\ny = f8"), ("n.dud", b"N : u4\nx = i4[N+1] ---")]);
    let run = bench.run(&["check", "w.dud"]).status(0);
    assert!(run.stderr.contains("warning[path-continues]"));
    bench.run(&["check", "w.dud", "--deny", "warnings"]).status(1);
    let run = bench.run(&["check", "--deny", "warnings", "n.dud"]).status(0);
    assert!(run.stderr.contains("note[dashes-late]") && !run.stderr.contains("ext-"));
    let run = bench.run(&["check", "--strict", "n.dud"]).status(0);
    assert!(run.stderr.contains("ext-sum") && run.stderr.contains("ext-unsigned-param"));
    let run = bench.run(&["check", "--strict", "w.dud"]).status(0);
    assert!(run.stderr.contains("lint-unit"));
}

#[test]
fn check_json() {
    let bench = Bench::new(&[("a.dud", "\u{feff}\"é\" = f8\r\"é\" = f9\rx = f8".as_bytes())]);
    let run = bench.run(&["check", "a.dud", "--format", "json"]).status(1);
    assert_eq!(run.stderr, "");
    let json = run.json();
    assert_eq!(json["version"], 1);
    let rows = json["diagnostics"].as_array().expect("rows");
    assert_eq!(rows.len(), 2);
    let clash = rows.iter().find(|row| row["code"] == "redeclared-item").expect("clash");
    let keys: Vec<_> = clash.as_object().expect("object").keys().map(String::as_str).collect();
    let expected = [
        "file",
        "severity",
        "code",
        "message",
        "line",
        "column",
        "end_line",
        "end_column",
        "labels",
        "help",
    ];
    assert_eq!(keys, expected);
    let place = |row: &Value| {
        ["line", "column", "end_line", "end_column"].map(|key| row[key].as_u64().expect(key))
    };
    assert_eq!(
        (clash["file"].as_str(), clash["severity"].as_str()),
        (Some("a.dud"), Some("error"))
    );
    assert_eq!(place(clash), [2, 1, 2, 4]);
    assert_eq!(place(&clash["labels"][0]), [1, 1, 1, 4]);
    assert!(clash["labels"][0]["text"].is_string() && clash["help"].is_null());
    assert_eq!(
        place(rows.iter().find(|row| row["code"] == "unknown-type").expect("type")),
        [2, 7, 2, 9]
    );
    let json = bench.run_with(&["check", "--format", "json", "-"], b"x = f8").status(0).json();
    assert_eq!(json["diagnostics"].as_array().map(Vec::len), Some(0));
}

#[test]
fn check_attached_layouts() {
    let mut little = native(&[0; 8], "x = f8\ny = f9\n-\n", false);
    little.push(0xff);
    let big = native(&[0; 8], "x = f8", true);
    let mut torn = big.clone();
    torn.truncate(24);
    let bench = Bench::new(&[
        ("little.bd", &little),
        ("big.bd", &big),
        ("torn.bd", &torn),
        ("bare.bd", b"\x8d<BD\r\n\x1a\n\0\0\0\0\0\0\0\0xxxx"),
        ("text-mode.bd", b"\x8d<BD\n\x1a\n\0\0\0\0\0\0\0\0\0\0\0"),
    ]);
    let run = bench.run(&["check", "little.bd"]).status(1);
    assert!(run.stderr.contains("--> little.bd:2:5"), "{}", run.stderr);
    bench.run(&["check", "big.bd"]).status(0);
    bench.run_with(&["check", "-"], &big).status(0);
    let run = bench.run(&["check", "bare.bd", "torn.bd", "text-mode.bd"]).status(1);
    assert_eq!(run.stderr.lines().filter(|line| line.starts_with("error: ")).count(), 3);
}

#[test]
fn other_input() {
    let noise: Vec<u8> =
        (0..4096u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let bench = Bench::new(&[
        ("noise", &noise),
        ("empty", b""),
        ("a.asdf", b"#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n"),
        ("a.b2frame", b"\x9e\xa8b2frame\0\xd2\0\0\0\x57"),
    ]);
    bench.run(&["check", "noise"]).status(1);
    bench.run(&["check", "empty"]).status(0);
    for name in ["a.asdf", "a.b2frame"] {
        let run = bench.run(&["check", name]).status(1);
        assert!(run.stderr.contains("not a layout"), "{}", run.stderr);
    }
    std::fs::create_dir(bench.path("folder")).expect("folder");
    for command in ["check", "fmt", "lint"] {
        let run = bench.run(&[command, "folder"]).status(3);
        assert!(run.stderr.contains("cannot read folder"), "{}", run.stderr);
        bench.run(&[command, "missing"]).status(3);
        bench.run(&[command]).status(2);
    }
    bench.run(&["fmt", "noise"]).status(1);
    bench.run(&["lint", "noise"]).status(1);
    assert_eq!(std::fs::read(bench.path("noise")).expect("noise"), noise);
}

/// A main thread has 1 MiB of stack on Windows; here even less.
#[cfg(unix)]
#[test]
fn deep_layouts_need_no_stack_of_the_system() {
    let deep = |open: &str, close: &str| format!("{}f8{}", open.repeat(254), close.repeat(254));
    let (lists, structs) = (deep("[", "]"), deep("{a = ", "}"));
    let texts = [format!("x {lists}"), format!("x = {structs}")];
    let bench = Bench::new(&[("0.dud", texts[0].as_bytes()), ("1.dud", texts[1].as_bytes())]);
    for (command, file) in
        [("check", "0.dud"), ("ls", "0.dud"), ("check", "1.dud"), ("ls", "1.dud")]
    {
        let script = "ulimit -s 512 && exec \"$0\" \"$@\"";
        let mut sh = Command::new("sh");
        sh.args(["-c", script, env!("CARGO_BIN_EXE_dudc"), command, file]);
        let output = sh.current_dir(bench.folder.path()).output().expect("run sh");
        Run::from(output).status(0);
    }
}

#[test]
fn usage() {
    let bench = Bench::new(&[]);
    bench.run(&[]).status(2);
    bench.run(&["no-such-command"]).status(2);
    bench.run(&["check", "--no-such-option", "x"]).status(2);
    bench.run(&["check", "--format", "xml", "x"]).status(2);
    bench.run(&["--version"]).status(0);
    for command in ["check", "explain", "fmt", "lint", "completions", "man"] {
        let run = bench.run(&[command, "--help"]).status(0);
        assert!(run.stdout.contains(&format!("dudc {command}")), "{}", run.stdout);
        assert!(run.stdout.contains("Example"), "{}", run.stdout);
    }
}

#[test]
fn colors() {
    let bench = Bench::new(&[("a.dud", b"x = f9")]);
    assert!(bench.run(&["check", "a.dud", "--color", "always"]).stderr.contains("\u{1b}["));
    assert!(!bench.run(&["check", "a.dud", "--color", "never"]).stderr.contains('\u{1b}'));
}

#[test]
fn explain() {
    let bench = Bench::new(&[]);
    let run = bench.run(&["explain", "unknown-type"]).status(0);
    assert!(run.stdout.contains("Wrong:") && run.stdout.contains("Right:"));
    assert_eq!(bench.run(&["explain", "error[unknown-type]:"]).status(0).stdout, run.stdout);
    assert!(bench.run(&["explain", "--list"]).status(0).stdout.lines().count() > 60);
    // What `verify` finds, and other commands say in its words.
    let run_of_finding = bench.run(&["explain", "No-Layout"]).status(0);
    assert!(run_of_finding.stdout.starts_with("no-layout: there is no layout\n"));
    let run = bench.run(&["explain", "nonsense"]).status(2);
    assert!(run.stderr.contains("--list"));
    bench.run(&["explain"]).status(2);
}

#[test]
fn fmt() {
    let bench = Bench::new(&[("a.dud", b"x   =f8 # why\n"), ("bad.dud", b"x = [f8\n")]);
    let canonical = bench.run_with(&["fmt", "-"], b"x   =f8 # why\n").status(0).stdout;
    assert!(canonical.contains("x = f8") && canonical.contains("# why"));
    let run = bench.run(&["fmt", "--check", "a.dud"]).status(1);
    assert_eq!(run.stdout, "a.dud\n");
    assert_eq!(bench.text("a.dud"), "x   =f8 # why\n");
    let run = bench.run(&["fmt", "bad.dud", "a.dud"]).status(1);
    assert!(run.stderr.contains("error[unclosed]"));
    assert_eq!(bench.text("a.dud"), canonical);
    assert_eq!(bench.text("bad.dud"), "x = [f8\n");
    let run = bench.run(&["fmt", "--check", "a.dud"]).status(0);
    assert_eq!(run.stdout, "");
    assert_eq!(bench.names(), ["a.dud", "bad.dud"]);
    let run = bench.run_with(&["fmt", "-"], b"x = [f8\n").status(1);
    assert_eq!(run.stdout, "");
}

#[cfg(unix)]
#[test]
fn fmt_keeps_permissions_and_links() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new(&[("a.dud", b"x   =f8\n")]);
    let mode =
        |path: &Path| std::fs::metadata(path).expect("metadata").permissions().mode() & 0o777;
    let permissions = std::fs::Permissions::from_mode(0o640);
    std::fs::set_permissions(bench.path("a.dud"), permissions).expect("permissions");
    std::os::unix::fs::symlink("a.dud", bench.path("link.dud")).expect("link");
    bench.run(&["fmt", "link.dud"]).status(0);
    assert!(bench.path("link.dud").is_symlink());
    assert_eq!((bench.text("a.dud").as_str(), mode(&bench.path("a.dud"))), ("x = f8\n", 0o640));
}

#[test]
fn fmt_leaves_streams_alone() {
    let stream = native(&[0; 8], "x   =f8\n", false);
    let bench = Bench::new(&[("a.bd", &stream)]);
    bench.run(&["fmt", "a.bd"]).status(1);
    assert_eq!(std::fs::read(bench.path("a.bd")).expect("stream"), stream);
}

#[test]
fn lint() {
    let bench = Bench::new(&[("a.dud", b"N : 3\nx = i4"), ("b.dud", b"x = f8 ## (m)")]);
    let run = bench.run(&["lint", "a.dud", "b.dud"]).status(1);
    assert!(run.stderr.contains("note[lint-unused-param]"));
    bench.run(&["lint", "b.dud"]).status(0);
    let json = bench.run(&["lint", "--format", "json", "a.dud"]).status(1).json();
    assert_eq!(json["diagnostics"][0]["severity"], "note");
    assert!(json["diagnostics"][0]["help"].is_string());
}

#[test]
fn completions_and_manual() {
    let bench = Bench::new(&[]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = bench.run(&["completions", shell]).status(0);
        assert!(run.stdout.contains("dudc"), "{shell}");
    }
    assert!(bench.run(&["man"]).status(0).stdout.contains(".TH dudc"));
    bench.run(&["man", "pages"]).status(0);
    assert!(bench.text("pages/dudc.1").contains("check"));
    assert!(bench.text("pages/dudc-check.1").contains("strict"));
    bench.run(&["man", "pages"]).status(3);
    bench.run(&["man", "pages", "--force"]).status(0);
}

#[cfg(unix)]
#[test]
fn nobody_reads() {
    let bench = Bench::new(&[("a.dud", "x = f9\n".repeat(3000).as_bytes())]);
    for args in [&["explain", "--list"][..], &["check", "--format", "json", "a.dud"], &["man"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_dudc"))
            .args(args)
            .current_dir(bench.folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("run dudc");
        drop(child.stdout.take());
        let run = Run::from(child.wait_with_output().expect("output"));
        assert!(run.status <= 1 && !run.stderr.contains("pipe"), "{args:?}: {}", run.stderr);
    }
}

/// The status says whether files differ, even if nobody reads the differences.
#[cfg(unix)]
#[test]
fn nobody_reads_differences() {
    let bytes = |value: u8| [&[0xff][..], &vec![value; 4000]].concat();
    let bench = Bench::new(&[
        ("a.dud", b"l [u1]*4001"),
        ("a.bin", &bytes(1)),
        ("b.bin", &bytes(2)),
        ("c.bin", &bytes(1)),
    ]);
    for format in ["human", "json"] {
        for (other, status) in [("b.bin", 1), ("c.bin", 0)] {
            let mut child = Command::new(env!("CARGO_BIN_EXE_dudc"))
                .args(["diff", "--raw", "--layout", "a.dud", "--format", format, "a.bin", other])
                .current_dir(bench.folder.path())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("run dudc");
            drop(child.stdout.take());
            let run = Run::from(child.wait_with_output().expect("output"));
            assert_eq!(run.status, status, "{format} {other}: {}", run.stderr);
        }
    }
}

#[test]
fn gen_numpy() {
    let bench = Bench::new(&[("a.dud", b"N : i8\nrho = f8[N]  ## (g/cc) density\n")]);
    let code = bench.run(&["gen", "numpy", "a.dud"]).status(0).stdout;
    assert!(code.starts_with("\"\"\"Reads streams of the layout `a` with numpy alone."), "{code}");
    assert!(code.contains("/rho  f8[N]  @ 24  (g/cc) density"), "{code}");
    let placed = "at.array(root, \"rho\", \"f8\", [N], start + 8, size(8, N), unit=\"g/cc\", doc=\"density\")";
    assert!(code.contains(placed), "{code}");
    // What the layout does not need is not there.
    assert!(!code.contains("class Struct") && !code.contains("class List"));
    bench.run(&["gen", "numpy", "a.dud", "-o", "run.py"]).status(0);
    assert!(bench.text("run.py").contains("run.open(\"file.bd\")"));
    bench.run(&["gen", "numpy", "a.dud", "-o", "run.py"]).status(3);
    bench.run(&["gen", "numpy", "a.dud", "--check", "run.py"]).status(0);
    std::fs::write(bench.path("a.dud"), "N : i8\nrho = f4[N]\n").expect("write file");
    let found = bench.run(&["gen", "numpy", "a.dud", "--check", "run.py"]).status(1);
    assert!(found.stdout.starts_with("run.py is not what the layout says now: make it again"));
    bench.run(&["gen", "numpy", "a.dud", "--check", "none.py"]).status(3);
    let wrong = bench.run_with(&["gen", "numpy", "-"], b"x = f9").status(1);
    assert!(wrong.stderr.contains("unknown type `f9`") && wrong.stdout.is_empty());
    let piped = bench.run_with(&["gen", "numpy", "-"], b"x = f8").status(0);
    assert!(piped.stdout.contains("layout.open("), "{}", piped.stdout);
    let text = format!("x = f8\nl {}f8{}\n", "[".repeat(48), "]".repeat(48));
    let deep = bench.run_with(&["gen", "numpy", "-"], text.as_bytes()).status(1);
    assert!(deep.stderr.contains("structs and lists nest deeper than 47"), "{}", deep.stderr);
    assert!(
        deep.stderr.contains("standard input:2:50") && deep.stdout.is_empty(),
        "{}",
        deep.stderr
    );
}

#[test]
fn gen_c_and_fortran() {
    let layout =
        b"N : i8\nrho = f8[N]  ## (g/cc) density\nl [ / n : i4  t = f4[n] ]*2\nz = i1 -> zlib\n";
    let bench = Bench::new(&[("a.dud", layout)]);
    for (language, file, get) in [
        ("c", "run.h", "static inline int run_rho_get(run_stream *s, double *to, int64_t room)"),
        ("fortran", "run.f90", "subroutine run_rho_get(s, x, ierr)"),
    ] {
        bench.run(&["gen", language, "a.dud", "-o", file]).status(0);
        let code = bench.text(file);
        assert!(code.contains(get) && code.contains("/rho: f8[dim(N)] (g/cc)"), "{code}");
        // What is left out is named, and then no stream can be created.
        let left = [
            "/l/[i]/t: its place depends on more than params that occur once",
            "/z: it is stored by a filter",
        ];
        assert!(left.iter().all(|line| code.contains(line)), "{code}");
        assert!(code.contains("run_create is not here") && !code.contains("run_z_get"), "{code}");
        bench.run(&["gen", language, "a.dud", "-o", file]).status(3);
        bench.run(&["gen", language, "a.dud", "--check", file]).status(0);
        let wrong = bench.run_with(&["gen", language, "-"], b"x = f9").status(1);
        assert!(wrong.stderr.contains("unknown type `f9`") && wrong.stdout.is_empty());
    }
    std::fs::write(bench.path("a.dud"), "N : i8\nrho = f4[N]\n").expect("write file");
    let found = bench.run(&["gen", "c", "a.dud", "--check", "run.h"]).status(1);
    assert!(found.stdout.starts_with("run.h is not what the layout says now: make it again"));
    let raw = bench.run_with(&["gen", "c", "--raw", "-"], b"x = f8[3]").status(0).stdout;
    assert!(raw.contains("#define LAYOUT_X_ADDRESS 0\n#define LAYOUT_X_BYTES 24\n"), "{raw}");
}

#[test]
fn gen_rust() {
    let bench = Bench::new(&[("a.dud", b"N : i8\nrho = f8[N]  ## (g/cc) density\n")]);
    let code = bench.run(&["gen", "rust", "a.dud"]).status(0);
    assert!(code.stdout.contains("pub fn rho(") && code.stdout.contains("`f8[N]`, at `24`."));
    bench.run(&["gen", "rust", "a.dud", "-o", "a.rs"]).status(0);
    assert_eq!(bench.text("a.rs"), code.stdout);
    bench.run(&["gen", "rust", "a.dud", "--check", "a.rs"]).status(0);
    // Formatting does not matter.
    let other = code.stdout.replace("    ", " ").replace("{\n", "{");
    std::fs::write(bench.path("other.rs"), other).expect("write file");
    bench.run(&["gen", "rust", "a.dud", "--check", "other.rs"]).status(0);
    // What is there is kept unless it may go.
    bench.run(&["gen", "rust", "a.dud", "-o", "a.rs"]).status(3);
    std::fs::write(bench.path("a.dud"), "N : i8\nrho = f4[N]\n").expect("write file");
    let found = bench.run(&["gen", "rust", "a.dud", "--check", "a.rs"]).status(1);
    assert!(found.stdout.starts_with("a.rs is not what the layout says now: make it again"));
    bench.run(&["gen", "rust", "a.dud", "-o", "a.rs", "--force"]).status(0);
    bench.run(&["gen", "rust", "a.dud", "--check", "a.rs"]).status(0);
    bench.run(&["gen", "rust", "a.dud", "--check", "none.rs"]).status(3);
    let renamed = bench.run(&["gen", "rust", "a.dud", "--crate", "crate::engine"]).status(0);
    assert!(!renamed.stdout.contains("::dudley::") && renamed.stdout.contains("crate::engine::"));
    bench.run(&["gen", "rust", "a.dud", "--crate", "no path"]).status(2);
    bench.run(&["gen", "rust", "none.dud"]).status(3);
    bench.run(&["gen"]).status(2);
    let wrong = bench.run_with(&["gen", "rust", "-"], b"x = f9").status(1);
    assert!(wrong.stderr.contains("unknown type `f9`") && wrong.stdout.is_empty());
}
