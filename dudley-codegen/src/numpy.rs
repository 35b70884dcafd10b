//! A Python file from a layout, which reads its streams with numpy alone.
//!
//! The file has two parts: a function `place`, which makes the items of this layout, one call for each item,
//! and the classes of these items, which are the same in every file. The file contains only the classes that
//! the layout needs.
//!
//! The operations of the layout (`dudley_parser::formula::plan`), which are expressions in the calls, place the
//! items: no rule of the language is written in Python. Values that only a stream has are read on the way. The
//! documentation of the module has formulas for people.

mod docs;
mod place;
mod presented;
mod python;

use std::fmt;

use dudley_parser::layout::dtype::ByteOrder;
use dudley_parser::span::Span;
use dudley_parser::{Diagnostic, Layout};

/// The optional parts, each with its condition.
const PARTS: [(&str, &str); 10] = [
    ("Stated", include_str!("numpy/constants.py")),
    ("Presented", include_str!("numpy/presented.py")),
    ("Text", include_str!("numpy/text.py")),
    ("Struct", include_str!("numpy/structs.py")),
    ("Varying", include_str!("numpy/varying.py")),
    ("repeat", include_str!("numpy/lists.py")),
    ("repeat", include_str!("numpy/columns.py")),
    ("Whole", include_str!("numpy/blocks.py")),
    ("to_end", include_str!("numpy/to_end.py")),
    ("Filter", include_str!("numpy/filters.py")),
];

/// The common part of all files.
const CORE: [&str; 2] = [include_str!("numpy/params.py"), include_str!("numpy/core.py")];

/// Structs and lists nest deeper than functions of Python may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooDeep {
    /// As deep as they may nest.
    pub limit: usize,
    /// The first that is too deep, in the text of the layout.
    pub span: Span,
}

impl TooDeep {
    /// As other errors of a layout.
    pub fn diagnostic(&self) -> Diagnostic {
        Diagnostic::error("nesting", self.span, self.to_string())
    }
}

impl fmt::Display for TooDeep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "structs and lists nest deeper than {}, as deep as functions of Python may",
            self.limit
        )
    }
}

impl std::error::Error for TooDeep {}

/// The text of a Python module that reads the streams of a layout, with `numpy` and the standard
/// library. `name` is the name of the module, for its documentation.
///
/// # Errors
/// [`TooDeep`].
///
/// ```
/// let layout = dudley_parser::check(b"N : i8\nx = >f4[N, 3]  ## (mm) place").layout.unwrap();
/// let module = dudley_codegen::numpy(&layout, "run")?;
/// assert!(module.contains("N = at.param(root, \"N\", \"i8\", start)"));
/// let x = "at.array(root, \"x\", \">f4\", [N, 3], start + 8, size(4, N, 3), unit=\"mm\", doc=\"place\")";
/// assert!(module.contains(x));
/// # Ok::<(), dudley_codegen::TooDeep>(())
/// ```
pub fn numpy(layout: &Layout, name: &str) -> Result<String, TooDeep> {
    let placed = place::function(layout)?;
    let used = |part: &str| placed.uses.contains(part);
    let mut text = docs::module(layout, name);
    let imports = [
        "difflib",
        "functools",
        "importlib",
        "itertools",
        "json",
        "math",
        "operator",
        "os",
        "re",
        "warnings",
    ];
    let needed = |name: &&&str| match **name {
        "functools" => used("Struct"),
        "importlib" => used("Filter"),
        "itertools" => used("Stated"),
        _ => true,
    };
    for name in imports.iter().filter(needed) {
        text += &format!("import {name}\n");
    }
    let order = match layout.order() {
        None => "None",
        Some(ByteOrder::Little) => "\"<\"",
        Some(ByteOrder::Big) => "\">\"",
    };
    if used("repeat") {
        text += "from array import array\n";
    }
    text += "\nimport numpy as np\n\n";
    text += &format!(
        "#: The byte order that the layout says, whatever a signature does.\nORDER = {order}\n"
    );
    text += "#: The text of the layout, as it may be attached to streams.\n";
    text += &format!("LAYOUT = {}\n", python::text(layout.text()));
    text += "#: No address or length is greater.\nLIMIT = 2**63 - 1\n\n\n";
    text += &placed.text;
    text += "\n\n";
    text += &CORE.join("\n\n");
    for (part, code) in PARTS {
        if used(part) {
            text += "\n\n";
            text += code;
        }
    }
    Ok(text)
}
