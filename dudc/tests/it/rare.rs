//! What the language allows and hardly anybody writes: each is listed, read, verified and packed again alike.

use crate::kit::Folder;

/// A raw stream with its layout.
fn folder(layout: &str, bytes: &[u8]) -> Folder {
    let folder = Folder::empty();
    folder.write("x.dud", layout);
    folder.write("x.raw", bytes);
    folder
}

/// What a command says of the stream.
fn said(folder: &Folder, command: &str, path: &str) -> String {
    let words = [command, "x.raw", path, "--layout", "x.dud", "--raw"];
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    folder.done(&words).lines().last().unwrap_or_default().to_owned()
}

/// Why a command does not read the stream.
fn refusal(folder: &Folder, path: &str) -> String {
    folder.refused(&["get", "x.raw", path, "--layout", "x.dud", "--raw"]).1
}

/// Whether what `dump` says makes the same bytes.
fn survives(folder: &Folder) {
    for form in ["--exact", "--nested"] {
        let dump = ["dump", "x.raw", form, "--layout", "x.dud", "--raw"];
        folder.write("x.json", folder.done(&dump));
        folder.done("pack x.dud --raw --data x.json -o y.raw --force");
        assert_eq!(folder.bytes("y.raw"), folder.bytes("x.raw"), "{form}");
    }
}

#[test]
fn stored_params_of_records_without_a_name_are_items() {
    let folder = folder("\"\" = {n : u1  K : 7  x = u1}[2]", &[1, 2, 3, 4]);
    for path in ["/n", "/:n"] {
        assert_eq!(said(&folder, "get", path), "[1, 3]");
    }
    // With a stream and without one.
    assert_eq!(folder.done("ls x.dud --raw"), folder.done("ls x.raw --layout x.dud --raw"));
    assert_eq!(said(&folder, "get", "/n[-1]"), "3");
    assert_eq!(said(&folder, "dump", "--nested"), r#"{"n": [1, 3], "x": [2, 4]}"#);
    assert!(refusal(&folder, "/K").contains("there is nothing named `K`"));
    survives(&folder);
    for clash in ["n = u1[2]", "n/ y = u1"] {
        folder.write("x.dud", format!("\"\" = {{n : u1  x = u1}}[2]  {clash}"));
        assert!(folder.refused("check x.dud").1.contains("-clash"), "{clash}");
    }
}

#[test]
fn params_of_structs_that_are_declared_again_have_a_number() {
    let fixed = ("a = {n : u1  x = u1  n : u1  y = u1}", "{n: 1, x: 2, \"n#2\": 3, y: 4}");
    let varying = ("a = {n : u1  x = u1[n]  n : u1  y = u1}", "{n: 1, x: [2], \"n#2\": 3, y: 4}");
    for (layout, value) in [fixed, varying] {
        let folder = folder(layout, &[1, 2, 3, 4]);
        assert_eq!(said(&folder, "get", "/a"), value);
        assert_eq!(said(&folder, "get", "/a.n#2"), "3");
        let rows = folder.done("ls x.raw --layout x.dud --raw");
        let count = |path: &str| rows.split_whitespace().filter(|word| *word == path).count();
        assert_eq!((count("/a.n"), count("/a.n#2")), (1, 1), "{rows}");
        let rows = folder.done("ls x.dud --raw");
        assert!(layout.contains("[n]") || rows.contains("/a.n#2"), "{rows}");
        survives(&folder);
    }
}

#[test]
fn items_are_served_though_the_length_of_their_list_is_not_known() {
    let folder = folder("N : u1  l = [u1]*4  l[(N/4)]", &[2, 5, 6, 7, 8]);
    for (path, value) in
        [("/l/1", "6"), ("/l[3]", "8"), ("/l[1:3]", "[6, 7]"), ("/l[:4:2]", "[5, 7]")]
    {
        assert_eq!(said(&folder, "get", path), value, "{path}");
    }
    for path in ["/l/4", "/l/-1", "/l[2:5]", "/l[1:]", "/l[::-1]"] {
        assert!(refusal(&folder, path).contains("`/l`: `N/4` leaves a remainder"), "{path}");
    }
}

#[test]
fn verify_tells_of_views_that_do_not_fit() {
    for layout in [
        "N : u1  x = u1[N]  #: view_shape = [2, 3]",
        "x = u1[2]  #: view_shape = [2, 3]",
        "x = {\n  y = u1[2]  #: view_shape = [2, 3]\n}[2]",
        "l [\n  u1[2]  #: view_shape = [2, 3]\n]*2",
    ] {
        let folder = folder(layout, &[2, 1, 2, 3]);
        let found = folder.finds("verify x.raw --layout x.dud --raw");
        assert!(found.contains("the view goes from byte 0 to before byte 6"), "{layout}: {found}");
    }
}

#[test]
fn padding_at_the_end_of_a_struct_is_part_of_it() {
    for layout in ["s = {n : u1  d = u1[n]} %16", "s = {n : u1  d = u1} %16"] {
        let folder = folder(layout, &[1, 2, 3]);
        let why = "16 bytes are needed at address 0, but the stream has 3 there";
        assert!(refusal(&folder, "/s").contains(why), "{layout}");
    }
}

#[test]
fn slices_of_nothing_have_all_dimensions() {
    for layout in ["x = {n : u1  d = u1[n]}[0, 2]", "x = {n : u1  d = u1}[0, 2]"] {
        let folder = folder(layout, &[1]);
        for (path, shape) in [("/x[::-1, :]", "[0, 2]"), ("/x[:, 0]", "[0]"), ("/x", "[0, 2]")] {
            let words = ["get", "x.raw", path, "--layout", "x.dud", "--raw", "--format", "json"];
            let found = folder.done(&words);
            assert!(found.contains(&format!("\"shape\": {shape}")), "{layout} {path}: {found}");
        }
    }
}

#[test]
fn nothing_is_decoded_of_nothing_that_is_stored() {
    for layout in ["x = i2[0] -> zlib [0]  y = u1", "x = {a = i2[0] -> zlib [0]}  y = u1"] {
        let folder = folder(layout, &[1]);
        survives(&folder);
        assert_eq!(said(&folder, "get", "/y"), "1");
    }
}

#[test]
fn a_redefinition_is_not_packed_inside() {
    let folder = folder("i8 {%1 \"\" = i8}  b = i8", &[0; 8]);
    assert!(folder.refused("check x.dud").1.contains("redefined-bad"));
}
