//! The parts of what errors say: lists of paths, ranges, types.

use std::fmt;
use std::path::Path;

use dudley_parser::layout::dtype::Primitive;
use dudley_parser::layout::path::split;
use dudley_parser::names::is_hidden;
use dudley_parser::resolve::ShapeParam;

use super::Error;

/// A path that values were given for, and that is not in the layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stray {
    /// The path.
    pub path: String,
    /// The path of the layout that was perhaps meant.
    pub similar: Option<String>,
}

impl fmt::Display for Stray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.path)?;
        match &self.similar {
            Some(similar) => write!(f, " (did you mean `{similar}`?)"),
            None => Ok(()),
        }
    }
}

/// The name of a file for a message. Control characters, line ends, marks that a reader does
/// not see, and bytes that are no text are replaced.
///
/// ```
/// use std::path::Path;
///
/// let path = Path::new("runs/a\nerror: all is lost");
/// assert_eq!(dudley::error::file_name(&path), "runs/a\u{fffd}error: all is lost");
/// ```
pub fn file_name(path: &(impl AsRef<Path> + ?Sized)) -> String {
    let hidden = |c: char| if is_hidden(c) { char::REPLACEMENT_CHARACTER } else { c };
    path.as_ref().to_string_lossy().chars().map(hidden).collect()
}

pub(super) fn of_range(range: &std::ops::Range<u64>) -> String {
    if range.is_empty() {
        String::new()
    } else {
        format!("bytes {} to {} of ", range.start, range.end - 1)
    }
}

/// The first error of a layout in one line, and their number.
pub(super) fn first_error(text: &str, errors: &[dudley_parser::Diagnostic]) -> String {
    let Some(first) = errors.first() else { return "the layout has errors".to_owned() };
    let at = dudley_parser::span::LineIndex::new(text).line_column(first.primary.span.start);
    let more = match errors.len() {
        1 => String::new(),
        n => format!(" (and {} more error{})", n - 1, plural(n as u64 - 1)),
    };
    format!("the layout has an error at {}:{}: {}{more}", at.line, at.column, first.message)
}

/// The first few of many.
pub(super) fn listed<T: fmt::Display>(paths: &[T]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<String> = paths.iter().take(SHOWN).map(T::to_string).collect();
    let mut text = shown.join(", ");
    if paths.len() > SHOWN {
        text += &format!(" and {} more", paths.len() - SHOWN);
    }
    text
}

/// What is wrong with what is found under a path, which is named once.
pub(super) fn of_path(path: &str, error: &Error) -> String {
    let (named, why) = (format!("`{path}`"), error.to_string());
    if why.contains(&named) { why } else { format!("{named}: {why}") }
}

/// What is wrong with the first few of many files.
pub(super) fn of_files(failed: &[(std::path::PathBuf, Error)]) -> String {
    let each: Vec<String> = failed
        .iter()
        .map(|(file, error)| format!("{}: {}", file_name(&file), error.cause()))
        .collect();
    match each.as_slice() {
        [one] => one.clone(),
        _ => format!("{} files: {}", each.len(), listed(&each)),
    }
}

pub(super) fn quoted(paths: &[String]) -> Vec<String> {
    paths.iter().map(|path| format!("`{path}`")).collect()
}

pub(super) fn but_missing(missing: &[String]) -> String {
    if missing.is_empty() {
        String::new()
    } else {
        format!("; nothing was given for {}", listed(&quoted(missing)))
    }
}

/// Why another shape is expected than was found.
pub(super) fn of_shape(
    expected: &[u64],
    found: &[u64],
    params: &[ShapeParam],
    shapes: &[(String, Box<[u64]>)],
) -> String {
    if params.is_empty() {
        return String::new();
    }
    let named: Vec<String> =
        params.iter().map(|param| format!("{} = {}", param.path, param.value)).collect();
    let shapes: Vec<String> =
        shapes.iter().map(|(path, shape)| format!("`{path}` of shape {shape:?}")).collect();
    let as_has =
        if shapes.is_empty() { String::new() } else { format!(", as {} has it", listed(&shapes)) };
    let lacking = expected.len() != found.len()
        || expected.iter().zip(found).any(|(expected, found)| *expected == 0 && *found > 0);
    let why = without_suffix(params).filter(|_| lacking);
    let why = why.map(|why| format!("; {why}")).unwrap_or_default();
    format!(" (the shape expected is from {}{as_has}{why})", named.join(", "))
}

/// That 0 and -1 have no `+` (spec 4.3), where a dimension is one of these and has one, and what to write.
pub(super) fn without_suffix(params: &[ShapeParam]) -> Option<String> {
    let param = params.iter().find(|it| it.suffix > 0 && matches!(it.value, 0 | -1))?;
    let (_, name) = split(&param.path);
    let (value, suffix) = (param.value, param.suffix);
    let plus = "+".repeat(suffix as usize);
    Some(format!(
        "{value} has no `+`, so `{name}{plus}` is {value} too (rule 4.3): a dimension that is {} then is \
         `{name}+{suffix}` in a layout, or a param of its own",
        value + i64::from(suffix)
    ))
}

/// A primitive with the type that it is in Rust, whose `i8` has one byte and not eight.
pub(super) fn in_rust(primitive: Primitive) -> String {
    let rust = match primitive {
        Primitive::I1 => "i8",
        Primitive::I2 => "i16",
        Primitive::I4 => "i32",
        Primitive::I8 => "i64",
        Primitive::U1 | Primitive::S1 | Primitive::Utf8 => "u8",
        Primitive::U2 | Primitive::Utf16 => "u16",
        Primitive::U4 | Primitive::P4 | Primitive::Utf32 => "u32",
        Primitive::U8 | Primitive::P8 => "u64",
        Primitive::F2 => "f16",
        Primitive::F4 => "f32",
        Primitive::F8 => "f64",
        Primitive::C4 => "Complex<f16>",
        Primitive::C8 => "Complex<f32>",
        Primitive::C16 => "Complex<f64>",
        Primitive::B1 => "bool",
    };
    format!("`{}` ({rust} in Rust)", primitive.name())
}

/// What makes a word mean this many.
pub(crate) fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Why something is of no known format.
pub(super) fn unknown_format(probably: Option<&str>, no_text: Option<(u64, u8)>) -> String {
    match (probably, no_text) {
        (Some(format), _) => format!(" (it is probably {format})"),
        (None, Some((at, byte))) => format!(" (byte {at} is 0x{byte:02x}, which no text has)"),
        (None, None) => String::new(),
    }
}

/// What to say of a byte that no text has.
pub(super) fn no_text(address: u64, at: u64, found: Option<u8>) -> String {
    let what = match found {
        None => return format!("{} bytes there have no terminator, a line `-`", at - address),
        Some(0) => "0, which no text has".to_owned(),
        Some(byte) => format!("0x{byte:02x}, which is not UTF-8"),
    };
    format!("byte {at} is {what}")
}
