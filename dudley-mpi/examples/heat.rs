//! Heat that spreads over a plate, on any number of ranks: a run that is killed continues from its last checkpoint,
//! on another number of ranks, to the same bytes.
//!
//! `mpirun -n 4 heat DIRECTORY STEPS` writes a checkpoint every 10 steps, or `DUDLEY_EVERY`, and keeps the newest 2, or
//! `DUDLEY_KEEP`. `heat DIRECTORY` prints the step from which it would continue. `DUDLEY_KILL="25 1 written"` kills rank 1 at step 25 (at
//! a checkpoint: there); the last word is `computed`, `created`, `written` or `finished`.

use std::path::Path;

use dudley::append::Append;
use dudley::checkpoint::{Checkpoints, Draft, Rotation};
use dudley::create::Create;
use dudley::ndarray::{Array1, Array2, s};
use dudley::ranks::{self, Blocks, Communicator};
use dudley::{Result, Stream};
use dudley_mpi::Mpi;
use mpi::collective::SystemOperation;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator as _, CommunicatorCollectives as _, Destination as _, Source as _};

const NY: u64 = 37;
const NX: u64 = 23;
const STATE: &str = "\
NY : i8
NX : i8
step = u8
heat = f8[NY, NX]  ## (K) temperature
";
const HISTORY: &str = "N : i8  history [/ step = u8  hottest = f8]*N";

/// Who is to be killed, and when.
struct Kill {
    step: u64,
    rank: usize,
    at: String,
}

impl Kill {
    fn asked() -> Option<Kill> {
        let asked = std::env::var("DUDLEY_KILL").ok()?;
        let mut words = asked.split_whitespace();
        let mut number = || words.next()?.parse().ok();
        let (step, rank) = (number()?, number()? as usize);
        Some(Kill { step, rank, at: words.next()?.to_owned() })
    }
}

/// Kills this rank if it is to be killed here.
fn point(kill: Option<&Kill>, comm: &Mpi, step: u64, at: &str) {
    if kill.is_some_and(|kill| (kill.step, kill.rank, &*kill.at) == (step, comm.rank(), at)) {
        // No destructor runs, as if the node had failed.
        std::process::abort();
    }
}

/// Rows and columns of ghost cells, from the neighbours that have them.
fn exchange(world: &SimpleCommunicator, blocks: &Blocks, heat: &mut Array2<f64>) {
    let rank = world.rank();
    let [_, across] = [blocks.grid()[0] as i32, blocks.grid()[1] as i32];
    let (down, right) = (blocks.grid()[0] as i32 - 1, across - 1);
    let (y, x) = (rank / across, rank % across);
    let above = (y > 0).then_some(rank - across);
    let below = (y < down).then_some(rank + across);
    let before = (x > 0).then_some(rank - 1);
    let behind = (x < right).then_some(rank + 1);
    let pass = |out: Array1<f64>, to: Option<i32>, from: Option<i32>| {
        let mut heard = vec![0.0; out.len()];
        let out = out.to_vec();
        mpi::request::scope(|scope| {
            let sent = to.map(|to| world.process_at_rank(to).immediate_send(scope, &out[..]));
            if let Some(from) = from {
                world.process_at_rank(from).receive_into(&mut heard[..]);
            }
            if let Some(sent) = sent {
                sent.wait();
            }
        });
        from.map(|_| Array1::from_vec(heard))
    };
    let (rows, columns) = heat.dim();
    if let Some(row) = pass(heat.slice(s![rows - 2, ..]).to_owned(), below, above) {
        heat.slice_mut(s![0, ..]).assign(&row);
    }
    if let Some(row) = pass(heat.slice(s![1, ..]).to_owned(), above, below) {
        heat.slice_mut(s![rows - 1, ..]).assign(&row);
    }
    if let Some(column) = pass(heat.slice(s![.., columns - 2]).to_owned(), behind, before) {
        heat.slice_mut(s![.., 0]).assign(&column);
    }
    if let Some(column) = pass(heat.slice(s![.., 1]).to_owned(), before, behind) {
        heat.slice_mut(s![.., columns - 1]).assign(&column);
    }
}

/// One step: each cell takes a part of its neighbours' heat. Beyond the plate it is 0 K.
fn advance(heat: &Array2<f64>) -> Array2<f64> {
    let mut next = heat.clone();
    let (rows, columns) = heat.dim();
    for y in 1..rows - 1 {
        for x in 1..columns - 1 {
            let around = heat[[y - 1, x]] + heat[[y + 1, x]] + heat[[y, x - 1]] + heat[[y, x + 1]];
            next[[y, x]] = 0.5 * heat[[y, x]] + 0.125 * around;
        }
    }
    next
}

/// What rank 0 alone has: the directory, the history, and where to go on.
struct First {
    checkpoints: Checkpoints,
    history: Append,
}

fn rotation() -> Rotation {
    let asked = |name: &str| std::env::var(name).ok().and_then(|it| it.parse::<u32>().ok());
    let every = asked("DUDLEY_EVERY").unwrap_or(10).max(1);
    Rotation { keep: asked("DUDLEY_KEEP").unwrap_or(2) as usize, every: every.into() }
}

/// Finds where to go on. The text is the file of the state, empty for none.
fn begin(directory: &Path) -> Result<(First, Vec<u8>)> {
    let checkpoints = Checkpoints::open(directory, rotation())?;
    let latest = checkpoints.latest()?;
    for (step, why) in &latest.skipped {
        eprintln!("checkpoint {step} is passed over: {why}");
    }
    let path = directory.join("history.bd");
    let state = latest.checkpoint.map(|found| found.file("state.bd"));
    if state.is_none() {
        let create = Create::text(HISTORY)?.param("N", 0).overwrite(true);
        create.file(&path)?.finish()?;
    }
    let state = state.map_or_else(String::new, |it| it.to_string_lossy().into_owned());
    Ok((First { checkpoints, history: Append::open(&path)? }, state.into_bytes()))
}

fn run(world: &SimpleCommunicator, comm: &Mpi, directory: &Path, last: u64) -> Result<()> {
    let kill = Kill::asked();
    let blocks = Blocks::of_ranks(&[NY, NX], comm.size())?.ghosts(&[1, 1])?;
    let block = blocks.block(comm.rank());
    let shape = block.memory_shape();
    let mut heat = Array2::<f64>::zeros((shape[0], shape[1]));
    let (mut own, state) = ranks::first(comm, || begin(directory))?;
    let mut step = 0;
    if state.is_empty() {
        let elements = block.elements();
        for y in elements[0].clone() {
            for x in elements[1].clone() {
                let at = [1 + y - elements[0].start, 1 + x - elements[1].start];
                heat[[at[0] as usize, at[1] as usize]] = 300.0 + (y * 7 + x * 13 % 29) as f64;
            }
        }
    } else {
        let reader = ranks::open(comm, &*String::from_utf8_lossy(&state))?;
        reader.read_block("/heat", &blocks, &mut heat)?;
        step = reader.stream().get("/step")?.scalar()?;
    }
    while step < last {
        exchange(world, &blocks, &mut heat);
        heat = advance(&heat);
        step += 1;
        point(kill.as_ref(), comm, step, "computed");
        let inner = heat.slice(s![1..shape[0] - 1, 1..shape[1] - 1]);
        let mine = inner.iter().copied().fold(0.0, f64::max);
        let mut hottest = 0.0;
        world.all_reduce_into(&mine, &mut hottest, SystemOperation::max());
        ranks::first(comm, || {
            if let Some(First { history, .. }) = &mut own {
                let record = [("step", step.into()), ("hottest", hottest.into())];
                history.records("/history")?.push(&record)?;
            }
            Ok(((), Vec::new()))
        })?;
        if step.is_multiple_of(rotation().every) {
            save(comm, own.as_mut(), (&blocks, &heat), step, kill.as_ref())?;
        }
    }
    let closed =
        ranks::first(comm, || Ok((own.map(|it| it.history.close()).transpose()?, Vec::new())));
    closed.map(|_| ())
}

/// Writes a checkpoint: rank 0 begins and publishes it, all of them write its file.
fn save(
    comm: &Mpi,
    mut first: Option<&mut First>,
    (blocks, heat): (&Blocks, &Array2<f64>),
    step: u64,
    kill: Option<&Kill>,
) -> Result<()> {
    let (checkpoints, mut history) = match &mut first {
        Some(first) => (Some(&first.checkpoints), Some(&mut first.history)),
        None => (None, None),
    };
    let (draft, path) = ranks::first(comm, || {
        let draft = checkpoints.map(|it| it.begin(step)).transpose()?;
        let path = draft.as_ref().map(|it: &Draft<'_>| it.file("state.bd"));
        let path = path.map_or_else(String::new, |it| it.to_string_lossy().into_owned());
        Ok((draft, path.into_bytes()))
    })?;
    let create = Create::text(STATE)?.param("NY", NY).param("NX", NX).checksum(true);
    let writer = ranks::create(comm, &create, &*String::from_utf8_lossy(&path))?;
    point(kill, comm, step, "created");
    writer.write_block("/heat", blocks, heat)?;
    if comm.rank() == 0 {
        writer.write("/step", step)?;
    }
    point(kill, comm, step, "written");
    let checksum = writer.finish_summed()?;
    point(kill, comm, step, "finished");
    ranks::first(comm, || {
        if let (Some(mut draft), Some(history)) = (draft.flatten(), history.take()) {
            draft.checksum("state.bd", checksum);
            draft.history("history.bd", history, "/history")?;
            draft.publish()?;
        }
        Ok(((), Vec::new()))
    })?;
    Ok(())
}

/// Prints the step of the newest checkpoint, 0 if there is none, and those that are passed over.
fn latest(directory: &Path) -> Result<()> {
    let latest = Checkpoints::open(directory, rotation())?.latest()?;
    for (step, why) in &latest.skipped {
        println!("skipped {step}: {why}");
    }
    println!("{}", latest.checkpoint.map_or(0, |it| it.step()));
    Ok(())
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [directory] = &words[..] {
        // Without MPI: nothing else runs there.
        return latest(Path::new(directory)).unwrap_or_else(|error| {
            eprintln!("{error}");
            std::process::exit(1);
        });
    }
    let universe = mpi::initialize().expect("MPI");
    let world = universe.world().duplicate();
    let comm = Mpi::new(&world);
    let (Some(directory), Some(last)) =
        (words.first(), words.get(1).and_then(|it| it.parse().ok()))
    else {
        eprintln!("usage: heat DIRECTORY STEPS");
        std::process::exit(2);
    };
    if let Err(error) = run(&world, &comm, Path::new(directory), last) {
        eprintln!("rank {}: {error}", comm.rank());
        world.abort(1);
    }
    // What is left of it can be read by all tools.
    let history = Path::new(directory).join("history.bd");
    if comm.rank() == 0 {
        let records = Stream::open(history).and_then(|it| it.get("/history")?.len());
        println!("{} ranks, {:?} records", comm.size(), records.ok());
    }
}
