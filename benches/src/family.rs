//! How fast members of a family are found and read, next to known addresses and other libraries.

use std::fs::File;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use dudley::family::{Build, Check, Family, MemberId, Read, Within};
use dudley::{Writer, parse_layout};

use crate::Outcome;
use crate::kept;
use crate::report::{Report, Target};
use crate::timing::{compare, least, seconds};

const FILES: usize = 2000;
const ARRAYS: usize = 50;
const LENGTH: usize = 100;
/// Libraries, their files, and how much faster we are to be.
const PEERS: [(&str, &str, usize, Target); 4] = [
    ("h5py", "h5py", FILES, Target::AtLeast(30.0)),
    ("netcdf3", "netCDF4, of files of netCDF-3", FILES, Target::None),
    ("netcdf4", "netCDF4, of files of netCDF-4", FILES, Target::None),
    // A store is a folder of a hundred files and more.
    ("zarr", "zarr, of 200 stores ten times", FILES / 10, Target::None),
];
/// Members of the large catalog.
const MEMBERS: usize = 100_000;
/// Bytes from one of them to the next.
const STEP: usize = 64;

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    one_value_of_each(report)?;
    large_catalog(report)
}

/// One value from each of many files of many arrays.
fn one_value_of_each(report: &mut Report) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let files = make(folder.path())?;
    let catalog = folder.path().join("all.bd");
    let built = seconds(|| {
        Build::new().create(&catalog, &files, false)?;
        Ok(())
    })?;
    let family = Family::open(&catalog)?;
    let ids = family.ids();
    let places: Vec<(PathBuf, u64)> = {
        let mut locator = family.locator("/a25[7]")?;
        let place = |id: &MemberId| -> Outcome<(PathBuf, u64)> {
            let found = locator.locate(*id)?;
            Ok((found.file, found.spots[0].address))
        };
        ids.iter().map(place).collect::<Outcome<_>>()?
    };
    let read = |read: Read| {
        seconds(|| {
            let found = read.run(&family, "/a25[7]", &ids)?.array::<f64>()?;
            assert_eq!(found[[FILES - 1]], value(FILES - 1, 25, 7));
            Ok(())
        })
    };
    let what = "one value of each of 2,000 files of 50 arrays";
    let to_raw = compare(|| read(Read::new()), || raw(&places))?;
    let (name, unit) = (format!("{what}, to known addresses"), "of the time");
    report.add(&name, 1.0 / to_raw.ratio, unit, Target::AtMost(1.2))?;
    report.add("its fastest run", to_raw.ours * 1e3, "ms", Target::None)?;
    let trust = compare(|| read(Read::new().check(Check::Trust)), || raw(&places))?;
    let name = "without a look at the size and time of each file";
    report.add(name, 1.0 / trust.ratio, unit, Target::AtMost(1.2))?;
    report.add("making their catalog", built * 1e3, "ms", Target::None)?;
    let data = (ARRAYS * LENGTH * 8) as f64;
    let size = |path: &PathBuf| std::fs::metadata(path).map(|metadata| metadata.len() as f64);
    let sizes: Vec<f64> = files.iter().map(size).collect::<Result<_, _>>()?;
    let catalog = std::fs::metadata(&catalog)?.len() as f64;
    let beside = |what: &str, bytes: f64| (format!("bytes beside the data in {what}"), bytes);
    let average = (sizes.iter().sum::<f64>() + catalog) / FILES as f64 - data;
    let mut overheads = vec![beside("such a file and the catalog, for each", average)];
    for (library, name, files, target) in PEERS {
        let counts = [files, ARRAYS, LENGTH].map(|count| count.to_string());
        let mut peer = kept::reader("family.py", &[library, &counts[0], &counts[1], &counts[2]])?;
        overheads.push(beside(&format!("one of {library}"), peer.hear()? - data));
        let ask = || (0..FILES / files).try_fold(0.0, |sum, _| Ok(sum + peer.ask("go")?));
        let to_peer = compare(|| read(Read::new()), ask)?;
        report.add(&format!("{what}, to {name}"), to_peer.ratio, "times as fast", target)?;
    }
    for (what, bytes) in overheads {
        report.add(&what, bytes, "bytes", Target::None)?;
    }
    Ok(())
}

fn value(file: usize, array: usize, at: usize) -> f64 {
    (at + file * 1000 + array) as f64
}

/// Files of many arrays, each with a summary and its layout.
fn make(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut text = "{time : f8  N : i8}\n".to_owned();
    (0..ARRAYS).for_each(|array| text += &format!("a{array} = f8[N]\n"));
    let layout = std::sync::Arc::new(parse_layout(text.as_bytes())?);
    let file = |file: usize| -> Outcome<PathBuf> {
        let path = folder.join(format!("{file}.bd"));
        let arrays: Vec<Vec<f64>> = (0..ARRAYS)
            .map(|array| (0..LENGTH).map(|at| value(file, array, at)).collect())
            .collect();
        let mut writer = Writer::new(layout.clone())
            .attach(true)
            .param("/N", LENGTH as i128)
            .put("/time", file as f64);
        for (array, values) in arrays.iter().enumerate() {
            writer = writer.put(format!("/a{array}"), &values[..]);
        }
        std::fs::write(&path, writer.to_bytes()?)?;
        Ok(path)
    };
    (0..FILES).map(file).collect()
}

/// What it takes who knows the addresses.
fn raw(places: &[(PathBuf, u64)]) -> Outcome<f64> {
    seconds(|| {
        let mut sum = 0.0;
        for (path, address) in places {
            let mut bytes = [0; 8];
            read_at(&File::open(path)?, *address, &mut bytes)?;
            sum += f64::from_le_bytes(bytes);
        }
        black_box(sum);
        Ok(())
    })
}

#[cfg(unix)]
fn read_at(file: &File, address: u64, bytes: &mut [u8]) -> Outcome<()> {
    Ok(std::os::unix::fs::FileExt::read_exact_at(file, bytes, address)?)
}

#[cfg(not(unix))]
fn read_at(mut file: &File, address: u64, bytes: &mut [u8]) -> Outcome<()> {
    use std::io::{Read, Seek, SeekFrom};
    file.seek(SeekFrom::Start(address))?;
    Ok(file.read_exact(bytes)?)
}

/// A catalog of many members, a few thousand in each file.
fn large_catalog(report: &mut Report) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let layout = parse_layout(b"{time : f8  IMAX : i8  JMAX : i8  cycle : i8}  x = f8[4]")?;
    let each = MEMBERS / 20;
    let mut files = Vec::new();
    for file in 0..20 {
        let mut bytes = vec![0; each * STEP];
        for at in 0..each {
            let n = (file * each + at) as u64;
            let member = &mut bytes[at * STEP..][..32];
            member[..8].copy_from_slice(&(n as f64 * 1e-12).to_le_bytes());
            member[8..16].copy_from_slice(&(1_u64 << (n % 12)).to_le_bytes());
            member[24..].copy_from_slice(&n.to_le_bytes());
        }
        files.push(folder.path().join(format!("{file}.dat")));
        std::fs::write(&files[file], bytes)?;
    }
    let catalog = folder.path().join("all.bd");
    let build = Build::new().layout(layout);
    let build = build.within(Within::Every { first: 0, step: STEP as u64 });
    let built = seconds(|| {
        build.create(&catalog, &files, false)?;
        Ok(())
    })?;
    report.add("making a catalog of 100,000 members", built, "s", Target::None)?;
    let opened = least(|| {
        black_box(Family::open(&catalog)?.len());
        Ok(())
    })?;
    report.add("opening it", opened * 1e3, "ms", Target::AtMost(5.0))?;
    let family = Family::open(&catalog)?;
    let condition = "time > 1e-9 and IMAX = 512";
    let found = family.select(condition)?.len();
    assert_eq!(found, (1001..MEMBERS).filter(|n| n % 12 == 9).count());
    let asked = least(|| {
        black_box(family.select(condition)?);
        Ok(())
    })?;
    let what = "`time > 1e-9 and IMAX = 512` for all of them";
    report.add(what, asked * 1e3, "ms", Target::AtMost(10.0))?;
    let ids = family.ids();
    let read = least(|| {
        black_box(family.read("/x[1]", &ids)?);
        Ok(())
    })?;
    report.add("one value of each of them", read * 1e3, "ms", Target::None)
}
