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

use dudley::ranks::Communicator;
use dudley::{Error, Result};
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator as _, Destination as _, Source as _};

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

    /// Waits until all ranks are here. A collective call.
    pub fn barrier(&self) {
        mpi::traits::CommunicatorCollectives::barrier(&self.comm);
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
