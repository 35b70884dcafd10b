//! Is what the example `radhydro` writes read by others, and is it the same however often the run was
//! killed?

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use dudley_tests::command::{dudc, example, success};
use dudley_tests::python::Python;
use serde_json::{Value, json};

// Another program than the one that writes, with the same layouts.
dudley::layout!(mod restart = "../../../examples/examples/radhydro/restart.dud");
dudley::layout!(mod history = "../../../examples/examples/radhydro/history.dud");

/// A command line that writes into a folder, `every` this many steps.
fn radhydro(folder: &Path, every: &str) -> Command {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let mut command = Command::new(BUILT.get_or_init(|| example("radhydro")));
    command.args(["--steps", "24", "--dump-every", every, "--folder"]).arg(folder);
    command
}

fn start(command: &mut Command) -> &mut Command {
    command.args(["--zones", "16", "--radiation"])
}

/// What numpy finds where `dudc ls` says that something is.
fn by_numpy(python: &Python, folder: &Path, stream: &str, more: &[&str]) -> Value {
    let mut command = dudc().expect("asked for before");
    let listing = success(command.args(["ls", "--format", "json", stream]).current_dir(folder));
    fs::write(folder.join("listing.json"), listing).expect("space");
    let arguments = [&["listing.json", stream], more].concat();
    let found = python.run("radhydro.py", folder, &arguments);
    serde_json::from_str(&found).expect("JSON")
}

#[test]
fn dumps_are_read_by_numpy_and_dudc() {
    let (Some(mut command), Some(python)) = (dudc(), Python::get()) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    success(start(&mut radhydro(folder.path(), "8")));
    let part = "2:9, ::-3";
    let get = ["get", "dump-000024.bd", &format!("/rho[{part}]"), "-o", "rho.npy"];
    success(command.args(get).current_dir(folder.path()));

    let more = ["rho.npy", "/rho", part];
    let found = by_numpy(python, folder.path(), "dump-000024.bd", &more);
    let dump = restart::Reader::open(folder.path().join("dump-000024.bd")).expect("a dump");
    let params = dump.params().expect("there");
    let expected = restart::Params { jmax: 16, imax: 16, ntracer: 16, radiation: true };
    assert_eq!(params, expected);
    assert_eq!(found["/step"], json!(dump.step().read().expect("there")));
    assert_eq!(found["/time"], json!(dump.time().read().expect("there")));
    assert_eq!(found["/title"], json!(dump.title().get().expect("text")));
    assert_eq!(found["/material/kappa"], json!(dump.material().kappa().read().expect("there")));
    // JSON has one list in another; here all are one after the other.
    let flat = |path: &str| -> Vec<f64> {
        let mut numbers = Vec::new();
        flatten(&found[path], &mut numbers);
        numbers
    };
    let rho = dump.rho().read().expect("there");
    assert_eq!(flat("/rho"), rho.as_slice().expect("in order"));
    let momentum = dump.momentum().read().expect("there");
    assert_eq!(flat("/momentum"), momentum.as_slice().expect("in order"));
    let energy = dump.energy();
    let energy = energy.view().expect("in memory");
    assert_eq!(flat("/energy"), energy.as_slice().expect("in order"));
    let erad = dump.erad().expect("found").expect("there").read().expect("there");
    assert_eq!(flat("/erad"), erad.as_slice().expect("in order"));
    let tracers = dump.tracers().read().expect("there");
    assert_eq!(tracers.len(), 16);
    for (at, tracer) in tracers.iter().enumerate() {
        let one = |name: &str| &found[format!("/tracers.{name}")][at];
        assert_eq!(one("id"), &json!(tracer.id));
        assert_eq!(one("zone"), &json!(tracer.zone));
        assert_eq!(one("place"), &json!(tracer.place));
        assert_eq!(one("path"), &json!(tracer.path));
    }

    let found = by_numpy(python, folder.path(), "history.bd", &[]);
    let history = history::Reader::open(folder.path().join("history.bd")).expect("a history");
    assert_eq!(history.history().len().expect("there"), 25);
    for (at, item) in history.history().iter().expect("there").enumerate() {
        let moment = item.expect("there").get().expect("there");
        assert_eq!(found[format!("/history/{at}.step")], json!(moment.step));
        assert_eq!(found[format!("/history/{at}.shock")], json!(moment.shock));
        assert_eq!(found[format!("/history/{at}.rad")], json!(moment.rad));
    }
}

fn flatten(value: &Value, numbers: &mut Vec<f64>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| flatten(value, numbers)),
        value => numbers.push(value.as_f64().expect("a number")),
    }
}

/// Without radiation there is no array of it, and a reader says so.
#[test]
fn what_is_not_there_takes_no_space() {
    let folder = tempfile::tempdir().expect("a folder");
    success(radhydro(folder.path(), "24").args(["--zones", "16"]));
    let dump = restart::Reader::open(folder.path().join("dump-000024.bd")).expect("a dump");
    assert!(dump.erad().expect("found").is_none());
    let params = dump.params().expect("there");
    let there = restart::Params { radiation: true, ..params.clone() };
    let end = |params| restart::Addresses::new(params).expect("fit").data_end().expect("fixed");
    assert_eq!(end(&there) - end(&params), 16 * 16 * 8);
}

#[test]
fn a_run_goes_on_in_another_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, first, then) =
        (folder.path().join("whole"), folder.path().join("first"), folder.path().join("then"));
    success(start(&mut radhydro(&whole, "8")));
    success(start(&mut radhydro(&first, "8")));
    success(radhydro(&then, "8").arg("--restart").arg(first.join("dump-000008.bd")));
    for name in ["history.bd", "dump-000016.bd", "dump-000024.bd"] {
        let same = fs::read(then.join(name)).ok() == fs::read(whole.join(name)).ok();
        assert!(same, "{name}");
    }
    // That of the first run is as it was.
    assert_eq!(fs::read(first.join("history.bd")).ok(), fs::read(whole.join("history.bd")).ok());
}

/// When a run is killed.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// When it has reported this many dumps.
    Dumps(usize),
    /// After that, when it is about to write a file whose name begins so.
    Writing(usize, &'static str),
}

/// The moments of one test: each kill leaves the next run less to do.
const MOMENTS: [Moment; 7] = [
    Moment::Writing(0, ".history"),
    Moment::Dumps(0),
    Moment::Writing(1, ".dump"),
    Moment::Dumps(3),
    Moment::Writing(3, ".dump"),
    Moment::Writing(0, ".dump"),
    Moment::Dumps(1),
];

#[test]
fn a_run_may_be_killed_at_any_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    success(start(&mut radhydro(&whole, "1")));
    fs::create_dir(&parts).expect("space");
    for moment in MOMENTS {
        kill(&mut go_on(&parts), &parts, moment);
        // What there is, is whole, and there is enough to go on from.
        let dumps = named(&parts, "dump-");
        for name in &dumps {
            let same = fs::read(parts.join(name)).ok() == fs::read(whole.join(name)).ok();
            assert!(same, "{name} after {moment:?}");
        }
        if !dumps.is_empty() {
            let history = history::Reader::open(parts.join("history.bd")).expect("a history");
            assert!(history.params().expect("there").moments > dumps.len(), "{moment:?}");
        }
    }
    success(&mut go_on(&parts));
    let files = named(&parts, "");
    assert_eq!(files, named(&whole, ""), "nothing else is left");
    assert_eq!(files.len(), 25);
    for name in files {
        let same = fs::read(parts.join(&name)).ok() == fs::read(whole.join(&name)).ok();
        assert!(same, "{name}");
    }
}

/// From the newest dump, if there is one.
fn go_on(folder: &Path) -> Command {
    let mut command = radhydro(folder, "1");
    match named(folder, "dump-").last() {
        Some(name) => command.arg("--restart").arg(folder.join(name)),
        None => start(&mut command),
    };
    command
}

/// Runs and kills, unless all is done before that moment comes.
fn kill(command: &mut Command, folder: &Path, moment: Moment) {
    let mut child = command.stdout(Stdio::piped()).spawn().expect("it was built");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let (Moment::Dumps(dumps) | Moment::Writing(dumps, _)) = moment;
    for _ in 0..dumps {
        lines.next();
    }
    if let Moment::Writing(_, file) = moment {
        while named(folder, file).is_empty() && child.try_wait().expect("a child").is_none() {}
    }
    child.kill().expect("a child");
    child.wait().expect("a child");
}

/// The files whose names begin so, in order.
fn named(folder: &Path, beginning: &str) -> Vec<String> {
    let files = fs::read_dir(folder).expect("a folder");
    let names = files.map(|file| file.expect("a file").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.starts_with(beginning)).collect();
    names.sort();
    names
}
