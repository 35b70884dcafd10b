//! How long a reader of those pages waits, in a browser.

use std::fs;
use std::process::Command;

use crate::Outcome;
use crate::report::{Report, Target};

/// Pages of a site: the first one, which has the map of all, one of a group, and the text of the layout.
const PAGES: [(&str, &str); 3] = [
    ("index.html", "first page of 10 000 items"),
    ("index-g50.html", "page of a group of them"),
    ("index-source.html", "text of their layout"),
];

/// Opens pages, and changes a param in them. Without node and chromium there is nothing to measure with.
pub(super) fn measure(report: &mut Report, site: &[dudley_doc::File]) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    for file in site {
        fs::write(folder.path().join(&file.name), &file.text)?;
    }
    for (page, what) in PAGES {
        let script = dudley_tests::root().join("tests/browser/speed.js");
        let mut node = Command::new("node");
        node.arg(script).arg("chromium").arg(folder.path().join(page)).arg("N");
        let Ok(output) = node.output() else { return Ok(()) };
        if !output.status.success() {
            eprintln!("no browser: {}", String::from_utf8_lossy(&output.stderr));
            return Ok(());
        }
        let text = String::from_utf8(output.stdout)?;
        let numbers: Vec<f64> = text.split_whitespace().flat_map(str::parse).collect();
        let [opened, changed] = numbers[..] else { return Err("expected two numbers".into()) };
        report.add(&format!("{what}, in a browser"), opened, "ms", Target::AtMost(1000.0))?;
        report.add("a param changed there", changed, "ms", Target::AtMost(50.0))?;
    }
    Ok(())
}
