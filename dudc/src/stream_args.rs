//! The options of commands that open a stream, and how a file is opened with them.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use asdf_bridge::asdf::{self, AsdfFile};
use asdf_bridge::blosc2::Frame;
use clap::Args;
use dudley::error::file_name;
use dudley::signature;
use dudley::source::{FileSource, Window};
use dudley::{ByteOrder, Error, Indexed, Layout, Open, Stream, StreamKind, parse_layout};
use dudley_parser::compare::{Change, Victim, compare};
use dudley_parser::layout::identity::identity;
use dudley_parser::padding::{HELP, padded};
use dudley_parser::span::LineIndex;

use crate::cli::Order;
use crate::failure::{Failure, Result};
use crate::filters;
use crate::frame;
use crate::frame::lone::Lone;
use crate::input::{self, is_stdin, name_of};
use crate::output::warn;
use crate::remote;

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
    /// The layout of the stream: of a raw one, or instead of an appended one
    #[arg(long, value_name = "X.dud")]
    pub(crate) layout: Option<PathBuf>,
    /// Supplies a param, or overrides a fixed one; NAME may be a path (`/grp/N`, `N#2`)
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = parse_param)]
    pub(crate) params: Vec<(String, i128)>,
    /// Byte order of a raw stream whose layout does not say
    #[arg(long)]
    pub(crate) order: Option<Order>,
    /// The stream has no signature: addresses start at 0
    #[arg(long)]
    pub(crate) raw: bool,
    /// The stream starts at this byte of the file
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_number,
          allow_negative_numbers = true)]
    pub(crate) base: u64,
    /// Gives values, with a warning, where a constant of the layout is not what the file has
    #[arg(long)]
    pub(crate) no_const_check: bool,
    /// What is there is listed: wrong constants are said, and do not end it.
    #[arg(skip)]
    pub(crate) lists: bool,
}

/// Of a layout, so many malformed attributes are said.
const LEFT_OUT_SAID: usize = 8;

/// Of a stream that is listed, so many wrong constants are said.
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

/// What a file turned out to be. Clones share what is open.
#[derive(Clone)]
pub(crate) enum Input {
    /// A stream with a layout.
    Stream(Stream),
    /// A layout without a stream.
    Layout(Box<Layout>),
    /// An ASDF or FINF file.
    Asdf(Box<AsdfFile>),
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

    /// As [`Self::open`], of the file of a name: where it goes on in spite of wrong constants, they are said.
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

    /// The same for who lists what is there: wrong constants are said, and do not end it.
    pub(crate) fn listing(&self) -> StreamArgs {
        StreamArgs { lists: true, ..self.clone() }
    }

    /// Opens a file, which must be a stream.
    ///
    /// # Errors
    /// If it is none, or cannot be opened.
    pub(crate) fn stream(&self, path: &Path) -> Result<Stream> {
        self.stream_in(self.input(path)?, path)
    }

    /// What a file turned out to be, which must be a stream.
    ///
    /// # Errors
    /// If it is none.
    pub(crate) fn stream_in(&self, input: Input, path: &Path) -> Result<Stream> {
        self.stream_of(&input, path).cloned()
    }

    /// As [`Self::stream_in`], lent.
    ///
    /// # Errors
    /// If it is none.
    pub(crate) fn stream_of<'i>(&self, input: &'i Input, path: &Path) -> Result<&'i Stream> {
        match input {
            Input::Stream(stream) => Ok(stream),
            Input::Asdf(_) => Err(Failure::input(format!(
                "`{}` is an ASDF or FINF file, which this command cannot read; with --layout it is \
                 read as a raw stream (`dudc describe` prints a layout of it)",
                file_name(&path)
            ))),
            Input::Layout(layout) if layout.text().trim().is_empty() => Err(input::empty(path)),
            Input::Layout(_) if self.raw && input::is_native(&input::head(path, self.base)?) => {
                Err(Failure::input(format!(
                    "`{}` is a stream with a signature: with --raw its layout is not looked for, and --layout must \
                     give one",
                    file_name(&path)
                )))
            }
            Input::Layout(_) => Err(Failure::input(format!(
                "`{}` is a layout, not a stream: give the stream, and this with --layout",
                file_name(&path)
            ))),
        }
    }

    /// Whether nothing is said that changes what an item is, or where it lies.
    pub(crate) fn is_plain(&self) -> bool {
        self.layout.is_none() && self.params.is_empty() && !self.raw && self.base == 0
    }

    /// The stream that an index leads to for the item of a path; none where nothing does.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn excerpt(&self, file: &Path, path: &str) -> Result<Option<Stream>> {
        let elsewhere = is_stdin(file) || file.is_dir() || remote::address(file).is_some();
        if !self.is_plain() || elsewhere || !input::is_native(&input::head(file, 0)?) {
            return Ok(None);
        }
        // What is wrong is said by who opens the whole stream.
        Ok(Indexed::with(filters::opener(), file).ok().and_then(|file| file.excerpt(path)))
    }

    /// Opens a Blosc2 frame; none with `--layout`, and if it is something else.
    ///
    /// # Errors
    /// If it is a damaged one, or cannot be opened.
    pub(crate) fn frame(&self, path: &Path) -> Result<Option<Frame>> {
        match self.layout {
            None if !is_stdin(path) && remote::address(path).is_none() => {
                frame::open(path, self.base)
            }
            _ => Ok(None),
        }
    }

    /// Whether what a file has is decoded when it is opened, so that addresses in the stream are none of the file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn is_decoded(&self, path: &Path) -> Result<bool> {
        if self.layout.is_some() || is_stdin(path) || remote::address(path).is_some() {
            return Ok(false);
        }
        Ok(frame::is_frame(path, self.base)? || self.chunk_layout(path)?.is_some())
    }

    /// What there is of one chunk of Blosc2 in a file; none with `--layout`, and if it is something else.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn lone_chunk(&self, path: &Path) -> Result<Option<Lone>> {
        let elsewhere = is_stdin(path) || remote::address(path).is_some() || !path.is_file();
        match self.layout.is_some() || self.raw || elsewhere {
            true => Ok(None),
            false => Lone::of(path, self.base),
        }
    }

    /// The layout of a file that is one chunk of Blosc2, all of which is there; none with `--layout`, and if it is
    /// something else.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn chunk_layout(&self, path: &Path) -> Result<Option<String>> {
        if self.lone_chunk(path)?.is_none() {
            return Ok(None);
        }
        let length = input::length(path)?.saturating_sub(self.base);
        Ok(asdf_bridge::blosc2::describe_chunk(&input::head(path, self.base)?, length))
    }

    /// Opens an ASDF or FINF file; none with `--layout`, and if it is something else.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub(crate) fn asdf(&self, path: &Path) -> Result<Option<AsdfFile>> {
        if self.layout.is_some() || self.raw || is_stdin(path) || !path.is_file() {
            return Ok(None);
        }
        let format = asdf_bridge::Format::recognise(&input::head(path, self.base)?);
        if !matches!(format, Some(asdf_bridge::Format::Asdf | asdf_bridge::Format::Finf)) {
            return Ok(None);
        }
        let failed = |error| Failure::of_file(&name_of(path), error);
        let open = asdf::Open::new();
        Ok(Some(match self.base {
            0 => open.file(path)?,
            base => {
                let source = FileSource::open(path).and_then(|file| Window::from(file, base));
                open.source(source.map_err(failed)?)?
            }
        }))
    }

    /// Opens a file, by its content: a native stream, or a layout. With `--layout` it is a stream. What a stream says
    /// of the number of its items is not believed.
    ///
    /// # Errors
    /// If it is neither, or cannot be opened.
    pub(crate) fn input(&self, path: &Path) -> Result<Input> {
        Ok(match self.opened(path)? {
            Input::Stream(stream) => Input::Stream(stream.limited()),
            other => other,
        })
    }

    fn opened(&self, path: &Path) -> Result<Input> {
        let name = name_of(path);
        let failed = |error| Failure::of_file(&name, error);
        if let Some(address) = remote::address(path) {
            return self.remote(address);
        }
        if let Some(found) = self.frame(path)? {
            frame::doubts::warn_of_type(&found, &name);
            let stream = found.stream().map_err(|error| frame::failure(&name, error))?;
            return Ok(Input::Stream(stream.named(path)));
        }
        if let Some(lone) = self.lone_chunk(path)?.filter(Lone::is_cut) {
            return Err(lone.failure(path));
        }
        if self.chunk_layout(path)?.is_some() {
            let source = FileSource::open(path).and_then(|file| Window::from(file, self.base));
            let opened = source.and_then(asdf_bridge::blosc2::open_chunk).map_err(failed)?;
            if let Some(stream) = opened {
                return Ok(Input::Stream(stream.named(path)));
            }
        }
        let head = match is_stdin(path) {
            true => input::read_stdin()?,
            false => input::head(path, self.base)?,
        };
        if self.base > 0 {
            let length = match is_stdin(path) {
                true => head.len() as u64,
                false => input::length(path)?,
            };
            if self.base >= length {
                return Err(Failure::input(format!(
                    "{name} has {length} bytes: there is nothing at --base {}",
                    self.base
                )));
            }
        }
        let at = if is_stdin(path) { self.base.min(head.len() as u64) as usize } else { 0 };
        let native = !self.raw && input::is_native(&head[at..]);
        if is_stdin(path) && self.layout.as_deref().is_some_and(is_stdin) {
            return Err(Failure::usage("only one of stream and layout can be standard input"));
        }
        let format = asdf_bridge::Format::recognise(&head[at..]);
        if self.layout.is_none()
            && !native
            && matches!(format, Some(asdf_bridge::Format::Asdf | asdf_bridge::Format::Finf))
        {
            let file = if is_stdin(path) {
                asdf::Open::new().bytes(&head[at..])
            } else if self.base > 0 {
                let source = FileSource::open(path).and_then(|file| Window::from(file, self.base));
                asdf::Open::new().source(source.map_err(failed)?)
            } else {
                AsdfFile::open(path)
            };
            return Ok(Input::Asdf(Box::new(file?)));
        }
        if self.layout.is_none() && !native {
            if let Some(failure) = input::unopened(&name, &head[at..]) {
                return Err(failure);
            }
            if self.base > 0 {
                let base = self.base;
                return Err(Failure::input(format!(
                    "{name}: at --base {base} begins neither a stream with a signature nor a file of another \
                     format: a raw stream needs --layout"
                )));
            }
            let layout = if is_stdin(path) {
                input::check_text(&name, &head)?;
                parse_layout(&head).map_err(failed)?
            } else {
                read_layout(path)?
            };
            return Ok(Input::Layout(Box::new(layout)));
        }
        if let (Some(given), false, false) = (&self.layout, self.raw, native) {
            warn_other_format(&name, &head[at..], &name_of(given));
        }
        let open = self.open_as(&name)?;
        let stream = match is_stdin(path) {
            true => open.bytes(head),
            false => open.file(path),
        };
        let stream = stream.map_err(|error| match (error.cause(), &self.layout) {
            (Error::Const { .. }, _) => failed(error).with_help(
                "this is not the kind of file that the layout describes, or it is damaged; \
                 `--no-const-check` reads it all the same",
            ),
            (_, Some(_)) => failed(error),
            (_, None) => Failure::of_stream(&name, error),
        })?;
        if self.layout.is_none() && !stream.layout().has_terminator() {
            warn_unterminated(&name, &stream);
        }
        if self.layout.is_none() {
            warn_left_out(&name, stream.layout());
        }
        if let Some(given) = &self.layout {
            warn_other_layout(&name, &stream, &name_of(given));
            warn_if_raw(&stream, &name_of(given));
        }
        Ok(Input::Stream(stream))
    }
}

impl StreamArgs {
    /// Opens an object of a store, which must be a stream.
    fn remote(&self, address: &str) -> Result<Input> {
        let stream = remote::open(address, self.open_as(address)?)?;
        if self.layout.is_none() {
            warn_left_out(address, stream.layout());
        }
        match &self.layout {
            Some(given) => warn_if_raw(&stream, &name_of(given)),
            None if !stream.layout().has_terminator() => warn_unterminated(address, &stream),
            None => {}
        }
        Ok(Input::Stream(stream))
    }
}

/// Every layout that is attached ends with a terminator (spec 8.3).
fn warn_unterminated(name: &str, stream: &Stream) {
    if let Some(address) = stream.signature().and_then(|signature| signature.layout_address) {
        warn(&format!(
            "{name}: the layout appended at address {address} ends without its terminator, a line \
             `-`: the file may be cut off"
        ));
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
/// matters to who reads it.
fn warn_other_layout(name: &str, stream: &Stream, given: &str) {
    // What is wrong with the one that it carries is said by `verify`.
    let Ok(Some(text)) = stream.appended_text() else { return };
    let Ok(own) = parse_layout(&text) else { return };
    if own.text() == stream.layout().text() || identity(&own) == identity(stream.layout()) {
        return;
    }
    let changes = compare(&own, stream.layout(), signature::LEN);
    // What is not asked for at the end is no matter.
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
        if !input::is_native(&head) && input::probably(&head).is_some() {
            warn_other_format(&name_of(file), &head, &name_of(given));
            break;
        }
    }
    Ok(())
}

/// Warns, once for each file, if a file of another format is read as a raw stream without saying that this is meant.
fn warn_other_format(name: &str, head: &[u8], given: &str) {
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

/// How many padded structs are named.
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
