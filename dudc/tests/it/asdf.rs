//! The built binary on ASDF and FINF files.

use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A block of ASDF 1.0.0.
fn block(label: &[u8; 4], decoded: u64, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\xd3BLK\0\x30\0\0\0\0".to_vec();
    bytes.extend(label);
    for size in [data.len() as u64, data.len() as u64, decoded] {
        bytes.extend(size.to_be_bytes());
    }
    bytes.extend([0; 16]);
    bytes.extend(data);
    bytes
}

const TREE: &str = "#ASDF 1.0.0
#ASDF_STANDARD 1.6.0
%YAML 1.1
%TAG ! tag:stsci.edu:asdf/
--- !core/asdf-1.1.0
run:
  rho: !unit/quantity-1.2.0
    unit: g/cc
    value: !core/ndarray-1.1.0 {source: 0, datatype: int16, byteorder: big, shape: [2, 2]}
  column: !core/ndarray-1.1.0 {source: 0, datatype: int16, byteorder: big, shape: [2], strides: [4]}
  packed: !core/ndarray-1.1.0 {source: 1, datatype: uint8, byteorder: big, shape: [3]}
names: [a, b c]
few: !core/ndarray-1.1.0 [1.5, null]
...
";

/// A file of two blocks, one of them compressed.
fn sample() -> Vec<u8> {
    let plain = block(&[0; 4], 8, &[0, 1, 0, 2, 0, 3, 0, 4]);
    let packed = block(b"lz4\0", 3, b"\0\0\0\x08\x03\0\0\0\x30abc");
    [TREE.as_bytes(), &plain, &packed].concat()
}

struct Run {
    status: i32,
    out: String,
    err: String,
}

fn dudc(folder: &TempDir, args: &[&str], input: &[u8]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dudc"))
        .args(args)
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("run dudc");
    // It may end without reading.
    let _ = child.stdin.take().expect("stdin").write_all(input);
    let output = child.wait_with_output().expect("output");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let status = output.status.code().expect("a status");
    Run { status, out: text(output.stdout), err: text(output.stderr) }
}

fn folder(bytes: &[u8]) -> TempDir {
    let folder = TempDir::new().expect("temporary folder");
    std::fs::write(folder.path().join("x.asdf"), bytes).expect("write file");
    folder
}

#[test]
fn get_reads_arrays_by_the_paths_of_the_tree() {
    let folder = folder(&sample());
    for (path, expected) in [
        ("/run/rho/value[1]", ">i2[2]\n[3, 4]\n"),
        ("/run/column", ">i2[2]\n[1, 3]\n"),
        ("/run/packed[::-1]", "|u1[3]\n[99, 98, 97]\n"),
        ("/names/1", "\"b c\"\n"),
        ("/few", "<f8[2]\n[1.5, null]\n"),
        ("/few[::-1]", "<f8[2]\n[null, 1.5]\n"),
        ("/run/rho/unit", "\"g/cc\"\n"),
    ] {
        let run = dudc(&folder, &["get", "x.asdf", path], b"");
        assert_eq!((run.out.as_str(), run.status), (expected, 0), "{path}: {}", run.err);
    }
    let run = dudc(&folder, &["get", "-", "/run/column", "--format", "json"], &sample());
    let json: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(json["value"], json!([1, 3]));
    let run = dudc(&folder, &["get", "x.asdf", "/run/rho/value", "-o", "rho.npy"], b"");
    assert_eq!(run.status, 0, "{}", run.err);
    let npy = std::fs::read(folder.path().join("rho.npy")).expect("a file");
    assert!(npy.ends_with(&[0, 1, 0, 2, 0, 3, 0, 4]));
    let run = dudc(&folder, &["get", "x.asdf", "/few", "-o", "few.npy"], b"");
    assert_eq!(run.status, 1);
    assert!(
        run.err.contains("`/few` has masked elements") && run.err.contains("--fill"),
        "{}",
        run.err
    );
    let run = dudc(&folder, &["get", "x.asdf", "/few", "-o", "few.npy", "--fill", "-1"], b"");
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    for (path, status) in [("/run/rhu", 1), ("/run", 1), ("/names[9]", 1), ("run[", 2)] {
        let run = dudc(&folder, &["get", "x.asdf", path], b"");
        assert_eq!((run.out.as_str(), run.status), ("", status), "{path}");
        assert!(run.err.starts_with("error: "), "{}", run.err);
    }
}

#[test]
fn ls_shows_the_tree_and_the_blocks() {
    let folder = folder(&sample());
    let run = dudc(&folder, &["ls", "x.asdf"], b"");
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let line = |start: &str| {
        let line = run.out.lines().find(|line| line.starts_with(start)).expect(start);
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let at = TREE.len() + 54;
    assert_eq!(line("/run/rho/value"), format!("/run/rho/value >i2 [2, 2] {at} 8 g/cc block 0"));
    assert!(line("/run/column").ends_with("block 0; strided"));
    assert!(line("/run/packed").contains("|u1 -> lz4 [3]"));
    assert!(line("/few").ends_with("in the tree; masked"));
    assert!(run.out.contains("no block index"));

    let run = dudc(&folder, &["ls", "x.asdf", "--format", "json"], b"");
    let json: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!((&json["version"], &json["kind"]), (&json!(1), &json!("asdf")));
    let items = json["items"].as_array().expect("rows");
    let rho = items.iter().find(|row| row["path"] == "/run/rho/value").expect("a row");
    assert_eq!((&rho["dtype"], &rho["shape"]), (&json!(">i2"), &json!([2, 2])));
    assert_eq!((&rho["address"], &rho["unit"]), (&json!(at), &json!("g/cc")));
    assert_eq!(json["blocks"][1]["compression"], json!("lz4"));
    assert_eq!(json["findings"], json!([]));
}

#[test]
fn dump_has_the_values() {
    let folder = folder(&sample());
    let run = dudc(&folder, &["dump", "x.asdf", "--nested"], b"");
    let json: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(json["run"]["rho"]["value"], json!([[1, 2], [3, 4]]));
    assert_eq!(json["few"], json!([1.5, null]));
    let run = dudc(&folder, &["dump", "x.asdf", "/run", "--format", "json"], b"");
    let json: Value = serde_json::from_str(&run.out).expect("JSON");
    let items = json["items"].as_array().expect("rows");
    assert_eq!(items.len(), 4);
    assert_eq!(items[1]["value"], json!([[1, 2], [3, 4]]));
    let run = dudc(&folder, &["dump", "x.asdf"], b"");
    assert!(run.out.contains("/names/0 = \"a\"\n"), "{}", run.out);
    assert!(run.out.contains("/few = <f8[2]\n[1.5, null]\n"), "{}", run.out);
}

#[test]
fn a_description_reads_the_file_in_place() {
    let folder = folder(&sample());
    let run = dudc(&folder, &["describe", "x.asdf"], b"");
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert!(run.out.contains("  ## (g/cc)"), "{}", run.out);
    std::fs::write(folder.path().join("x.dud"), &run.out).expect("write file");
    for (path, expected) in [
        ("/run/rho/value", ">i2[2, 2]\n[[1, 2],\n [3, 4]]\n"),
        ("/run/packed", "|u1[3]\n[97, 98, 99]\n"),
        ("/run/column", ">i2[2]\n[1, 3]\n"),
    ] {
        let run = dudc(&folder, &["get", "x.asdf", path, "--layout", "x.dud", "--raw"], b"");
        assert_eq!((run.out.as_str(), run.status), (expected, 0), "{path}: {}", run.err);
    }
    assert_eq!(dudc(&folder, &["check", "x.dud"], b"").status, 0);
    assert_eq!(dudc(&folder, &["describe", "x.dud"], b"").status, 1);
}

#[test]
fn what_is_wrong_keeps_nobody_from_the_rest() {
    let mut bytes = sample();
    // The first block says that it has more than there is.
    let at = TREE.len() + 22;
    bytes[at] = 0x10;
    let folder = folder(&bytes);
    let run = dudc(&folder, &["ls", "x.asdf"], b"");
    assert_eq!(run.status, 1);
    assert!(run.err.contains("warning: x.asdf: bad-header: block 0"), "{}", run.err);
    assert!(run.out.lines().any(|line| line.starts_with("/run/packed") && line.contains("[3]")));
    let run = dudc(&folder, &["get", "x.asdf", "/run/packed"], b"");
    assert_eq!((run.out.as_str(), run.status), ("|u1[3]\n[97, 98, 99]\n", 0));
    let run = dudc(&folder, &["get", "x.asdf", "/run/column"], b"");
    assert_eq!((run.out.as_str(), run.status), ("", 1));
}

#[test]
fn a_tree_that_cannot_be_read_gives_no_half_of_a_listing() {
    let wrong = folder(b"#ASDF 1.0.0\n%YAML 1.1\n---\na: 1\n  b c\nd\n...\n");
    for verb in ["ls", "dump"] {
        let run = dudc(&wrong, &[verb, "x.asdf", "--format", "json"], b"");
        assert_eq!((run.status, run.out.as_str()), (1, ""), "{}", run.err);
        assert!(run.err.contains("the tree at line"), "{}", run.err);
    }
}

#[test]
fn finf_is_read_too() {
    let mut bytes = b"%FINF 0.1.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:finf/0.1.0/\n--- !finf\n\
                      data: !ndarray {dtype: int16, shape: [2], source: 0}\n...\n\xd3BLK\0\x28"
        .to_vec();
    for size in [4_u64, 4, 0, 0, 0] {
        bytes.extend(size.to_be_bytes());
    }
    bytes.extend([0, 7, 1, 0]);
    let folder = folder(&bytes);
    let run = dudc(&folder, &["get", "x.asdf", "/data"], b"");
    assert_eq!((run.out.as_str(), run.status), (">i2[2]\n[7, 256]\n", 0), "{}", run.err);
    let run = dudc(&folder, &["ls", "x.asdf", "--format", "json"], b"");
    let json: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(json["kind"], json!("finf"));
}
