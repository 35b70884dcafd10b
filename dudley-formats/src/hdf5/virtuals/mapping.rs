//! The mappings of virtual arrays: which elements are those of which other arrays.

use std::sync::Arc;

use dudley::{Error, Result};

use crate::cursor::malformed;
use crate::hdf5::file::File;
use crate::hdf5::selection::Stored;

/// The most mappings of an array.
pub(super) const MOST: u64 = 1 << 20;
/// The name of the file of a virtual array, as a source.
pub(super) const SAME: &str = ".";
/// Mappings that a layout names.
const NAMED: usize = 64;

/// Elements of a virtual array that are elements of another one, in the same order.
#[derive(Clone, Debug)]
pub(in crate::hdf5) struct Mapping {
    /// The name of the file, and the path of the array in it.
    pub(super) file: Arc<str>,
    pub(super) array: Arc<str>,
    pub(super) source: Stored,
    pub(super) own: Stored,
    /// Its place in the stream.
    pub(super) place: u64,
}

/// Reads the mappings of an array, which are an object of a heap.
///
/// # Errors
/// If they are malformed.
pub(in crate::hdf5) fn mappings(
    file: &File,
    (place, object): &(u64, Arc<[u8]>),
) -> Result<Vec<Mapping>> {
    let what = "the mappings of a virtual array";
    let mut block = file.within(&object[..], *place, what);
    let version = block.version(0..=1)?;
    let count = block.length()?;
    if count > MOST {
        return Err(block.wrong(format!("{count} of them")));
    }
    let mut mappings: Vec<Mapping> = Vec::new();
    for _ in 0..count {
        let place = block.place();
        // In version 1 a name may be that of a mapping before, by its number.
        let flags = if version == 0 { 0 } else { block.u1()? };
        let mut name = |flag: u8, of: fn(&Mapping) -> &Arc<str>| {
            if flags & flag == 0 {
                return Ok(block.text()?.into());
            }
            let number = block.length()?;
            let known =
                usize::try_from(number).ok().and_then(|at| mappings.get(at)).map(of).cloned();
            known.ok_or_else(|| block.wrong(format!("no mapping {number} before this one")))
        };
        let file = if flags & 4 == 0 { name(1, |it| &it.file)? } else { SAME.into() };
        let array = name(2, |it| &it.array)?;
        let (source, own) = (Stored::read(&mut block)?, Stored::read(&mut block)?);
        mappings.push(Mapping { file, array, source, own, place });
    }
    block.checksum()?;
    Ok(mappings)
}

/// Whether the shape of an array with such mappings depends on how much is in its sources.
pub(in crate::hdf5) fn is_endless(mappings: &[Mapping]) -> bool {
    mappings.iter().any(|mapping| mapping.own.endless().is_some())
}

/// A name with `%` for each `%%`, and the number of a block for each `%b`; `None` if it has other signs behind `%`, or no
/// number for them.
fn named(name: &str, number: Option<u64>) -> Option<Arc<str>> {
    let mut parts = name.split('%');
    let mut text = parts.next().unwrap_or_default().to_owned();
    while let Some(part) = parts.next() {
        match part.strip_prefix('b') {
            Some(rest) => text += &format!("{}{rest}", number?),
            None if part.is_empty() => {
                text.push('%');
                text += parts.next()?;
            }
            None => return None,
        }
    }
    Some(text.into())
}

/// The mappings in words, the first ones of many.
pub(in crate::hdf5) fn words(mappings: &[Mapping]) -> Vec<String> {
    let word = |it: &Mapping| {
        let (own, source) = (it.own.words(), it.source.words());
        format!("{own} is {}{source} of the file {}", it.array, it.file)
    };
    let mut words: Vec<String> = mappings.iter().take(NAMED).map(word).collect();
    if mappings.len() > NAMED {
        words.push(format!("and {} more", mappings.len() - NAMED));
    }
    words
}

impl Mapping {
    /// The same mapping with its names as they are, of a block of this number.
    pub(super) fn named(&self, number: Option<u64>) -> Option<Mapping> {
        let (file, array) = (named(&self.file, number)?, named(&self.array, number)?);
        Some(Mapping { file, array, ..self.clone() })
    }

    /// The reason why its elements are not read.
    pub(super) fn wrong(&self, why: &str) -> Error {
        let of = format!("elements of `{}` of the file `{}`", self.array, self.file);
        malformed(self.place, format!("a virtual array has {of}: {why}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hdf5::checksum::lookup3;

    /// What is wrong with mappings of these bytes, behind which is their checksum.
    fn read(parts: &[&[u8]]) -> Result<Vec<Mapping>> {
        let file = File::new(Arc::new(Vec::new()), 0, 8, 8);
        let mut bytes = parts.concat();
        bytes.extend(lookup3(&bytes).to_le_bytes());
        mappings(&file, &(100, bytes.into()))
    }

    const ONE: &[u8] = &[1, 0, 0, 0, 0, 0, 0, 0];
    const ALL: &[u8] = &[3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

    fn wrong(parts: &[&[u8]]) -> String {
        read(parts).expect_err("it is malformed").to_string()
    }

    #[test]
    fn mappings_are_read() {
        let found = read(&[&[0], ONE, b"a\0x\0", ALL, ALL]).expect("they are read");
        assert_eq!((found.len(), &*found[0].file, &*found[0].array), (1, "a", "x"));
        assert_eq!((&found[0].own, found[0].place), (&Stored::All, 109));
        // In version 1 names are those of mappings before, or the file is the same.
        let two: &[u8] = &[2, 0, 0, 0, 0, 0, 0, 0];
        let again = [&[3][..], &[0; 16]].concat();
        let found = read(&[&[1], two, b"\x04x\0", ALL, ALL, &again, ALL, ALL]).expect("read");
        assert_eq!((&*found[1].file, &*found[1].array), (SAME, "x"));
    }

    #[test]
    fn malformed_mappings_are_named() {
        assert!(wrong(&[&[7], ONE]).contains("version 7 is not known"));
        assert!(wrong(&[&[0], &[0xff; 8]]).contains("18446744073709551615 of them"));
        // Fewer than they say.
        assert!(
            wrong(&[&[0], &[0, 0, 1, 0, 0, 0, 0, 0], b"a\0x\0", ALL, ALL]).contains("(address")
        );
        assert!(wrong(&[&[0], ONE, b"a"]).contains("a name without an end"));
        let itself = [&[1][..], &[0; 8], b"x\0"].concat();
        assert!(wrong(&[&[1], ONE, &itself, ALL, ALL]).contains("no mapping 0 before this one"));
        let points: &[u8] = &[1, 0, 0, 0];
        assert!(wrong(&[&[0], ONE, b"a\0x\0", points]).contains("a selection of points"));
        let hyperslab = |rest: &[u8]| {
            let head = [&[2, 0, 0, 0, 3, 0, 0, 0, 1, 2][..], rest].concat();
            wrong(&[&[0], ONE, b"a\0x\0", &head])
        };
        assert!(hyperslab(&[99, 0, 0, 0]).contains("99 dimensions"));
        let overlap: &[u8] = &[1, 0, 0, 0, 0, 0, 1, 0, 2, 0, 2, 0];
        assert!(hyperslab(overlap).contains("blocks that overlap"));
        // As many blocks as are there.
        let blocks = [2, 0, 0, 0, 3, 0, 0, 0, 0, 8, 1, 0, 0, 0].map(|byte: u8| byte);
        let blocks = [&blocks[..], &[0xff; 8], &[0; 32]].concat();
        assert!(wrong(&[&[0], ONE, b"a\0x\0", &blocks]).contains("it ends"));
    }

    #[test]
    fn names_have_numbers() {
        let named = |name: &str, number| super::named(name, number).map(|name| name.to_string());
        assert_eq!(named("a%%b", None).as_deref(), Some("a%b"));
        assert_eq!(named("a%b.h5", Some(12)).as_deref(), Some("a12.h5"));
        assert_eq!(named("%b%%%b", Some(3)).as_deref(), Some("3%3"));
        assert_eq!(named("a%b", None), None);
        assert_eq!(named("a%d", Some(1)), None);
        assert_eq!(named("a%", Some(1)).as_deref(), None);
    }
}
