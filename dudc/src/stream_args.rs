//! The options of commands that open a stream, and how a file is opened with them.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use dudley::{ByteOrder, Layout, Open, Stream, parse_layout};

use crate::failure::{Failure, Result};

/// How results are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Human,
    /// For programs; versioned and stable.
    Json,
}

/// A byte order on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Order {
    /// The least significant byte first.
    Little,
    /// The most significant byte first.
    Big,
}

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
pub struct StreamArgs {
    /// The layout of the stream: of a raw one, or instead of an appended one
    #[arg(long, value_name = "X.dud")]
    pub layout: Option<PathBuf>,
    /// Supplies a param, or overrides a fixed one; NAME may be a path (`/grp/N`, `N#2`)
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = parse_param)]
    pub params: Vec<(String, i128)>,
    /// Byte order of a raw stream whose layout does not say
    #[arg(long)]
    pub order: Option<Order>,
    /// The stream has no signature: addresses start at 0
    #[arg(long)]
    pub raw: bool,
    /// The stream starts at this byte of the file
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_number)]
    pub base: u64,
}

/// Reads `NAME=VALUE`.
pub(crate) fn parse_param(text: &str) -> std::result::Result<(String, i128), String> {
    let (name, value) = text.rsplit_once('=').ok_or("expected NAME=VALUE")?;
    let value = value.trim();
    let parsed = match value.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16),
        None => value.parse(),
    };
    let value = parsed.map_err(|_| format!("`{value}` is no integer"))?;
    Ok((name.trim().to_owned(), value))
}

fn parse_number(text: &str) -> std::result::Result<u64, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| format!("`{text}` is no number of bytes"))
}

/// What a file turned out to be.
pub enum Input {
    /// A stream with a layout.
    Stream(Stream),
    /// A layout without a stream.
    Layout(Box<Layout>),
}

/// What a file is, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Native,
    Foreign(&'static str),
    Text,
}

impl StreamArgs {
    /// How to open a stream, its layout read.
    ///
    /// # Errors
    /// If the layout cannot be read, or has errors.
    pub fn open(&self) -> Result<Open> {
        let mut open = Open::new().base(self.base);
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

    /// Opens a file, which must be a stream.
    ///
    /// # Errors
    /// If it is none, or cannot be opened.
    pub fn stream(&self, path: &Path) -> Result<Stream> {
        match self.input(path)? {
            Input::Stream(stream) => Ok(stream),
            Input::Layout(_) => Err(Failure::usage(format!(
                "`{}` is a layout, not a stream: give the stream, and this with --layout",
                path.display()
            ))),
        }
    }

    /// Opens a file, by its content: a native stream, or a layout. With `--layout` it is a stream.
    ///
    /// # Errors
    /// If it is neither, or cannot be opened.
    pub fn input(&self, path: &Path) -> Result<Input> {
        let named = |error: dudley::Error| Failure::of_file(path, error);
        if path.as_os_str() == "-" {
            let mut bytes = Vec::new();
            std::io::stdin()
                .lock()
                .read_to_end(&mut bytes)
                .map_err(|error| Failure::io("cannot read standard input", error))?;
            return self.in_memory(path, bytes);
        }
        if self.layout.is_some() {
            return Ok(Input::Stream(self.open()?.file(path).map_err(named)?));
        }
        match content(&head(path, self.base)?) {
            Content::Native if !self.raw => {
                Ok(Input::Stream(self.open()?.file(path).map_err(named)?))
            }
            Content::Foreign(kind) => Err(Failure::foreign(path, kind)),
            _ => Ok(Input::Layout(Box::new(read_layout(path)?))),
        }
    }

    fn in_memory(&self, path: &Path, bytes: Vec<u8>) -> Result<Input> {
        let named = |error: dudley::Error| Failure::of_file(path, error);
        let start = (self.base as usize).min(bytes.len());
        if self.layout.is_some() || (content(&bytes[start..]) == Content::Native && !self.raw) {
            return Ok(Input::Stream(self.open()?.bytes(bytes).map_err(named)?));
        }
        match content(&bytes) {
            Content::Foreign(kind) => Err(Failure::foreign(path, kind)),
            _ => Ok(Input::Layout(Box::new(parse_layout(&bytes).map_err(named)?))),
        }
    }
}

/// Reads a layout for reading or writing data: its text, or that appended to a stream.
///
/// # Errors
/// If it cannot be read, or has errors.
pub fn read_layout(path: &Path) -> Result<Layout> {
    let text = match path.as_os_str() == "-" {
        true => {
            let mut bytes = Vec::new();
            std::io::stdin()
                .lock()
                .read_to_end(&mut bytes)
                .map_err(|error| Failure::io("cannot read standard input", error))?;
            bytes
        }
        false => std::fs::read(path)
            .map_err(|error| Failure::io(format!("cannot read `{}`", path.display()), error))?,
    };
    if content(&text) == Content::Native {
        let stream = Open::new().bytes(text).map_err(|error| Failure::of_file(path, error))?;
        return Ok(stream.layout().clone());
    }
    parse_layout(&text).map_err(|error| Failure::of_file(path, error))
}

/// The first bytes of a file from `base` on.
fn head(path: &Path, base: u64) -> Result<Vec<u8>> {
    use std::io::{Seek, SeekFrom};
    let context = || format!("cannot read `{}`", path.display());
    let mut file = std::fs::File::open(path).map_err(|error| Failure::io(context(), error))?;
    file.seek(SeekFrom::Start(base)).map_err(|error| Failure::io(context(), error))?;
    let mut head = Vec::new();
    file.take(64).read_to_end(&mut head).map_err(|error| Failure::io(context(), error))?;
    Ok(head)
}

/// What bytes begin like. A damaged signature counts as native, so that the damage is named.
fn content(head: &[u8]) -> Content {
    let native = head.first() == Some(&0x8d)
        || head.starts_with(&[0x0d, b'<', b'B', b'D'])
        || head.starts_with(&[0x0d, b'>', b'B', b'D'])
        || dudley::signature::is_native(head);
    let foreign = [
        (&b"#ASDF "[..], "ASDF"),
        (b"%FINF ", "FINF"),
        (b"\x9d\xa8b2frame\0", "Blosc2"),
        (b"\x9e\xa8b2frame\0", "Blosc2"),
    ];
    match foreign.iter().find(|(start, _)| head.starts_with(start)) {
        Some((_, kind)) => Content::Foreign(kind),
        None if native => Content::Native,
        None => Content::Text,
    }
}
