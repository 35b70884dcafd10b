//! Memory does not grow with the number of values that a command goes through.

use crate::kit::Folder;

/// Of JSON its text is held, and of an array what is written for it.
#[test]
fn arrays_are_packed_from_json_in_bounded_memory() {
    let folder = Folder::packed("");
    folder.write("x.dud", "x = f8[3000, 1000]  N : i4  s = {a = u1  b = U1[2]}[N]");
    let row = format!("[{}0.25]", "0.5,".repeat(999));
    let rows = vec![row; 3000].join(", ");
    let structs = vec![r#"{"a": 7, "b": "\u00e9"}"#; 200_000].join(",\n");
    folder.write("x.json", format!(r#"{{"x": [{rows}], ":N": 200000, "s": [{structs}]}}"#));
    let said = folder.within(300, "pack x.dud -o x.raw --raw --force --data x.json");
    assert_eq!(said.status, 0, "{}", said.err);
    let bytes = folder.bytes("x.raw");
    assert_eq!(bytes.len(), 24_000_000 + 4 + 600_000);
    assert_eq!(
        bytes[23_999_984..24_000_004],
        [&0.5_f64.to_le_bytes()[..], &0.25_f64.to_le_bytes(), &200_000_u32.to_le_bytes()].concat()
    );
    assert_eq!(bytes[24_600_001..], [7, 0xc3, 0xa9]);

    // What does not fit is told by its place.
    folder
        .write("x.json", format!(r#"{{"x": [{}[1]], ":N": 0, "s": []}}"#, "[1, 2], ".repeat(2999)));
    let said = folder.run("pack x.dud -o y.raw --raw --data x.json");
    assert!(said.status == 1 && said.err.contains("`/x[0]`: expected 1000 items"), "{}", said.err);
}
