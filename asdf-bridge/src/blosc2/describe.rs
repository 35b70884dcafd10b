//! The layout of a frame: with it the engine opens the frame in place.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::ops::Range;

use dudley::typed::Schema;

use super::bare_chunk::{chunk_length, lone_chunk};
use super::chunk::Special;
use super::error::{Error, Part, Result};
use super::frame::{Frame, Generation, Place};
use super::layouts::{header, header_2020, trailer, trailer_2020};

impl Frame {
    /// The text of a layout of the frame as it is stored: header, metalayers, chunks (filtered by
    /// `blosc_chunk`), index, trailer. Addresses are from the start of the frame. That of a sparse frame is
    /// the layout of the file of its index, `chunks.b2frame`; what its other files are stands in comments.
    ///
    /// # Errors
    /// If something is wrong with the index or the header of a chunk.
    pub fn describe(&self) -> Result<String> {
        let mut text = String::from(">\n## A Blosc2 frame.\n");
        for primitive in ["i2", "u2", "i4", "u4", "i8", "u8"] {
            let _ = writeln!(text, "{primitive} {{\"\" = {primitive}}} %1");
        }
        let (header, trailer) = match self.generation() {
            Generation::Today => (header::Layout::known().text(), trailer::Layout::known().text()),
            Generation::Of2020 => {
                (header_2020::Layout::known().text(), trailer_2020::Layout::known().text())
            }
        };
        text += "\n";
        text += &body(header);
        text += "\n";
        // The frame may be followed by something else, so its length is not that of the stream.
        for line in body(trailer).lines() {
            let _ = if line.starts_with("FRAME : ") {
                writeln!(text, "FRAME : {}  ## (bytes) of the frame", self.frame_len())
            } else {
                writeln!(text, "{line}")
            };
        }
        if let Err(why @ Error::Elsewhere { .. }) = self.check_values() {
            // No new lines are in what a metalayer says here.
            let _ = writeln!(text, "\n# {}", printed(&why.to_string()));
        }
        self.describe_metalayers(&mut text)?;
        self.describe_chunks(&mut text)?;
        Ok(text)
    }

    fn describe_metalayers(&self, text: &mut String) -> Result<()> {
        for (name, _, range) in named(self.metalayers()) {
            let size = range.end - range.start;
            let _ = writeln!(text, "/meta/{name} = u1[{size}] @{}", range.start);
        }
        for (name, _, range) in named(self.vl_metalayers()) {
            let (stored, nbytes) = self.stored_chunk(range, Part::VlMetalayer)?;
            let _ = writeln!(
                text,
                "/vlmeta/{name} = u1[{nbytes}] -> blosc_chunk[{stored}] @{}",
                range.start
            );
        }
        if let Some(range) = self.usermeta_range() {
            let (stored, nbytes) = self.stored_chunk(range, Part::UserMeta)?;
            let _ = writeln!(
                text,
                "/decoded/usermeta = u1[{nbytes}] -> blosc_chunk[{stored}] @{}",
                range.start
            );
        }
        Ok(())
    }

    fn describe_chunks(&self, text: &mut String) -> Result<()> {
        let count = self.chunk_count();
        if count == 0 {
            return Ok(());
        }
        let (place, width, stored) = self.index_chunk()?;
        match width {
            8 => {
                let _ = writeln!(text, "/offsets = <u8[{count}] -> blosc_chunk[{stored}] @{place}");
            }
            width => {
                let _ = writeln!(
                    text,
                    "/offsets = u1[{count}, {width}] -> blosc_chunk[{stored}] @{place}"
                );
            }
        }
        if self.is_sparse() {
            return self.describe_files(text);
        }
        let mut list = List { text, lines: 0, last: None, more: 0 };
        for number in 0..count {
            let chunk = self.chunk(number)?;
            let nbytes = chunk.nbytes();
            match self.place(number)? {
                Place::Stored(_) => {
                    let address = self.chunk_address(number)?.unwrap_or(0);
                    let stored = chunk.cbytes();
                    let context =
                        if chunk.needs_frame() { self.context_arguments() } else { String::new() };
                    list.item(format!(
                        "u1[{nbytes}] -> blosc_chunk{context} [{stored}] @{address}"
                    ));
                }
                // Nothing of it is stored, and what is elsewhere is no value.
                Place::Special(_) if self.check_held(number, &chunk, 0..1).is_err() => {
                    list.item("u1[0]".to_owned());
                }
                Place::Special(special) => {
                    let value = match special {
                        Special::Nan => format!("\"nan\", {}", self.typesize()),
                        Special::Uninit => "\"uninit\"".to_owned(),
                        Special::Zeros | Special::Value => "\"zeros\"".to_owned(),
                    };
                    list.item(format!("u1[{nbytes}] -> blosc_chunk({value}) [0]"));
                }
            }
        }
        list.finish();
        Ok(())
    }
}

/// A layout of a file that is one chunk, of its decoded bytes as `/data`; `None` if it is something else, or [some of
/// it](chunk_length) is missing. What follows it is no part of it. `head` are its first 64 bytes, or all.
///
/// ```
/// use asdf_bridge::blosc2::{Encoding, describe_chunk};
///
/// let stored = Encoding::new(8).chunk(&[7; 8000])?;
/// let layout = describe_chunk(&stored, stored.len() as u64).expect("a chunk");
/// assert!(layout.contains("data = u1[8000] -> blosc_chunk"));
/// assert!(describe_chunk(&stored, 7).is_none());
/// # Ok::<(), asdf_bridge::blosc2::Error>(())
/// ```
pub fn describe_chunk(head: &[u8], length: u64) -> Option<String> {
    let length = chunk_length(head, length).filter(|it| *it <= length)?;
    let (nbytes, how) = lone_chunk(head, length)?;
    Some(format!(
        "## A chunk of Blosc2.\ndata = u1[{nbytes}] -> blosc_chunk [{length}]  ## {how}\n"
    ))
}

/// Items of a list between two of its brackets: one item of a layout must not be too long.
const LISTED: usize = if cfg!(test) { 3 } else { 10_000 };

/// The list of chunks while it is written.
struct List<'t> {
    text: &'t mut String,
    /// How many items are between the brackets that are open, if any.
    lines: usize,
    /// The item before, and how many more there are of it.
    last: Option<String>,
    more: u64,
}

impl List<'_> {
    fn item(&mut self, item: String) {
        if self.last.as_ref() == Some(&item) {
            self.more += 1;
            return;
        }
        self.close(self.more > 0 || self.lines == LISTED);
        if self.lines == 0 {
            self.text.push_str("/chunks [\n");
        }
        let _ = writeln!(self.text, "  {item},");
        self.lines += 1;
        self.last = Some(item);
    }

    /// Ends the brackets if that is to be, and writes how often the last item is repeated.
    fn close(&mut self, ends: bool) {
        if ends && self.lines > 0 {
            self.text.push_str("]\n");
            self.lines = 0;
        }
        let more = std::mem::take(&mut self.more);
        if more > 0 {
            let _ = writeln!(self.text, "/chunks [{more}]");
        }
    }

    fn finish(mut self) {
        self.close(true);
    }
}

impl Frame {
    /// The files of a sparse frame, each of which is a chunk.
    fn describe_files(&self, text: &mut String) -> Result<()> {
        text.push_str("\n# Each chunk is a file of the folder; with this layout it is read as a raw stream.\n");
        for number in 0..self.chunk_count() {
            let chunk = self.chunk(number)?;
            let nbytes = chunk.nbytes();
            let _ = match self.place(number)? {
                Place::Stored(file) => {
                    let stored = chunk.cbytes();
                    let context =
                        if chunk.needs_frame() { self.context_arguments() } else { String::new() };
                    let of = format!("u1[{nbytes}] -> blosc_chunk{context} [{stored}]");
                    writeln!(text, "#   {number}: {file:08X}.chunk  data = {of}")
                }
                Place::Special(special) => {
                    let special = format!("{special:?}").to_lowercase();
                    writeln!(text, "#   {number}: none: {nbytes} bytes of {special}")
                }
            };
        }
        Ok(())
    }

    /// Facts about a chunk that only the frame contains.
    fn context_arguments(&self) -> String {
        let context = self.context();
        let sizes = std::iter::once(self.typesize()).chain(context.blockshape.iter().copied());
        format!("({})", sizes.map(|size| size.to_string()).collect::<Vec<_>>().join(", "))
    }
}

/// The items of one of the layouts of the format, without what stands once before all.
fn body(layout: &str) -> String {
    let redefined = |line: &str| line.contains("{\"\" = ");
    let lines = layout
        .lines()
        .skip_while(|line| line.is_empty() || line.starts_with(['>', '#']) || redefined(line));
    lines.fold(String::new(), |text, line| text + line + "\n")
}

/// A text for one line of a comment.
fn printed(text: &str) -> String {
    text.chars().map(|char| if char.is_control() { '\u{fffd}' } else { char }).collect()
}

/// Metalayers, with the name that the item of each has in a layout, in quotes. Names differ there: one that another has
/// is followed by a number.
pub(super) fn named(
    layers: &[(String, Range<u64>)],
) -> impl Iterator<Item = (String, &str, &Range<u64>)> {
    let mut names: HashSet<String> = layers.iter().map(|(name, _)| name.clone()).collect();
    let (mut own, mut numbers) = (HashSet::new(), HashMap::<String, u64>::new());
    layers.iter().map(move |(name, range)| {
        // A name ends before a NUL.
        if own.insert(name.as_str()) {
            return (quoted(name), name.as_str(), range);
        }
        let plain = if name.is_empty() { "_" } else { name.as_str() };
        let mut other = plain.to_owned();
        while !names.insert(other.clone()) {
            let number = numbers.entry(plain.to_owned()).or_insert(1);
            *number += 1;
            other = format!("{plain}_{number}");
        }
        (quoted(&other), name.as_str(), range)
    })
}

/// A text as layouts can have it.
pub(super) fn without_nul(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

/// A text in the quotes of the layout language.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for char in text.chars() {
        match char {
            '"' | '\\' => quoted.extend(['\\', char]),
            '\0' => quoted.push('\u{fffd}'),
            char if char.is_control() => {
                let _ = write!(quoted, "\\u{{{:x}}}", u32::from(char));
            }
            char => quoted.push(char),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use crate::blosc2::{Codec, Encoding, Frame, NewFrame, Special};

    #[test]
    fn what_follows_a_frame_is_no_part_of_it() {
        let mut writer = NewFrame::new(Encoding::new(1)).vlmeta("a", &[1]).memory().expect("begun");
        writer.write(&[7; 100]).expect("written");
        let mut bytes = writer.finish_bytes().expect("complete");
        let length = bytes.len() as u64;
        bytes.extend([0xa5; 100]);
        let frame = Frame::from_source(bytes.clone()).expect("a frame");
        let text = frame.describe().expect("described");
        let open = dudley::Open::new().layout_text(&text).expect("a layout").raw();
        let stream = open.bytes(bytes).expect("a stream");
        let trailer = stream.get("/trailer").and_then(|item| item.data()).expect("placed");
        assert_eq!(trailer.address(), frame.index_range().end);
        let end = stream.get("/fingerprint").and_then(|item| item.data()).expect("placed");
        assert_eq!(end.address() + end.bytes(), length);
    }

    #[test]
    fn long_lists_and_repeated_values() {
        let encoding = Encoding::new(1).codec(Codec::Lz4);
        let mut writer = NewFrame::new(encoding).chunksize(50).memory().expect("begun");
        let parts: Vec<Vec<u8>> =
            (0..7_u8).map(|i| (0..50).map(|j| i ^ (j * 3)).collect()).collect();
        writer.write(&parts.concat()).expect("written");
        writer.write_special(Special::Zeros, 5000).expect("written");
        writer.write(&parts[1]).expect("written");
        writer.write_special(Special::Uninit, 120).expect("written");
        let bytes = writer.finish_bytes().expect("complete");
        let frame = Frame::from_source(bytes.clone()).expect("a frame");
        let text = frame.describe().expect("described");
        assert!(text.contains("\n/chunks [99]\n") && text.len() < 6000, "{text}");
        let mut filters = dudley::filter::Registry::with_builtins();
        crate::blosc2::register(&mut filters);
        let open = dudley::Open::new().layout_text(&text).expect("a layout").raw();
        let stream = open.filters(filters).bytes(bytes).expect("a stream");
        let mut found = Vec::new();
        for number in 0..frame.chunk_count() {
            let item = stream.get(&format!("/chunks/{number}")).expect("listed");
            found.extend(item.read::<u8>().expect("decoded"));
        }
        assert_eq!((found.len(), found), (frame.nbytes() as usize, frame.read().expect("read")));
    }
}
