//! Writes a file on all ranks, or reads one that other ranks have written, and checks all of it.
//!
//! `ranks write FILE rows|columns|blocks [GROUPS|node]`, `ranks read FILE rows|columns|blocks`; `ranks groups CATALOG GROUPS` writes a file
//! for each group, and reads all of them as one dataset; `ranks fail FILE RANK shape|item|drop|disk [GROUPS|node]` shows that all
//! ranks return one error. With GROUPS one rank of each group writes for it, with `node` one of each node.

use dudley::create::Create;
use dudley::family::{Build, Family};
use dudley::ndarray::{Array2, ArrayD};
use dudley::ranks::{self, Blocks, Communicator, Group};
use dudley::{Error, Result};
use dudley_mpi::Mpi;

const SHAPE: [u64; 2] = [31, 17];
const TEXT: &str = "NY : i8  NX : i8  name = S1[5]  x = f8[NY, NX] %4096  y = >i4[NX]";

fn blocks(how: &str, ranks: usize) -> Result<Blocks> {
    let blocks = match how {
        "rows" => Blocks::new(&SHAPE, &[ranks as u64, 1]),
        "columns" => Blocks::new(&SHAPE, &[1, ranks as u64]),
        _ => Blocks::of_ranks(&SHAPE, ranks),
    };
    blocks?.ghosts(&[2, 1])
}

fn value(y: u64, x: u64) -> f64 {
    (y * 100 + x) as f64 / 3.0
}

/// What a rank has in memory; ghost cells are NaN.
fn memory(blocks: &Blocks, rank: usize) -> Array2<f64> {
    let block = blocks.block(rank);
    let own = block.elements();
    let shape = block.memory_shape();
    let mut memory = Array2::from_elem((shape[0], shape[1]), f64::NAN);
    for y in own[0].clone() {
        for x in own[1].clone() {
            memory[[(y - own[0].start + 2) as usize, (x - own[1].start + 1) as usize]] =
                value(y, x);
        }
    }
    memory
}

/// `groups` is empty, a number of groups, or `node`.
fn write(comm: &Mpi, path: &str, how: &str, groups: &str, wrong: Option<&str>) -> Result<()> {
    let create = Create::text(TEXT)?.param("NY", SHAPE[0]).param("NX", SHAPE[1]).overwrite(true);
    let blocks = blocks(how, comm.size())?;
    let mut writer = ranks::create(comm, &create, path)?;
    if groups == "node" {
        writer = writer.aggregate(&comm.node()?);
    } else if let Ok(groups) = groups.parse() {
        writer = writer.aggregate(&Group::new(comm, groups)?);
    }
    let mut x = memory(&blocks, comm.rank());
    match wrong {
        Some("shape") => x = Array2::zeros((3, 4)),
        Some("item") => drop(writer.write("/z", 1.0)),
        Some("drop") => {
            drop(writer);
            return Err(Error::NotNative);
        }
        Some("disk") => limit(),
        _ => {}
    }
    // `finish` says on all ranks what is wrong on one.
    drop(writer.write_block("/x", &blocks, &x));
    let columns = Blocks::new(&SHAPE[1..], &[comm.size() as u64])?;
    let own = columns.block(comm.rank()).elements();
    let y = ArrayD::from_shape_fn(vec![(own[0].end - own[0].start) as usize], |at| {
        own[0].start as i32 + at[0] as i32
    });
    drop(writer.write_block("/y", &columns, &y));
    if comm.rank() + 1 == comm.size() {
        drop(writer.write("/name", "plate"));
    }
    writer.finish()
}

/// No file of this process can grow or be written behind its first bytes, as if the disk were full.
fn limit() {
    let set = std::process::Command::new("prlimit")
        .args(["--fsize=64", "--pid", &std::process::id().to_string()])
        .status();
    assert!(set.is_ok_and(|it| it.success()), "`prlimit` is needed");
}

fn read(comm: &Mpi, path: &str, how: &str) -> Result<()> {
    let reader = ranks::open(comm, path)?;
    let blocks = blocks(how, comm.size())?;
    let block = blocks.block(comm.rank());
    let (own, with, shape) = (block.elements(), block.with_ghosts(), block.memory_shape());
    let mut x = Array2::from_elem((shape[0], shape[1]), f64::NAN);
    reader.read_block("/x", &blocks, &mut x)?;
    let mut right = 0;
    for row in with[0].clone() {
        for column in with[1].clone() {
            let at = [(row + 2 - own[0].start) as usize, (column + 1 - own[1].start) as usize];
            assert_eq!(x[at], value(row, column), "rank {}", comm.rank());
            right += 1;
        }
    }
    assert_eq!(x.iter().filter(|it| !it.is_nan()).count(), right);
    assert_eq!(reader.stream().get("/name")?.read_text()?, "plate");
    ranks::agree(comm, Ok(()))
}

/// Each group writes its rows as a file; rank 0 makes a catalog of the files, and every rank reads them.
fn groups(comm: &Mpi, catalog: &str, groups: usize) -> Result<()> {
    let group = Group::new(comm, groups)?;
    let files: Vec<String> = (0..groups).map(|it| format!("{catalog}.{it}")).collect();
    let [rows, columns] = [4, SHAPE[1]];
    let within = Blocks::new(&[rows, columns], &[1, group.size() as u64])?;
    let own = within.block(group.rank()).elements()[1].clone();
    let first = group.number() as u64 * rows;
    let x = Array2::from_shape_fn((rows as usize, (own.end - own.start) as usize), |at| {
        value(first + at.0 as u64, own.start + at.1 as u64)
    });
    let create = Create::text("{first : i8  NX : i8}  x = f8[4, NX]")?.overwrite(true);
    let create = create.param("first", first).param("NX", columns);
    let written = ranks::create(&group, &create, &files[group.number()]).and_then(|writer| {
        writer.write_block("/x", &within, &x)?;
        writer.finish()
    });
    ranks::agree(comm, written)?;
    ranks::first(comm, || Ok((Build::new().create(catalog, &files, true)?, Vec::new())))?;
    let family = Family::open(catalog)?;
    let x = family.read("/x", &family.select("first >= 0")?)?.array::<f64>()?;
    assert_eq!(x.shape(), [groups, rows as usize, columns as usize]);
    for (at, found) in x.iter().enumerate() {
        assert_eq!(*found, value(at as u64 / columns, at as u64 % columns));
    }
    Ok(())
}

fn main() {
    let universe = mpi::initialize().expect("MPI");
    let comm = Mpi::world(&universe);
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["write", path, how] => write(&comm, path, how, "", None),
        ["write", path, how, groups] => write(&comm, path, how, groups, None),
        ["read", path, how] => read(&comm, path, how),
        ["groups", path, count] => groups(&comm, path, count.parse().unwrap_or(1)),
        ["fail", path, rank, what, ref groups @ ..] => {
            let is_bad = rank.parse() == Ok(comm.rank());
            let groups = groups.first().copied().unwrap_or_default();
            let result = write(&comm, path, "blocks", groups, is_bad.then_some(what));
            println!("{}", result.expect_err("a rank has failed"));
            Ok(())
        }
        _ => {
            eprintln!(
                "usage: ranks write FILE rows|columns|blocks [GROUPS|node], ranks read FILE rows|columns|blocks, \
                 ranks groups CATALOG GROUPS, ranks fail FILE RANK shape|item|drop|disk [GROUPS|node]"
            );
            std::process::exit(2);
        }
    };
    if let Err(error) = result {
        eprintln!("{error}");
        std::process::exit(1);
    }
}
