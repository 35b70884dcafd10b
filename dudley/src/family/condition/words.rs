//! The words of a condition, each with its place.

/// A word.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Word<'t> {
    /// A name: of a column, or what the language has.
    Name(&'t str),
    /// A name in backquotes, which is always that of a column.
    Quoted(&'t str),
    Int(i128),
    Float(f64),
    Text(String),
    /// `=`, `<=`, `(` and so on.
    Sign(&'static str),
    End,
}

/// What is wrong at a byte of the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) why: String,
    /// The text is wrong whatever a catalog holds.
    pub(super) is_text: bool,
}

impl Fault {
    /// The text is no condition.
    pub(super) fn of_text(at: usize, why: impl Into<String>) -> Fault {
        Fault { at, why: why.into(), is_text: true }
    }

    /// It does not fit what the catalog holds.
    pub(super) fn of_meaning(at: usize, why: impl Into<String>) -> Fault {
        Fault { at, why: why.into(), is_text: false }
    }
}

const SIGNS: [&str; 17] =
    ["==", "!=", "<>", "<=", ">=", "=", "<", ">", "+", "-", "*", "/", "(", ")", "[", "]", ","];

/// Reads the words of a text one after the other.
#[derive(Clone, Debug)]
pub(super) struct Words<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Words<'t> {
    pub(super) fn of(text: &'t str) -> Words<'t> {
        Words { text, at: 0 }
    }

    /// The next word and where it begins. Where an operand is expected, `/` begins a path.
    pub(super) fn next(&mut self, operand: bool) -> Result<(Word<'t>, usize), Fault> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        let (rest, start) = (&self.text[self.at..], self.at);
        let Some(first) = rest.chars().next() else { return Ok((Word::End, start)) };
        let word = match first {
            '0'..='9' | '.' => self.number(rest)?,
            '\'' | '"' => self.quoted(rest, first)?,
            '`' => match rest[1..].find('`') {
                Some(length) => self.take(length + 2, Word::Quoted(&rest[1..=length])),
                None => return Err(Fault::of_text(start, "this quote is never closed")),
            },
            '/' if operand => self.name(rest),
            ':' => self.name(rest),
            first if first.is_alphabetic() || first == '_' => self.name(rest),
            _ => match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                Some(sign) => self.take(sign.len(), Word::Sign(sign)),
                None => return Err(Fault::of_text(start, format!("`{first}` means nothing here"))),
            },
        };
        Ok((word, start))
    }

    fn take(&mut self, length: usize, word: Word<'t>) -> Word<'t> {
        self.at += length;
        word
    }

    /// A name, with fields after dots, `#2` of a param that is declared again, or a path.
    fn name(&mut self, rest: &'t str) -> Word<'t> {
        let path = rest.starts_with('/');
        let within = |c: char| {
            c.is_alphanumeric() || matches!(c, '_' | '.' | '#') || (path && matches!(c, '/' | ':'))
        };
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let length = rest[first..].find(|c| !within(c)).map_or(rest.len(), |end| first + end);
        self.take(length, Word::Name(&rest[..length]))
    }

    fn number(&mut self, rest: &'t str) -> Result<Word<'t>, Fault> {
        let start = self.at;
        let hex = rest.starts_with("0x");
        let mut end = 0;
        for (at, c) in rest.char_indices() {
            let exponent = !hex && matches!(rest[..at].chars().last(), Some('e' | 'E'));
            if !(c.is_alphanumeric() || c == '.' || c == '_' || (exponent && "+-".contains(c))) {
                break;
            }
            end = at + c.len_utf8();
        }
        let text = &rest[..end];
        let bad = || Fault::of_text(start, format!("`{text}` is no number"));
        let word = match text.strip_prefix("0x") {
            Some(digits) => Word::Int(i128::from_str_radix(digits, 16).map_err(|_| bad())?),
            None if text.bytes().all(|byte| byte.is_ascii_digit()) => {
                Word::Int(text.parse().map_err(|_| bad())?)
            }
            None => Word::Float(text.parse().map_err(|_| bad())?),
        };
        Ok(self.take(end, word))
    }

    /// A text in quotes; a quote in it stands twice.
    fn quoted(&mut self, rest: &'t str, quote: char) -> Result<Word<'t>, Fault> {
        let (mut text, mut at) = (String::new(), 1);
        loop {
            let Some(length) = rest[at..].find(quote) else {
                return Err(Fault::of_text(self.at, "this quote is never closed"));
            };
            text.push_str(&rest[at..at + length]);
            at += length + 1;
            if !rest[at..].starts_with(quote) {
                return Ok(self.take(at, Word::Text(text)));
            }
            text.push(quote);
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_apart() {
        let all = |text: &'static str| {
            let mut words = Words::of(text);
            let mut found = Vec::new();
            loop {
                match words.next(found.is_empty()) {
                    Ok((Word::End, _)) => return Ok(found),
                    Ok((word, _)) => found.push(word),
                    Err(fault) => return Err(fault.at),
                }
            }
        };
        let name = Word::Name;
        assert_eq!(all("/g/N<=0x10"), Ok(vec![name("/g/N"), Word::Sign("<="), Word::Int(16)]));
        assert_eq!(all("a/b"), Ok(vec![name("a"), Word::Sign("/"), name("b")]));
        assert_eq!(all("pos.x N#2 :N"), Ok(vec![name("pos.x"), name("N#2"), name(":N")]));
        assert_eq!(all("1e-9 .5"), Ok(vec![Word::Float(1e-9), Word::Float(0.5)]));
        assert_eq!(all("1-1"), Ok(vec![Word::Int(1), Word::Sign("-"), Word::Int(1)]));
        assert_eq!(all("'it''s' `a b`"), Ok(vec![Word::Text("it's".into()), Word::Quoted("a b")]));
        assert_eq!(all("größe"), Ok(vec![name("größe")]));
        assert_eq!(all("äö.x"), Ok(vec![name("äö.x")]));
        for (text, at) in [("a 'b", 2), ("1z", 0), ("a ; b", 2), ("`a", 0), ("1.2.3", 0)] {
            assert_eq!(all(text), Err(at), "{text}");
        }
    }
}
