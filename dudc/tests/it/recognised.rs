//! What a file is taken for by its bytes: what is no text is no layout, wherever a layout is looked for.

use crate::kit::Folder;

/// Commands that look for a layout in a file.
const COMMANDS: [&str; 16] = [
    "ls x",
    "dump x",
    "dump x --hex",
    "get x /a",
    "stat x",
    "diff x x",
    "check x",
    "fmt x",
    "lint x",
    "breaking x x",
    "gen numpy x",
    "gen rust x",
    "doc x -o pages",
    "convert x out.npz",
    "index x",
    "describe x",
];

#[test]
fn files_of_other_formats_are_no_layouts() {
    let formats: [(&str, &[u8], &str); 6] = [
        ("MATLAB", b"MATLAB 5.0 MAT-file, of a test\n\0\x01IM", "a MATLAB file (version 5)"),
        ("PLY", b"ply\nformat binary_little_endian 1.0\nend_header\n\0\0", "a PLY file"),
        ("VTK", b"# vtk DataFile Version 3.0\nx\nBINARY\n\0\0", "a VTK file"),
        ("GRIB", b"GRIB\0\0\0\x01", "a GRIB file"),
        ("zeros", &[0; 4096], "byte 0 is 0"),
        ("late", b"x = f8\n# \x01\ny = \0", "byte 15 is 0"),
    ];
    for (name, bytes, expected) in formats {
        let folder = Folder::with(&[("x", bytes)]);
        for words in COMMANDS {
            let said = folder.run(words);
            assert_eq!(said.status, 1, "{name}: {words}: {said:?}");
            if !matches!(words.split(' ').next(), Some("index" | "describe" | "dump")) {
                let known =
                    "neither a layout nor a stream with a signature: a raw stream needs --layout";
                assert!(said.err.contains(known), "{name}: {words}: {said:?}");
                assert!(said.err.contains(expected), "{name}: {words}: {said:?}");
            }
        }
        let said = folder.finds("verify x");
        assert!(said.contains("error[no-layout]") && said.contains(expected), "{name}: {said}");
    }
}

#[test]
fn text_that_is_not_utf8_is_no_layout_and_text_behind_a_terminator_is_free() {
    let folder = Folder::with(&[("x", &b"x = f8\n# caf\xe9\n"[..])]);
    for words in COMMANDS.iter().filter(|words| !matches!(&words[..2], "in" | "de" | "du")) {
        let said = folder.run(*words);
        assert_eq!(said.status, 1, "{words}: {said:?}");
        assert!(
            said.err.contains("byte 12 is 0xe9, which is not valid UTF-8"),
            "{words}: {said:?}"
        );
    }
    // What stands at the edge of what is looked at may be cut in two.
    let long = format!("# {}é\nx = f8\n", "a".repeat((1 << 16) - 3));
    for text in [&b"x = f8\n---\n\0\xff"[..], b"x = f8\r-\r\0", long.as_bytes()] {
        folder.write("x", text);
        folder.done("check x");
        folder.done("ls x");
    }
}

/// A native stream whose layout begins at address 16, with what stands there.
fn pointing(folder: &Folder, what: &[u8], length: u64) {
    let head = [&b"\x8d<BD\r\n\x1a\n"[..], &16_u64.to_le_bytes(), what].concat();
    let file = folder.write("x", &head);
    let file = std::fs::File::options().write(true).open(file).expect("a file");
    file.set_len(length.max(head.len() as u64)).expect("a sparse file");
}

#[test]
fn a_layout_address_that_leads_into_data_is_refused_at_once() {
    let folder = Folder::empty();
    folder.write("a.dud", "x = f8\n");
    // As many zeros as no machine could hold, and as no test could read.
    let long = 1 << 40;
    for (what, length) in
        [(&b""[..], long), (&[0x9d; 4096], 0), (b"x = f8\nabc\0", long), (b"\xff", long)]
    {
        pointing(&folder, what, length);
        for words in
            COMMANDS.into_iter().chain(["salvage x", "detach x", "append x --layout-text y=f8"])
        {
            let said = folder.run(words);
            assert!((1..=3).contains(&said.status), "{words}: {said:?}");
            let elsewhere = ["salvage", "append", "dump x --hex"];
            if !elsewhere.iter().any(|other| words.starts_with(other)) {
                let expected = "no layout stands at address 16, where the signature says so: byte";
                assert!(said.err.contains(expected), "{words}: {said:?}");
            }
        }
        let said = folder.finds("verify x");
        assert!(said.contains("error[layout]: no layout stands at address 16"), "{said}");
        let opened = dudley::Stream::open(folder.path("x")).map(drop);
        let error = opened.expect_err("no layout stands there");
        assert!(matches!(error.cause(), dudley::Error::NoText { address: 16, .. }), "{error}");
    }
    pointing(&folder, &[], long);
    folder.write("a.dud", "x = u1[0]\n");
    folder.done("attach x a.dud --force --discard");
}
