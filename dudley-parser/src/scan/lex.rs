//! The tokens, as far as the scan and the error messages need them: where does the next one end?

/// White space of the language: space, tab, LF, VT, FF, CR.
pub(crate) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// `\n` or `\r`.
pub(crate) const fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// A byte of a name without quotes, or of a number.
pub(crate) const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The offset of the line end after `at`, or of the end.
pub(crate) fn line_end(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.iter().position(|&byte| is_line_end(byte)).map_or(bytes.len(), |length| at + length)
}

/// Where a quoted name that begins at `open` ends, and whether it ends with its quote.
pub(crate) fn quoted_end(bytes: &[u8], open: usize) -> (usize, bool) {
    let mut at = open + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' | b'\r' | 0 => return (at, false),
            b'\\' if bytes.get(at + 1).is_some_and(|&next| !is_line_end(next) && next != 0) => {
                at += 2;
            }
            _ if byte == bytes[open] => return (at + 1, true),
            _ => at += 1,
        }
    }
    (bytes.len(), false)
}

/// Where a run of word bytes from `at` ends.
pub(crate) fn word_end(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.iter().position(|&byte| !is_word(byte)).map_or(bytes.len(), |length| at + length)
}

/// The offset of the next byte at or after `at` that is not white space, or of the end.
pub(crate) fn skip_blanks(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|&&byte| is_blank(byte)).count()
}

/// The offset of the next token at or after `at`, or of the end.
pub(crate) fn skip_trivia(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'#' => at = line_end(bytes, at),
            _ if is_blank(byte) => at += 1,
            _ => break,
        }
    }
    at
}

/// The token that begins at `at`, which is not in white space or a comment: its end, at a
/// character boundary. `None` at the end of the text.
pub(crate) fn next_token(bytes: &[u8], at: usize) -> Option<usize> {
    let two = bytes.get(at..at + 2).unwrap_or_default();
    Some(match *bytes.get(at)? {
        b'"' | b'\'' => quoted_end(bytes, at).0,
        byte if is_word(byte) => word_end(bytes, at),
        _ if matches!(two, b".." | b"->" | b":=") => at + 2,
        byte if byte < 0x80 => at + 1,
        _ => {
            let rest = &bytes[at + 1..];
            at + 1 + rest.iter().take_while(|&&byte| byte & 0xc0 == 0x80).count()
        }
    })
}

/// Whether an item seems to begin at `at`: `..`, `/`, or a name and `=`, `:`, `/`, `[` or `{`.
pub(crate) fn begins_like_item(bytes: &[u8], at: usize) -> bool {
    let name_end = match bytes.get(at) {
        Some(b'/') => return true,
        Some(b'.') => return bytes.get(at + 1) == Some(&b'.'),
        Some(b'"' | b'\'') => match quoted_end(bytes, at) {
            (end, true) => end,
            _ => return false,
        },
        Some(byte) if byte.is_ascii_alphabetic() || *byte == b'_' => word_end(bytes, at),
        _ => return false,
    };
    let blanks = bytes[name_end..].iter().take_while(|&&byte| is_blank(byte)).count();
    matches!(bytes.get(name_end + blanks), Some(b'=' | b':' | b'/' | b'[' | b'{'))
}
