//! The layout that typed code was made from: its text, its checked form, and whether a stream's own
//! layout says the same.

use std::sync::{Arc, OnceLock};

use dudley_parser::Layout;
use dudley_parser::layout::dtype::ByteOrder;

use super::handle::Kind;
use super::mode::Mode;
use super::params::Params;
use crate::elements::value::show;
use crate::error::{Error, Result};
use crate::read::item::{Item, ItemKind};
use crate::read::path::split;
use crate::read::stream::{Open, Stream, parse_layout};

/// A layout known when the program was compiled: a generated type without values.
pub trait Schema: Sized + 'static {
    /// The params that a stream states or a caller may choose.
    type Params: Params;
    /// The root dict.
    type Root<M: Mode>: Kind<M>;

    /// The layout.
    fn known() -> &'static Known;
}

/// The text of a layout and, once it was needed, its checked form.
pub struct Known {
    text: &'static str,
    hash: u64,
    layout: OnceLock<std::result::Result<Arc<Layout>, Box<Error>>>,
}

impl Known {
    /// A checked text, and the hash of its declarations.
    pub const fn new(text: &'static str, hash: u64) -> Known {
        Known { text, hash, layout: OnceLock::new() }
    }

    /// The text.
    pub fn text(&self) -> &'static str {
        self.text
    }

    /// A hash of the declarations: equal for texts that differ only in comments and blanks.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The checked form, made once.
    ///
    /// # Errors
    /// [`Error::Layout`], if the text was not checked.
    pub fn layout(&self) -> Result<Arc<Layout>> {
        let checked = self.layout.get_or_init(|| match parse_layout(self.text.as_bytes()) {
            Ok(layout) => Ok(Arc::new(layout)),
            Err(error) => Err(Box::new(error)),
        });
        match checked {
            Ok(layout) => Ok(layout.clone()),
            Err(_) => parse_layout(self.text.as_bytes()).map(Arc::new),
        }
    }
}

/// Checks that a stream with its own layout has everything that another opening of it has, at the same
/// places: of the same type, shape and address. It may have more.
///
/// # Errors
/// [`Error::Incompatible`] with the first difference.
pub fn check_same(ours: &Stream, theirs: &Stream) -> Result<()> {
    if ours.order() != theirs.order() {
        return Err(incompatible("/", order_name(ours.order()), order_name(theirs.order())));
    }
    same_dict(&ours.root(), &theirs.root())
}

fn order_name(order: ByteOrder) -> &'static str {
    match order {
        ByteOrder::Little => "little-endian",
        ByteOrder::Big => "big-endian",
    }
}

pub(super) fn incompatible(path: &str, expected: &str, found: &str) -> Error {
    Error::Incompatible { path: path.into(), expected: expected.into(), found: found.into() }
}

fn same_dict(ours: &Item, theirs: &Item) -> Result<()> {
    for name in ours.names() {
        let Some(our) = ours.child(&name) else { continue };
        match theirs.child(&name) {
            None => return Err(incompatible(our.path(), our.kind().as_str(), "nothing")),
            Some(their) => same_item(&our, &their)?,
        }
    }
    for our in ours.params().iter().filter(|param| param.is_stated()) {
        let name = split(our.path()).1;
        let their = theirs.stream().get(&format!("{}/{name}", trimmed(theirs.path())));
        let (our_value, their_value) = (our.value()?, their.and_then(|it| it.value()));
        match their_value {
            Ok(value) if value == our_value => {}
            Ok(value) => return Err(incompatible(our.path(), &show(&our_value), &show(&value))),
            Err(_) => return Err(incompatible(our.path(), "a param", "nothing")),
        }
    }
    Ok(())
}

fn trimmed(path: &str) -> &str {
    if path == "/" { "" } else { path }
}

fn same_item(ours: &Item, theirs: &Item) -> Result<()> {
    match (ours.kind(), theirs.kind()) {
        (ItemKind::Dict, ItemKind::Dict) => same_dict(ours, theirs),
        (ItemKind::List, ItemKind::List) => same_list(ours, theirs),
        (ItemKind::Data, ItemKind::Data) => same_data(ours, theirs),
        (ours_is, theirs_is) => {
            Err(incompatible(ours.path(), ours_is.as_str(), theirs_is.as_str()))
        }
    }
}

/// The ends of lists decide: what lies between has the same stride.
fn same_list(ours: &Item, theirs: &Item) -> Result<()> {
    let (our, their) = (ours.len()?, theirs.len()?);
    if our > their {
        let items = |count: u64| format!("a list of {count}");
        return Err(incompatible(ours.path(), &items(our), &items(their)));
    }
    let mut at: Vec<u64> =
        [0, 1, our.saturating_sub(1)].into_iter().filter(|at| *at < our).collect();
    at.dedup();
    at.into_iter().try_for_each(|at| same_item(&ours.element(at)?, &theirs.element(at)?))
}

fn same_data(ours: &Item, theirs: &Item) -> Result<()> {
    let describe = |item: &Item| -> Result<String> {
        let data = item.data()?;
        let place = match data.bytes() {
            0 => "no bytes".to_owned(),
            bytes => format!("{bytes} bytes at address {}", data.begin()),
        };
        let said = data.presented.said();
        Ok(format!("{}{:?}{said}, {place}", data.dtype_name(), data.shape()))
    };
    let (our, their) = (describe(ours)?, describe(theirs)?);
    if our == their { Ok(()) } else { Err(incompatible(ours.path(), &our, &their)) }
}

/// The stream again, with the layout that is appended to it; `None` if it has none.
pub(super) fn own_layout(stream: &Stream, text: &str) -> Result<Option<Stream>> {
    let Some(own) = stream.appended_text()? else { return Ok(None) };
    let ours = text.trim_start_matches('\u{feff}').trim_end().as_bytes();
    let same = own.strip_prefix(ours).is_some_and(|rest| rest.trim_ascii_start().starts_with(b"-"));
    if same {
        return Ok(None);
    }
    let layout = parse_layout(&own)?;
    stream.reopen(Open::new().layout(layout)).map(Some)
}
