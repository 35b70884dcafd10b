//! How fast generated code reads and writes an array of doubles, next to plain copies of its bytes.

use std::cell::RefCell;
use std::fs::{File, OpenOptions};
use std::hint::black_box;
use std::io::Write;
use std::path::Path;

use dudley::elements::HOST;
use dudley::ndarray::ArrayView1;
use dudley::typed::Create;
use dudley::{ByteOrder, Open};

use crate::decode::SIZE;
use crate::fresh::numpy;
use crate::report::{Report, Target};
use crate::timing::{compare, least, seconds};
use crate::{Outcome, scale};

dudley::layout! {
    /// One array, in the byte order of the stream.
    mod doubles = r"
COUNT : 8388608
x = f8[COUNT]
"
}

const COUNT: usize = SIZE / 8;

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    let other = match HOST {
        ByteOrder::Little => ByteOrder::Big,
        ByteOrder::Big => ByteOrder::Little,
    };
    read(report, other)?;
    view(report)?;
    let elements: Vec<f64> = (0..COUNT).map(|i| i as f64).collect();
    in_memory(report, &elements, other)?;
    let folder = scale::folder()?;
    in_file(report, folder.path(), &elements, other, "other")?;
    in_file(report, folder.path(), &elements, HOST, "native")
}

fn reader(order: ByteOrder) -> Outcome<doubles::Reader> {
    let bytes: Vec<u8> = (0..SIZE).map(|i| (i * 7) as u8).collect();
    let open = Open::new().raw().order(order);
    Ok(doubles::Reader::from_open(open, |open| open.bytes(bytes))?)
}

fn read(report: &mut Report, other: ByteOrder) -> Outcome<()> {
    let reader = reader(other)?;
    let source = reader.stream().source().bytes().ok_or("a stream in memory")?;
    let (numbers, rest) = source.as_chunks();
    assert!(rest.is_empty(), "the bytes are doubles");
    let source: Vec<f64> = numbers.iter().map(|bytes| f64::from_ne_bytes(*bytes)).collect();
    let buffer = RefCell::new(vec![1_f64; COUNT]);
    let used = compare(
        || {
            let mut buffer = buffer.borrow_mut();
            seconds(|| Ok(reader.x().read_into(black_box(&mut buffer))?))
        },
        || {
            let mut buffer = buffer.borrow_mut();
            seconds(|| {
                black_box(&mut buffer).copy_from_slice(black_box(&source));
                Ok(())
            })
        },
    )?;
    let what = "64 MiB of typed f8 of the other order into a used buffer, to memcpy";
    report.add(what, used.ratio, "", Target::AtLeast(0.95))?;
    let mut numpy = numpy(SIZE)?;
    numpy.ask(if other == ByteOrder::Big { ">f8" } else { "<f8" })?;
    let fresh = compare(
        || {
            seconds(|| {
                black_box(reader.x().read()?);
                Ok(())
            })
        },
        || numpy.ask("go"),
    )?;
    let what = "64 MiB of typed f8 of the other order into a new array, to numpy";
    report.add(what, fresh.ratio, "", Target::AtLeast(0.9))
}

/// A view costs what finding the array costs: of a large one as of a small one.
fn view(report: &mut Report) -> Outcome<()> {
    const TIMES: usize = 1000;
    let reader = reader(HOST)?;
    let view = least(|| {
        for _ in 0..TIMES {
            black_box(reader.x().view()?);
        }
        Ok(())
    })?;
    let what = "a view of 64 MiB of typed f8 of the native order";
    report.add(what, view / TIMES as f64 * 1e6, "µs", Target::AtMost(2.0))
}

/// A new stream in memory, next to a copy of its bytes into new memory.
fn in_memory(report: &mut Report, elements: &[f64], other: ByteOrder) -> Outcome<()> {
    let new = compare(
        || {
            seconds(|| {
                let create = Create::new().raw().order(other);
                let writer = create.memory::<doubles::Layout>(&doubles::Params::default())?;
                writer.x().write(&ArrayView1::from(black_box(elements)))?;
                black_box(writer.finish_bytes()?);
                Ok(())
            })
        },
        || {
            seconds(|| {
                black_box(black_box(elements).to_vec());
                Ok(())
            })
        },
    )?;
    let what = "64 MiB of f8 of the other order to a new stream in memory, to a new copy";
    report.add(what, new.ratio, "", Target::AtLeast(0.95))
}

/// A new file that appears when it is complete: both write to another name, to a file of full length,
/// have it stored, and rename it. Bytes of the other order are copied first by the plain way too.
fn in_file(
    report: &mut Report,
    folder: &Path,
    elements: &[f64],
    order: ByteOrder,
    name: &str,
) -> Outcome<()> {
    let mut bytes = vec![0; SIZE];
    for (from, to) in elements.iter().zip(bytes.as_chunks_mut().0) {
        *to = if order == ByteOrder::Big { from.to_be_bytes() } else { from.to_le_bytes() };
    }
    let mut copy = bytes.clone();
    let (ours, theirs) = (folder.join("ours"), folder.join("theirs"));
    let partial = folder.join("partial");
    let compared = compare(
        || {
            let _ = std::fs::remove_file(&ours);
            seconds(|| {
                let create = Create::new().raw().order(order);
                let writer = create.file::<doubles::Layout>(&ours, &doubles::Params::default())?;
                writer.x().write(&ArrayView1::from(black_box(elements)))?;
                Ok(writer.finish()?)
            })
        },
        || {
            let _ = std::fs::remove_file(&theirs);
            seconds(|| {
                let mut file = OpenOptions::new().write(true).create_new(true).open(&partial)?;
                file.set_len(SIZE as u64)?;
                if order == HOST {
                    file.write_all(black_box(&bytes))?
                } else {
                    copy.copy_from_slice(black_box(&bytes));
                    file.write_all(black_box(&copy))?;
                }
                file.sync_all()?;
                std::fs::rename(&partial, &theirs)?;
                Ok(File::open(folder)?.sync_all()?)
            })
        },
    )?;
    if std::fs::read(&ours)? != bytes {
        return Err("the file has other bytes".into());
    }
    let place = if folder.starts_with("/dev/shm") { "tmpfs" } else { "a disk" };
    let plain = if order == HOST { "`write_all`" } else { "memcpy and `write_all`" };
    let what = format!("64 MiB of f8 of the {name} order to a file on {place}, to {plain}");
    report.add(&what, compared.ratio, "", Target::AtLeast(0.95))?;
    let speed = SIZE as f64 / compared.ours / 1e9;
    report.add("its fastest run", speed, "GB/s", Target::None)
}
