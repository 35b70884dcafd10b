//! One array out of a hundred thousand in a self-describing file: opened and read, next to h5py.

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use dudley::index::{self, Index, Options};
use dudley::signature::Signature;
use dudley::writer::attached_text;
use dudley::{ByteOrder, Indexed, Stream, Writer, parse_layout};
use dudley_tests::python::Python;

use crate::Outcome;
use crate::report::{Report, Target};
use crate::timing::{compare, least, seconds};

/// Arrays in the file.
const ARRAYS: usize = 100_000;

/// Bytes of an array with checksums.
const LARGE: usize = 512 << 20;

/// Doubles in each.
const LENGTH: usize = 8;

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("many.bd");
    write(&path)?;
    let build = least(|| {
        black_box(index::write(&path, Options::default())?);
        Ok(())
    })?;
    report.add("make the index of 100,000 arrays", build * 1e3, "ms", Target::None)?;

    let mut peer = Peer::start(&folder.path().join("many.h5"))?;
    let compared = compare(
        || seconds(|| sum_of(Indexed::open(&path)?.get("/x77777")?)),
        || peer.ask("x77777"),
    )?;
    let what = "open a file of 100,000 arrays, read one, with its index";
    report.add(what, compared.ours * 1e3, "ms", Target::AtMost(0.1))?;
    report.add("the same, to h5py", compared.ratio, "", Target::None)?;
    let without = least(|| sum_of(Stream::open(&path)?.get("/x77777")?))?;
    report.add("the same without the index", without * 1e3, "ms", Target::None)?;

    let file = Indexed::open(&path)?;
    let again = least(|| sum_of(file.get("/x54321")?))?;
    report.add("another one of the open file", again * 1e6, "µs", Target::None)?;

    let data = ARRAYS * LENGTH * 8;
    let ours = std::fs::metadata(&path)?.len() as usize - data;
    let part = ours as f64 / (peer.size - data) as f64;
    report.add("what layout and index take, to h5py's metadata", part, "", Target::AtMost(0.25))?;
    checksums(report, &folder.path().join("large.bd"))
}

/// How fast data is compared with its checksums.
fn checksums(report: &mut Report, path: &Path) -> Outcome<()> {
    let values = vec![1.5_f64; LARGE / 8];
    let layout = parse_layout(format!("x = f8[{}]", LARGE / 8).as_bytes())?;
    let options = Options { checksums: true };
    Writer::new(layout).put("/x", &values[..]).index(options).write_file(path, false)?;
    let index = Index::of_file(path)?.ok_or("there is no index")?;
    let seconds = least(|| {
        let mut wrong = 0;
        index.verify_data(|_| wrong += 1, |_| ())?;
        if wrong == 0 { Ok(()) } else { Err("the data has changed".into()) }
    })?;
    let speed = LARGE as f64 / seconds / 1e9;
    report.add("512 MiB compared with their checksums", speed, "GB/s", Target::None)
}

fn sum_of(item: dudley::Item) -> Outcome<()> {
    black_box(item.read::<f64>()?.sum());
    Ok(())
}

/// All arrays hold 0 to 7.
fn write(path: &Path) -> Outcome<()> {
    let mut text = String::new();
    for number in 0..ARRAYS {
        writeln!(text, "x{number:05} = f8[{LENGTH}]")?;
    }
    let mut bytes = vec![0; 16];
    for value in (0..ARRAYS).flat_map(|_| 0..LENGTH) {
        bytes.extend((value as f64).to_le_bytes());
    }
    let layout_address = Some(bytes.len() as u64);
    let signature = Signature { order: ByteOrder::Little, layout_address };
    bytes[..16].copy_from_slice(&signature.to_bytes());
    bytes.extend(attached_text(&parse_layout(text.as_bytes())?));
    Ok(std::fs::write(path, bytes)?)
}

/// A process with h5py and a file of its own, which waits until it is asked.
struct Peer {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    /// Bytes of its file.
    size: usize,
}

impl Peer {
    fn start(path: &Path) -> Outcome<Peer> {
        let python = Python::get().ok_or("there is no h5py here to compare with")?;
        let mut command = python.command("h5py_many.py");
        command.arg(path).arg(ARRAYS.to_string()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let to = child.stdin.take().ok_or("no way to ask")?;
        let from = BufReader::new(child.stdout.take().ok_or("no way to hear")?);
        let mut peer = Peer { child, to, from, size: 0 };
        peer.size = peer.hear()?.parse()?;
        Ok(peer)
    }

    /// Seconds that it takes to open its file and read a dataset.
    fn ask(&mut self, name: &str) -> Outcome<f64> {
        writeln!(self.to, "{name}")?;
        self.to.flush()?;
        Ok(self.hear()?.parse()?)
    }

    fn hear(&mut self) -> Outcome<String> {
        let mut line = String::new();
        self.from.read_line(&mut line)?;
        Ok(line.trim().to_owned())
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It ends when nobody asks any more; if not, it is ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
