//! Do the layouts and the sessions that the pages show behave as they say?
//!
//! A block `dud` is a layout without errors and warnings; `dud,error CODE` and `dud,warning CODE`
//! yield what they name. Each is written into a folder as `x.dud`, or under the name behind `dud`.
//! In a block `console` the lines that begin with `$ ` are run in that folder, and what they print
//! is compared. `DUDLEY_UPDATE=1` writes what was printed into the page.

use std::fs;
use std::path::Path;

use dudley_parser::{Severity, check};
use dudley_tests::markdown::{Block, blocks};

const PAGES: [&str; 6] = [
    "README.md",
    "docs/language.md",
    "docs/index.md",
    "docs/families.md",
    "docs/evolution.md",
    "docs/hexdump.md",
];

fn page(name: &str) -> String {
    fs::read_to_string(dudley_tests::root().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// What is wrong with a layout that a page shows.
fn fault(block: &Block) -> Option<String> {
    let (kind, rest) = block.info.split_once([' ', ',']).unwrap_or((&block.info, ""));
    let (severity, code) = match rest.split_once(' ') {
        _ if kind != "dud" => return None,
        Some(("error", code)) => (Severity::Error, code),
        Some(("warning", code)) => (Severity::Warning, code),
        _ => (Severity::Note, ""),
    };
    let checked = check(block.text().as_bytes());
    let worse = |found: &&dudley_parser::Diagnostic| found.severity > Severity::Note;
    let found: Vec<_> = checked.diagnostics.iter().filter(worse).collect();
    let fine = match code {
        "" => found.is_empty(),
        _ => {
            found.iter().any(|it| it.severity == severity && it.code == code)
                && found.iter().all(|it| it.code == code)
        }
    };
    let said = found.iter().map(|it| format!("{}: {}", it.code, it.message));
    (!fine).then(|| format!("expected `{rest}`, found {:?}", said.collect::<Vec<_>>()))
}

#[test]
fn layouts() {
    let mut faults = Vec::new();
    for name in PAGES {
        let text = page(name);
        let blocks = blocks(&text);
        assert!(blocks.iter().any(|block| block.info.starts_with("dud")), "{name} shows no layout");
        for block in blocks {
            faults.extend(fault(&block).map(|fault| format!("{name}:{}: {fault}", block.line)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The Rust code of the README finds its layout beside these tests.
#[test]
fn the_layout_of_the_rust_code_is_the_one_shown() {
    let text = page("README.md");
    let shown = blocks(&text).into_iter().find(|block| block.info == "dud run.dud");
    assert_eq!(shown.expect("a layout").text(), page("tests/run.dud"));
}

/// The format of the index is the layout that it is written and read by.
#[test]
fn the_layout_of_the_index_is_the_one_in_use() {
    let text = page("docs/index.md");
    let shown = blocks(&text).into_iter().find(|block| block.info == "dud index.dud");
    assert_eq!(shown.expect("a layout").text(), dudley::index::LAYOUT);
}

/// The tables of codes are the pages of `explain`.
#[test]
fn the_rules_of_changes_and_lints_are_listed() {
    let text = page("docs/evolution.md");
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| `")).collect();
    let pages = dudley_parser::explain::pages();
    let changes = pages.iter().filter(|page| page.code.starts_with("change-"));
    let lints = pages.iter().filter(|page| page.code.starts_with("lint-"));
    let known: Vec<String> = changes
        .map(|page| format!("| `{}` | {} | {} |", page.code, page.title, page.section))
        .chain(lints.map(|page| format!("| `{}` | {} |", page.code, page.title)))
        .collect();
    let rows: Vec<&str> = rows.into_iter().filter(|row| row.contains('-')).collect();
    assert_eq!(rows, known);
}

#[test]
fn all_that_verify_finds_is_listed() {
    let text = page("docs/verify.md");
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| `")).collect();
    let known: Vec<String> = dudley::verify::CODES
        .iter()
        .map(|(code, meaning)| format!("| `{code}` | {meaning} |"))
        .collect();
    assert_eq!(rows, known);
}

/// What a page should be, with all that differs.
#[cfg(unix)]
fn rerun(name: &str, dudc: &Path) -> (String, Vec<String>) {
    use dudley_tests::markdown::shows;

    let text = page(name);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let mut differ = Vec::new();
    let mut moved = 0isize;
    for block in blocks(&text) {
        if let Some(rest) = block.info.strip_prefix("dud") {
            let file = rest.trim();
            let named = file.ends_with(".dud") && !file.contains(' ');
            let file = folder.path().join(if named { file } else { "x.dud" });
            fs::write(file, block.text()).expect("a layout");
        }
        if block.info != "console" {
            continue;
        }
        let mut now = Vec::new();
        for (command, shown) in block.session() {
            let printed = shell(&command, dudc, folder.path());
            let fine = shows(&shown, &printed);
            if !fine {
                let at = format!("{name}:{}: $ {command}", block.line);
                differ.push(format!("{at}\n{}", printed.join("\n")));
            }
            now.push(format!("$ {command}"));
            now.extend(if fine { shown } else { printed });
        }
        let start = (block.line - 1).saturating_add_signed(moved);
        moved += now.len() as isize - block.lines.len() as isize;
        lines.splice(start..start + block.lines.len(), now);
    }
    (lines.join("\n") + "\n", differ)
}

/// What a command prints, on both ways out.
#[cfg(unix)]
fn shell(command: &str, dudc: &Path, folder: &Path) -> Vec<String> {
    let mut path = vec![dudc.parent().expect("a folder").to_path_buf()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let output = std::process::Command::new("sh")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .env("PATH", std::env::join_paths(path).expect("folders"))
        .env("NO_COLOR", "1")
        .current_dir(folder)
        .output()
        .expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| line.trim_end().to_owned()).collect()
}

#[cfg(unix)]
#[test]
fn sessions() {
    let Some(dudc) = dudley_tests::command::dudc() else { return };
    let mut differ = Vec::new();
    for name in PAGES {
        let (text, found) = rerun(name, Path::new(dudc.get_program()));
        if !found.is_empty() && std::env::var_os("DUDLEY_UPDATE").is_some() {
            fs::write(dudley_tests::root().join(name), text).expect("a page");
        } else {
            differ.extend(found);
        }
    }
    assert!(differ.is_empty(), "{} differ:\n{}", differ.len(), differ.join("\n"));
}
