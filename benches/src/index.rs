//! One array out of a hundred thousand in a self-describing file: opened and read, next to other libraries.

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;

use dudley::bytes::Signature;
use dudley::index::{self, Index, Options};
use dudley::write::attached_text;
use dudley::{ByteOrder, Indexed, Stream, Writer, parse_layout};

use crate::report::{Report, Target};
use crate::timing::{compare, least, seconds};
use crate::{Outcome, kept};

/// Arrays in the file.
const ARRAYS: usize = 100_000;

/// Other libraries with as many arrays as they can make in time, and how they are called.
const PEERS: [(&str, usize, &str); 3] = [
    ("netcdf3", ARRAYS, "netCDF4, of netCDF-3"),
    ("netcdf4", ARRAYS / 100, "netCDF4, of netCDF-4 with 1,000"),
    ("zarr", ARRAYS / 10, "zarr, of 10,000"),
];

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

    let ours = || seconds(|| sum_of(Indexed::open(&path)?.get("/x77777")?));
    let mut h5py = kept::reader("many.py", &["h5py", &ARRAYS.to_string()])?;
    let theirs = h5py.hear()?;
    let compared = compare(ours, || h5py.ask("x77777"))?;
    let what = "open a file of 100,000 arrays, read one, with its index";
    report.add(what, compared.ours * 1e3, "ms", Target::AtMost(0.1))?;
    report.add("the same, to h5py", compared.ratio, "times as fast", Target::None)?;
    for (library, arrays, name) in PEERS {
        let mut peer = kept::reader("many.py", &[library, &arrays.to_string()])?;
        peer.hear()?;
        let compared = compare(ours, || peer.ask("x00777"))?;
        let what = format!("the same, to {name}");
        report.add(&what, compared.ratio, "times as fast", Target::None)?;
    }
    let without = least(|| sum_of(Stream::open(&path)?.get("/x77777")?))?;
    report.add("the same without the index", without * 1e3, "ms", Target::None)?;

    let file = Indexed::open(&path)?;
    let again = least(|| sum_of(file.get("/x54321")?))?;
    report.add("another one of the open file", again * 1e6, "µs", Target::None)?;

    let data = (ARRAYS * LENGTH * 8) as f64;
    let part = (std::fs::metadata(&path)?.len() as f64 - data) / (theirs - data);
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
