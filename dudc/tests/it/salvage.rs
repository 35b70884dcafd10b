//! Streams whose layout is cut off or damaged: what is said of them, and what is got out of them.

use crate::kit::Folder;
use serde_json::Value;

/// The stream with this many bytes, as `cut.bd`.
fn cut(folder: &Folder, length: usize) {
    folder.write("cut.bd", &folder.bytes("run.bd")[..length]);
}

/// Where the layout begins.
fn layout_at(folder: &Folder) -> usize {
    let whole = folder.bytes("run.bd");
    u64::from_le_bytes(whole[8..16].try_into().expect("8 bytes")) as usize
}

#[test]
fn a_layout_that_is_cut_off_is_an_error_with_what_to_do() {
    let folder = Folder::packed("--attach");
    let (at, whole) = (layout_at(&folder), folder.bytes("run.bd").len());
    let mut codes = Vec::new();
    for length in at..whole - 1 {
        cut(&folder, length);
        let said = folder.run("verify cut.bd --format json");
        let json: Value = serde_json::from_str(&said.out).expect("JSON");
        let mut rows = json["findings"].as_array().expect("rows").iter();
        let row = rows.find(|row| row["severity"] != "note").expect("a finding");
        let code = row["code"].as_str().expect("a code").to_owned();
        let expected = if code == "no-terminator" { (0, "warning") } else { (1, "error") };
        assert_eq!(
            (said.status, row["severity"].as_str()),
            (expected.0, Some(expected.1)),
            "{length}"
        );
        if code == "layout-cut" {
            assert_eq!(row["address"], at, "{length}");
            let message = row["message"].as_str().expect("text");
            assert!(message.contains("the stream ends within its layout"), "{message}");
            assert!(message.contains("`dudc salvage`"), "{message}");
        }
        codes.push(code);
    }
    assert_eq!(codes[0], "signature", "nothing of it is left");
    let cuts = codes.iter().filter(|code| *code == "layout-cut").count();
    let whole = codes.iter().filter(|code| *code == "no-terminator").count();
    assert_eq!(cuts + whole + 1, codes.len(), "{codes:?}");
    assert!(whole <= 4, "only what lacks nothing but its terminator: {codes:?}");
}

#[test]
fn a_layout_with_errors_says_what_to_do() {
    let folder = Folder::packed("--attach");
    let at = layout_at(&folder);
    cut(&folder, at + 30);
    for words in ["get cut.bd /grp/rho", "ls cut.bd", "dump cut.bd"] {
        let said = folder.finds(words);
        assert!(
            said.contains("help: the layout attached to the stream is damaged or cut off"),
            "{said}"
        );
        assert!(said.contains("`--layout X.dud`"), "{said}");
    }
    cut(&folder, at);
    assert!(folder.finds("get cut.bd /grp/rho").contains("`--layout X.dud`"));
    assert!(folder.done("get cut.bd /grp/rho --layout run.dud").ends_with("[1.0, 2.5, 4.0]\n"));
    assert!(!folder.finds("check cut.bd").contains("help: the layout attached"));
}

#[test]
fn a_given_layout_makes_a_stream_whole() {
    let folder = Folder::packed("--attach");
    let whole = folder.bytes("run.bd");
    let at = layout_at(&folder);
    for length in [at, at + 1, at + 30, whole.len() - 1] {
        cut(&folder, length);
        let said = folder.done("salvage cut.bd --layout run.dud -o out.bd --force");
        assert!(said.contains("given with --layout"), "{said}");
        assert!(said.contains(&format!("data     {} bytes, to address {at}", at - 16)), "{said}");
        assert_eq!(folder.bytes("out.bd"), whole, "{length}");
    }
    folder.write("cut.bd", &whole);
    folder.flip("cut.bd", at as i64 + 13);
    let said = folder.finds("salvage cut.bd");
    assert!(said.contains("`--layout X.dud` gives one"), "{said}");
    folder.done("salvage cut.bd --layout run.dud -o out.bd --force");
    assert_eq!(folder.bytes("out.bd"), whole);
    // Another layout would take the text for data.
    folder.write("other.dud", "x = f8[100]");
    let said = folder.finds("salvage cut.bd --layout other.dud");
    assert!(said.contains("lies inside the data"), "{said}");
}

#[test]
fn what_is_missing_of_the_data_is_named() {
    let folder = Folder::packed("--attach");
    cut(&folder, 40);
    // It is written, and not all is there.
    let said = folder.finds("salvage cut.bd --layout run.dud -o out.bd");
    assert!(said.contains("data     24 bytes, to address 40\nmissing  24 bytes"), "{said}");
    assert!(said.contains("/grp/rho") && said.contains("/grp/name"), "{said}");
    assert!(folder.done("get out.bd /grp/rho[0] --layout run.dud").ends_with("1.0\n"));
    let said = folder.finds("get out.bd /grp/rho[2] --layout run.dud");
    assert!(said.contains("are needed at address"), "{said}");
    assert!(folder.finds("get out.bd /grp/rho").contains("no layout"));
    // Not even the params.
    cut(&folder, 20);
    let said = folder.finds("salvage cut.bd --layout run.dud --format json");
    let json: Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!((&json["whole"], &json["data"]["bytes"]), (&false.into(), &4.into()), "{json}");
    assert_eq!(folder.run("salvage - --layout run.dud").status, 2);
}

#[test]
fn a_healthy_stream_has_nothing_unused() {
    for words in ["--attach", "--index", "--checksum"] {
        let folder = Folder::packed(words);
        let said = folder.done("salvage run.bd");
        assert!(said.ends_with("not used 0 bytes\n"), "{said}");
        assert_eq!(said.contains("\nindex "), words != "--attach", "{said}");
    }
    let folder = Folder::packed("--attach");
    folder.write("y.json", r#"{"y": 1}"#);
    folder.done("append run.bd --reserve 1000 --text y=i4 --data y.json");
    let said = folder.done("salvage run.bd");
    assert!(said.contains("reserve  1") && said.ends_with("not used 0 bytes\n"), "{said}");
}

#[test]
fn many_terminators_and_long_layouts_are_looked_at_once() {
    let folder = Folder::empty();
    let head = [&b"\x8d<BD\r\n\x1a\n"[..], &[0xee; 8]].concat();
    // Each of these ends could be that of a layout which begins anywhere before it.
    folder.write("t.bd", [&head[..], &b"-\n".repeat(20_000)].concat());
    let said = folder.fails("salvage t.bd", 1);
    assert!(said.contains("40000 texts were tried"), "{said}");
    // A layout in order, whose data would be longer than what lies before it.
    let items = (0..2000).map(|at| format!("P{at} : i4\nx{at} = f8[P{at}]\n"));
    let layout = format!("{}-\n", items.collect::<String>());
    folder.write("p.bd", [&head[..], &[0x7f; 400], layout.as_bytes()].concat());
    let said = folder.fails("salvage p.bd", 1);
    let tried = said.split(" texts were tried").next().and_then(|it| it.rsplit(' ').next());
    let tried: u64 = tried.and_then(|it| it.parse().ok()).expect("a number");
    assert!((16..=64).contains(&tried), "{said}");
}
