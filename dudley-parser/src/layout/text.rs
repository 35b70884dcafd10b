//! A layout text that a program writes: items at addresses, in dicts, and the parts of it that single names need.

use std::collections::HashMap;
use std::fmt::{Display, Write};
use std::ops::Range;

use super::dtype::ByteOrder;
use super::words::{Said, name};

/// A layout text that a program writes, every item of which says where it lies. So the part that declares one name of
/// the root is a layout by itself, which places the same items at the same addresses: see [`Text::excerpt`].
///
/// ```
/// use dudley_parser::layout::dtype::ByteOrder;
/// use dudley_parser::layout::text::Text;
/// use dudley_parser::layout::words::Said;
///
/// let mut text = Text::new(ByteOrder::Big, &Said::default());
/// text.item("t", "f8 @16", &Said::default());
/// text.open("run", &Said::default());
/// text.item("rho", "f4[3] @24", &Said::default());
/// text.close();
/// assert_eq!(text.as_str(), ">\nt = f8 @16\nrun/\n  rho = f4[3] @24\n  ..\n");
/// assert_eq!(text.excerpt("t").as_deref(), Some(">\nt = f8 @16\n"));
/// assert!(dudley_parser::check(text.as_str().as_bytes()).layout.is_some());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Text {
    text: String,
    /// Where the text begins that declares something.
    head: usize,
    /// Of each name of the root, the lines that declare it.
    parts: HashMap<String, Part>,
    /// The struct whose members are names of the root.
    record: Record,
    depth: usize,
    /// The name of the root that was declared last, and where its lines begin.
    last: (String, usize),
}

/// What declares a name of the root.
#[derive(Clone, Debug)]
enum Part {
    /// These lines.
    Lines(Range<usize>),
    /// These, in the struct without a name.
    Member(Range<usize>),
}

/// A struct without a name (rule 3.10 of the language).
#[derive(Clone, Debug, Default)]
struct Record {
    is_open: bool,
    head: Range<usize>,
    /// The lines of the member that ends it.
    last: Range<usize>,
    tail: Range<usize>,
}

impl Text {
    /// A text without items, with a byte order, and the words of the whole layout.
    ///
    /// ```
    /// use dudley_parser::layout::dtype::ByteOrder;
    /// use dudley_parser::layout::{text::Text, words::Said};
    ///
    /// let mut text = Text::new(ByteOrder::Big, &Said::default());
    /// assert_eq!(text.as_str(), ">\n");
    /// ```
    pub fn new(order: ByteOrder, about: &Said) -> Text {
        let mut text = String::from(match order {
            ByteOrder::Big => ">\n",
            ByteOrder::Little => "<\n",
        });
        for line in about.text("").lines() {
            text += line.trim_start();
            text.push('\n');
        }
        Text { head: text.len(), text, ..Text::default() }
    }

    /// Types that all items may have, as a layout declares them; before any item.
    ///
    /// ```
    /// use dudley_parser::layout::dtype::ByteOrder;
    /// use dudley_parser::layout::{text::Text, words::Said};
    ///
    /// let mut text = Text::new(ByteOrder::Big, &Said::default());
    /// text.declare("pair {a = u1  b = u1}\n");
    /// text.item("x", "pair[3]", &Said::default());
    /// assert!(dudley_parser::check(text.as_str().as_bytes()).layout.is_some());
    /// ```
    pub fn declare(&mut self, types: &str) {
        self.text += types;
        self.head = self.text.len();
    }

    /// An item of the open dict: the text behind its `=`, and its words.
    ///
    /// ```
    /// use dudley_parser::layout::dtype::ByteOrder;
    /// use dudley_parser::layout::{text::Text, words::Said};
    ///
    /// let mut text = Text::new(ByteOrder::Big, &Said::default());
    /// text.item("x", "f8[3] @24", &Said::default());
    /// assert_eq!(text.as_str(), ">\nx = f8[3] @24\n");
    /// ```
    pub fn item(&mut self, item: &str, what: impl Display, said: &Said) {
        self.begin(item);
        let _ = write!(self.text, " = {what}");
        self.end_line(said);
        self.end();
    }

    /// Opens a dict in the one that is open; the items that follow are in it.
    ///
    /// ```
    /// use dudley_parser::layout::dtype::ByteOrder;
    /// use dudley_parser::layout::{text::Text, words::Said};
    ///
    /// let mut text = Text::new(ByteOrder::Big, &Said::default());
    /// text.open("grp", &Said::default());
    /// text.item("x", "f8", &Said::default());
    /// text.close();
    /// assert_eq!(text.as_str(), ">\ngrp/\n  x = f8\n  ..\n");
    /// ```
    pub fn open(&mut self, dict: &str, said: &Said) {
        self.begin(dict);
        self.text.push('/');
        self.end_line(said);
        self.depth += 1;
    }

    /// Closes the dict that was opened last.
    ///
    /// ```
    /// use dudley_parser::layout::dtype::ByteOrder;
    /// use dudley_parser::layout::{text::Text, words::Said};
    ///
    /// let mut text = Text::new(ByteOrder::Big, &Said::default());
    /// text.open("grp", &Said::default());
    /// text.close();
    /// assert!(text.as_str().ends_with("..\n"));
    /// ```
    pub fn close(&mut self) {
        self.indent();
        self.text += "..\n";
        self.depth = self.depth.saturating_sub(1);
        self.end();
    }

    /// Opens the struct without a name in the root, whose members are items of that (rule 3.10): those that follow. There
    /// is one at most.
    ///
    /// ```
    /// use dudley_parser::layout::dtype::ByteOrder;
    /// use dudley_parser::layout::text::Text;
    /// use dudley_parser::layout::words::Said;
    ///
    /// let mut text = Text::new(ByteOrder::Big, &Said::default());
    /// text.open_record();
    /// text.item("t", "f8 @0", &Said::default());
    /// text.item("x", "i2[3] @8", &Said::default());
    /// text.item("y", "i2 @14", &Said::default());
    /// text.close_record("%1 [9] @64", &Said::default());
    /// // How long a record is follows from its last member.
    /// let x = text.excerpt("x").expect("a member");
    /// assert_eq!(x, ">\n\"\" = {\n  x = i2[3] @8\n  y = i2 @14\n} %1 [9] @64\n");
    /// let layout = dudley_parser::check(text.as_str().as_bytes());
    /// assert!(layout.diagnostics.is_empty());
    /// ```
    pub fn open_record(&mut self) {
        let start = self.text.len();
        self.text += "\"\" = {\n";
        self.record = Record { is_open: true, head: start..self.text.len(), ..Record::default() };
        self.depth += 1;
    }

    /// Closes it, with the text behind its brace, and its words. It ends with the last member, at whose
    /// end, or at the multiple of its alignment that is next, the following record begins.
    ///
    /// ```
    /// use dudley_parser::layout::dtype::ByteOrder;
    /// use dudley_parser::layout::{text::Text, words::Said};
    ///
    /// let mut text = Text::new(ByteOrder::Big, &Said::default());
    /// text.open_record();
    /// text.item("x", "i2[3]", &Said::default());
    /// text.close_record("[9] @64", &Said::default());
    /// assert!(text.as_str().trim_end().ends_with("[9] @64"));
    /// ```
    pub fn close_record(&mut self, what: impl Display, said: &Said) {
        self.depth = self.depth.saturating_sub(1);
        self.record.is_open = false;
        let start = self.text.len();
        let _ = write!(self.text, "}} {what}");
        self.end_line(said);
        self.record.tail = start..self.text.len();
    }

    /// More names that the last item of the root declares: those of the members of a struct that has no name.
    ///
    /// ```
    /// use dudley_parser::layout::dtype::ByteOrder;
    /// use dudley_parser::layout::{text::Text, words::Said};
    ///
    /// let mut text = Text::new(ByteOrder::Big, &Said::default());
    /// text.item("", "{a = u1  b = f8}", &Said::default());
    /// text.names(["a", "b"]);
    /// assert!(text.excerpt("b").unwrap().contains("b = f8"));
    /// ```
    pub fn names<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        let part = Part::Lines(self.last.1..self.text.len());
        self.parts.extend(names.into_iter().map(|name| (name.to_owned(), part.clone())));
    }

    /// The text.
    ///
    /// ```
    /// use dudley_parser::layout::dtype::ByteOrder;
    /// use dudley_parser::layout::{text::Text, words::Said};
    ///
    /// let mut text = Text::new(ByteOrder::Big, &Said::default());
    /// text.item("x", "f8", &Said::default());
    /// assert!(text.as_str().ends_with("x = f8\n"));
    /// ```
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The text with nothing but what declares a name of the root; `None` if nothing does.
    ///
    /// ```
    /// use dudley_parser::layout::dtype::ByteOrder;
    /// use dudley_parser::layout::{text::Text, words::Said};
    ///
    /// let mut text = Text::new(ByteOrder::Big, &Said::default());
    /// text.item("x", "f8", &Said::default());
    /// text.item("y", "f8", &Said::default());
    /// assert_eq!(text.excerpt("y").as_deref(), Some(">\ny = f8\n"));
    /// assert_eq!(text.excerpt("z"), None);
    /// ```
    pub fn excerpt(&self, name: &str) -> Option<String> {
        let head = &self.text[..self.head];
        Some(match self.parts.get(name)?.clone() {
            Part::Lines(lines) => head.to_owned() + &self.text[lines],
            Part::Member(lines) => {
                let Record { head: begin, last, tail, .. } = &self.record;
                let last = if *last == lines { 0..0 } else { last.clone() };
                let parts = [begin.clone(), lines, last, tail.clone()];
                head.to_owned() + &parts.map(|part| &self.text[part]).concat()
            }
        })
    }

    fn begin(&mut self, item: &str) {
        if self.depth == self.top() {
            self.last = (item.to_owned(), self.text.len());
        }
        self.indent();
        self.text += &name(item);
    }

    fn end_line(&mut self, said: &Said) {
        if !said.is_empty() {
            self.text += &said.text(&"  ".repeat(self.depth));
        }
        self.text.push('\n');
    }

    /// Ends the lines of a name of the root.
    fn end(&mut self) {
        if self.depth == self.top() {
            let name = std::mem::take(&mut self.last.0);
            let lines = self.last.1..self.text.len();
            let part = if self.record.is_open {
                self.record.last = lines.clone();
                Part::Member(lines)
            } else {
                Part::Lines(lines)
            };
            self.parts.insert(name, part);
        }
    }

    /// How deep names of the root stand.
    fn top(&self) -> usize {
        self.record.is_open.into()
    }

    fn indent(&mut self) {
        self.text.extend(std::iter::repeat_n("  ", self.depth));
    }
}
