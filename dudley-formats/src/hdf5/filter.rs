//! The filter `hdf5(…)`: the HDF5 filters of a chunk, in the order of encoding.

mod bitshuffle;
mod packed;

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use asdf_bridge::blosc2::{Options, bytes_shuffled, bytes_unshuffled};
use dudley::bytes::{Source, give_scratch};
use dudley::filter::{Filter, FilterError, FilterValue, Registry, Result};

use super::dataset::Filter as Step;
use super::virtuals::Virtuals;

/// The names of HDF5 filters in layouts, by their numbers, and whether a layout states their values.
const NAMES: [(u16, &str, bool); 13] = [
    (1, "deflate", false),
    (2, "shuffle", true),
    (3, "fletcher32", false),
    (4, "szip", true),
    (5, "nbit", true),
    (6, "scaleoffset", true),
    (307, "bzip2", false),
    (32000, "lzf", false),
    (32001, "blosc", false),
    (32004, "lz4", false),
    (32008, "bitshuffle", true),
    (32015, "zstd", false),
    (32026, "blosc2", false),
];

/// The name of a filter in layouts.
pub(crate) fn name(id: u16) -> Option<&'static str> {
    NAMES.iter().find(|(known, ..)| *known == id).map(|(_, name, _)| *name)
}

/// Spells the filters of a chunk for a layout, without the skipped ones; empty if no filter remains.
pub(super) fn words(steps: &[Step], skipped: u32, element: u64) -> String {
    let mut args = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        if skipped >> at & 1 == 1 {
            continue;
        }
        match NAMES.iter().find(|(id, ..)| *id == step.id) {
            Some((2, name, _)) => {
                let size = step.values.first().map_or(element, |size| (*size).into());
                args.push(format!("\"{name}\", {size}"));
            }
            Some((_, name, false)) => args.push(format!("\"{name}\"")),
            Some((_, name, true)) => {
                args.push(format!("\"{name}\""));
                args.extend(step.values.iter().map(u32::to_string));
            }
            None => args.push(format!("\"filter {}\"", step.id)),
        }
    }
    if args.is_empty() { String::new() } else { format!(" -> hdf5({})", args.join(", ")) }
}

/// Translates a layout filter into HDF5 filters, by its name and arguments; `None` if HDF5 has no equivalent.
pub(super) fn of_layout(name: &str, args: &[FilterValue]) -> Option<Vec<Step>> {
    let named = |name: &str| NAMES.iter().find(|(_, own, _)| *own == name).map(|(id, ..)| *id);
    if name != "hdf5" {
        let same = NAMES.iter().find(|(_, own, _)| other(own) == Some(name))?;
        return Some(vec![Step { id: same.0, values: level(same.1) }]);
    }
    let steps = steps(args).ok()?;
    let step = |step: &Named<'_>| {
        let values: Option<Vec<u32>> =
            step.values.iter().map(|value| u32::try_from(*value).ok()).collect();
        let values = if step.values.is_empty() { level(step.name) } else { values? };
        Some(Step { id: named(step.name)?, values })
    };
    steps.iter().map(step).collect()
}

/// The compression level of a filter, if it has one, as HDF5 stores it: readers do not need it.
fn level(name: &str) -> Vec<u32> {
    match name {
        "deflate" => vec![6],
        "zstd" => vec![3],
        "bzip2" => vec![9],
        _ => Vec::new(),
    }
}

/// Adds the filter `hdf5`, which uses the filters already registered, such as `zlib` and `zstd`, and the Blosc filters.
///
/// ```
/// use dudley::filter::{FilterValue, Registry};
///
/// let mut filters = Registry::with_builtins();
/// dudley_formats::hdf5::register(&mut filters);
/// let hdf5 = filters.get("hdf5").expect("there");
/// let shuffle = [FilterValue::Text("shuffle".into()), FilterValue::Int(2)];
/// assert_eq!(hdf5.decode(&shuffle, &[1, 3, 2, 4], 4)?, [1, 2, 3, 4]);
/// # Ok::<(), dudley::filter::FilterError>(())
/// ```
pub fn register(registry: &mut Registry) {
    register_of(registry, None);
}

/// As [`register`], with the virtual arrays of a file.
pub(super) fn register_of(registry: &mut Registry, arrays: Option<Arc<Virtuals>>) {
    registry.register_heap(Arc::new(super::vlen::GlobalHeaps));
    let hdf5 = Hdf5 { known: registry.clone(), others: OnceLock::new(), arrays };
    registry.register(Arc::new(hdf5));
}

/// The name in layouts of what makes the elements of a virtual array of its mappings.
const VIRTUAL: &str = "virtual";

/// Spells the filter of a virtual array, whose header is at an address.
pub(super) fn virtual_words(address: u64) -> String {
    format!(" -> hdf5(\"{VIRTUAL}\", {address})")
}

/// The address of the header of a virtual array.
fn virtual_array(args: &[FilterValue]) -> Option<u64> {
    match args {
        [FilterValue::Text(name), FilterValue::Int(address)] if name == VIRTUAL => {
            u64::try_from(*address).ok()
        }
        _ => None,
    }
}

struct Hdf5 {
    /// The filters that were registered before.
    known: Registry,
    /// These and those of Blosc: most files need none.
    others: OnceLock<Registry>,
    /// The virtual arrays of the file that is read.
    arrays: Option<Arc<Virtuals>>,
}

/// A filter step with its numeric values.
struct Named<'a> {
    name: &'a str,
    values: Vec<i64>,
}

fn steps(args: &[FilterValue]) -> Result<Vec<Named<'_>>> {
    let mut steps: Vec<Named<'_>> = Vec::new();
    for arg in args {
        match (arg, steps.last_mut()) {
            (FilterValue::Text(name), _) => steps.push(Named { name, values: Vec::new() }),
            (FilterValue::Int(value), Some(step)) => step.values.push(*value),
            _ => {
                let why = "`hdf5` takes the names of filters, with their numbers behind them";
                return Err(FilterError::Argument(why.to_owned()));
            }
        }
    }
    Ok(steps)
}

fn damaged(why: impl Into<String>) -> FilterError {
    FilterError::Damaged(std::io::Error::other(why.into()))
}

impl Hdf5 {
    fn others(&self) -> &Registry {
        self.others.get_or_init(|| {
            let mut others = self.known.clone();
            asdf_bridge::blosc2::register(&mut others);
            others
        })
    }
}

impl Filter for Hdf5 {
    fn name(&self) -> &str {
        "hdf5"
    }

    fn check(&self, args: &[FilterValue]) -> Result<()> {
        steps(args).map(drop)
    }

    fn decode(&self, args: &[FilterValue], stored: &[u8], decoded_len: u64) -> Result<Vec<u8>> {
        let steps = steps(args)?;
        // The number of bytes before each step, as far as it does not depend on the data.
        let mut length = Some(decoded_len);
        let mut lengths = Vec::new();
        for step in &steps {
            lengths.push(length);
            length = match step.name {
                "shuffle" => length,
                "fletcher32" => length.and_then(|length| length.checked_add(4)),
                _ => None,
            };
        }
        let mut bytes = Cow::Borrowed(stored);
        for (step, length) in steps.iter().zip(lengths).rev() {
            bytes = self.undo(step, bytes, length)?.into();
        }
        let bytes = bytes.into_owned();
        match (bytes.len() as u64).cmp(&decoded_len) {
            std::cmp::Ordering::Less => {
                Err(FilterError::TooShort { expected: decoded_len, found: bytes.len() as u64 })
            }
            std::cmp::Ordering::Greater => Err(FilterError::TooLong { expected: decoded_len }),
            std::cmp::Ordering::Equal => Ok(bytes),
        }
    }

    fn by_address(&self, args: &[FilterValue]) -> bool {
        self.arrays.is_some() && virtual_array(args).is_some()
    }

    fn source(
        &self,
        args: &[FilterValue],
        _: Arc<dyn Source>,
        decoded_len: u64,
    ) -> dudley::Result<Option<Arc<dyn Source>>> {
        let (Some(arrays), Some(address)) = (&self.arrays, virtual_array(args)) else {
            return Ok(None);
        };
        arrays.get(address, decoded_len).map(Some)
    }

    fn encodes(&self, args: &[FilterValue]) -> bool {
        let known = |step: &Named<'_>| {
            matches!(step.name, "shuffle" | "fletcher32") || other(step.name).is_some()
        };
        steps(args).is_ok_and(|steps| steps.iter().all(known))
    }

    fn encode(&self, args: &[FilterValue], raw: &[u8]) -> Result<Vec<u8>> {
        let mut bytes = raw.to_vec();
        for step in steps(args)? {
            bytes = match (step.name, other(step.name)) {
                ("shuffle", _) => bytes_shuffled(&bytes, size_of(&step)),
                ("fletcher32", _) => {
                    let sum = fletcher32(&bytes);
                    bytes.extend(sum.to_le_bytes());
                    bytes
                }
                (name, Some(other)) => match self.others().get(other) {
                    Some(filter) => filter.encode(&[], &bytes)?,
                    None => return Err(not_built_in(name)),
                },
                (name, None) => {
                    let why = format!("the HDF5 filter `{name}` is read, and not written");
                    return Err(FilterError::Unsupported(why));
                }
            };
        }
        Ok(bytes)
    }
}

/// The name of our filter that stores the same bytes.
pub(super) fn other(name: &str) -> Option<&'static str> {
    match name {
        "deflate" => Some("zlib"),
        "bzip2" => Some("bzip2"),
        "zstd" => Some("zstd"),
        _ => None,
    }
}

fn not_built_in(name: &str) -> FilterError {
    FilterError::Unsupported(format!("`{name}` is not built in"))
}

impl Hdf5 {
    /// Undoes a step; `length` is the number of bytes before the step, known unless an earlier step changes it
    /// unpredictably.
    fn undo(&self, step: &Named<'_>, bytes: Cow<'_, [u8]>, length: Option<u64>) -> Result<Vec<u8>> {
        let known = || {
            length.ok_or_else(|| {
                let why =
                    format!("`{}` behind a filter that changes the number of bytes", step.name);
                FilterError::Unsupported(why)
            })
        };
        let by = |name: &str, bytes: &[u8]| match self.others().get(name) {
            Some(filter) => filter.decode(&[], bytes, known()?),
            None => Err(not_built_in(step.name)),
        };
        let before = match step.name {
            // These may return the same buffer.
            "fletcher32" => return checked(bytes.into_owned()),
            "nbit" => return packed::n_bit(bytes.into_owned(), &step.values, known()?),
            "shuffle" => bytes_unshuffled(&bytes, size_of(step)),
            "blosc" => by("blosc_chunk", &bytes)?,
            "blosc2" => match blosc2(&bytes, known()?)? {
                Some(array) => array,
                None => by("blosc2", &bytes)?,
            },
            "bitshuffle" => bitshuffle::decode(&bytes, &step.values, known()?, self.others())?,
            name if let Some(same) = other(name) => by(same, &bytes)?,
            "lzf" => lzf(&bytes, known()?)?,
            "lz4" => lz4(&bytes, known()?)?,
            VIRTUAL => {
                let why = "the elements of a virtual array are in others: only the HDF5 file leads \
                           to them";
                return Err(FilterError::Unsupported(why.to_owned()));
            }
            "scaleoffset" => packed::scale_offset(&bytes, &step.values, known()?)?,
            name => {
                let why = format!("the HDF5 filter `{name}` is not read");
                return Err(FilterError::Unsupported(why));
            }
        };
        if let Cow::Owned(bytes) = bytes {
            give_scratch(bytes);
        }
        Ok(before)
    }
}

/// The elements of a frame that holds an array, row by row; `None` for another frame.
fn blosc2(bytes: &[u8], length: u64) -> Result<Option<Vec<u8>>> {
    let wrong = |error: asdf_bridge::blosc2::Error| damaged(error.to_string());
    // Chunks of an array are padded to whole blocks.
    let limit = length.saturating_mul(4).saturating_add(1 << 20);
    let frame = Options::new().limit(limit).source(bytes.to_vec()).map_err(wrong)?;
    let array = frame.array().map_err(wrong)?;
    array.map(|array| Ok(array.bytes_of(&[]).map_err(wrong)?.1)).transpose()
}

/// The bytes of an element, from the first value of a step; 1 without a value.
fn size_of(step: &Named<'_>) -> usize {
    let size = step.values.first().and_then(|size| usize::try_from(*size).ok());
    size.unwrap_or(1)
}

/// Reads a big-endian number.
fn by_four(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Verifies the checksum at the end of the bytes and removes it.
fn checked(mut bytes: Vec<u8>) -> Result<Vec<u8>> {
    let Some(end) = bytes.len().checked_sub(4) else {
        return Err(damaged("it is too short for its checksum"));
    };
    let stored = [bytes[end], bytes[end + 1], bytes[end + 2], bytes[end + 3]];
    bytes.truncate(end);
    let sum = fletcher32(&bytes);
    // Old versions on big-endian machines swapped the bytes of its halves.
    let other = (sum << 8 & 0xff00_ff00) | (sum >> 8 & 0x00ff_00ff);
    let found = u32::from_le_bytes(stored);
    if found == sum || found == other {
        return Ok(bytes);
    }
    Err(damaged(format!("the checksum is {found:#010x}, and that of the bytes {sum:#010x}")))
}

fn fletcher32(bytes: &[u8]) -> u32 {
    let (mut one, mut two) = (0_u32, 0_u32);
    let fold = |sum: u32| (sum & 0xffff) + (sum >> 16);
    // A block is short enough that no sum overflows.
    for block in bytes.chunks(720) {
        for pair in block.chunks(2) {
            one += u32::from(pair[0]) << 8 | pair.get(1).map_or(0, |byte| u32::from(*byte));
            two += one;
        }
        (one, two) = (fold(one), fold(two));
    }
    (one, two) = (fold(one), fold(two));
    two << 16 | one
}

/// An output buffer, which at first reserves no more than 1 MiB.
fn room(length: u64) -> Result<Vec<u8>> {
    let mut room = Vec::new();
    room.try_reserve(length.min(1 << 20) as usize).map_err(|_| FilterError::TooLarge(length))?;
    Ok(room)
}

/// Appends a copy of `count` bytes from `back` bytes before the end; the copy may overlap its source.
fn repeat(decoded: &mut Vec<u8>, back: usize, count: usize) -> Result<()> {
    let Some(from) = decoded.len().checked_sub(back).filter(|_| back > 0) else {
        return Err(damaged(format!("{back} bytes back, of {}", decoded.len())));
    };
    for at in from..from + count {
        decoded.push(decoded[at]);
    }
    Ok(())
}

/// Marc Lehmann's LZF, as h5py writes it.
fn lzf(bytes: &[u8], length: u64) -> Result<Vec<u8>> {
    let mut decoded = room(length)?;
    let mut rest = bytes;
    let ends = || damaged("it ends early");
    while let Some((control, behind)) = rest.split_first() {
        let control = usize::from(*control);
        rest = behind;
        let mut next = || -> Result<usize> {
            let (byte, behind) = rest.split_first().ok_or_else(ends)?;
            rest = behind;
            Ok(usize::from(*byte))
        };
        if control < 32 {
            let (run, behind) = rest.split_at_checked(control + 1).ok_or_else(ends)?;
            decoded.extend_from_slice(run);
            rest = behind;
        } else {
            let more = if control >> 5 == 7 { next()? } else { 0 };
            let back = ((control & 31) << 8 | next()?) + 1;
            repeat(&mut decoded, back, (control >> 5) + more + 2)?;
        }
        if decoded.len() as u64 > length {
            return Err(FilterError::TooLong { expected: length });
        }
    }
    Ok(decoded)
}

/// The plugin's frame: the length, the length of a block, then blocks with their lengths.
fn lz4(bytes: &[u8], length: u64) -> Result<Vec<u8>> {
    let mut rest = bytes;
    let mut take = |count: usize| -> Result<&[u8]> {
        let (here, behind) =
            rest.split_at_checked(count).ok_or_else(|| damaged("it ends early"))?;
        rest = behind;
        Ok(here)
    };
    let all = by_four(take(8)?);
    if all != length {
        return Err(FilterError::TooShort { expected: length, found: all });
    }
    let size = by_four(take(4)?).max(1);
    let mut decoded = room(length)?;
    while (decoded.len() as u64) < length {
        let here = size.min(length - decoded.len() as u64);
        let stored = by_four(take(4)?);
        let block = take(usize::try_from(stored).unwrap_or(usize::MAX))?;
        if stored == here {
            decoded.extend_from_slice(block);
        } else {
            lz4_block(block, here, &mut decoded)?;
        }
    }
    Ok(decoded)
}

/// Decodes a block of LZ4 to `count` bytes.
fn lz4_block(block: &[u8], count: u64, decoded: &mut Vec<u8>) -> Result<()> {
    // One byte of LZ4 decodes to at most 255 bytes.
    if count > 255 * block.len() as u64 {
        return Err(damaged(format!("{count} bytes in a block of {}", block.len())));
    }
    let begin = decoded.len();
    decoded.try_reserve(count as usize).map_err(|_| FilterError::TooLarge(count))?;
    decoded.resize(begin + count as usize, 0);
    match lz4_flex::block::decompress_into(block, &mut decoded[begin..]) {
        Ok(found) if found as u64 == count => Ok(()),
        Ok(found) => Err(FilterError::TooShort { expected: count, found: found as u64 }),
        Err(error) => Err(damaged(format!("a block of LZ4: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_decoded() {
        let hdf5 = Hdf5 { known: Registry::with_builtins(), others: OnceLock::new(), arrays: None };
        let text = |name: &str| FilterValue::Text(name.to_owned());
        let chains = [
            vec![text("shuffle"), FilterValue::Int(4), text("deflate"), text("fletcher32")],
            vec![text("fletcher32"), text("zstd")],
            vec![text("shuffle"), FilterValue::Int(3), text("bzip2")],
        ];
        let raw: Vec<u8> = (0..1001_u32).map(|at| ((at * at) >> 3) as u8).collect();
        for args in chains {
            assert!(hdf5.encodes(&args));
            let stored = hdf5.encode(&args, &raw).expect("encoded");
            assert_eq!(hdf5.decode(&args, &stored, 1001).expect("decoded"), raw, "{args:?}");
        }
        assert!(!hdf5.encodes(&[text("szip")]) && hdf5.encode(&[text("lzf")], &raw).is_err());
    }

    #[test]
    fn runs_and_repetitions_are_decoded() {
        // Three bytes, then five from two back; as LZF and LZ4 encode them.
        assert_eq!(lzf(&[2, 7, 8, 9, 3 << 5, 1], 8).expect("decoded"), [7, 8, 9, 8, 9, 8, 9, 8]);
        assert!(lzf(&[2, 7, 8, 9, 3 << 5, 3], 8).is_err());
        assert!(lzf(&[2, 7, 8], 8).is_err());
        let mut decoded = Vec::new();
        lz4_block(&[0x31, 7, 8, 9, 2, 0, 0], 8, &mut decoded).expect("decoded");
        assert_eq!(decoded, [7, 8, 9, 8, 9, 8, 9, 8]);
        assert!(lz4_block(&[0x31, 7, 8, 9, 4, 0, 0], 8, &mut Vec::new()).is_err());
        assert!(lz4_block(&[0xf1], 8, &mut Vec::new()).is_err());
        assert!(lz4_block(&[0x31, 7, 8, 9, 2, 0, 0], 9, &mut Vec::new()).is_err());
        let bomb = lz4_block(&[0xf1; 16], 1 << 40, &mut Vec::new()).expect_err("too much");
        assert!(bomb.to_string().contains("1099511627776 bytes in a block of 16"), "{bomb}");
    }
}
