//! What these tests ask of files in a folder.

use asdf_bridge::asdf::{AsdfFile, Builder, NewArray};

pub(crate) use crate::kit::Folder;

/// Files of ASDF in a folder.
pub(crate) trait Asdf {
    /// Opens one.
    fn open(&self, name: &str) -> AsdfFile;

    /// The data of a block.
    fn block(&self, name: &str, number: i64) -> Vec<u8> {
        self.open(name).block_data(number).expect("a block")
    }
}

impl Asdf for Folder {
    fn open(&self, name: &str) -> AsdfFile {
        AsdfFile::open(self.path(name)).expect("it opens")
    }
}

/// Arrays of these lengths, one in each block, without digests, with an index or without one.
pub(crate) fn sample(lengths: &[usize], index: bool) -> Vec<u8> {
    let mut builder = Builder::new();
    for (at, length) in lengths.iter().enumerate() {
        let values: Vec<f64> = (0..*length).map(|value| (value + 1) as f64).collect();
        builder = builder.put(["a", "b", "c", "d"][at], NewArray::from(values));
    }
    builder.digests(false).index(index).align(1).to_bytes().expect("a file")
}
