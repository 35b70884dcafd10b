//! Do the layouts and the sessions that the pages show behave as they say?
//!
//! The pages are the README and all of `docs/`, with its folders of pages. A block `dud` is a layout without errors and warnings;
//! `dud,error CODE` and `dud,warning CODE` yield what they name. Each is written into a folder as
//! `x.dud`, or under the name behind `dud`. In a block `console` the lines that begin with `$ ` are run
//! in that folder, and what they print is compared. `DUDLEY_UPDATE=1` writes what was printed into the
//! page. A block `python NAME`, `c NAME` or `fortran NAME` is written there too, and run by such a line, or
//! by the tests of the Python package; those of the page of the library, by the tests of `dudley-c`; `rust NAME.rs` is the
//! example of that name, whose program is there as `./NAME`. Other Rust code is run by the tests of the
//! documentation, `json` must parse, and is written under its name, and in `sh` each line of `dudc` must be one that it takes.

use std::fs;
use std::path::Path;

use dudley_parser::{Severity, check};
use dudley_tests::markdown::{Block, blocks};

/// Blocks that are no code.
const PLAIN: [&str; 2] = ["text", "toml"];

/// The folders of pages that people write; `docs/pages` is made by `dudc doc`.
const FOLDERS: [&str; 3] = ["docs", "docs/start", "docs/how-to"];

/// The page whose programs use the library of C.
const LIBRARY: &str = "docs/how-to/library.md";

/// Programs that sessions call. Where one is missing, the pages that need it are skipped.
const PROGRAMS: [&str; 3] = ["python3", "cc", "gfortran"];

fn pages() -> Vec<String> {
    let mut names = Vec::new();
    for folder in FOLDERS {
        let entries = fs::read_dir(dudley_tests::root().join(folder)).expect("a folder").flatten();
        let files = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.extend(
            files.filter(|file| file.ends_with(".md")).map(|file| format!("{folder}/{file}")),
        );
    }
    names.sort();
    names.insert(0, "README.md".to_owned());
    names
}

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
    for name in pages() {
        for block in blocks(&page(&name)) {
            faults.extend(fault(&block).map(|fault| format!("{name}:{}: {fault}", block.line)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// No block is of a kind that nothing looks at.
#[test]
fn every_block_is_tried() {
    let documented = fs::read_to_string(dudley_tests::root().join("tests/src/lib.rs"));
    let documented = documented.expect("the page list of the tests of documentation");
    let mut faults = Vec::new();
    for name in pages() {
        for block in blocks(&page(&name)) {
            let (kind, rest) = block.info.split_once([' ', ',']).unwrap_or((&block.info, ""));
            let fine = match kind {
                "dud" | "console" => true,
                "python" => rest.ends_with(".py"),
                "c" | "cpp" | "fortran" if name == LIBRARY => !rest.is_empty(),
                "c" if rest.ends_with(".h") => page(&name).contains(&format!(" -x c {rest} ")),
                "c" | "fortran" => page(&name).contains(&format!("\n$ {} {rest} ", compiler(kind))),
                "rust" if rest.ends_with(".rs") => {
                    block.text() == page(&format!("examples/examples/{rest}"))
                }
                "rust" => documented.contains(&format!("../../{name}\")]")),
                "json" => serde_json::from_str::<serde_json::Value>(&block.text()).is_ok(),
                "sh" => block.lines.iter().all(|line| is_taken(line)),
                plain => PLAIN.contains(&plain),
            };
            if !fine {
                faults.push(format!("{name}:{}: nothing tries this `{}`", block.line, block.info));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What compiles a program in a language.
fn compiler(language: &str) -> &str {
    if language == "c" { "cc" } else { "gfortran" }
}

/// Whether a line of a shell is not of `dudc`, or of a command with options that it has.
fn is_taken(line: &str) -> bool {
    let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
    let (Some("dudc"), Some(mut dudc)) = (words.next(), dudley_tests::command::dudc()) else {
        return true;
    };
    let words: Vec<&str> = words.collect();
    let verbs = words.iter().take(if words.first() == Some(&"family") { 2 } else { 1 });
    let output = dudc.args(verbs).arg("--help").output().expect("an output");
    let help = String::from_utf8_lossy(&output.stdout);
    let known = |word: &&&str| {
        !word.starts_with("--") || help.contains(word.split('=').next().unwrap_or(word))
    };
    output.status.success() && words.iter().filter(known).count() == words.len()
}

/// Links between files lead somewhere: to a file, and to a heading of it.
#[test]
fn links() {
    let mut faults = Vec::new();
    for name in pages() {
        let text = page(&name);
        let folder = Path::new(&name).parent().unwrap_or(Path::new(""));
        for target in links_of(&text).into_iter().filter(|target| !target.contains("://")) {
            let (file, heading) = target.split_once('#').unwrap_or((&target, ""));
            let linked = if file.is_empty() { name.clone().into() } else { folder.join(file) };
            let path = dudley_tests::root().join(&linked);
            let found = match (path.exists(), heading) {
                // A folder is no page of the book.
                (there, "") => there && path.is_file(),
                (there, heading) => there && has_heading(&path, heading),
            };
            if !found {
                faults.push(format!("{name}: `{target}` leads nowhere"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The targets of links outside of code.
fn links_of(text: &str) -> Vec<String> {
    let mut targets = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        in_code ^= line.starts_with("```");
        if in_code {
            continue;
        }
        let ends = line.match_indices("](").map(|(at, _)| &line[at + 2..]);
        targets.extend(ends.filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())));
    }
    targets
}

/// Whether a page has a heading, as it is named in links.
fn has_heading(path: &Path, wanted: &str) -> bool {
    let text = fs::read_to_string(path).unwrap_or_default();
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let mut names = headings.map(|line| {
        let title = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        title.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect::<String>()
    });
    names.any(|name| name == wanted)
}

/// The number of each rule of the language stands in an example.
#[test]
fn every_rule_has_an_example() {
    let text = page("docs/language.md");
    let rules = text.lines().filter_map(|line| line.strip_prefix("**")?.split_once("**"));
    let numbered = |rule: &&str| rule.starts_with(|c: char| c.is_ascii_digit());
    let rules: Vec<&str> = rules.map(|(rule, _)| rule).filter(numbered).collect();
    assert!(rules.len() > 50, "{rules:?}");
    let shown: String = blocks(&text).iter().map(Block::text).collect();
    let words: Vec<&str> = shown.split(|c: char| !c.is_ascii_alphanumeric() && c != '.').collect();
    let without = |rule: &&&str| !words.iter().any(|word| word.trim_end_matches('.') == **rule);
    assert_eq!(rules.iter().filter(without).collect::<Vec<_>>(), Vec::<&&str>::new());
}

/// The book has each page once, and begins with the README.
#[test]
fn every_page_is_in_the_book() {
    let listed = links_of(&page("docs/SUMMARY.md"));
    let from_root = |target: &String| match target.strip_prefix("../") {
        Some(above) => above.to_owned(),
        None => format!("docs/{target}"),
    };
    let listed: Vec<String> = listed.iter().map(from_root).collect();
    let pages = || pages().into_iter().filter(|name| name != "docs/SUMMARY.md");
    let times = |name: &String| listed.iter().filter(|it| *it == name).count();
    let wrong: Vec<String> = pages().filter(|name| times(name) != 1).collect();
    assert_eq!(wrong, Vec::<String>::new(), "not once in docs/SUMMARY.md");
    assert_eq!(listed.first().map(String::as_str), Some("README.md"));
}

/// The README and the comparison quote figures as they were measured last.
#[test]
fn figures_are_those_that_were_measured() {
    let measured = page("docs/performance.md");
    let mut quoted = 0;
    let mut faults = Vec::new();
    for name in ["README.md", "docs/comparison.md"] {
        for line in page(name).lines().filter(|line| line.starts_with('|')) {
            let Some((row, rest)) = line.split_once("`cargo xtask bench ") else { continue };
            let bench = rest.split('`').next().unwrap_or_default();
            let section = measured
                .split("\n## ")
                .find(|it| it.lines().next().unwrap_or("").ends_with(&format!("(`{bench}`)")));
            let section = section.unwrap_or_else(|| panic!("{name}: no measurement `{bench}`"));
            for cell in row.split('|').skip(2).map(str::trim).filter(|cell| !cell.is_empty()) {
                let figure = cell.split(' ').next().unwrap_or(cell);
                quoted += 1;
                if !section.contains(&format!("| {figure} ")) {
                    faults.push(format!("{name}: `{bench}` has no {figure}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(quoted > 5, "{quoted}");
}

/// The Rust code of that page finds its layout beside these tests.
#[test]
fn the_layout_of_the_rust_code_is_the_one_shown() {
    let text = page("docs/start/rust.md");
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
        lay_out(&block, folder.path());
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

/// Puts what a block shows into the folder.
#[cfg(unix)]
fn lay_out(block: &Block, folder: &Path) {
    let (kind, file) = block.info.split_once([' ', ',']).unwrap_or((&block.info, ""));
    match kind {
        "dud" => {
            let named = file.ends_with(".dud") && !file.contains(' ');
            let file = folder.join(if named { file } else { "x.dud" });
            fs::write(file, block.text()).expect("a layout");
        }
        "json" if !file.is_empty() => fs::write(folder.join(file), block.text()).expect("values"),
        "python" | "c" | "fortran" => {
            fs::write(folder.join(file), block.text()).expect("a program");
        }
        "rust" if file.ends_with(".rs") => {
            let name = file.trim_end_matches(".rs");
            let program = dudley_tests::command::example(name);
            std::os::unix::fs::symlink(program, folder.join(name)).expect("a program");
        }
        _ => {}
    }
}

/// What a command prints, on both ways out.
#[cfg(unix)]
fn shell(command: &str, dudc: &Path, folder: &Path) -> Vec<String> {
    let mut path = vec![dudc.parent().expect("a folder").to_path_buf()];
    path.extend(dudley_tests::python::Python::get().map(|python| python.programs().to_path_buf()));
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
    let missing = PROGRAMS.into_iter().filter(|program| match *program {
        "python3" => dudley_tests::python::Python::get().is_none(),
        program => std::process::Command::new(program).arg("--version").output().is_err(),
    });
    let missing: Vec<&str> = missing.collect();
    for name in pages() {
        let needed = missing.iter().find(|program| page(&name).contains(&format!("$ {program} ")));
        if let Some(program) = needed {
            dudley_tests::skip(&format!("{name}: no {program}"));
            continue;
        }
        let (text, found) = rerun(&name, Path::new(dudc.get_program()));
        if !found.is_empty() && std::env::var_os("DUDLEY_UPDATE").is_some() {
            fs::write(dudley_tests::root().join(&name), text).expect("a page");
        } else {
            differ.extend(found);
        }
    }
    assert!(differ.is_empty(), "{} differ:\n{}", differ.len(), differ.join("\n"));
}
