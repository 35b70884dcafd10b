//! Do the grammars for editors know all of the language?
//!
//! All layouts of the repository, and those whose results are known, must parse with the tree-sitter
//! grammar, and must have no word without a scope in the TextMate grammar. What a sample gets is
//! written beside it; `DUDLEY_UPDATE=1` writes it anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use dudley_tests::{command, known, node, root, skip, target};

/// Layouts, as files: those of the repository, of the corpus, and texts of which results are known.
fn layouts(texts: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in
        ["examples", "tests", "asdf-bridge/layouts", "dudley/layouts", "editors", "benches"]
    {
        walk(&root().join(folder), &mut found);
    }
    for folder in known::folders() {
        walk(&folder, &mut found);
        for row in known::rows(&folder, "resolved.json") {
            let text = row["text"].as_str().expect("a text");
            let file = texts.join(format!("{}.dud", found.len()));
            fs::write(&file, text).expect("a file");
            found.push(file);
        }
    }
    // Fixtures that show errors of layouts do not parse.
    found.retain(|file| {
        let text = fs::read(file).expect("a file");
        dudley_parser::check(&text).of(dudley_parser::Severity::Error).next().is_none()
    });
    found
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true if path.ends_with("target") => {}
            true => walk(&path, found),
            false if path.extension().is_some_and(|it| it == "dud") => found.push(path),
            false => {}
        }
    }
}

/// Compares what is printed of the sample with a file beside it.
fn is_kept(name: &str, printed: &str) {
    let file = root().join("editors/test").join(name);
    if std::env::var_os("DUDLEY_UPDATE").is_some() {
        fs::write(&file, printed).expect("a file");
    }
    let kept = fs::read_to_string(&file).unwrap_or_default().replace("\r\n", "\n");
    assert!(kept == printed, "{name} is not what is found now:\n{printed}");
}

fn sample() -> PathBuf {
    root().join("editors/test/sample.dud")
}

#[test]
fn text_mate() {
    let Some(mut script) = node::script("tokens.js") else { return };
    let grammar = root().join("editors/vscode/syntaxes/dud.tmLanguage.json");
    let texts = tempfile::tempdir().expect("a folder");
    let files = layouts(texts.path());
    assert!(files.len() > 150, "only {} layouts", files.len());
    let printed = command::success(script.arg(&grammar).args(&files));
    assert_eq!(printed, format!("{} files\n", files.len()));
    let mut script = node::script("tokens.js").expect("node");
    is_kept("sample.scopes", &command::success(script.arg("--show").arg(grammar).arg(sample())));
}

#[test]
fn tree_sitter() {
    if !node::is_there() {
        return skip("there is no node, which evaluates the grammar");
    }
    let manifest = root().join("editors/tree-sitter-dud/check/Cargo.toml");
    let cargo = || {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.env("CARGO_TARGET_DIR", target().join("tree-sitter"));
        cargo
    };
    let fetched = cargo().args(["fetch", "--locked", "--manifest-path"]).arg(&manifest).output();
    if !fetched.is_ok_and(|output| output.status.success()) {
        return skip("the crates of tree-sitter cannot be had");
    }
    let run = |arguments: &[PathBuf]| {
        let mut cargo = cargo();
        cargo.args(["run", "--quiet", "--locked", "--manifest-path"]).arg(&manifest);
        command::success(cargo.arg("--").args(arguments))
    };
    let texts = tempfile::tempdir().expect("a folder");
    assert_eq!(run(&layouts(texts.path())), "");
    is_kept("sample.tree", &run(&["--tree".into(), sample()]));
    is_kept("sample.highlights", &run(&["--highlight".into(), sample()]));
}
