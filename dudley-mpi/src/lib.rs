//! The ranks of an MPI program as [`dudley::ranks`] knows them: they write and read one file together.
//!
//! [`Mpi`] carries the messages between ranks; everything else is in [`dudley::ranks`]: [`create`](dudley::ranks::create),
//! [`open`](dudley::ranks::open), [`Blocks`](dudley::ranks::Blocks).
//!
//! ```no_run
//! use dudley::create::Create;
//! use dudley::ndarray::Array2;
//! use dudley::ranks::{self, Blocks, Communicator};
//! use dudley_mpi::Mpi;
//!
//! let universe = mpi::initialize().expect("MPI");
//! let comm = Mpi::world(&universe);
//! let blocks = Blocks::of_ranks(&[1000, 1000], comm.size())?;
//! let shape = blocks.block(comm.rank()).memory_shape();
//! let rho = Array2::from_elem((shape[0], shape[1]), comm.rank() as f64);
//! let writer = ranks::create(&comm, &Create::text("rho = f8[1000, 1000]")?, "rho.bd")?;
//! writer.write_block("/rho", &blocks, &rho)?;
//! writer.finish()?;
//! # Ok::<(), dudley::Error>(())
//! ```

use std::time::{Duration, Instant};

use dudley::ranks::{Communicator, Group};
use dudley::{Error, Result};
use mpi::collective::SystemOperation;
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{
    Communicator as _, CommunicatorCollectives as _, Destination as _, Root as _, Source as _,
};

/// A rank waits this long for a message without a pause.
const BUSY: Duration = Duration::from_micros(200);
/// A pause between two looks for a message.
const PAUSE: Duration = Duration::from_micros(50);

/// A communicator of MPI. It is a duplicate, so that it receives no messages of the program.
pub struct Mpi {
    comm: SimpleCommunicator,
}

impl Mpi {
    /// All ranks of the program. A collective call.
    pub fn world(universe: &Universe) -> Mpi {
        Mpi::new(&universe.world())
    }

    /// The ranks of a communicator. A collective call.
    pub fn new(comm: &SimpleCommunicator) -> Mpi {
        Mpi { comm: comm.duplicate() }
    }

    /// The ranks of the node of this rank, whose number is that of the node, from 0: for
    /// [`Writer::aggregate`](dudley::ranks::Writer::aggregate), or a file for each node. A collective call.
    ///
    /// # Errors
    /// If ranks have no numbers on this machine.
    pub fn node(&self) -> Result<Group<'_, Mpi>> {
        let node = self.comm.split_shared(self.comm.rank());
        let mut ranks = vec![0_i32; node.size() as usize];
        node.all_gather_into(&self.comm.rank(), &mut ranks[..]);
        // A node has as many before it as have a first rank that is lower.
        let (is_first, mut number) = (i32::from(node.rank() == 0), 0_i32);
        self.comm.exclusive_scan_into(&is_first, &mut number, SystemOperation::sum());
        // The result is not defined on rank 0.
        number = if self.comm.rank() == 0 { 0 } else { number };
        node.process_at_rank(0).broadcast_into(&mut number);
        let count = |of: i32| usize::try_from(of).map_err(|_| Error::too_large(u64::MAX));
        Group::of(self, count(number)?, ranks.into_iter().map(count).collect::<Result<_>>()?)
    }

    /// Waits until all ranks are here. A collective call.
    pub fn barrier(&self) {
        self.comm.barrier();
    }
}

/// The number of a rank as MPI counts.
fn number(rank: usize) -> Result<i32> {
    i32::try_from(rank).map_err(|_| Error::too_large(rank as u64))
}

impl Communicator for Mpi {
    fn rank(&self) -> usize {
        self.comm.rank() as usize
    }

    fn size(&self) -> usize {
        self.comm.size() as usize
    }

    fn send(&self, to: usize, bytes: &[u8]) -> Result<()> {
        self.comm.process_at_rank(number(to)?).send(bytes);
        Ok(())
    }

    fn receive(&self, from: usize) -> Result<Vec<u8>> {
        let from = self.comm.process_at_rank(number(from)?);
        let begin = Instant::now();
        // MPI waits without a pause. If there are more ranks than cores, a rank that works on would get less of its core.
        while from.immediate_probe().is_none() {
            if begin.elapsed() > BUSY {
                std::thread::sleep(PAUSE);
            }
        }
        Ok(from.receive_vec().0)
    }
}
