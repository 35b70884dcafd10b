//! The newest state of a damaged stream that is complete.
//!
//! Where the address of the layout is lost or wrong, the text is looked for: it ends with a line of
//! dashes, it has no errors, and it describes data that ends where it begins, or before. A caller who has
//! the layout gets what that describes, as far as the bytes go.

use std::ops::Range;

use dudley_parser::layout::Layout;
use dudley_parser::resolve::{Given, Resolver, State};

use super::attached_length;
use crate::bytes::output::AtomicFile;
use crate::bytes::signature::{ByteOrder, LEN, Signature, candidates};
use crate::bytes::source::{Source, Window};
use crate::error::{Error, Result};
use crate::read::stream::{StreamValues, appended_text, parse_layout, read_bytes};
use crate::write::attached_text;

/// Bytes looked at at a time.
const BLOCK: u64 = 1 << 20;

/// The longest text that is looked for.
const LONGEST: u64 = 128 << 20;

/// Texts that are tried for one end.
const TRIES: u64 = 256;

/// This many of them whatever their length; more as long as they have no more bytes than [`TRIED`] together.
const FEW: u64 = 16;

/// Bytes of more texts for one end.
const TRIED: u64 = 2 << 20;

/// The newest complete state of a stream.
#[derive(Debug)]
pub struct Salvaged {
    /// The byte order of the signature.
    pub order: ByteOrder,
    /// The layout.
    pub layout: Layout,
    /// The range of its text, with its terminator and the line end; `None` if the caller gave the layout.
    pub text: Option<Range<u64>>,
    /// The end of the data that it describes, if known.
    pub end: u64,
    /// Where the data ends that is there: before `end` if the stream was cut off.
    pub there: u64,
    /// Whether the signature points to it: then only bytes behind it can be wrong.
    pub intact: bool,
}

/// Finds the newest complete state of a native stream, of which the layout address may be wrong, or the
/// end missing.
///
/// # Errors
/// [`Error::NothingToSalvage`]; [`Error::NotNative`]; [`Error::Signature`] where the first 8 bytes say
/// that all of the file was changed on its way, or do not tell the byte order; [`Error::Io`].
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
/// assert_eq!((found.layout.body(), found.text, found.end), ("x = i4[3]\n", Some(28..40), 28));
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn salvage(source: &dyn Source) -> Result<Salvaged> {
    with_signature(source, |signature| newest(source, signature))
}

/// The layout of a stream with this signature.
fn newest(source: &dyn Source, signature: Signature) -> Result<Salvaged> {
    let Signature { order, layout_address: pointed } = signature;
    let attempt = Attempt { source, order };
    if let Some(address) = pointed {
        let found = match appended_text(source, Some(signature)) {
            Err(Error::NoText { .. }) => None,
            text => attempt.at(address, &text?.unwrap_or_default()),
        };
        // Without its terminator a text may be the beginning of one: it must describe all there is.
        if let Some(found) = found.filter(|it| it.layout.has_terminator() || it.end == address) {
            return Ok(Salvaged { intact: true, ..found });
        }
    }
    attempt.search()
}

/// Salvages the part of a native stream that a given layout describes, if the attached layout is
/// damaged, cut off or missing.
///
/// # Errors
/// [`Error::NotNative`] and [`Error::Signature`], as [`salvage`]; [`Error::LayoutInData`] if the layout
/// describes more data than there is before the stream's own; [`Error::Resolve`] if its data cannot be
/// placed, though the stream is long enough; [`Error::Io`].
///
/// ```
/// use dudley::append::{salvage, salvage_with};
/// # use dudley::{Writer, parse_layout};
///
/// let layout = parse_layout(b"x = i4[3]")?;
/// let mut bytes = Writer::new(layout.clone()).put("/x", &[1, 2, 3]).attach(true).to_bytes()?;
/// bytes.truncate(31); // within the layout
/// assert!(salvage(&bytes).is_err());
/// assert!(salvage_with(&bytes, layout.clone())?.is_whole());
/// bytes.truncate(24); // within the data
/// let found = salvage_with(&bytes, layout)?;
/// assert_eq!((found.there, found.end, found.is_whole()), (24, 28, false));
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn salvage_with(source: &dyn Source, layout: Layout) -> Result<Salvaged> {
    with_signature(source, |signature| described(source, signature, layout.clone()))
}

/// The layout of a stream with this signature.
fn described(source: &dyn Source, signature: Signature, layout: Layout) -> Result<Salvaged> {
    let Signature { order, layout_address } = signature;
    let there = layout_address.unwrap_or(source.len());
    let data = Window::new(source, 0, there)?;
    let (known, end) = ends(&layout, &data, order);
    let end = match (end, layout_address) {
        (Ok(end), _) if end <= there => end,
        (_, Some(address)) if known > address => {
            return Err(Error::LayoutInData { address, end: known });
        }
        (end, None) if known > there => end.unwrap_or(known),
        (end, _) => end?,
    };
    Ok(Salvaged { order, layout, text: None, end, there: there.min(end), intact: false })
}

/// What comes of a stream with its signature. If one byte of that is wrong it is taken for what it was;
/// where both byte orders would do, the layout must say which it is.
fn with_signature(
    source: &dyn Source,
    salvage: impl Fn(Signature) -> Result<Salvaged>,
) -> Result<Salvaged> {
    let mut head = [0; LEN as usize];
    source.read_at(0, &mut head)?;
    let heads = match candidates(source)? {
        Some((_, heads)) => heads,
        None => vec![head],
    };
    let found = heads.iter().map(|head| salvage(signature(*head, source.len())?));
    let (found, failed): (Vec<_>, Vec<_>) = found.partition(Result::is_ok);
    // The address of the layout is in that order too.
    let mut found: Vec<Salvaged> = found.into_iter().flatten().collect();
    found.sort_by_key(|found| !found.intact);
    let mut found = found.into_iter();
    match (found.next(), found.next()) {
        (Some(one), None) => Ok(one),
        (Some(one), Some(other)) if one.intact && !other.intact => Ok(one),
        (Some(one), Some(_)) if one.layout.order().is_some() => Ok(one),
        (Some(_), Some(_)) => match Signature::detect(&head, source.len()) {
            Err(damage) => Err(damage.into()),
            Ok(_) => Err(Error::NotNative),
        },
        (None, _) => failed.into_iter().next().unwrap_or(Err(Error::NotNative)),
    }
}

/// The signature of a stream of this many bytes, without an address of a layout that cannot be one.
fn signature(mut head: [u8; LEN as usize], length: u64) -> Result<Signature> {
    let found = match Signature::detect(&head, length) {
        Ok(found) => found,
        Err(_) => {
            head[8..].fill(0);
            let bare = Signature::detect(&head, length);
            bare.map_err(Error::from)?
        }
    };
    found.ok_or(Error::NotNative)
}

/// Where the data of a layout ends: as far as that is known, and all of it.
fn ends(layout: &Layout, data: &dyn Source, order: ByteOrder) -> (u64, Result<u64>) {
    let values = StreamValues { source: data, order: layout.order().unwrap_or(order) };
    let given = Given { start: LEN, stream_bytes: Some(data.len()), ..Given::default() };
    let mut state = State::new();
    let mut resolver = Resolver::new(layout, &given, &values, &mut state);
    let end = resolver.data_end().map(|end| end.max(LEN)).map_err(Error::from);
    (resolver.known_end().max(LEN), end)
}

impl Salvaged {
    /// Whether all of the data is there that the layout describes.
    pub fn is_whole(&self) -> bool {
        self.there == self.end
    }

    /// Writes the stream anew: its data, and the layout behind it. If data is missing, the layout is not
    /// appended, because a layout cannot be within the data that it describes; then read the stream with
    /// a separate layout.
    ///
    /// # Errors
    /// [`Error::Exists`], [`Error::Io`].
    pub fn write(&self, source: &dyn Source, out: &mut AtomicFile) -> Result<()> {
        let mut at = 0;
        while at < self.there {
            let block = read_bytes(source, at, (self.there - at).min(BLOCK))?;
            out.write_at(at, &block)?;
            at += block.len() as u64;
        }
        if !self.is_whole() {
            out.extend_to(self.there)?;
            let bare = Signature { order: self.order, layout_address: None };
            return out.write_at(0, &bare.to_bytes());
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
            // A sparse file may be longer than can be read.
            if self.source.is_hole(from, until - from) {
                until = from;
                continue;
            }
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
        // Whether a text may begin there, whatever stands before.
        let (mut from, mut natural) = (0, true);
        let mut tried = 0;
        for at in 0..TRIES {
            tried += (text.len() - from) as u64;
            if at >= FEW && tried > TRIED {
                break;
            }
            *looked += 1;
            let address = begin + from as u64;
            let next = match self.at(address, &text[from..]) {
                // One that ends before has its own turn.
                Some(Salvaged { text: Some(found), .. }) if found.end < end => {
                    natural = true;
                    Some((found.end - address) as usize)
                }
                // The end of a damaged text may be one as well: that describes other data.
                Some(found) if natural || found.end == address => return Ok(Some(found)),
                // Bytes of data in front may look like text: they end before the first error, or there.
                _ => {
                    natural = false;
                    next_start(&text[from..])
                }
            };
            let Some(next) = next else { return Ok(None) };
            from += next;
        }
        Ok(None)
    }

    /// Where the run of bytes begins that could be text and ends with a terminator at an address, behind any other
    /// terminator: so all such runs together are no longer than the stream.
    fn text_begin(&self, end: u64) -> Result<u64> {
        let own = end - 2;
        let mut begin = own;
        while begin > LEN && end - begin < LONGEST {
            let from = begin.saturating_sub(4096).max(LEN);
            let length = (begin - from) as usize;
            // Two bytes more, for what lies across.
            let block = read_bytes(self.source, from, begin + 2 - from)?;
            let text = block[..length]
                .iter()
                .rev()
                .take_while(|byte| matches!(byte, b'\t'..=b'\r' | b' '..=b'~' | 0x80..));
            let start = length - text.count();
            let other = (start..=length)
                .rev()
                .find(|at| from + (*at as u64) < own && is_terminator(&block, *at));
            if let Some(other) = other {
                return Ok(from + other as u64 + 2);
            }
            begin = from + start as u64;
            if start > 0 {
                break;
            }
        }
        Ok(begin)
    }

    /// A layout, if there is one that describes what lies before it.
    fn at(&self, address: u64, text: &[u8]) -> Option<Salvaged> {
        let layout = parse_layout(text).ok()?;
        let data = Window::new(self.source, 0, address).ok()?;
        let end = ends(&layout, &data, self.order).1.ok()?;
        if layout.root().is_empty() || end > address {
            return None;
        }
        let length = attached_length(text, &layout) as u64;
        let text = Some(address..address + length);
        Some(Salvaged { order: self.order, layout, text, end, there: end, intact: false })
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
