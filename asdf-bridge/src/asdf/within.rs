//! The format of ASDF files that lie in files of another one.

use dudley::model::{Candidate, Claim, Dataset, Format};
use dudley::verify::Finding;

use super::dataset::{finding, opened};
use super::lodged::Hosts;

/// The format of ASDF files in files of another format.
pub struct Within<H>(pub H);

impl<H: Hosts> Format for Within<H> {
    fn describe(&self) -> &'static str {
        self.0.describe()
    }

    fn recognise(&self, candidate: &Candidate) -> dudley::Result<Option<Claim>> {
        // What is wrong with the host is said by the code that opens it.
        match self.0.find(candidate, &dudley::Open::new()) {
            Ok(found) => Ok(found.map(|_| Claim::Lodged)),
            Err(error) if error.is_unread() => Err(error),
            Err(_) => Ok(None),
        }
    }

    fn open(&self, candidate: &Candidate, open: &dudley::Open) -> dudley::Result<Dataset> {
        let lodged = self.0.find(candidate, open)?;
        Ok(Dataset::new(candidate.name(), opened(candidate, open, lodged)?))
    }

    fn verify(
        &self,
        candidate: &Candidate,
        open: &dudley::Open,
        found: &mut dyn FnMut(Finding),
        advance: &mut dyn FnMut(u64),
    ) -> dudley::Result<()> {
        let lodged = self.0.find(candidate, open)?;
        for own in opened(candidate, open, lodged)?.verify()?.findings {
            // Addresses of the ASDF file are none of the whole.
            found(Finding { address: None, bytes: None, ..finding(own) });
        }
        self.0.verify(candidate, open, found, advance)
    }
}
