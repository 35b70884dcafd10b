//! Files that the ranks of a parallel program write and read together, each its part, such as those of MPI.
//!
//! A [`Communicator`] carries bytes between ranks; the crate `dudley-mpi` has one for MPI, [`threads`] makes one of
//! threads. Data goes from each rank to the file, not between ranks, unless one rank writes
//! [for a group](Writer::aggregate). What ranks tell each other is
//! one reduction and one broadcast for each collective call: [`create`], [`Writer::finish`], [`open`], [`agree`].
//! All ranks make the collective calls, in the same order, and all of them return the same error if one rank fails.
//!
//! ```
//! use dudley::create::Create;
//! use dudley::ndarray::Array2;
//! use dudley::ranks::{self, Blocks, Communicator};
//!
//! # let folder = tempfile::tempdir().expect("a folder");
//! # let path = folder.path().join("rho.bd");
//! let create = Create::text("rho = f8[100, 60]")?;
//! ranks::threads(4, |comm| -> dudley::Result<()> {
//!     let blocks = Blocks::of_ranks(&[100, 60], comm.size())?.ghosts(&[1, 1])?; // 2 x 2
//!     let block = blocks.block(comm.rank());
//!     let rho = Array2::from_elem((52, 32), comm.rank() as f64); // 50 x 30, and a ghost cell on each side
//!     assert_eq!(block.memory_shape(), [52, 32]);
//!     let writer = ranks::create(comm, &create, &path)?;
//!     writer.write_block("/rho", &blocks, &rho)?;
//!     writer.finish()
//! })
//! .into_iter()
//! .collect::<dudley::Result<()>>()?;
//! let whole = dudley::Stream::open(&path)?.get("/rho")?.read::<f64>()?;
//! assert_eq!((whole[[0, 0]], whole[[99, 59]]), (0.0, 3.0));
//! // Three ranks go on, each with its rows.
//! ranks::threads(3, |comm| -> dudley::Result<()> {
//!     let blocks = Blocks::new(&[100, 60], &[3, 1])?;
//!     let mut rho = Array2::<f64>::zeros((blocks.block(comm.rank()).memory_shape()[0], 60));
//!     let reader = ranks::open(comm, &path)?;
//!     reader.read_block("/rho", &blocks, &mut rho)
//! })
//! .into_iter()
//! .collect::<dudley::Result<()>>()?;
//! # Ok::<(), dudley::Error>(())
//! ```

mod aggregate;
mod agree;
mod blocks;
mod group;
mod reader;
mod report;
mod threads;
mod windows;
mod writer;

use crate::error::Result;
pub use agree::{agree, first};
pub use blocks::{Block, Blocks};
pub use group::Group;
pub use reader::{Reader, open};
pub use threads::{Thread, threads};
pub use writer::{Writer, create};

/// Carries bytes between the ranks of a parallel program. Messages from one rank to another arrive in the order in which
/// they were sent.
///
/// ```
/// use dudley::ranks::{Communicator, threads};
///
/// let received = threads(2, |comm| -> dudley::Result<Vec<u8>> {
///     let other = 1 - comm.rank();
///     comm.send(other, &[comm.rank() as u8])?;
///     comm.receive(other)
/// });
/// let received = received.into_iter().collect::<dudley::Result<Vec<_>>>()?;
/// assert_eq!(received, [[1], [0]]);
/// # Ok::<(), dudley::Error>(())
/// ```
pub trait Communicator {
    /// The number of this rank, from 0.
    ///
    /// ```
    /// use dudley::ranks::{Communicator, threads};
    ///
    /// assert_eq!(threads(3, |comm| comm.rank()), [0, 1, 2]);
    /// ```
    fn rank(&self) -> usize;

    /// How many ranks there are.
    ///
    /// ```
    /// use dudley::ranks::{Communicator, threads};
    ///
    /// assert_eq!(threads(3, |comm| comm.size()), [3, 3, 3]);
    /// ```
    fn size(&self) -> usize;

    /// Sends bytes to another rank.
    ///
    /// ```
    /// use dudley::ranks::{Communicator, threads};
    ///
    /// let found = threads(2, |comm| match comm.rank() {
    ///     0 => comm.send(1, b"a message").map(|()| Vec::new()),
    ///     _ => comm.receive(0),
    /// });
    /// assert!(found[1].as_ref().is_ok_and(|bytes| bytes == b"a message"));
    /// ```
    ///
    /// # Errors
    /// If the other rank is known to be gone.
    fn send(&self, to: usize, bytes: &[u8]) -> Result<()>;

    /// Waits for bytes of another rank.
    ///
    /// ```
    /// use dudley::ranks::{Communicator, threads};
    ///
    /// // Rank 0 ends without a message.
    /// let found = threads(2, |comm| if comm.rank() == 1 { comm.receive(0) } else { Ok(Vec::new()) });
    /// assert!(found[0].is_ok() && found[1].is_err());
    /// ```
    ///
    /// # Errors
    /// If the other rank has ended without sending any bytes.
    fn receive(&self, from: usize) -> Result<Vec<u8>>;
}
