//! What `dudc doc` writes where, and what it refuses.

use std::fs;

use dudley_tests::command::{dudc, failure, success};

#[test]
fn pages_maps_and_texts_are_written() {
    let Some(_) = dudc() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path();
    let run = |arguments: &[&str]| {
        let mut command = dudc().expect("asked for before");
        command.arg("doc").args(arguments).current_dir(place);
        command
    };
    fs::write(place.join("a.dud"), "N : i8\nx = f8[N]").expect("space");
    fs::write(place.join("b.dud"), "M : 3\ny = i4[M]").expect("space");
    fs::write(place.join("bad.dud"), "x = f9").expect("space");

    success(&mut run(&["a.dud", "-o", "one", "--svg", "--log", "--param", "N=7"]));
    let page = fs::read_to_string(place.join("one/index.html")).expect("a page");
    assert!(page.contains("value=\"7\"") && !page.contains("<script src"));
    let map = fs::read_to_string(place.join("one/index.svg")).expect("a map");
    assert!(map.contains("bytes 16 to 80, logarithmic, N = 7"), "{map}");

    let said = failure(&mut run(&["a.dud", "-o", "one"]), 3);
    assert!(said.contains("index.html") && said.contains("--force"), "{said}");
    success(&mut run(&["a.dud", "-o", "one", "--force"]));

    success(&mut run(&["a.dud", "b.dud", "-o", "two", "--raw", "--param", "M=5"]));
    let reader = |folder: &str| place.join(folder).join("reader.js").exists();
    assert!(reader("one") && reader("two"));
    success(&mut run(&["a.dud", "-o", "bare", "--no-reader"]));
    assert!(!reader("bare"));
    for name in ["index.html", "a.html", "b.html", "pages.css", "pages.js"] {
        assert!(place.join("two").join(name).exists(), "{name}");
    }
    assert!(fs::read_to_string(place.join("two/b.html")).expect("a page").contains("value=\"5\""));

    let text = success(&mut run(&["a.dud", "--format", "markdown"]));
    assert!(text.contains("| `/x` | `f8[N]` | 8 | `24` | `8*dim(N)` = 80 |"), "{text}");

    failure(&mut run(&["a.dud"]), 2);
    failure(&mut run(&["a.dud", "--format", "markdown", "--svg"]), 2);
    failure(&mut run(&["a.dud", "-o", "three", "--param", "N=-2"]), 2);
    let said = failure(&mut run(&["a.dud", "-o", "three", "--param", "NN=2"]), 1);
    assert!(said.contains("NN"), "{said}");
    assert!(failure(&mut run(&["bad.dud", "-o", "three"]), 1).contains("unknown type"));
    assert!(!place.join("three").exists());
}

#[test]
fn files_with_a_layout_have_pages() {
    let Some(_) = dudc() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path();
    let run = |arguments: &[&str]| {
        let mut command = dudc().expect("asked for before");
        command.args(arguments).current_dir(place);
        command
    };
    let page = |folder: &str| fs::read_to_string(place.join(folder).join("index.html"));
    fs::write(place.join("a.dud"), "> N : i8  M := 5\nx = f8[N, M]").expect("space");
    fs::write(place.join("a.json"), r#"{"N": 3, "x": [[1,2,3,4,5],[1,2,3,4,5],[1,2,3,4,5]]}"#)
        .expect("space");
    success(&mut run(&["pack", "a.dud", "-o", "a.bd", "--data", "a.json", "--attach"]));
    success(&mut run(&["doc", "a.bd", "-o", "stream"]));
    let text = page("stream").expect("a page");
    // Its params are those of the file, and programs read that.
    assert!(text.contains("data-param=\"0\" value=\"3\"") && text.contains("a.bd"), "{text}");
    assert!(text.contains("<b>144</b>") || text.contains(">144</span>"), "{text}");

    // It has its layout with it; only a macro needs a file, of which it is said how it is made.
    assert!(text.contains("dudc get a.bd \"") && !text.contains("include_str!"), "{text}");
    assert!(text.contains("by: dudc detach a.bd \\u003e a.dud"), "{text}");

    let array = asdf_bridge::asdf::NewArray::from(vec![1.0, 2.0, 4.0]);
    let file = asdf_bridge::asdf::Builder::new().put("rho", array).to_bytes().expect("a file");
    fs::write(place.join("run.asdf"), file).expect("space");
    success(&mut run(&["doc", "run.asdf", "-o", "asdf"]));
    let text = page("asdf").expect("a page");
    assert!(text.contains("id=\"/rho\"") && text.contains("run.asdf"), "{text}");
    assert!(text.contains("raw stream"));
    assert!(text.contains("dudc get run.asdf \""), "{text}");
    assert!(text.contains("by: dudc describe run.asdf \\u003e run.dud"), "{text}");

    let bytes = fs::read(place.join("run.asdf")).expect("a file");
    let marks = bytes
        .windows(4)
        .position(|it| it == b"%YAM")
        .zip(bytes.windows(4).position(|it| it == b"\xd3BLK"));
    let (tree, block) = marks.expect("a tree and a block");
    fs::write(place.join("bare.asdf"), [&bytes[..tree], &bytes[block..]].concat()).expect("space");
    success(&mut run(&["doc", "bare.asdf", "-o", "bare"]));
    let text = page("bare").expect("a page");
    assert!(text.contains("dudc get bare.asdf --raw --layout bare.dud"), "{text}");

    // A FINF file is a tree and blocks of the other byte order; a frame has chunks.
    success(&mut run(&["convert", "run.asdf", "run.finf"]));
    success(&mut run(&["doc", "run.finf", "-o", "finf"]));
    let text = page("finf").expect("a page");
    assert!(text.contains("id=\"/rho\"") && text.contains("run.finf"), "{text}");
    let frame = dudley_tests::root().join("asdf-bridge/tests/small.b2nd");
    fs::copy(frame, place.join("small.b2nd")).expect("space");
    success(&mut run(&["doc", "small.b2nd", "-o", "frame"]));
    let text = page("frame").expect("a page");
    assert!(text.contains("id=\"/header\"") && text.contains("small.b2nd"), "{text}");
    let command =
        "dudc describe small.b2nd \\u003e small.dud\\ndudc get small.b2nd --raw --layout small.dud";
    assert!(text.contains(command), "{text}");
    let text = success(&mut run(&["doc", "small.b2nd", "--format", "markdown"]));
    assert!(text.contains("`/chunks/[i]`") || text.contains("/chunks"), "{text}");

    fs::write(place.join("cut.bd"), &fs::read(place.join("a.bd")).expect("a file")[..40]).ok();
    failure(&mut run(&["doc", "cut.bd", "-o", "cut"]), 1);
    assert!(!place.join("cut").exists());
}
