//! The header of an HDU: its cards, and queries on them.

use std::collections::HashMap;

use dudley::bytes::Source;
use dudley::{Error, Result};

use super::card::{CARD, Card, Value, text};
use super::keywords::is_structural;
use crate::cursor::malformed;

/// Bytes of a block: headers and data fill whole blocks.
pub(super) const BLOCK: u64 = 2880;

/// The longest header: without END, reading stops here.
const LONGEST: u64 = 1 << 26;

/// The cards of a header.
#[derive(Debug)]
pub(super) struct Header {
    /// The cards in file order, with CONTINUE cards joined.
    pub(super) cards: Vec<Card>,
    /// The index of the first card of each keyword.
    known: HashMap<String, usize>,
    /// The addresses of the header and of the data.
    pub(super) start: u64,
    pub(super) end: u64,
}

impl Header {
    /// Reads the header at an address, block by block up to its END.
    ///
    /// # Errors
    /// If it has no END before the file ends or bytes are no text.
    pub(super) fn read(source: &dyn Source, start: u64) -> Result<Header> {
        let mut header = Header { cards: Vec::new(), known: HashMap::new(), start, end: start };
        let mut block = [0; BLOCK as usize];
        loop {
            let left = source.len().saturating_sub(header.end);
            let there = &mut block[..left.min(BLOCK) as usize];
            source.read_at(header.end, there)?;
            let begins = header.end;
            header.end += BLOCK;
            for (at, card) in there.chunks_exact(CARD).enumerate() {
                let address = begins + (at * CARD) as u64;
                if !card[0].is_ascii_graphic() && card[0] != b' ' {
                    let what = "the header has no END card before what is no text";
                    return Err(malformed(address, what));
                }
                let card = text(card);
                if card.trim_end() == "END" {
                    header.cards.iter_mut().for_each(Card::joined);
                    return Ok(header);
                }
                header.add(Card::parse(&card, address));
            }
            if left <= BLOCK || header.end - start > LONGEST {
                let what = format!("there is no END of the header that begins at {start}");
                return Err(malformed(begins, what));
            }
        }
    }

    fn add(&mut self, card: Card) {
        if card.keyword == "CONTINUE"
            && self.cards.last_mut().is_some_and(|before| before.goes_on(&card))
        {
            return;
        }
        let mut card = card.of_record();
        // The words of a HIERARCH card never describe the data.
        if card.has_words && is_structural(&card.keyword) {
            card.keyword.insert_str(0, "HIERARCH ");
        }
        self.known.entry(card.keyword.clone()).or_insert(self.cards.len());
        self.cards.push(card);
    }

    /// The first card of a keyword.
    pub(super) fn card(&self, keyword: &str) -> Option<&Card> {
        self.known.get(keyword).map(|at| &self.cards[*at])
    }

    /// Whether a card is the first one of its keyword.
    pub(super) fn is_first(&self, at: usize) -> bool {
        self.known.get(&self.cards[at].keyword) == Some(&at)
    }

    fn value(&self, keyword: &str) -> Option<&Value> {
        self.card(keyword)?.value.as_ref()
    }

    /// A text without surrounding blanks; `None` for an empty one.
    pub(super) fn text(&self, keyword: &str) -> Option<&str> {
        match self.value(keyword)? {
            Value::Text(text) => Some(text.trim()).filter(|text| !text.is_empty()),
            _ => None,
        }
    }

    /// An integer; another value is an error, since the place of the data depends on it.
    ///
    /// # Errors
    /// If something is wrong with it.
    pub(super) fn int(&self, keyword: &str) -> Result<Option<i64>> {
        let Some(card) = self.card(keyword) else { return Ok(None) };
        match card.value {
            Some(Value::Int(value)) => Ok(Some(value)),
            Some(Value::Float(value)) if value.fract() == 0.0 && value.abs() < 1e15 => {
                Ok(Some(value as i64))
            }
            _ => Err(malformed(card.address, format!("{keyword} is no integer"))),
        }
    }

    /// A non-negative integer; if the card is missing, `default`, or an error without a default.
    ///
    /// # Errors
    /// If something is wrong with it.
    pub(super) fn count(&self, keyword: &str, default: Option<u64>) -> Result<u64> {
        match (self.int(keyword)?, default) {
            (Some(value), _) => u64::try_from(value)
                .map_err(|_| self.wrong(keyword, &format!("{keyword} is {value}, less than 0"))),
            (None, Some(default)) => Ok(default),
            (None, None) => Err(malformed(self.start, format!("the header has no {keyword}"))),
        }
    }

    /// Whether a logical value is true.
    pub(super) fn is_true(&self, keyword: &str) -> bool {
        self.value(keyword) == Some(&Value::Logical(true))
    }

    /// A number.
    pub(super) fn number(&self, keyword: &str) -> Option<&Value> {
        self.value(keyword).filter(|value| matches!(value, Value::Int(_) | Value::Float(_)))
    }

    /// An error at the card of a keyword.
    pub(super) fn wrong(&self, keyword: &str, what: &str) -> Error {
        malformed(self.card(keyword).map_or(self.start, |card| card.address), what)
    }
}
