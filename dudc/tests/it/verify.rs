//! `dudc verify`: what it finds, where, and what it repairs.

use crate::kit::{Folder, LAYOUT};
use serde_json::Value;

/// Code, severity, address and path of all findings.
#[track_caller]
fn found(folder: &Folder, words: &str) -> Vec<(String, String, Option<u64>, Option<String>)> {
    let said = folder.run(&format!("verify --format json {words}"));
    let json: Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!(json["version"], 1);
    let rows = json["findings"].as_array().expect("rows");
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let errors = rows.iter().any(|row| row["severity"] == "error");
    assert_eq!(said.status, i32::from(errors), "{}", said.err);
    rows.iter()
        .map(|row| {
            let code = text(&row["code"]).expect("a code");
            let severity = text(&row["severity"]).expect("a severity");
            (code, severity, row["address"].as_u64(), text(&row["path"]))
        })
        .collect()
}

fn one(
    code: &str,
    severity: &str,
    address: u64,
    path: Option<&str>,
) -> Vec<(String, String, Option<u64>, Option<String>)> {
    vec![(code.to_owned(), severity.to_owned(), Some(address), path.map(str::to_owned))]
}

#[test]
fn an_intact_file_has_nothing() {
    for words in ["", "--attach", "--index", "--checksum", "--checksum --order big"] {
        let folder = Folder::packed(words);
        let extra = if words.is_empty() { " --layout run.dud" } else { "" };
        let said = folder.done(&format!("verify run.bd{extra}"));
        assert_eq!(said, "run.bd: 0 errors, 0 warnings\n", "{words}");
    }
}

#[test]
fn changed_data_has_the_path_and_the_place() {
    let folder = Folder::packed("--checksum");
    folder.flip("run.bd", 40);
    assert_eq!(found(&folder, "run.bd"), one("checksum", "error", 32, Some("/grp/rho")));
    let said = folder.finds("verify run.bd");
    assert!(
        said.starts_with("run.bd: 32..56 error[checksum]: `/grp/rho`: 24 bytes at address 32"),
        "{said}"
    );
    assert!(said.ends_with("run.bd: 1 error, 0 warnings\n"), "{said}");
}

#[test]
fn values_that_are_not_legal_are_found_without_checksums() {
    let folder = Folder::packed("--attach");
    let whole = folder.bytes("run.bd");
    folder.flip("run.bd", 25);
    assert_eq!(found(&folder, "run.bd"), one("const", "error", 24, Some("/magic")));
    folder.write("run.bd", &whole);
    folder.flip("run.bd", 26);
    assert_eq!(found(&folder, "run.bd"), one("odd-value", "warning", 26, Some("/flags")));
    let mut bytes = whole.clone();
    bytes[56] = 0xff;
    folder.write("run.bd", &bytes);
    assert_eq!(found(&folder, "run.bd"), one("odd-value", "warning", 56, Some("/grp/name")));
    let mut bytes = whole.clone();
    bytes[23] = 0xff;
    folder.write("run.bd", &bytes);
    let codes: Vec<String> = found(&folder, "run.bd").into_iter().map(|it| it.0).collect();
    assert_eq!(codes[0], "param-value");
    assert!(codes.contains(&"unplaced".to_owned()), "{codes:?}");
}

#[test]
fn bytes_behind_what_cannot_be_placed_may_be_of_it() {
    let folder = Folder::empty();
    folder.write("x.dud", "l [{\n  N : i1\n  a = u1[N]\n}] * 2\nb = u1[4]\n");
    folder.write("x.raw", [1, b'a', 0xf9, 0, 0, 0, 0]);
    let said = folder.finds("verify x.raw --layout x.dud");
    assert!(said.contains("error[unplaced]: `/l`: the param `N` is -7"), "{said}");
    assert!(
        said.contains(
            "0..7 note[gap]: no item that could be placed describes 7 bytes behind the data"
        ),
        "{said}"
    );
}

#[test]
fn lengths_gaps_and_overlaps_are_found() {
    let folder = Folder::packed("");
    let mut bytes = folder.bytes("run.bd");
    folder.write("run.bd", &bytes[..40]);
    let cut = found(&folder, "run.bd --layout run.dud");
    assert_eq!(cut[..1], one("truncated", "error", 32, Some("/grp/rho")));
    assert_eq!(cut[1..], one("truncated", "error", 56, Some("/grp/name")));
    bytes.extend([1; 30]);
    folder.write("run.bd", &bytes);
    assert_eq!(found(&folder, "run.bd --layout run.dud"), one("gap", "note", 64, None));
    folder.write("other.dud", "a = f8  b = i1[20] @60  c = i2 @70  d = i1 @4");
    let places = found(&folder, "run.bd --layout other.dud");
    let expected = [
        one("overlap", "warning", 4, Some("/d")),
        one("overlap", "warning", 70, Some("/c")),
        one("gap", "note", 24, None),
    ];
    assert_eq!(places[..3], expected.concat());
    // One by two names, and two.
    for (of, overlaps) in
        [("i1[20]", false), ("u1[20]", true), ("i2[10]", true), ("i1[4, 5]", true)]
    {
        folder.write("same.dud", format!("a = f8  b = i1[20] @60  c = {of} @60"));
        let same = format!("{:?}", found(&folder, "run.bd --layout same.dud"));
        assert_eq!(same.contains("overlap"), overlaps, "{of}: {same}");
    }
}

#[test]
fn a_damaged_signature_or_layout_is_a_finding() {
    let folder = Folder::packed("--attach");
    let whole = folder.bytes("run.bd");
    folder.flip("run.bd", 0);
    assert_eq!(found(&folder, "run.bd")[0].0, "signature");
    folder.write("run.bd", &whole[..70]);
    assert_eq!(found(&folder, "run.bd")[0].0, "layout-cut");
    folder.write("run.bd", [&whole[..64], b"x = f9\n-\n"].concat());
    assert_eq!(found(&folder, "run.bd")[0].0, "layout");
    let mut bytes = whole.clone();
    bytes[8] = 60;
    bytes.splice(60..64, *b"    ");
    folder.write("run.bd", &bytes);
    let codes: Vec<String> = found(&folder, "run.bd").into_iter().map(|it| it.0).collect();
    assert!(codes.contains(&"layout-in-data".to_owned()), "{codes:?}");
}

#[test]
fn checksums_of_the_layout_are_compared() {
    let folder = Folder::packed("");
    let sums = "#: crc32 = 0x5b2dabd0, crc32c = 'b10afd0a', adler32 = 1, md5 = 'd41d8cd9'";
    let text = LAYOUT.replace("density", &format!("density\n  {sums}"));
    folder.write("sums.dud", text);
    let found = found(&folder, "run.bd --layout sums.dud");
    let codes: Vec<&str> = found.iter().map(|it| it.0.as_str()).collect();
    assert_eq!(codes, ["checksum", "checksum", "checksum", "checksum-unknown"]);
    let said = folder.finds("verify run.bd --layout sums.dud");
    assert!(said.contains("`crc32` is 0x5b2dabd0, but that of its bytes is 0x"), "{said}");
    // What it says is right, is right.
    let right = |name: &str| {
        let line = said.lines().find(|line| line.contains(&format!("`{name}`"))).expect("a line");
        line.rsplit(' ').next().expect("a number").to_owned()
    };
    let sums = format!(
        "#: crc32 = {}, crc32c = {}, adler32 = {}",
        right("crc32"),
        right("crc32c"),
        right("adler32")
    );
    folder.write("sums.dud", LAYOUT.replace("density", &format!("density\n  {sums}")));
    folder.done("verify run.bd --layout sums.dud");
    // adler32 of the bytes of 1.0, 2.5, 4.0, and crc32 of them, by zlib.
    assert_eq!((right("adler32").as_str(), right("crc32").as_str()), ("0x17ef01c4", "0xd0d5d007"));
}

#[test]
fn what_stands_behind_the_layout_is_told() {
    let folder = Folder::packed("--index");
    let whole = folder.bytes("run.bd");
    folder.write("run.bd", &whole[..whole.len() - 3]);
    let address = folder.done("index run.bd");
    let address: u64 = address.trim().rsplit(' ').next().expect("an address").parse().expect("one");
    folder.write("run.bd", &whole[..whole.len() - 3]);
    assert_eq!(found(&folder, "run.bd"), one("index-torn", "warning", address, None));
    folder.write("run.bd", [&whole[..address as usize], b"notes of mine"].concat());
    assert_eq!(found(&folder, "run.bd")[0].0, "trailing");
    folder.done("verify --fix run.bd");
    assert!(folder.bytes("run.bd").ends_with(b"notes of mine"), "nothing is lost");
}

#[test]
fn a_layout_that_its_index_is_not_of_is_an_error() {
    let folder = Folder::packed("--index --checksum");
    let whole = folder.bytes("run.bd");
    let at = whole.windows(8).position(|part| part == b"g/cc) de").expect("the layout's text");
    let mut bytes = whole.clone();
    bytes[at] = b'k';
    folder.write("run.bd", &bytes);
    assert_eq!(found(&folder, "run.bd")[0].0, "layout-changed");
    assert_eq!(folder.run("verify --fix run.bd").status, 1);
    assert_eq!(folder.bytes("run.bd"), bytes, "which of both is wrong is not for us to say");
}

#[test]
fn an_index_is_set_right() {
    let folder = Folder::packed("--index");
    let whole = folder.bytes("run.bd");
    folder.flip("run.bd", -90);
    assert_eq!(found(&folder, "run.bd")[0].0, "index-damaged");
    let said = folder.run("verify --fix run.bd");
    assert_eq!((said.status, said.out.as_str()), (0, "run.bd: 0 errors, 0 warnings\n"));
    assert_eq!(said.err, "run.bd: the index is made anew\n");
    folder.done("index --check run.bd");

    folder.write("run.bd", &whole[..whole.len() - 3]);
    assert_eq!(folder.done("verify --fix run.bd"), "run.bd: 0 errors, 0 warnings\n");
    assert!(folder.bytes("run.bd").ends_with(b"\n-\n"), "the torn index is cut off");

    // A value that addresses depend on has changed.
    let mut bytes = whole;
    bytes[16] = 2;
    folder.write("run.bd", &bytes);
    assert!(found(&folder, "run.bd").iter().any(|it| it.0 == "index-stale"));
    folder.done("verify --fix run.bd");
    assert!(found(&folder, "run.bd").iter().all(|it| it.0 != "index-stale"));
    assert_eq!(folder.run("verify --fix run.bd --param N=3").status, 2);
}

#[test]
fn files_that_cannot_be_read_leave_the_others() {
    let folder = Folder::packed("--attach");
    let said = folder.run("verify none.bd run.bd");
    assert_eq!((said.status, said.out.as_str()), (3, "run.bd: 0 errors, 0 warnings\n"));
    assert!(said.err.contains("none.bd"), "{}", said.err);
    assert_eq!(folder.run("verify .").status, 3);
}

#[test]
fn an_interrupted_extension_is_told_and_taken_back() {
    let marker = b"copy of the layout, while the stream is extended\n";
    let folder = Folder::packed("--attach");
    let whole = folder.bytes("run.bd");
    let layout = u64::from_le_bytes(whole[8..16].try_into().expect("8 bytes")) as usize;

    // The copy is there, and nothing else was done.
    let mut bytes = whole.clone();
    bytes.resize(whole.len().next_multiple_of(8), 0);
    let copy = bytes.len();
    bytes.extend(&whole[layout..]);
    bytes.extend(marker);
    folder.write("run.bd", &bytes);
    let end = whole.len() as u64;
    assert_eq!(found(&folder, "run.bd"), one("interrupted", "warning", end, None));
    assert_eq!(folder.done("verify --fix run.bd"), "run.bd: 0 errors, 0 warnings\n");
    assert_eq!(folder.bytes("run.bd"), whole);

    // The copy is in force, and where the layout was there is new data.
    bytes[8..16].copy_from_slice(&(copy as u64).to_le_bytes());
    bytes[layout..layout + 20].fill(0x55);
    folder.write("run.bd", &bytes);
    let codes: Vec<String> = found(&folder, "run.bd").into_iter().map(|it| it.0).collect();
    assert_eq!(codes, ["interrupted"]);
    let said = folder.run("verify --fix run.bd");
    assert_eq!((said.status, said.out.as_str()), (0, "run.bd: 0 errors, 0 warnings\n"));
    assert!(said.err.contains("the interrupted extension is rolled back"), "{}", said.err);
    assert!(folder.done("get run.bd /grp/rho").ends_with("[1.0, 2.5, 4.0]\n"));
    assert_eq!(folder.done("detach run.bd"), LAYOUT);
}

#[test]
fn records_are_appended_to_a_stream_with_checksums() {
    let folder = Folder::packed("--attach");
    folder.write("h.dud", "NT : i8  hist = f8[NT]\n");
    folder.write("h.json", r#"{"NT": 0, "hist": []}"#);
    folder.write("more.json", "[1.5, 2.5]");
    folder.done("pack h.dud -o h.bd --data h.json --attach");
    folder.done("append h.bd /hist --data more.json --reserve 1000");
    folder.done("index --checksum h.bd");
    assert_eq!(found(&folder, "h.bd"), [], "a reserve is no finding");
    folder.done("append h.bd /hist --data more.json");
    assert_eq!(found(&folder, "h.bd"), [], "the checksums are gone");
    assert!(folder.finds("index --check h.bd").contains("there is no index"));
}

/// A stream with checksums, whose addresses depend on a count.
fn counted() -> Folder {
    let folder = Folder::packed("");
    folder.write("two.dud", "N : i8\nx = f8[N]\ny = f8[2]\n");
    folder.write("two.json", r#"{"N": 3, "x": [1, 2, 3], "y": [4, 5]}"#);
    folder.done("pack two.dud -o two.bd --data two.json --checksum");
    folder
}

#[test]
fn a_damaged_count_is_told_by_its_checksum() {
    let folder = counted();
    let mut bytes = folder.bytes("two.bd");
    bytes[16] = 1;
    folder.write("two.bd", &bytes);
    let told = found(&folder, "two.bd");
    assert_eq!(told[0].0, "index-stale");
    assert_eq!(told[1..], one("checksum", "error", 16, Some("/:N")));
    for words in ["verify --fix two.bd", "index two.bd", "index --checksum two.bd"] {
        let said = folder.finds(words);
        assert!(said.contains("other bytes in `/:N`"), "{said}");
        assert!(said.contains("dudc index --force"), "{said}");
        assert_eq!(folder.bytes("two.bd"), bytes, "{words}");
    }
    folder.done("index --checksum --force two.bd");
    assert_eq!(found(&folder, "two.bd"), []);
}

/// A stream of a thousand arrays with checksums, and where its index begins.
fn many() -> (Folder, usize) {
    let folder = Folder::packed("");
    let lines: Vec<String> = (0..1000).map(|at| format!("x{at:04} = i4[4]")).collect();
    folder.write("many.dud", lines.join("\n"));
    let values: Vec<String> =
        (0..1000).map(|at| format!("\"x{at:04}\": [{at}, 1, 2, 3]")).collect();
    folder.write("many.json", format!("{{{}}}", values.join(", ")));
    folder.done("pack many.dud -o many.bd --data many.json --checksum");
    let said = folder.done("index --check many.bd");
    let address = said.trim().rsplit(' ').next().expect("an address");
    (folder, address.parse().expect("a number"))
}

#[test]
fn a_damaged_index_hides_no_damaged_data() {
    let (folder, index) = many();
    let whole = folder.bytes("many.bd");
    // Entries stand before the checksums.
    let mut bytes = whole.clone();
    bytes[index + 9000] ^= 1;
    folder.write("many.bd", &bytes);
    assert_eq!(found(&folder, "many.bd")[0].0, "index-damaged");
    let said = folder.run("verify --fix many.bd");
    assert_eq!((said.status, said.out.as_str()), (0, "many.bd: 0 errors, 0 warnings\n"));
    assert!(said.err.contains("with its checksums"), "{}", said.err);
    assert!(folder.done("index --check many.bd").contains("1000 checksums"));

    bytes[16 + 500 * 16] ^= 1;
    folder.write("many.bd", &bytes);
    let told = found(&folder, "many.bd");
    assert_eq!(told[0].0, "index-damaged");
    assert_eq!(told[1..], one("checksum", "error", 16 + 500 * 16, Some("/x0500")));
    let said = folder.finds("verify --fix many.bd");
    assert!(said.contains("other bytes in `/x0500`"), "{said}");
    assert_eq!(folder.bytes("many.bd"), bytes);
    assert_eq!(folder.run("append many.bd --text 'y=i4' --param N=3 --index").status, 1);
}

#[test]
fn damaged_checksums_are_not_given_up() {
    let (folder, _) = many();
    let whole = folder.bytes("many.bd");
    // The last checksum, before the checks of the blocks.
    let mut bytes = whole.clone();
    let blocks = bytes.len().div_ceil(4096) * 4;
    let row = (0..bytes.len() - 16)
        .rev()
        .skip(blocks.min(64))
        .find(|at| {
            bytes[*at..at + 12]
                == [&16016_u64.wrapping_sub(16).to_le_bytes()[..], &[16, 0, 0, 0]].concat()
        })
        .expect("the last extent");
    bytes[row + 12] ^= 1;
    folder.write("many.bd", &bytes);
    let told = found(&folder, "many.bd");
    let codes: Vec<&str> = told.iter().map(|it| it.0.as_str()).collect();
    assert_eq!(codes, ["index-damaged", "checksum"]);
    assert_eq!(told[1].1, "warning", "it may be the checksum that is wrong");
    let said = folder.finds("verify --fix many.bd");
    assert!(said.contains("it cannot be said whether the data is right"), "{said}");
    assert_eq!(folder.bytes("many.bd"), bytes);
}

#[test]
fn an_index_without_its_footer_keeps_its_checksums() {
    let folder = Folder::packed("--checksum");
    let whole = folder.bytes("run.bd");
    folder.flip("run.bd", -3);
    assert_eq!(found(&folder, "run.bd")[0].0, "index-torn");
    let said = folder.run("verify --fix run.bd");
    assert!(said.err.contains("with its checksums"), "{}", said.err);
    assert_eq!(folder.bytes("run.bd"), whole);

    folder.flip("run.bd", -3);
    folder.flip("run.bd", 40);
    let bytes = folder.bytes("run.bd");
    let told = found(&folder, "run.bd");
    assert_eq!(told[0].0, "index-torn");
    assert_eq!(told[1..], one("checksum", "error", 32, Some("/grp/rho")));
    assert!(folder.finds("verify --fix run.bd").contains("other bytes in `/grp/rho`"));
    assert_eq!(folder.bytes("run.bd"), bytes);

    // What is cut off further may still be compared, if it is all there.
    folder.write("run.bd", &whole[..whole.len() - 40]);
    folder.done("verify --fix run.bd");
    assert_eq!(folder.bytes("run.bd"), whole);
    folder.write("run.bd", &whole[..whole.len() - 60]);
    let said = folder.finds("verify --fix run.bd");
    assert!(said.contains("it cannot be said whether the data is right"), "{said}");
}

#[test]
fn damaged_data_gets_no_new_checksums() {
    let folder = Folder::packed("--checksum");
    folder.write("more.json", r#"{"u": 1}"#);
    folder.flip("run.bd", 40);
    let bytes = folder.bytes("run.bd");
    for words in [
        "index --checksum run.bd",
        "index run.bd",
        "append run.bd --text u=i4 --data more.json --index",
    ] {
        assert!(folder.finds(words).contains("other bytes in `/grp/rho`"), "{words}");
        assert_eq!(folder.bytes("run.bd"), bytes, "{words}");
    }
    folder.done("index --checksum --force run.bd");
    assert_eq!(found(&folder, "run.bd"), []);
    folder.done("append run.bd --text u=i4 --data more.json --index");
    assert!(folder.done("index --check run.bd").contains("6 checksums"));
}

#[test]
fn one_wrong_byte_of_a_signature_is_put_right() {
    let folder = Folder::packed("--attach");
    let whole = folder.bytes("run.bd");
    for at in 0..8 {
        folder.write("run.bd", &whole);
        folder.flip("run.bd", at);
        assert_eq!(found(&folder, "run.bd")[0].0, "signature");
        folder.done("salvage run.bd -o saved.bd --force");
        assert_eq!(folder.bytes("saved.bd"), whole);
        let said = folder.run("verify --fix run.bd");
        assert_eq!((said.status, said.out.as_str()), (0, "run.bd: 0 errors, 0 warnings\n"));
        assert_eq!(said.err, format!("run.bd: byte {at} of the signature is corrected\n"));
        assert_eq!(folder.bytes("run.bd"), whole);
    }
    // Where more is wrong it may be another kind of file.
    folder.flip("run.bd", 3);
    folder.flip("run.bd", 17);
    let bytes = folder.bytes("run.bd");
    assert_eq!(folder.run("verify --fix run.bd").status, 1);
    assert_eq!(folder.bytes("run.bd"), bytes);
    // Of the byte order there are two; where nothing tells which it was, nobody knows.
    folder.write("one.dud", "x = i4");
    folder.write("one.json", r#"{"x": 1}"#);
    for order in ["little", "big"] {
        folder
            .done(&format!("pack one.dud -o {order}.bd --data one.json --attach --order {order}"));
        let whole = folder.bytes(&format!("{order}.bd"));
        folder.flip(&format!("{order}.bd"), 1);
        folder.done(&format!("salvage {order}.bd -o saved.bd --force"));
        assert_eq!(folder.bytes("saved.bd"), whole, "{order}");
        folder.done(&format!("verify --fix {order}.bd"));
        assert_eq!(folder.bytes(&format!("{order}.bd")), whole, "{order}");
    }
    folder.done("pack one.dud -o bare.bd --data one.json");
    folder.flip("bare.bd", 1);
    assert_eq!(folder.run("verify --fix bare.bd --format json").status, 1);
    assert!(folder.finds("salvage bare.bd --layout one.dud").contains("3c or 3e"));
}

#[test]
fn an_attached_layout_is_judged_by_its_own_text() {
    let folder = Folder::packed("--attach");
    // The layout that is given has no terminator, the attached one has.
    let clean = "run.bd: 0 errors, 0 warnings\n";
    assert_eq!(folder.done("verify run.bd --layout run.dud"), clean);
    folder.write("h.dud", "NT : i8\nhist = [/ t = f8  r = f8[3]]*NT\n");
    folder.write("none.json", r#"{"NT": 0, "hist": []}"#);
    folder.write("one.json", r#"[{"t": 0.5, "r": [1, 2, 3]}]"#);
    folder.done("pack h.dud -o run.bd --data none.json --attach --force");
    folder.done("append run.bd /hist --data one.json");
    let text = folder.done("detach run.bd");
    folder.write("detached.dud", text);
    assert_eq!(folder.done("verify run.bd --layout detached.dud"), clean);

    // And the reverse: what is given has one.
    let mut bytes = folder.bytes("run.bd");
    let at = u64::from_le_bytes(bytes[8..16].try_into().expect("8 bytes"));
    bytes.truncate(bytes.len() - 2);
    folder.write("run.bd", &bytes);
    folder.write("given.dud", folder.done("detach run.bd") + "\n-\n");
    for words in ["run.bd", "run.bd --layout given.dud"] {
        let found = found(&folder, words);
        let codes: Vec<_> = found.iter().map(|it| (it.0.as_str(), it.2)).collect();
        assert_eq!(codes, [("layout-cut", Some(at))], "{words}");
    }
    // Half of it is no layout at all.
    bytes.truncate(at as usize + 20);
    folder.write("run.bd", &bytes);
    let found = found(&folder, "run.bd --layout given.dud");
    assert_eq!((found[0].0.as_str(), found[0].2), ("layout-cut", Some(at)));
}
