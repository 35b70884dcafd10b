//! Are the layouts that we show as we would have others write them: without errors and warnings,
//! in canonical form, and documented?
//!
//! With `DUDLEY_UPDATE` in the environment they are brought into that form.

use std::fs;

use dudley_parser::Severity;
use dudley_parser::layout::DocKey;

#[test]
fn examples_are_exemplary() {
    let mut found = Vec::new();
    let mut seen = 0;
    let folders = ["examples/layouts", "examples/examples/radhydro", "asdf-bridge/layouts"];
    let files = folders.map(|it| fs::read_dir(dudley_tests::root().join(it)).expect("a folder"));
    for file in files.into_iter().flatten() {
        let path = file.expect("a file").path();
        if path.extension().is_none_or(|extension| extension != "dud") {
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("a layout");
        seen += 1;
        let checked = dudley_parser::check(text.as_bytes());
        for diagnostic in &checked.diagnostics {
            if diagnostic.severity > Severity::Note {
                found.push(format!("{name}: {} {}", diagnostic.code, diagnostic.message));
            }
        }
        match dudley_parser::format::format(&text) {
            Ok(formatted) if formatted == text => {}
            Ok(formatted) if std::env::var_os("DUDLEY_UPDATE").is_some() => {
                fs::write(&path, formatted).expect("the layout, formatted");
            }
            Ok(formatted) => found.push(format!("{name}: not as formatted, which is\n{formatted}")),
            Err(errors) => found.push(format!("{name}: {errors:?}")),
        }
        if checked.layout.is_some_and(|layout| layout.doc(DocKey::LAYOUT).next().is_none()) {
            found.push(format!("{name}: does not say what it describes"));
        }
    }
    assert!(seen > 0 && found.is_empty(), "{}", found.join("\n"));
}
