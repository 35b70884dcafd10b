//! The built binary on arrays that see their block otherwise: repeated by strides of 0, or in front of its beginning.

use crate::kit::Folder;

/// A file with an array of floats, of which its block has these.
fn file(folder: &Folder, name: &str, view: &str, values: &[f64]) {
    let head = "#ASDF 1.0.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";
    let array = "!core/ndarray-1.1.0 {source: 0, datatype: float64, byteorder: little";
    let mut bytes = format!("{head}x: {array}, {view}}}\ny: 1\n...\n").into_bytes();
    bytes.extend(b"\xd3BLK\0\x30\0\0\0\0\0\0\0\0");
    let size = (8 * values.len() as u64).to_be_bytes();
    bytes.extend([size, size, size, [0; 8], [0; 8]].concat());
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    folder.write(name, bytes);
}

#[test]
fn what_is_repeated_is_read_however_much_it_comes_to() {
    let folder = Folder::empty();
    let values: Vec<f64> = (0..3000).map(f64::from).collect();
    file(&folder, "t.asdf", "shape: [3000, 3000], strides: [8, 0]", &values);
    folder.done("verify t.asdf");
    assert!(folder.done("ls t.asdf /x").contains(" 72000000 "));
    assert!(folder.done("get t.asdf /x[2,-2:]").contains("[2.0, 2.0]"));
    assert!(folder.done("get t.asdf /x").contains("[2999.0, 2999.0, 2999.0"));
    let stat = folder.json("stat t.asdf /x --format json").to_string();
    assert!(stat.contains("1499.5") && stat.contains("9000000"), "{stat}");
    folder.done("get t.asdf /x -o x.raw");
    let raw = folder.bytes("x.raw");
    assert!(raw.len() == 72_000_000 && raw.ends_with(&[2999_f64.to_le_bytes(); 3000].concat()));
    folder.done("convert t.asdf u.asdf");
    assert!(folder.bytes("u.asdf").len() < 100_000);
    folder.done("diff t.asdf u.asdf");
    // All of it as text would be held in memory.
    let said = folder.run("dump t.asdf --nested");
    assert!(said.status == 1 && said.err.contains("in memory for a block of 24000"), "{said:?}");
    assert!(said.out.contains("\"y\": 1"), "{}", said.out);
}

#[test]
fn bytes_in_front_of_a_block_are_told_as_they_are() {
    let folder = Folder::empty();
    for (view, needs) in [
        ("shape: [3], strides: [-8], offset: 8", "needs bytes -8 to 16 of"),
        ("shape: [2, 3], strides: [8, -8]", "needs bytes -16 to 16 of"),
        ("shape: [2], strides: [-9223372036854775808]", "needs bytes -9223372036854775808 to 8 of"),
        ("shape: [3], strides: [8]", "needs bytes 0 to 24 of"),
    ] {
        file(&folder, "t.asdf", view, &[1.0, 2.0]);
        let said = folder.finds("verify t.asdf");
        assert!(said.contains(needs) && said.contains("which has 16"), "{said}");
        assert!(folder.finds("get t.asdf /x").contains(needs));
    }
}

#[test]
fn what_comes_to_far_more_than_is_stored_is_written_if_asked() {
    let folder = Folder::empty();
    let views = [
        "shape: [1000000, 1000000], strides: [0, 0]",
        "shape: [1000000000000], strides: [0]",
        "shape: [200000000], strides: [0]",
    ];
    for view in views {
        file(&folder, "t.asdf", view, &[2.5]);
        let outs = ["o.bd", "o.npz", "o.npy", "o.b2nd", "o.b2frame", "o"];
        let mut words: Vec<String> =
            outs.iter().map(|out| format!("convert t.asdf {out}")).collect();
        words.extend(["asdf", "finf", "bd"].map(|out| format!("convert t.asdf o.{out} /x[:]")));
        words.extend(["npy", "raw", "csv", "json"].map(|out| format!("get t.asdf /x -o o.{out}")));
        for words in words {
            let said = folder.run(&*words);
            assert!(
                said.status == 1 && said.err.contains("--allow-expansion"),
                "{words}: {said:?}"
            );
            assert!(!folder.path(words.split(' ').nth(2).unwrap_or_default()).exists(), "{words}");
        }
        for words in ["stat t.asdf", "stat t.asdf /x", "stat t.asdf /x[:]"] {
            let said = folder.run(words);
            assert!(
                said.status == 1 && said.err.contains("--allow-expansion"),
                "{words}: {said:?}"
            );
        }
        assert!(folder.done("stat t.asdf /x[:3]").contains("2.5"), "{view}");
        // As it is, and parts of it.
        for out in ["u.asdf", "u.finf"] {
            folder.done(&["convert", "t.asdf", out, "--force"]);
            assert!(folder.bytes(out).len() < 1000, "{view} {out}");
        }
        folder.done("convert t.asdf p.bd /x[:3] --force");
        assert!(folder.done("stat p.bd").contains("2.5"));
    }
    // Many that each come to little enough.
    let array = "!core/ndarray-1.1.0 {source: 0, datatype: float64, byteorder: little, shape: [50000000], strides: [0]}";
    let more: Vec<String> = (0..9).map(|at| format!("x{at}: {array}")).collect();
    let view = format!("shape: [1]}}\n{}\nz: {{a: 1", more.join("\n"));
    file(&folder, "m.asdf", &view, &[2.5]);
    assert!(folder.run("convert m.asdf o.bd").err.contains("--allow-expansion"));
    folder.done("convert m.asdf o.npy /x0[:1000000] --allow-expansion");
    assert_eq!(folder.bytes("o.npy").len(), 8_000_128);
    // Of a quantity its slices are those of its value.
    let view = "shape: [1]}\nq: !unit/quantity-1.2.0 {unit: m, value: !core/ndarray-1.1.0 {source: 0, datatype: \
                float64, byteorder: little, shape: [1000000000000], strides: [0]}";
    file(&folder, "q.asdf", view, &[2.5]);
    for words in [
        "get q.asdf /q[:] -o o.npy",
        "get q.asdf /q[:] -o o.json",
        "convert q.asdf o.npy /q[:]",
        "convert q.asdf o.bd /q[:]",
        "stat q.asdf /q[:]",
    ] {
        assert!(folder.fails(words, 1).contains("--allow-expansion"), "{words}");
    }
    // Chunks that are not there.
    let chunk = "{start: [0], ndarray: !core/ndarray-1.1.0 [1.0, 2.0]}";
    for chunks in ["", chunk] {
        let chunks = format!(
            "shape: [1000000000000], datatype: float64, byteorder: little, chunks: [{chunks}]"
        );
        let view = format!("shape: [1]}}\nc: !core/chunked-ndarray-1.0.0 {{{chunks}");
        file(&folder, "c.asdf", &view, &[2.5]);
        let said = folder.run("convert c.asdf o.npz");
        assert!(said.status == 1 && said.err.contains("--allow-expansion"), "{said:?}");
    }
}
