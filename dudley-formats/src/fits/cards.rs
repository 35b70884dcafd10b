//! Writes the cards of a header, from keywords, values and comments.

use std::collections::HashSet;

use super::card::{CARD, Value};
use super::header::BLOCK;

/// The least room for a text after its keyword.
const LEAST: usize = 8;

/// A header in the making.
pub(super) struct Cards {
    bytes: Vec<u8>,
    /// The keywords in use.
    known: HashSet<String>,
}

impl Cards {
    /// Starts a header with this card.
    pub(super) fn new(keyword: &str, value: &Value, comment: &str) -> Cards {
        let mut cards = Cards { bytes: Vec::new(), known: HashSet::new() };
        cards.card(keyword, value, comment);
        cards
    }

    /// Adds a card; a keyword that is not plain becomes a HIERARCH card. Returns whether the card fits whole; a keyword
    /// never gets a second card.
    pub(super) fn card(&mut self, keyword: &str, value: &Value, comment: &str) -> bool {
        if !self.known.insert(keyword.to_owned()) {
            return false;
        }
        let is_plain = is_keyword(keyword);
        let head = if is_plain {
            format!("{keyword:8}= ")
        } else {
            format!("HIERARCH {} = ", ascii(keyword).0)
        };
        let text = match value {
            Value::Text(text) | Value::Odd(text) => {
                return self.text(&head, text, comment);
            }
            Value::Logical(value) => if *value { "T" } else { "F" }.to_owned(),
            Value::Int(value) => value.to_string(),
            Value::Float(value) => float(*value),
            Value::Complex(re, im) => format!("({}, {})", float(*re), float(*im)),
            Value::Undefined => String::new(),
        };
        let line = if is_plain { format!("{head}{text:>20}") } else { format!("{head}{text}") };
        if line.len() > CARD {
            return false;
        }
        self.line(&line, comment)
    }

    /// Adds a text and its comment; CONTINUE cards take the rest that does not fit in the first card.
    fn text(&mut self, head: &str, text: &str, comment: &str) -> bool {
        let ((text, is_ascii), (comment, is_plain)) = (ascii(text), ascii(comment));
        let quoted = text.replace('\'', "''");
        let line = format!("{head}'{quoted:8}'");
        let behind = if comment.is_empty() { 0 } else { comment.len() + 3 };
        if line.len() + behind <= CARD {
            return self.line(&line, &comment) && is_ascii && is_plain;
        }
        if head.len() + LEAST > CARD {
            return false;
        }
        let (mut head, mut rest) = (head.to_owned(), &*quoted);
        // A quote before it and a `&` and a quote after it take three bytes.
        while head.len() + rest.len() + 3 > CARD {
            let room = CARD - head.len() - 3;
            // A doubled quote is not split.
            let quotes = rest[..room].bytes().rev().take_while(|c| *c == b'\'').count();
            let (here, after) = rest.split_at(room - quotes % 2);
            self.line(&format!("{head}'{here}&'"), "");
            "CONTINUE  ".clone_into(&mut head);
            rest = after;
        }
        let mut comment = &*comment;
        // The comment continues after empty texts. Readers put a space between its parts.
        while head.len() + rest.len() + 2 + 3 + comment.len() > CARD && !comment.is_empty() {
            let room = (CARD - 3).saturating_sub(head.len() + rest.len() + 3);
            let head_of = &comment[..room.min(comment.len())];
            let end = match head_of.rfind(' ') {
                Some(space) => space,
                // A word that fits in the next card is not split.
                None if !rest.is_empty() => 0,
                None => head_of.len(),
            };
            let (here, after) = (&comment[..end], comment[end..].trim_start());
            self.line(&format!("{head}'{rest}&'"), here);
            "CONTINUE  ".clone_into(&mut head);
            (rest, comment) = ("", after);
        }
        self.line(&format!("{head}'{rest}'"), comment) && is_ascii && is_plain
    }

    /// Adds lines of commentary.
    pub(super) fn commentary(&mut self, keyword: &str, text: &str) {
        let (text, _) = ascii(text);
        let mut rest = &*text;
        loop {
            let (here, after) = rest.split_at(rest.len().min(CARD - 8));
            self.put(&format!("{keyword:8}{here}"));
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
    }

    /// Adds a card with as much of its comment as fits; returns whether all of it does.
    fn line(&mut self, line: &str, comment: &str) -> bool {
        let (comment, is_ascii) = ascii(comment);
        let mut all =
            if comment.is_empty() { line.to_owned() } else { format!("{line} / {comment}") };
        let fits = all.len() <= CARD;
        all.truncate(CARD);
        self.put(&all);
        fits && is_ascii
    }

    fn put(&mut self, line: &str) {
        self.bytes.extend(format!("{line:80}").bytes());
    }

    /// Finishes the header with END and the padding of the last block.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.put("END");
        self.bytes.resize(self.bytes.len().next_multiple_of(BLOCK as usize), b' ');
        self.bytes
    }
}

/// Whether a word is a plain keyword.
pub(super) fn is_keyword(word: &str) -> bool {
    let is_letter = |c: u8| c.is_ascii_uppercase() || c.is_ascii_digit() || b"-_".contains(&c);
    !word.is_empty() && word.len() <= 8 && word.bytes().all(is_letter)
}

/// A text in ASCII for a header, with `?` for other characters, and whether it is unchanged.
fn ascii(text: &str) -> (String, bool) {
    let is_printed = |c: char| c.is_ascii_graphic() || c == ' ';
    let made = text.chars().map(|c| if is_printed(c) { c } else { '?' }).collect();
    (made, text.chars().all(is_printed))
}

/// Spells a float so that it reads back as the same value.
fn float(value: f64) -> String {
    let text = format!("{value:?}");
    if text.contains(['e', 'E']) { text.to_uppercase() } else { text }
}

#[cfg(test)]
mod tests {
    use super::super::card::{Card, text};
    use super::*;

    #[test]
    fn cards_are_read_again() {
        let long = format!("{}'{}''", "x".repeat(66), "it's ".repeat(30));
        let values = [
            ("A", Value::Int(-5)),
            ("WCS-X_1", Value::Float(1.5e-300)),
            ("B", Value::Float(0.1)),
            ("C", Value::Logical(false)),
            ("D", Value::Text("it's / so".to_owned())),
            ("LONG", Value::Text(long.trim_end().to_owned())),
            ("E", Value::Undefined),
            ("ESO LONG", Value::Text(long.trim_end().to_owned())),
            ("lower words", Value::Complex(1.0, -2.5)),
        ];
        let mut cards = Cards::new("FIRST", &Value::Logical(true), "");
        for (keyword, value) in &values {
            assert!(cards.card(keyword, value, "said"), "{keyword}");
        }
        let bytes = cards.finish();
        assert_eq!(bytes.len(), 2880);
        let mut read: Vec<Card> = Vec::new();
        for card in bytes.chunks(CARD).map(|card| Card::parse(&text(card), 0)).skip(1) {
            if !(card.keyword == "CONTINUE" && read.last_mut().is_some_and(|it| it.goes_on(&card)))
            {
                read.push(card);
            }
        }
        for ((keyword, value), card) in values.iter().zip(read) {
            assert_eq!(
                (&*card.keyword, card.value.as_ref(), &*card.comment),
                (*keyword, Some(value), "said")
            );
        }
    }

    #[test]
    fn what_has_no_place_is_told() {
        let mut cards = Cards::new("A", &Value::Int(1), "");
        assert!(!cards.card("B", &Value::Text("é".to_owned()), ""));
        assert!(!cards.card("C", &Value::Int(1), &"x".repeat(80)));
        assert!(!cards.card("A", &Value::Int(1), ""));
        assert!(cards.card("a word", &Value::Text("x".repeat(80)), ""));
        assert!(!cards.card(&"w".repeat(70), &Value::Text("x".repeat(80)), ""));
    }
}
