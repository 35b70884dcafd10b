//! The page of results, `docs/performance.md`: a section for each measurement, which stays until that
//! is done again.

use std::fmt::Write as _;
use std::fs;
use std::io::ErrorKind;

use crate::{ALL, Outcome};

/// What each section begins with.
const MARK: &str = "## ";

/// The first line of a section.
pub(crate) fn heading(name: &str, title: &str) -> String {
    format!("{MARK}{title} (`{name}`)")
}

/// Puts a section in place of the one of that name.
pub(crate) fn keep(name: &str, section: &str) -> Outcome<()> {
    let path = dudley_tests::root().join("docs/performance.md");
    let before = match fs::read_to_string(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        read => read?,
    };
    Ok(fs::write(path, with_section(&before, name, section)?)?)
}

/// A page with a section in place of the one of that name. Sections that other commands make, or people write, stand
/// behind those that are measured here.
fn with_section(before: &str, name: &str, section: &str) -> Outcome<String> {
    let mut all = sections(before);
    all.retain(|text| name_of(text) != Some(name) && !TAIL.starts_with(first_line(text)));
    all.push(section);
    let place = |text: &&str| ALL.iter().position(|(of, ..)| name_of(text) == Some(*of));
    all.sort_by_key(|text| place(text).unwrap_or(ALL.len()));
    let mut page = String::from(HEAD);
    for section in all {
        write!(page, "{}\n\n", section.trim_end())?;
    }
    Ok(page + TAIL)
}

fn first_line(section: &str) -> &str {
    section.lines().next().unwrap_or_default()
}

/// The sections of a page.
fn sections(page: &str) -> Vec<&str> {
    let starts: Vec<usize> = page.match_indices("\n## ").map(|(at, _)| at + 1).collect();
    let ends = starts.iter().skip(1).copied().chain([page.len()]);
    starts.iter().zip(ends).map(|(start, end)| &page[*start..end]).collect()
}

/// The name in the heading of a section.
fn name_of(section: &str) -> Option<&str> {
    name(first_line(section))
}

/// The name in a heading.
fn name(heading: &str) -> Option<&str> {
    heading.strip_suffix("`)")?.rsplit_once("(`").map(|(_, name)| name)
}

const HEAD: &str = "\
# Performance

Made by `cargo xtask bench --keep`; do not edit. The name behind each title is that of the measurement:
`cargo xtask bench NAME` does it alone, and with `--keep` puts it here instead of the one before. An empty
field of a target says that none was set; **missed** stands where one was not met.

";

const TAIL: &str = "\
## How to read it

- An absolute time is the least of 20 runs. Beside it stands how fast a plain copy of 64 MiB between
  used buffers was at that very time: a machine that is busy, or another one, shows there.
- A ratio is the median over 25 pairs of runs, ours and the other's in turn: above 1 we are faster.
  A target of a ratio counts as met within 0.05, which is by how much two runs of the same differ.
  Where the other is slow there are as many pairs as 20 s have room for, but no fewer than 15.
- Both sides of a ratio have the same buffers, or buffers of the same alignment: an address that is
  a multiple of a page, or is not, can make a factor of two.
- Times of arrays of 512 MiB say how long we take, as a part of the other's time: below 1 we are faster.
- The made-up layouts look like those of simulation codes: dicts, types, lists, records, most
  lines with a comment. They have no errors.
- Generated code is measured on records of 48 bytes without gaps, big-endian and not aligned, next to
  binrw, deku and zerocopy (versions in `benches/Cargo.toml`) and to what one would write by hand.
  Where not even a copy of the bytes is 3 times as fast as binrw, no decoder is: memory is the bound
  then, and the row of what stays in the cache says what the code is capable of.
- Parts of arrays of zstd take us, as them, about as long as one library takes that both sides call: why their
  targets are missed is said in [blosc2.md](blosc2.md#what-is-decoded).
- Files are written to a file system in memory where there is one, so that not the disk is measured.
- Records are appended on the disk that holds the repository, since they are made durable. Members
  of families and files of many arrays or blocks lie on disks too; all were read before, and are in memory.
- Of files of many arrays netCDF-4 has 1,000 and zarr 10,000, because they take too long to make more;
  of 2,000 stores of zarr 200 are read, ten times. Bytes beside the data are the lengths of files: what
  a disk takes for a hundred small files of a store is more.
- h5py writes as it does by default, except for the file of 100,000 arrays and the records, which
  have `libver` latest: that is faster.
- The sum of a view reads memory once and does nothing else of weight. A loop that begins at four
  places and continues in turn gets more from memory than one from the first number to the last, and
  that bounds `ndarray` too; so the target is for such a loop.
- Where two threads are measured, beside them stands what two threads gain that do nothing but read:
  where the machine lets its threads share one core or one way to memory, nobody gains more.
- To compile means `cargo build` after a touch of the source, in the profile `dev` as Cargo has it.
- numpy, h5py, netCDF4 and zarr are those of `benches/python/requirements.txt`, each in a process of its
  own that waits for its turn and takes its time itself. What it takes to start Python is not counted.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_sections_stay() {
        let before = "# Performance\n\n## Ranks (`mpi`)\n\nmine\n\n## By hand\n\nwords\n\n";
        let first = with_section(before, "parse", "## Checking (`parse`)\n\none").expect("a page");
        let page = with_section(&first, "parse", "## Checking (`parse`)\n\ntwo").expect("a page");
        let found: Vec<&str> = sections(&page).into_iter().map(first_line).collect();
        let tail = first_line(TAIL);
        assert_eq!(found, ["## Checking (`parse`)", "## Ranks (`mpi`)", "## By hand", tail]);
        assert!(page.contains("two") && !page.contains("one\n\n##") && page.contains("words"));
    }
}
