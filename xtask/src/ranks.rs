//! Measures files that MPI ranks write, beside what others take for the same: `cargo xtask bench mpi`.

use std::path::Path;
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
/// Rounds: each runs ours and all others once, each time from another one on.
const ROUNDS: usize = 15;
/// How four ranks write the array, and two ranks read it.
const CASES: [(&str, [&str; 2], [&str; 2]); 2] =
    [("rows", ["4", "1"], ["2", "1"]), ("2x2 blocks", ["2", "2"], ["1", "2"])];
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
    let (mut written, mut read) = (Vec::new(), Vec::new());
    for (place, folder) in [("memory", Path::new("/dev/shm")), ("disk", &*built)] {
        for (how, writers, readers) in CASES {
            let mut ratios = [Ratios::default(), Ratios::default()];
            for round in 0..ROUNDS {
                let mut taken = [[0.0; PEERS.len() + 1]; 2];
                for at in 0..=PEERS.len() {
                    let at = (at + round) % (PEERS.len() + 1);
                    let peer = at.checked_sub(1).map(|at| PEERS[at].0);
                    let program = if peer.is_some() { &peers } else { &ours };
                    let first: Vec<&str> = peer.into_iter().collect();
                    let file = folder.join(format!("dudley-bench-mpi.{at}"));
                    let words = [ARRAY, writers].concat();
                    taken[0][at] = seconds("4", program, &first, &file, &words)?;
                    let words = [&ARRAY[..], &readers[..], &["read"]].concat();
                    taken[1][at] = seconds("2", program, &first, &file, &words)?;
                    std::fs::remove_file(&file)?;
                }
                ratios.iter_mut().zip(&taken).for_each(|(ratios, taken)| ratios.add(taken));
            }
            let [write, back] = ratios.map(|ratios| ratios.row(&format!("{how}, {place}")));
            written.push(write);
            read.push(back);
        }
    }
    let mut checkpoints = Vec::new();
    for folder in [Path::new("/dev/shm"), &*built] {
        let folder = folder.join("dudley-bench-mpi.checkpoints");
        let run = |sum| {
            let words = [&ARRAY[..], &["4", "1", sum]].concat();
            let taken = seconds("4", &ours, &[], &folder, &words);
            std::fs::remove_dir_all(&folder)?;
            taken
        };
        let mut ratios = Vec::new();
        for _ in 0..ROUNDS {
            ratios.push(run("unknown")? / run("known")?);
        }
        checkpoints.push(median(&mut ratios));
    }
    let file = built.join("dudley-bench-mpi.bd");
    let items = seconds("4", &ours, &[], &file, &["10000"])? * 1e3;
    std::fs::remove_file(&file)?;
    let text = page([&written, &read], &checkpoints, items);
    print!("{text}");
    if keep { put(&text) } else { Ok(()) }
}

/// The times of ours, and the ratios of the others to these.
#[derive(Default)]
struct Ratios {
    ours: Vec<f64>,
    others: [Vec<f64>; PEERS.len()],
}

impl Ratios {
    /// A round: ours, and the others.
    fn add(&mut self, taken: &[f64; PEERS.len() + 1]) {
        self.ours.push(taken[0]);
        for (ratios, other) in self.others.iter_mut().zip(&taken[1..]) {
            ratios.push(other / taken[0]);
        }
    }

    /// A row of a table.
    fn row(mut self, what: &str) -> String {
        let others = self.others.iter_mut().map(|ratios| format!("{:.2}", median(ratios)));
        let others = others.collect::<Vec<_>>().join(" | ");
        format!("| {what} | {:.0} ms | {others} |", median(&mut self.ours) * 1e3)
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// What a run on some ranks says that it took.
fn seconds(
    ranks: &str,
    program: &Path,
    first: &[&str],
    file: &Path,
    words: &[&str],
) -> Outcome<f64> {
    let mut run = Command::new("mpirun");
    run.args(["-n", ranks, "--oversubscribe", "--allow-run-as-root"]).arg(program);
    let output = run.args(first).arg(file).args(words).output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    said.trim().parse().map_err(|_| {
        let why = String::from_utf8_lossy(&output.stderr);
        format!("{run:?} measured nothing: {why}").into()
    })
}

fn page(tables: [&[String]; 2], checkpoints: &[f64], items: f64) -> String {
    let names: Vec<&str> = PEERS.iter().map(|it| it.1).collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let head = format!(
        "| what | ours | {} |\n|---|---:|{}",
        names.join(" | "),
        "---:|".repeat(names.len())
    );
    let [written, read] = tables.map(|rows| format!("{head}\n{}", rows.join("\n")));
    format!(
        "{HEADING}\n\n\
         An array of 256 MiB of doubles, written by 4 ranks on {cores} cores and made durable. Medians of {ROUNDS} rounds, in each of \
         which ours and all others run once; the others as the ratio of their time to ours: above 1 we are faster.\n\n\
         {written}\n\n\
         The same files, read by 2 ranks, each half of the rows or of the columns:\n\n\
         {read}\n\n\
         A checkpoint of this array takes {:.2} times as long in memory, and {:.2} times on the disk, if the file is read once more \
         for its checksum, compared to a checksum that is computed while ranks write.\n\n\
         To create and finish a file of 10,000 items takes {items:.0} ms on 4 ranks, on the disk. \
         Nothing was measured on a parallel file system.\n\n",
        checkpoints[0], checkpoints[1],
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
