//! Literals of Python: what numpy writes to describe a structured type.

/// The deepest that literals may stand in others.
const DEEPEST: usize = 32;

/// A literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Literal {
    Text(String),
    Int(u64),
    /// A list or tuple.
    Sequence(Vec<Literal>),
    Dict(Vec<(Literal, Literal)>),
    /// `True`, `False`, `None`.
    Word(String),
}

impl Literal {
    /// Reads one literal; `None` if it is none, or something follows.
    pub(super) fn parse(text: &str) -> Option<Literal> {
        let mut parser = Parser { rest: text.trim() };
        let literal = parser.literal(0)?;
        parser.rest.trim().is_empty().then_some(literal)
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Literal::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn int(&self) -> Option<u64> {
        match self {
            Literal::Int(value) => Some(*value),
            _ => None,
        }
    }

    pub(super) fn sequence(&self) -> Option<&[Literal]> {
        match self {
            Literal::Sequence(items) => Some(items),
            _ => None,
        }
    }

    /// What a dict has under a name.
    pub(super) fn get(&self, name: &str) -> Option<&Literal> {
        match self {
            Literal::Dict(pairs) => {
                pairs.iter().find(|(key, _)| key.text() == Some(name)).map(|(_, value)| value)
            }
            _ => None,
        }
    }
}

struct Parser<'t> {
    rest: &'t str,
}

impl Parser<'_> {
    fn literal(&mut self, depth: usize) -> Option<Literal> {
        if depth > DEEPEST {
            return None;
        }
        self.rest = self.rest.trim_start();
        match self.rest.chars().next()? {
            '[' => self.items(']', depth).map(Literal::Sequence),
            '(' => self.items(')', depth).map(Literal::Sequence),
            '{' => self.dict(depth),
            quote @ ('\'' | '"') => self.quoted(quote).map(Literal::Text),
            '0'..='9' => {
                let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
                let (digits, rest) = self.rest.split_at(end);
                self.rest = rest;
                digits.parse().ok().map(Literal::Int)
            }
            _ => {
                let end = self.rest.find(|c: char| !c.is_alphabetic()).unwrap_or(self.rest.len());
                let (word, rest) = self.rest.split_at(end);
                self.rest = rest;
                (!word.is_empty()).then(|| Literal::Word(word.to_owned()))
            }
        }
    }

    fn eat(&mut self, token: char) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn items(&mut self, close: char, depth: usize) -> Option<Vec<Literal>> {
        self.rest = &self.rest[1..];
        let mut items = Vec::new();
        while !self.eat(close) {
            items.push(self.literal(depth + 1)?);
            if !self.eat(',') {
                return self.eat(close).then_some(items);
            }
        }
        Some(items)
    }

    fn dict(&mut self, depth: usize) -> Option<Literal> {
        self.rest = &self.rest[1..];
        let mut pairs = Vec::new();
        while !self.eat('}') {
            let key = self.literal(depth + 1)?;
            if !self.eat(':') {
                return None;
            }
            pairs.push((key, self.literal(depth + 1)?));
            if !self.eat(',') {
                return self.eat('}').then_some(Literal::Dict(pairs));
            }
        }
        Some(Literal::Dict(pairs))
    }

    fn quoted(&mut self, quote: char) -> Option<String> {
        let mut text = String::new();
        let mut chars = self.rest.char_indices().skip(1);
        while let Some((at, char)) = chars.next() {
            match char {
                '\\' => text.push(match chars.next()?.1 {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    escaped @ ('\\' | '\'' | '"') => escaped,
                    _ => return None,
                }),
                _ if char == quote => {
                    self.rest = &self.rest[at + 1..];
                    return Some(text);
                }
                _ => text.push(char),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_of_numpy() {
        let literal = Literal::parse("[('a', '<i4'), ('b\\'', [('c', '|S3', (2,))]), ]");
        let literal = literal.expect("a list");
        let fields = literal.sequence().expect("a list");
        assert_eq!(fields[0].sequence().expect("a pair")[1].text(), Some("<i4"));
        assert_eq!(fields[1].sequence().expect("a pair")[0].text(), Some("b'"));
        let dict = Literal::parse("{'names': ['a'], 'itemsize': 16, 'aligned': True}");
        let dict = dict.expect("a dict");
        assert_eq!(dict.get("itemsize").and_then(Literal::int), Some(16));
        assert_eq!(dict.get("aligned"), Some(&Literal::Word("True".to_owned())));
    }

    #[test]
    fn what_is_none_gives_none() {
        for text in ["", "[", "('a'", "'a", "{'a' 1}", "[1 2]", "1 2", "'\\x'", "-1", "é("] {
            assert_eq!(Literal::parse(text), None, "{text}");
        }
        assert_eq!(Literal::parse(&"[".repeat(100_000)), None);
    }
}
