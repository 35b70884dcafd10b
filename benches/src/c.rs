//! How fast programs in C read: through the library beside the same call in Rust, and by generated code beside loads
//! that one would write by hand. All of it is measured in seconds of the processor: each is done by one thread, and other
//! work on the machine counts less.

use std::hint::black_box;
use std::path::Path;
use std::process::Command;

use dudley::Open;
use dudley::create::Create;
use dudley::model::Dataset;
use rustix::time::{ClockId, clock_gettime};

use crate::Outcome;
use crate::process::Process;
use crate::report::{Report, Target};
use crate::scale::{at, buffer, folder};
use crate::timing::compare;

/// As in `benches/c/peer.c`.
const SMALL: usize = 16;
const CALLS: usize = 20_000;

/// Elements of 512 MiB.
const LARGE: usize = crate::scale::COUNT;

/// The layout of what generated code reads.
const STATE: &str = "N : i8\nx = <f8[N]\nbig = >f8[N]\nSAMPLE {\n  id = i4\n  mass = f8\n  v = f8[3]\n}\nsamples = SAMPLE[N]\n";

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    let (folder, built) = (folder()?, dudley_tests::target().join("bench-c"));
    let folder = folder.path();
    write(folder)?;
    let mut peer = peer(&built, folder)?;

    let small = open(&folder.join("small.bd"))?;
    let mut few = [0.0; SMALL];
    let found = compare(
        || peer.ask("small"),
        || {
            seconds(|| {
                for _ in 0..CALLS {
                    small.select(black_box("/x"))?.read_into(black_box(&mut few[..]))?;
                }
                Ok(())
            })
        },
    )?;
    let what = "`dud_read` of 16 doubles, to the same call in Rust";
    report.add(what, 1.0 / found.ratio, "times as long", Target::AtMost(1.2))?;
    report.add("its fastest run", found.ours / CALLS as f64 * 1e9, "ns", Target::None)?;

    let large = open(&folder.join("large.bd"))?;
    let buffer = buffer();
    let found = compare(
        || peer.ask("large"),
        || {
            let mut buffer = buffer.borrow_mut();
            seconds(|| Ok(large.select("/x")?.read_into(black_box(at(&mut buffer, 0)))?))
        },
    )?;
    let what = "`dud_read` of 512 MiB, to the same call in Rust";
    report.add(what, 1.0 / found.ratio, "times as long", Target::AtMost(1.02))?;

    for (word, what) in [
        ("plain", "1,024 doubles"),
        ("big", "1,024 doubles of the other byte order"),
        ("records", "1,024 records of 40 bytes"),
    ] {
        peer.ask(&format!("same {word}"))?;
        let found = {
            let peer = std::cell::RefCell::new(&mut peer);
            compare(
                || peer.borrow_mut().ask(&format!("g {word}")),
                || peer.borrow_mut().ask(&format!("h {word}")),
            )?
        };
        let what = format!("generated C, {what}, to loads by hand");
        report.add(&what, 1.0 / found.ratio, "times as long", Target::AtMost(1.05))?;
    }
    Ok(())
}

/// Seconds of the processor that something takes.
fn seconds(run: impl FnOnce() -> Outcome<()>) -> Outcome<f64> {
    let now = || {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    };
    let start = now();
    run()?;
    Ok(now() - start)
}

fn open(path: &Path) -> Outcome<Dataset> {
    let open = Open::new().filters(dudley_formats::registry());
    // By positioned reads, as the library in C reads.
    Ok(dudley_formats::all().file(path, &open)?)
}

fn write(folder: &Path) -> Outcome<()> {
    let numbers = |count: usize| (0..count).map(|at| at as f64 / 4.0).collect::<Vec<f64>>();
    for (name, count) in [("small.bd", SMALL), ("large.bd", LARGE)] {
        let plan = Create::text("N : i8\nx = f8[N]\n")?.param("N", count as i64);
        let writer = plan.file(folder.join(name))?;
        writer.write("/x", &numbers(count))?;
        writer.finish()?;
    }
    Ok(())
}

/// The program in C, built with the library that is installed for it.
fn peer(built: &Path, folder: &Path) -> Outcome<Process> {
    xtask::install_c::build_and_install(built)?;
    let layout = dudley_parser::check(STATE.as_bytes()).layout.ok_or("a layout with errors")?;
    std::fs::write(built.join("state.h"), dudley_codegen::c(&layout, "state", false))?;
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror"]);
    compiler.arg("-I").arg(built.join("include")).arg("-I").arg(built);
    compiler.arg(dudley_tests::root().join("benches/c/peer.c"));
    compiler.arg("-L").arg(built.join("lib")).arg("-ldudley_c");
    compiler.arg(format!("-Wl,-rpath,{}", built.join("lib").display()));
    let program = built.join("peer");
    if !compiler.arg("-o").arg(&program).status()?.success() {
        return Err("the program in C does not compile".into());
    }
    let mut command = Command::new(program);
    command.arg(folder);
    Process::run(command)
}
