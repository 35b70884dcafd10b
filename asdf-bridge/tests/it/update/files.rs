//! Real files: updates in place and by a new file, one at a time, and processes that are killed.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use asdf_bridge::asdf::{
    AsdfFile, Builder, Compression, DigestState, Error, IndexState, NewArray, Padding, Update,
    Updated, Yaml,
};

use crate::update::disk::Random;
use crate::update::model::{Action, Model, longer, state_of};

/// How often a process is killed in an ordinary run; `DUDLEY_TORTURE` says it for another.
const KILLS: u64 = 12;

fn update(path: &Path, change: impl FnOnce(&mut Update<'_>)) -> Updated {
    let mut update = Update::open(path).expect("a file");
    change(&mut update);
    update.commit().expect("space")
}

/// Where two files differ, except for what is behind the shorter one.
fn differences(old: &[u8], new: &[u8]) -> usize {
    old.iter().zip(new).filter(|(old, new)| old != new).count()
}

#[test]
fn what_fits_is_written_in_place_and_nothing_else_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.asdf");
    let (_, bytes) = Model::start(4000);
    std::fs::write(&path, &bytes).expect("space");
    let read = || std::fs::read(&path).expect("it is there");
    assert!(update(&path, |update| update.set("/count", 250).expect("a key")).in_place);
    assert_eq!(differences(&bytes, &read()), 2);
    let one = read();
    assert!(update(&path, |update| update.set("/new", longer()).expect("a key")).in_place);
    let two = read();
    let index =
        two.len() - two.windows(18).rev().position(|at| at == b"#ASDF BLOCK INDEX\n").expect("one");
    assert_eq!(one[index - 18..], two[index - 18..], "blocks and index are as they were");
    assert!(update(&path, |update| update.remove("/new").expect("a key")).in_place);
    let file = AsdfFile::open(&path).expect("a file");
    assert!(file.verify().expect("readable").is_clean());
    // Behind the tree are blanks.
    assert_eq!(differences(&one, &read()), longer_len());
    // In the middle of a long text all behind it moves.
    let wide = Yaml::sequence((0..300).map(|at| format!("text {at}")));
    assert!(update(&path, |update| update.set("/list", wide).expect("a key")).in_place);
    assert!(!update(&path, |update| update.set("/count", 12345).expect("a key")).in_place);
    let file = AsdfFile::open(&path).expect("a file");
    assert!(file.verify().expect("readable").is_clean());
    assert!(matches!(file.index().expect("readable"), IndexState::Good { .. }));
    assert_eq!(file.get("/count").expect("a key").node().as_i64(), Some(12345));
    assert_eq!(file.array("/a1").expect("an array").read::<i32>().expect("readable").sum(), 800);
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

/// Bytes of the entry that was there and is blanks now.
fn longer_len() -> usize {
    "new: a text that takes more bytes than there were\n".len()
}

#[test]
fn free_blocks_are_used_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.asdf");
    Builder::new()
        .put("first", NewArray::from(vec![1_u8; 50]))
        .put("x", NewArray::from(vec![1.0_f64; 1000]))
        .padding(Padding::bytes(100))
        .write_file(&path, false)
        .expect("space");
    let mut sizes = Vec::new();
    for round in 0..6 {
        let updated = update(&path, |update| {
            update.set("/x", NewArray::from(vec![f64::from(round); 1000])).expect("a key");
        });
        sizes.push(std::fs::metadata(&path).expect("there").len());
        let file = AsdfFile::open(&path).expect("a file");
        assert!(file.verify().expect("readable").is_clean(), "{:?}", file.verify());
        let x = file.array("/x").expect("an array").read::<f64>().expect("readable");
        assert_eq!(x.sum(), 1000.0 * f64::from(round));
        assert!(updated.in_place, "{round}");
        assert!(updated.free >= 8000);
    }
    assert_eq!(sizes[1], sizes[5], "{sizes:?}");
    // A new file has no data that are free.
    let free = Update::open(&path).expect("a file").whole(true).commit().expect("space").free;
    let file = AsdfFile::open(&path).expect("a file");
    assert!(file.verify().expect("readable").is_clean() && free == 0);
    assert!(file.source().len() < sizes[5] - 7000);
    assert_eq!(file.array("/x").expect("an array").read::<f64>().expect("readable").sum(), 5000.0);
    // Compressed ones come behind.
    update(&path, |update| {
        let zeros = NewArray::from(vec![0.0_f64; 5000]).compressed(Compression::zlib(6));
        update.set("/x", zeros).expect("a key");
        update.rename("/first", "last").expect("a key");
    });
    let file = AsdfFile::open(&path).expect("a file");
    assert!(file.verify().expect("readable").is_clean());
    assert_eq!(file.array("/x").expect("an array").shape(), [5000]);
}

#[test]
fn elements_are_written_where_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.asdf");
    Builder::new()
        .put("x", NewArray::from(vec![1_i32; 1000]))
        .put("z", NewArray::from(vec![1_i32; 1000]).compressed(Compression::zlib(6)))
        .write_file(&path, false)
        .expect("space");
    let before = std::fs::read(&path).expect("it is there");
    let mut update = Update::open(&path).expect("a file");
    update.write("/x[10:20]", &[5; 10]).expect("elements");
    update.write("/x[::-500]", &[7, 8]).expect("elements");
    for (path, why) in [("/z[0:1]", "compressed"), ("/asdf_library", "array"), ("/x[0:2]", "shape")]
    {
        let error = update.write(path, &[1]).expect_err(why).to_string();
        assert!(error.contains(why), "{error}");
    }
    drop(update);
    // Without a commit there is no digest.
    let file = AsdfFile::open(&path).expect("a file");
    let block = file.block(0).expect("a block");
    assert_eq!(file.digest(&block).expect("readable"), DigestState::Absent);
    let mut update = Update::open(&path).expect("a file");
    update.write("/x[0:1]", &[7]).expect("an element");
    update.set("/n", 5).expect("a key");
    update.commit().expect("space");
    let file = AsdfFile::open(&path).expect("a file");
    assert!(file.verify().expect("readable").is_clean());
    let x = file.array("/x").expect("an array").read::<i32>().expect("readable");
    // Ten of 5, 999 becomes 7, 499 becomes 8, 0 becomes 7.
    assert_eq!(x.sum(), 1000 + 10 * 4 + 6 + 7 + 6);
    assert!(before.len() < file.source().len() as usize + 100);
}

#[test]
fn streamed_blocks_stay_the_last() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.asdf");
    let mut bytes = b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n\
        s: !core/ndarray-1.1.0 {source: 0, datatype: uint8, byteorder: big, shape: ['*', 2]}\n...\n\
        \xd3BLK\0\x30\0\0\0\x01"
        .to_vec();
    bytes.extend([0; 44]);
    bytes.extend([1, 2, 3, 4]);
    std::fs::write(&path, bytes).expect("space");
    assert!(
        !update(&path, |update| update.set("/x", NewArray::from(vec![9_u8; 3])).expect("a key"))
            .in_place
    );
    let file = AsdfFile::open(&path).expect("a file");
    assert!(file.verify().expect("readable").is_clean(), "{:?}", file.verify());
    assert_eq!(file.array("/s").expect("an array").shape(), [2, 2]);
    assert_eq!(file.array("/s").expect("an array").read::<u8>().expect("readable").sum(), 10);
    assert_eq!(file.array("/x").expect("an array").read::<u8>().expect("readable").sum(), 27);
    assert_eq!(file.get("/s/source").expect("a key").node().as_i64(), Some(-1));
}

#[test]
fn files_without_a_tree_or_blocks_get_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.asdf");
    std::fs::write(&path, "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n").expect("space");
    assert!(!update(&path, |update| update.set("/x", 1).expect("a key")).in_place);
    assert!(
        update(&path, |update| update.set("/y", NewArray::from(vec![2.5; 30])).expect("a key"))
            .in_place
    );
    let file = AsdfFile::open(&path).expect("a file");
    assert!(file.verify().expect("readable").is_clean(), "{:?}", file.verify());
    assert_eq!(file.array("/y").expect("an array").read::<f64>().expect("readable").sum(), 75.0);
    assert_eq!(file.get("/x").expect("a key").node().as_i64(), Some(1));
}

#[test]
fn finf_files_stay_what_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    for literal in [false, true] {
        let path = folder.path().join(format!("{literal}.finf"));
        let start = Builder::new().put("n", 5).put("a", NewArray::from(vec![1.0_f64; 10]));
        let start = start.put("b", NewArray::from(vec![7_i32; 5])).finf(literal);
        start.write_file(&path, false).expect("a file");
        let before = std::fs::read(&path).expect("a file");
        assert!(update(&path, |update| update.set("/n", 7).expect("a key")).in_place);
        assert_eq!(differences(&before, &std::fs::read(&path).expect("a file")), 1);
        let two = || NewArray::from(vec![2.0_f64; 1000]).compressed(Compression::zlib(6));
        update(&path, |update| {
            update.set("/a", two()).expect("a key");
            update.set("/c", NewArray::from(vec![3_u8; 4])).expect("a key");
        });
        update(&path, |update| update.write("/b[1:3]", &[9, 10][..]).expect("elements"));
        let in_place = update(&path, |update| update.set("/d", two()).expect("a key"));
        assert!(in_place.in_place, "there is room behind the tree");
        let bytes = std::fs::read(&path).expect("a file");
        let file = AsdfFile::open(&path).expect("a file");
        assert!(file.verify().expect("readable").is_clean(), "{:?}", file.verify());
        // There is no index in FINF, and no compression.
        assert_eq!(file.index().expect("readable"), IndexState::Absent);
        let magic = if literal { b"\x89BLK\0\x28" } else { b"\xd3BLK\0\x28" };
        let blocks = file.blocks().expect("readable");
        assert_eq!(blocks.len(), 5);
        for block in blocks {
            let block = block.expect("a block");
            assert_eq!(&bytes[block.address as usize..][..6], magic);
        }
        let tag = if literal { "core/ndarray" } else { "ndarray" };
        assert_eq!(file.get("/c").expect("it").node().short_tag(), Some(tag));
        for (path, sum) in [("/a", 2000.0), ("/b", 40.0), ("/c", 12.0), ("/d", 2000.0)] {
            let read = file
                .array(path)
                .expect(path)
                .read_as::<f64>(dudley::elements::Conversion::Lossless)
                .expect(path);
            assert_eq!(read.sum(), sum, "{path}");
        }
        let text = update(&path, |update| {
            let texts = update.set("/t", NewArray::texts(&["x"]));
            assert!(matches!(texts, Err(Error::Unwritable { .. })));
        });
        assert!(text.in_place);
    }
}

#[test]
fn who_watches_ends_an_update() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.asdf");
    Builder::new().put("n", 5).write_file(&path, false).expect("a file");
    let before = std::fs::read(&path).expect("a file");
    let watch = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let update = Update::open(&path).expect("a file").whole(false);
    let mut update = update.work(dudley::Work::new().watch(watch));
    update.set("/a", NewArray::from(vec![1_u8; 100])).expect("a key");
    assert!(matches!(update.commit(), Err(Error::Engine(dudley::Error::Cancelled))));
    assert!(std::fs::read(&path).expect("a file") == before);
}

#[test]
fn one_update_at_a_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.asdf");
    let (model, bytes) = Model::start(0);
    std::fs::write(&path, &bytes).expect("space");
    let held = Update::open(&path).expect("nobody has it");
    let error = Update::open(&path).map(|_| ()).expect_err("it is held");
    assert!(matches!(error, Error::Engine(dudley::Error::Locked { .. })), "{error}");
    drop(held);
    model.on_file(&path, Action::Count).expect("it is free");
    // What is opened before stays readable when a new file comes.
    let before = AsdfFile::open(&path).expect("a file");
    model.after(Action::Count).on_file(&path, Action::Add(1000)).expect("it is free");
    model.after(Action::Count).check(&before).expect("it is as it was");
}

/// What another test runs and kills.
#[test]
#[ignore = "run by a test, and killed"]
fn updates_until_it_is_killed() {
    let Some(path) = std::env::var_os("DUDLEY_UPDATE_OF") else { return };
    let (path, mut random) = (Path::new(&path), Random::new(3));
    let (mut model, bytes) = Model::start(1500);
    std::fs::write(path, bytes).expect("space");
    loop {
        let action = Action::any(&mut random);
        model.on_file(path, action).expect("space");
        model = model.after(action);
        println!("committed");
    }
}

#[test]
fn killed_processes_leave_the_old_file_or_the_new_one() {
    let kills = std::env::var("DUDLEY_TORTURE").ok().and_then(|kills| kills.parse().ok());
    let kills: u64 = kills.unwrap_or(KILLS);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.asdf");
    let mut random = Random::new(9);
    for _ in 0..kills {
        let told = killed_after(&path, random.below(10));
        // As the other process has done it, one more perhaps.
        let mut replayed = Random::new(3);
        let (mut model, _) = Model::start(1500);
        for _ in 0..told {
            model = model.after(Action::any(&mut replayed));
        }
        let next = model.after(Action::any(&mut replayed));
        let bytes = std::fs::read(&path).expect("it is there");
        let found = state_of(&bytes, &[&model, &next]).clone();
        found.on_file(&path, Action::Add(7)).expect("nobody has it");
        let bytes = std::fs::read(&path).expect("it is there");
        state_of(&bytes, &[&found.after(Action::Add(7))]);
    }
}

/// Runs a process that updates a file and kills it after this many commits; of how many it reported.
fn killed_after(path: &Path, commits: u64) -> u64 {
    let program = std::env::current_exe().expect("this one");
    let mut child = Command::new(program)
        .args(["--exact", "update::files::updates_until_it_is_killed", "--ignored", "--nocapture"])
        .env("DUDLEY_UPDATE_OF", path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut told = 0;
    while told <= commits {
        let line = lines.next().expect("it goes on").expect("text");
        told += u64::from(line.contains("committed"));
    }
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    told + lines.map_while(Result::ok).filter(|line| line.contains("committed")).count() as u64
}
