//! The headers of `.npy` files: Python literals, and the types they describe.

use dudley_parser::layout::dtype::ByteOrder;

use crate::elements::swap::HOST;

/// Types in types, and tuples in tuples, nest no deeper.
const DEEPEST: usize = 32;

/// The dimensions that an array of numpy has at most, and so has a field.
pub const MOST_DIMS: usize = 64;

/// The content of a header.
///
/// ```
/// use dudley::numpy::descr::{Descr, parse};
///
/// let header = parse("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }")?;
/// assert_eq!((header.descr, header.fortran, header.shape), (Descr::of("'<f8'")?, false, vec![2, 3]));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// The type of the elements.
    pub descr: Descr,
    /// Whether the first index runs fastest.
    pub fortran: bool,
    /// The shape.
    pub shape: Vec<u64>,
}

/// A type of numpy.
///
/// ```
/// use dudley::ByteOrder;
/// use dudley::numpy::descr::Descr;
///
/// let Descr::Plain { kind, size, order, .. } = Descr::of("'>i4'")? else { panic!("an integer") };
/// assert_eq!((kind, size, order), ('i', 4, ByteOrder::Big));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Descr {
    /// Numbers, booleans, text, times, or bytes.
    Plain {
        /// Which: `f`, `i`, `U`.
        kind: char,
        /// Bytes of an element (of `U` characters).
        size: u64,
        /// Its byte order.
        order: ByteOrder,
        /// The rest: the unit of times.
        rest: String,
    },
    /// A struct: its fields, gaps left out, and its bytes.
    Struct(Vec<Field>, u64),
}

/// A field of a struct.
///
/// ```
/// use dudley::numpy::descr::Descr;
///
/// let Descr::Struct(fields, size) = Descr::of("[('a', '|u1'), ('b', '<f4', (3,))]")? else {
///     panic!("a struct")
/// };
/// assert_eq!((fields[1].name.as_str(), fields[1].offset, &fields[1].shape[..], size), ("b", 1, &[3][..], 13));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Bytes from the start of the struct.
    pub offset: u64,
    /// Its type.
    pub descr: Descr,
    /// Its shape.
    pub shape: Vec<u64>,
}

type Found<T> = Result<T, String>;

impl Descr {
    /// A type as a literal of Python: `'<f8'`, or the list of the fields of a struct.
    ///
    /// ```
    /// use dudley::numpy::descr::Descr;
    ///
    /// assert!(Descr::of("'<f8'").is_ok());
    /// assert!(Descr::of("'<q9'").is_err());
    /// ```
    ///
    /// # Errors
    /// If something is wrong with it.
    pub fn of(text: &str) -> Result<Descr, String> {
        let mut reader = Reader { rest: text, depth: 0 };
        descr(&reader.literal()?)
    }

    /// Bytes of an element; `None` for more than can be counted.
    ///
    /// ```
    /// use dudley::numpy::descr::Descr;
    ///
    /// assert_eq!(Descr::of("'<U5'")?.bytes(), Some(20));
    /// # Ok::<(), String>(())
    /// ```
    pub fn bytes(&self) -> Option<u64> {
        match self {
            Descr::Plain { kind: 'U', size, .. } => size.checked_mul(4),
            Descr::Plain { size, .. } | Descr::Struct(_, size) => Some(*size),
        }
    }
}

impl Field {
    /// Bytes from the start of the struct to its end.
    ///
    /// ```
    /// use dudley::numpy::descr::Descr;
    ///
    /// let Descr::Struct(fields, _) = Descr::of("[('a', '|u1'), ('b', '<f4', (3,))]")? else {
    ///     panic!("a struct")
    /// };
    /// assert_eq!((fields[0].end(), fields[1].end()), (1, 13));
    /// # Ok::<(), String>(())
    /// ```
    pub fn end(&self) -> u64 {
        self.offset.saturating_add(self.bytes().unwrap_or(0))
    }

    fn bytes(&self) -> Option<u64> {
        self.shape.iter().try_fold(self.descr.bytes()?, |all, dim| all.checked_mul(*dim))
    }
}

/// Reads the dict of a header.
///
/// # Errors
/// If something is wrong with it.
///
/// ```
/// use dudley::numpy::descr::parse;
///
/// let header = parse("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }")?;
/// assert_eq!((header.shape, header.descr.bytes()), (vec![2, 3], Some(8)));
/// # Ok::<(), String>(())
/// ```
pub fn parse(text: &str) -> Found<Header> {
    let mut reader = Reader { rest: text, depth: 0 };
    let Literal::Dict(entries) = reader.literal()? else {
        return Err("the header is no dict".to_owned());
    };
    let entry = |key: &str| {
        let found = entries.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value).ok_or_else(|| format!("the header has no '{key}'"))
    };
    Ok(Header {
        descr: descr(entry("descr")?)?,
        fortran: *entry("fortran_order")? == Literal::Bool(true),
        shape: shape(entry("shape")?)?,
    })
}

fn shape(literal: &Literal) -> Found<Vec<u64>> {
    match literal {
        Literal::Many(items) if items.len() > MOST_DIMS => {
            Err(format!("{} dimensions, where numpy has {MOST_DIMS} at most", items.len()))
        }
        Literal::Many(items) => items
            .iter()
            .map(|item| match item {
                Literal::Int(dim) => Ok(*dim),
                _ => Err("a dimension is no integer".to_owned()),
            })
            .collect(),
        Literal::Int(dim) => Ok(vec![*dim]),
        _ => Err("the shape is no tuple".to_owned()),
    }
}

fn descr(literal: &Literal) -> Found<Descr> {
    match literal {
        Literal::Text(text) => plain(text),
        Literal::Many(items) => record(items),
        _ => Err("the type is neither a text nor a list of fields".to_owned()),
    }
}

/// The type of a text: `<f8`, `|S3`, `>M8[ns]`.
///
/// # Errors
/// If it is none.
///
/// ```
/// use dudley::ByteOrder;
/// use dudley::numpy::descr::{Descr, plain};
///
/// let Descr::Plain { kind, size, order, .. } = plain(">f8")? else { panic!("a plain type") };
/// assert_eq!((kind, size, order), ('f', 8, ByteOrder::Big));
/// assert!(plain("|O").is_err()); // Python objects
/// # Ok::<(), String>(())
/// ```
pub fn plain(text: &str) -> Found<Descr> {
    let unknown = || format!("the type '{text}' is not known");
    let mut chars = text.chars();
    let order = match chars.next() {
        Some('>') => ByteOrder::Big,
        Some('<' | '|') => ByteOrder::Little,
        Some('=') => HOST,
        _ => return Err(unknown()),
    };
    let kind = chars.next().ok_or_else(unknown)?;
    if kind == 'O' {
        return Err("its elements are Python objects (pickled), which are not read".to_owned());
    }
    if !"iufcbUSVmM".contains(kind) {
        return Err(unknown());
    }
    let rest = chars.as_str();
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (size, rest) = rest.split_at(digits);
    let size = size.parse().map_err(|_| unknown())?;
    let named = matches!(kind, 'm' | 'M');
    if !named && !rest.is_empty() {
        return Err(unknown());
    }
    Ok(Descr::Plain { kind, size, order, rest: rest.to_owned() })
}

fn record(items: &[Literal]) -> Found<Descr> {
    let mut fields = Vec::new();
    let mut offset = 0_u64;
    for item in items {
        let Literal::Many(parts) = item else {
            return Err("a field of the type is no tuple".to_owned());
        };
        let (name, parts) = parts.split_first().ok_or("a field of the type is empty")?;
        let name = match name {
            Literal::Text(name) => name,
            // A title and a name.
            Literal::Many(both) => match both.last() {
                Some(Literal::Text(name)) => name,
                _ => return Err("a field of the type has no name".to_owned()),
            },
            _ => return Err("a field of the type has no name".to_owned()),
        };
        let (descr, shape) = match parts {
            [of] => (self::descr(of)?, Vec::new()),
            [of, dims] => (self::descr(of)?, self::shape(dims)?),
            _ => return Err("a field of the type has no type".to_owned()),
        };
        let field = Field { name: name.clone(), offset, descr, shape };
        let end = field.bytes().and_then(|bytes| offset.checked_add(bytes));
        offset = end.ok_or("the type is too large")?;
        let gap = field.name.is_empty() && matches!(field.descr, Descr::Plain { kind: 'V', .. });
        if !gap {
            fields.push(field);
        }
    }
    Ok(Descr::Struct(fields, offset))
}

/// A literal of Python, as far as headers have them.
#[derive(Clone, Debug, PartialEq)]
enum Literal {
    Text(String),
    Int(u64),
    Bool(bool),
    Many(Vec<Literal>),
    Dict(Vec<(String, Literal)>),
}

struct Reader<'t> {
    rest: &'t str,
    depth: usize,
}

impl Reader<'_> {
    /// Whether a character comes next; then it is taken.
    fn takes(&mut self, c: char) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(c) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn literal(&mut self) -> Found<Literal> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("the header nests too deep".to_owned());
        }
        let literal = match () {
            () if self.takes('{') => self.dict(),
            () if self.takes('(') => self.many(')'),
            () if self.takes('[') => self.many(']'),
            () if self.rest.starts_with(['\'', '"']) => self.text().map(Literal::Text),
            () => self.word(),
        };
        self.depth -= 1;
        literal
    }

    fn word(&mut self) -> Found<Literal> {
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        match word {
            "True" => Ok(Literal::Bool(true)),
            "False" => Ok(Literal::Bool(false)),
            // Python 2 wrote long integers with an L.
            word => word
                .trim_end_matches('L')
                .parse()
                .map(Literal::Int)
                .map_err(|_| format!("`{word}` is not what the header of a .npy file holds")),
        }
    }

    fn many(&mut self, close: char) -> Found<Literal> {
        let mut items = Vec::new();
        while !self.takes(close) {
            items.push(self.literal()?);
            if !self.takes(',') && !self.rest.trim_start().starts_with(close) {
                return Err(format!("a `{close}` is missing in the header"));
            }
        }
        Ok(Literal::Many(items))
    }

    fn dict(&mut self) -> Found<Literal> {
        let mut entries = Vec::new();
        while !self.takes('}') {
            let Literal::Text(key) = self.literal()? else {
                return Err("a key of the header is no text".to_owned());
            };
            if !self.takes(':') {
                return Err("a `:` is missing in the header".to_owned());
            }
            entries.push((key, self.literal()?));
            if !self.takes(',') && !self.rest.trim_start().starts_with('}') {
                return Err("a `}` is missing in the header".to_owned());
            }
        }
        Ok(Literal::Dict(entries))
    }

    fn text(&mut self) -> Found<String> {
        let cut = || "a text in the header does not end".to_owned();
        let mut chars = self.rest.chars();
        let quote = chars.next().ok_or_else(cut)?;
        let mut text = String::new();
        loop {
            match chars.next().ok_or_else(cut)? {
                c if c == quote => break,
                '\\' => text.push(escaped(&mut chars).ok_or_else(cut)?),
                c => text.push(c),
            }
        }
        self.rest = chars.as_str();
        Ok(text)
    }
}

/// The character of an escape, behind its backslash.
fn escaped(chars: &mut std::str::Chars<'_>) -> Option<char> {
    let digits = match chars.next()? {
        'n' => return Some('\n'),
        'r' => return Some('\r'),
        't' => return Some('\t'),
        'x' => 2,
        'u' => 4,
        'U' => 8,
        c => return Some(c),
    };
    let mut code = 0;
    for _ in 0..digits {
        code = code * 16 + chars.next()?.to_digit(16)?;
    }
    char::from_u32(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(descr: &str) -> Found<Header> {
        parse(&format!("{{'descr': {descr}, 'fortran_order': False, 'shape': (3,), }}"))
    }

    #[test]
    fn structs_have_their_offsets() {
        let text = r"[('a', '|i1'), ('', '|V3'), (('title', 'x\'\x41'), '<f4'), ('in', [('c', '<i2', (3,))], (2, 1)), ('', '|V2')]";
        let Ok(Header { descr: Descr::Struct(fields, 22), .. }) = of(text) else {
            panic!("{:?}", of(text));
        };
        let places: Vec<_> = fields.iter().map(|f| (f.name.as_str(), f.offset)).collect();
        assert_eq!(places, [("a", 0), ("x'A", 4), ("in", 8)]);
        assert_eq!(fields[2].shape, [2, 1]);
    }

    #[test]
    fn headers_are_read_as_python_does() {
        let header =
            parse("{\"shape\": (), 'fortran_order': True, 'descr': '<M8[ns]'}").expect("fine");
        let rest = "[ns]".to_owned();
        let descr = Descr::Plain { kind: 'M', size: 8, order: ByteOrder::Little, rest };
        assert_eq!(header, Header { descr, fortran: true, shape: vec![] });
        let order = |descr| match of(descr) {
            Ok(Header { descr: Descr::Plain { order, .. }, .. }) => Some(order),
            _ => None,
        };
        assert_eq!(order("'<i4'"), Some(ByteOrder::Little));
        assert_eq!(order("'>i4'"), Some(ByteOrder::Big));
        assert_eq!(order("'=i4'"), Some(HOST));
        for wrong in ["'!i4'", "'|O'", "'<f8x'", "'", "[('a', '<f8'", "[('a',)]", "[1]", "3", "<"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
        assert!(of(&("[".repeat(100_000))).is_err());
        let huge = "[('a', '|V9223372036854775807', (4,))]";
        assert!(of(huge).is_err());
    }

    #[test]
    fn no_more_dimensions_are_read_than_numpy_has() {
        for (dims, is_read) in [(MOST_DIMS, true), (MOST_DIMS + 1, false), (100_000, false)] {
            let shape = "1, ".repeat(dims);
            let array = format!("{{'descr': '<U1', 'fortran_order': False, 'shape': ({shape})}}");
            assert_eq!(parse(&array).is_ok(), is_read, "{dims}");
            assert_eq!(of(&format!("[('a', '|i1', ({shape}))]")).is_ok(), is_read, "{dims}");
        }
    }
}
