//! Checkpoints: the newest that is whole, the histories beside it, whatever ended the program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use dudley::append::Append;
use dudley::checkpoint::{Checkpoints, Rotation, list};
use dudley::create::Create;
use dudley::{Error, Stream};

/// The directory that a program of these tests works in, if this is one.
const DIRECTORY: &str = "DUDLEY_TEST_CHECKPOINTS";
/// Its last step.
const LAST: u64 = 60;

const ROTATION: Rotation = Rotation { keep: 3, every: 2 };

fn value(step: u64) -> f64 {
    (0..step).fold(1.0, |value, step| (value * 1.25 + step as f64) % 1000.0)
}

/// A simulation: each step follows from the one before; all of them are in the history.
fn simulate(directory: &Path, last: u64) -> dudley::Result<()> {
    let checkpoints = Checkpoints::open(directory, ROTATION)?;
    let path = directory.join("history.bd");
    let mut state = (0, value(0));
    match checkpoints.latest()?.checkpoint {
        Some(found) => {
            let stream = Stream::open(found.file("state.bd"))?;
            let x = stream.get("/x")?.read::<f64>()?;
            assert!(x.iter().all(|it| *it == x[[0]]));
            state = (found.step(), x[[0]]);
            assert_eq!(state.1, value(state.0));
            assert_eq!(Stream::open(&path)?.get("/h")?.len()?, state.0);
        }
        None => {
            let create = Create::text("N : i8  h [/ step = u8  x = f8]*N")?.param("N", 0);
            create.overwrite(true).file(&path)?.finish()?;
        }
    }
    let mut history = Append::open(&path)?;
    while state.0 < last {
        let (step, x) = state;
        state = (step + 1, (x * 1.25 + step as f64) % 1000.0);
        history.records("/h")?.push(&[("step", state.0.into()), ("x", state.1.into())])?;
        if checkpoints.is_due(state.0) {
            checkpoint(&checkpoints, state, &mut history)?;
        }
    }
    history.close()
}

fn checkpoint(
    checkpoints: &Checkpoints,
    (step, x): (u64, f64),
    history: &mut Append,
) -> dudley::Result<()> {
    let mut draft = checkpoints.begin(step)?;
    let writer = Create::text("x = f8[5000]")?.checksum(true).file(draft.file("state.bd"))?;
    writer.write("/x", &vec![x; 5000])?;
    writer.finish()?;
    assert!(writer.checksum().is_some());
    draft.checksum("state.bd", writer.checksum());
    fs::create_dir_all(draft.file("more")).expect("space");
    fs::write(draft.file("more/note.txt"), format!("step {step}\n")).expect("space");
    draft.history("history.bd", history, "/h")?;
    draft.publish().map(drop)
}

/// Not a test of its own: what the others run as a program, to be killed.
#[test]
fn program() {
    let Ok(directory) = std::env::var(DIRECTORY) else { return };
    if let Err(error) = simulate(Path::new(&directory), LAST) {
        eprintln!("{error}");
        std::process::exit(7);
    }
}

fn child(directory: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("a program"));
    command.args(["--exact", "checkpoint::program", "--nocapture"]).env(DIRECTORY, directory);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn steps(directory: &Path) -> Vec<u64> {
    list(directory).expect("a directory").iter().map(|it| it.step).collect()
}

/// The names in a directory that are no checkpoints, except for the history and the lock.
fn others(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("a directory");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("there").file_name();
    let names = entries.map(|entry| name(entry).into_string().expect("text"));
    let known = |name: &String| {
        name.starts_with("checkpoint-") || name == "history.bd" || name.contains("lock")
    };
    names.filter(|name| !known(name)).collect()
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run");
    (folder, path)
}

#[test]
fn the_newest_are_kept_and_a_run_goes_on() {
    let (_folder, path) = folder();
    simulate(&path, 9).expect("space");
    assert_eq!(steps(&path), [4, 6, 8]);
    // The history is longer than it was at the checkpoint.
    assert_eq!(
        Stream::open(path.join("history.bd")).and_then(|it| it.get("/h")?.len()).expect("9"),
        9
    );
    simulate(&path, 12).expect("goes on");
    assert_eq!(steps(&path), [8, 10, 12]);
    let (_other, whole) = folder();
    simulate(&whole, 12).expect("at once");
    let read = |path: &Path| fs::read(path.join("history.bd")).expect("there");
    assert_eq!(read(&path), read(&whole));
    let found = list(&path).expect("there").pop().expect("one").checkpoint.expect("whole");
    let names: Vec<_> = found.files().iter().map(|it| it.name.to_str().expect("text")).collect();
    assert_eq!(names, ["more/note.txt", "state.bd"]);
    assert_eq!((found.histories()[0].records, found.histories()[0].path.as_str()), (12, "/h"));
}

#[test]
fn what_is_damaged_is_passed_over_and_said() {
    type Damage<'d> = (&'d str, &'d dyn Fn(&Path), &'d str);
    let damage: [Damage<'_>; 6] = [
        ("a bit", &|it| flip(&it.join("state.bd"), 20_000), "checksum"),
        ("the layout", &|it| flip(&it.join("state.bd"), 40_018), "checksum"),
        ("cut off", &|it| cut(&it.join("state.bd"), 100), "expected 40"),
        ("gone", &|it| fs::remove_file(it.join("more/note.txt")).expect("there"), "cannot read"),
        ("manifest", &|it| flip(&it.join("manifest.bd"), 19), "manifest.bd"),
        (
            "no manifest",
            &|it| fs::remove_file(it.join("manifest.bd")).expect("there"),
            "manifest.bd",
        ),
    ];
    for (what, damage, expected) in damage {
        let (_folder, path) = folder();
        simulate(&path, 9).expect("space");
        damage(&path.join("checkpoint-0000000008"));
        let checkpoints = Checkpoints::open(&path, ROTATION).expect("a directory");
        let latest = checkpoints.latest().expect("readable");
        assert_eq!(latest.checkpoint.expect("the one before").step(), 6, "{what}");
        let [(8, error)] = &latest.skipped[..] else { panic!("{what}: {:?}", latest.skipped) };
        assert!(error.to_string().contains(expected), "{what}: {error}");
        let length = Stream::open(path.join("history.bd")).and_then(|it| it.get("/h")?.len());
        assert_eq!(length.expect("there"), 6, "{what}");
        assert_eq!(
            (steps(&path), others(&path)),
            (vec![4, 6], vec!["skipped-0000000008".to_owned()])
        );
        drop(checkpoints);
        simulate(&path, 12).expect("comes to the step again");
        assert_eq!(steps(&path), [8, 10, 12], "{what}");
    }
}

fn flip(path: &Path, at: usize) {
    let mut bytes = fs::read(path).expect("there");
    bytes[at] ^= 4;
    fs::write(path, bytes).expect("space");
}

fn cut(path: &Path, length: u64) {
    fs::File::options().write(true).open(path).and_then(|it| it.set_len(length)).expect("there");
}

#[test]
fn a_history_that_lost_records_and_a_directory_without_any_are_told() {
    let (_folder, path) = folder();
    simulate(&path, 9).expect("space");
    let mut append = Append::open(path.join("history.bd")).expect("there");
    append.truncate("/h", 5).and_then(|()| append.close()).expect("shorter");
    let checkpoints = Checkpoints::open(&path, ROTATION).expect("a directory");
    let latest = checkpoints.latest().expect("readable");
    assert_eq!(latest.checkpoint.expect("an older one").step(), 4);
    let said: Vec<String> = latest.skipped.iter().map(|(_, error)| error.to_string()).collect();
    assert!(said[0].contains("expected 8 records or more, found 5"), "{}", said[0]);
    fs::remove_file(path.join("checkpoint-0000000004/state.bd")).expect("there");
    let latest = checkpoints.latest().expect("readable");
    assert!(latest.checkpoint.is_none() && latest.skipped.len() == 1);
    // Nothing was done to what may still be of use.
    assert_eq!(steps(&path), [4]);
}

#[test]
fn one_job_has_the_directory_and_one_checkpoint_a_step() {
    let (_folder, path) = folder();
    let checkpoints = Checkpoints::open(&path, ROTATION).expect("a directory");
    let error = Checkpoints::open(&path, ROTATION).expect_err("another job");
    assert!(matches!(error, Error::Locked { .. }), "{error}");
    let create = Create::text("N : i8  h [/ step = u8  x = f8]*N").expect("a layout");
    let history = path.join("history.bd");
    create.param("N", 0).file(&history).and_then(|it| it.finish()).expect("space");
    let mut history = Append::open(history).expect("there");
    checkpoint(&checkpoints, (2, 1.0), &mut history).expect("space");
    assert!(matches!(checkpoints.begin(2), Err(Error::Exists { .. })));
    drop(checkpoints.begin(4).expect("space"));
    assert_eq!((steps(&path), others(&path)), (vec![2], vec![]));
    // The history is held by this program: its own error.
    assert!(matches!(checkpoints.latest().expect_err("open").cause(), Error::Locked { .. }));
}

/// What a run leaves that is killed after its history has its name, and before the temporary name is gone.
#[test]
#[cfg(unix)]
fn temporary_names_of_histories_are_removed() {
    let (_folder, path) = folder();
    simulate(&path, 1).expect("space");
    fs::hard_link(path.join("history.bd"), path.join(".history.bd.0.tmp")).expect("a link");
    fs::write(path.join(".notes.0.tmp"), "of somebody else").expect("space");
    simulate(&path, 2).expect("space");
    assert_eq!(others(&path), [".notes.0.tmp"]);
}

/// Killed at any moment, often: each restart finds a checkpoint that is whole, and the end is that of a run that was
/// not killed.
#[test]
fn a_run_that_is_killed_goes_on_from_what_is_whole() {
    let (_folder, path) = folder();
    let (_other, whole) = folder();
    simulate(&whole, LAST).expect("space");
    let (mut kills, mut random) = (0, 12345_u64);
    // Ever longer in the mean, so that it comes to its end.
    for at in 1..400 {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut run = child(&path).spawn().expect("a process");
        std::thread::sleep(Duration::from_micros((random >> 33) % (100_000 + at * 20_000)));
        if run.try_wait().expect("a process").is_none() {
            run.kill().expect("a process");
            kills += 1;
        }
        let status = run.wait().expect("a process");
        assert_ne!(status.code(), Some(7), "after {kills} kills");
        if status.success() {
            break;
        }
    }
    println!("{kills} kills");
    assert_eq!(steps(&path), steps(&whole));
    let read = |path: &Path| fs::read(path.join("history.bd")).expect("there");
    assert_eq!(read(&path), read(&whole));
    for listed in list(&path).expect("there") {
        listed.checkpoint.and_then(|it| it.verify()).expect("whole");
    }
    assert_eq!(others(&path), Vec::<String>::new());
}

/// A disk that is full: no file may be longer than some bytes. The checkpoint before stays.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_checkpoint_before() {
    let (_folder, path) = folder();
    simulate(&path, 5).expect("space");
    let before = steps(&path);
    let program = child(&path);
    // In blocks of 512 bytes: the history, the state, and its layout have no room.
    for most in [0, 1, 16, 78] {
        let limits = format!("trap '' XFSZ; ulimit -f {most}; exec \"$0\" \"$@\"");
        let mut shell = Command::new("sh");
        shell.args(["-c", &limits]).arg(program.get_program()).args(program.get_args());
        let done = shell.env(DIRECTORY, &path).output().expect("a shell");
        assert_eq!(done.status.code(), Some(7), "{done:?}");
        assert!(String::from_utf8_lossy(&done.stderr).contains("File too large"), "{done:?}");
        assert_eq!((steps(&path), others(&path)), (before.clone(), vec![]));
    }
    simulate(&path, 12).expect("goes on");
    assert_eq!(steps(&path), [8, 10, 12]);
}
