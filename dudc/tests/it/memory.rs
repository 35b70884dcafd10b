//! Memory does not grow with the number of values that a command visits.

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

    // What does not fit is reported by its place.
    folder
        .write("x.json", format!(r#"{{"x": [{}[1]], ":N": 0, "s": []}}"#, "[1, 2], ".repeat(2999)));
    let said = folder.run("pack x.dud -o y.raw --raw --data x.json");
    assert!(said.status == 1 && said.err.contains("`/x[0]`: expected 1000 items"), "{}", said.err);
}

/// A native stream: its data, and the layout behind them.
fn native(data: &[u8], layout: &str) -> Vec<u8> {
    let address = (16 + data.len() as u64).to_le_bytes();
    [&b"\x8d<BD\r\n\x1a\n"[..], &address, data, layout.as_bytes(), b"\n-\n"].concat()
}

/// This many structs that say their own lengths, which are all 3, behind their number.
fn varying(count: u64) -> Vec<u8> {
    [count.to_le_bytes().to_vec(), [3, 5, 6, 7].repeat(count as usize)].concat()
}

#[test]
fn structs_of_any_size_are_compared_in_bounded_memory() {
    const COUNT: u64 = 100_000;
    let folder = Folder::empty();
    let layout = "N : i8\nx = {n : u1  a = i1[n]}[N]";
    let mut data = varying(COUNT);
    folder.write("a.bd", native(&data, layout));
    // The second number of the last one but two, and the length of the last one.
    data[8 + 4 * (COUNT as usize - 3) + 2] = 16;
    data[8 + 4 * (COUNT as usize - 1)] = 2;
    folder.write("b.bd", native(&data, layout));
    let said = folder.within(100, "diff a.bd b.bd --jobs 1 --format json");
    assert_eq!(said.status, 1, "{}", said.err);
    let told: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    let text = told.to_string();
    assert!(text.contains("/x.a[99999]") && text.contains("[99997,1]"), "{text}");
    assert!(text.contains(&format!("\"of\":{}", 3 * (COUNT - 1))), "{text}");
}

#[test]
fn structs_of_any_size_are_written_for_numpy_in_bounded_memory() {
    const COUNT: u64 = 100_000;
    let folder = Folder::empty();
    let head = "N : i8\nT {n : u1  \"\" = i1[n]}\nS {n : u1  a = i1[n]}\n";
    folder.write("x.bd", native(&varying(COUNT), &format!("{head}x = T[N]")));
    folder.write("y.bd", native(&varying(3), &format!("{head}x = S[N]")));
    let said = folder.within(90, "convert x.bd x.npy");
    assert_eq!(said.status, 0, "{}", said.err);
    let bytes = folder.bytes("x.npy");
    let shape = "{'descr': '<i8', 'fortran_order': False, 'shape': (100000, 3), }";
    assert!(bytes[10..].starts_with(shape.as_bytes()));
    assert_eq!(bytes.len() as u64, 128 + COUNT * 24);
    assert_eq!(bytes[bytes.len() - 24..], [5_i64, 6, 7].map(i64::to_le_bytes).concat());
    let said = folder.within(90, "convert y.bd y.npz");
    assert!(said.status == 1 && said.err.contains("`/x`: numpy has no array for this"), "{said:?}");
}

/// A node of a tree for each of them is too many.
#[test]
fn lists_of_very_many_records_are_no_trees() {
    let folder = Folder::empty();
    let layout = |list: &str| format!("N : i8\nl {list}");
    let data = |count: u64, each: usize| {
        [count.to_le_bytes().to_vec(), vec![0; count as usize * each]].concat()
    };
    for (list, count, each) in [
        ("[i4]*N", (1 << 18) + 1, 4),
        ("[/ a = u1  b = u1[2]]*131072", 1 << 17, 3),
        ("[b1]*N", 1 << 20, 1),
    ] {
        folder.write("x.bd", native(&data(count, each), &layout(list)));
        for to in ["asdf", "finf"] {
            let said = folder.within(150, &format!("convert x.bd y.{to}"));
            assert!(said.status == 1 && said.err.contains("262144 arrays"), "{list}: {said:?}");
            assert!(said.err.contains("`/l`"), "{list}: {said:?}");
        }
    }
    folder.write("x.bd", native(&data(100, 4), &layout("[i4]*N")));
    folder.done("convert x.bd y.asdf");
    // Dicts of one shape are an array for each member, however many they are.
    folder.write("x.bd", native(&data(1 << 17, 3), &layout("[/ a = u1  b = u1[2]]*N")));
    let said = folder.within(150, "convert x.bd z.asdf");
    assert_eq!((said.status, &*said.err), (0, ""));
}

/// Of the list its text is held.
#[test]
fn records_are_appended_from_json_in_bounded_memory() {
    const COUNT: usize = 50_000;
    let folder = Folder::empty();
    let layout = "N : i8\nl [/ t = f8  r = u1[3]]*N";
    folder.write("x.bd", native(&[0; 8], layout));
    let records = vec![r#"{"t": 0.5, "r": [1, 2, 3]}"#; COUNT].join(",\n");
    folder.write("x.json", format!("[{records}]"));
    let said = folder.within(80, "append x.bd /l --data x.json");
    assert_eq!(said.status, 0, "{}", said.err);
    // Records begin at multiples of 8.
    let (bytes, end) = (folder.bytes("x.bd"), 24 + 16 * COUNT - 5);
    assert_eq!(bytes[16..24], (COUNT as u64).to_le_bytes());
    assert_eq!(bytes[end - 11..end], [&0.5_f64.to_le_bytes()[..], &[1, 2, 3]].concat());
}

/// What is in an item of a list is found without a look at the whole item each time.
#[test]
fn long_lists_in_lists_are_packed_in_time() {
    const COUNT: usize = 20_000;
    let folder = Folder::empty();
    folder.write("x.dud", format!("N : i8\nl [/ t = u1  l [/ x = u1]*{COUNT}]*N"));
    let inner = vec![r#"{"x": 7}"#; COUNT].join(",");
    let outer = vec![format!(r#"{{"t": 1, "l": [{inner}]}}"#); 3].join(",");
    folder.write("x.json", format!(r#"{{"l": [{outer}]}}"#));
    let said = folder.bounded("pack x.dud -o x.bd --data x.json");
    assert_eq!(said.status, 0, "{}", said.err);
    assert_eq!(folder.bytes("x.bd").iter().filter(|it| **it == 7).count(), 3 * COUNT);
}

#[test]
fn long_lists_of_trees_are_gone_through_in_bounded_memory() {
    let folder = Folder::empty();
    // More than are visited of shared nodes, of which there are none.
    let items = vec!["7"; 1_100_000].join(", ");
    folder.write("t.asdf", format!("#ASDF 1.0.0\n%YAML 1.1\n--- {{l: [{items}]}}\n...\n"));
    let said = folder.within(450, "stat t.asdf");
    assert!(said.status == 0 && said.err.contains("no arrays are there"), "{said:?}");
}
