//! How fast 512 MiB of doubles are read, looked at and written, next to what a program would do that
//! knows the address; and what a slice along the middle dimension costs.

use std::cell::RefCell;
use std::fs::{File, OpenOptions};
use std::hint::black_box;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use dudley::bytes::{Counted, FileSource, MapSource};
use dudley::elements::HOST;
use dudley::ndarray::ArrayView1;
use dudley::typed::Create;
use dudley::{ByteOrder, Data, Open, Work};
use tempfile::TempDir;
use zerocopy::IntoBytes;

use crate::Outcome;
use crate::report::{Report, Target};
use crate::timing::{Compared, compare, seconds};

/// Elements of the array: 64 planes of 1024 rows of 1024.
pub(crate) const COUNT: usize = 64 << 20;

/// Bytes of a page: a copy within the same place of one is the fastest.
const PAGE: usize = 4096;

/// Where buffers begin, in bytes from a page: like the file, and as allocators have it.
const ALIKE: usize = 0;
const ALLOCATED: usize = 16;

dudley::layout! {
    /// One array, in the byte order of the stream.
    pub(crate) mod large = r"
COUNT : 67108864
x = f8[COUNT]
"
}

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    let folder = folder()?;
    let path = folder.path().join("large");
    let elements: Vec<f64> = (0..COUNT).map(|at| at as f64).collect();
    write(report, &path, &elements)?;
    drop(elements);
    let other = if HOST == ByteOrder::Little { ByteOrder::Big } else { ByteOrder::Little };
    let buffer = buffer();
    let cases: [(&str, ByteOrder, bool, usize, usize, Target); 8] = [
        ("a file", HOST, false, 1, ALIKE, Target::AtMost(1.05)),
        ("a file, two threads", HOST, false, 2, ALIKE, Target::AtMost(0.7)),
        ("a file, other order", other, false, 1, ALIKE, Target::AtMost(1.05)),
        ("a map", HOST, true, 1, ALIKE, Target::AtMost(1.05)),
        ("a map, two threads", HOST, true, 2, ALIKE, Target::AtMost(0.7)),
        ("a map, other order", other, true, 1, ALIKE, Target::AtMost(1.05)),
        ("a file, a buffer that is not aligned", HOST, false, 1, ALLOCATED, Target::AtMost(1.05)),
        ("a map, a buffer that is not aligned", HOST, true, 1, ALLOCATED, Target::AtMost(1.05)),
    ];
    for (name, order, mapped, threads, start, target) in cases {
        let found = read(&path, &buffer, (order, mapped, threads), start)?;
        let what = format!("512 MiB of f8 into a buffer from {name}, to one `pread`");
        report.add(&what, 1.0 / found.ratio, "times as long", target)?;
    }
    two_threads(report, &path, &buffer)?;
    view(report, &path, &buffer)?;
    slice(report, &path)
}

/// A folder in memory, where there is one.
pub(crate) fn folder() -> Outcome<TempDir> {
    Ok(match Path::new("/dev/shm") {
        memory if memory.is_dir() => tempfile::tempdir_in(memory)?,
        _ => tempfile::tempdir()?,
    })
}

/// A buffer that was written before, with room to begin [where](at) one wants.
pub(crate) fn buffer() -> RefCell<Vec<f64>> {
    RefCell::new(vec![1.0; COUNT + PAGE / size_of::<f64>()])
}

/// The part of a buffer of `COUNT` elements that begins this many bytes after a page.
pub(crate) fn at(buffer: &mut [f64], start: usize) -> &mut [f64] {
    let first = buffer.as_ptr().align_offset(PAGE) + start / size_of::<f64>();
    &mut buffer[first..first + COUNT]
}

pub(crate) fn data(path: &Path, order: ByteOrder, mapped: bool, threads: usize) -> Outcome<Data> {
    let open = Open::new().layout_text("x = f8[64, 1024, 1024]")?.raw().order(order);
    let open = open.work(Work::new().threads(threads));
    let stream = if mapped { open.source(mapped_file(path)?)? } else { open.file(path)? };
    Ok(stream.get("/x")?.data()?)
}

/// A file that is mapped, for what measures just that.
pub(crate) fn mapped_file(path: &Path) -> Outcome<MapSource> {
    // SAFETY: the files are those of these benchmarks alone, which write none that is open.
    Ok(unsafe { MapSource::open(path)? })
}

fn read(
    path: &Path,
    buffer: &RefCell<Vec<f64>>,
    (order, mapped, threads): (ByteOrder, bool, usize),
    start: usize,
) -> Outcome<Compared> {
    let data = data(path, order, mapped, threads)?;
    let mut file = File::open(path)?;
    compare(
        || {
            let mut buffer = buffer.borrow_mut();
            seconds(|| Ok(data.read_into(black_box(at(&mut buffer, start)))?))
        },
        || seconds(|| raw(&mut file, at(&mut buffer.borrow_mut(), start))),
    )
}

/// All of a file into a buffer, as a program does that knows where its array is.
fn raw(file: &mut File, buffer: &mut [f64]) -> Outcome<()> {
    file.seek(SeekFrom::Start(0))?;
    Ok(file.read_exact(black_box(buffer).as_mut_bytes())?)
}

/// How the numbers of a view are summed.
type Sum = fn(&Data) -> Outcome<f64>;

/// What a program gains that reads the halves of a file by two threads: nobody reads it faster who
/// does not know more.
fn two_threads(report: &mut Report, path: &Path, buffer: &RefCell<Vec<f64>>) -> Outcome<()> {
    let mut file = File::open(path)?;
    let halves = compare(
        || {
            let mut buffer = buffer.borrow_mut();
            let (front, back) = at(&mut buffer, ALIKE).split_at_mut(COUNT / 2);
            let half = |start: usize, to: &mut [f64]| -> std::io::Result<()> {
                let mut file = File::open(path)?;
                file.seek(SeekFrom::Start((start * size_of::<f64>()) as u64))?;
                file.read_exact(black_box(to).as_mut_bytes())
            };
            seconds(|| {
                std::thread::scope(|scope| {
                    let back = scope.spawn(|| half(COUNT / 2, back));
                    half(0, front)?;
                    Ok(back.join().map_err(|_| "a thread that ended early")??)
                })
            })
        },
        || seconds(|| raw(&mut file, at(&mut buffer.borrow_mut(), ALIKE))),
    )?;
    let what = "two threads that read a half each with `pread`, to one `pread`";
    report.add(what, 1.0 / halves.ratio, "times as long", Target::None)
}

fn view(report: &mut Report, path: &Path, buffer: &RefCell<Vec<f64>>) -> Outcome<()> {
    let data = data(path, HOST, true, 1)?;
    let mut file = File::open(path)?;
    let sums: [(&str, Sum, Target); 3] = [
        ("a view of 512 MiB of f8 and its sum", in_turn, Target::AtMost(0.3)),
        ("a view, and the sum of `ndarray`", |data| Ok(data.view::<f64>()?.sum()), Target::None),
        ("a view, and a plain loop", in_order, Target::None),
    ];
    for (what, sum, target) in sums {
        let found = compare(
            || {
                seconds(|| {
                    black_box(sum(black_box(&data))?);
                    Ok(())
                })
            },
            || seconds(|| raw(&mut file, at(&mut buffer.borrow_mut(), ALIKE))),
        )?;
        report.add(
            &format!("{what}, to one `pread`"),
            1.0 / found.ratio,
            "times as long",
            target,
        )?;
    }
    Ok(())
}

/// The sum of a view from four of its places in turn: a processor fetches ahead in each of them, and so
/// gets more from memory than from one.
fn in_turn(data: &Data) -> Outcome<f64> {
    let view = data.view::<f64>()?;
    let numbers = view.as_slice().ok_or("elements side by side")?;
    let (quarters, rest) = numbers.split_at(numbers.len() / 32 * 32);
    let quarters: Vec<&[[f64; 8]]> =
        quarters.chunks_exact(quarters.len() / 4).map(|quarter| quarter.as_chunks().0).collect();
    let [one, two, three, four] = quarters[..] else { return Err("four quarters".into()) };
    let mut sums = [[0.0; 8]; 4];
    for (((one, two), three), four) in one.iter().zip(two).zip(three).zip(four) {
        for (sums, numbers) in sums.iter_mut().zip([one, two, three, four]) {
            sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
        }
    }
    Ok(sums.iter().flatten().chain(rest).sum())
}

/// The sum of a view from its first to its last number: enough sums at a time that none is waited for.
fn in_order(data: &Data) -> Outcome<f64> {
    let view = data.view::<f64>()?;
    let (blocks, rest) = view.as_slice().ok_or("elements side by side")?.as_chunks::<16>();
    let mut sums = [0.0; 16];
    for block in blocks {
        sums.iter_mut().zip(block).for_each(|(sum, number)| *sum += number);
    }
    Ok(sums.iter().chain(rest).sum())
}

fn write(report: &mut Report, path: &Path, elements: &[f64]) -> Outcome<()> {
    let partial = path.with_extension("partial");
    let bytes: Vec<u8> = elements.iter().flat_map(|element| element.to_ne_bytes()).collect();
    let written = compare(
        || {
            let _ = std::fs::remove_file(path);
            seconds(|| {
                let create = Create::new().raw().order(HOST);
                let writer = create.file::<large::Layout>(path, &large::Params::default())?;
                writer.x().write(&ArrayView1::from(black_box(elements)))?;
                Ok(writer.finish()?)
            })
        },
        || {
            let theirs = path.with_extension("theirs");
            let _ = std::fs::remove_file(&theirs);
            seconds(|| {
                let mut file = OpenOptions::new().write(true).create_new(true).open(&partial)?;
                file.set_len(bytes.len() as u64)?;
                file.write_all(black_box(&bytes))?;
                file.sync_all()?;
                Ok(std::fs::rename(&partial, &theirs)?)
            })
        },
    )?;
    std::fs::remove_file(path.with_extension("theirs"))?;
    let what = "512 MiB of f8 to a new file, to `write_all`";
    report.add(what, 1.0 / written.ratio, "times as long", Target::AtMost(1.05))
}

/// Ten rows of each of the 64 planes.
fn slice(report: &mut Report, path: &Path) -> Outcome<()> {
    const BYTES: u64 = 64 * 10 * 1024 * 8;
    let counted = std::sync::Arc::new(Counted::new(FileSource::open(path)?));
    let open = Open::new().layout_text("x = f8[64, 1024, 1024]")?.raw();
    let stream = open.source(counted.clone())?;
    let picked = stream.select("/x[:, 500:510, :]")?;
    black_box(picked.read::<f64>()?);
    let what = "a slice along the middle of 64 x 1024 x 1024 f8: bytes read";
    let part = counted.bytes_read() as f64 / BYTES as f64;
    report.add(what, part, "times its bytes", Target::AtMost(1.3))?;
    report.add("requests", counted.requests() as f64, "", Target::AtMost(64.0))?;

    let data = data(path, HOST, false, 1)?;
    let part = data.slice(&dudley::read::slice::parse_slice(":, 500:510, :")?)?;
    let mut file = File::open(path)?;
    let (mut ours, mut theirs) = (vec![0.0; BYTES as usize / 8], vec![0.0; BYTES as usize / 8]);
    let compared = compare(
        || seconds(|| Ok(part.read_into(black_box(&mut ours))?)),
        || {
            seconds(|| {
                for (plane, rows) in theirs.chunks_exact_mut(10 * 1024).enumerate() {
                    let address = (plane * 1024 + 500) * 1024 * 8;
                    file.seek(SeekFrom::Start(address as u64))?;
                    file.read_exact(black_box(rows).as_mut_bytes())?;
                }
                Ok(())
            })
        },
    )?;
    let what = "its time, to 64 times `pread`";
    report.add(what, 1.0 / compared.ratio, "times as long", Target::None)
}
