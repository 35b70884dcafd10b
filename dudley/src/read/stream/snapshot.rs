//! A file as it was at one moment, though a writer of ours may extend it: which of its bytes belong together?
//!
//! Such a writer makes data durable before the count that covers it, and moves a layout away before data takes
//! its place. So what is read in this order belongs together: the signature, the layout that it points to, the
//! counts; and the signature once more, which must be as it was: then all that the counts cover lies before that
//! layout. What was read so is held, so that any code that reads it again gets the same.

use std::sync::Arc;

use dudley_parser::layout::{Count, Layout, ParamId, ParamValue, Place, Scope, Step};

use super::{Bytes, Open, Stream, appended_text, known, read_bytes};
use crate::bytes::signature::{LEN, Signature, is_native};
use crate::bytes::source::{FileSource, Held, Piece, Source};
use crate::elements::number;
use crate::error::{Error, Result};

/// This many times while one text is read is no writer of ours.
const TRIES: u32 = 100;

/// The text of the layout that is attached to the native stream in a file, as [`appended_text`] gives it, though a
/// writer may move it meanwhile.
///
/// # Errors
/// As [`appended_text`]; [`Error::Signature`] for a damaged signature; [`Error::Io`] if the file changes faster than
/// it can be read.
pub fn text_in_file(file: &FileSource) -> Result<Option<Vec<u8>>> {
    for _ in 0..TRIES {
        let mark = Mark::of(file, 0)?;
        let now = file.of_now()?;
        let text = Signature::read(&now).and_then(|signature| appended_text(&now, signature));
        match text {
            _ if !mark.still_stands()? => {}
            // What lay behind the layout was cut off meanwhile, as is done at the end of a change.
            Err(Error::Shortened { .. }) => {}
            text => return text,
        }
    }
    Err(changes(file))
}

/// Opens a file that may be extended meanwhile; a `fresh` one was opened for this, so that its length is that of now.
///
/// # Errors
/// Those of [`Open::source`]; [`Error::Io`] if it changes faster than it can be read.
pub(super) fn open(how: &Open, file: &FileSource, fresh: bool) -> Result<Stream> {
    let mut parsed = None;
    for _ in 0..TRIES {
        if let Some(stream) = attempt(how, file, fresh, &mut parsed)? {
            return Ok(stream);
        }
    }
    Err(changes(file))
}

/// That a file changes faster than it can be read.
fn changes(file: &FileSource) -> Error {
    let reason = format!("it changed {TRIES} times while its layout was read");
    Error::io(format!("cannot read {}", file.name()), std::io::Error::other(reason))
}

/// The stream; `None` if the layout moved meanwhile.
fn attempt(
    how: &Open,
    file: &FileSource,
    fresh: bool,
    parsed: &mut Option<(Vec<u8>, Arc<Layout>)>,
) -> Result<Option<Stream>> {
    // A raw stream has no signature that could move.
    let mark = if how.raw { None } else { Some(Mark::of(file, how.base)?) };
    let mark = mark.filter(|mark| mark.is_native);
    let mut pieces = Vec::new();
    // Now: a layout is whole before the signature points to it, not when the file was opened.
    let now = match &mark {
        None if fresh => file.clone(),
        _ => file.of_now()?,
    };
    if let Some(mark) = &mark {
        pieces.push(Piece { address: how.base, bytes: mark.head.clone() });
    }
    let found = layout_of(how, &now, &mut pieces, parsed).and_then(|layout| {
        let held = Arc::new(Held::new(Arc::new(now.clone()), pieces.clone()));
        let stream = how.stream_of(&how.bytes_of(held.clone())?, layout)?;
        Ok((held, counts(&stream), stream))
    });
    if let Some(mark) = &mark
        && !mark.still_stands()?
    {
        return Ok(None);
    }
    let (held, counts, stream) = match found {
        // What lay behind the layout was cut off meanwhile, as is done at the end of a change.
        Err(Error::Shortened { .. }) => return Ok(None),
        found => found?,
    };
    let is_bounded = stream.signature().is_some_and(|it| it.layout_address.is_some());
    if counts.is_empty() || is_bounded {
        held.hold(counts);
        return Ok(Some(stream));
    }
    let later = file.of_now()?;
    if later.len() == now.len() {
        held.hold(counts);
        return Ok(Some(stream));
    }
    // Without a layout that bounds the data, what the counts cover may lie behind what was the end before.
    let held = Held::new(Arc::new(later), pieces);
    held.hold(counts);
    how.stream_of(&how.bytes_of(held)?, stream.inner.layout.clone()).map(Some)
}

/// The layout that is given or attached; its text is held.
fn layout_of(
    how: &Open,
    file: &FileSource,
    pieces: &mut Vec<Piece>,
    parsed: &mut Option<(Vec<u8>, Arc<Layout>)>,
) -> Result<Arc<Layout>> {
    if let Some(layout) = &how.layout {
        return Ok(layout.clone());
    }
    let bytes = how.bytes_of(Held::new(Arc::new(file.clone()), pieces.clone()))?;
    let address = bytes.signature.and_then(|signature| signature.layout_address);
    let text = appended_text(&*bytes.whole, bytes.signature)?;
    let (Some(address), Some(text)) = (address, text) else { return Err(Error::NoLayout) };
    let layout = match parsed.take() {
        Some((before, layout)) if before == text => layout,
        _ => known::layout(&text)?,
    };
    *parsed = Some((text.clone(), layout.clone()));
    pieces.push(Piece { address: how.base.saturating_add(address), bytes: text });
    Ok(layout)
}

/// The first bytes of a stream in a file, which say where its layout is.
pub(crate) struct Mark<'f> {
    file: &'f FileSource,
    base: u64,
    head: Vec<u8>,
    is_native: bool,
}

impl<'f> Mark<'f> {
    /// Those of the stream that begins at `base`, in bytes.
    pub(crate) fn of(file: &'f FileSource, base: u64) -> Result<Mark<'f>> {
        let there = file.len().saturating_sub(base).min(LEN);
        let head = read_bytes(file, base.min(file.len()), there)?;
        let is_native = is_native(&head);
        Ok(Mark { file, base, head, is_native })
    }

    /// Whether they still are there.
    pub(crate) fn still_stands(&self) -> Result<bool> {
        Ok(Mark::of(self.file, self.base)?.head == self.head)
    }

    /// Whether a signature is the one that they were.
    pub(crate) fn is_of(&self, signature: Option<Signature>) -> bool {
        signature.is_some_and(|signature| signature.to_bytes()[..] == self.head[..])
    }
}

impl Stream {
    /// Whether a file still has the signature by which the stream was opened, and is no shorter than it was.
    pub(crate) fn is_still_in(&self, file: &FileSource) -> Result<bool> {
        let is_as_long = file.of_now()?.len() >= self.whole().len();
        Ok(is_as_long && Mark::of(file, 0)?.is_of(self.signature()))
    }

    /// The same stream with its counts held, if the signature of its file is still that by which it was opened.
    pub(crate) fn with_counts_held(&self, file: &FileSource) -> Result<Option<Stream>> {
        let bytes = self.bytes();
        let held = Arc::new(Held::new(bytes.source.clone(), Vec::new()));
        let bytes = Bytes { source: held.clone(), ..bytes };
        let given = self.given().clone();
        let stream = bytes.stream(self.inner.layout.clone(), Some(self.order()), given)?;
        let counts = counts(&stream);
        if !Mark::of(file, 0)?.is_of(self.signature()) {
            return Ok(None);
        }
        held.hold(counts);
        Ok(Some(stream))
    }
}

/// What a writer of ours overwrites in a stream whose layout stays where it is: the counts of what stands last. What
/// cannot be placed is said by the code that needs it.
fn counts(stream: &Stream) -> Vec<Piece> {
    let layout = stream.layout();
    let mut held: Vec<(ParamId, Piece)> = Vec::new();
    let mut is_last = true;
    for step in layout.root().iter().rev() {
        let (count, is_elsewhere) = match *step {
            Step::Array(id) => {
                let array = &layout[id];
                let first = layout.dims(array).first().filter(|_| array.filter.is_none());
                (first.map(|dim| dim.count), matches!(array.place, Place::At(..)))
            }
            Step::Repeat(id) => (Some(layout[id].count), layout[id].absolute),
            Step::Param(_) | Step::Group(_) | Step::Enter(_) => continue,
        };
        if !is_last && !is_elsewhere {
            continue;
        }
        let is_nothing = match count {
            Some(Count::Int(count)) => count == 0,
            Some(Count::Param(id, 0)) => {
                if !held.iter().any(|(known, _)| *known == id) {
                    held.extend(count_at(stream, id).map(|piece| (id, piece)));
                }
                let piece = held.iter().find(|(known, _)| *known == id);
                piece.is_some_and(|(_, piece)| piece.bytes.iter().all(|byte| *byte == 0))
            }
            _ => false,
        };
        // What stands before nothing stands last as well.
        is_last &= is_elsewhere || is_nothing;
    }
    held.into_iter().map(|(_, piece)| piece).collect()
}

/// A param that is stored in the stream, outside of lists and structs: what was read of it.
fn count_at(stream: &Stream, id: ParamId) -> Option<Piece> {
    let param = &stream.layout()[id];
    let (ParamValue::Streamed(primitive, order), Scope::Dict(_)) = (param.value, param.scope)
    else {
        return None;
    };
    if stream.given().params.contains_key(&id) {
        return None;
    }
    let found = stream.resolve(|resolver| {
        // Once it is read the resolver knows it.
        let value = resolver.value(id)?;
        Ok((value, resolver.step_address(param.step as usize)?))
    });
    let (value, address) = found.ok()?;
    let mut bytes = vec![0; crate::error::to_usize(primitive.size()).ok()?];
    number::put_bits(value as u64, order.unwrap_or(stream.order()), &mut bytes);
    Some(Piece { address, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::append::Append;
    use crate::write::Writer;

    #[test]
    fn a_text_is_as_long_as_the_file_now() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.bd");
        // What is added lies behind the end of the file before, and all before that is a layout, too.
        let text = format!("x = f8  # {}\n", "-".repeat(100));
        let layout = crate::parse_layout(text.as_bytes()).expect("a layout");
        Writer::new(layout).put("/x", 1.0).attach(true).write_file(&path, false).expect("space");
        let file = FileSource::open(&path).expect("it is there");
        let mut append = Append::open(&path).expect("it opens");
        append
            .extend("y = f8[8]")
            .and_then(|it| it.put("/y", &[1.0; 8][..]).commit())
            .expect("space");
        let stream = open(&Open::new(), &file, false).expect("a layout");
        assert!(stream.layout().text().contains("y = f8[8]"), "{}", stream.layout().text());
    }

    #[test]
    fn what_is_open_stays_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.bd");
        let layout = crate::parse_layout(b"N : i8  M : u2  x = f8  a = f4[N]  l = [/ t = f8]*M")
            .expect("a layout");
        let writer = Writer::new(layout).param("/N", 3).param("/M", 0).put("/x", 1.0);
        writer
            .put("/a", &[1_f32, 2.0, 3.0][..])
            .attach(true)
            .write_file(&path, false)
            .expect("space");
        let (given, attached) =
            (Open::new().layout_text("N : i8  M : u2").expect("a layout"), Open::new());
        let before = std::fs::read(&path).expect("there");
        let open = |how: &Open| how.clone().file(&path).expect("it opens");
        let (old, other) = (open(&attached), open(&given));
        let mut append = Append::open(&path).expect("it opens");
        for _ in 0..100 {
            let mut records = append.records("/l").expect("it grows");
            records.push(&[("t", 7.0.into())]).expect("space");
            records.commit().expect("space");
        }
        append.close().expect("space");
        // Nothing was asked of it before.
        assert_eq!(old.get("/:M").and_then(|it| it.param_value()).expect("a param"), 0);
        assert_eq!(old.get("/l").and_then(|it| it.len()).expect("a list"), 0);
        let text = old.appended_text().expect("it is held").expect("there is one");
        assert!(before.ends_with(&text), "the text that was there");
        // This layout says of no param that it counts something.
        assert_eq!(other.get("/:M").and_then(|it| it.param_value()).expect("a param"), 100);
        let now = open(&attached);
        assert_eq!(now.get("/l").and_then(|it| it.len()).expect("a list"), 100);
    }
}
