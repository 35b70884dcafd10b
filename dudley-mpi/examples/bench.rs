//! How long all ranks take to write one array: `bench FILE NY NX GRID-Y GRID-X`, beside `benches/mpi/peers.c`; the same with one
//! writer for each of a number of groups of ranks: `bench FILE NY NX GRID-Y GRID-X groups GROUPS`; to write it as a
//! checkpoint whose checksum is `known` or `unknown`: `bench FOLDER NY NX GRID-Y GRID-X known|unknown`; to read the array:
//! `bench FILE NY NX GRID-Y GRID-X read`; and to create and finish a file of many items: `bench FILE ITEMS`. Prints seconds.

use std::time::Instant;

use dudley::Result;
use dudley::checkpoint::{Checkpoints, Rotation};
use dudley::create::Create;
use dudley::ndarray::Array2;
use dudley::ranks::{self, Blocks, Communicator, Group};
use dudley_mpi::Mpi;

fn array(
    comm: &Mpi,
    path: &str,
    [ny, nx, gy, gx]: [u64; 4],
    sum: Option<bool>,
    groups: Option<usize>,
) -> Result<f64> {
    let blocks = Blocks::new(&[ny, nx], &[gy, gx])?;
    let shape = blocks.block(comm.rank()).memory_shape();
    let rho = Array2::from_shape_fn((shape[0], shape[1]), |(y, x)| (y * nx as usize + x) as f64);
    let create = Create::text("NY : i8  NX : i8  rho = f8[NY, NX]")?.overwrite(true);
    let create = create.param("NY", ny).param("NX", nx).checksum(sum == Some(true));
    let checkpoints = match sum {
        Some(_) if comm.rank() == 0 => {
            Some(Checkpoints::open(path, Rotation { keep: 1, every: 1 })?)
        }
        _ => None,
    };
    comm.barrier();
    let begin = Instant::now();
    let (draft, file) = ranks::first(comm, || {
        let draft = checkpoints.as_ref().map(|it| it.begin(1)).transpose()?;
        let file = draft.as_ref().map_or_else(|| path.into(), |it| it.file("state.bd"));
        Ok((draft, file.to_string_lossy().into_owned().into_bytes()))
    })?;
    let mut writer = ranks::create(comm, &create, &*String::from_utf8_lossy(&file))?;
    if let Some(groups) = groups {
        writer = writer.aggregate(&Group::new(comm, groups)?);
    }
    writer.write_block("/rho", &blocks, &rho)?;
    let checksum = writer.finish_summed()?;
    if let Some(mut draft) = draft.flatten() {
        draft.checksum("state.bd", checksum);
        draft.publish()?;
    }
    Ok(begin.elapsed().as_secs_f64())
}

fn read(comm: &Mpi, path: &str, [ny, nx, gy, gx]: [u64; 4]) -> Result<f64> {
    let blocks = Blocks::new(&[ny, nx], &[gy, gx])?;
    let shape = blocks.block(comm.rank()).memory_shape();
    let mut rho = Array2::from_elem((shape[0], shape[1]), 1.0);
    comm.barrier();
    let begin = Instant::now();
    ranks::open(comm, path)?.read_block("/rho", &blocks, &mut rho)?;
    comm.barrier();
    Ok(begin.elapsed().as_secs_f64())
}

fn items(comm: &Mpi, path: &str, items: u64) -> Result<f64> {
    let text: Vec<String> = (0..items).map(|at| format!("x{at} = f8")).collect();
    let create = Create::text(&text.join("\n"))?.overwrite(true);
    let mut taken = f64::INFINITY;
    for _ in 0..3 {
        comm.barrier();
        let begin = Instant::now();
        let writer = ranks::create(comm, &create, path)?;
        let created = begin.elapsed();
        for at in (comm.rank() as u64..items).step_by(comm.size()) {
            writer.write(&format!("/x{at}"), at as f64)?;
        }
        comm.barrier();
        let begin = Instant::now();
        writer.finish()?;
        taken = taken.min((created + begin.elapsed()).as_secs_f64());
    }
    Ok(taken)
}

fn main() {
    let universe = mpi::initialize().expect("MPI");
    let comm = Mpi::world(&universe);
    let words: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<u64> = words.iter().skip(1).filter_map(|it| it.parse().ok()).collect();
    let taken = match (&words.first(), &numbers[..]) {
        (Some(path), [ny, nx, gy, gx, groups]) => {
            array(&comm, path, [*ny, *nx, *gy, *gx], None, Some(*groups as usize))
        }
        (Some(path), [ny, nx, gy, gx]) => {
            let sizes = [*ny, *nx, *gy, *gx];
            match words.get(5).map(String::as_str) {
                Some("read") => read(&comm, path, sizes),
                sum => array(&comm, path, sizes, sum.map(|it| it == "known"), None),
            }
        }
        (Some(path), [count]) => items(&comm, path, *count),
        _ => {
            eprintln!(
                "usage: bench FILE NY NX GRID-Y GRID-X [known|unknown|read|groups GROUPS], bench FILE ITEMS"
            );
            std::process::exit(2);
        }
    };
    match taken {
        Ok(taken) if comm.rank() == 0 => println!("{taken:.6}"),
        Ok(_) => {}
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    }
}
