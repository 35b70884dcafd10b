//! `stat`, `diff`, `verify`, `salvage` and `convert` on ASDF and FINF files.

use std::path::Path;
use std::process::Command;

use asdf_bridge::asdf::{AsdfFile, Builder, Compression, NewArray, NewMask, Yaml};
use dudley::ndarray::array;
use serde_json::{Value, json};
use tempfile::TempDir;

struct Folder(TempDir);

struct Run {
    status: i32,
    out: String,
    err: String,
}

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        sample(1.0).write_file(folder.path("a.asdf"), false).expect("written");
        folder
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, args: &[&str]) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dudc"));
        let output = command.args(args).current_dir(self.0.path()).output().expect("it runs");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        let status = output.status.code().unwrap_or(-1);
        Run { status, out: text(output.stdout), err: text(output.stderr) }
    }

    fn done(&self, args: &[&str]) -> String {
        let run = self.run(args);
        assert_eq!(run.status, 0, "{args:?}: {}{}", run.out, run.err);
        run.out
    }

    /// What a command prints that does, but finds something.
    fn finds(&self, args: &[&str]) -> String {
        let run = self.run(args);
        assert_eq!(run.status, 1, "{args:?}: {}{}", run.out, run.err);
        run.out
    }

    fn json(&self, args: &[&str]) -> Value {
        let run = self.run(args);
        serde_json::from_str(&run.out)
            .unwrap_or_else(|_| panic!("{args:?}: {}{}", run.out, run.err))
    }
}

/// A file with a masked, a shared and a compressed array, and single values.
fn sample(first: f64) -> Builder<'static> {
    let rho = NewArray::from(array![[first, 2.0], [3.0, 4.5]]);
    let column = rho.view(8, &[2], &[16]).expect("within");
    let few = NewArray::from(vec![1_i16, -1, 7]).masked(NewMask::Int(-1));
    let zeros = NewArray::from(vec![0_u8; 100_000]).compressed(Compression::zlib(6));
    Builder::new()
        .put("rho", Yaml::quantity(rho, "g / cm3"))
        .put("column", column)
        .put("few", few)
        .put("zeros", zeros)
        .put("time", 0.25)
        .put("title", "a test")
}

fn open(path: impl AsRef<Path>) -> AsdfFile {
    AsdfFile::open(path).expect("it opens")
}

#[test]
fn numbers_are_counted() {
    let folder = Folder::new();
    let stat = folder.json(&["stat", "a.asdf", "--format", "json"]);
    let items = stat["items"].as_array().expect("items");
    let of = |path: &str| items.iter().find(|item| item["path"] == path).expect("it is there");
    assert_eq!(of("/rho/value")["mean"], json!(2.625));
    assert_eq!(of("/rho/value")["unit"], json!("g / cm3"));
    assert_eq!(of("/column")["min"], json!(2.0));
    // The masked one is left out.
    assert_eq!((&of("/few")["count"], &of("/few")["min"]), (&json!(2), &json!(1)));
    assert_eq!(of("/zeros")["zeros"], json!(100_000));
    let part = folder.json(&["stat", "a.asdf", "/rho/value[:, 0]", "--format", "json"]);
    assert_eq!(part["items"][0]["max"], json!(3.0));
    assert!(folder.done(&["stat", "a.asdf"]).contains("g / cm3"));
    assert_eq!(folder.run(&["stat", "a.asdf", "/none"]).status, 1);
}

#[test]
fn files_are_compared() {
    let folder = Folder::new();
    sample(1.5).write_file(folder.path("b.asdf"), false).expect("written");
    folder.done(&["diff", "a.asdf", "a.asdf"]);
    let run = folder.run(&["diff", "a.asdf", "b.asdf"]);
    assert_eq!(run.status, 1, "{}", run.err);
    assert!(run.out.starts_with("/rho/value: 1 of 4 values differ, most at [0, 0]"), "{}", run.out);
    folder.done(&["diff", "a.asdf", "b.asdf", "--atol", "0.5"]);
    folder.done(&["diff", "a.asdf", "b.asdf", "--ignore", "/rho*"]);
    folder.done(&["diff", "a.asdf", "b.asdf", "/few"]);
    let other = Builder::new()
        .put("few", NewArray::from(vec![1_i16, -1, 7]).masked(NewMask::Int(7)))
        .put("time", 1)
        .put("new", 3);
    other.write_file(folder.path("c.asdf"), false).expect("written");
    let ignored = ["--ignore", "/asdf_library*", "--ignore", "/history*"];
    let args = [&["diff", "a.asdf", "c.asdf", "--format", "json"][..], &ignored].concat();
    let found = folder.json(&args);
    let found: Vec<(&str, &str)> = found["differences"]
        .as_array()
        .expect("differences")
        .iter()
        .map(|it| (it["path"].as_str().unwrap_or(""), it["kind"].as_str().unwrap_or("")))
        .collect();
    assert!(found.contains(&("/few/mask", "values")), "{found:?}");
    assert!(found.contains(&("/time", "dtype")), "{found:?}");
    assert!(found.contains(&("/new", "only")) && found.contains(&("/title", "only")), "{found:?}");
    // What neither has a value for is equal, so only the mask differs.
    assert!(!found.contains(&("/few", "values")), "{found:?}");
}

#[test]
fn a_file_becomes_a_stream_and_arrays_and_comes_back() {
    let folder = Folder::new();
    folder.done(&["convert", "a.asdf", "a.bd", "--fill", "stored"]);
    // Who wrote a file stays with it.
    folder.done(&["diff", "a.asdf", "a.bd", "--ignore", "/few/mask"]);
    assert_eq!(folder.finds(&["diff", "a.bd", "a.asdf"]), "/few/mask: a mask in a.asdf only\n");
    folder.done(&["convert", "a.bd", "b.asdf"]);
    folder.done(&["diff", "a.bd", "b.asdf"]);
    folder.done(&["verify", "b.asdf"]);
    folder.done(&["convert", "a.asdf", "a.npz", "--fill", "stored"]);
    folder.done(&["convert", "a.npz", "c.asdf"]);
    // Files of numpy have no units.
    assert_eq!(folder.finds(&["diff", "a.bd", "c.asdf"]), "/rho: unit \"g / cm3\" and nothing\n");
    folder.done(&["convert", "a.asdf", "arrays", "--to", "folder", "--fill", "0"]);
    assert!(folder.path("arrays/rho.npy").exists());
    folder.done(&["convert", "a.asdf", "rho.npy", "/rho/value"]);
    assert_eq!(folder.run(&["convert", "a.asdf", "b.asdf"]).status, 3);
    folder.done(&["convert", "a.asdf", "d.asdf", "/rho"]);
    folder.done(&["diff", "a.asdf", "d.asdf", "/rho"]);
}

#[test]
fn blocks_are_compressed_anew_exploded_and_imploded() {
    let folder = Folder::new();
    for codec in ["none", "zlib:9", "bzp2", "lz4", "zstd:3", "blsc:9", "blsc:zstd", "bls2:zlib:1"] {
        let name = format!("{}.asdf", codec.replace(':', ""));
        folder.done(&["convert", "a.asdf", &name, "--recompress", codec]);
        folder.done(&["diff", "a.asdf", &name]);
        let label = codec.split(':').next().filter(|label| *label != "none");
        for block in open(folder.path(&name)).blocks().expect("blocks") {
            assert_eq!(block.expect("a block").compression().as_deref(), label);
        }
    }
    for wrong in ["best", "zlib:99", "zlib:x", "xz", "lz4:1", "none:1", "bls2:foo"] {
        let run = folder.run(&["convert", "a.asdf", "x.asdf", "--codec", wrong]);
        assert_eq!(run.status, 2, "{wrong}: {}", run.err);
    }
    let known = "none, zlib, bzp2, lz4, lz4f, zstd, blsc and bls2";
    let run = folder.run(&["convert", "a.asdf", "x.asdf", "--recompress", "best"]);
    assert!(run.err.contains(known), "{}", run.err);
    let run = folder.run(&["convert", "a.asdf", "x.finf", "--recompress", "zlib"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("FINF has no compression"), "{}", run.err);
    assert_eq!(folder.run(&["convert", "a.asdf", "x.npz", "--explode"]).status, 2);
    folder.done(&["convert", "a.asdf", "apart.asdf", "--explode"]);
    // The view and what it views share a block.
    assert!(folder.path("apart0002.asdf").exists() && !folder.path("apart0003.asdf").exists());
    folder.done(&["diff", "a.asdf", "apart.asdf"]);
    folder.done(&["convert", "apart.asdf", "whole.asdf", "--implode"]);
    assert_eq!(open(folder.path("whole.asdf")).blocks().expect("blocks").len(), 3);
    folder.done(&["diff", "a.asdf", "whole.asdf"]);
}

#[test]
fn finf_is_written_of_arrays() {
    let folder = Folder::new();
    let plain = Builder::new().put("x", NewArray::from(vec![1_i32, 2, 3]));
    plain.write_file(folder.path("x.asdf"), false).expect("written");
    folder.done(&["convert", "x.asdf", "x.finf"]);
    assert_eq!(folder.done(&["get", "x.finf", "/x"]), "<i4[3]\n[1, 2, 3]\n");
    folder.done(&["verify", "x.finf"]);
    folder.done(&["convert", "x.finf", "y.asdf"]);
    folder.done(&["diff", "x.asdf", "y.asdf", "/x"]);
}

#[test]
fn what_is_wrong_is_found_and_the_rest_is_kept() {
    let folder = Folder::new();
    assert_eq!(folder.done(&["verify", "a.asdf"]), "a.asdf: 0 errors, 0 warnings\n");
    let mut bytes = std::fs::read(folder.path("a.asdf")).expect("read");
    let last = open(folder.path("a.asdf")).block(2).expect("a block");
    bytes[last.data.end as usize - 2] ^= 0xff;
    std::fs::write(folder.path("bad.asdf"), &bytes).expect("written");
    let run = folder.run(&["verify", "bad.asdf"]);
    assert_eq!(run.status, 1);
    for code in ["bad-digest", "bad-data"] {
        assert!(
            run.out.contains(&format!("{} error[{code}]: block 2", last.address)),
            "{}",
            run.out
        );
    }
    let found = folder.json(&["verify", "bad.asdf", "--format", "json"]);
    assert_eq!(found["findings"][0]["address"], json!(last.address));
    assert_eq!(folder.run(&["verify", "--fix", "bad.asdf"]).status, 1);
    let kept = folder.json(&["salvage", "bad.asdf", "kept.asdf", "--format", "json"]);
    assert_eq!((&kept["arrays"], &kept["lost"][0]["path"]), (&json!(3), &json!("/zeros")));
    folder.done(&["verify", "kept.asdf"]);
    let ignored = ["--ignore", "/zeros*", "--ignore", "/salvaged_doubtful*"];
    folder.done(&[&["diff", "a.asdf", "kept.asdf"][..], &ignored].concat());
    assert!(folder.done(&["get", "kept.asdf", "/zeros/lost"]).contains("zlib"));
    // Without a tree the blocks are kept.
    let tree = bytes.windows(4).position(|at| at == b"rho:").expect("a key");
    bytes[tree..tree + 4].copy_from_slice(b"{[&*");
    std::fs::write(folder.path("worse.asdf"), &bytes).expect("written");
    let kept = folder.json(&["salvage", "worse.asdf", "-o", "rest.asdf", "--format", "json"]);
    assert_eq!((&kept["arrays"], &kept["blocks"]), (&json!(0), &json!(2)));
    assert_eq!(open(folder.path("rest.asdf")).array("/salvaged/0").expect("kept").shape(), [32]);
}

#[test]
fn the_first_rows_are_kept_of_what_is_cut_off() {
    let folder = Folder::new();
    let rows = array![[1_i64, 2], [3, 4], [5, 6], [7, 8]];
    let plain = Builder::new().put("whole", 1).put("x", NewArray::from(&rows)).index(false);
    let bytes = plain.to_bytes().expect("a file");
    std::fs::write(folder.path("cut.asdf"), &bytes[..bytes.len() - 17]).expect("written");
    let out = folder.finds(&["salvage", "cut.asdf", "kept.asdf"]);
    assert!(out.contains("the first 2 of 4 rows are kept"), "{out}");
    folder.done(&["verify", "kept.asdf"]);
    assert_eq!(folder.done(&["get", "kept.asdf", "/x/first_rows[1]"]), "<i8[2]\n[3, 4]\n");
    // As far as it can be decompressed.
    let many: Vec<u32> = (0..3_000_000).map(|at: u32| at.wrapping_mul(at) >> 5).collect();
    let codecs = [Compression::zlib(1), Compression::bzp2(1), Compression::lz4()];
    for (codec, least) in codecs.into_iter().zip([1_000_000_u64, 1_000_000, 1 << 20]) {
        let label = codec.label();
        let file = Builder::new().put("x", NewArray::from(&many[..]).compressed(codec));
        let bytes = file.index(false).to_bytes().expect("a file");
        std::fs::write(folder.path("cut.asdf"), &bytes[..bytes.len() / 2]).expect("written");
        let kept =
            folder.json(&["salvage", "cut.asdf", "kept.asdf", "--force", "--format", "json"]);
        let count = kept["lost"][0]["rows"].as_u64().unwrap_or_else(|| panic!("{label:?}: {kept}"));
        assert!((least..3_000_000).contains(&count), "{label:?}: {count}");
        let read = open(folder.path("kept.asdf")).array("/x/first_rows").expect("rows");
        assert_eq!(read.read::<u32>().expect("elements").as_slice(), Some(&many[..count as usize]));
    }
}

#[test]
fn a_wrong_digest_is_said_where_a_right_one_comes_of_it() {
    let folder = Folder::new();
    let mut bytes = std::fs::read(folder.path("a.asdf")).expect("read");
    let first = open(folder.path("a.asdf")).block(0).expect("a block");
    bytes[first.data.start as usize] ^= 1;
    std::fs::write(folder.path("bad.asdf"), &bytes).expect("written");
    let listed = folder.done(&["ls", "bad.asdf", "--digests"]);
    let rows: Vec<_> = listed.lines().rev().skip(1).take(3).collect();
    assert!(rows[2].ends_with("bad") && rows[1].ends_with("good"), "{listed}");
    let json = folder.json(&["ls", "bad.asdf", "--digests", "--format", "json"]);
    assert_eq!(json["blocks"][0]["digest_state"], json!("bad"));
    let salvage = (&["salvage", "bad.asdf", "s.asdf"][..], 1);
    for (command, status) in [salvage, (&["convert", "bad.asdf", "c.asdf"], 0)] {
        let run = folder.run(command);
        let said = run.out + &run.err;
        assert_eq!(run.status, status);
        for path in ["/rho/value", "/column"] {
            assert!(said.contains(path), "{command:?}: {said}");
        }
        assert!(!said.contains("/few"), "{command:?}: {said}");
    }
    let salvaged = open(folder.path("s.asdf"));
    let comments = &salvaged.text().comments;
    assert!(comments.iter().any(|line| line.contains("/rho/value")), "{comments:?}");
}

#[test]
fn files_without_a_tree_are_their_blocks() {
    let folder = Folder::new();
    std::fs::write(folder.path("empty.finf"), "%FINF 0.1.0\n").expect("written");
    folder.done(&["convert", "empty.finf", "empty.asdf"]);
    folder.done(&["verify", "empty.asdf"]);
    let text = b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n";
    let file = std::fs::read(folder.path("a.asdf")).expect("read");
    let first = open(folder.path("a.asdf")).block(0).expect("a block").address as usize;
    let bare = [&text[..], &file[first..]].concat();
    std::fs::write(folder.path("bare.asdf"), bare).expect("written");
    let layout = folder.done(&["describe", "bare.asdf"]);
    std::fs::write(folder.path("bare.dud"), &layout).expect("written");
    folder.done(&["check", "bare.dud"]);
    for (item, count) in [("/block_0", 32), ("/block_2", 100_000)] {
        let args = ["stat", "bare.asdf", item, "--raw", "--layout", "bare.dud", "--format", "json"];
        assert_eq!(folder.json(&args)["items"][0]["count"], json!(count), "{layout}");
    }
    let refused = folder.run(&["convert", "bare.asdf", "new.asdf"]);
    assert_eq!(refused.status, 1);
    assert!(refused.err.contains("dudc salvage"), "{}", refused.err);
    folder.finds(&["salvage", "bare.asdf", "new.asdf"]);
}

#[test]
fn what_was_shared_is_shared_in_what_is_salvaged() {
    let folder = Folder::new();
    for codec in [None, Some(Compression::zlib(1)), Some(Compression::lz4())] {
        // More than a chunk of LZ4.
        let values: Vec<f64> = (0..600_000).map(|at: u32| f64::from(at % 777)).collect();
        let last = values.len() as u64 * 8 - 8;
        let mut whole = NewArray::from(values);
        if let Some(codec) = codec.clone() {
            whole = whole.compressed(codec);
        }
        let head = whole.view(8, &[10], &[16]).expect("within").masked(NewMask::Int(4));
        let tail = whole.view(last, &[2, 300], &[-8, -16]).expect("within");
        let shared = std::sync::Arc::new(Yaml::mapping([("head", Yaml::from(head))]));
        let other = NewArray::from(vec![7_i32, 8, 9]);
        let file = Builder::new()
            .put("other", other)
            .put("whole", whole)
            .put("tail", tail)
            .put("one", Yaml::from(shared.clone()))
            .put("two", Yaml::from(shared));
        let bytes = file.index(false).to_bytes().expect("a file");
        std::fs::write(folder.path("good.asdf"), &bytes).expect("written");
        let args = ["salvage", "good.asdf", "kept.asdf", "--force", "--format", "json"];
        let kept = folder.json(&args);
        assert_eq!((&kept["arrays"], &kept["lost"]), (&json!(4), &json!([])));
        folder.done(&["diff", "good.asdf", "kept.asdf"]);
        let read = open(folder.path("kept.asdf"));
        assert_eq!(read.blocks().expect("blocks").len(), 2);
        let tree = read.tree().expect("a tree");
        let anchors = tree.root().entries().filter(|(_, value)| value.anchor().is_some());
        assert_eq!(anchors.count(), 2, "{codec:?}: both names are one node");

        // Cut off, the block has what is left of it for all of them.
        std::fs::write(folder.path("cut.asdf"), &bytes[..bytes.len() - 9]).expect("written");
        let args = ["salvage", "cut.asdf", "kept.asdf", "--force", "--format", "json"];
        let kept = folder.json(&args);
        let lost = kept["lost"].as_array().expect("a list");
        let paths: Vec<_> = lost.iter().map(|lost| lost["path"].as_str()).collect();
        assert_eq!(paths, [Some("/whole"), Some("/tail")], "{codec:?}");
        folder.done(&["verify", "kept.asdf"]);
        folder.done(&["diff", "good.asdf", "kept.asdf", "/one"]);
        let read = open(folder.path("kept.asdf"));
        assert_eq!(read.blocks().expect("blocks").len(), 2, "{codec:?}");
        let rows = read.array("/whole/first_rows").expect("rows");
        let count = lost[0]["rows"].as_u64().expect("a number");
        assert_eq!(rows.shape(), [count], "{codec:?}");
    }
}

#[test]
fn what_is_no_array_is_salvaged_as_it_is() {
    let folder = Folder::new();
    let bytes = Builder::new().put("x", NewArray::from(vec![1_u8, 2, 3]).block());
    let mut bytes = bytes.put("y", 1).to_bytes().expect("a file");
    let at = bytes.windows(5).position(|at| at == b"uint8").expect("a type");
    bytes[at..at + 5].copy_from_slice(b"uint9");
    std::fs::write(folder.path("odd.asdf"), &bytes).expect("written");
    let kept = folder.json(&["salvage", "odd.asdf", "kept.asdf", "--format", "json"]);
    assert_eq!((&kept["arrays"], &kept["lost"][0]["path"]), (&json!(0), &json!("/x")));
    folder.done(&["verify", "kept.asdf"]);
    assert_eq!(folder.done(&["get", "kept.asdf", "/x/bytes"]), "|u1[3]\n[1, 2, 3]\n");
    assert!(folder.done(&["get", "kept.asdf", "/x/node/datatype"]).contains("uint9"));
    let ragged = b"#ASDF 1.0.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n\
        x: !core/ndarray-1.1.0 [[1, 2], [3]]\n...\n";
    std::fs::write(folder.path("ragged.asdf"), ragged).expect("written");
    folder.finds(&["salvage", "ragged.asdf", "kept.asdf", "--force"]);
    assert!(folder.done(&["get", "kept.asdf", "/x/node/1/0"]).contains('3'));
}

#[test]
fn masks_stay_with_the_rows_that_are_salvaged() {
    let folder = Folder::new();
    let rows = array![[1_i64, 2], [3, 4], [5, 6], [7, 8]];
    let whole = array![[false, true], [true, false], [false, false], [false, true]];
    let one = array![true, false];
    for (mask, shown) in [
        (NewMask::Array(NewArray::from(&whole)), "[[1, null], [null, 4]]"),
        (NewMask::Array(NewArray::from(&whole).inline()), "[[1, null], [null, 4]]"),
        (NewMask::Array(NewArray::from(&one)), "[[null, 2], [null, 4]]"),
        (NewMask::Int(3), "[[1, 2], [null, 4]]"),
    ] {
        let mask_first = match &mask {
            NewMask::Array(mask) => Yaml::from(mask.clone()),
            _ => Yaml::null(),
        };
        let file = Builder::new().put("mask", mask_first);
        let file = file.put("x", NewArray::from(&rows).masked(mask)).index(false);
        let bytes = file.to_bytes().expect("a file");
        std::fs::write(folder.path("cut.asdf"), &bytes[..bytes.len() - 17]).expect("written");
        folder.finds(&["salvage", "cut.asdf", "kept.asdf", "--force"]);
        let got = folder.done(&["get", "kept.asdf", "/x/first_rows"]);
        assert!(got.replace("\n ", " ").ends_with(&format!("\n{shown}\n")), "{got}");
    }
}

#[test]
fn what_is_behind_the_damage_is_salvaged_too() {
    let folder = Folder::new();
    let values: Vec<u32> = (0..3_000_000).map(|at| at / 3).collect();
    let whole = NewArray::from(&values[..]).compressed(Compression::lz4());
    let tail = whole.view(11_000_000, &[200_000], &[4]).expect("within");
    let file = Builder::new().put("whole", whole).put("tail", tail).index(false);
    let mut bytes = file.to_bytes().expect("a file");
    std::fs::write(folder.path("bad.asdf"), &bytes).expect("written");
    let block = open(folder.path("bad.asdf")).block(0).expect("a block");
    // The second of three chunks.
    let middle = (block.data.start + block.used() / 2) as usize;
    bytes[middle..middle + 4000].fill(0);
    std::fs::write(folder.path("bad.asdf"), &bytes).expect("written");
    let kept = folder.json(&["salvage", "bad.asdf", "kept.asdf", "--format", "json"]);
    assert_eq!((&kept["arrays"], &kept["lost"][0]["path"]), (&json!(1), &json!("/whole")));
    assert_eq!(kept["lost"][0]["rows"], json!(1 << 20));
    let read = open(folder.path("kept.asdf"));
    let tail = read.array("/tail").and_then(|tail| tail.read::<u32>()).expect("kept");
    assert!(tail.as_slice() == Some(&values[2_750_000..2_950_000]));
    let rows = read.array("/whole/first_rows").and_then(|rows| rows.read::<u32>()).expect("kept");
    assert!(rows.as_slice() == Some(&values[..1 << 20]));
}
