//! Why something cannot be placed.

use super::Fault;
use crate::layout::expr::ExprFault;
use crate::layout::{Layout, ParamId};
use crate::span::Span;
use std::fmt;
use std::sync::Arc;

/// Why something of a layout has no address, shape or value.
#[derive(Clone, Debug)]
pub struct ResolveError {
    inner: Arc<Inner>,
}

#[derive(Clone, Debug)]
struct Inner {
    kind: ErrorKind,
    span: Span,
    path: Option<String>,
}

/// A param that a number was made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedParam {
    /// Its path.
    pub path: String,
    /// Its value.
    pub value: i64,
    /// Where the value is from.
    pub origin: Origin,
}

/// Where the value of a param is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was read at this address.
    Read(u64),
    /// The caller gave it.
    Supplied,
    /// The layout says it, or a program that writes it.
    Other,
}

/// The kinds of [`ResolveError`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A param whose value nobody knows, and its path: there is no stream, and the caller did not
    /// give it.
    Unknown(ParamId, String),
    /// The number of stored bytes of a filtered item is only known from a stream.
    UnknownStored,
    /// A param with an illegal value.
    ParamValue {
        /// The path of the param.
        name: String,
        /// Its value.
        value: i128,
        /// Where it was read; `None` if it was given by the caller or by the text.
        address: Option<u64>,
        /// The layout says so, and nobody another value.
        declared: bool,
    },
    /// A dimension that comes out below 0.
    Dimension {
        /// Its value; `None` if it does not fit in 64 bits.
        value: Option<i64>,
        /// The params that it was made from, each with its value.
        params: Vec<UsedParam>,
    },
    /// A repeat below 0.
    Repeat {
        /// Its value; `None` if it does not fit in 64 bits.
        value: Option<i64>,
        /// The params that it was made from, each with its value.
        params: Vec<UsedParam>,
    },
    /// A number of stored bytes below 0.
    Stored {
        /// Its value.
        value: Option<i64>,
        /// The params that it was made from, each with its value.
        params: Vec<UsedParam>,
    },
    /// An address below 0, or past 63 bits.
    Address {
        /// Its value.
        value: Option<i64>,
        /// The params that it was made from, each with its value.
        params: Vec<UsedParam>,
    },
    /// An expression divides by 0, or leaves a remainder.
    Division {
        /// The expression, as it is written.
        expr: String,
        /// The fault.
        fault: ExprFault,
        /// The params that it was made from, each with its value.
        params: Vec<UsedParam>,
    },
    /// A param that takes what the stream has left (spec 4.9), and its path: what it counts takes no bytes.
    NoBytes(String),
    /// An item past the end of a stream, during the count of such items (spec 4.9).
    CutOff,
    /// An array that cannot be presented as its attributes say (spec 7.7).
    View {
        /// The fault.
        why: String,
        /// The address of the array, where that is known.
        begin: Option<u64>,
    },
    /// A size in bytes that does not fit in 63 bits.
    SizeOverflow,
    /// An address or end that does not fit in 63 bits.
    AddressOverflow,
    /// Repetitions whose places are read from the stream, more than the stream has bytes.
    Endless,
    /// It lies behind something that has no size.
    Unplaced,
    /// The source of the bytes failed.
    Source(Arc<dyn std::error::Error + Send + Sync>),
    /// There is nothing of that path: the part of it that names nothing, and why.
    NoSuchPath(String),
}

impl ResolveError {
    pub(crate) fn new(kind: ErrorKind, span: Span) -> Self {
        Self { inner: Arc::new(Inner { kind, span, path: None }) }
    }

    /// What a source of values says of something that guards others: it names that itself.
    pub(crate) fn of_fault(fault: Fault) -> Self {
        match fault {
            Fault::Unknown => Self::new(ErrorKind::Unplaced, Span::default()),
            Fault::Source(source) => Self::new(ErrorKind::Source(source), Span::default()),
        }
    }

    /// The fault.
    pub fn kind(&self) -> &ErrorKind {
        &self.inner.kind
    }

    /// The declaration in the layout text.
    pub fn span(&self) -> Span {
        self.inner.span
    }

    /// The path of the item that needed it, where that is known.
    pub fn path(&self) -> Option<&str> {
        self.inner.path.as_deref()
    }

    /// Adds the item that needed it, unless the error has one already.
    #[must_use]
    pub fn needed_by(mut self, path: &str) -> Self {
        if self.inner.path.is_none() {
            Arc::make_mut(&mut self.inner).path = Some(path.to_owned());
        }
        self
    }

    /// Whether it would end past the end of any stream that is so long.
    pub(super) fn is_past_the_end(&self) -> bool {
        matches!(
            self.kind(),
            ErrorKind::CutOff
                | ErrorKind::SizeOverflow
                | ErrorKind::AddressOverflow
                | ErrorKind::Endless
        )
    }

    /// Whether a value is just not known, which is no fault of the layout or the stream.
    pub fn is_unknown(&self) -> bool {
        matches!(
            self.kind(),
            ErrorKind::Unknown(..) | ErrorKind::UnknownStored | ErrorKind::Unplaced
        )
    }
}

impl std::error::Error for ResolveError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self.kind() {
            ErrorKind::Source(source) => Some(source.as_ref()),
            _ => None,
        }
    }
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = self.path() {
            write!(f, "`{path}`: ")?;
        }
        match self.kind() {
            ErrorKind::Unknown(_, name) => write!(f, "the value of the param {name} is not known"),
            ErrorKind::UnknownStored => {
                f.write_str("the number of its stored bytes is only known from a stream")
            }
            ErrorKind::ParamValue { name, value, address, declared } => {
                write!(f, "the param `{name}` is {value}")?;
                match address {
                    Some(address) => write!(f, ", read at address {address}")?,
                    None if *declared => f.write_str(", as the layout says")?,
                    None => f.write_str(", as supplied")?,
                }
                write!(f, "; expected -1 to {}", i64::MAX)
            }
            ErrorKind::Dimension { value, params } => derived(f, "a dimension", *value, params),
            ErrorKind::Repeat { value, params } => derived(f, "a repeat", *value, params),
            ErrorKind::Stored { value, params } => {
                derived(f, "the number of stored bytes", *value, params)
            }
            ErrorKind::Address { value, params } => derived(f, "an address", *value, params),
            ErrorKind::Division { expr, fault, params } => {
                write!(f, "`{expr}` {fault}")?;
                from(f, params)
            }
            ErrorKind::NoBytes(name) => write!(
                f,
                "the param {name} takes what the stream has left, and what it counts takes no bytes"
            ),
            ErrorKind::View { why, begin } => {
                f.write_str(why)?;
                begin.map_or(Ok(()), |begin| write!(f, "; it begins at address {begin}"))
            }
            ErrorKind::CutOff => f.write_str("it lies past the end of the stream"),
            ErrorKind::SizeOverflow => f.write_str("its size in bytes does not fit in 63 bits"),
            ErrorKind::AddressOverflow => f.write_str("its address does not fit in 63 bits"),
            ErrorKind::Endless => {
                f.write_str("its repetitions outnumber the bytes of the stream that they lie in")
            }
            ErrorKind::Unplaced => f.write_str("it lies behind something of unknown size"),
            ErrorKind::Source(source) => write!(f, "{source}"),
            ErrorKind::NoSuchPath(why) => f.write_str(why),
        }
    }
}

fn derived(
    f: &mut fmt::Formatter<'_>,
    what: &str,
    value: Option<i64>,
    params: &[UsedParam],
) -> fmt::Result {
    match value {
        Some(value) => write!(f, "{what} comes to {value}")?,
        None => write!(f, "{what} does not fit in 64 bits")?,
    }
    from(f, params)
}

/// The params that something was made from.
fn from(f: &mut fmt::Formatter<'_>, params: &[UsedParam]) -> fmt::Result {
    for (at, UsedParam { path, value, origin }) in params.iter().enumerate() {
        write!(f, "{} {path} = {value}", if at == 0 { ", from" } else { "," })?;
        match origin {
            Origin::Read(address) => write!(f, " (read at address {address})")?,
            Origin::Supplied => f.write_str(" (supplied)")?,
            Origin::Other => {}
        }
    }
    Ok(())
}

impl Layout {
    /// The path of a param as it is shown: `/N`, `/a/N#2`; of a struct's, its name.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"grp/ N : i8  x = f8[N]").layout.unwrap();
    /// assert_eq!(layout.param_path(layout.params().next().unwrap().0), "/grp/N");
    /// ```
    pub fn param_path(&self, id: ParamId) -> String {
        use crate::layout::Scope;
        let mut path = match self[id].scope {
            Scope::Dict(dict) | Scope::Repeated(dict) => self.dict_path(dict),
            Scope::Record => return self.param_label(id),
        };
        if path != "/" {
            path.push('/');
        }
        self.push_param(&mut path, id);
        path
    }

    /// The path of what a step of the root declares; `None` for a dict that is merely entered.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"N : i8  x = f8[N]").layout.unwrap();
    /// let paths: Vec<_> = layout.root().iter().filter_map(|step| layout.step_path(*step)).collect();
    /// assert_eq!(paths, ["/:N", "/x"]);
    /// ```
    pub fn step_path(&self, step: crate::layout::Step) -> Option<String> {
        use crate::layout::Step;
        let (dict, name) = match step {
            Step::Param(id) => {
                return Some(crate::layout::path::of_param(&self.param_path(id)));
            }
            Step::Array(id) => (self[id].dict?, self[id].name),
            Step::Repeat(id) => (self[self[id].list].dict, self[self[id].list].name),
            Step::Group(_) | Step::Enter(_) => return None,
        };
        let mut path = self.dict_path(dict);
        if path != "/" {
            path.push('/');
        }
        crate::layout::path::push_name(&mut path, self.name(name));
        Some(path)
    }

    /// The path of a dict, as far as names give it: an anonymous one is shown as `*`.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"a/ l [/ x = f8]").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// assert_eq!(layout.dict_path(x.dict.unwrap()), "/a/l/*");
    /// ```
    pub fn dict_path(&self, dict: crate::layout::DictId) -> String {
        let mut names = Vec::new();
        let mut current = Some(dict);
        while let Some(id) = current {
            let entry = &self[id];
            match entry.list {
                Some(list) => {
                    names.push("*".to_owned());
                    let mut outer = list;
                    while let Some(next) = self[outer].outer {
                        names.push("*".to_owned());
                        outer = next;
                    }
                    let mut name = String::new();
                    crate::layout::path::push_name(&mut name, self.name(self[outer].name));
                    names.push(name);
                }
                None if entry.parent.is_some() => {
                    let mut name = String::new();
                    crate::layout::path::push_name(&mut name, self.name(entry.name));
                    names.push(name);
                }
                None => {}
            }
            current = entry.parent;
        }
        names.reverse();
        format!("/{}", names.join("/"))
    }
}
