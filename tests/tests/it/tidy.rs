//! Are the rules of the repository kept? Each exception stands here with its reason.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use dudley_tests::root;

/// More lines of code than this in a file are a fault.
const MOST_LINES: usize = 600;

/// Files that a program wrote.
const GENERATED: [&str; 1] = ["dudley-parser/src/grammar.rs"];

/// Where `unsafe` may stand, and what for.
const UNSAFE: [(&str, &str); 22] = [
    ("asdf-bridge/src/blosc2/codecs/lz4_x86.rs", "short copies of LZ4 by vector instructions"),
    (
        "asdf-bridge/src/blosc2/kernels/neon.rs",
        "blocks of Blosc2 unshuffled by vector instructions",
    ),
    ("asdf-bridge/src/blosc2/kernels/x86.rs", "blocks of Blosc2 unshuffled by vector instructions"),
    (
        "asdf-bridge/src/blosc2/kernels/x86_forward.rs",
        "blocks of Blosc2 shuffled by vector instructions",
    ),
    ("benches/src/scale.rs", "a map that is measured"),
    ("dudc/src/interrupt.rs", "a question to the system about a signal"),
    ("dudley/src/elements/buffer.rs", "memory that is filled before it is read, on huge pages"),
    ("dudley/src/elements/cast.rs", "numbers as bytes and bytes as numbers"),
    ("dudley/src/elements/convert/loops.rs", "numbers that are converted into fresh memory"),
    ("dudley/src/elements/element.rs", "a test of memory that was filled"),
    ("dudley/src/bytes/map.rs", "a file mapped into memory"),
    ("dudley/src/bytes/source.rs", "a file that is mapped when that is asked for"),
    ("dudley/src/model/formats.rs", "a file that is mapped when that is asked for"),
    ("dudley-c/src/abi.rs", "memory and texts that C passes"),
    ("dudley-c/src/open.rs", "a file that is mapped when that is asked for"),
    ("dudley-python/src/memory.rs", "arrays of numpy as memory"),
    ("dudley-python/src/open.rs", "a file that is mapped when that is asked for"),
    ("dudley/src/elements/swap.rs", "calls of what a processor may lack"),
    ("dudley/src/elements/wide.rs", "a call of what a processor may lack"),
    ("dudley/src/elements/swap/avx2.rs", "bytes swapped by vector instructions"),
    ("dudley-web/src/abi.rs", "bytes that a page puts into memory"),
    ("editors/tree-sitter-dud/check/src/main.rs", "a parser in C, called"),
];

/// Where code may ask for the byte order of the machine, and what for. All else is reported an order.
const MACHINE_ORDER: [(&str, &str); 16] = [
    ("asdf-bridge/src/asdf/write/yaml/array.rs", "elements in memory are in it"),
    ("asdf-bridge/src/blosc2/kernels.rs", "bytes of a register are counted in it"),
    ("benches/src/arrays.rs", "both orders are measured"),
    ("benches/src/decode.rs", "a view is measured, which only this order has"),
    ("benches/src/dynamic.rs", "records are brought to it"),
    ("benches/src/scale.rs", "both orders are measured"),
    ("benches/src/whole.rs", "other libraries write in it"),
    ("dudley-c/src/elements.rs", "elements of C in memory are in it"),
    ("dudley/src/numpy/descr.rs", "numpy's `=` means it"),
    ("dudley/src/elements/element.rs", "elements in memory are in it"),
    ("dudley/src/read/native.rs", "which is about it"),
    ("dudley-python/src/elements.rs", "characters of numpy in memory are in it"),
    ("dudley/src/elements.rs", "which gives it to others"),
    ("dudley/src/elements/swap.rs", "which says what it is"),
    ("dudley/src/elements/load.rs", "elements that a source makes for this machine"),
    ("dudley/src/read/data/scaled/rule.rs", "physical values that are made for this machine"),
];

/// Where `asdf-bridge` may bring bytes into an order itself, and what for. All else is decoded through
/// layouts.
const BRIDGE_ORDER: [(&str, &str); 3] = [
    ("asdf-bridge/src/asdf/md5.rs", "words of a digest, which is made of bytes of any kind"),
    ("asdf-bridge/src/blosc2/codecs/copy.rs", "bytes of a register, in no order of a format"),
    ("asdf-bridge/src/blosc2/codecs/encode/matches.rs", "bytes that are compared, as a number"),
];

/// Where addresses are added, aligned and multiplied: files, or what the paths of several begin with. These are the
/// ones that place what a layout declares, as ARCHITECTURE.md says.
const PLACING: [(&str, &str); 5] = [
    ("dudley-parser/src/resolve/", "the resolver: numbers"),
    ("dudley-parser/src/formula/plan/", "the plan: operations"),
    ("dudley-parser/src/formula/expr.rs", "operations as formulas"),
    ("dudley-codegen/src/numpy/core.py", "operations carried out in Python"),
    ("dudley-doc/assets/evaluate.js", "operations carried out in pages"),
];

/// Where else, and what for: numbers that the resolver gave are counted on, or operations written for those who
/// carry them out; nothing is placed.
const COUNTED_ON: [(&str, &str); 10] = [
    ("dudley-parser/src/compare/", "where a member of a record that was placed lies in the stream"),
    ("dudley-parser/src/layout/placing.rs", "whether a dimension is a number that the text says"),
    ("dudley-parser/src/lint/padding.rs", "how little padding another order of items would have"),
    ("dudley-parser/src/padding.rs", "how many bytes an item has whose end is not known"),
    ("dudley/src/append", "what is put behind the end of a stream"),
    ("dudley/src/read/stream/guard.rs", "where a constant is looked for that cannot be measured"),
    ("dudley/src/encode/values.rs", "an instance that is written grows to its size"),
    ("dudley-codegen/src/numpy/place/", "operations as expressions of Python"),
    ("dudley-codegen/src/flat/ops.rs", "operations as calls of C and Fortran"),
    ("dudley-doc/src/data.rs", "operations as JSON"),
];

/// Where `dudc` may name ASDF beside its own files about it, and what for. All else asks the model.
const ASDF: [(&str, &str); 2] = [
    ("dudc/src/commands/convert.rs", "a tree is written anew as a tree"),
    ("dudc/src/opened.rs", "which gives the file to the code that does so"),
];

/// A file of the repository: its path from the root, with `/`, and its text.
struct Source {
    path: String,
    text: String,
}

impl Source {
    /// The lines before the tests within the file.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate().map(|(at, line)| (at + 1, line));
        lines.take_while(|(_, line)| !line.starts_with("#[cfg(test)]"))
    }
}

/// The files that are checked in or about to be; where there is no git, all that lie here.
fn files() -> Vec<PathBuf> {
    let mut git = Command::new("git");
    git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    match git.current_dir(root()).output() {
        Ok(output) if output.status.success() => {
            let names = String::from_utf8(output.stdout).expect("names are UTF-8");
            names.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from).collect()
        }
        _ => {
            let mut found = Vec::new();
            walk(&root(), &mut found);
            found
        }
    }
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let hidden = name.to_string_lossy().starts_with('.') && name != ".ci";
        match path.is_dir() {
            true if hidden || name == "target" => {}
            true => walk(&path, found),
            false => found.extend(path.strip_prefix(root()).map(Path::to_path_buf)),
        }
    }
}

/// The texts among the files whose names end so.
fn sources(extensions: &[&str]) -> Vec<Source> {
    let wanted = |path: &Path| {
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        extensions.is_empty() || extensions.contains(&&*extension)
    };
    let files = files().into_iter().filter(|path| wanted(path));
    files
        .filter_map(|path| {
            let text = String::from_utf8(fs::read(root().join(&path)).ok()?).ok()?;
            Some(Source { path: path.to_string_lossy().replace('\\', "/"), text })
        })
        .collect()
}

fn report(found: &[String]) {
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn every_file_says_which_question_it_answers() {
    let bare = sources(&["rs"]).into_iter().filter(|source| {
        let first = source.text.lines().find(|line| !line.starts_with("// @generated"));
        // Fixtures of other tests are read by programs, not by people.
        !source.path.contains("/tests/ui/") && !first.unwrap_or_default().starts_with("//! ")
    });
    report(&bare.map(|source| format!("{}: no `//!` header", source.path)).collect::<Vec<_>>());
}

#[test]
fn files_are_small() {
    let mut found = Vec::new();
    for source in sources(&["rs"]) {
        let is_code = |line: &str| !line.trim().is_empty() && !line.trim().starts_with("//");
        let lines = source.code().filter(|(_, line)| is_code(line)).count();
        if lines > MOST_LINES && !GENERATED.contains(&&*source.path) {
            found.push(format!("{}: {lines} lines of code", source.path));
        }
    }
    report(&found);
}

#[test]
fn nothing_is_left_to_do() {
    let marks = ["todo", "unimplemented"].map(|word| format!("{word}!("));
    let mut found = Vec::new();
    for source in sources(&["rs"]) {
        for (at, line) in source.code() {
            if marks.iter().any(|mark| line.contains(mark)) {
                found.push(format!("{}:{at}: {}", source.path, line.trim()));
            }
        }
    }
    report(&found);
}

/// Whether a line has an unsafe block, function or impl, not just the word.
fn is_unsafe(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    ["{", "fn ", "impl "].iter().any(|next| code.contains(&["unsafe ", next].concat()))
}

#[test]
fn unsafe_stands_where_it_may_and_says_why() {
    let mut found = Vec::new();
    for source in sources(&["rs"]) {
        let lines: Vec<&str> = source.text.lines().collect();
        for at in (0..lines.len()).filter(|at| is_unsafe(lines[*at])) {
            let place = format!("{}:{}", source.path, at + 1);
            if !UNSAFE.iter().any(|(path, _)| *path == source.path) {
                found.push(format!("{place}: unsafe code does not belong here"));
            }
            // The reason stands in the comment above, or in the documentation of a function.
            let above = lines[..at].iter().rev().map(|line| line.trim());
            let mut above =
                above.take_while(|line| line.starts_with("//") || line.starts_with("#["));
            if !above.any(|line| line.contains("SAFETY:") || line.contains("# Safety")) {
                found.push(format!("{place}: no `// SAFETY:` above"));
            }
        }
    }
    for (path, _) in UNSAFE {
        let text = fs::read_to_string(root().join(path)).unwrap_or_default();
        if !text.lines().any(is_unsafe) {
            found.push(format!("{path}: is listed for unsafe code, but has none"));
        }
    }
    report(&found);
}

#[test]
fn few_files_ask_for_the_order_of_the_machine() {
    // Put together here, so that this file is not found itself.
    let marks =
        ["target_@endian", "_ne_@bytes", "to_@ne(", "HO@ST"].map(|mark| mark.replace('@', ""));
    let asks = |line: &str| marks.iter().any(|mark| line.contains(mark));
    let (mut found, mut asking) = (Vec::new(), Vec::new());
    for source in sources(&["rs"]) {
        // Tests compare with what other programs of this machine write.
        if source.path.contains("/tests/") || source.path.starts_with("tests/") {
            continue;
        }
        for (at, line) in source.code().filter(|(_, line)| asks(line)) {
            asking.push(source.path.clone());
            if !MACHINE_ORDER.iter().any(|(path, _)| *path == source.path) {
                found.push(format!("{}:{at}: {}", source.path, line.trim()));
            }
        }
    }
    for (path, _) in MACHINE_ORDER {
        if !asking.iter().any(|file| file == path) {
            found.push(format!(
                "{path}: is listed for the byte order of the machine, but never asks"
            ));
        }
    }
    report(&found);
}

#[test]
fn the_bridge_decodes_through_layouts() {
    let marks = ["from_@e_bytes", "to_@e_bytes", "swap_bytes", "byteorder::"]
        .map(|mark| ["b", "l"].map(|order| mark.replace('@', order)));
    let orders = |line: &str| marks.iter().flatten().any(|mark| line.contains(mark));
    let mut found = Vec::new();
    let bridge = |source: &Source| source.path.starts_with("asdf-bridge/src/");
    for source in sources(&["rs"]).iter().filter(|source| bridge(source)) {
        for (at, line) in source.code().filter(|(_, line)| orders(line)) {
            if !BRIDGE_ORDER.iter().any(|(path, _)| *path == source.path) {
                found.push(format!("{}:{at}: {}", source.path, line.trim()));
            }
        }
    }
    report(&found);
}

#[test]
fn few_files_of_dudc_name_asdf() {
    let marks = ["asdf_bridge::asdf", "asdf_bridge::{", "crate::asdf", ".asdf()"];
    let names = |line: &str| marks.iter().any(|mark| line.contains(mark));
    let (mut found, mut naming) = (Vec::new(), Vec::new());
    for source in sources(&["rs"]) {
        let is_own = source.path == "dudc/src/asdf.rs" || source.path.starts_with("dudc/src/asdf/");
        if !source.path.starts_with("dudc/src/") || is_own {
            continue;
        }
        for (at, line) in source.code().filter(|(_, line)| names(line)) {
            naming.push(source.path.clone());
            if !ASDF.iter().any(|(path, _)| *path == source.path) {
                found.push(format!("{}:{at}: {}", source.path, line.trim()));
            }
        }
    }
    for (path, _) in ASDF {
        if !naming.iter().any(|file| file == path) {
            found.push(format!("{path}: is listed as one that names ASDF, but does not"));
        }
    }
    report(&found);
}

#[test]
fn no_path_of_a_machine_is_left() {
    // Put together here, so that this file is not found itself.
    let marks =
        ["/wo@rk/", "/ho@me/", "/ro@ot/", "/Us@ers/", "C:@\\"].map(|mark| mark.replace('@', ""));
    let mut found = Vec::new();
    for source in sources(&[]) {
        for (at, line) in source.text.lines().enumerate() {
            if marks.iter().any(|mark| line.contains(mark)) {
                found.push(format!("{}:{}: {}", source.path, at + 1, line.trim()));
            }
        }
    }
    report(&found);
}

/// Pages tell readers to call it.
#[test]
fn cargo_knows_the_chores() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let listed = Command::new(cargo).arg("--list").current_dir(root()).output().expect("cargo");
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    assert!(listed.lines().any(|line| line.trim().starts_with("xtask ")), "{listed}");
}

#[test]
fn no_test_measures_time() {
    // A test waits for nothing and compares no clocks: on a busy machine it would fail.
    let mark = ["Instant::", "now()"].concat();
    let mut found = Vec::new();
    for source in sources(&["rs"]) {
        let is_test = source.path.contains("/tests/");
        for (at, line) in source.text.lines().enumerate() {
            if is_test && line.contains(&mark) {
                found.push(format!("{}:{}: {}", source.path, at + 1, line.trim()));
            }
        }
    }
    report(&found);
}

#[test]
fn addresses_are_added_where_the_architecture_says() {
    // Put together here, so that this file is not found itself.
    let of_numbers = ["place::@add(", "place::@multiply(", "place::@align_up(", "place::@begin("];
    let others = ["place::@suffixed", "place::@Repeated", "place::@Elements", "Op::@Align {"];
    let numbers = [&of_numbers[..], &others].concat();
    let scripts = ["align@Up(", "al@ign("];
    let marks = |path: &str| {
        let marks = if path.ends_with(".rs") { &numbers[..] } else { &scripts };
        marks.iter().map(|mark| mark.replace('@', "")).collect::<Vec<String>>()
    };
    let of_crates = |path: &str| {
        let crates =
            ["dudc/", "dudley/", "dudley-codegen/", "dudley-doc/", "dudley-parser/", "dudley-web/"];
        crates.iter().any(|folder| path.starts_with(folder))
            && (path.contains("/src/") || path.contains("/assets/"))
    };
    let architecture = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("a file");
    let (mut found, mut adding) = (Vec::new(), Vec::new());
    let listed = || PLACING.iter().chain(&COUNTED_ON).map(|(path, _)| *path);
    for source in sources(&["rs", "py", "js"]).iter().filter(|source| of_crates(&source.path)) {
        let marks = marks(&source.path);
        let adds = |line: &str| marks.iter().any(|mark| line.contains(mark));
        let comment = |line: &str| line.trim_start().starts_with("//");
        for (at, line) in source.code().filter(|(_, line)| adds(line) && !comment(line)) {
            match listed().find(|path| source.path.starts_with(path)) {
                Some(path) => adding.push(path),
                None => found.push(format!("{}:{at}: {}", source.path, line.trim())),
            }
        }
    }
    for path in listed().filter(|path| !adding.contains(path)) {
        found.push(format!("{path}: is listed for sums of addresses, but has none"));
    }
    for (path, _) in PLACING.iter().filter(|(path, _)| !architecture.contains(path)) {
        found.push(format!("{path}: adds addresses, but ARCHITECTURE.md does not say so"));
    }
    report(&found);
}
