//! Names of files as the languages write them: each has its own way to say what ends a text.

use dudley_parser::names::is_hidden;

use crate::escape::shell;

/// What is not seen, or turns the text around it: it is written by its number.
fn unseen(c: char) -> bool {
    c.is_control() || is_hidden(c)
}

/// As a word of a command: in quotes where the shell needs them, and never like an option.
pub(super) fn word(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let name = if name.starts_with('-') { format!("./{name}") } else { name.to_owned() };
    if name.chars().all(|c| plain(c) || c == '/') && !name.is_empty() { name } else { shell(&name) }
}

/// Behind backslashes, and what is unseen as `number` has it.
fn escaped(name: &str, number: &dyn Fn(char) -> String) -> String {
    let mut text = String::from("\"");
    for c in name.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            c if unseen(c) => text += &number(c),
            c => text.push(c),
        }
    }
    text + "\""
}

pub(super) fn python(name: &str) -> String {
    escaped(name, &|c| format!("\\U{:08x}", u32::from(c)))
}

pub(super) fn rust(name: &str) -> String {
    escaped(name, &|c| format!("\\u{{{:x}}}", u32::from(c)))
}

/// In C a number takes bytes, three digits each, and two question marks may begin a trigraph.
pub(super) fn c(name: &str) -> String {
    let bytes = |c: char| {
        let mut own = [0; 4];
        c.encode_utf8(&mut own).bytes().map(|byte| format!("\\{byte:03o}")).collect()
    };
    escaped(name, &bytes).replace("??", "?\\?")
}

/// In Fortran nothing is escaped but the quote, which is doubled.
pub(super) fn fortran(name: &str) -> String {
    let mut text = String::from("\"");
    for c in name.chars() {
        match c {
            '"' => text += "\"\"",
            c if unseen(c) => {
                let mut own = [0; 4];
                for byte in c.encode_utf8(&mut own).bytes() {
                    text += &format!("\" // achar({byte}) // \"");
                }
            }
            c => text.push(c),
        }
    }
    text + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_as_each_language_does() {
        for (name, expected) in [
            ("run.bd", "run.bd"),
            ("my run.bd", "'my run.bd'"),
            ("größe.bd", "'größe.bd'"),
            ("it's.bd", "'it'\\''s.bd'"),
            ("-x.bd", "./-x.bd"),
            ("-x y", "'./-x y'"),
        ] {
            assert_eq!(word(name), expected);
        }
        let name = "q\"t\\??\u{202e}ü";
        assert_eq!(rust(name), "\"q\\\"t\\\\??\\u{202e}ü\"");
        assert_eq!(python(name), "\"q\\\"t\\\\??\\U0000202eü\"");
        assert_eq!(c(name), "\"q\\\"t\\\\?\\?\\342\\200\\256ü\"");
        let bytes = [226, 128, 174].map(|byte| format!("\" // achar({byte}) // \"")).concat();
        assert_eq!(fortran(name), format!("\"q\"\"t\\??{bytes}ü\""));
    }
}
