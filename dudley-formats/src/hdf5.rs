//! HDF5: files read in place, and an HDF5 face of native streams.
//!
//! The HDF5 File Format Specification, version 3.0, describes all structures here.

mod attribute;
mod btree;
mod checksum;
mod chunks;
mod dataset;
mod datatype;
mod describe;
pub mod face;
mod file;
mod filter;
mod group;
mod heap;
mod message;
mod netcdf;
mod object;
mod selection;
mod superblock;
mod symbols;
mod tree;
mod types;
mod virtuals;
mod vlen;
pub mod written;

use std::sync::Arc;

use dudley::model::{Asked, Candidate, Claim, Describe, Described, Fact, Laid, Later};
use dudley::verify::Finding;
use dudley::{Open, Result};

pub(crate) use dataset::Filter;
pub(crate) use filter::name as filter_name;
pub use filter::register;

/// The format of HDF5 files, netCDF-4 among them.
#[derive(Default)]
pub(crate) struct Hdf5 {
    /// The virtual arrays that are read through it.
    chain: virtuals::Chain,
}

impl Describe for Hdf5 {
    fn describe(&self) -> &'static str {
        "an HDF5 file"
    }

    fn name(&self) -> &'static str {
        "hdf5"
    }

    fn recognise(&self, candidate: &Candidate) -> Result<Option<Claim>> {
        Ok(candidate.head()?.starts_with(message::SIGNATURE).then_some(Claim::Signature))
    }

    fn recognise_further(&self, candidate: &Candidate) -> Result<bool> {
        // The superblock may follow a user block. Only the head of the file is searched, since the file may be remote.
        Ok(superblock::find(&candidate.long_head()?)?.is_some())
    }

    fn read(&self, candidate: &Candidate, found: &mut dyn FnMut(Finding)) -> Result<Described> {
        let (file, block) = superblock::read(candidate.headers()?)?;
        // With a user block in front, some writers count from its end.
        let length = file.len;
        if block.end > length {
            let why = format!("the file should have {} bytes, and has {length}", block.end);
            found(Finding::new(dudley::Severity::Warning, "truncated", why));
        }
        let root = tree::Root::read(&file, block.root)?;
        let name = format!("HDF5, superblock {}", block.version);
        let facts = vec![
            Fact::new("superblock", u64::from(block.version)).shown(&*name),
            Fact::new("base", file.base),
        ];
        let arrays = virtuals::Virtuals::new(file.anew(), candidate.clone(), self.chain.clone());
        let later = Objects { file, root, arrays: Arc::new(arrays) };
        Ok(Described { later: Some(Box::new(later)), facts, ..Described::default() })
    }
}

/// The objects of a file, read later: a caller may request only a few.
struct Objects {
    file: file::File,
    root: tree::Root,
    arrays: Arc<virtuals::Virtuals>,
}

impl Later for Objects {
    fn whole(&self) -> Result<Laid> {
        let file = self.file.anew();
        let mut found = Vec::new();
        let each = &mut |finding| found.push(finding);
        let mut tree = tree::whole(&file, &self.root, each)?;
        let layout = describe::layout(&file, &mut tree, &self.arrays, None);
        let notes = tree.notes;
        Ok(Laid { layout, found, notes })
    }

    fn part(&self, asked: &Asked) -> Result<Option<Laid>> {
        let file = self.file.anew();
        let mut found = Vec::new();
        let each = &mut |finding| found.push(finding);
        let Some((mut tree, is_last)) = tree::part(&file, &self.root, &asked.names, each)? else {
            return Ok(None);
        };
        // Each name after the name of an array is a chunk of the array.
        let layout = describe::layout(&file, &mut tree, &self.arrays, is_last.then_some(asked));
        let notes = tree.notes;
        Ok(Some(Laid { layout, found, notes }))
    }

    fn prepare(&self, open: Open) -> Open {
        open.add_filters(|registry| filter::register_of(registry, Some(self.arrays.clone())))
    }
}
