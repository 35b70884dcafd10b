//! The names of a layout, each stored once.
//!
//! A [`Symbol`] stands for a name; two symbols of one [`Names`] are equal when the names are.

use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

/// Whether a character of a text may hide or reorder what stands beside it, or end a line: controls, marks of
/// direction, what joins or has no width, line ends of Unicode, tags.
///
/// ```
/// use dudley_parser::names::is_hidden;
///
/// assert!(is_hidden('\n') && is_hidden('\u{202e}') && is_hidden('\u{e0041}'));
/// assert!(!is_hidden('\u{e9}'));
/// ```
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

/// A name, as a number: compare and hash it as such, ask [`Names::get`] for its text.
///
/// ```
/// use dudley_parser::names::{Names, Symbol};
///
/// let mut names = Names::default();
/// let rho: Symbol = names.intern("rho");
/// assert_eq!((names.intern("rho"), names.get(rho)), (rho, "rho"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

impl Symbol {
    /// The empty name, which is in every [`Names`].
    pub const EMPTY: Symbol = Symbol(0);

    /// The number itself: dense from 0, so that it can index a vector.
    ///
    /// ```
    /// use dudley_parser::names::Symbol;
    ///
    /// assert_eq!(Symbol::EMPTY.index(), 0);
    /// ```
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The names of one layout.
///
/// ```
/// use dudley_parser::names::Names;
///
/// let mut names = Names::default();
/// let symbols = ["rho", "u", "rho"].map(|name| names.intern(name));
/// assert!(symbols[0] == symbols[2] && symbols[0] != symbols[1]);
/// ```
#[derive(Clone, Debug)]
pub struct Names {
    text: String,
    ends: Vec<u32>,
    table: HashTable<Symbol>,
    hasher: DefaultHashBuilder,
}

impl Default for Names {
    fn default() -> Self {
        let mut names = Self {
            text: String::new(),
            ends: Vec::new(),
            table: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
        };
        names.intern("");
        names
    }
}

impl Names {
    /// The symbol of `name`, new if the name is.
    ///
    /// ```
    /// use dudley_parser::names::Names;
    ///
    /// let mut names = Names::default();
    /// assert_eq!(names.intern("rho"), names.intern("rho"));
    /// ```
    pub fn intern(&mut self, name: &str) -> Symbol {
        let hash = self.hasher.hash_one(name);
        let Self { text, ends, table, hasher } = self;
        if let Some(&found) = table.find(hash, |&symbol| slice(text, ends, symbol) == name) {
            return found;
        }
        let symbol = Symbol(ends.len() as u32);
        text.push_str(name);
        ends.push(text.len() as u32);
        table.insert_unique(hash, symbol, |&other| hasher.hash_one(slice(text, ends, other)));
        symbol
    }

    /// The symbol of `name` if it occurs.
    ///
    /// ```
    /// use dudley_parser::names::Names;
    ///
    /// let mut names = Names::default();
    /// let rho = names.intern("rho");
    /// assert_eq!((names.find("rho"), names.find("u")), (Some(rho), None));
    /// ```
    pub fn find(&self, name: &str) -> Option<Symbol> {
        let hash = self.hasher.hash_one(name);
        self.table.find(hash, |&symbol| self.get(symbol) == name).copied()
    }

    /// The text of a name.
    ///
    /// ```
    /// use dudley_parser::names::{Names, Symbol};
    ///
    /// assert_eq!(Names::default().get(Symbol::EMPTY), "");
    /// ```
    pub fn get(&self, symbol: Symbol) -> &str {
        slice(&self.text, &self.ends, symbol)
    }

    /// All symbols, in the order of their numbers.
    ///
    /// ```
    /// use dudley_parser::names::Names;
    ///
    /// let mut names = Names::default();
    /// names.intern("rho");
    /// let texts: Vec<&str> = names.symbols().map(|symbol| names.get(symbol)).collect();
    /// assert_eq!(texts, ["", "rho"]);
    /// ```
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + use<> {
        (0..self.ends.len() as u32).map(Symbol)
    }

    /// How many different names there are.
    ///
    /// ```
    /// use dudley_parser::names::Names;
    ///
    /// let mut names = Names::default();
    /// names.intern("rho");
    /// assert_eq!(names.len(), 2); // with the empty name
    /// ```
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Never: the empty name is always there.
    ///
    /// ```
    /// assert!(!dudley_parser::names::Names::default().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        false
    }
}

fn slice<'n>(text: &'n str, ends: &[u32], symbol: Symbol) -> &'n str {
    let start = if symbol.0 == 0 { 0 } else { ends[symbol.index() - 1] };
    &text[start as usize..ends[symbol.index()] as usize]
}
