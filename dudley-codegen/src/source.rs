//! Code as formatted text: for build scripts, and for files that are checked in.

use std::fmt;
use std::path::{Path, PathBuf};

use dudley_parser::Layout;

use crate::front::load;
use crate::generate::{Options, generate};

/// The code of a layout as a formatted source file: the expansion of `layout!`.
///
/// # Errors
/// If a path in the options is no path of Rust.
///
/// ```
/// use dudley_codegen::{Options, source};
///
/// let layout = dudley_parser::check(b"rho = f8[3]").layout.expect("no errors");
/// let source = source(&layout, &Options::default()).expect("Rust");
/// assert!(source.contains("pub type Reader = ::dudley::typed::Reader<Layout>;"));
/// ```
pub fn source(layout: &Layout, options: &Options) -> Result<String, String> {
    Ok(format!("{MARK}\n{}", formatted(layout, options)?))
}

/// As [`source()`], for a file that is a module of its own: a program need not use all of it.
///
/// # Errors
/// As [`source()`].
pub fn module_file(layout: &Layout, options: &Options) -> Result<String, String> {
    Ok(format!("{MARK}\n#![allow(dead_code)]\n\n{}", formatted(layout, options)?))
}

/// The mark by which tools recognise generated files.
const MARK: &str = "// @generated from a layout by dudley; not to be changed by hand.\n";

fn formatted(layout: &Layout, options: &Options) -> Result<String, String> {
    let file = syn::parse2(generate(layout, options)).map_err(|error| error.to_string())?;
    Ok(fields_in_lines(&prettyplease::unparse(&file)))
}

/// Breaks the lines of records, whose macro no formatter knows, behind documentation and fields.
fn fields_in_lines(code: &str) -> String {
    let mut lines = code.lines();
    let mut broken = String::with_capacity(code.len());
    while let Some(line) = lines.next() {
        broken += line;
        broken.push('\n');
        if line.ends_with("::record! {") {
            let inside = lines.by_ref().take_while(|line| *line != "}").map(str::trim);
            let inside: Vec<&str> = inside.collect();
            broken += &break_fields(&inside.join(" "));
            broken += "}\n";
        }
    }
    broken
}

fn break_fields(inside: &str) -> String {
    let mut broken = String::from("    ");
    let (mut quoted, mut escaped, mut depth) = (false, false, 0_usize);
    let mut chars = inside.chars().peekable();
    while let Some(c) = chars.next() {
        broken.push(c);
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends = c == ';' || (c == ']' && broken.ends_with("\"]"));
        if ends && !quoted && depth == 0 && chars.next_if_eq(&' ').is_some() {
            broken += "\n    ";
        }
    }
    broken + "\n"
}

/// Whether two source files hold the same code, however it is formatted.
pub fn same_code(one: &str, other: &str) -> bool {
    let unformatted = |text: &str| Some(prettyplease::unparse(&syn::parse_file(text).ok()?));
    one == other || unformatted(one).is_some_and(|one| unformatted(other) == Some(one))
}

/// The reason why a build script could not make code: the same text if it is displayed, and if `main`
/// returns it.
pub struct BuildError(String);

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BuildError {}

/// For build scripts: makes `NAME.rs` of `NAME.dud` in the folder for generated files (`OUT_DIR`), and
/// has Cargo run the script again when the layout changes.
///
/// The script, for which this crate is among the `[build-dependencies]`:
///
/// ```no_run
/// fn main() -> Result<(), dudley_codegen::BuildError> {
///     dudley_codegen::build("restart.dud").map(drop)
/// }
/// ```
///
/// and the program, in which not all that is made need be used:
///
/// ```ignore
/// #[allow(dead_code)]
/// mod restart {
///     include!(concat!(env!("OUT_DIR"), "/restart.rs"));
/// }
/// ```
///
/// # Errors
/// A message with all errors of the layout; why a file cannot be read or written.
pub fn build(layout: impl AsRef<Path>) -> Result<PathBuf, BuildError> {
    make(layout.as_ref()).map_err(BuildError)
}

fn make(path: &Path) -> Result<PathBuf, String> {
    println!("cargo::rerun-if-changed={}", path.display());
    let folder = std::env::var_os("OUT_DIR").ok_or("not in a build script: OUT_DIR is not set")?;
    let name = path.file_stem().ok_or_else(|| format!("`{}` is no file", path.display()))?;
    let code = source(&load(path)?, &Options::default())?;
    let out = Path::new(&folder).join(name).with_extension("rs");
    std::fs::write(&out, code)
        .map_err(|error| format!("cannot write {}: {error}", out.display()))?;
    Ok(out)
}
