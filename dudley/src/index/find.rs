//! An index that is there: is it of this layout, and where does a path lead?

use std::path::Path;
use std::sync::Arc;

use dudley_parser::layout::path::{push_name, push_param};
use dudley_parser::place::LIMIT;

use super::build::tables;
use super::checked::{BLOCK, Checked};
use super::encode::ends_check_in;
use super::extents::{LONGEST, check_of, compare};
use super::format::{
    ALIGN, Entry, Extent, FOOTER, Footer, Head, MAGIC, PARSED, UNGUARDED, VERSION, bucket_of,
    hash_of,
};
use super::guards::Guards;
use super::table::Table;
use super::{Fault, fault};
use crate::bytes::source::{FileSource, Source, Window};
use crate::error::{Error, Item, Result};
use crate::read::item::ItemKind;
use crate::read::path::{self, Part};
use crate::read::stream::guard::Constants;
use crate::read::stream::{Bytes, Open, Stream, parse_layout};

/// The index of a stream, which matches its layout as far as a few blocks tell.
#[derive(Clone)]
pub struct Index {
    inner: Arc<Inner>,
}

type Blocks = Checked<Window<Arc<dyn Source>>, Window<Arc<dyn Source>>>;

struct Inner {
    bytes: Bytes,
    /// The index, each block of it compared with its checksum when it is read.
    blocks: Arc<Blocks>,
    /// The text of the layout likewise.
    text: Checked<Window<Arc<dyn Source>>, Arc<Blocks>>,
    /// Where it begins in the file, in bytes.
    address: u64,
    /// CRC-32C of all of the text.
    text_check: u32,
    buckets: Table,
    entries: Table,
    heads: Table,
    places: Table,
    head_text: Table,
    extents: Table,
    guards: Guards,
}

impl Index {
    /// The index at the end of a file; `None` if there is none.
    ///
    /// # Errors
    /// [`Error::Index`] and [`Error::Checksum`] if it is damaged or belongs to another layout; the
    /// errors of reading the signature.
    pub fn of_file(path: impl AsRef<Path>) -> Result<Option<Index>> {
        Index::of_source(FileSource::open(path)?)
    }

    /// As [`Self::of_file`], from anywhere.
    ///
    /// # Errors
    /// As [`Self::of_file`].
    pub fn of_source(source: impl Source + 'static) -> Result<Option<Index>> {
        Index::of(&Open::new().native().bytes_of(source)?)
    }

    /// The index of a stream that was opened with all of its layout.
    ///
    /// # Errors
    /// As [`Self::of_file`].
    pub fn of_stream(stream: &Stream) -> Result<Option<Index>> {
        Index::of(&stream.bytes())
    }

    /// The index at the end of a native stream; `None` if there is none.
    ///
    /// # Errors
    /// [`Error::Index`] and [`Error::Checksum`] if it is damaged or of another layout.
    pub(crate) fn of(bytes: &Bytes) -> Result<Option<Index>> {
        let layout = bytes.signature.and_then(|signature| signature.layout_address);
        let (Some(layout), Some(footer)) = (layout, Footer::read(&*bytes.whole)?) else {
            return Ok(None);
        };
        let address = bytes.whole.len() - footer.length;
        let window = Window::new(bytes.whole.clone(), address, footer.length)?;
        let blocks = Arc::new(Checked::new(window.clone(), footer.body, window, footer.body));
        let parsed = PARSED.clone().ok_or(Error::NoLayout)?;
        let stream = Open::new().layout(parsed).raw().source(blocks.clone())?;
        let index = Index::within(bytes, layout, address, blocks, &stream);
        index.map(Some).map_err(|error| of_file(error, address))
    }

    /// The index in a stream of its own.
    fn within(
        bytes: &Bytes,
        layout: u64,
        address: u64,
        blocks: Arc<Blocks>,
        stream: &Stream,
    ) -> Result<Index> {
        check_head(stream, address)?;
        let stale = |expected: String, found: String| fault(Fault::Stale, address, expected, found);
        let of: u64 = stream.get("/layout")?.scalar()?;
        let length: u64 = stream.get("/text_bytes")?.scalar()?;
        if of != layout {
            let expected = format!("one of the layout at address {layout}");
            return Err(stale(expected, format!("one of a layout at {of}")));
        }
        let end = layout.checked_add(length).and_then(|end| end.checked_next_multiple_of(ALIGN));
        if end != Some(address) {
            let expected = format!("one of a layout of {} bytes at most", address - layout);
            return Err(stale(expected, format!("one of a layout of {length}")));
        }
        let ends: u32 = stream.get("/ends_check")?.scalar()?;
        let found = ends_check_in(&*bytes.whole, layout, length)?;
        if found != ends {
            let expected = format!("one of a layout with the checksum {found:08x} of its ends");
            return Err(fault(Fault::Layout, address, expected, format!("{ends:08x}")));
        }
        let text_checks = Table::of(stream, "/text_checks")?;
        let window = Window::new(bytes.whole.clone(), layout, length)?;
        let text = Checked::new(window, length, blocks.clone(), text_checks.address_of::<u32>(0));
        let inner = Inner {
            bytes: bytes.clone(),
            text,
            address,
            text_check: stream.get("/text_check")?.scalar()?,
            buckets: Table::of(stream, "/buckets")?,
            entries: Table::of(stream, "/entries")?,
            heads: Table::of(stream, "/heads")?,
            places: Table::of(stream, "/places")?,
            head_text: Table::of(stream, "/head_text")?,
            extents: Table::of(stream, "/extents")?,
            guards: Guards::new(Table::of(stream, "/guards")?),
            blocks,
        };
        Ok(Index { inner: Arc::new(inner) })
    }

    /// Its address in the file, in bytes.
    pub fn address(&self) -> u64 {
        self.inner.address
    }

    /// Its length in bytes.
    pub fn bytes(&self) -> u64 {
        self.inner.blocks.len()
    }

    /// The number of items that it leads to.
    pub fn items(&self) -> u64 {
        self.inner.entries.rows
    }

    /// The number of checksums of parts of the data; 0 if it was made without them.
    pub fn checksums(&self) -> u64 {
        self.inner.extents.rows
    }

    /// A stream that has the item of a path; `None` if the index does not lead to it, or cannot be
    /// trusted there.
    pub(super) fn find(&self, path: &str) -> Option<Stream> {
        let parts = path::parse(path).ok()?;
        let named =
            parts.iter().take_while(|part| matches!(part, Part::Name { .. } | Part::Param(..)));
        // The whole path first: an item within a list or record needs a shorter one.
        (1..=named.count()).rev().find_map(|count| {
            let path = canonical(parts.get(..count)?)?;
            self.entries_of(&path).ok()?.iter().find_map(|entry| {
                let stream = self.excerpt(entry).ok()??;
                leads_to(&stream, &path).then_some(stream)
            })
        })
    }

    /// The entries that have the hash of a path.
    fn entries_of(&self, path: &str) -> Result<Vec<Entry>> {
        let inner = &*self.inner;
        let hash = hash_of(path);
        let Some(parts) = inner.buckets.rows.checked_sub(1) else { return Ok(Vec::new()) };
        let bounds = inner.buckets.read::<u32>(&inner.blocks, bucket_of(hash, parts), 2)?;
        let [first, end] = bounds[..] else { return Ok(Vec::new()) };
        let count = u64::from(end.saturating_sub(first));
        let mut entries = inner.entries.read::<Entry>(&inner.blocks, first.into(), count)?;
        entries.retain(|entry| entry.hash == hash);
        Ok(entries)
    }

    /// The stream of the excerpt that an entry leads to; `None` if what its addresses depend on is no
    /// longer what it was.
    fn excerpt(&self, entry: &Entry) -> Result<Option<Stream>> {
        let inner = &*self.inner;
        let data = &*inner.bytes.source;
        if entry.head & UNGUARDED == 0 && !inner.guards.hold(&inner.blocks, data, entry.at)? {
            return Ok(None);
        }
        let heads = inner.heads.read::<Head>(&inner.blocks, (entry.head & !UNGUARDED).into(), 2)?;
        let [head, next] = heads[..] else { return Ok(None) };
        let count = |from: u32, to: u32| u64::from(to.saturating_sub(from));
        let mut text: Vec<u8> =
            inner.head_text.read(&inner.blocks, head.text.into(), count(head.text, next.text))?;
        let mut places: Vec<u64> =
            inner.places.read(&inner.blocks, head.place.into(), count(head.place, next.place))?;
        places.push(entry.address);
        if places.iter().any(|address| *address > LIMIT) {
            return Ok(None);
        }
        let (at, length) = (entry.at.into(), entry.length.into());
        text.extend(crate::read::stream::read_bytes(&inner.text, at, length)?);
        let layout = parse_layout(&text)?;
        let mut given = inner.bytes.given();
        let steps = layout.root().iter().enumerate().filter(|(_, step)| layout.takes_place(**step));
        given.cursors = steps.map(|(at, _)| at).zip(places).collect();
        inner.bytes.stream(Arc::new(layout), None, given).map(Some)
    }

    /// Checks that all of it is intact, of all of the layout, and leads to where that says: every block is read.
    ///
    /// # Errors
    /// [`Error::Checksum`], [`Error::Index`].
    pub fn verify(&self) -> Result<()> {
        self.verified().map(drop)
    }

    /// As [`Self::verify`]; gives the parts of the data that have checksums.
    ///
    /// # Errors
    /// As [`Self::verify`].
    pub(super) fn verified(&self) -> Result<Vec<Extent>> {
        let inner = &*self.inner;
        // What is looked at anyway first: then each block is read once.
        let extents = self.extents();
        let hold = inner.guards.hold(&inner.blocks, &*inner.bytes.source, u32::MAX);
        let blocks = inner.blocks.verify().and_then(|()| self.check_padding());
        blocks.map_err(|error| of_file(error, inner.address))?;
        let extents = extents?;
        let found = check_of(&inner.text.inner, 0, inner.text.body)?;
        if found != inner.text_check {
            let expected = format!("one of a layout with the checksum {found:08x}");
            let stored = format!("{:08x}", inner.text_check);
            return Err(fault(Fault::Layout, inner.address, expected, stored));
        }
        if !hold? {
            let expected = format!("the {} values that addresses depend on", inner.guards.len());
            return Err(fault(Fault::Stale, inner.address, expected, "others in the stream"));
        }
        self.check_tables()?;
        Ok(extents)
    }

    /// Checks that it leads to where the layout says: its checksums say only that it is as somebody wrote it.
    fn check_tables(&self) -> Result<()> {
        let inner = &*self.inner;
        let text = crate::read::stream::read_bytes(&inner.text.inner, 0, inner.text.body)?;
        let layout = Arc::new(parse_layout(&text)?);
        // A constant that is not in the stream is for others to report.
        let mut bytes = inner.bytes.clone();
        bytes.constants = Constants::WhenRead;
        let stream = bytes.stream(layout, None, bytes.given())?;
        let anew = tables(&stream, Vec::new())?;
        let blocks = &*inner.blocks;
        let compared = [
            ("buckets", inner.buckets.holds(blocks, &anew.buckets)?),
            ("entries", inner.entries.holds(blocks, &anew.entries)?),
            ("heads", inner.heads.holds(blocks, &anew.heads)?),
            ("places", inner.places.holds(blocks, &anew.places)?),
            ("head_text", inner.head_text.holds(blocks, anew.head_text.as_bytes())?),
            ("guards", inner.guards.table.holds(blocks, &anew.guards)?),
        ];
        match compared.iter().find(|(_, holds)| !holds) {
            None => Ok(()),
            Some((name, _)) => {
                let expected = "the index that is made of this layout and this stream";
                let found = format!("other `{name}`, so that it leads elsewhere");
                Err(fault(Fault::Damaged, inner.address, expected, found))
            }
        }
    }

    /// Between the checks and the footer there is nothing, but perhaps a few zeros.
    fn check_padding(&self) -> Result<()> {
        let blocks = &self.inner.blocks;
        let checked = blocks.body + 4 * blocks.body.div_ceil(BLOCK);
        let length = blocks.len().saturating_sub(FOOTER).saturating_sub(checked);
        let padding = crate::read::stream::read_bytes(&**blocks, checked, length.min(BLOCK))?;
        if padding.iter().any(|byte| *byte != 0) || length >= 8 {
            Err(fault(
                Fault::Damaged,
                self.address() + checked,
                "zeros up to the footer",
                "other bytes",
            ))
        } else {
            Ok(())
        }
    }

    /// Compares the data with the checksums, on as many threads as the machine has to offer.
    ///
    /// # Errors
    /// If the index cannot be read. Faults of the data go to `found` in the order of the items, as
    /// [`Error::Checksum`] or errors of reading; `done` receives the number of compared bytes.
    pub fn verify_data(&self, mut found: impl FnMut(Error), done: impl FnMut(u64)) -> Result<()> {
        let source = &*self.inner.bytes.source;
        compare(&self.extents()?, source, |_, error| found(error), done);
        Ok(())
    }

    /// The parts of the data that have checksums.
    fn extents(&self) -> Result<Vec<Extent>> {
        let inner = &*self.inner;
        let extents = inner.extents.read::<Extent>(&inner.blocks, 0, inner.extents.rows);
        let extents = extents.map_err(|error| of_file(error, inner.address))?;
        if let Some(at) = extents.iter().position(|it| u64::from(it.length) > LONGEST) {
            let address = inner.extents.address_of::<Extent>(at as u64);
            let expected = format!("an extent of {LONGEST} bytes at most");
            let length = extents[at].length.to_string();
            let address = address.saturating_add(inner.address);
            return Err(fault(Fault::Damaged, address, expected, length));
        }
        Ok(extents)
    }
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Index")
            .field("address", &self.address())
            .field("items", &self.items())
            .finish_non_exhaustive()
    }
}

/// An error about a part of an index, as one about the file that it is in.
fn of_file(error: Error, address: u64) -> Error {
    match error {
        // That it was met on the way to some part of the index is of no interest.
        Error::Checksum { address: at, length, expected, found, .. } => {
            let address = at.saturating_add(address);
            Error::Checksum { item: Item::UNKNOWN, address, length, expected, found }
        }
        // This one says where in the file already.
        error @ Error::Index { .. } => error,
        error => error.map_address(|at| at.saturating_add(address)),
    }
}

/// Checks that an index begins like one of ours.
pub(super) fn check_head(stream: &Stream, address: u64) -> Result<()> {
    let magic = stream.get("/magic")?.read::<u8>()?;
    if magic.as_slice() != Some(&MAGIC[..]) {
        let (expected, found) = (format!("{MAGIC:02x?}"), format!("{:02x?}", magic.as_slice()));
        return Err(fault(Fault::Damaged, address, expected, found));
    }
    let version: u32 = stream.get("/version")?.scalar()?;
    if version != VERSION {
        let (expected, found) = (format!("version {VERSION}"), version.to_string());
        return Err(fault(Fault::Version, address, expected, found));
    }
    Ok(())
}

/// A path as entries have it.
fn canonical(parts: &[Part]) -> Option<String> {
    let mut path = String::new();
    for part in parts {
        path.push('/');
        match part {
            Part::Name { text, .. } => push_name(&mut path, text),
            Part::Param(name, ordinal) => {
                path.push(':');
                push_param(&mut path, name, *ordinal);
            }
            Part::Field(_) | Part::Slice(_) => return None,
        }
    }
    Some(path)
}

/// Whether a stream has the item of a path. Where it cannot be placed, all of the layout has more to
/// say.
fn leads_to(stream: &Stream, path: &str) -> bool {
    stream.get(path).is_ok_and(|item| match item.kind() {
        ItemKind::Data => item.data().is_ok(),
        ItemKind::Param => item.value().is_ok(),
        ItemKind::List | ItemKind::Dict => true,
    })
}
