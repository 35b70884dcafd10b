//! The source arrays of a virtual array: in its file, and in files beside it; how much they have where a mapping has no
//! end.

use std::sync::{Arc, Mutex, PoisonError};

use dudley::bytes::FileSource;
use dudley::model::{Candidate, Dataset, Format, InPlace};
use dudley::{Data, Error, Open, Result};

use super::Chain;
use super::mapping::{MOST, Mapping, SAME};
use crate::beside;
use crate::hdf5::group::outside;
use crate::hdf5::selection::Stored;
use crate::hdf5::{Hdf5, superblock};
use crate::headers::path;

/// The reason why an array is not found.
const NO_ARRAY: &str = "the file has no such array";

/// The most links to other files that lead to a source.
const LINKS: usize = 16;

/// The file of a virtual array, and those beside it.
pub(super) struct Files {
    candidate: Candidate,
    /// The path of the file, or its name if it has none.
    name: String,
    /// The array, and those that are read through it.
    chain: Chain,
    /// The file that was opened last, by its name, and whether it is that of the array.
    last: Mutex<Option<(Arc<str>, Dataset, bool)>>,
}

impl Files {
    pub(super) fn new(candidate: Candidate, name: String, chain: Chain) -> Files {
        Files { candidate, name, chain, last: Mutex::default() }
    }

    /// A file of the source of a mapping, and whether it is the file of the virtual array; `None` if there is none.
    fn candidate(&self, mapping: &Mapping, name: &str) -> Result<Option<(Candidate, bool)>> {
        let wrong = &|why: &str| mapping.wrong(why);
        if name == SAME {
            return Ok(Some((self.candidate.clone(), true)));
        }
        let Some(real) = beside::find(&self.candidate, name, wrong)? else {
            return Ok(None);
        };
        if real.display().to_string() == self.name {
            return Ok(Some((self.candidate.clone(), true)));
        }
        let file = FileSource::open(real).map_err(|error| wrong(&error.to_string()))?;
        Ok(Some((Candidate::of_file(file, 0), false)))
    }

    /// A file of the source of a mapping, opened.
    fn open(&self, mapping: &Mapping, name: &Arc<str>) -> Result<Option<(Dataset, bool)>> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, dataset, is_own)) = &*last
            && known == name
        {
            return Ok(Some((dataset.clone(), *is_own)));
        }
        let Some((candidate, is_own)) = self.candidate(mapping, name)? else { return Ok(None) };
        let format = InPlace(Hdf5 { chain: self.chain.clone() });
        let dataset = format.open(&candidate, &Open::new());
        let dataset = dataset.map_err(|error| mapping.wrong(&error.to_string()))?;
        *last = Some((name.clone(), dataset.clone(), is_own));
        Ok(Some((dataset, is_own)))
    }

    /// The source array of a mapping, and whether it is in the file of the virtual array; `None` if it is not there. Links
    /// to files in the same folder are followed.
    fn find(&self, mapping: &Mapping) -> Result<Option<(Data, bool)>> {
        let (mut file, mut array) = (mapping.file.clone(), mapping.array.to_string());
        for links in 0..LINKS {
            let nothing = |why: &str| match links {
                0 => Ok(None),
                _ => Err(mapping.wrong(&format!("a link leads to `{array}` of `{file}`: {why}"))),
            };
            let Some((dataset, is_own)) = self.open(mapping, &file)? else {
                return nothing(beside::NO_FILE);
            };
            let names = array.split('/').filter(|name| !name.is_empty() && *name != ".");
            let names: String = names.map(|name| path(&[name])).collect();
            match dataset.get(&names).and_then(|node| node.data()) {
                Ok(data) => return Ok(Some((data, is_own))),
                Err(Error::NoSuchItem { .. }) => {}
                Err(error) => return Err(mapping.wrong(&error.to_string())),
            }
            // A name in a link of a file of another folder is relative to that.
            let outside =
                if file.contains('/') { None } else { self.link(mapping, &file, &array)? };
            let Some((next, there)) = outside else { return nothing(NO_ARRAY) };
            (file, array) = (next.into(), there);
        }
        Err(mapping.wrong("it is behind too many links in one another"))
    }

    /// Where a path leads that leaves a file by a link.
    fn link(&self, mapping: &Mapping, file: &str, array: &str) -> Result<Option<(String, String)>> {
        let Some((candidate, _)) = self.candidate(mapping, file)? else { return Ok(None) };
        let (file, block) = superblock::read(candidate.headers()?)?;
        outside(&file, block.root, array)
    }

    /// As [`Self::find`].
    ///
    /// # Errors
    /// Also if it is not there.
    pub(super) fn data(&self, mapping: &Mapping) -> Result<(Data, bool)> {
        if let Some(found) = self.find(mapping)? {
            return Ok(found);
        }
        let has_file = self.open(mapping, &mapping.file)?.is_some();
        Err(mapping.wrong(if has_file { NO_ARRAY } else { beside::NO_FILE }))
    }

    /// The mappings with their names as they are, and with the ends that their sources have now, of which the shape is
    /// that of the array then.
    pub(super) fn ended(&self, mappings: Vec<Mapping>, shape: &mut [u64]) -> Result<Vec<Mapping>> {
        let mut ended: Vec<Mapping> = Vec::new();
        let mut endless = vec![false; shape.len()];
        let mut ends = vec![0; shape.len()];
        for mapping in mappings {
            let wrong = |why: &str| mapping.wrong(why);
            let before = ended.len();
            let Some(axis) = mapping.own.endless() else {
                ended.push(mapping.named(None).ok_or_else(|| wrong("the name has a `%`"))?);
                ends.iter_mut().enumerate().for_each(|(axis, end)| {
                    *end = ended[before].own.end(axis).max(*end);
                });
                continue;
            };
            let is_endless = endless.get_mut(axis);
            *is_endless.ok_or_else(|| wrong("a selection of too many dimensions"))? = true;
            let too_large = || wrong("a selection beyond any array");
            match mapping.source.endless() {
                Some(there) => {
                    let mut mapping =
                        mapping.named(None).ok_or_else(|| wrong("the name has a `%`"))?;
                    let (data, _) = self.data(&mapping)?;
                    let len = data.shape().get(there).copied().unwrap_or(0);
                    let count = mapping.source.below(there, len);
                    let clipped = |it: &Stored, axis| it.with(axis, 0, count).ok_or_else(too_large);
                    mapping.own = clipped(&mapping.own, axis)?;
                    mapping.source = clipped(&mapping.source, there)?;
                    ended.push(mapping);
                }
                // The source of each block has the number of the block in its name.
                None => {
                    let len = mapping.own.block(axis);
                    for number in 0..MOST {
                        let numbered = mapping.named(Some(number));
                        let mut numbered = numbered.ok_or_else(|| wrong("the name has a `%`"))?;
                        if numbered.file == mapping.file && numbered.array == mapping.array {
                            return Err(wrong("blocks without an end, and without a number"));
                        }
                        // The first one is there, or its folder is another one.
                        if number == 0 {
                            self.data(&numbered)?;
                        } else if self.find(&numbered)?.is_none() {
                            break;
                        }
                        let own = mapping.own.with(axis, number * len, len);
                        numbered.own = own.ok_or_else(too_large)?;
                        ended.push(numbered);
                    }
                }
            }
            for mapping in &ended[before..] {
                ends.iter_mut().enumerate().for_each(|(axis, end)| {
                    *end = mapping.own.end(axis).max(*end);
                });
            }
        }
        for ((len, end), is_endless) in shape.iter_mut().zip(ends).zip(endless) {
            *len = if is_endless { end } else { *len };
        }
        Ok(ended)
    }
}
