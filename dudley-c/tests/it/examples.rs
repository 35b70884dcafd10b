//! Do the examples continue to the same bytes after they were killed? Do the programs print what the page shows?

use std::fs;
use std::path::Path;
use std::process::Command;

use dudley_tests::markdown::blocks;

use super::compile::{GCC, GXX, crate_folder, success};
use super::fortran;

/// Runs a program of 45 steps, once as a whole and once killed at these steps, and compares what it leaves.
fn is_killed_and_continues(program: &Path, folder: &Path) {
    let [whole, killed] = ["whole", "killed"].map(|name| folder.join(name));
    let run = |directory: &Path| {
        let mut command = Command::new(program);
        command.arg(directory).arg("45");
        command
    };
    assert_eq!(success(&mut run(&whole)), "starts after step 0\n");
    // Before the first checkpoint, within one that is not published, behind one.
    for step in ["7", "20", "34"] {
        let output = run(&killed).arg(step).output().expect("a program");
        assert!(!output.status.success(), "{program:?} was killed in step {step}");
    }
    assert_eq!(success(&mut run(&killed)), "starts after step 30\n");
    for name in ["final.bd", "history.bd", "checkpoint-0000000040/state.bd"] {
        let [whole, killed] =
            [&whole, &killed].map(|run| fs::read(run.join(name)).expect("a file"));
        assert!(whole == killed, "{name} of {program:?}");
    }
}

#[test]
fn examples_are_killed_and_continue_to_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let examples = crate_folder().join("examples");
    if let Some(program) = GXX.build("c++17", &examples.join("plate.cpp"), folder.path()) {
        let here = folder.path().join("cpp");
        fs::create_dir(&here).expect("a folder");
        is_killed_and_continues(&program, &here);
    }
    let here = folder.path().join("fortran");
    fs::create_dir(&here).expect("a folder");
    if fortran::build(&examples.join("waves.f90"), &here) {
        is_killed_and_continues(&here.join("waves"), &here);
    }
}

/// The programs of the page run one after the other, and print what the block behind them shows.
#[test]
fn the_page_shows_what_programs_print() {
    let page = dudley_tests::root().join("docs/how-to/library.md");
    let page = fs::read_to_string(page).expect("a page");
    let folder = tempfile::tempdir().expect("a folder");
    let blocks = blocks(&page);
    let mut run = 0;
    for (at, block) in blocks.iter().enumerate() {
        let Some((language, name)) = block.info.split_once(' ') else { continue };
        let source = folder.path().join(name);
        fs::write(&source, block.text()).expect("written");
        let program = match language {
            "c" => GCC.build("c11", &source, folder.path()),
            "cpp" => GXX.build("c++17", &source, folder.path()),
            _ => fortran::build(&source, folder.path()).then(|| source.with_extension("")),
        };
        let Some(program) = program else { return };
        let printed = success(Command::new(program).current_dir(folder.path()));
        let shown = blocks.get(at + 1).filter(|next| next.info == "text");
        let shown = shown.map_or(String::new(), |it| it.text());
        assert_eq!(printed.trim_end(), shown.trim_end(), "{name}");
        run += 1;
    }
    assert_eq!(run, 4);
}
