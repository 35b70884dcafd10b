//! The built binary on Blosc2 frames whose values are elsewhere, as python-blosc2 marks them: expressions, functions,
//! and proxies of which only some was fetched. The files are its own; what they stand for is said by it.

use crate::kit::Folder;

fn folder() -> Folder {
    let folder = Folder::empty();
    let from = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/cases/lazy-frames");
    for name in ["expr", "udf", "proxy", "src", "blocks", "future"] {
        let name = format!("{name}.b2nd");
        folder.write(&name, std::fs::read(format!("{from}/{name}")).expect("a file"));
    }
    folder
}

#[test]
fn no_command_takes_what_is_stored_for_the_values() {
    let folder = folder();
    for (name, mark) in [
        ("expr", "`b2o` (lazyexpr)"),
        ("udf", "`LazyArray`"),
        ("proxy", "`proxy-source` (local)"),
        ("blocks", "`proxy-source` (fsspec)"),
    ] {
        for words in [
            "get X.b2nd /data",
            "get X.b2nd /data[0]",
            "get X.b2nd /data -o o.npy",
            "stat X.b2nd",
            "dump X.b2nd",
            "diff X.b2nd X.b2nd",
            "convert X.b2nd o.b2nd",
            "convert X.b2nd o.b2frame --sparse",
            "convert X.b2nd o.npy /data",
            "convert X.b2nd o.bd",
            "convert X.b2nd o.asdf",
        ] {
            let said = folder.run(words.replace('X', name).as_str());
            assert!(said.status != 0 && said.err.contains(mark), "{name} {words}: {said:?}");
            for made in ["o.npy", "o.b2nd", "o.b2frame", "o.bd", "o.asdf"] {
                assert!(!folder.path(made).exists(), "{name} {words}");
            }
        }
        // These say it, and go on.
        let said = folder.run(format!("verify {name}.b2nd").as_str());
        assert_eq!(said.status, 0, "{said:?}");
        assert!(said.out.contains("warning[elsewhere]") && said.out.contains(mark), "{said:?}");
        let said = folder.run(format!("ls {name}.b2nd").as_str());
        assert!(said.status == 0 && said.out.contains(mark), "{said:?}");
        let said = folder.run(format!("ls {name}.b2nd --format json").as_str());
        assert!(
            said.status == 0 && said.out.contains("\"elsewhere\":\"")
                || said.out.contains("\"elsewhere\": \"")
        );
        let said = folder.run(format!("describe {name}.b2nd").as_str());
        assert!(said.status == 0 && said.err.contains(mark) && said.out.contains(mark), "{said:?}");
        // Bytes are kept, with the mark.
        let said = folder.run(format!("salvage {name}.b2nd s.b2nd --force").as_str());
        assert_eq!(said.status, 0, "{said:?}");
        let said = folder.run("get s.b2nd /data");
        assert!(said.err.contains(mark), "{said:?}");
    }
    let said = folder.run("ls src.b2nd --format json");
    assert!(!said.out.contains("elsewhere"), "{said:?}");
}

#[test]
fn what_was_fetched_is_read() {
    let folder = folder();
    let values = |words: &str| {
        let said = folder.run(words);
        assert_eq!(said.status, 0, "{words}: {}", said.err);
        said.out.lines().last().unwrap_or_default().to_owned()
    };
    assert_eq!(values("get proxy.b2nd /data[2:4]"), "[2.0, 3.0]");
    // Of the first chunk only the second block is there.
    assert_eq!(values("get blocks.b2nd /data[2:8]"), "[2.0, 3.0, 4.0, 5.0, 6.0, 7.0]");
    for words in
        ["get proxy.b2nd /data[3:5]", "get blocks.b2nd /data[1:3]", "get blocks.b2nd /data[8]"]
    {
        let said = folder.run(words);
        assert!(said.status != 0 && said.err.contains("`proxy-source`"), "{words}: {said:?}");
    }
    // What is written of it are values, and no mark says otherwise.
    values("convert blocks.b2nd part.b2nd /data[2:8]");
    assert_eq!(values("get part.b2nd /data"), "[2.0, 3.0, 4.0, 5.0, 6.0, 7.0]");
    let said = folder.run("verify part.b2nd");
    assert!(said.out.contains("0 errors, 0 warnings"), "{said:?}");
}

#[test]
fn a_mark_that_is_not_known_is_told() {
    let folder = folder();
    for words in [
        "get future.b2nd /data",
        "ls future.b2nd",
        "stat future.b2nd",
        "convert future.b2nd o.npy /data",
    ] {
        let said = folder.run(words);
        assert!(
            said.status == 0 && said.err.contains("`LazyThing` is not known"),
            "{words}: {said:?}"
        );
    }
    let said = folder.run("verify future.b2nd");
    assert!(
        said.out.contains("warning[elsewhere]") && said.out.contains("`LazyThing`"),
        "{said:?}"
    );
}

#[test]
fn values_beside_such_are_not_changed() {
    use asdf_bridge::blosc2::{ArrayEditor, Error, FrameEditor};
    let folder = folder();
    for name in ["expr.b2nd", "proxy.b2nd"] {
        let before = folder.bytes(name);
        let mut editor = ArrayEditor::open(folder.path(name)).expect("open");
        let set = editor.set("0:2", &[1.0, 2.0]);
        assert!(matches!(set, Err(Error::Elsewhere { .. })), "{set:?}");
        drop(editor);
        let mut editor = FrameEditor::open(folder.path(name)).expect("open");
        assert!(matches!(editor.append(&[0; 16]), Err(Error::Elsewhere { .. })));
        drop(editor);
        assert_eq!(folder.bytes(name), before);
    }
}
