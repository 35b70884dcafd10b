//! How fast ASDF files are opened and read, beside Python's `asdf` and the crate `asdf-rs`.
//!
//! All read the same files, which Python wrote: 256 MiB of doubles, a rounded sine with noise, and 10 000
//! blocks of 4 KiB. Each is opened anew; arrays are new.

use std::hint::black_box;
use std::path::{Path, PathBuf};

use ::asdf::AsdfFile as Peer;
use asdf_bridge::asdf::{AsdfFile, Open};

use crate::Outcome;
use crate::process::Process;
use crate::report::{Report, Target};
use crate::scale;
use crate::timing::{compare, seconds};

/// Elements of the large array.
pub(crate) const COUNT: usize = 32 << 20;
/// Arrays of the file with many.
const BLOCKS: usize = 10_000;

/// Codecs, and how long we may take at most, as a part of what Python takes.
const CODECS: [(&str, f64); 5] =
    [("raw", 0.5), ("lz4", 0.5), ("zlib", 0.65), ("bzp2", 0.55), ("zstd", 0.8)];

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    let folder = scale::folder()?;
    let (count, blocks) = (COUNT.to_string(), BLOCKS.to_string());
    let arguments = [folder.path().as_os_str(), count.as_ref(), blocks.as_ref()];
    let mut python = Process::start("asdf_peer.py", arguments)?;
    // It has written the files then.
    python.hear()?;
    for (codec, target) in CODECS {
        read(report, folder.path(), &mut python, codec, target)?;
    }
    unmapped(report, folder.path(), &mut python)?;
    element(report, folder.path(), &mut python)?;
    digest(report, folder.path(), &mut python)?;
    many(report, folder.path(), &mut python)
}

fn path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.asdf"))
}

/// All of an array, in new memory.
fn read(
    report: &mut Report,
    folder: &Path,
    python: &mut Process,
    codec: &str,
    target: f64,
) -> Outcome<()> {
    let path = path(folder, codec);
    let ours = || {
        // Memory is given back outside of what is measured, as that of peers.
        let mut array = None;
        seconds(|| {
            array = Some(black_box(AsdfFile::open(&path)?.array("/x")?.read::<f64>()?));
            Ok(())
        })
    };
    let found = compare(ours, || python.ask(&format!("read {codec}")))?;
    let what = format!("asdf: 256 MiB of f8, {codec} (Python {:.3} s)", found.other);
    report.add(&what, 1.0 / found.ratio, "times as long", Target::AtMost(target))?;
    if codec == "zstd" {
        // It has no such codec.
        return Ok(());
    }
    let peer = || {
        let mut array = None;
        seconds(|| {
            array = Some(black_box(Peer::open(&path)?.read_array_of::<f64>("x")?));
            Ok(())
        })
    };
    let found = compare(ours, peer)?;
    let what = format!("asdf: 256 MiB of f8, {codec} (asdf-rs {:.3} s)", found.other);
    report.add(&what, 1.0 / found.ratio, "times as long", Target::None)
}

/// All of an uncompressed array, read by position.
fn unmapped(report: &mut Report, folder: &Path, python: &mut Process) -> Outcome<()> {
    let path = path(folder, "raw");
    let ours = || {
        let mut array = None;
        seconds(|| {
            let file = Open::new().file(&path)?;
            array = Some(black_box(file.array("/x")?.read::<f64>()?));
            Ok(())
        })
    };
    let found = compare(ours, || python.ask("read raw"))?;
    let what = format!("asdf: 256 MiB of f8, raw, no map (Python {:.3} s)", found.other);
    report.add(&what, 1.0 / found.ratio, "times as long", Target::AtMost(0.5))
}

/// One element of a compressed block: of a piece of 4 MiB, which is one of 64.
fn element(report: &mut Report, folder: &Path, python: &mut Process) -> Outcome<()> {
    let path = path(folder, "lz4");
    let at = (COUNT / 2).to_string();
    let ours = || {
        seconds(|| {
            black_box(AsdfFile::open(&path)?.array("/x")?.slice(&at)?.scalar::<f64>()?);
            Ok(())
        })
    };
    let found = compare(ours, || python.ask("element lz4"))?;
    let what = format!("asdf: an element of 256 MiB in lz4 (Python {:.0} ms)", found.other * 1e3);
    report.add(&what, found.ours * 1e3, "ms", Target::AtMost(10.0))
}

/// All of an array, compared with its digest.
fn digest(report: &mut Report, folder: &Path, python: &mut Process) -> Outcome<()> {
    let path = path(folder, "raw");
    let ours = || {
        let mut array = None;
        seconds(|| {
            let file = AsdfFile::open(&path)?;
            if !file.verify()?.findings.is_empty() {
                return Err("the digest is another".into());
            }
            array = Some(black_box(file.array("/x")?.read::<f64>()?));
            Ok(())
        })
    };
    let found = compare(ours, || python.ask("verified raw"))?;
    let what = format!("asdf: 256 MiB of f8, digest verified (Python {:.3} s)", found.other);
    report.add(&what, 1.0 / found.ratio, "times as long", Target::AtMost(1.0))
}

/// A file of many blocks: where they are, and the last array through the tree.
fn many(report: &mut Report, folder: &Path, python: &mut Process) -> Outcome<()> {
    // On disk, as files are: of one that is only in memory each page is brought by itself, which takes longer
    // than all that is done with its header, in any program.
    let disk = tempfile::tempdir()?;
    let path = path(disk.path(), "many");
    std::fs::copy(self::path(folder, "many"), &path)?;
    let blocks = || {
        seconds(|| {
            let file = AsdfFile::open(&path)?;
            black_box(file.block(BLOCKS as i64 - 1)?);
            Ok(())
        })
    };
    let peer = || {
        seconds(|| {
            let file = Peer::open(&path)?;
            black_box(file.block_raw(BLOCKS - 1)?);
            Ok(())
        })
    };
    let found = compare(blocks, peer)?;
    let what = format!("asdf: 10000 blocks opened (asdf-rs {:.1} ms)", found.other * 1e3);
    report.add(&what, 1.0 / found.ratio, "times as long", Target::AtMost(0.5))?;
    let last = format!("/parts/{}", BLOCKS - 1);
    let tree = || {
        seconds(|| {
            black_box(AsdfFile::open(&path)?.array(&last)?.data()?);
            Ok(())
        })
    };
    let peer = || {
        seconds(|| {
            let file = Peer::open(&path)?;
            let tree = file.tree()?.ok_or("a tree")?;
            let parts = tree.get("parts").ok_or("parts")?;
            black_box(parts.at(BLOCKS as i64 - 1).and_then(|part| part.as_ndarray()));
            Ok(())
        })
    };
    let found = compare(tree, peer)?;
    let what = format!("asdf: 10000 blocks with the tree (asdf-rs {:.1} ms)", found.other * 1e3);
    report.add(&what, 1.0 / found.ratio, "times as long", Target::AtMost(1.0))?;
    let found = compare(tree, || python.ask("open many"))?;
    let what = format!("asdf: 10000 blocks with the tree (Python {:.2} s)", found.other);
    report.add(&what, 1.0 / found.ratio, "times as long", Target::AtMost(0.05))
}
