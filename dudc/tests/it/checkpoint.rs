//! `dudc checkpoint`: what is in a directory of checkpoints, and which are whole.

use crate::kit::Folder;
use dudley::append::Append;
use dudley::checkpoint::{Checkpoints, Rotation};
use dudley::create::Create;

fn run(folder: &Folder) {
    let directory = folder.path("run");
    let checkpoints = Checkpoints::open(&directory, Rotation { keep: 2, every: 1 }).expect("space");
    let history = directory.join("history.bd");
    let create = Create::text("N : i8  h [/ t = f8]*N").expect("a layout").param("N", 0);
    create.file(&history).and_then(|it| it.finish()).expect("space");
    let mut history = Append::open(history).expect("there");
    for step in 1..=3 {
        history.records("/h").and_then(|mut it| it.push(&[("t", 0.5.into())])).expect("space");
        let mut draft = checkpoints.begin(step).expect("space");
        let state = Create::text("x = u1[4]").expect("a layout").file(draft.file("state.bd"));
        let state = state.expect("space");
        state.write("/x", &[1_u8, 2, 3, step as u8]).expect("it fits");
        state.finish().expect("complete");
        draft.history("history.bd", &mut history, "/h").expect("space");
        draft.publish().expect("space");
    }
}

#[test]
fn checkpoints_are_listed_and_verified() {
    let folder = Folder::empty();
    run(&folder);
    let listed = folder.run("checkpoint ls run");
    let expected = "step  files  bytes  histories\n\
                    \u{20}  2      1     32  history.bd/h 2 records\n\
                    \u{20}  3      1     32  history.bd/h 3 records\n";
    assert_eq!((listed.status, listed.out.as_str()), (0, expected));
    let said = folder.run("checkpoint verify run");
    assert_eq!(
        (said.status, said.out.as_str()),
        (0, "2: whole\n3: whole\nnewest that is whole: 3\n")
    );

    let path = "run/checkpoint-0000000003/state.bd";
    let mut bytes = folder.bytes(path);
    bytes[17] ^= 1;
    folder.write(path, &bytes);
    let said = folder.run("checkpoint verify run");
    assert_eq!(said.status, 1);
    assert!(
        said.out.starts_with("2: whole\n3: `run/checkpoint-0000000003/state.bd`: "),
        "{}",
        said.out
    );
    assert!(said.out.ends_with("newest that is whole: 2\n"), "{}", said.out);
    for (command, newest, wrong) in [("ls", 3, false), ("verify", 2, true)] {
        let said = folder.run(&format!("checkpoint {command} run --format json"));
        assert_eq!(said.status, i32::from(wrong));
        let said: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
        assert_eq!(said["newest"], newest);
        let third = &said["checkpoints"][1];
        assert_eq!((&third["step"], third["error"].is_string()), (&3.into(), wrong));
        assert_eq!(third["files"][0]["bytes"], 32);
        assert_eq!(third["histories"][0]["records"], 3);
    }
    std::fs::remove_file(folder.path("run/checkpoint-0000000002/manifest.bd")).expect("there");
    let listed = folder.run("checkpoint ls run");
    assert_eq!(listed.status, 1);
    assert!(listed.out.contains("checkpoint-0000000002/manifest.bd`"), "{}", listed.out);
    let said = folder.run("checkpoint verify run");
    assert_eq!((said.status, said.err.as_str()), (1, "error: no checkpoint is whole\n"));
    assert_eq!(folder.run("checkpoint ls nowhere").status, 3);
}
