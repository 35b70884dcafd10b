//! How fast ASDF files are written, beside Python's `asdf`: see [`asdf`](crate::asdf).

use asdf_bridge::asdf::{AsdfFile, Builder, Compression, NewArray};

use crate::Outcome;
use crate::asdf::COUNT;
use crate::process::Process;
use crate::report::{Report, Target};
use crate::scale;
use crate::timing::{compare, seconds};

/// Blocks of the file that has several.
const PARTS: usize = 16;

/// A codec by its label.
type Labelled = (&'static str, fn() -> Compression);

/// Codecs at the levels that Python takes.
const CODECS: [Labelled; 4] = [
    ("lz4", Compression::lz4),
    ("zlib", || Compression::zlib(6)),
    ("bzp2", || Compression::bzp2(9)),
    ("zstd", || Compression::zstd(3)),
];

/// Writes the array that Python writes.
pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    let folder = scale::folder()?;
    let (count, none) = (COUNT.to_string(), "0");
    let arguments = [folder.path().as_os_str(), count.as_ref(), none.as_ref(), "raw".as_ref()];
    let mut python = Process::start("asdf_peer.py", arguments)?;
    python.hear()?;
    let values = AsdfFile::open(folder.path().join("raw.asdf"))?.array("/x")?.read::<f64>()?;
    let values = values.as_slice().ok_or("no slice")?;
    let to = folder.path().join("out.asdf");
    let write = |builder: Builder<'_>| seconds(|| Ok(builder.write_file(&to, true)?));
    let one = || write(Builder::new().put("x", NewArray::from(values)));
    let found = compare(one, || python.ask("md5 alone"))?;
    let what = format!("asdf: 256 MiB of f8 written, to MD5 alone ({:.3} s)", found.other);
    report.add(&what, 1.0 / found.ratio, "times as long", Target::AtMost(1.1))?;
    let several = || {
        let mut builder = Builder::new();
        for (at, part) in values.chunks(values.len() / PARTS).enumerate() {
            builder = builder.put(&format!("x{at}"), NewArray::from(part));
        }
        write(builder)
    };
    let found = compare(several, || python.ask("write parts"))?;
    let what = format!("asdf: written as {PARTS} blocks (Python {:.3} s)", found.other);
    report.add(&what, 1.0 / found.ratio, "times as long", Target::AtMost(0.6))?;
    for (codec, compression) in CODECS {
        let quarter = &values[..values.len() / 4];
        let ours = || {
            let array = NewArray::from(quarter).compressed(compression());
            write(Builder::new().put("x", array))
        };
        let found = compare(ours, || python.ask(&format!("write {codec}")))?;
        let what = format!("asdf: 64 MiB of f8 written, {codec} (Python {:.3} s)", found.other);
        report.add(&what, 1.0 / found.ratio, "times as long", Target::None)?;
    }
    Ok(())
}
