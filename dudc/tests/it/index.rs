//! `dudc index`, and what `pack`, `get` and `ls` do with an index.

use crate::kit::Folder;

#[test]
fn an_index_is_made_checked_and_removed() {
    let folder = Folder::packed("--attach");
    let plain = folder.bytes("run.bd");
    assert!(folder.finds("index --check run.bd").contains("run.bd: there is no index"));

    let made = folder.done("index run.bd");
    assert!(made.starts_with("run.bd: index of 5 items, "), "{made}");
    assert_eq!(folder.done("index --check run.bd"), made);
    assert_eq!(folder.bytes("run.bd")[..plain.len()], plain);
    assert_eq!(folder.done("detach run.bd"), String::from_utf8_lossy(&detached(&plain)));

    let made = folder.done("index --checksum run.bd");
    assert!(made.contains("5 items, 5 checksums"), "{made}");
    assert_eq!(folder.done("index --remove run.bd"), "run.bd: the index is removed\n");
    assert_eq!(folder.bytes("run.bd"), plain);
    assert_eq!(folder.done("index --remove run.bd"), "run.bd: there was no index\n");
}

fn detached(file: &[u8]) -> Vec<u8> {
    let address = u64::from_le_bytes(file[8..16].try_into().expect("8 bytes")) as usize;
    let text = &file[address..];
    text[..text.len() - 2].to_vec()
}

#[test]
fn results_are_the_same_with_an_index() {
    let folder = Folder::packed("--attach");
    let folder_of = |folder: &Folder| {
        let words = [
            "get run.bd /grp/rho",
            "get run.bd /grp/rho[1:] --format json",
            "get run.bd /:N",
            "ls run.bd /grp/name",
            "ls run.bd /grp",
            "get run.bd /grp/nome",
            "dump run.bd /grp/rho",
            "dump run.bd /grp/rho[1:]",
            "dump run.bd /flags --nested",
            "dump run.bd /grp --nested",
            "dump run.bd /grp",
            "dump run.bd /N",
            "dump run.bd /grp/rho --format json",
            "dump run.bd /grp/nome",
        ];
        words.map(|words| {
            let said = folder.run(words);
            (said.status, said.out, said.err)
        })
    };
    let without = folder_of(&folder);
    assert_eq!(without[0], (0, "<f8[3]\n[1.0, 2.5, 4.0]\n".to_owned(), String::new()));
    folder.done("index run.bd");
    assert_eq!(folder_of(&folder), without);
    // A damaged one is no matter for the code that only reads.
    folder.flip("run.bd", -100);
    assert_eq!(folder_of(&folder), without);
}

#[test]
fn the_layout_is_not_parsed_where_the_index_leads() {
    let folder = Folder::packed("");
    let lines: Vec<String> = (0..3000).map(|at| format!("x{at:04} = u1")).collect();
    folder.write("many.dud", lines.join("\n"));
    let values: Vec<String> = (0..3000).map(|at| format!("\"x{at:04}\": {}", at % 256)).collect();
    folder.write("many.json", format!("{{{}}}", values.join(", ")));
    folder.done("pack many.dud -o many.bd --data many.json --index");
    let mut bytes = folder.bytes("many.bd");
    let at = bytes.windows(8).position(|it| it == b"x1500 = ").expect("the text");
    bytes[at + 6] = b'?';
    folder.write("many.bd", bytes);
    assert!(folder.finds("get many.bd /x1500").contains("error["));
    assert_eq!(folder.done("get many.bd /x0300"), "44\n");
    assert_eq!(folder.done("ls many.bd /x0300").lines().count(), 2);
    assert_eq!(folder.done("dump many.bd /x0300"), "/x0300 = 44\n");
    assert_eq!(folder.done("dump many.bd /x0300 --nested"), "44\n");
    assert!(folder.finds("index --check many.bd").contains("the checksum"));
}

#[test]
fn pack_writes_an_index() {
    for (words, made) in [("--index", "5 items, "), ("--checksum", "5 items, 5 checksums, ")] {
        let folder = Folder::packed(words);
        assert!(folder.done("index --check run.bd").contains(made));
        let through = Folder::packed("--attach");
        through.done(&format!(
            "index run.bd{}",
            if words == "--checksum" { " --checksum" } else { "" }
        ));
        assert_eq!(folder.bytes("run.bd"), through.bytes("run.bd"));
    }
    let folder = Folder::packed("");
    let said = folder.run("pack run.dud -o o.bd --data values.json --raw --index");
    assert_eq!((said.status, said.out.as_str()), (2, ""));
    assert!(said.err.contains("needs a signature"), "{}", said.err);
}

/// A folder with a layout of this many items, `many.dud`, and values of them.
fn many(items: usize) -> Folder {
    let folder = Folder::packed("");
    let lines: Vec<String> = (1..items).map(|at| format!("x{at} = u1")).collect();
    folder.write("many.dud", format!("N : i8\n{}\n", lines.join("\n")));
    let values: Vec<String> = (1..items).map(|at| format!("\"x{at}\": {}", at % 256)).collect();
    folder.write("many.json", format!("{{\"N\": 0, {}}}", values.join(", ")));
    folder
}

fn has_index(folder: &Folder, file: &str) -> bool {
    let said = folder.run(&format!("index --check {file}"));
    assert_eq!(said.status == 0, !said.err.contains("there is no index"), "{said:?}");
    said.status == 0
}

#[test]
fn a_layout_of_more_than_a_thousand_items_has_an_index_by_default() {
    for (items, has) in [(1000, false), (1001, true)] {
        let folder = many(items);
        folder.done("pack many.dud -o packed.bd --data many.json --attach");
        assert_eq!(has_index(&folder, "packed.bd"), has, "{items}");
        folder.done("pack many.dud -o plain.bd --data many.json --attach --no-index");
        assert!(!has_index(&folder, "plain.bd"));
        folder.done("convert plain.bd converted.bd");
        folder.done("convert plain.bd without.bd --no-index");
        assert!(!has_index(&folder, "without.bd"));
        folder.done("pack many.dud -o attached.bd --data many.json");
        folder.done("attach attached.bd many.dud");
        assert_eq!(folder.bytes("attached.bd"), folder.bytes("packed.bd"));
        assert_eq!(folder.bytes("converted.bd"), folder.bytes("packed.bd"));
        folder.done("attach attached.bd many.dud --force --no-index");
        assert_eq!(folder.bytes("attached.bd"), folder.bytes("plain.bd"));
        // All else is as with an index that was requested.
        folder.done("pack many.dud -o asked.bd --data many.json --index");
        folder.done("index plain.bd");
        assert_eq!(folder.bytes("plain.bd"), folder.bytes("asked.bd"));
        assert_eq!(has, folder.bytes("packed.bd") == folder.bytes("asked.bd"));
        folder.done("verify packed.bd");
        folder.done("salvage packed.bd -o saved.bd");
        assert_eq!(folder.done("get saved.bd /x999"), folder.done("get packed.bd /x999"));
    }
    let folder = many(2);
    assert_eq!(folder.run("pack many.dud -o x.bd --index --no-index").status, 2);
    folder.done("pack many.dud -o x.bd --data many.json --attach");
    assert_eq!(folder.run("convert x.bd x.asdf --no-index").status, 2);
}

#[test]
fn a_layout_that_grows_beyond_a_thousand_items_gets_an_index() {
    let folder = many(1000);
    folder.done("pack many.dud -o x.bd --data many.json --attach");
    folder.write("one.json", r#"{"y": 1.5}"#);
    folder.write("more.json", r#"{"NT": 0, "hist": []}"#);
    let added = folder.run("append x.bd --text 'y' --data one.json");
    assert_ne!(added.status, 0);
    assert!(!has_index(&folder, "x.bd"), "nothing was added");
    let words = ["append", "x.bd", "--text", "y = f8", "--data", "one.json"];
    folder.done([&words[..], &["--no-index"]].concat().as_slice());
    assert!(!has_index(&folder, "x.bd"));
    let hist = "NT : i8\nhist = [/\n  t = f8]*NT";
    let words = ["append", "x.bd", "--text", hist, "--data", "more.json"];
    assert_eq!(folder.run(&words[..]).err, "");
    assert!(has_index(&folder, "x.bd"));
    // The room for records moves the layout, and the index with it.
    folder.write("records.json", r#"[{"t": 0.5}, {"t": 1.5}]"#);
    for _ in 0..3 {
        assert_eq!(folder.run("append x.bd /hist --data records.json").err, "");
        assert!(has_index(&folder, "x.bd"));
        folder.done("verify x.bd");
    }
    assert_eq!(folder.done("get x.bd /hist[5]/t"), "1.5\n");
    // Checksums are not made anew of data that nothing was compared with.
    folder.done("index x.bd --checksum");
    let said = folder.run("append x.bd /hist --data records.json");
    assert!(said.err.contains("the index with its checksums is gone"), "{said:?}");
    assert!(!has_index(&folder, "x.bd"));
}

#[test]
fn what_cannot_have_an_index_is_said() {
    let folder = Folder::packed("");
    assert!(folder.finds("index run.bd").contains("no layout"));
    assert!(folder.finds("index run.dud").contains("no native stream"));
    assert_eq!(folder.run("index none.bd").status, 3);
    assert_eq!(folder.run("index --check --remove run.bd").status, 2);
    // Others are done all the same.
    folder.done("attach run.bd run.dud");
    let said = folder.run("index none.bd run.bd");
    assert_eq!(said.status, 3);
    assert!(said.out.starts_with("run.bd: index of 5 items"), "{}", said.out);
}

#[test]
fn attaching_drops_an_index() {
    let folder = Folder::packed("--index");
    folder.done("attach --force run.bd run.dud");
    assert!(folder.finds("index --check run.bd").contains("there is no index"));
}

/// Indices with right checksums and wrong addresses.
#[test]
fn an_index_that_leads_elsewhere_than_the_layout_is_found() {
    let from = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/cases/forged-index");
    for name in ["other-address.bd", "address-past-2-63.bd"] {
        let bytes = std::fs::read(format!("{from}/{name}")).expect("a file");
        let folder = Folder::with(&[("x.bd", &bytes[..])]);
        let whole = folder.done("dump x.bd");
        let expected = "the index that is made of this layout and this stream";
        let said = folder.finds("index --check x.bd");
        assert!(said.contains(expected), "{name}: {said}");
        let said = folder.finds("verify x.bd");
        assert!(said.contains("error[index-damaged]") && said.contains(expected), "{name}: {said}");
        let said = folder.run("get x.bd /last");
        if name == "address-past-2-63.bd" {
            // No item lies there, so that the layout is asked.
            let value = said.out.trim();
            assert!(whole.contains(&format!("/last = {value}")), "{said:?}: {whole}");
        }
        folder.done("index x.bd");
        folder.done("index --check x.bd");
        let value = folder.done("get x.bd /last");
        assert!(whole.contains(&format!("/last = {}", value.trim())), "{value}: {whole}");
    }
}
