//! Groups of ranks: each writes a file of its own, or has one rank that writes for all of it.

use super::Communicator;
use crate::error::{Error, Result};

/// Some ranks of a communicator, as a communicator: [`create`](super::create()), [`open`](super::open) and
/// [`agree`](super::agree) of a group need no other group. [`Writer::aggregate`](super::Writer::aggregate) lets one rank write
/// what all of a group have.
///
/// With a file for each group, fewer ranks share a file. A [catalog](crate::family::Build) makes the files one dataset:
///
/// ```
/// use dudley::create::Create;
/// use dudley::family::{Build, Family};
/// use dudley::ndarray::Array1;
/// use dudley::ranks::{self, Blocks, Communicator, Group};
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let folder = folder.path();
/// let files: Vec<_> = (0..2).map(|it| folder.join(format!("part{it}.bd"))).collect();
/// let catalog = folder.join("run.bd");
/// let create = Create::text("{part : i8}\nrho = f8[6]")?;
/// ranks::threads(4, |comm| -> dudley::Result<()> {
///     let group = Group::new(comm, 2)?; // ranks 0 and 1, and ranks 2 and 3
///     let blocks = Blocks::new(&[6], &[group.size() as u64])?;
///     let rho = Array1::from_elem(3, comm.rank() as f64);
///     let create = create.clone().param("part", group.number() as i64);
///     let written = ranks::create(&group, &create, &files[group.number()]).and_then(|writer| {
///         writer.write_block("/rho", &blocks, &rho)?;
///         writer.finish()
///     });
///     ranks::agree(comm, written)?; // all groups
///     ranks::first(comm, || Ok((Build::new().create(&catalog, &files, false)?, Vec::new())))?;
///     Ok(())
/// })
/// .into_iter()
/// .collect::<dudley::Result<()>>()?;
/// let family = Family::open(&catalog)?;
/// let rho = family.read("/rho", &family.select("part >= 0")?)?.array::<f64>()?;
/// assert_eq!((rho.shape(), rho[[0, 5]], rho[[1, 0]]), (&[2, 6][..], 1.0, 2.0));
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Debug)]
pub struct Group<'c, C: Communicator + ?Sized> {
    comm: &'c C,
    number: usize,
    /// Its ranks in the communicator.
    ranks: Vec<usize>,
    /// Which of them this one is.
    rank: usize,
}

impl<'c, C: Communicator + ?Sized> Group<'c, C> {
    /// The group of this rank, one of `groups` groups of consecutive ranks. Their sizes differ by at most one rank, and the first
    /// ones are larger. No collective call.
    ///
    /// # Errors
    /// [`Error::WrongValue`] for no groups, or more groups than ranks.
    pub fn new(comm: &'c C, groups: usize) -> Result<Group<'c, C>> {
        if groups == 0 || groups > comm.size() {
            let expected = format!("1 to {} groups of ranks", comm.size());
            return Err(wrong(expected, groups.to_string()));
        }
        let (each, more) = (comm.size() / groups, comm.size() % groups);
        let begin = |group: usize| group * each + group.min(more);
        let after = (0..groups).find(|group| begin(group + 1) > comm.rank());
        let number = after.unwrap_or(groups - 1);
        Group::of(comm, number, (begin(number)..begin(number + 1)).collect())
    }

    /// A group of ranks that the program picks, in ascending order, such as those of a node; `number` is its number, from 0. All
    /// ranks of the group must give the same, and each rank be in one group. No collective call.
    ///
    /// ```
    /// use dudley::ranks::{self, Communicator, Group};
    ///
    /// // Even ranks and odd ones.
    /// let places = ranks::threads(5, |comm| -> dudley::Result<_> {
    ///     let number = comm.rank() % 2;
    ///     let group = Group::of(comm, number, (number..comm.size()).step_by(2).collect())?;
    ///     Ok((group.number(), group.rank(), group.size()))
    /// });
    /// assert_eq!(places.into_iter().nth(3).expect("of rank 3")?, (1, 1, 2));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongValue`] if this rank is not among them, one is no rank, or they do not ascend.
    pub fn of(comm: &'c C, number: usize, ranks: Vec<usize>) -> Result<Group<'c, C>> {
        let ascends = ranks.is_sorted_by(|a, b| a < b);
        let rank = ranks.iter().position(|rank| *rank == comm.rank());
        match rank {
            Some(rank) if ascends && ranks.last().is_some_and(|last| *last < comm.size()) => {
                Ok(Group { comm, number, ranks, rank })
            }
            _ => {
                let (mine, size) = (comm.rank(), comm.size());
                let expected =
                    format!("a group with rank {mine}, of {size} ranks, in ascending order");
                Err(wrong(expected, format!("{ranks:?}")))
            }
        }
    }

    /// Its ranks, as the communicator counts them.
    pub fn ranks(&self) -> &[usize] {
        &self.ranks
    }

    /// The number of the group, from 0.
    pub fn number(&self) -> usize {
        self.number
    }
}

impl<C: Communicator + ?Sized> Communicator for Group<'_, C> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.ranks.len()
    }

    fn send(&self, to: usize, bytes: &[u8]) -> Result<()> {
        self.comm.send(self.ranks[to], bytes)
    }

    fn receive(&self, from: usize) -> Result<Vec<u8>> {
        self.comm.receive(self.ranks[from])
    }
}

fn wrong(expected: String, found: String) -> Error {
    Error::WrongValue {
        item: crate::error::Item::UNKNOWN,
        expected: expected.into(),
        found: found.into(),
    }
}
