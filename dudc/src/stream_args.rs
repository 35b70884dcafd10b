//! The options of commands that open a stream, and how a file is opened with them.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::Args;
use dudley::bytes::SIGNATURE_LEN;
use dudley::{ByteOrder, Layout, Open, Stream, StreamKind, parse_layout};
use dudley_parser::compare::{Change, Victim, compare};
use dudley_parser::layout::identity::identity;
use dudley_parser::padding::{HELP, padded};
use dudley_parser::span::LineIndex;

use crate::failure::{Failure, Result};
use crate::filters;
use crate::input;
use crate::names::name_of;
use crate::options::Order;
use crate::output::warn;

impl From<Order> for ByteOrder {
    fn from(order: Order) -> ByteOrder {
        match order {
            Order::Little => ByteOrder::Little,
            Order::Big => ByteOrder::Big,
        }
    }
}

/// How to open a stream.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct StreamArgs {
    /// The layout of a raw stream, or a layout to use instead of the attached one
    #[arg(long, value_name = "X.dud")]
    pub(crate) layout: Option<PathBuf>,
    /// Supplies a param, or overrides a fixed one; NAME may be a path (`/grp/N`, `N#2`)
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = parse_param)]
    pub(crate) params: Vec<(String, i128)>,
    /// Byte order of a raw stream whose layout has none
    #[arg(long)]
    pub(crate) order: Option<Order>,
    /// Says that the file has no signature: addresses start at 0
    #[arg(long)]
    pub(crate) raw: bool,
    /// The stream starts at this byte of the file
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_number,
          allow_negative_numbers = true)]
    pub(crate) base: u64,
    /// Reads on, with a warning, if a constant of the layout differs from the file
    #[arg(long)]
    pub(crate) no_const_check: bool,
    /// Lists everything: wrong constants are reported and do not stop it.
    #[arg(skip)]
    pub(crate) lists: bool,
}

/// Of a layout, this many malformed attributes are said.
const LEFT_OUT_SAID: usize = 8;

/// Of a stream that is listed, this many wrong constants are said.
const CONSTANTS_SAID: usize = 16;

/// Reads `NAME=VALUE`.
pub(crate) fn parse_param(text: &str) -> std::result::Result<(String, i128), String> {
    let (name, value) = text.rsplit_once('=').ok_or("expected NAME=VALUE")?;
    if name.trim().is_empty() {
        return Err("expected a name before `=`".to_owned());
    }
    let value = value.trim();
    let parsed = match value.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16),
        None => value.parse(),
    };
    let value = parsed.map_err(|_| format!("`{value}` is no integer"))?;
    Ok((name.trim().to_owned(), value))
}

/// Reads a number of bytes.
pub(crate) fn parse_number(text: &str) -> std::result::Result<u64, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| format!("`{text}` is no number of bytes, which is 0 or more"))
}

impl StreamArgs {
    /// How to open a stream, its layout read.
    ///
    /// # Errors
    /// If the layout cannot be read, or has errors.
    pub(crate) fn open(&self) -> Result<Open> {
        let mut open = filters::opener().base(self.base);
        if let Some(path) = &self.layout {
            open = open.layout(read_layout(path)?);
        }
        if let Some(order) = self.order {
            open = open.order(order.into());
        }
        if self.raw {
            open = open.raw();
        }
        for (name, value) in &self.params {
            open = open.param(name.as_str(), *value);
        }
        Ok(open)
    }

    /// As [`Self::open`], of the file of a name: where it continues in spite of wrong constants, they are said.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub(crate) fn open_as(&self, name: &str) -> Result<Open> {
        let open = self.open()?;
        let (most, how) = match (self.lists, self.no_const_check) {
            (true, _) => (CONSTANTS_SAID, ""),
            (false, true) => (1, "; what follows is read all the same"),
            (false, false) => return Ok(open),
        };
        let (name, said) = (name.to_owned(), Mutex::new(HashSet::new()));
        Ok(open.wrong_constants(move |wrong| {
            let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
            if said.len() < most && said.insert(wrong.address()) {
                warn(&format!("{name}: {wrong}{how}"));
            }
        }))
    }

    /// The same for code that lists everything: wrong constants are reported and do not stop it.
    pub(crate) fn listing(&self) -> StreamArgs {
        StreamArgs { lists: true, ..self.clone() }
    }

    /// Whether no option changes an item or its address.
    pub(crate) fn is_plain(&self) -> bool {
        self.layout.is_none() && self.params.is_empty() && !self.raw && self.base == 0
    }
}

impl StreamArgs {
    /// Reports the warnings of an open stream.
    pub(crate) fn warn_of_stream(&self, name: &str, stream: &Stream) {
        match &self.layout {
            None => warn_left_out(name, stream.layout()),
            Some(given) => {
                warn_other_layout(name, stream, &name_of(given));
                warn_if_raw(stream, &name_of(given));
            }
        }
    }
}

/// Reads a layout for reading or writing data: its text, or that attached to a stream.
///
/// # Errors
/// If it cannot be read, or has errors.
pub(crate) fn read_layout(path: &Path) -> Result<Layout> {
    let text = input::read_layout(path)?;
    let layout = parse_layout(&text.bytes).map_err(|error| Failure::of_file(&text.name, error))?;
    warn_left_out(&text.name, &layout);
    Ok(layout)
}

/// Warns of attributes of a layout that are malformed (spec 7.2), once: it may be opened for several files.
fn warn_left_out(name: &str, layout: &Layout) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let lines = LineIndex::new(layout.text());
    for found in layout.left_out().iter().take(LEFT_OUT_SAID) {
        let at = lines.line_column(found.primary.span.start);
        let said = format!(
            "{name}:{}:{}: {}: the attribute is left out",
            at.line, at.column, found.message
        );
        if SAID.lock().unwrap_or_else(PoisonError::into_inner).insert(said.clone()) {
            warn(&said);
        }
    }
}

/// Warns if a stream carries another layout than the one that it is read through, with the first difference that
/// matters to the code that reads it.
fn warn_other_layout(name: &str, stream: &Stream, given: &str) {
    // `verify` reports faults of the attached layout.
    let Ok(Some(text)) = stream.appended_text() else { return };
    let Ok(own) = parse_layout(&text) else { return };
    if own.text() == stream.layout().text() || identity(&own) == identity(stream.layout()) {
        return;
    }
    let changes = compare(&own, stream.layout(), SIGNATURE_LEN);
    // Unrequested bytes at the end do not matter.
    let matters = |it: &&Change| {
        it.breaks().contains(&Victim::OldFiles)
            && (it.code != "change-removed" || !it.also.is_empty())
    };
    if let Some(change) = changes.iter().find(matters) {
        warn(&format!(
            "{name} carries another layout than {given}, through which it is read: {}; without --layout it is read \
             through its own",
            change.message
        ));
    }
}

/// Warns of the first of some files that is one of another format, and is read as a raw stream.
///
/// # Errors
/// If one cannot be read.
pub(crate) fn warn_other_formats(files: &[PathBuf], given: &Path) -> Result<()> {
    for file in files.iter().filter(|file| file.is_file()) {
        let head = input::head(file, 0)?;
        if !crate::formats::is_native(&head) && input::probably(&head).is_some() {
            warn_other_format(&name_of(file), &head, &name_of(given));
            break;
        }
    }
    Ok(())
}

/// Warns, once for each file, if a file of another format is read as a raw stream without saying that this is meant.
pub(crate) fn warn_other_format(name: &str, head: &[u8], given: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let Some(format) = input::probably(head) else { return };
    let text = format!(
        "{name} is {format} (by its first bytes); it is read as a raw stream through {given}; --raw says that this \
         is meant"
    );
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if said.insert(text.clone()) {
        warn(&text);
    }
}

/// The number of padded structs that are named.
const PADDED_SAID: usize = 8;

fn warn_if_raw(stream: &Stream, given: &str) {
    if stream.kind() != StreamKind::Native {
        warn_padding(stream.layout(), given);
    }
}

/// Warns, once for each layout, if structs of a raw stream are padded: most foreign formats pack their records.
pub(crate) fn warn_padding(layout: &Layout, given: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let padded = padded(layout);
    let shown: Vec<String> = padded.iter().take(PADDED_SAID).map(ToString::to_string).collect();
    let more = match padded.len().saturating_sub(PADDED_SAID) {
        0 => String::new(),
        more => format!("; and {more} more structs"),
    };
    let text = format!("{given} pads structs of a raw stream: {}{more}; {HELP}", shown.join("; "));
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if !padded.is_empty() && said.insert(text.clone()) {
        warn(&text);
    }
}
