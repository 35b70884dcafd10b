//! Where values begin and end in JSON that is known to be right.

use std::ops::Range;

/// The items of an array, or the names and values of an object, one after the other, by their places in the text.
pub(super) struct Inside<'t> {
    text: &'t [u8],
    at: usize,
    object: bool,
}

/// What stands in an array or object.
pub(super) struct Part {
    /// The name in front of a value, with its quotes.
    pub(super) name: Option<Range<usize>>,
    pub(super) value: Range<usize>,
}

impl<'t> Inside<'t> {
    /// What is inside the array or object that begins at an index.
    pub(super) fn of(text: &'t [u8], begin: usize) -> Inside<'t> {
        Inside { text, at: begin + 1, object: text.get(begin) == Some(&b'{') }
    }

    /// The items of an array from the one on that begins at an index.
    pub(super) fn from(text: &'t [u8], at: usize) -> Inside<'t> {
        Inside { text, at, object: false }
    }

    /// The next value, with what separates it from what follows skipped.
    fn next_value(&mut self) -> Option<Range<usize>> {
        let begin = blank(self.text, self.at);
        if matches!(self.text.get(begin), None | Some(b']' | b'}')) {
            return None;
        }
        let end = end(self.text, begin);
        let next = blank(self.text, end);
        let passed = matches!(self.text.get(next), Some(b',' | b':'));
        self.at = next + usize::from(passed);
        Some(begin..end)
    }
}

impl Iterator for Inside<'_> {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        let first = self.next_value()?;
        if !self.object {
            return Some(Part { name: None, value: first });
        }
        Some(Part { value: self.next_value()?, name: Some(first) })
    }
}

/// Where what is no blank begins.
pub(super) fn blank(text: &[u8], at: usize) -> usize {
    let blanks = text.iter().skip(at).take_while(|byte| byte.is_ascii_whitespace());
    at + blanks.count()
}

/// The end of the value that begins at an index.
fn end(text: &[u8], begin: usize) -> usize {
    let (mut at, mut depth) = (begin, 0_usize);
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => at = text_end(text, at),
            b'[' | b'{' => (depth, at) = (depth + 1, at + 1),
            b']' | b'}' => (depth, at) = (depth.saturating_sub(1), at + 1),
            _ if depth > 0 => at += 1,
            _ => {
                let ends = |byte: &u8| b",]}: \t\r\n".contains(byte);
                let rest = text.iter().skip(at);
                return at + rest.take_while(|byte| !ends(byte)).count();
            }
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// The end of the text whose quote is at an index.
fn text_end(text: &[u8], begin: usize) -> usize {
    let mut at = begin + 1;
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_apart() {
        let text = br#" [ 1.5 ,"a]\"," , [[2], {"b": "}"}],{}, null]"#;
        let items: Vec<_> = Inside::of(text, 1).map(|part| &text[part.value]).collect();
        assert_eq!(items, [&b"1.5"[..], br#""a]\",""#, br#"[[2], {"b": "}"}]"#, b"{}", b"null"]);
    }

    #[test]
    fn names_stand_before_values() {
        let text = br#"{"a\"" : [1], ":" :-2}"#;
        let parts =
            Inside::of(text, 0).map(|part| (part.name.map(|it| &text[it]), &text[part.value]));
        let parts: Vec<_> = parts.collect();
        assert_eq!(parts, [(Some(&br#""a\"""#[..]), &b"[1]"[..]), (Some(br#"":""#), b"-2")]);
    }
}
