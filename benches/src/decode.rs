//! How fast arrays are read into a buffer that is there already, next to a plain copy.

use std::hint::black_box;

use dudley::bytes::Region;
use dudley::elements::{HOST, view};
use dudley::{ByteOrder, Item, Open};

use crate::Outcome;
use crate::report::{Report, Target};
use crate::timing::{compare, least, seconds};

/// Bytes of the array.
pub(crate) const SIZE: usize = 64 << 20;

/// An array of doubles that fills a stream in memory.
pub(crate) fn doubles(order: ByteOrder, size: usize) -> Outcome<Item> {
    let bytes: Vec<u8> = (0..size).map(|i| (i * 7) as u8).collect();
    let layout = format!("x = f8[{}]", size / 8);
    let stream = Open::new().layout_text(&layout)?.raw().order(order).bytes(bytes)?;
    Ok(stream.get("/x")?)
}

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    for (order, name, target) in [
        (ByteOrder::Big, "64 MiB of big-endian", Target::AtLeast(0.95)),
        (ByteOrder::Little, "64 MiB of little-endian", Target::None),
    ] {
        into_buffer(report, order, name, target, SIZE, 1)?;
    }
    let name = "128 KiB (in cache) of big-endian";
    into_buffer(report, ByteOrder::Big, name, Target::None, 128 << 10, 400)?;
    from_file(report)?;
    a_field(report)
}

/// Ours and memcpy have the same source and the same buffer, so alignments are equal.
fn into_buffer(
    report: &mut Report,
    order: ByteOrder,
    name: &str,
    target: Target,
    size: usize,
    repeat: usize,
) -> Outcome<()> {
    let item = doubles(order, size)?;
    let data = item.data()?;
    let source = item.stream().source().bytes().ok_or("a stream in memory")?;
    let buffer = std::cell::RefCell::new(vec![1_f64; size / 8]);
    let compared = compare(
        || {
            let mut buffer = buffer.borrow_mut();
            seconds(|| {
                for _ in 0..repeat {
                    data.read_into(black_box(&mut buffer[..]))?;
                }
                Ok(())
            })
        },
        || {
            let mut buffer = buffer.borrow_mut();
            let source = doubles_of(source)?;
            seconds(|| {
                for _ in 0..repeat {
                    black_box(&mut buffer[..]).copy_from_slice(black_box(source));
                }
                Ok(())
            })
        },
    )?;
    let what = format!("{name} f8 into a used buffer, to memcpy");
    report.add(&what, compared.ratio, "", target)?;
    let speed = (size * repeat) as f64 / compared.ours / 1e9;
    report.add("its fastest run", speed, "GB/s", Target::None)
}

/// From a file in the page cache, next to a plain read into the same buffer.
fn from_file(report: &mut Report) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("doubles");
    std::fs::write(&path, (0..SIZE).map(|i| (i * 7) as u8).collect::<Vec<u8>>())?;
    let layout = format!("> x = f8[{}]", SIZE / 8);
    let stream = Open::new().layout_text(&layout)?.raw().file(&path)?;
    let data = stream.get("/x")?.data()?;
    let (mut buffer, mut bytes) = (vec![1_f64; SIZE / 8], vec![1_u8; SIZE]);
    let compared = compare(
        || seconds(|| Ok(data.read_into(black_box(&mut buffer[..]))?)),
        || seconds(|| Ok(stream.source().read_at(0, black_box(&mut bytes[..]))?)),
    )?;
    let what = "64 MiB of big-endian f8 from a file, to a plain read";
    report.add(what, compared.ratio, "", Target::None)
}

/// One field of records of 48 bytes: the bytes that are passed over count.
fn a_field(report: &mut Report) -> Outcome<()> {
    let count = SIZE / 48;
    let layout = format!("> r = {{a = i8  x = f8  y = f8[4]}}[{count}]");
    let stream = Open::new().layout_text(&layout)?.raw().bytes(vec![7_u8; count * 48])?;
    let field = stream.get("/r")?.data()?.field("x")?;
    let mut values = vec![1_f64; count];
    let seconds = least(|| Ok(field.read_into(black_box(&mut values[..]))?))?;
    let what = "a field of 8 bytes of records of 48";
    report.add(what, (count * 48) as f64 / seconds / 1e9, "GB/s", Target::None)
}

/// The bytes as doubles, to be copied into doubles. A large buffer is aligned well enough.
fn doubles_of(bytes: &[u8]) -> Outcome<&[f64]> {
    let all = Region::contiguous(0, &[bytes.len() as u64 / 8], 8)?;
    view(bytes, &all, HOST).ok_or_else(|| "the buffer is not aligned".into())
}
