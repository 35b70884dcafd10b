//! A card of a header: its keyword, its value and its comment.

use dudley_parser::comments::AttrValue;

/// Bytes of a card.
pub(super) const CARD: usize = 80;

/// Marks a quote in a text that is neither doubled nor closing: no byte of a card decodes to this.
const LONE: char = '\u{2019}';

/// The keywords, each with a number, of record-valued cards, which describe distortions. Other texts may look like
/// records.
const RECORDS: [&str; 6] = ["DP", "DQ", "D2IM", "CPDIS", "CQDIS", "AXISCORR"];

/// A card of a header.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Card {
    /// The keyword; for a HIERARCH card, the words between that and the `=`.
    pub(super) keyword: String,
    /// The value; `None` for a card of commentary.
    pub(super) value: Option<Value>,
    /// The comment, or the commentary.
    pub(super) comment: String,
    /// Its address in the file.
    pub(super) address: u64,
    /// Whether it is a HIERARCH card, whose words may have any characters.
    pub(super) has_words: bool,
}

/// The value of a card.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Text(String),
    Logical(bool),
    Int(i64),
    Float(f64),
    Complex(f64, f64),
    /// No value after the `=`.
    Undefined,
    /// Any other value, as it is written.
    Odd(String),
}

impl Value {
    /// The value as an attribute: a logical value becomes true or 0, an undefined value the empty list, a complex
    /// number a list of two.
    pub(super) fn attribute(&self) -> AttrValue {
        match self {
            Value::Text(text) | Value::Odd(text) => AttrValue::Text(text.clone()),
            Value::Logical(true) => AttrValue::True,
            Value::Logical(false) => AttrValue::Int(0),
            Value::Int(value) => AttrValue::Int(*value),
            Value::Float(value) => AttrValue::Float(*value),
            Value::Complex(re, im) => AttrValue::Floats(vec![*re, *im]),
            Value::Undefined => AttrValue::Ints(Vec::new()),
        }
    }
}

impl Card {
    /// Parses a card of 80 characters, decoded by [`text`].
    pub(super) fn parse(text: &str, address: u64) -> Card {
        let (field, rest) = split_at(text, 8);
        let keyword = field.trim_end().to_owned();
        let card =
            |keyword, value, comment| Card { keyword, value, comment, address, has_words: false };
        let commentary = |keyword: String| card(keyword, None, rest.trim_end().to_owned());
        match keyword.as_str() {
            "COMMENT" | "HISTORY" | "" => return commentary(keyword),
            "CONTINUE" => {
                let (value, comment) = value(rest.trim_start());
                return card(keyword, Some(value), comment);
            }
            "HIERARCH" => {
                if let Some((words, behind)) = rest.split_once('=') {
                    let words: Vec<&str> = words.split_whitespace().collect();
                    let (value, comment) = value(behind);
                    return Card { has_words: true, ..card(words.join(" "), Some(value), comment) };
                }
            }
            _ => {}
        }
        match rest.strip_prefix('=') {
            Some(behind) => {
                let (value, comment) = value(behind);
                card(keyword, Some(value), comment)
            }
            None => commentary(keyword),
        }
    }

    /// Appends a CONTINUE card; returns whether this card is a text that continues.
    pub(super) fn goes_on(&mut self, more: &Card) -> bool {
        let (Some(Value::Text(text)), Some(Value::Text(next))) = (&mut self.value, &more.value)
        else {
            return false;
        };
        if text.pop_if_and() {
            // Some programs split a doubled quote across two cards.
            match next.strip_prefix(LONE).filter(|_| text.ends_with(LONE)) {
                Some(rest) => {
                    text.pop();
                    text.push('\'');
                    text.push_str(rest);
                }
                None => text.push_str(next),
            }
            let space = if self.comment.is_empty() || more.comment.is_empty() { "" } else { " " };
            self.comment = format!("{}{space}{}", self.comment, more.comment);
            true
        } else {
            false
        }
    }

    /// Turns each remaining lone quote into a plain quote, once all cards of a text are joined.
    pub(super) fn joined(&mut self) {
        if let Some(Value::Text(text)) = &mut self.value
            && text.contains(LONE)
        {
            *text = text.replace(LONE, "'");
        }
    }

    /// Converts a record-valued card: `D2IM1 = 'AXIS.1: 2'` becomes the number `D2IM1.AXIS.1`.
    pub(super) fn of_record(self) -> Card {
        let root = self.keyword.trim_end_matches(|c: char| c.is_ascii_digit());
        if !RECORDS.contains(&root) || root == self.keyword && root != "AXISCORR" {
            return self;
        }
        let Some(Value::Text(text)) = &self.value else { return self };
        let Some((field, number)) = text.split_once(": ") else { return self };
        let is_word = |word: &str| {
            word.starts_with(|c: char| c.is_ascii_alphanumeric())
                && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
        };
        match float(number.trim()).filter(|_| field.split('.').all(is_word)) {
            Some(value) => Card {
                keyword: format!("{}.{field}", self.keyword),
                value: Some(Value::Float(value)),
                ..self
            },
            None => self,
        }
    }

    /// The fault of a card that breaks the standard: an invalid value, or a keyword with invalid characters.
    pub(super) fn fault(&self) -> Option<String> {
        if let Some(Value::Odd(text)) = &self.value {
            return Some(format!("the value of {} is none: `{text}`", self.keyword));
        }
        let is_letter = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || "-_ ".contains(c);
        // The field of a record follows a point.
        let keyword = self.keyword.split('.').next().unwrap_or_default();
        (!self.has_words && !keyword.chars().all(is_letter))
            .then(|| format!("the keyword `{}` has other letters than keywords have", self.keyword))
    }
}

trait PopIfAnd {
    fn pop_if_and(&mut self) -> bool;
}

impl PopIfAnd for String {
    /// Removes the `&` that marks a text as continued.
    fn pop_if_and(&mut self) -> bool {
        let goes_on = self.ends_with('&');
        if goes_on {
            self.pop();
        }
        goes_on
    }
}

/// Decodes the bytes of a header, one character each: bytes other than ASCII are Latin-1. A NUL is replaced, since
/// layouts have none.
pub(super) fn text(bytes: &[u8]) -> String {
    bytes
        .iter()
        .map(|byte| if *byte == 0 { char::REPLACEMENT_CHARACTER } else { (*byte).into() })
        .collect()
}

/// Splits a text at a number of characters.
fn split_at(text: &str, at: usize) -> (&str, &str) {
    let at = text.char_indices().nth(at).map_or(text.len(), |(at, _)| at);
    text.split_at(at)
}

/// Parses the value after an `=`, and the comment after the value.
fn value(behind: &str) -> (Value, String) {
    let behind = behind.trim();
    if let Some(quoted) = behind.strip_prefix('\'') {
        return quoted_text(quoted);
    }
    let (value, comment) = behind.split_once('/').unwrap_or((behind, ""));
    (plain(value.trim()), comment.trim().to_owned())
}

/// Parses a quoted text after its first quote; two quotes stand for one. Blanks at its end do not count.
fn quoted_text(behind: &str) -> (Value, String) {
    let (mut text, mut rest) = (String::new(), behind.char_indices());
    while let Some((at, c)) = rest.next() {
        if c != '\'' {
            text.push(c);
        } else if behind[at + 1..].starts_with('\'') {
            text.push('\'');
            rest.next();
        } else if !behind[at + 1..].starts_with([' ', '/'])
            && behind[at + 1..].trim_end().ends_with('\'')
        {
            text.push(LONE);
        } else {
            let comment = behind[at + 1..].trim();
            let comment = comment.strip_prefix('/').unwrap_or(comment).trim();
            return (Value::Text(text.trim_end().to_owned()), comment.to_owned());
        }
    }
    (Value::Odd(format!("'{behind}")), String::new())
}

fn plain(text: &str) -> Value {
    match text {
        "" => return Value::Undefined,
        "T" => return Value::Logical(true),
        "F" => return Value::Logical(false),
        _ => {}
    }
    if let Some(parts) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'))
        && let Some((re, im)) = parts.split_once(',')
        && let (Some(re), Some(im)) = (float(re.trim()), float(im.trim()))
    {
        return Value::Complex(re, im);
    }
    match text.strip_prefix('+').unwrap_or(text).parse() {
        Ok(value) => Value::Int(value),
        Err(_) => float(text).map_or_else(|| Value::Odd(text.to_owned()), Value::Float),
    }
}

/// Parses a finite number with a point or an exponent, which may be `D`.
pub(super) fn float(text: &str) -> Option<f64> {
    let is_number = text.bytes().all(|c| c.is_ascii_digit() || b"+-.eEdD".contains(&c));
    let number = text.replace(['d', 'D'], "E").parse().ok().filter(|it: &f64| it.is_finite());
    number.filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(text: &str) -> Card {
        Card::parse(&format!("{text:80}"), 0)
    }

    #[test]
    fn values_are_of_types() {
        for (text, value, comment) in [
            ("SIMPLE  =                    T / is it", Value::Logical(true), "is it"),
            ("A       = F", Value::Logical(false), ""),
            ("B       =  -12 /", Value::Int(-12), ""),
            ("B       =  +12", Value::Int(12), ""),
            ("C       = 1.5D+3 / d", Value::Float(1500.0), "d"),
            ("C       = .5", Value::Float(0.5), ""),
            ("C       = 9223372036854775808", Value::Float(9223372036854775808.0), ""),
            ("D       = (1, -2.5)", Value::Complex(1.0, -2.5), ""),
            ("E       = 'it''s / a  ' / b", Value::Text("it's / a".into()), "b"),
            ("E       = ''", Value::Text(String::new()), ""),
            ("E       = '  x'", Value::Text("  x".into()), ""),
            ("F       =   / no value", Value::Undefined, "no value"),
            ("G       = nan", Value::Odd("nan".into()), ""),
            ("G       = 1e999", Value::Odd("1e999".into()), ""),
            ("G       = 'open", Value::Odd("'open".into()), ""),
            ("CONTINUE  'more&' / of it", Value::Text("more&".into()), "of it"),
        ] {
            let card = card(text);
            assert_eq!((card.value, &*card.comment), (Some(value), comment), "{text}");
        }
    }

    #[test]
    fn keywords_may_be_words() {
        let card = card("HIERARCH ESO INS  OPTI-3 ID = 'x' / y");
        assert_eq!(card.keyword, "ESO INS OPTI-3 ID");
        assert_eq!((card.value, &*card.comment), (Some(Value::Text("x".into())), "y"));
    }

    #[test]
    fn records_are_those_of_distortions() {
        for (text, keyword) in [
            ("D2IM1   = 'AXIS.1: 2'", "D2IM1.AXIS.1"),
            ("DP2     = 'NAXES: 2'", "DP2.NAXES"),
            ("FILTER  = 'F: 606'", "FILTER"),
            ("DP      = 'NAXES: 2'", "DP"),
            ("DP1     = 'not one'", "DP1"),
        ] {
            assert_eq!(card(text).of_record().keyword, keyword, "{text}");
        }
    }

    #[test]
    fn commentary_has_no_value() {
        for text in ["COMMENT = 3", "HISTORY  a / b", "          c", "ANY      d", "HIERARCH no"] {
            assert_eq!(card(text).value, None, "{text}");
        }
        assert_eq!(card("HISTORY  a / b").comment, " a / b");
    }

    #[test]
    fn texts_go_on() {
        let mut first = card("A       = 'one &' / x");
        assert!(first.goes_on(&card("CONTINUE  'two&'")));
        assert!(first.goes_on(&card("CONTINUE  '' / y")));
        assert!(!first.goes_on(&card("CONTINUE  'three'")));
        assert_eq!(first.value, Some(Value::Text("one two".into())));
        assert_eq!(first.comment, "x y");
        let mut halves = card("A       = 'it''s 'so&'");
        assert!(halves.goes_on(&card("CONTINUE  ' it''s'")));
        halves.joined();
        assert_eq!(halves.value, Some(Value::Text("it's 'so it's".into())));
        let mut halves = card("A       = 'it'&'");
        assert!(halves.goes_on(&card("CONTINUE  ''s'")));
        halves.joined();
        assert_eq!(halves.value, Some(Value::Text("it's".into())));
    }
}
