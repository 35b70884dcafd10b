//! Paths into a stream: read from text, and followed.
//!
//! How they are written is in [`dudley_parser::layout::path`]. Behind names and indices a path may
//! hold fields (`/pos.lon`) and slices (`/rho[10:20, ::2, -1]`); [`crate::read::select`] follows those.

pub use dudley_parser::layout::path::{listed, of_param, one_of, split};
use dudley_parser::layout::path::{push_field, push_name, push_param};
use dudley_parser::layout::{DictId, Layout, ParamId, ROOT, Scope};
use dudley_parser::similar::similar;

use crate::error::{Error, Result, plural};
use crate::read::dtype::Dtype;
use crate::read::slice::{Index, parse_slice};

/// One part of a path.
///
/// ```
/// use dudley::read::path::{Part, parse};
///
/// let parts = parse("/grp/:N#2")?;
/// assert_eq!(parts[1], Part::Param("N".into(), 1));
/// let parts = parse("/pos.lon[0]")?;
/// assert!(matches!(&parts[1..], [Part::Field(name), Part::Slice(_)] if name == "lon"));
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// An item of a dict, or, if all digits and not quoted, of a list.
    Name {
        /// The name.
        text: String,
        /// It stood in quotes.
        quoted: bool,
    },
    /// `:N` or `:N#2`: a param, and which of its declarations, from 0.
    Param(String, usize),
    /// `.name`: a field of a record.
    Field(String),
    /// `[…]`: a slice as numpy writes it.
    Slice(Vec<Index>),
}

/// Reads a path.
///
/// # Errors
/// [`Error::BadPath`] with the column of the error.
///
/// ```
/// use dudley::read::path::{Part, parse};
///
/// let parts = parse("/\"my name\"/2")?;
/// assert_eq!(parts[0], Part::Name { text: "my name".into(), quoted: true });
/// assert_eq!(parts[1], Part::Name { text: "2".into(), quoted: false });
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn parse(path: &str) -> Result<Vec<Part>> {
    let mut reader = Reader { path, rest: path };
    let mut parts = Vec::new();
    if !reader.eat('/') && path.is_empty() {
        return Err(reader.error("an empty path; the root is `/`"));
    }
    while !reader.rest.is_empty() {
        reader.step(&mut parts)?;
        while let Some(c @ ('.' | '[')) = reader.peek() {
            reader.eat(c);
            parts.push(if c == '.' { Part::Field(reader.name()?.0) } else { reader.slice()? });
        }
        if !reader.rest.is_empty() && !reader.eat('/') {
            return Err(reader.error("expected `/`, `.` or `[` here"));
        }
    }
    Ok(parts)
}

/// Parts as a path, of which [`parse`] makes them again.
///
/// ```
/// use dudley::read::path::{parse, spell};
///
/// assert_eq!(spell(&parse("/l[1:, -1]/\"a b\"/:N#2")?), "/l[1:, -1]/\"a b\"/:N#2");
/// assert_eq!(spell(&[]), "/");
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn spell(parts: &[Part]) -> String {
    let mut path = String::new();
    for part in parts {
        push_part(&mut path, part);
    }
    if path.is_empty() { "/".to_owned() } else { path }
}

/// The item of a path before its slices and fields.
///
/// ```
/// use dudley::read::path::without_slices;
///
/// assert_eq!(without_slices("/a/\"x.y\"[2:].z")?, "/a/\"x.y\"");
/// assert_eq!(without_slices("/[0]")?, "/");
/// # Ok::<(), dudley::Error>(())
/// ```
///
/// # Errors
/// [`Error::BadPath`].
pub fn without_slices(path: &str) -> Result<String> {
    let mut parts = parse(path)?;
    let is_slice = |part: &Part| matches!(part, Part::Slice(_) | Part::Field(_));
    parts.truncate(parts.iter().position(is_slice).unwrap_or(parts.len()));
    Ok(spell(&parts))
}

/// Appends a part to a path.
pub(crate) fn push_part(path: &mut String, part: &Part) {
    match part {
        Part::Name { text, quoted: false } => {
            path.push('/');
            path.push_str(text);
        }
        Part::Name { text, quoted: true } => {
            path.push('/');
            push_name(path, text);
        }
        Part::Param(name, ordinal) => {
            path.push_str("/:");
            push_param(path, name, *ordinal);
        }
        Part::Field(name) => push_field(path, name),
        Part::Slice(indices) => {
            let indices: Vec<String> = indices.iter().map(Index::to_string).collect();
            path.push('[');
            path.push_str(&indices.join(", "));
            path.push(']');
        }
    }
}

struct Reader<'p> {
    path: &'p str,
    rest: &'p str,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn eat(&mut self, c: char) -> bool {
        match self.rest.strip_prefix(c) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn error(&self, why: &str) -> Error {
        let column = self.path.chars().count() - self.rest.chars().count() + 1;
        Error::BadPath { path: self.path.into(), column, why: why.into() }
    }

    fn step(&mut self, parts: &mut Vec<Part>) -> Result<()> {
        if self.peek() == Some('[') {
            return Ok(());
        }
        if self.eat(':') {
            let (text, quoted) = self.name()?;
            let (name, ordinal) = ordinal(&text, quoted, self.rest);
            if quoted && let Some(rest) = self.rest.strip_prefix('#') {
                let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                self.rest = &rest[end..];
            }
            parts.push(Part::Param(name, ordinal));
            return Ok(());
        }
        let (text, quoted) = self.name()?;
        parts.push(Part::Name { text, quoted });
        Ok(())
    }

    fn name(&mut self) -> Result<(String, bool)> {
        if self.peek() == Some('"') {
            return Ok((self.quoted()?, true));
        }
        let end = self.rest.find(['/', '.', '[', '"']).unwrap_or(self.rest.len());
        if end == 0 {
            return Err(self.error("expected a name; names that are no identifiers are quoted"));
        }
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        Ok((name.to_owned(), false))
    }

    /// A name in double quotes, with the escapes of JSON.
    fn quoted(&mut self) -> Result<String> {
        let mut name = String::new();
        let mut chars = self.rest.char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(name);
                }
                '\\' => match escape(&mut chars.by_ref().map(|(_, c)| c)) {
                    Some(c) => name.push(c),
                    None => {
                        self.rest = &self.rest[at..];
                        return Err(self.error("an unknown escape"));
                    }
                },
                c => name.push(c),
            }
        }
        Err(self.error("this quote is never closed"))
    }

    fn slice(&mut self) -> Result<Part> {
        let Some(end) = self.rest.find(']') else {
            return Err(self.error("this slice is never closed"));
        };
        let indices = parse_slice(&self.rest[..end]).map_err(|why| self.error(&why))?;
        self.rest = &self.rest[end + 1..];
        Ok(Part::Slice(indices))
    }
}

fn escape(chars: &mut dyn Iterator<Item = char>) -> Option<char> {
    Some(match chars.next()? {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        c @ ('"' | '\\' | '/') => c,
        'u' => {
            let high = hex4(chars)?;
            match char::from_u32(high) {
                Some(c) => c,
                None => {
                    if chars.next()? != '\\' || chars.next()? != 'u' {
                        return None;
                    }
                    let low = hex4(chars)?;
                    let units = [high as u16, low as u16];
                    char::decode_utf16(units).next()?.ok()?
                }
            }
        }
        _ => return None,
    })
}

fn hex4(chars: &mut dyn Iterator<Item = char>) -> Option<u32> {
    (0..4).try_fold(0, |value, _| Some(value << 4 | chars.next()?.to_digit(16)?))
}

/// `N#2` is the second declaration of `N`.
pub(crate) fn ordinal(text: &str, quoted: bool, rest: &str) -> (String, usize) {
    let (name, number) = if quoted {
        (text, rest.strip_prefix('#'))
    } else {
        match text.rsplit_once('#') {
            Some((name, number)) => (name, Some(number)),
            None => (text, None),
        }
    };
    let digits = number.map(|number| {
        let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
        &number[..end]
    });
    match digits.and_then(|digits| digits.parse::<usize>().ok()) {
        Some(number) if number > 0 => (name.to_owned(), number - 1),
        _ if quoted => (text.to_owned(), 0),
        _ => (text.to_owned(), 0),
    }
}

/// Why some params cannot be given.
const REPEATED: &str = "params of repeated dicts cannot be supplied";

/// The param that a caller means by `N`, `/grp/N`, `/grp/:N`, `N#2`.
///
/// # Errors
/// [`Error::NoSuchParam`], also for params of structs and of repeated dicts: those have no one
/// value to give.
///
/// ```
/// let layout = dudley::parse_layout(b"grid/ N : i8  x = f8[N]")?;
/// let by_name = dudley::read::path::param(&layout, "/grid/N")?;
/// assert_eq!(by_name, dudley::read::path::param(&layout, "/grid/:N")?);
/// assert!(dudley::read::path::param(&layout, "/grid/M").is_err());
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn param(layout: &Layout, name: &str) -> Result<ParamId> {
    let no_such = |why: &str| Error::NoSuchParam { name: name.into(), why: why.into() };
    let mut parts = match parse(name) {
        // As listings of the layout call it.
        Err(_) if one_of(name).is_some() => return Err(no_such(REPEATED)),
        parts => parts?,
    };
    let (name, ordinal) = match parts.pop() {
        Some(Part::Param(name, ordinal)) => (name, ordinal),
        Some(Part::Name { text, quoted }) => self::ordinal(&text, quoted, ""),
        _ => return Err(no_such("that is no name of a param")),
    };
    let mut dict = ROOT;
    for part in parts {
        let Part::Name { text, .. } = part else {
            return Err(no_such("a param of a dict is meant"));
        };
        let found = layout.symbol(&text).and_then(|symbol| layout.entry(dict, symbol));
        match found {
            Some(dudley_parser::layout::Entry::Dict(found)) => dict = found,
            Some(dudley_parser::layout::Entry::List(_)) => {
                return Err(no_such(REPEATED));
            }
            _ => {
                let why = format!("there is no dict `{text}`");
                return Err(no_such(&meant(why, &text, &dicts_of(layout, dict))));
            }
        }
    }
    let declared = layout.symbol(&name).map_or(&[][..], |name| layout.declarations(dict, name));
    match declared.get(ordinal) {
        Some(&id) if matches!(layout[id].scope, Scope::Dict(_)) => Ok(id),
        Some(_) => Err(no_such(REPEATED)),
        None if declared.is_empty()
            && let Some(elsewhere) = elsewhere(layout, &name) =>
        {
            Err(no_such(&format!("there is no such param; did you mean {elsewhere}?")))
        }
        None if declared.is_empty() && is_repeated(layout, &name) => Err(no_such(
            "a param of that name is read anew in each repetition or instance, so \
                         there is no one value to give",
        )),
        None if declared.is_empty() => {
            let names = params_of(layout, dict);
            Err(no_such(&meant("there is no such param".to_owned(), &name, &names)))
        }
        None => Err(no_such(&format!("it is declared {} times", declared.len()))),
    }
}

/// The paths of params of a name in any dict, whose values can be given; `None` if there are none.
fn elsewhere(layout: &Layout, name: &str) -> Option<String> {
    let same = layout.params().filter(|(_, param)| {
        matches!(param.scope, Scope::Dict(_)) && layout.name(param.name) == name
    });
    let mut paths: Vec<String> = same.map(|(id, _)| layout.param_path(id)).collect();
    let more = paths.len().saturating_sub(SHOWN);
    paths.truncate(SHOWN);
    let mut said = paths.iter().map(|path| format!("`{path}`")).collect::<Vec<_>>().join(" or ");
    if more > 0 {
        said += &format!(" or {more} other{}", plural(more as u64));
    }
    (!paths.is_empty()).then_some(said)
}

/// How many params of a name are reported.
const SHOWN: usize = 4;

/// Whether a param of a name lies in a repeated dict or in a struct.
fn is_repeated(layout: &Layout, name: &str) -> bool {
    layout
        .params()
        .any(|(_, param)| !matches!(param.scope, Scope::Dict(_)) && layout.name(param.name) == name)
}

/// Names of the params of a dict.
pub(crate) fn params_of(layout: &Layout, dict: DictId) -> Vec<String> {
    let own = layout.params().filter(
        |(_, param)| matches!(param.scope, Scope::Dict(of) | Scope::Repeated(of) if of == dict),
    );
    own.map(|(_, param)| layout.name(param.name).to_owned()).collect()
}

/// Names of the dicts in a dict.
fn dicts_of(layout: &Layout, dict: DictId) -> Vec<String> {
    let inner = layout.dicts().iter().filter(|inner| inner.parent == Some(dict));
    inner.map(|inner| layout.name(inner.name).to_owned()).collect()
}

/// Adds to what is wrong with a name which one may have been meant.
pub(crate) fn meant(mut why: String, name: &str, names: &[String]) -> String {
    if let Some(near) = similar(name, names.iter().map(String::as_str)) {
        why += &format!("; did you mean `{near}`?");
    }
    why
}

/// That data, of this type if that is known, holds no item of a name, and the field that is perhaps meant.
pub(crate) fn holds_no_item(path: &str, dtype: Option<&Dtype>, name: &str) -> String {
    let why = format!("{path} is data and holds no items");
    match dtype {
        Some(Dtype::Record(record)) if record.fields.iter().any(|field| field.name == name) => {
            format!("{why}; did you mean its field `{}`?", field_path(path, name))
        }
        _ => why,
    }
}

/// The path of something in a dict or list.
pub(crate) fn join(path: &str, name: &str) -> String {
    let mut joined = if path == "/" { String::new() } else { path.to_owned() };
    joined.push('/');
    push_name(&mut joined, name);
    joined
}

/// The path of an item of a list.
pub(crate) fn join_index(path: &str, index: u64) -> String {
    format!("{}/{index}", if path == "/" { "" } else { path })
}

/// The path of a field: `/x.n`.
pub(crate) fn field_path(path: &str, name: &str) -> String {
    let mut path = path.to_owned();
    push_field(&mut path, name);
    path
}

/// The path of an instance: `/x[1]`, `/x[0,2]`, or `/x` itself.
pub(crate) fn instance_path(path: &str, at: &[u64]) -> String {
    if at.is_empty() {
        return path.to_owned();
    }
    let indices: Vec<String> = at.iter().map(u64::to_string).collect();
    format!("{path}[{}]", indices.join(","))
}

/// The indices of an element by its number in row-major order.
pub(crate) fn index_of(mut at: u64, shape: &[u64]) -> Vec<u64> {
    let mut indices = vec![0; shape.len()];
    for (index, dim) in indices.iter_mut().zip(shape).rev() {
        *index = at % dim.max(&1);
        at /= dim.max(&1);
    }
    indices
}

/// The path of a member of a record whose members are items of the dict that it is in.
pub(crate) fn sibling(path: &str, name: &str) -> String {
    let (dict, _) = split(path);
    join(if dict.is_empty() { "/" } else { dict }, name)
}
