//! Where the entries of a collection stand in the text, with all that belongs to each.
//!
//! A tree knows where its scalars stand. What lies between them, and where an alias stands instead, is
//! read from the text here, one entry after the other.

use super::super::tree::{Node, NodeKind, Style, breaks};

/// Where a key or a value stands, with its tag and anchor. Places are those of the tree's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Place {
    /// Whether nothing is written: null.
    pub(super) fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// An entry of a mapping, or an item of a sequence.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot<'t> {
    /// Its first byte: of `- `, of `? `, or of the key or item.
    pub(super) start: usize,
    pub(super) key: Option<(Node<'t>, Place)>,
    /// Behind `:` or `-`; `None` where there is neither.
    pub(super) mark: Option<usize>,
    pub(super) node: Node<'t>,
    pub(super) value: Place,
}

/// Which of the entries of a mapping has a name: the last one of equal keys.
pub(super) fn find(mapping: Node<'_>, slots: &[Slot<'_>], name: &str) -> Option<usize> {
    let (key, value) = mapping.entry_named(name)?;
    let same = |(of, _): &(Node<'_>, Place)| of.is_same(key);
    slots.iter().rposition(|slot| slot.key.as_ref().is_some_and(same) && slot.node.is_same(value))
}

impl Slot<'_> {
    pub(super) fn end(&self) -> usize {
        let key = self.key.map_or(0, |(_, key)| key.end);
        self.value.end.max(key).max(self.mark.unwrap_or(0))
    }
}

/// The entries of a collection as they are written, in order; `place` is where it stands, with its tag and
/// anchor, where that is known.
pub(super) fn slots<'t>(node: Node<'t>, place: Option<usize>) -> Vec<Slot<'t>> {
    let text = node.tree().text();
    // The parser says of some lists where the first item is.
    let at = match (node.properties_end(), place) {
        (end, place) if end > place.unwrap_or(0) => skip(text, end, false),
        (_, Some(place)) => place,
        (_, None) => node.range().start,
    };
    let mut cursor = Cursor { text, at, flow: false };
    if node.style() == Style::Flow {
        cursor.flow = true;
        if matches!(cursor.next(), Some(b'[' | b'{')) {
            cursor.at += 1;
        }
    }
    match node.kind() {
        NodeKind::Scalar => Vec::new(),
        NodeKind::Sequence => node.items().map(|item| cursor.item(item)).collect(),
        NodeKind::Mapping => {
            let entries = node.written_entries().into_iter();
            entries.map(|(key, value)| cursor.entry(key, value)).collect()
        }
    }
}

struct Cursor<'t> {
    text: &'t str,
    at: usize,
    flow: bool,
}

impl<'t> Cursor<'t> {
    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips what means nothing; in brackets, commas too.
    fn skip(&mut self, commas: bool) {
        self.at = skip(self.text, self.at, commas && self.flow);
    }

    /// Takes a mark that stands alone.
    fn take(&mut self, mark: u8) -> bool {
        let is_there = self.next() == Some(mark);
        let after = || self.text.get(self.at + 1..).and_then(|rest| rest.chars().next());
        let taken = is_there && after().is_none_or(|after| breaks::BLANKS.contains(&after));
        self.at += usize::from(taken);
        taken
    }

    fn item(&mut self, node: Node<'t>) -> Slot<'t> {
        self.skip(true);
        let start = self.at;
        let mark = (!self.flow && self.take(b'-')).then_some(self.at);
        let value = self.place(node, start);
        Slot { start, key: None, mark, node, value }
    }

    fn entry(&mut self, key: Node<'t>, node: Node<'t>) -> Slot<'t> {
        self.skip(true);
        let start = self.at;
        self.take(b'?');
        let key = (key, self.place(key, start));
        let behind = self.at;
        self.skip(false);
        let mark = match self.next() {
            Some(b':') => {
                self.at += 1;
                Some(self.at)
            }
            _ => {
                self.at = behind;
                None
            }
        };
        let value = self.place(node, start);
        Slot { start, key: Some(key), mark, node, value }
    }

    /// Where a node stands that comes next, or an alias of it, in an entry that begins at `entry`.
    fn place(&mut self, node: Node<'t>, entry: usize) -> Place {
        let before = self.at;
        let start = skip(self.text, before, false);
        let range = node.range();
        // What an alias stands for was written before.
        let nothing = range.is_empty() && node.kind() == NodeKind::Scalar && range.start >= entry;
        if let Some(end) = node.tree().alias_at(start).filter(|_| !nothing) {
            self.at = end;
            return Place { start, end };
        }
        let end = match (node.kind(), node.style()) {
            (NodeKind::Scalar, Style::Literal | Style::Folded) => {
                block_end(self.text, start, &range)
            }
            (NodeKind::Scalar, _) if range.is_empty() => match node.properties_end() {
                end if end > before => end,
                _ => return Place { start: before, end: before },
            },
            (NodeKind::Scalar, _) | (_, Style::Flow) => range.end,
            _ => slots(node, Some(start)).last().map_or(range.end, Slot::end),
        };
        self.at = end;
        Place { start, end }
    }
}

/// The end of a block scalar whose lines take `range`, without the line ends behind it that mean
/// nothing.
fn block_end(text: &str, start: usize, range: &std::ops::Range<usize>) -> usize {
    let lines = text.get(range.clone()).unwrap_or_default();
    let head = text.get(start..range.start).unwrap_or_default();
    let head = head.split(breaks::BREAKS).find(|line| line.contains(['|', '>']));
    let kept = if head.unwrap_or_default().contains('+') {
        let lines = lines.trim_end_matches(' ');
        breaks::without_last(lines).len()
    } else {
        lines.trim_end_matches(breaks::BLANKS).len()
    };
    match kept {
        0 => line_end(text, start),
        kept => range.start + kept,
    }
}

/// The first place from `at` on that is no blank and in no comment.
pub(super) fn skip(text: &str, mut at: usize, commas: bool) -> usize {
    while let Some(next) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let before = text[..at].chars().next_back();
        match next {
            next if breaks::BLANKS.contains(&next) => at += next.len_utf8(),
            ',' if commas => at += 1,
            '#' if before.is_none_or(|c| breaks::BLANKS.contains(&c) || c == ',') => {
                at = line_end(text, at);
            }
            _ => break,
        }
    }
    at
}

/// Where the line ends that `at` is in: before its line end.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.find(breaks::BREAKS).unwrap_or(rest.len())
}

/// Where the line begins that `at` is in.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    before
        .rfind(breaks::BREAKS)
        .map_or(0, |last| last + before[last..].chars().next().map_or(0, char::len_utf8))
}

#[cfg(test)]
mod tests {
    use super::super::super::tree::Tree;
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let tree = Tree::parse(text).expect("a tree");
        let slots = slots(tree.root(), None);
        slots.iter().map(|slot| text[slot.start..slot.end()].to_owned()).collect()
    }

    #[test]
    fn entries_of_blocks_are_found_whole() {
        let text = "%YAML 1.1\n--- !x\na:\nlong: |\n  x\n  y\n\n# c\nb: !x # d\n  - 1\n  -\n  - &q\n# d\n\
                    c: *q\n? e\n: f\nd: !!null\ng: >+\n  z\n\nh: 'a\n  b' # e\nl: &w\n  m: 1\n# end\n...\n";
        let expected = [
            "a:",
            "long: |\n  x\n  y",
            "b: !x # d\n  - 1\n  -\n  - &q",
            "c: *q",
            "? e\n: f",
            "d: !!null",
            "g: >+\n  z\n",
            "h: 'a\n  b'",
            "l: &w\n  m: 1",
        ];
        assert_eq!(shown(text), expected);
        assert_eq!(
            shown("- 1 # a\n-\n- - 2\n  - 3\n# b\n- x: y\n"),
            ["- 1", "-", "- - 2\n  - 3", "- x: y"]
        );
    }

    #[test]
    fn entries_in_brackets_are_found_whole() {
        assert_eq!(
            shown("{a, b: 1, ? c : d, [x]: y, \"q\":1, # e\n z: &i [1], w: *i,}"),
            ["a", "b: 1", "? c : d", "[x]: y", "\"q\":1", "z: &i [1]", "w: *i"]
        );
        assert_eq!(shown("[a, !t b, {c: d}, e: f, ]"), ["a", "!t b", "{c: d}", "e: f"]);
        assert_eq!(
            shown("x: &m {a: 1}\ny: {<<: *m, b: 2}\n"),
            ["x: &m {a: 1}", "y: {<<: *m, b: 2}"]
        );
    }
}
