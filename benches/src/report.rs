//! The results: printed as they come, and written as a page.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use crate::Outcome;
use crate::timing;

/// Bytes that are copied to tell how fast the machine is at that moment.
const COPY: usize = 64 << 20;

/// How near a ratio has to come to its target: two runs of the same differ by as much.
const NEAR: f64 = 0.05;

/// Rows of results.
pub(crate) struct Report {
    rows: Vec<Row>,
    started: Instant,
}

struct Row {
    what: String,
    found: String,
    /// What we want it to be, and whether it is.
    target: Option<(String, bool)>,
    /// GB/s of a plain copy at that time.
    copy: f64,
}

/// What a result should be.
pub(crate) enum Target {
    AtLeast(f64),
    AtMost(f64),
    None,
}

impl Report {
    pub(crate) fn new() -> Report {
        println!("{:58} {:>16}  {:24} memcpy beside it", "", "measured", "target");
        Report { rows: Vec::new(), started: Instant::now() }
    }

    /// Adds a result in a unit.
    pub(crate) fn add(
        &mut self,
        what: &str,
        value: f64,
        unit: &str,
        target: Target,
    ) -> Outcome<()> {
        let near = if is_ratio(unit) { NEAR } else { 0.0 };
        let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
        let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
        let (sign, wanted, fine) = match target {
            Target::AtLeast(least) => ("≥", least, value >= least - near),
            Target::AtMost(most) => ("≤", most, value <= most + near),
            Target::None => ("", 0.0, true),
        };
        let target = (!sign.is_empty())
            .then(|| (format!("{sign} {}{unit}", (wanted * 1e3).round() / 1e3), fine));
        let found = format!("{value:.digits$}{unit}");
        let row = Row { what: what.to_owned(), found, target, copy: copy()? };
        println!("{:58} {:>16}  {:24} {:.1} GB/s", row.what, row.found, row.verdict(), row.copy);
        self.rows.push(row);
        Ok(())
    }

    /// Writes all results as a page.
    pub(crate) fn write(&self, path: &Path) -> Outcome<()> {
        let mut page = String::from(HEAD);
        writeln!(
            page,
            "Measured on {}, in {:.0} s.\n",
            machine(),
            self.started.elapsed().as_secs_f64()
        )?;
        writeln!(page, "| what | measured | target | memcpy beside it |\n|---|---:|---|---:|")?;
        for row in &self.rows {
            let (what, found) = (&row.what, &row.found);
            writeln!(page, "| {what} | {found} | {} | {:.1} GB/s |", row.verdict(), row.copy)?;
        }
        page += TAIL;
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        Ok(std::fs::write(path, page)?)
    }
}

impl Row {
    fn verdict(&self) -> String {
        match &self.target {
            Some((target, true)) => target.clone(),
            Some((target, false)) => format!("{target} **missed**"),
            None => String::new(),
        }
    }
}

/// Whether a result compares two times or sizes, and so has no unit of its own.
fn is_ratio(unit: &str) -> bool {
    unit.is_empty() || unit.starts_with("times") || unit.starts_with("of ")
}

/// GB/s of a plain copy between buffers that were written before.
fn copy() -> Outcome<f64> {
    let source = vec![1_u8; COPY];
    let mut target = vec![2_u8; COPY];
    let seconds = timing::least(|| {
        std::hint::black_box(&mut target).copy_from_slice(std::hint::black_box(&source));
        Ok(())
    })?;
    Ok(COPY as f64 / seconds / 1e9)
}

/// The processor, how many there are, and the system.
fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find(|line| line.starts_with("model name"));
    let model =
        model.and_then(|line| line.split_once(": ")).map_or("a processor", |(_, name)| name);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{cores} cores of {model}, {} {}", std::env::consts::OS, std::env::consts::ARCH)
}

const HEAD: &str = "\
# Performance

Made by `cargo xtask bench`; do not edit. One part of it is measured by `cargo xtask bench NAME`
(`parse`, `memory`, `resolve`, `decode`, `fresh`, `open`, `index`, `records`, `dynamic`, `arrays`, `scale`,
`whole`, `history`, `addresses`, `family`, `tools`, `blosc2`, `asdf`, `compile`), which only prints.

";

const TAIL: &str = "
How to read it:

- An absolute time is the least of 20 runs. Beside it stands how fast a plain copy of 64 MiB between
  used buffers was at that very time: a machine that is busy, or another one, shows there.
- A ratio is the median over 25 pairs of runs, ours and the other's in turn: above 1 we are faster.
  A target of a ratio counts as met within 0.05, which is by how much two runs of the same differ.
  Where the other is slow there are as many pairs as 20 s have room for, but no fewer than 5.
- Both sides of a ratio have the same buffers, or buffers of the same alignment: an address that is
  a multiple of a page, or is not, can make a factor of two.
- Times of arrays of 512 MiB say how long we take, as a part of the other's time: below 1 we are faster.
- The made-up layouts look like those of simulation codes: dicts, types, lists, records, most
  lines with a comment. They have no errors.
- Generated code is measured on records of 48 bytes without gaps, big-endian and not aligned, next to
  binrw, deku and zerocopy (versions in `benches/Cargo.toml`) and to what one would write by hand.
  Where not even a copy of the bytes is 3 times as fast as binrw, no decoder is: memory is the bound
  then, and the row of what stays in the cache says what the code is capable of.
- Files are written to a file system in memory where there is one, so that not the disk is measured.
- Records are appended on the disk that holds the repository, since they are made durable. Members
  of families and files of many arrays lie on disks too; all were read before, and are in memory.
- Of files of many arrays netCDF-4 has 1,000 and zarr 10,000, because they take too long to make more;
  of 2,000 stores of zarr 200 are read, ten times. Bytes beside the data are the lengths of files: what
  a disk takes for a hundred small files of a store is more.
- h5py writes as it does by default, but for the file of 100,000 arrays and the records, which
  have `libver` latest: that is faster.
- The sum of a view reads memory once and does nothing else of weight. A loop that begins at four
  places and goes on in turn gets more from memory than one from the first number to the last, and
  that bounds `ndarray` too; so the target is for such a loop.
- Where two threads are measured, beside them stands what two threads gain that do nothing but read:
  where the machine lets its threads share one core or one way to memory, nobody gains more.
- To compile means `cargo build` after a touch of the source, in the profile `dev` as Cargo has it.
- numpy, h5py, netCDF4 and zarr are those of `benches/python/requirements.txt`, each in a process of its
  own that waits for its turn and takes its time itself. What it takes to start Python is not counted.
";
