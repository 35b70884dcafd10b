//! A frame as a stream of decoded items: `/data`, `/meta/NAME`, `/vlmeta/NAME`, `/usermeta`.

use std::fmt::Write;
use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

use dudley::bytes::Source;
use dudley::{Open, Stream};

use super::describe::named;
use super::error::{Error, Part, Result};
use super::frame::Frame;
use super::ndarray::NdArray;
use super::windows::{Windowed, Windows};

/// Data of at most this many bytes are decoded when they are first read, and kept.
const WHOLE: u64 = 32 << 20;

/// Something that is decoded when it is read.
enum What {
    Array(Box<NdArray>),
    Chunks,
    Meta(String),
    VlMeta(String),
    UserMeta,
}

/// A part of the stream.
struct Section {
    range: Range<u64>,
    what: What,
    decoded: OnceLock<Vec<u8>>,
    /// Held by the code that decodes it, so that no other one does the same.
    decodes: Mutex<()>,
    /// Of larger data, what was decoded last.
    windows: Windows,
}

/// The decoded parts of a frame, one after the other.
struct Decoded {
    frame: Frame,
    sections: Vec<Section>,
    len: u64,
}

impl Frame {
    /// The frame as a stream of what is in it, decoded: `/data`, the elements of its array or the bytes
    /// of its chunks; `/meta/NAME` and `/vlmeta/NAME`, its metalayers; `/usermeta`. Addresses mean
    /// nothing. Each of these is decoded when it is first read, and then kept; of data of more than 32 MiB the
    /// chunks that are read, and the last ones are kept: an eighth of the data, 32 to 256 MiB, twice. For
    /// slices of large arrays see [`NdArray::data`].
    ///
    /// # Errors
    /// If something is wrong with the metalayer of its array, or the header of a chunk of metadata.
    pub fn stream(&self) -> Result<Stream> {
        let mut sections = Sections::default();
        match self.array()? {
            Some(array) => {
                let shape = array.shape();
                let bytes = shape.iter().product::<u64>() * self.typesize() as u64;
                let declared = array.declared(shape);
                let attribute = array.attribute();
                sections.add("data", &declared, &attribute, bytes, What::Array(Box::new(array)));
            }
            None => sections.bytes("data", self.nbytes(), What::Chunks),
        }
        for (item, name, range) in named(self.metalayers()) {
            let what = What::Meta(name.to_owned());
            sections.bytes(&format!("/meta/{item}"), range.end - range.start, what);
        }
        for (item, name, range) in named(self.vl_metalayers()) {
            let (_, nbytes) = self.stored_chunk(range, Part::VlMetalayer)?;
            let what = What::VlMeta(name.to_owned());
            sections.bytes(&format!("/vlmeta/{item}"), nbytes, what);
        }
        if let Some(range) = self.usermeta_range() {
            let (_, nbytes) = self.stored_chunk(range, Part::UserMeta)?;
            sections.bytes("/usermeta", nbytes, What::UserMeta);
        }
        let Sections { text, sections, end } = sections;
        let engine = Error::engine(Part::Header);
        let open = Open::new().layout_text(&text).map_err(&engine)?.raw();
        open.source(Decoded { frame: self.clone(), sections, len: end }).map_err(&engine)
    }
}

/// The layout and the parts while they are collected.
#[derive(Default)]
struct Sections {
    text: String,
    sections: Vec<Section>,
    end: u64,
}

impl Sections {
    fn bytes(&mut self, path: &str, len: u64, what: What) {
        self.add(path, &format!("u1[{len}]"), "", len, what);
    }

    fn add(&mut self, path: &str, declared: &str, attribute: &str, len: u64, what: What) {
        // What is behind the data are bytes, so nothing is aligned. No address is said, as in a stream that is
        // written of this they will be others.
        let _ = writeln!(self.text, "{path} = {declared}{attribute}");
        let range = self.end..self.end.saturating_add(len);
        self.end = range.end;
        let (decoded, decodes, windows) = (OnceLock::new(), Mutex::default(), Windows::default());
        self.sections.push(Section { range, what, decoded, decodes, windows });
    }
}

impl Decoded {
    /// What is decoded a window at a time; `None` for what is kept as a whole.
    fn windowed<'s>(&'s self, section: &'s Section) -> Option<&'s dyn Windowed> {
        self.of_data(section).filter(|_| section.range.end - section.range.start > WHOLE)
    }

    /// Of data what decodes any part; `None` for metalayers.
    fn of_data<'s>(&'s self, section: &'s Section) -> Option<&'s dyn Windowed> {
        match &section.what {
            What::Array(array) => Some(&**array),
            What::Chunks => Some(&self.frame),
            What::Meta(_) | What::VlMeta(_) | What::UserMeta => None,
        }
    }

    fn bytes<'s>(&self, section: &'s Section) -> dudley::Result<&'s [u8]> {
        if let Some(decoded) = section.decoded.get() {
            return Ok(decoded);
        }
        // It guards nothing that a panic could leave half done.
        let _one = section.decodes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(decoded) = section.decoded.get() {
            return Ok(decoded);
        }
        let decoded = match &section.what {
            What::Array(array) => array.bytes_of(&[]).map(|(_, bytes)| bytes),
            What::Chunks => self.frame.read(),
            What::Meta(name) => self.frame.meta(name),
            What::VlMeta(name) => self.frame.vlmeta(name),
            What::UserMeta => self.frame.usermeta().map(Option::unwrap_or_default),
        };
        let decoded = decoded?;
        Ok(section.decoded.get_or_init(|| decoded))
    }
}

impl Source for Decoded {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> dudley::Result<()> {
        dudley::bytes::check(self.len, address, buf.len() as u64)?;
        let wanted = address..address + buf.len() as u64;
        for section in &self.sections {
            let start = wanted.start.max(section.range.start);
            let end = wanted.end.min(section.range.end);
            if start >= end {
                continue;
            }
            let from = start - section.range.start;
            let to = (start - wanted.start) as usize;
            let buf = &mut buf[to..to + (end - start) as usize];
            match self.windowed(section) {
                Some(of) => {
                    let len = section.range.end - section.range.start;
                    section.windows.read(of, len, from, buf)?;
                }
                None => match self.bytes(section) {
                    Ok(bytes) => {
                        buf.copy_from_slice(dudley::bytes::slice(bytes, from, end - start)?);
                    }
                    // What is wrong may be elsewhere in it.
                    Err(why) => match self.of_data(section) {
                        Some(of) => of.read_exact(from, buf)?,
                        None => return Err(why),
                    },
                },
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use dudley::bytes::Counted;

    use crate::blosc2::{Encoding, Frame, NewFrame};

    #[test]
    fn several_threads_decode_once() {
        let raw: Vec<u8> = (0..1_u32 << 20).map(|at| (at.wrapping_mul(at) >> 7) as u8).collect();
        let mut writer = NewFrame::new(Encoding::new(1).level(0)).memory().expect("begun");
        writer.write(&raw).expect("written");
        let source = Arc::new(Counted::new(writer.finish_bytes().expect("complete")));
        let frame = Frame::from_source(Arc::clone(&source)).expect("a frame");
        let stream = frame.stream().expect("a stream");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let data = stream.get("/data").and_then(|item| item.read::<u8>());
                    assert!(data.expect("right").as_slice() == Some(&raw[..]));
                });
            }
        });
        assert!(source.bytes_read() < 2 * raw.len() as u64, "{}", source.bytes_read());
    }
}
