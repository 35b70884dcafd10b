//! The built binary and the filters of `asdf-bridge`: every command that writes or opens streams knows them.

use crate::kit::Folder;

const LAYOUT: &str = "N : 400  x = f8[N] -> blosc2(\"zstd\", 5)  y = i4[N] -> asdf_lz4  z = u2[N] -> blosc_chunk  n = i4\n";

fn folder() -> Folder {
    let folder = Folder::empty();
    folder.write("l.dud", LAYOUT);
    let numbers: Vec<String> = (0..400).map(|at| (at % 7).to_string()).collect();
    let list = numbers.join(", ");
    folder.write(
        "l.json",
        format!("{{\"x\": [{list}], \"y\": [{list}], \"z\": [{list}], \"n\": 9}}"),
    );
    folder
}

#[test]
fn streams_with_any_filter_are_written_and_read() {
    let folder = folder();
    folder.done("check l.dud");
    folder.done("pack l.dud -o l.bd --data l.json --index");
    let shown = |name: &str, path: &str| folder.done(&format!("get {name} {path}"));
    assert_eq!(shown("l.bd", "/x[5:9]"), "<f8[4]\n[5.0, 6.0, 0.0, 1.0]\n");
    assert_eq!(shown("l.bd", "/z[-1]"), "0\n");
    assert_eq!(shown("l.bd", "/n"), "9\n");
    let text = "more = f4[4] -> blosc2(\"lz4\", 1)";
    let words = ["append", "l.bd", "--text", text, "--data", "more.json", "--index"];
    folder.write("more.json", "{\"more\": [1, 2, 3, 4]}");
    folder.done(&words[..]);
    assert_eq!(shown("l.bd", "/more[2:4]"), "<f4[2]\n[3.0, 4.0]\n");
    assert_eq!(shown("l.bd", "/n"), "9\n");
    folder.done("verify l.bd");
    folder.done("get l.bd /x -o x.npy");
    folder.write("one.dud", "x = f8[400] -> blosc2(\"blosclz\", 9)\n");
    folder.done("convert x.npy x.bd --layout one.dud");
    assert_eq!(shown("x.bd", "/x[5:9]"), shown("l.bd", "/x[5:9]"));
    folder.done("family build f.bd l.bd");
    folder.done("family get f.bd /n");
}

#[test]
fn json_is_whole_where_reading_fails_late() {
    let folder = Folder::empty();
    folder.write("l.dud", "l [/ x = i4[400] -> blosc2(\"blosclz\", 5)]*3\n");
    let numbers: Vec<String> = (0..400).map(|at| (at * at % 91).to_string()).collect();
    let one = format!("{{\"x\": [{}]}}", numbers.join(", "));
    folder.write("l.json", format!("{{\"l\": [{one}, {one}, {one}]}}"));
    folder.done("pack l.dud -o l.bd --data l.json --index");
    let rows = folder.json("ls l.bd --format json");
    let address = rows["items"][1]["address"].as_u64().expect("an address") as usize;
    let mut bytes = folder.bytes("l.bd");
    // Behind the size of the filtered item: the bytes that the chunk says that it has.
    bytes[address + 8 + 12..][..4].fill(0xff);
    folder.write("l.bd", bytes);
    let said = folder.run("get l.bd /l[:]/x --format json");
    assert_eq!(said.status, 1, "{said:?}");
    let found: serde_json::Value = serde_json::from_str(&said.out).expect("whole JSON");
    assert_eq!(found["value"].as_array().map(Vec::len), Some(1), "{said:?}");
    assert_eq!(found["value"][0].as_array().map(Vec::len), Some(400));
    let error = found["error"].as_str().expect("why");
    assert!(said.err.contains(error), "{said:?}");
    // Beside a value alone there is no place for that.
    let said = folder.run("dump l.bd /l[:]/x --nested");
    assert_eq!((said.status, &*said.out), (1, ""), "{said:?}");
}
