//! Groups of ranks, each of which writes a file of its own.

use super::Communicator;
use crate::error::{Error, Result};

/// Consecutive ranks of a communicator, as a communicator: [`create`](super::create()), [`open`](super::open) and
/// [`agree`](super::agree) of a group need no other group.
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
    first: usize,
    size: usize,
}

impl<'c, C: Communicator + ?Sized> Group<'c, C> {
    /// The group of this rank, one of `groups` groups. Their sizes differ by at most one rank, and the first ones are larger.
    /// No collective call.
    ///
    /// # Errors
    /// [`Error::WrongValue`] for no groups, or more groups than ranks.
    pub fn new(comm: &'c C, groups: usize) -> Result<Group<'c, C>> {
        if groups == 0 || groups > comm.size() {
            return Err(Error::WrongValue {
                item: crate::error::Item::UNKNOWN,
                expected: format!("1 to {} groups of ranks", comm.size()).into(),
                found: groups.to_string().into(),
            });
        }
        let (each, more) = (comm.size() / groups, comm.size() % groups);
        let begin = |group: usize| group * each + group.min(more);
        let after = (0..groups).find(|group| begin(group + 1) > comm.rank());
        let number = after.unwrap_or(groups - 1);
        let first = begin(number);
        Ok(Group { comm, number, first, size: begin(number + 1) - first })
    }

    /// The number of the group, from 0.
    pub fn number(&self) -> usize {
        self.number
    }
}

impl<C: Communicator + ?Sized> Communicator for Group<'_, C> {
    fn rank(&self) -> usize {
        self.comm.rank() - self.first
    }

    fn size(&self) -> usize {
        self.size
    }

    fn send(&self, to: usize, bytes: &[u8]) -> Result<()> {
        self.comm.send(self.first + to, bytes)
    }

    fn receive(&self, from: usize) -> Result<Vec<u8>> {
        self.comm.receive(self.first + from)
    }
}
