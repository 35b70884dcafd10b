//! `.npz` archives as they are written: entry by entry, without holding any.

use std::io::{BufWriter, Write};

use dudley::numpy::archive::{DEFLATED, ELSEWHERE, END, END_64, ENTRY, LOCAL, LOCATOR_64, STORED};
use flate2::{Compression, Crc, write::DeflateEncoder};

use crate::export::Appender;
use crate::failure::{Failure, Result};

/// The version that a reader of an entry needs: sizes of 64 bits.
const VERSION: u16 = 45;
/// The first day that a zip file knows: the same arrays give the same archive at all times.
const DAY: u16 = 1 << 5 | 1;
/// Names are UTF-8.
const UTF8: u16 = 1 << 11;

/// An archive that is being written.
pub(crate) struct Archive {
    file: Appender,
    /// The directory of the entries, which follows them.
    directory: Vec<u8>,
    count: u64,
    compress: bool,
}

struct Entry<'n> {
    name: &'n str,
    local: u64,
    crc: u32,
    raw: u64,
    stored: u64,
}

impl Archive {
    /// Into a file, its entries deflated or as they are.
    pub(crate) fn new(file: Appender, compress: bool) -> Archive {
        Archive { file, directory: Vec::new(), count: 0, compress }
    }

    /// Writes one more entry.
    ///
    /// # Errors
    /// If `fill` fails; if the archive cannot be written, or the name is too long.
    pub(crate) fn add(
        &mut self,
        name: &str,
        fill: &mut dyn FnMut(&mut dyn Write) -> Result<()>,
    ) -> Result<()> {
        if name.len() > usize::from(u16::MAX) {
            return Err(Failure::input("a path is too long for the name of a file"));
        }
        let local = self.file.len();
        let mut entry = Entry { name, local, crc: 0, raw: 0, stored: 0 };
        let write = |file: &mut Appender, bytes: &[u8]| {
            file.write_all(bytes).map_err(|error| Failure::io("write", "the archive", &error))
        };
        write(&mut self.file, &entry.local_header(self.compress))?;
        let begin = self.file.len();
        (entry.crc, entry.raw) = if self.compress {
            let mut out = Counted::new(DeflateEncoder::new(
                BufWriter::with_capacity(1 << 18, &mut self.file),
                Compression::default(),
            ));
            fill(&mut out)?;
            let found = (out.crc.sum(), out.count);
            let done = out.inner.finish().and_then(|mut buffer| buffer.flush());
            done.map_err(|error| Failure::io("write", "the archive", &error))?;
            found
        } else {
            let mut out = Counted::new(BufWriter::with_capacity(1 << 18, &mut self.file));
            fill(&mut out)?;
            let flushed = out.inner.flush();
            flushed.map_err(|error| Failure::io("write", "the archive", &error))?;
            (out.crc.sum(), out.count)
        };
        entry.stored = self.file.len() - begin;
        // Only now the sizes and the checksum are known.
        self.file.rewrite(local, &entry.local_header(self.compress))?;
        self.directory.extend(entry.directory_header(self.compress));
        self.count += 1;
        Ok(())
    }

    /// Writes the directory; the file appears.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn finish(mut self) -> Result<()> {
        let begin = self.file.len();
        let mut bytes = self.directory;
        let (count, size) = (self.count, bytes.len() as u64);
        if count >= u64::from(u16::MAX) || begin + size >= ELSEWHERE {
            bytes.extend(END_64);
            bytes.extend(44_u64.to_le_bytes());
            bytes.extend([VERSION, VERSION].map(u16::to_le_bytes).concat());
            bytes.extend([0; 8]);
            bytes.extend([count, count, size, begin].map(u64::to_le_bytes).concat());
            bytes.extend(LOCATOR_64);
            bytes.extend([0; 4]);
            bytes.extend((begin + size).to_le_bytes());
            bytes.extend(1_u32.to_le_bytes());
        }
        let short = count.min(u64::from(u16::MAX)) as u16;
        bytes.extend(END);
        bytes.extend([0; 4]);
        bytes.extend([short, short].map(u16::to_le_bytes).concat());
        bytes.extend(
            [size, begin].map(|number| (number.min(ELSEWHERE) as u32).to_le_bytes()).concat(),
        );
        bytes.extend([0; 2]);
        let written = self.file.write_all(&bytes);
        written.map_err(|error| Failure::io("write", "the archive", &error))?;
        self.file.finish()
    }
}

impl Entry<'_> {
    /// The header before its bytes: always with the fields of zip64, because the size is known only
    /// afterwards. numpy writes the same.
    fn local_header(&self, compress: bool) -> Vec<u8> {
        let mut bytes = LOCAL.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        self.push_common(compress, [ELSEWHERE; 2], 20, &mut bytes);
        bytes.extend(self.name.as_bytes());
        bytes.extend([1_u16, 16].map(u16::to_le_bytes).concat());
        bytes.extend([self.raw, self.stored].map(u64::to_le_bytes).concat());
        bytes
    }

    fn directory_header(&self, compress: bool) -> Vec<u8> {
        let all = [self.raw, self.stored, self.local];
        let large: Vec<u64> = all.into_iter().filter(|size| *size >= ELSEWHERE).collect();
        let extra = if large.is_empty() { 0 } else { 4 + 8 * large.len() as u16 };
        let mut bytes = ENTRY.to_vec();
        bytes.extend([VERSION, VERSION].map(u16::to_le_bytes).concat());
        self.push_common(compress, [self.stored, self.raw], extra, &mut bytes);
        // No comment, the first disk, no attributes.
        bytes.extend([0; 10]);
        bytes.extend((self.local.min(ELSEWHERE) as u32).to_le_bytes());
        bytes.extend(self.name.as_bytes());
        if extra > 0 {
            bytes.extend([1, extra - 4].map(u16::to_le_bytes).concat());
            bytes.extend(large.iter().flat_map(|size| size.to_le_bytes()));
        }
        bytes
    }

    /// The common part of both headers: flags, method, time, checksum, sizes, lengths.
    fn push_common(&self, compress: bool, sizes: [u64; 2], extra: u16, bytes: &mut Vec<u8>) {
        let flags = if self.name.is_ascii() { 0 } else { UTF8 };
        let method = if compress { DEFLATED as u16 } else { STORED as u16 };
        bytes.extend([flags, method, 0, DAY].map(u16::to_le_bytes).concat());
        bytes.extend(self.crc.to_le_bytes());
        bytes.extend(sizes.map(|size| (size.min(ELSEWHERE) as u32).to_le_bytes()).concat());
        bytes.extend([self.name.len() as u16, extra].map(u16::to_le_bytes).concat());
    }
}

/// Counts the written bytes and computes their checksum.
struct Counted<W> {
    inner: W,
    crc: Crc,
    count: u64,
}

impl<W> Counted<W> {
    fn new(inner: W) -> Counted<W> {
        Counted { inner, crc: Crc::new(), count: 0 }
    }
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.crc.update(&bytes[..count]);
        self.count += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.inner.flush()
    }
}
