//! A tree as text of YAML 1.1: collections by indentation, short ones in brackets, anchors where parts
//! are shared.
//!
//! The style is that of Python's `asdf`: two blanks for each level, sequences in the column of their key,
//! lines of brackets up to 80 columns.

use super::super::error::{Error, Result};
use super::super::tree::Style;
use super::quote;
use super::yaml::{Content, Yaml};

/// How deep collections may stand in each other: readers take no more.
const DEPTH: usize = 250;

/// Lines of brackets are broken behind this column.
const WIDTH: usize = 80;

/// Keys of more bytes are written as `? key`.
const KEY: usize = 120;

/// Writes trees that were [flattened](super::flatten), and parts of them that are put into a text that is
/// there.
#[derive(Debug)]
pub(crate) struct Emitter<'p> {
    out: String,
    /// Where the line begins that is being written.
    line: usize,
    /// What all tags of the format begin with.
    prefix: &'p str,
    /// Whether lists of values are written in brackets.
    brackets: bool,
    depth: usize,
}

impl<'p> Emitter<'p> {
    /// Writes behind `before`, whose last line continues. `prefix` is what the handle `!` stands for.
    pub(crate) fn new(before: String, prefix: &'p str) -> Self {
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        Emitter { out: before, line, prefix, brackets: true, depth: 0 }
    }

    /// Whether lists of values are written in brackets, where nothing else is said of them: they are otherwise.
    pub(crate) fn brackets(mut self, brackets: bool) -> Self {
        self.brackets = brackets;
        self
    }

    /// The text.
    pub(crate) fn finish(self) -> String {
        self.out
    }

    /// Writes what stands behind `---`, `key:` or `-`: a blank and a scalar, a line of brackets, or lines of
    /// their own, indented by `indent`. A line's end follows.
    ///
    /// # Errors
    /// [`Error::Limit`] for collections that stand too deep in each other.
    pub(crate) fn block(&mut self, yaml: &Yaml<'_>, indent: usize) -> Result<()> {
        self.part(yaml, indent, false)
    }

    /// Writes an entry of a mapping in a block: a key, a colon, and what [`Self::block`] writes.
    ///
    /// # Errors
    /// As [`Self::block`].
    pub(crate) fn entry(&mut self, key: &Yaml<'_>, value: &Yaml<'_>, indent: usize) -> Result<()> {
        if is_simple_key(key) {
            self.flow(key, indent)?;
            // An alias might have the colon in its name.
            self.out.push_str(if matches!(key.content, Content::Alias(_)) { " :" } else { ":" });
        } else {
            self.out.push('?');
            self.part(key, indent + 2, true)?;
            self.start_line(indent);
            self.out.push(':');
        }
        // A sequence stands in the column of its key.
        let list = matches!(value.content, Content::Sequence(_));
        self.part(value, if list { indent } else { indent + 2 }, false)
    }

    /// Writes a scalar, or a collection in brackets, which may go on in lines indented by `indent`.
    ///
    /// # Errors
    /// As [`Self::block`].
    pub(crate) fn flow(&mut self, yaml: &Yaml<'_>, indent: usize) -> Result<()> {
        self.deeper()?;
        if let Content::Alias(name) = &yaml.content {
            self.out.push('*');
            self.out.push_str(name);
        } else {
            self.props(yaml, "", " ");
        }
        match &yaml.content {
            Content::Plain(text) => self.out.push_str(text),
            Content::Text(text) => {
                quote::push_text(&mut self.out, text, yaml.style, yaml.tag.is_some());
            }
            Content::Sequence(items) => {
                self.out.push('[');
                for (at, item) in items.iter().enumerate() {
                    self.separate(at, indent);
                    self.flow(item, indent)?;
                }
                self.out.push(']');
            }
            Content::Mapping(entries) => {
                self.out.push('{');
                for (at, (key, value)) in entries.iter().enumerate() {
                    self.separate(at, indent);
                    let simple = is_simple_key(key) && !matches!(key.content, Content::Alias(_));
                    if !is_simple_key(key) {
                        self.out.push_str("? ");
                    }
                    self.flow(key, indent)?;
                    self.out.push_str(if simple { ": " } else { " : " });
                    self.flow(value, indent)?;
                }
                self.out.push('}');
            }
            // Both are gone where a tree is flat.
            Content::Alias(_) | Content::Shared(_) | Content::Array(_) | Content::Within(_) => {}
        }
        self.depth -= 1;
        Ok(())
    }

    /// What [`Self::block`] writes. Behind the `-` of a list (`listed`) a block may begin in the line.
    fn part(&mut self, yaml: &Yaml<'_>, indent: usize, listed: bool) -> Result<()> {
        let parts = match &yaml.content {
            Content::Sequence(items) => items.len(),
            Content::Mapping(entries) => entries.len(),
            _ => 0,
        };
        if let Content::Text(text) = &yaml.content
            && indent > 0
            && quote::is_literal(text, yaml.style)
        {
            self.literal(yaml, text, indent);
            return Ok(());
        }
        if parts == 0 || self.is_flow(yaml) {
            self.out.push(' ');
            self.flow(yaml, indent)?;
            self.out.push('\n');
            self.line = self.out.len();
            return Ok(());
        }
        self.deeper()?;
        let before = self.out.len();
        self.props(yaml, " ", "");
        let mut goes_on = listed && self.out.len() == before;
        if !goes_on {
            self.out.push('\n');
        }
        let mut begin = |out: &mut Self| {
            if std::mem::take(&mut goes_on) {
                // The column is `indent` already: two behind that of the `-`.
                out.out.push(' ')
            } else {
                out.start_line(indent)
            }
        };
        match &yaml.content {
            Content::Sequence(items) => {
                for item in items {
                    begin(self);
                    self.out.push('-');
                    self.part(item, indent + 2, true)?;
                }
            }
            Content::Mapping(entries) => {
                for (key, value) in entries {
                    begin(self);
                    self.entry(key, value, indent)?;
                }
            }
            _ => {}
        }
        self.depth -= 1;
        Ok(())
    }

    /// Writes text line by line, as it is.
    fn literal(&mut self, yaml: &Yaml<'_>, text: &str, indent: usize) {
        self.props(yaml, " ", "");
        let (lines, mark) = match text.strip_suffix('\n') {
            Some(lines) => (lines, " |"),
            None => (text, " |-"),
        };
        self.out.push_str(mark);
        for line in lines.split('\n') {
            self.out.push('\n');
            self.line = self.out.len();
            if !line.is_empty() {
                self.out.push_str(&" ".repeat(indent));
                self.out.push_str(line);
            }
        }
        self.out.push('\n');
        self.line = self.out.len();
    }

    fn separate(&mut self, at: usize, indent: usize) {
        if at == 0 {
            return;
        }
        self.out.push(',');
        if self.out.len() - self.line > WIDTH {
            self.out.push('\n');
            // Never in the first column, where dots and dashes have a meaning.
            self.start_line(indent.max(2));
        } else {
            self.out.push(' ')
        }
    }

    fn start_line(&mut self, indent: usize) {
        self.line = self.out.len();
        self.out.push_str(&" ".repeat(indent));
    }

    /// Writes anchor and tag, each with something in front and behind.
    fn props(&mut self, yaml: &Yaml<'_>, before: &str, after: &str) {
        if let Some(anchor) = &yaml.anchor {
            self.out.push_str(before);
            self.out.push('&');
            self.out.push_str(anchor);
            self.out.push_str(after);
        }
        if let Some(tag) = &yaml.tag {
            self.out.push_str(before);
            quote::push_tag(&mut self.out, tag, self.prefix);
            self.out.push_str(after);
        }
    }

    /// Whether a collection that has something in it is written in brackets. Lists of values are.
    fn is_flow(&self, yaml: &Yaml<'_>) -> bool {
        match (yaml.style, &yaml.content) {
            (Some(Style::Flow), _) => true,
            (Some(Style::Block), _) => false,
            (_, Content::Sequence(items)) => self.brackets && items.iter().all(Yaml::is_scalar),
            (_, content) => !matches!(content, Content::Mapping(_)),
        }
    }

    fn deeper(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > DEPTH {
            Err(Error::Limit {
                what: "collections in each other".into(),
                limit: DEPTH.to_string().into(),
            })
        } else {
            Ok(())
        }
    }
}

/// Whether a key can stand in front of its colon as it is.
fn is_simple_key(key: &Yaml<'_>) -> bool {
    match &key.content {
        Content::Plain(text) | Content::Text(text) => text.len() <= KEY,
        Content::Alias(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::super::tree::Tree;
    use super::super::flatten::Flat;
    use super::super::standard::{Standard, Target};
    use super::*;

    fn text(yaml: &Yaml<'_>) -> String {
        let flat = Flat::new(Target::Asdf(Standard::default()), [])
            .flatten(yaml, &mut |_, _| Ok(Yaml::null()))
            .expect("a tree");
        let mut out = Emitter::new("---".to_owned(), "tag:stsci.edu:asdf/");
        out.block(&flat, 0).expect("a tree");
        let text = out.finish();
        Tree::parse(&text).expect(&text);
        text
    }

    #[test]
    fn trees_look_as_those_of_python() {
        let extension = Yaml::mapping([
            ("software", Yaml::mapping([("name", "asdf"), ("version", "6.0.0")]).flow()),
            (
                "of",
                Yaml::sequence([Yaml::sequence([1, 2]), Yaml::sequence([3])]).styled(Style::Block),
            ),
        ]);
        let tree = Yaml::mapping([
            (
                "history",
                Yaml::mapping([(
                    "extensions",
                    Yaml::sequence([extension.clone().tagged("!x-1.0.0"), extension]),
                )]),
            ),
            ("empty", Yaml::mapping::<&str, i32>([])),
            ("none", Yaml::sequence::<i32>([])),
            ("shape", Yaml::sequence([8])),
        ]);
        assert_eq!(
            text(&tree.tagged("tag:stsci.edu:asdf/core/asdf-1.1.0")),
            "--- !core/asdf-1.1.0\n\
             history:\n  extensions:\n  - !x-1.0.0\n    software: {name: asdf, version: 6.0.0}\n    of:\n    \
             - [1, 2]\n    - [3]\n  - software: {name: asdf, version: 6.0.0}\n    of:\n    - [1, 2]\n    \
             - [3]\nempty: {}\nnone: []\nshape: [8]\n"
        );
    }

    #[test]
    fn what_is_shared_is_written_once() {
        let shared = Arc::new(Yaml::mapping([("x", 1)]));
        let key = Arc::new(Yaml::from("k"));
        let tree = Yaml::mapping([
            (Yaml::from("a"), Yaml::from(shared.clone())),
            (
                Yaml::from("b"),
                Yaml::sequence([Yaml::from(shared.clone()), Yaml::from(shared)]).flow(),
            ),
            (Yaml::from(key.clone()), Yaml::from(key)),
        ]);
        assert_eq!(text(&tree), "---\na: &id001\n  x: 1\nb: [*id001, *id001]\n&id002 k: *id002\n");
    }

    #[test]
    fn keys_may_be_anything() {
        let long = "k".repeat(200);
        let tree = Yaml::mapping([
            (Yaml::sequence([1, 2]), Yaml::from(1)),
            (Yaml::from(long.as_str()), Yaml::mapping([("x", 1)])),
            (Yaml::mapping([("a", 1)]), Yaml::mapping([(Yaml::sequence([1]), 2)]).flow()),
        ]);
        let text = text(&tree);
        assert!(text.starts_with("---\n? [1, 2]\n: 1\n? kkk"), "{text}");
        assert!(text.ends_with("? a: 1\n: {? [1] : 2}\n"), "{text}");
    }

    #[test]
    fn long_brackets_are_broken() {
        let tree = Yaml::mapping([("a", Yaml::sequence((0..100).map(|at| at * 1000)))]);
        let text = text(&tree);
        assert!(text.lines().all(|line| line.len() < 90), "{text}");
        assert!(text.lines().count() > 6);
    }

    #[test]
    fn lines_of_text_stand_as_they_are() {
        let note = "two shocks:\n  - one\n\n  # and another\n";
        let tree = Yaml::mapping([
            ("note", Yaml::from(note)),
            ("code", Yaml::from("a = 1\nb = '2'").tagged("!x")),
            ("list", Yaml::sequence([Yaml::from("a\nb")]).styled(Style::Block)),
            ("quoted", Yaml::from("a\nb").styled(Style::DoubleQuoted)),
            ("flow", Yaml::sequence([Yaml::from("a\nb")]).flow()),
        ]);
        assert_eq!(
            text(&tree),
            "---\nnote: |\n  two shocks:\n    - one\n\n    # and another\ncode: !x |-\n  a = 1\n  b = '2'\n\
             list:\n- |-\n  a\n  b\nquoted: \"a\\nb\"\nflow: [\"a\\nb\"]\n"
        );
        // Where the lines would be taken for others, there are quotes.
        for odd in ["\n", "a\n\n", "\na", " a\nb", "a\n ", "a\r\nb", "a\n\tb", "a\u{85}\nb"] {
            let tree = Yaml::mapping([("odd", odd)]);
            assert!(text(&tree).starts_with("---\nodd: \""), "{odd:?}");
        }
    }

    #[test]
    fn depth_is_bounded() {
        let mut tree = Yaml::from(1);
        for _ in 0..400 {
            tree = Yaml::sequence([tree]).styled(Style::Block);
        }
        let mut out = Emitter::new(String::new(), "x");
        assert!(matches!(out.block(&tree, 0), Err(Error::Limit { .. })));
    }
}
