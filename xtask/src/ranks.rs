//! Measures files that MPI ranks write, beside what others take for the same: `cargo xtask bench mpi`.

use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::{Outcome, cargo, root, succeed, target};

/// What we are compared with.
const PEERS: [(&str, &str); 5] = [
    ("pwrite", "plain positioned writes"),
    ("mpi-independent", "MPI-IO, independent"),
    ("mpi-collective", "MPI-IO, collective"),
    ("hdf5", "parallel HDF5, collective"),
    ("pnetcdf", "PnetCDF, collective"),
];
/// Rows and columns: 256 MiB of doubles.
const ARRAY: [&str; 2] = ["8192", "4096"];
/// Runs of each in turn.
const PAIRS: usize = 5;
const HEADING: &str = "## Many ranks (`mpi`)";

/// Measures; with `--keep` the page of measurements has the result.
pub(crate) fn run(keep: bool) -> Outcome<()> {
    let built = target().join("dudley-mpi");
    let manifest = root().join("dudley-mpi/Cargo.toml");
    let mut ours = cargo();
    ours.args(["build", "--quiet", "--release", "--example", "bench", "--manifest-path"]);
    succeed(ours.arg(manifest).arg("--target-dir").arg(&built))?;
    let peers = built.join("peers");
    let mut compiler = Command::new("h5pcc");
    compiler.args(["-O2", "-o"]).arg(&peers).arg(root().join("benches/mpi/peers.c"));
    // It leaves an object file where it runs.
    succeed(compiler.arg("-lpnetcdf").current_dir(&built))?;
    let ours = built.join("release/examples/bench");
    let mut rows = Vec::new();
    for (place, folder) in [("memory", Path::new("/dev/shm")), ("disk", &*built)] {
        for (how, grid) in [("rows", ["4", "1"]), ("2x2 blocks", ["2", "2"])] {
            let file = folder.join("dudley-bench-mpi.bd");
            let mut ratios = vec![Vec::new(); PEERS.len()];
            let mut least = f64::INFINITY;
            for _ in 0..PAIRS {
                let own = seconds(&ours, &[], &file, &[&ARRAY[..], &grid[..]].concat())?;
                least = least.min(own);
                for ((name, _), ratios) in PEERS.iter().zip(&mut ratios) {
                    let words = [&ARRAY[..], &grid[..]].concat();
                    ratios.push(seconds(&peers, &[name], &file, &words)? / own);
                }
            }
            let median = |ratios: &mut Vec<f64>| {
                ratios.sort_by(f64::total_cmp);
                format!("{:.2}", ratios[ratios.len() / 2])
            };
            let ratios: Vec<String> = ratios.iter_mut().map(median).collect();
            rows.push(format!(
                "| {how}, {place} | {:.0} ms | {} |",
                least * 1e3,
                ratios.join(" | ")
            ));
        }
    }
    let mut checkpoints = Vec::new();
    for folder in [Path::new("/dev/shm"), &*built] {
        let folder = folder.join("dudley-bench-mpi.checkpoints");
        let run = |sum| {
            let taken = seconds(&ours, &[], &folder, &[&ARRAY[..], &["4", "1", sum]].concat());
            std::fs::remove_dir_all(&folder)?;
            taken
        };
        let mut ratios = Vec::new();
        for _ in 0..PAIRS {
            ratios.push(run("read")? / run("known")?);
        }
        ratios.sort_by(f64::total_cmp);
        checkpoints.push(ratios[PAIRS / 2]);
    }
    let file = built.join("dudley-bench-mpi.bd");
    let items = seconds(&ours, &[], &file, &["10000"])? * 1e3;
    std::fs::remove_file(&file)?;
    let text = page(&rows, &checkpoints, items);
    print!("{text}");
    if keep { put(&text) } else { Ok(()) }
}

/// What a run on four ranks says that it took. The file is new each time.
fn seconds(program: &PathBuf, first: &[&str], file: &Path, words: &[&str]) -> Outcome<f64> {
    if file.exists() {
        std::fs::remove_file(file)?;
    }
    let mut run = Command::new("mpirun");
    run.args(["-n", "4", "--oversubscribe", "--allow-run-as-root"]).arg(program);
    let output = run.args(first).arg(file).args(words).output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    said.trim().parse().map_err(|_| {
        let why = String::from_utf8_lossy(&output.stderr);
        format!("{run:?} measured nothing: {why}").into()
    })
}

fn page(rows: &[String], checkpoints: &[f64], items: f64) -> String {
    let names: Vec<&str> = PEERS.iter().map(|it| it.1).collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "{HEADING}\n\n\
         An array of 256 MiB of doubles, written by 4 ranks on {cores} cores and made durable. Ours is the least time of {PAIRS} runs; \
         the others are the median of {PAIRS} ratios, their time to ours: above 1 we are faster.\n\n\
         | what | ours | {} |\n|---|---:|{}\n{}\n\n\
         A checkpoint of this array takes {:.2} times as long in memory, and {:.2} times on the disk, if the file is read once more \
         for its checksum, compared to a checksum that is computed while ranks write.\n\n\
         To create and finish a file of 10,000 items takes {items:.0} ms on 4 ranks, on the disk. \
         Nothing was measured on a parallel file system.\n\n",
        names.join(" | "),
        "---:|".repeat(names.len()),
        rows.join("\n"),
        checkpoints[0],
        checkpoints[1],
    )
}

/// Replaces the section of the page.
fn put(text: &str) -> Outcome<()> {
    let path = root().join("docs/performance.md");
    let page = std::fs::read_to_string(&path)?;
    let end = page.find("## How to read it").unwrap_or(page.len());
    let begin = page.find(HEADING).unwrap_or(end);
    let after = page[begin..].find("\n## ").map_or(end, |at| begin + at + 1);
    let after = if begin == end { end } else { after };
    std::fs::write(path, [&page[..begin], text, &page[after..]].concat())?;
    Ok(())
}
