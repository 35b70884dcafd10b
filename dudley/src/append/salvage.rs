//! The newest state of a damaged stream that is complete.
//!
//! Where the address of the layout is lost or wrong, the text is looked for: it ends with a line of
//! dashes, it has no errors, and it describes data that ends where it begins, or before.

use dudley_parser::layout::Layout;
use dudley_parser::resolve::{Given, Resolver, State};

use crate::error::{Error, Result};
use crate::output::AtomicFile;
use crate::signature::{ByteOrder, LEN, Signature};
use crate::source::{Source, Window};
use crate::stream::{StreamValues, parse_layout, read_bytes};
use crate::writer::attached_text;

/// Bytes looked at at a time.
const BLOCK: u64 = 1 << 20;

/// The longest text that is looked for.
const LONGEST: u64 = 128 << 20;

/// Texts that are tried for one end.
const TRIES: u64 = 256;

/// The newest complete state of a stream.
#[derive(Debug)]
pub struct Salvaged {
    /// The byte order of the signature.
    pub order: ByteOrder,
    /// The layout.
    pub layout: Layout,
    /// Where its text was found, in bytes.
    pub address: u64,
    /// Where the data ends that it describes.
    pub end: u64,
    /// The signature pointed to it: only what lies behind is wrong, if anything.
    pub intact: bool,
}

/// Finds the newest complete state of a native stream, of which the layout address may be wrong, or the
/// end missing.
///
/// # Errors
/// [`Error::NothingToSalvage`]; [`Error::NotNative`]; [`Error::Signature`] where the first 8 bytes say
/// that all of the file was changed on its way; [`Error::Io`].
///
/// ```
/// use dudley::append::salvage;
/// # use dudley::{Writer, parse_layout};
///
/// let mut bytes = Writer::new(parse_layout(b"x = i4[3]")?).put("/x", &[1, 2, 3]).attach(true).to_bytes()?;
/// bytes[8..16].fill(0xee);
/// assert!(dudley::Open::new().bytes(bytes.clone()).is_err());
///
/// let found = salvage(&bytes)?;
/// assert_eq!((found.layout.body(), found.address, found.end), ("x = i4[3]\n", 28, 28));
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn salvage(source: &dyn Source) -> Result<Salvaged> {
    let mut head = [0; LEN as usize];
    source.read_at(0, &mut head)?;
    let pointed = match Signature::detect(&head, source.len()) {
        Ok(signature) => signature.ok_or(Error::NotNative)?.layout_address,
        Err(_) => None,
    };
    head[8..].fill(0);
    let bare = Signature::detect(&head, source.len());
    let bare = bare.map_err(|damage| Error::Signature { damage })?;
    let order = bare.ok_or(Error::NotNative)?.order;
    let attempt = Attempt { source, order };
    if let Some(address) = pointed {
        let text = read_bytes(source, address, (source.len() - address).min(LONGEST))?;
        let found = attempt.at(address, &text);
        // Without its terminator a text may be the beginning of one: it must describe all there is.
        if let Some(found) = found.filter(|it| it.layout.has_terminator() || it.end == address) {
            return Ok(Salvaged { intact: true, ..found });
        }
    }
    attempt.search()
}

impl Salvaged {
    /// Writes the stream anew: its data, and the layout behind it.
    ///
    /// # Errors
    /// [`Error::Exists`], [`Error::Io`].
    pub fn write(&self, source: &dyn Source, out: &mut AtomicFile) -> Result<()> {
        let mut at = 0;
        while at < self.end {
            let block = read_bytes(source, at, (self.end - at).min(BLOCK))?;
            out.write_at(at, &block)?;
            at += block.len() as u64;
        }
        out.extend_to(self.end)?;
        out.write_at(self.end, &attached_text(&self.layout))?;
        let signature = Signature { order: self.order, layout_address: Some(self.end) };
        out.write_at(0, &signature.to_bytes())
    }
}

/// A stream in which a layout is looked for.
struct Attempt<'s> {
    source: &'s dyn Source,
    order: ByteOrder,
}

impl Attempt<'_> {
    /// From the end of the stream to its start, the first text that fits what lies before it. Of two
    /// that fit, as an interrupted extension leaves them, the one with more data.
    fn search(&self) -> Result<Salvaged> {
        let (mut looked, mut best): (u64, Option<Salvaged>) = (0, None);
        let mut until = self.source.len();
        while until > LEN {
            let from = until.saturating_sub(BLOCK).max(LEN);
            // Two bytes more, for what lies across.
            let block =
                read_bytes(self.source, from, (until - from + 2).min(self.source.len() - from))?;
            for at in (0..block.len()).rev() {
                if !is_terminator(&block, at) || from + at as u64 > until {
                    continue;
                }
                let found = self.ending_at(from + at as u64 + 2, &mut looked)?;
                if found.as_ref().map(|it| it.end) > best.as_ref().map(|it| it.end) {
                    best = found;
                }
            }
            until = from;
        }
        best.ok_or(Error::NothingToSalvage { looked })
    }

    /// The text that ends with a terminator at an address.
    fn ending_at(&self, end: u64, looked: &mut u64) -> Result<Option<Salvaged>> {
        let begin = self.text_begin(end)?;
        let text = read_bytes(self.source, begin, end - begin)?;
        let mut from = 0;
        for _ in 0..TRIES {
            *looked += 1;
            if let Some(found) = self.at(begin + from as u64, &text[from..]) {
                return Ok(Some(found));
            }
            // Bytes of data in front may look like text: they end before the first error, or just there.
            let Some(next) = next_start(&text[from..]) else { return Ok(None) };
            from += next;
        }
        Ok(None)
    }

    /// Where the run of bytes begins that could be text, up to an address.
    fn text_begin(&self, end: u64) -> Result<u64> {
        let mut begin = end;
        while begin > LEN && end - begin < LONGEST {
            let from = begin.saturating_sub(4096).max(LEN);
            let block = read_bytes(self.source, from, begin - from)?;
            let text = block
                .iter()
                .rev()
                .take_while(|byte| matches!(byte, b'\t'..=b'\r' | b' '..=b'~' | 0x80..));
            let length = text.count() as u64;
            begin -= length;
            if length < block.len() as u64 {
                break;
            }
        }
        Ok(begin)
    }

    /// A layout, if there is one that describes what lies before it.
    fn at(&self, address: u64, text: &[u8]) -> Option<Salvaged> {
        let layout = parse_layout(text).ok()?;
        let data = Window::new(self.source, 0, address).ok()?;
        let order = layout.order().unwrap_or(self.order);
        let values = StreamValues { source: &data, order };
        let given = Given { start: LEN, stream_bytes: Some(address), ..Given::default() };
        let mut state = State::new();
        let end = Resolver::new(&layout, &given, &values, &mut state).data_end().ok()?.max(LEN);
        let describes = !layout.root().is_empty() && end <= address;
        describes.then_some(Salvaged { order: self.order, layout, address, end, intact: false })
    }
}

/// Whether a line of one dash begins there: all layouts that are attached end with one.
fn is_terminator(block: &[u8], at: usize) -> bool {
    at > 0 && block[at] == b'-' && block[at - 1] == b'\n' && block.get(at + 1) == Some(&b'\n')
}

/// Where to try next, after a text that is no layout from its first byte on.
fn next_start(text: &[u8]) -> Option<usize> {
    let next = match std::str::from_utf8(text) {
        Err(error) => error.valid_up_to() + 1,
        Ok(text) => text.chars().next()?.len_utf8(),
    };
    (next < text.len()).then_some(next)
}
