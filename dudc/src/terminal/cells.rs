//! The cells of tables that list what there is.

use dudley_parser::Layout;
use dudley_parser::layout::DocKey;

/// A line that stands for many: the text goes where documentation does.
pub(crate) fn elided(path: String, text: String) -> Vec<String> {
    let empty = std::iter::repeat_n(String::new(), 5);
    std::iter::once(path).chain(empty).chain([text]).collect()
}

/// Dimensions as they are shown.
pub(crate) fn dims(shape: &[u64]) -> String {
    match shape {
        [] => String::new(),
        shape => {
            format!("[{}]", shape.iter().map(u64::to_string).collect::<Vec<_>>().join(", "))
        }
    }
}

/// A line of the table: what is given, and unit and documentation.
pub(crate) fn line(layout: &Layout, key: DocKey, path: String, cells: [&str; 4]) -> Vec<String> {
    const DOC_SHOWN: usize = 60;
    let mut line = vec![path];
    line.extend(cells.iter().map(|cell| (*cell).to_owned()));
    let unit = layout.unit(key).unwrap_or_default();
    line.push(unit.to_owned());
    let mut doc = layout.doc_without_unit(key).next().unwrap_or_default().trim().to_owned();
    if doc.chars().count() > DOC_SHOWN {
        doc = doc.chars().take(DOC_SHOWN - 1).chain(['…']).collect();
    }
    line.push(doc);
    line
}
