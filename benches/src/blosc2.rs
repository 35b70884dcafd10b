//! Blosc2 frames read and chunks compressed, beside python-blosc2, which is the C library.
//!
//! Both read the same files, mapped into memory, to memory that was touched before. Rates are of decoded
//! bytes for each second of the processor, or of the clock.

use std::fs;
use std::path::Path;
use std::time::Instant;

use asdf_bridge::blosc2::{Codec, Encoding, Filter, Frame, Options};
use dudley_tests::python::Python;
use serde_json::Value as Json;

use crate::Outcome;
use crate::report::{Report, Target};

/// MiB of each data set.
const SIZE: &str = "64";

/// How long one measurement takes at least, in seconds.
const LEAST: f64 = 0.3;

const SCRIPT: &str = "blosc2_bench.py";

const PICKS: [(&str, &str); 6] = [
    ("item", "5, 100, 100"),
    ("cube", "20:30, 200:210, 50:60"),
    ("plane i", "64"),
    ("plane j", ":, 200"),
    ("plane k", ":, :, 50"),
    ("all", "..."),
];

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    let Some(python) = Python::get() else { return Ok(()) };
    let folder = tempfile::tempdir()?;
    python.run(SCRIPT, folder.path(), &["make", SIZE]);
    for threads in [1, 2] {
        let mut ratios = Vec::new();
        for name in names(folder.path())? {
            ratios.push(whole(report, python, folder.path(), &name, threads)?);
        }
        let mean = ratios.iter().map(|ratio: &f64| ratio.ln()).sum::<f64>() / ratios.len() as f64;
        let what = format!("blosc2: mean over C, {threads} threads");
        report.add(&what, mean.exp(), "x", Target::AtLeast(1.05))?;
    }
    for threads in [1, 2] {
        let mut ratios = Vec::new();
        for name in names(folder.path())? {
            ratios.push(compressed(report, python, folder.path(), &name, threads)?);
        }
        let mean = ratios.iter().map(|ratio: &f64| ratio.ln()).sum::<f64>() / ratios.len() as f64;
        let what = format!("blosc2: compressed, mean over C, {threads} threads");
        report.add(&what, mean.exp(), "x", Target::AtLeast(1.0))?;
    }
    for codec in ["LZ4", "ZSTD"] {
        for (pick, slice) in PICKS {
            part(report, python, folder.path(), (&format!("cube {codec}"), pick, slice))?;
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

/// How much faster a whole frame is read than by C: by the processor's seconds for one thread, by the
/// clock for more.
fn whole(
    report: &mut Report,
    python: &Python,
    folder: &Path,
    name: &str,
    threads: usize,
) -> Outcome<f64> {
    let frame = Options::new().threads(threads).file(folder.join(name))?;
    let mut buffer = vec![0; usize::try_from(frame.nbytes())?];
    let ours = timed(|| Ok(frame.read_range(0, &mut buffer)?))?;
    let theirs = python.run(SCRIPT, folder, &["read", name, &threads.to_string()]);
    let theirs: Json = serde_json::from_str(&theirs)?;
    let (key, ours) = if threads == 1 { ("cpu", ours.cpu) } else { ("best", ours.best) };
    let theirs = theirs[key].as_f64().ok_or("a number")?;
    let rate = |seconds: f64| frame.nbytes() as f64 / seconds / 1e9;
    let what = format!("blosc2: {name}, {threads} (C {:.2})", rate(theirs));
    report.add(&what, rate(ours), "GB/s", Target::AtLeast(0.9 * rate(theirs)))?;
    Ok(theirs / ours)
}

/// How much faster the chunks of a frame are compressed than by C, as in [`whole`]; beside it what they come
/// to.
fn compressed(
    report: &mut Report,
    python: &Python,
    folder: &Path,
    name: &str,
    threads: usize,
) -> Outcome<f64> {
    let frame = Frame::open(folder.join(name))?;
    let raw = frame.read()?;
    let parts: Vec<&str> = name.rsplit(' ').collect();
    let filter = if parts[0] == "SHUFFLE" { Filter::Shuffle } else { Filter::BitShuffle };
    let codec = Codec::of_name(&parts[1].to_lowercase()).ok_or("a codec")?;
    let encoding = Encoding::new(frame.typesize()).codec(codec).filters(&[filter]).threads(threads);
    let chunksize = usize::try_from(frame.chunksize().ok_or("chunks")?)?;
    let mut size = 0;
    let ours = timed(|| {
        size = 0;
        for chunk in raw.chunks(chunksize) {
            size += encoding.chunk(chunk)?.len();
        }
        Ok(())
    })?;
    let theirs = python.run(SCRIPT, folder, &["compress", name, &threads.to_string()]);
    let theirs: Json = serde_json::from_str(&theirs)?;
    let their_size = theirs["size"].as_f64().ok_or("a number")?;
    let (key, ours) = if threads == 1 { ("cpu", ours.cpu) } else { ("best", ours.best) };
    let theirs = theirs[key].as_f64().ok_or("a number")?;
    let rate = |seconds: f64| raw.len() as f64 / seconds / 1e9;
    let what = format!("blosc2: compress {name}, {threads} (C {:.2})", rate(theirs));
    report.add(&what, rate(ours), "GB/s", Target::AtLeast(0.95 * rate(theirs)))?;
    if threads == 1 {
        let ratio = raw.len() as f64 / size as f64;
        let their_ratio = raw.len() as f64 / their_size;
        let what = format!("blosc2: ratio of {name} (C {their_ratio:.2})");
        report.add(&what, ratio, "x", Target::AtLeast(0.98 * their_ratio))?;
    }
    Ok(theirs / ours)
}

fn part(
    report: &mut Report,
    python: &Python,
    folder: &Path,
    of: (&str, &str, &str),
) -> Outcome<()> {
    let (name, pick, slice) = of;
    let array = Frame::open(folder.join(name))?.array()?.ok_or("an array")?;
    let read = || {
        array.slice::<f64>(slice)?;
        Ok(())
    };
    let ours = timed(read)?.best;
    let theirs = python.run(SCRIPT, folder, &["part", name, pick, "2"]);
    let theirs: Json = serde_json::from_str(&theirs)?;
    let theirs = theirs["best"].as_f64().ok_or("a number")?;
    let what = format!("blosc2: {name}, {pick} (C {:.3} ms)", theirs * 1e3);
    let most = match pick {
        "plane k" => 0.25,
        "all" => 0.8,
        _ => 0.5,
    };
    report.add(&what, ours * 1e3, "ms", Target::AtMost(most * theirs * 1e3))
}

struct Time {
    cpu: f64,
    best: f64,
}

fn timed(mut read: impl FnMut() -> Outcome<()>) -> Outcome<Time> {
    read()?;
    let (mut rounds, mut best) = (0, f64::MAX);
    let (cpu, start) = (processor()?, Instant::now());
    while start.elapsed().as_secs_f64() < LEAST || rounds < 3 {
        let start = Instant::now();
        read()?;
        best = best.min(start.elapsed().as_secs_f64());
        rounds += 1;
    }
    Ok(Time { cpu: (processor()? - cpu) / f64::from(rounds), best })
}

/// Seconds of the processor that this program has used; those of the clock where nobody says.
fn processor() -> Outcome<f64> {
    let Ok(text) = fs::read_to_string("/proc/self/schedstat") else {
        return Err("only measured on Linux".into());
    };
    let nanoseconds = text.split(' ').next().unwrap_or_default();
    Ok(nanoseconds.parse::<f64>()? / 1e9)
}
