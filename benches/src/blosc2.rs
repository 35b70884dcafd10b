//! Blosc2 frames read and chunks compressed, beside python-blosc2, which is the C library.
//!
//! Both read the same files, mapped into memory, to memory that was touched before. What one thread does is
//! measured in seconds of the processor, what two do by the clock.

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use asdf_bridge::blosc2::{Codec, Encoding, Filter, Frame, Options};
use dudley_tests::python::Python;
use rustix::time::{ClockId, clock_gettime};

use crate::Outcome;
use crate::process::Process;
use crate::report::{Report, Target};
use crate::scale;
use crate::timing::compare_within;

/// MiB of each data set; of an array four times as many.
const SIZE: &str = "64";

/// Bytes of a data set that are compressed.
const PART: usize = 16 << 20;

/// What is done again until it has taken so long, in seconds.
const LEAST: f64 = 0.04;

/// Seconds that a row may take, if it can be done in them.
const PATIENCE: f64 = 0.8;

/// How fast we are to be at least, as a part of the speed of C: each frame read, and those of
/// [`BITSHUFFLED`] together; each compressed.
const READ: f64 = 0.9;
const READ_BITSHUFFLED: f64 = 1.3;
const COMPRESSED: f64 = 0.95;

const BITSHUFFLED: &str = "LZ4 BITSHUFFLE";

/// What no codec makes smaller.
const STORED: &str = "random LZ4 SHUFFLE";

/// Parts of an array, and how long we may take at most, as a part of the time of C, where it reads from a
/// file.
const PICKS: [(&str, &str, f64); 6] = [
    ("item", "5, 100, 100", 0.5),
    ("cube", "20:30, 200:210, 50:60", 0.5),
    ("plane i", "64", 0.5),
    ("plane j", ":, 200", 0.5),
    ("plane k", ":, :, 50", 0.25),
    ("all", "...", 0.8),
];

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    let Some(python) = Python::get() else { return Ok(()) };
    let folder = tempfile::tempdir()?;
    let arguments = [folder.path().as_os_str(), SIZE.as_ref()];
    let mut peer = Process::of(python, "blosc2_bench.py", arguments)?;
    // It has written the files then.
    peer.hear()?;
    let names = names(folder.path())?;
    for threads in [1, 2] {
        let mut ratios = Vec::new();
        for name in &names {
            ratios.push(whole(report, &mut peer, folder.path(), name, threads)?);
        }
        let what = format!("blosc2: read, mean of all, {threads} threads");
        report.add(&what, mean(&ratios), "times as fast", Target::AtLeast(1.05))?;
        let of = names.iter().zip(&ratios).filter(|(name, _)| name.ends_with(BITSHUFFLED));
        let of: Vec<f64> = of.map(|(_, ratio)| *ratio).collect();
        let what = format!("blosc2: read, mean of {BITSHUFFLED}, {threads} threads");
        report.add(&what, mean(&of), "times as fast", Target::AtLeast(READ_BITSHUFFLED))?;
    }
    stored(report, folder.path())?;
    for threads in [1, 2] {
        let mut ratios = Vec::new();
        for name in &names {
            ratios.push(compressed(report, &mut peer, folder.path(), name, threads)?);
        }
        let what = format!("blosc2: compressed, mean of all, {threads} threads");
        report.add(&what, mean(&ratios), "times as fast", Target::AtLeast(1.0))?;
    }
    for name in names.iter().filter(|name| *name != STORED) {
        ratio(report, &mut peer, folder.path(), name)?;
    }
    for codec in ["LZ4", "ZSTD"] {
        for pick in PICKS {
            part(report, &mut peer, folder.path(), &format!("cube {codec}"), pick)?;
        }
    }
    Ok(())
}

fn names(folder: &Path) -> Outcome<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.retain(|name| !name.starts_with("cube"));
    names.sort();
    Ok(names)
}

/// The geometric mean.
fn mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp()
}

/// How much faster a whole frame is read than by C.
fn whole(
    report: &mut Report,
    peer: &mut Process,
    folder: &Path,
    name: &str,
    threads: usize,
) -> Outcome<f64> {
    let frame = Options::new().threads(threads).source(scale::mapped_file(&folder.join(name))?)?;
    let mut buffer = vec![0; usize::try_from(frame.nbytes())?];
    let ours = || timed(threads, || Ok(frame.read_range(0, &mut buffer)?));
    let found = compare_within(PATIENCE, ours, || peer.ask(&format!("read|{threads}|{name}")))?;
    let rate = frame.nbytes() as f64 / found.other / 1e9;
    let what = format!("blosc2: read {name}, {threads} (C {rate:.2} GB/s)");
    report.add(&what, found.ratio, "times as fast", Target::AtLeast(READ))?;
    Ok(found.ratio)
}

/// How fast what is stored as it is is read, beside a copy of as many bytes.
fn stored(report: &mut Report, folder: &Path) -> Outcome<()> {
    let frame = Options::new().threads(1).source(scale::mapped_file(&folder.join(STORED))?)?;
    let mut buffer = frame.read()?;
    let (source, mut target) = (frame.read()?, vec![1; buffer.len()]);
    let ours = || timed(1, || Ok(frame.read_range(0, &mut buffer)?));
    let copy = || {
        timed(1, || {
            black_box(&mut target).copy_from_slice(black_box(&source));
            Ok(())
        })
    };
    let found = compare_within(PATIENCE, ours, copy)?;
    let rate = frame.nbytes() as f64 / found.other / 1e9;
    let what = format!("blosc2: read stored data, 1 (memcpy {rate:.2} GB/s)");
    report.add(&what, found.ratio, "times as fast", Target::AtLeast(1.0))
}

/// The first bytes of a frame, as many as are compressed, chunk by chunk, and how.
fn raw(folder: &Path, name: &str) -> Outcome<(Vec<u8>, usize, Encoding)> {
    let frame = Frame::open(folder.join(name))?;
    let mut raw = vec![0; PART];
    frame.read_range(0, &mut raw)?;
    let parts: Vec<&str> = name.rsplit(' ').collect();
    let filter = if parts[0] == "SHUFFLE" { Filter::Shuffle } else { Filter::BitShuffle };
    let codec = Codec::of_name(&parts[1].to_lowercase()).ok_or("a codec")?;
    let chunksize = usize::try_from(frame.chunksize().ok_or("chunks")?)?;
    Ok((raw, chunksize, Encoding::new(frame.typesize()).codec(codec).filters(&[filter])))
}

/// How much faster chunks are compressed than by C.
fn compressed(
    report: &mut Report,
    peer: &mut Process,
    folder: &Path,
    name: &str,
    threads: usize,
) -> Outcome<f64> {
    let (raw, chunksize, encoding) = raw(folder, name)?;
    let encoding = encoding.threads(threads);
    let ours = || {
        timed(threads, || {
            for chunk in raw.chunks(chunksize) {
                black_box(encoding.chunk(chunk)?);
            }
            Ok(())
        })
    };
    let found = compare_within(PATIENCE, ours, || peer.ask(&format!("compress|{threads}|{name}")))?;
    let rate = raw.len() as f64 / found.other / 1e9;
    let what = format!("blosc2: compress {name}, {threads} (C {rate:.2} GB/s)");
    report.add(&what, found.ratio, "times as fast", Target::AtLeast(COMPRESSED))?;
    Ok(found.ratio)
}

/// How small chunks are compressed, beside those of C.
fn ratio(report: &mut Report, peer: &mut Process, folder: &Path, name: &str) -> Outcome<()> {
    let (raw, chunksize, encoding) = raw(folder, name)?;
    let ours = raw.chunks(chunksize).try_fold(0, |sum, chunk| {
        Ok::<usize, Box<dyn std::error::Error>>(sum + encoding.chunk(chunk)?.len())
    })?;
    let theirs = peer.ask(&format!("size|1|{name}"))?;
    let what = format!("blosc2: ratio of {name} (C {:.2})", raw.len() as f64 / theirs);
    report.add(&what, theirs / ours as f64, "x that of C", Target::AtLeast(0.98))
}

/// How long a part of an array takes, as a part of the time of C, which opened the file as it does by
/// default, and mapped.
fn part(
    report: &mut Report,
    peer: &mut Process,
    folder: &Path,
    name: &str,
    (pick, slice, most): (&str, &str, f64),
) -> Outcome<()> {
    let frame = Options::new().threads(2).source(scale::mapped_file(&folder.join(name))?)?;
    let array = frame.array()?.ok_or("an array")?;
    let ours = || {
        timed(2, || {
            black_box(array.slice::<f64>(slice)?);
            Ok(())
        })
    };
    for (how, said, target) in
        [("file", "file", Target::AtMost(most)), ("map", "mapped file", Target::None)]
    {
        let other = || peer.ask(&format!("{how}|2|{name}|{pick}"));
        let found = compare_within(PATIENCE, ours, other)?;
        let what = format!("blosc2: {name}, {pick} (C, {said}: {:.3} ms)", found.other * 1e3);
        report.add(&what, 1.0 / found.ratio, "times as long", target)?;
    }
    Ok(())
}

/// Seconds that a run takes, the mean of several, behind one that is not counted: it is the peer's turn
/// before it, and a processor that was left wakes up for the second thread.
fn timed(threads: usize, mut run: impl FnMut() -> Outcome<()>) -> Outcome<f64> {
    let clock = || match threads {
        1 => ClockId::ProcessCPUTime,
        _ => ClockId::Monotonic,
    };
    let now = || {
        let time = clock_gettime(clock());
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    };
    run()?;
    let (began, start) = (Instant::now(), now());
    let mut rounds = 0;
    while rounds == 0 || began.elapsed().as_secs_f64() < LEAST {
        run()?;
        rounds += 1;
    }
    Ok((now() - start) / f64::from(rounds))
}
