//! What these tests ask of files in a folder.

use asdf_bridge::asdf::AsdfFile;

pub(crate) use crate::folder::Folder;

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
