//! Texts of Fortran: types, comments, strings, numbers, lines that are not too long.

use dudley_parser::layout::dtype::Primitive;

/// Characters of a line at most.
const LINE: usize = 110;

/// The type that holds an element; there are no unsigned integers, so that these have the bits.
pub(super) fn fortran_type(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::I1 | Primitive::U1 | Primitive::B1 => "integer(int8)",
        Primitive::I2 | Primitive::U2 | Primitive::F2 | Primitive::Utf16 | Primitive::C4 => {
            "integer(int16)"
        }
        Primitive::I4 | Primitive::U4 | Primitive::P4 | Primitive::Utf32 => "integer(int32)",
        Primitive::I8 | Primitive::U8 | Primitive::P8 => "integer(int64)",
        Primitive::F4 => "real(real32)",
        Primitive::F8 => "real(real64)",
        Primitive::C8 => "complex(real32)",
        Primitive::C16 => "complex(real64)",
        Primitive::S1 | Primitive::Utf8 => "character",
    }
}

/// A remark on elements that the type does not describe completely.
pub(super) fn remark(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::B1 => "0 is false, every other value true",
        Primitive::U1 | Primitive::U2 | Primitive::U4 | Primitive::U8 => {
            "unsigned: great values are negative here"
        }
        Primitive::P4 | Primitive::P8 => "addresses",
        Primitive::F2 => "bits of binary16",
        Primitive::C4 => "bits of binary16; the first dimension is that of the two parts",
        Primitive::S1 => "text in Windows-1252",
        Primitive::Utf8 => "text in UTF-8",
        Primitive::Utf16 => "text in UTF-16",
        Primitive::Utf32 => "text in UTF-32",
        _ => "",
    }
}

/// Lines of a comment.
pub(super) fn comment<S: AsRef<str>>(lines: &[S], indent: &str) -> String {
    let mut text = String::new();
    for line in lines {
        let line: String =
            line.as_ref().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let mut left = line.trim_end().to_owned();
        loop {
            let end = left.char_indices().nth(100).map_or(left.len(), |(at, _)| at);
            let rest = left.split_off(end);
            text += format!("{indent}! {left}").trim_end();
            text.push('\n');
            if rest.is_empty() {
                break;
            }
            left = rest;
        }
    }
    text
}

/// A character constant; invisible characters are written as numbers.
pub(super) fn string(text: &str) -> String {
    let mut parts = vec![String::from("'")];
    for c in text.chars() {
        if c.is_control() && c.is_ascii() {
            parts.push(format!("char({})", u32::from(c)));
            parts.push(String::from("'"));
        } else if let Some(part) = parts.last_mut() {
            part.push(c);
            if c == '\'' {
                part.push(c);
            }
        }
    }
    for part in parts.iter_mut().step_by(2) {
        part.push('\'');
    }
    let count = parts.len();
    parts.retain(|part| part != "''" || count == 1);
    parts.join(" // ")
}

/// A number of 64 bits.
pub(super) fn number(value: i64) -> String {
    match value {
        i64::MIN => "dud_none".to_owned(),
        value if value < 0 => format!("({value}_int64)"),
        value => format!("{value}_int64"),
    }
}

/// A line, continued where it is too long: between words that stand in no constant.
pub(super) fn wrapped(line: &str) -> String {
    let comment = line.trim_start().starts_with('!');
    if line.chars().count() <= LINE || comment {
        return format!("{line}\n");
    }
    let indent = line.len() - line.trim_start().len();
    let (mut text, mut here, mut last, mut quoted) = (String::new(), String::new(), 0, false);
    for c in line.chars() {
        here.push(c);
        quoted ^= c == '\'';
        if !quoted && c == ' ' && here.trim().len() > 1 {
            last = here.len();
        }
        if here.chars().count() >= LINE && last > 0 {
            let rest = here.split_off(last);
            text += &format!("{} &\n", here.trim_end());
            here = " ".repeat(indent + 4) + &rest;
            last = 0;
        }
    }
    text + &here + "\n"
}
