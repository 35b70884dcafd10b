//! Blosc2 as filters of the layout language: `blosc_chunk`, a chunk, and `blosc2`, a frame.
//!
//! Their arguments set the encoding: `blosc2("zstd", 5, "shuffle", 8)`.

use std::io;
use std::sync::Arc;

use dudley::Dtype;
use dudley::bytes::Source;
use dudley::filter::{Filter, FilterError, FilterValue, Registry};

use super::by_address;
use super::chunk::{Chunk, Special, Stored};
use super::codecs::Codec;
use super::context::Context;
use super::encoding::Encoding;
use super::error::{Error, Result};
use super::filters::Filter as Step;
use super::filters::lossy::Numbers;
use super::frame::{Frame, NewFrame};

/// Adds `blosc_chunk` and `blosc2` to the filters that layouts can name.
///
/// ```
/// # let stored: Vec<u8> = [5, 1, 7, 1, 2, 0, 0, 0, 2, 0, 0, 0, 34, 0, 0, 0].into_iter()
/// #     .chain([0; 16]).chain([8, 9]).collect();
/// let mut filters = dudley::filter::Registry::with_builtins();
/// asdf_bridge::blosc2::register(&mut filters);
/// let open = dudley::Open::new().layout_text("x = u1[2] -> blosc_chunk[34]")?.raw().filters(filters);
/// let stream = open.bytes(stored)?;
/// assert_eq!(stream.get("/x")?.read::<u8>()?.as_slice(), Some(&[8, 9][..]));
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn register(registry: &mut Registry) {
    registry.register(Arc::new(BloscChunk));
    registry.register(Arc::new(Blosc2));
}

/// Decodes what ASDF stores under `blsc` and `bls2`: a chunk, or a whole frame.
///
/// # Errors
/// If something is wrong with it; [`Error::Limit`] for more than `limit` bytes.
pub fn decode_blsc(bytes: &[u8], limit: u64) -> Result<Vec<u8>> {
    match crate::Recognised::recognise(bytes) {
        Some(crate::Recognised::Blosc2Frame) => decode_frame(bytes, limit),
        _ => Chunk::parse(bytes)?.decode_within(limit),
    }
}

/// Encodes what ASDF stores under `blsc`, a chunk with the header of Blosc 1, which is all that other
/// programs know there. One chunk has less than 2 GiB.
///
/// ```
/// use asdf_bridge::blosc2::{Codec, Encoding, decode_blsc, encode_blsc};
///
/// let stored = encode_blsc(&[7; 1000], &Encoding::new(4).codec(Codec::Lz4))?;
/// assert_eq!(decode_blsc(&stored, 1000)?, [7; 1000]);
/// # Ok::<(), asdf_bridge::blosc2::Error>(())
/// ```
///
/// # Errors
/// As [`Encoding::chunk`].
pub fn encode_blsc(bytes: &[u8], encoding: &Encoding) -> Result<Vec<u8>> {
    encoding.clone().short_header(true).chunk(bytes)
}

/// Encodes what ASDF stores under `bls2`: a whole frame.
///
/// # Errors
/// As [`NewFrame::memory`].
pub fn encode_bls2(bytes: &[u8], encoding: &Encoding) -> Result<Vec<u8>> {
    let mut writer = NewFrame::new(encoding.clone()).memory()?;
    writer.write(bytes)?;
    writer.finish_bytes()
}

/// The argument that asks for the header of Blosc 1.
const BLOSC_1: &str = "blosc1";

/// What is looked at to find the size of elements where nobody says it.
const SAMPLE: usize = 64 << 10;

/// The encoding that arguments say: codec, level, filters by name, bytes of an element. In front there may
/// be what [`context`] takes.
fn encoding(
    args: &[FilterValue],
    raw: &[u8],
    blockshape: Vec<usize>,
) -> Result<Encoding, FilterError> {
    let wrong = |why: String| FilterError::Argument(why);
    let before = args.iter().take_while(|arg| matches!(arg, FilterValue::Int(_))).count();
    let mut rest = args[before..].iter();
    let (mut encoding, mut typesize) = (Encoding::new(1), context(args).typesize);
    encoding.blockshape = blockshape;
    let mut steps = Vec::new();
    if let Some(FilterValue::Text(name)) = rest.next() {
        let codec = Codec::of_name(name);
        encoding = encoding.codec(codec.ok_or_else(|| wrong(format!("no codec `{name}`")))?);
    }
    let (mut level, mut named) = (None, false);
    for arg in rest {
        match arg {
            FilterValue::Text(name) if name == BLOSC_1 => encoding = encoding.short_header(true),
            FilterValue::Text(name) => {
                named = true;
                steps.extend(step(name)?);
            }
            FilterValue::Int(number) if level.is_none() && steps.is_empty() => {
                let found = u8::try_from(*number).ok().filter(|level| *level <= 9);
                level = Some(found.ok_or_else(|| wrong(format!("no level {number}, but 0 to 9")))?);
            }
            FilterValue::Int(number) => {
                let found = usize::try_from(*number).ok().filter(|size| (1..=255).contains(size));
                let found = found.ok_or_else(|| wrong(format!("no elements of {number} bytes")));
                typesize = Some(found?);
            }
            FilterValue::Float(number) => {
                return Err(wrong(format!("a name or a whole number, not {number:?}")));
            }
        }
    }
    encoding = encoding.level(level.unwrap_or(5));
    if named {
        encoding = encoding.filters(&steps);
    }
    // A size that is tried out is one with which others become something else.
    if let (None, Some(lossy)) = (typesize, steps.iter().find(|it| it.simplifies().is_some())) {
        return Err(wrong(format!("{lossy} needs the bytes of an element behind the filters")));
    }
    encoding.typesize = match typesize {
        Some(size) => size,
        None => best_size(&encoding, &raw[..raw.len().min(SAMPLE)]),
    };
    encoding.check().map_err(|error| wrong(error.to_string()))?;
    encoding.check_filters().map_err(|error| wrong(error.to_string()))?;
    Ok(encoding)
}

/// The encoding of a chunk. What is in front may be the shape of its blocks, in which filters cut cells.
fn chunk_encoding(args: &[FilterValue], raw: &[u8]) -> Result<Encoding, FilterError> {
    encoding(args, raw, context(args).blockshape)
}

/// The encoding of a frame. It is of no array, so that its blocks have no shape.
fn frame_encoding(args: &[FilterValue], raw: &[u8]) -> Result<Encoding, FilterError> {
    encoding(args, raw, Vec::new())
}

/// Checks that filters which lose something are given what they are for, as they are in arrays of frames.
fn check_elements(encoding: &Encoding, dtype: &Dtype) -> Result<(), FilterError> {
    let lossy = encoding.filters.iter().filter_map(|it| Some((it, it.simplifies()?)));
    for (filter, wanted) in lossy {
        let wrong = |why: String| Err(FilterError::Argument(why));
        match *dtype {
            Dtype::Primitive(primitive, order) if Numbers::of(primitive, order) == Some(wanted) => {
                let (size, stated) = (primitive.size(), encoding.typesize);
                if size != stated as u64 {
                    return wrong(format!(
                        "{filter} is for elements of {stated} bytes, not {size}"
                    ));
                }
            }
            Dtype::Primitive(primitive, order) => {
                let dtype = primitive.with_order(Some(order));
                return wrong(format!("{filter} takes {wanted}, not `{dtype}`"));
            }
            _ => return wrong(format!("{filter} takes {wanted}, not structs")),
        }
    }
    Ok(())
}

/// The filter of a name; `None` for `none`.
fn step(name: &str) -> Result<Option<Step>, FilterError> {
    match name {
        "none" => Ok(None),
        _ => match Step::of_name(name) {
            Some(step) => Ok(Some(step)),
            None => Err(FilterError::Argument(format!("no filter `{name}`"))),
        },
    }
}

/// The size of elements with which bytes are stored in the least room.
fn best_size(encoding: &Encoding, sample: &[u8]) -> usize {
    let stored = |size: &usize| {
        let encoding = Encoding { typesize: *size, ..encoding.clone() };
        encoding.threads(1).chunk(sample).map_or(usize::MAX, |chunk| chunk.len())
    };
    [8, 4, 2, 1, 16].into_iter().min_by_key(stored).unwrap_or(1)
}

/// A frame in memory: its array row-major, else its chunks one after the other.
fn decode_frame(bytes: &[u8], limit: u64) -> Result<Vec<u8>> {
    let frame = super::Options::new().limit(limit).source(bytes.to_vec())?;
    whole(&frame)
}

fn whole(frame: &Frame) -> Result<Vec<u8>> {
    match frame.array()? {
        Some(array) => Ok(array.bytes_of(&[])?.1),
        None => frame.read(),
    }
}

/// The filter `blosc_chunk`: a chunk with its header. Some filters of Blosc2 need what only the frame
/// knows: then the arguments are the bytes of an element and the shape of a block. Of a special value in the
/// index of a frame there are no bytes; then it is the argument: `"zeros"`, `"uninit"`, or `"nan"` and the bytes
/// of an element.
#[derive(Debug)]
pub struct BloscChunk;

impl Filter for BloscChunk {
    fn name(&self) -> &str {
        "blosc_chunk"
    }

    fn decode(
        &self,
        args: &[FilterValue],
        stored: &[u8],
        decoded_len: u64,
    ) -> Result<Vec<u8>, FilterError> {
        if let (Some(special), []) = (special(args), stored) {
            return of_value(special, args, decoded_len);
        }
        let chunk =
            Chunk::open(Stored::Memory(stored), &context(args)).map_err(FilterError::from)?;
        exact(chunk.nbytes(), decoded_len)?;
        all_taken(stored.len() as u64 - chunk.cbytes())?;
        chunk.decode_within(decoded_len).map_err(FilterError::from)
    }

    fn source(
        &self,
        args: &[FilterValue],
        stored: Arc<dyn Source>,
        decoded_len: u64,
    ) -> dudley::Result<Option<Arc<dyn Source>>> {
        let context = context(args);
        let chunk = Chunk::open(Stored::at(&*stored, 0), &context)?;
        let sizes = exact(chunk.nbytes(), decoded_len)
            .and_then(|()| all_taken(stored.len().saturating_sub(chunk.cbytes())));
        sizes.map_err(|why| dudley::Error::filter(0, self.name(), why))?;
        Ok(by_address::of_chunk(&chunk, stored.clone(), context))
    }

    fn check(&self, args: &[FilterValue]) -> Result<(), FilterError> {
        match special(args) {
            Some(_) => Ok(()),
            None => chunk_encoding(args, &[]).map(|_| ()),
        }
    }

    fn check_elements(&self, args: &[FilterValue], dtype: &Dtype) -> Result<(), FilterError> {
        match special(args) {
            Some(_) => Ok(()),
            None => check_elements(&chunk_encoding(args, &[])?, dtype),
        }
    }

    fn encode(&self, args: &[FilterValue], raw: &[u8]) -> Result<Vec<u8>, FilterError> {
        if let Some(special) = special(args) {
            // What the value says is not stored: that is all that can be said.
            return if of_value(special, args, raw.len() as u64)? == raw {
                Ok(Vec::new())
            } else {
                let why = "other bytes than those of the special value";
                Err(FilterError::Encode(io::Error::other(why)))
            };
        }
        chunk_encoding(args, raw)?.chunk(raw).map_err(unwritten)
    }
}

/// What the frame of a chunk says, from arguments.
fn context(args: &[FilterValue]) -> Context {
    let mut sizes = args.iter().map_while(|arg| match arg {
        FilterValue::Int(size) => usize::try_from(*size).ok(),
        _ => None,
    });
    let typesize = sizes.next().filter(|size| *size > 0);
    Context { typesize, blockshape: sizes.collect(), limit: None }
}

/// The special value that the first argument names.
fn special(args: &[FilterValue]) -> Option<Special> {
    match args.first()? {
        FilterValue::Text(name) => match &**name {
            "zeros" => Some(Special::Zeros),
            "uninit" => Some(Special::Uninit),
            "nan" => Some(Special::Nan),
            _ => None,
        },
        _ => None,
    }
}

/// The bytes of a special value; behind its name is the size of an element.
fn of_value(special: Special, args: &[FilterValue], nbytes: u64) -> Result<Vec<u8>, FilterError> {
    let context = context(args.get(1..2).unwrap_or_default());
    let chunk = Chunk::of_value(special, nbytes, 0, &context).map_err(FilterError::from)?;
    chunk.decode_within(nbytes).map_err(FilterError::from)
}

/// The filter `blosc2`: a whole frame. Its arguments are for the writer.
#[derive(Debug)]
pub struct Blosc2;

impl Filter for Blosc2 {
    fn name(&self) -> &str {
        "blosc2"
    }

    fn decode(
        &self,
        _: &[FilterValue],
        stored: &[u8],
        decoded_len: u64,
    ) -> Result<Vec<u8>, FilterError> {
        let frame = super::Options::new().limit(decoded_len.max(1)).source(stored.to_vec());
        let frame = frame.map_err(FilterError::from)?;
        all_taken(stored.len() as u64 - frame.frame_len())?;
        let bytes = whole(&frame).map_err(|error| match error {
            Error::Limit { .. } => FilterError::TooLong { expected: decoded_len },
            error => error.into(),
        })?;
        exact(bytes.len() as u64, decoded_len).map(|()| bytes)
    }

    fn source(
        &self,
        _: &[FilterValue],
        stored: Arc<dyn Source>,
        decoded_len: u64,
    ) -> dudley::Result<Option<Arc<dyn Source>>> {
        let total = stored.len();
        // The reader has threads.
        let options = super::Options::new().limit(decoded_len.max(1)).threads(1);
        let frame = options.source(stored)?;
        all_taken(total.saturating_sub(frame.frame_len()))
            .map_err(|why| dudley::Error::filter(0, self.name(), why))?;
        let len = frame.nbytes();
        let Some(source) = by_address::of_frame(frame)? else { return Ok(None) };
        exact(len, decoded_len).map_err(|why| dudley::Error::filter(0, self.name(), why))?;
        Ok(Some(source))
    }

    fn check(&self, args: &[FilterValue]) -> Result<(), FilterError> {
        frame_encoding(args, &[]).map(|_| ())
    }

    fn check_elements(&self, args: &[FilterValue], dtype: &Dtype) -> Result<(), FilterError> {
        check_elements(&frame_encoding(args, &[])?, dtype)
    }

    fn encode(&self, args: &[FilterValue], raw: &[u8]) -> Result<Vec<u8>, FilterError> {
        encode_bls2(raw, &frame_encoding(args, raw)?).map_err(unwritten)
    }
}

/// Checks that nothing stands behind what was decoded.
fn all_taken(trailing: u64) -> Result<(), FilterError> {
    match trailing {
        0 => Ok(()),
        count => Err(FilterError::Trailing { count }),
    }
}

fn exact(found: u64, expected: u64) -> Result<(), FilterError> {
    match found.cmp(&expected) {
        std::cmp::Ordering::Less => Err(FilterError::TooShort { expected, found }),
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => Err(FilterError::TooLong { expected }),
    }
}

fn unwritten(error: Error) -> FilterError {
    FilterError::Encode(io::Error::other(error))
}

#[cfg(test)]
mod tests {
    use dudley::{ByteOrder, Open, Value, Writer, parse_layout};

    use super::*;

    #[test]
    fn layouts_write_and_read_frames_and_chunks() {
        let mut filters = Registry::with_builtins();
        register(&mut filters);
        let filters = Arc::new(filters);
        let values: Vec<f64> = (0..3000).map(|i| f64::from(i) * 0.25).collect();
        for filter in [
            "blosc2",
            "blosc2(\"lz4\", 9)",
            "blosc2(\"blosclz\", 5, \"bitshuffle\", 8)",
            "blosc2(\"zlib\", 1, \"delta\", \"shuffle\", 8)",
            "blosc2(\"lz4hc\", 1, \"none\")",
            "blosc2(\"lz4\", 1, \"trunc_prec:52\", \"shuffle\", 8)",
            "blosc_chunk(8, \"lz4\", 5)",
            "blosc_chunk(8, \"lz4\", 5, \"bitshuffle\", \"blosc1\")",
            "blosc_chunk",
        ] {
            let text = format!("x = f8[3000] -> {filter}");
            let layout = parse_layout(text.as_bytes()).expect("a layout");
            let writer = Writer::new(layout).filters(filters.clone()).attach(true);
            let bytes = writer
                .put("/x", &values)
                .to_bytes()
                .unwrap_or_else(|error| panic!("{text}: {error}"));
            assert!(bytes.len() < 16_000, "{text}: {}", bytes.len());
            let stream = Open::new().filters(filters.clone()).bytes(bytes).expect("a stream");
            let found = stream.get("/x").and_then(|item| item.read::<f64>()).expect("read");
            assert_eq!(found.as_slice(), Some(&values[..]), "{text}");
        }
        for wrong in ["blosc2(\"lizard\")", "blosc2(\"lz4\", 10)", "blosc2(\"lz4\", 5, \"x\")"] {
            let layout =
                parse_layout(format!("x = f8[3] -> {wrong}").as_bytes()).expect("a layout");
            let writer = Writer::new(layout).filters(filters.clone());
            assert!(writer.put("/x", &[1.0; 3]).to_bytes().is_err());
        }
    }

    #[test]
    fn special_values_have_no_bytes() {
        let mut filters = Registry::with_builtins();
        register(&mut filters);
        let filters = Arc::new(filters);
        let text = |value: &str| format!("x = f4[100] -> blosc_chunk({value})[0]\ny = u1[4]");
        let written = |value: &str, element: f64| {
            let layout = parse_layout(text(value).as_bytes()).expect("a layout");
            let writer = Writer::new(layout).filters(filters.clone()).raw();
            writer.put("/x", &[element as f32; 100]).put("/y", &[7u8; 4]).to_bytes()
        };
        for (value, element) in [("\"zeros\"", 0.0), ("\"uninit\"", 0.0), ("\"nan\", 4", f64::NAN)]
        {
            let bytes = written(value, element).unwrap_or_else(|error| panic!("{value}: {error}"));
            assert_eq!(bytes, [7; 4], "{value}");
            let open = Open::new().layout_text(&text(value)).expect("a layout").raw();
            let stream = open.filters(filters.clone()).bytes(bytes).expect("a stream");
            let found = stream.get("/x").and_then(|item| item.read::<f32>()).expect("read");
            assert!(found.iter().all(|it| it.to_bits() == (element as f32).to_bits()), "{value}");
            let found = written(value, 1.0).expect_err("another value").to_string();
            assert!(found.contains("other bytes than those of the special value"), "{found}");
        }
    }

    #[test]
    fn what_loses_something_is_given_what_it_is_for() {
        let mut filters = Registry::with_builtins();
        register(&mut filters);
        let filters = Arc::new(filters);
        let written = |text: &str, order: ByteOrder| {
            let layout = parse_layout(text.as_bytes()).expect("a layout");
            let writer = Writer::new(layout).filters(filters.clone()).order(order);
            let value = |i: u16| {
                if text.contains("f4") || text.contains("f8") {
                    Value::Float(i.into())
                } else {
                    Value::Int(i.into())
                }
            };
            let values = Value::Array((0..100).map(value).collect());
            writer.put("/x", values).to_bytes().map_err(|error| error.to_string())
        };
        let (little, big) = (ByteOrder::Little, ByteOrder::Big);
        let floats = "-> blosc2(\"zstd\", 5, \"trunc_prec:10\", \"shuffle\", 4)";
        let whole = "-> blosc_chunk(\"lz4\", 5, \"int_trunc:12\", 4)";
        for (text, order) in [
            (format!("x = f4[100] {floats}"), little),
            (format!("x = <f4[100] {floats}"), big),
            (format!("x = u4[100] {whole}"), little),
            (format!("x = <i4[100] {whole}"), big),
        ] {
            written(&text, order).unwrap_or_else(|error| panic!("{text}: {error}"));
        }
        for (text, order, why) in [
            (
                format!("x = f4[100] {floats}"),
                big,
                "trunc_prec:10 takes little-endian floats, not `>f4`",
            ),
            (format!("x = >f4[100] {floats}"), little, "takes little-endian floats, not `>f4`"),
            (format!("x = i4[100] {floats}"), little, "takes little-endian floats, not `<i4`"),
            (format!("x = f8[100] {floats}"), little, "is for elements of 4 bytes, not 8"),
            (
                format!("x = f4[100] {whole}"),
                little,
                "takes little-endian whole numbers, not `<f4`",
            ),
            (
                "x = f4[100] -> blosc2(\"lz4\", 5, \"trunc_prec:10\")".to_owned(),
                little,
                "needs the bytes of an element",
            ),
        ] {
            let found = written(&text, order).expect_err(&text);
            assert!(found.contains(why), "{text}: {found}");
        }
        let record = "x = {y = f4[100] -> blosc2(\"lz4\", 5, \"trunc_prec:10\", 8)[400]}";
        let layout = parse_layout(record.as_bytes()).expect("a layout");
        let floats = Value::Array(vec![Value::Float(1.0); 100]);
        let fields = Value::Struct(vec![("y".to_owned(), floats)]);
        let writer = Writer::new(layout).filters(filters.clone());
        let found = writer.put("/x", fields).to_bytes().expect_err("refused");
        assert!(found.to_string().contains("is for elements of 8 bytes"), "{found}");
    }

    #[test]
    fn cells_are_refused_where_there_are_none() {
        let text = |name: &str| FilterValue::Text(name.into());
        let cells = |front: &[i64], filter: &str| {
            let front = front.iter().map(|number| FilterValue::Int(*number));
            front.chain([text("zstd"), FilterValue::Int(5), text(filter)]).collect::<Vec<_>>()
        };
        for filter in ["ndcell:4", "ndmean:4"] {
            let refused = |checked: Result<(), FilterError>, why: &str| {
                let found = checked.expect_err("refused").to_string();
                assert!(found.contains(why), "{found}");
            };
            let shapeless = "needs blocks with a shape";
            refused(Blosc2.check(&cells(&[8], filter)), shapeless);
            refused(Blosc2.check(&cells(&[8, 4, 4], filter)), shapeless);
            refused(BloscChunk.check(&cells(&[8], filter)), shapeless);
            refused(BloscChunk.check(&cells(&[8, 2, 5], filter)), "needs blocks of");
            BloscChunk.check(&cells(&[8, 4, 4], filter)).expect("cells of blocks of that shape");
        }
    }
}
