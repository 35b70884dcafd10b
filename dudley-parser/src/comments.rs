//! The comments that carry meaning: documentation, and attributes.
//!
//! Which item a comment belongs to is not known here; the checker collects the comments of an item
//! and asks what they say together, because a list of an attribute may go over several lines.

mod known;

pub use known::meaning;
pub(crate) use known::{is_meant, meant};

use crate::ast::Comment;
use crate::diagnostic::Diagnostic;
use crate::parse::number;
use crate::parse::unescape;
use crate::scan::{next_token, quoted_end, skip_blanks};
use crate::span::Span;
use hashbrown::HashMap;

/// An attribute of an item.
///
/// ```
/// use dudley_parser::layout::DocKey;
///
/// let layout = dudley_parser::check(b"x = f8  #: valid_min = 0").layout.unwrap();
/// let (_, x) = layout.arrays().next().unwrap();
/// let attribute = layout.attribute(DocKey::of(x.span), "valid_min").unwrap();
/// assert_eq!(attribute.name, "valid_min");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// Its name, without quotes.
    pub name: String,
    /// Its value.
    pub value: AttrValue,
    /// From its name to the end of its value.
    pub span: Span,
}

impl Attribute {
    /// Its value, if it is a text.
    ///
    /// ```
    /// use dudley_parser::layout::DocKey;
    ///
    /// let layout = dudley_parser::check(b"x = f8  #: source = \"a gauge\"").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// assert_eq!(layout.attribute(DocKey::of(x.span), "source").unwrap().text(), Some("a gauge"));
    /// ```
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            AttrValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// How far numbers may be apart, if it is `rtol`, `atol` or `ulp`; no number if its value says nothing of
    /// that: it is a number from 0 on, that of `ulp` an integer.
    ///
    /// ```
    /// use dudley_parser::layout::DocKey;
    ///
    /// let layout = dudley_parser::check(b"x = f8  #: rtol = 1e-6").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// assert_eq!(layout.attribute(DocKey::of(x.span), "rtol").unwrap().tolerance(), Some(Some(1e-6)));
    /// ```
    pub fn tolerance(&self) -> Option<Option<f64>> {
        let whole = match self.name.as_str() {
            "rtol" | "atol" => false,
            "ulp" => true,
            _ => return None,
        };
        let number = match self.value {
            AttrValue::Int(value) => Some(value as f64),
            AttrValue::Float(value) if !whole => Some(value),
            _ => None,
        };
        Some(number.filter(|number| *number >= 0.0))
    }
}

/// The value of an attribute.
///
/// ```
/// use dudley_parser::comments::AttrValue;
/// use dudley_parser::layout::DocKey;
///
/// let layout = dudley_parser::check(b"x = f8  #: levels = [1, 2]").layout.unwrap();
/// let (_, x) = layout.arrays().next().unwrap();
/// assert_eq!(layout.attribute(DocKey::of(x.span), "levels").unwrap().value, AttrValue::Ints(vec![1, 2]));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum AttrValue {
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// A quoted text.
    Text(String),
    /// Nothing was written but the name.
    True,
    /// `[ … ]`, of integers; also the empty list.
    Ints(Vec<i64>),
    /// `[ … ]`, of floats, or of floats and integers.
    Floats(Vec<f64>),
    /// `[ … ]`, of quoted texts.
    Texts(Vec<String>),
}

/// The integers that `names` among attributes gives names, with those (rule 7.4): 0, 1 and so on, or as many as
/// `values` has. `None` if `values` is no list of as many different integers.
///
/// ```
/// use dudley_parser::comments::value_names;
/// use dudley_parser::layout::DocKey;
///
/// let text = b"phase = u1  #: names = [\"solid\", \"gas\"], values = [1, 7]";
/// let layout = dudley_parser::check(text).layout.unwrap();
/// let (_, array) = layout.arrays().next().unwrap();
/// let attributes = layout.attributes(dudley_parser::layout::DocKey::of(array.span));
/// assert_eq!(value_names(attributes), [(1, "solid"), (7, "gas")]);
/// ```
pub fn value_names(attributes: &[Attribute]) -> Vec<(i64, &str)> {
    let value = |name: &str| attributes.iter().find(|it| it.name == name).map(|it| &it.value);
    let Some(AttrValue::Texts(names)) = value("names") else { return Vec::new() };
    let names = names.iter().map(String::as_str);
    match value("values") {
        None => (0..).zip(names).collect(),
        Some(AttrValue::Ints(values)) if values.len() == names.len() && differ(values) => {
            values.iter().copied().zip(names).collect()
        }
        Some(_) => Vec::new(),
    }
}

fn differ(values: &[i64]) -> bool {
    let mut known = hashbrown::HashSet::new();
    values.iter().all(|value| known.insert(value))
}

/// The text of a `##` comment, without its marks and the white space around it.
pub(crate) fn doc_text<'t>(text: &'t str, comment: &Comment) -> &'t str {
    let written = text.get(comment.span.range()).unwrap_or_default();
    written.strip_prefix("##").unwrap_or(written).trim()
}

/// The attributes that the `#:` comments of one item say together, and what is wrong with them.
///
/// The last of several attributes with one name is kept. Malformed ones are omitted.
pub(crate) fn attributes(text: &str, comments: &[Comment]) -> (Vec<Attribute>, Vec<Diagnostic>) {
    let mut reader = Reader { tokens: tokens(text, comments), next: 0, text, found: Vec::new() };
    let mut attributes = Vec::new();
    while reader.next < reader.tokens.len() {
        match reader.attribute() {
            Ok(attribute) => attributes.push(attribute),
            Err(error) => reader.skip(*error),
        }
    }
    let attributes = reader.last_of_each_name(attributes);
    (attributes, reader.found)
}

#[derive(Clone, Copy)]
struct Token {
    span: Span,
    kind: Kind,
    /// Which of the comments it is in.
    line: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Name,
    Number,
    Quoted,
    Equals,
    Comma,
    Open,
    Close,
    Other,
}

fn tokens(text: &str, comments: &[Comment]) -> Vec<Token> {
    let mut tokens = Vec::new();
    for (line, comment) in comments.iter().enumerate() {
        let bytes = &text.as_bytes()[..comment.span.end as usize];
        let mut at = skip_blanks(bytes, comment.span.start as usize + 2);
        while let Some((end, kind)) = token(bytes, at) {
            tokens.push(Token { span: Span::new(at as u32, end as u32), kind, line });
            at = skip_blanks(bytes, end);
        }
    }
    tokens
}

fn token(bytes: &[u8], at: usize) -> Option<(usize, Kind)> {
    let numeric = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    let signed =
        |at: usize| bytes.get(at).is_some_and(|byte| byte.is_ascii_digit() || *byte == b'.');
    let first = *bytes.get(at)?;
    let kind = match first {
        b'=' => Kind::Equals,
        b',' => Kind::Comma,
        b'[' => Kind::Open,
        b']' => Kind::Close,
        b'"' | b'\'' => {
            let (end, closed) = quoted_end(bytes, at);
            return Some((end, if closed { Kind::Quoted } else { Kind::Other }));
        }
        _ if signed(at) || (matches!(first, b'+' | b'-') && signed(at + 1)) => {
            let mut end = at + 1;
            while let Some(byte) = bytes.get(end) {
                // The sign of an exponent belongs to the number, unless that is hexadecimal.
                let exponent =
                    matches!(bytes[end - 1], b'e' | b'E') && !bytes[at..end].contains(&b'x');
                if !(numeric(byte) || (exponent && matches!(byte, b'+' | b'-'))) {
                    break;
                }
                end += 1;
            }
            return Some((end, Kind::Number));
        }
        _ if first.is_ascii_alphabetic() || first == b'_' => Kind::Name,
        _ => Kind::Other,
    };
    let end =
        if matches!(kind, Kind::Name | Kind::Other) { next_token(bytes, at)? } else { at + 1 };
    Some((end, kind))
}

type Parsed<T> = Result<T, Box<Diagnostic>>;

struct Reader<'t> {
    tokens: Vec<Token>,
    next: usize,
    text: &'t str,
    found: Vec<Diagnostic>,
}

impl Reader<'_> {
    /// `name` or `name = value`, with the comma behind it.
    fn attribute(&mut self) -> Parsed<Attribute> {
        let token = self.take(None, "the name of an attribute")?;
        let name = match token.kind {
            Kind::Name => self.text[token.span.range()].to_string(),
            Kind::Quoted => self.unquoted(token.span),
            _ => {
                let error = self.unexpected(token, "the name of an attribute");
                return Err(match self.name_before(token) {
                    Some(name) => {
                        let value = number::shorten(&self.text[token.span.range()]);
                        Box::new(error.help(format!("a value follows `=`: `{name} = {value}`")))
                    }
                    None => error,
                });
            }
        };
        let mut attribute = Attribute { name, value: AttrValue::True, span: token.span };
        if self.eat(Kind::Equals, token.line) {
            attribute.value = self.value(token.line)?;
            attribute.span = token.span.to(self.tokens[self.next - 1].span);
        }
        if self.tokens.get(self.next).is_some_and(|next| next.kind == Kind::Comma) {
            self.next += 1;
        }
        Ok(attribute)
    }

    /// The name in front of a number, where nothing but white space separates them.
    fn name_before(&self, number: Token) -> Option<&str> {
        let before = self.tokens.get(self.next.checked_sub(2)?)?;
        let is_name = before.kind == Kind::Name && before.line == number.line;
        (is_name && number.kind == Kind::Number).then(|| &self.text[before.span.range()])
    }

    fn value(&mut self, line: usize) -> Parsed<AttrValue> {
        const WANTED: &str = "a value: a number, a quoted text, or a list of one of these";
        let token = self.take(Some(line), WANTED)?;
        match token.kind {
            Kind::Open => self.list(token),
            Kind::Number | Kind::Quoted => self.simple(token),
            Kind::Name => {
                let error = self.unexpected(token, WANTED);
                Err(Box::new(error.help(format!("write \"{}\"", &self.text[token.span.range()]))))
            }
            _ => Err(self.unexpected(token, WANTED)),
        }
    }

    fn simple(&mut self, token: Token) -> Parsed<AttrValue> {
        let written = &self.text[token.span.range()];
        if token.kind == Kind::Quoted {
            return Ok(AttrValue::Text(self.unquoted(token.span)));
        }
        if !number::is_integer(written)
            && let Some(value) = number::float(written)
        {
            return Ok(AttrValue::Float(value));
        }
        match number::integer(written, token.span) {
            Ok(value) => Ok(AttrValue::Int(value)),
            Err(error) => Err(Box::new(Diagnostic { code: "bad-attr", ..error })),
        }
    }

    /// The rest of a list; it may go over several lines.
    fn list(&mut self, open: Token) -> Parsed<AttrValue> {
        let mut values = Vec::new();
        loop {
            let Some(&token) = self.tokens.get(self.next) else {
                let message = "this list is not closed with `]`";
                return Err(Box::new(Diagnostic::error("bad-attr", open.span, message)));
            };
            self.next += 1;
            match token.kind {
                Kind::Close => return homogeneous(values),
                Kind::Number | Kind::Quoted => {
                    let value = self.simple(token)?;
                    values.push((value, token.span));
                    if self.tokens.get(self.next).is_some_and(|next| next.kind == Kind::Comma) {
                        self.next += 1;
                    }
                }
                _ => return Err(self.unexpected(token, "a number, a quoted text or `]`")),
            }
        }
    }

    fn take(&mut self, line: Option<usize>, wanted: &str) -> Parsed<Token> {
        let token = self.tokens.get(self.next).copied();
        let token = token.filter(|token| line.is_none_or(|line| line == token.line));
        if let Some(token) = token {
            self.next += 1;
            return Ok(token);
        }
        let last = self.next.checked_sub(1).map_or(0, |last| self.tokens[last].span.end);
        let message = format!("expected {wanted} before the end of the comment");
        Err(Box::new(Diagnostic::error("bad-attr", Span::at(last), message)))
    }

    fn eat(&mut self, kind: Kind, line: usize) -> bool {
        let there = |token: &Token| token.kind == kind && token.line == line;
        let found = self.tokens.get(self.next).is_some_and(there);
        self.next += usize::from(found);
        found
    }

    fn unexpected(&self, token: Token, wanted: &str) -> Box<Diagnostic> {
        let found = number::shorten(&self.text[token.span.range()]);
        let message = format!("expected {wanted}, found `{found}`");
        Box::new(Diagnostic::error("bad-attr", token.span, message))
    }

    fn unquoted(&mut self, span: Span) -> String {
        let inside = &self.text[span.start as usize + 1..span.end as usize - 1];
        let mut faults = Vec::new();
        let plain = unescape(inside, span.start + 1, &mut faults);
        self.found.extend(faults.into_iter().map(|fault| {
            if fault.severity.is_error() { Diagnostic { code: "bad-attr", ..fault } } else { fault }
        }));
        plain
    }

    fn last_of_each_name(&mut self, mut attributes: Vec<Attribute>) -> Vec<Attribute> {
        let mut last: HashMap<String, usize> = HashMap::new();
        let mut kept = vec![true; attributes.len()];
        for (at, attribute) in attributes.iter().enumerate() {
            if let Some(first) = last.insert(attribute.name.clone(), at) {
                kept[first] = false;
                if attribute.name == "whole" {
                    // An array in blocks says its shape again where it has grown.
                    continue;
                }
                let name = &attribute.name;
                let message = format!("the attribute `{name}` is given twice; this one counts");
                let warning = Diagnostic::warning("attr-twice", attribute.span, message);
                self.found.push(warning.also(attributes[first].span, "given first here"));
            }
        }
        let mut kept = kept.into_iter();
        attributes.retain(|_| kept.next().unwrap_or(true));
        attributes
    }

    /// Reports an error and continues behind the next comma, or on the next line.
    fn skip(&mut self, error: Diagnostic) {
        let line = self.next.checked_sub(1).map_or(0, |last| self.tokens[last].line);
        while let Some(token) = self.tokens.get(self.next)
            && token.line == line
        {
            self.next += 1;
            if token.kind == Kind::Comma {
                break;
            }
        }
        self.found.push(error);
    }
}

/// A list of one kind of values; integers among floats are floats.
fn homogeneous(values: Vec<(AttrValue, Span)>) -> Parsed<AttrValue> {
    let is_text = |value: &AttrValue| matches!(value, AttrValue::Text(_));
    let texts = values.first().is_some_and(|(value, _)| is_text(value));
    if let Some((_, span)) = values.iter().find(|(value, _)| is_text(value) != texts) {
        let message = "a list holds either numbers or texts";
        return Err(Box::new(Diagnostic::error("bad-attr", *span, message)));
    }
    let (mut ints, mut floats, mut strings) = (Vec::new(), Vec::new(), Vec::new());
    let all_ints = values.iter().all(|(value, _)| matches!(value, AttrValue::Int(_)));
    for (value, _) in values {
        match value {
            AttrValue::Int(value) if all_ints => ints.push(value),
            AttrValue::Int(value) => floats.push(value as f64),
            AttrValue::Float(value) => floats.push(value),
            AttrValue::Text(value) => strings.push(value),
            _ => {}
        }
    }
    Ok(match (all_ints, texts) {
        (true, _) => AttrValue::Ints(ints),
        (_, true) => AttrValue::Texts(strings),
        _ => AttrValue::Floats(floats),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;

    /// What all `#:` comments of a text say, and the errors as `offset code`.
    fn read(text: &str) -> (Vec<(String, AttrValue)>, Vec<String>) {
        let comments = parse(text.as_bytes()).ast.comments;
        let (attributes, found) = attributes(text, &comments);
        let said = attributes.into_iter().map(|attribute| (attribute.name, attribute.value));
        let found =
            found.iter().map(|found| format!("{} {}", found.primary.span.start, found.code));
        (said.collect(), found.collect())
    }

    fn sound(text: &str) -> Vec<(String, AttrValue)> {
        let (said, found) = read(text);
        assert!(found.is_empty(), "{text}: {found:?}");
        said
    }

    #[test]
    fn values_of_all_kinds() {
        use AttrValue::*;
        let text =
            "#: a=3, b = -1.5 c 'd e'=\"f\\\"\", g = [0x10, -2,] h=[1, 2.5] i = ['x' 'y'] j = []";
        let expected = [
            ("a", Int(3)),
            ("b", Float(-1.5)),
            ("c", True),
            ("d e", Text("f\"".into())),
            ("g", Ints(vec![16, -2])),
            ("h", Floats(vec![1.0, 2.5])),
            ("i", Texts(vec!["x".into(), "y".into()])),
            ("j", Ints(vec![])),
        ];
        assert_eq!(sound(text), expected.map(|(name, value)| (name.to_string(), value)));
        assert_eq!(sound("#: big = 6.02e+23")[0].1, Float(6.02e23));
    }

    #[test]
    fn lists_go_over_lines() {
        let lists = sound("#: a = [1,\n#: 2\n#: ], b,\n#: c = 3");
        assert_eq!(lists[0].1, AttrValue::Ints(vec![1, 2]));
        assert_eq!(lists.len(), 3);
    }

    #[test]
    fn faults_are_shown_where_they_are() {
        for (text, expected) in [
            ("#: = 3", "3 bad-attr"),
            ("#: a = , b", "7 bad-attr"),
            ("#: a =\n#: 3", "6 bad-attr"),
            ("#: a = b", "7 bad-attr"),
            ("#: a = [1, 'x']", "11 bad-attr"),
            ("#: a = [1", "7 bad-attr"),
            ("#: a = 12ab", "7 bad-attr"),
            ("#: a = 99999999999999999999", "7 bad-attr"),
            ("#: a = \"x\\q\"", "9 bad-attr"),
            ("#: a ; b", "5 bad-attr"),
            ("#: a = 'b", "7 bad-attr"),
            ("#: a = 1 a = 2", "9 attr-twice"),
        ] {
            let (_, found) = read(text);
            assert_eq!(found.first().map(String::as_str), Some(expected), "{text}");
        }
        assert_eq!(read("#: a = 1 a = 2").0, [("a".to_string(), AttrValue::Int(2))]);
    }

    #[test]
    fn documentation_is_stripped() {
        let text = "##  (cm) length \nx = f8";
        let parsed = parse(text.as_bytes());
        assert_eq!(doc_text(text, &parsed.ast.comments[0]), "(cm) length");
    }
}
