//! How blocks of January 2015 say that their data are encoded: a flag, and a line before the data, `--- [zlib]`.

use super::super::error::Result;
use super::super::form::{ENCODED, Fields, Form};
use super::{Blocks, is_label};

/// The longest such line is shorter.
const LONGEST: u64 = 64;

/// How the data of a block are encoded.
pub(super) enum Encoding {
    /// As its header says.
    OfHeader,
    /// As the line before them says: the label, and the bytes of the line.
    Line { label: [u8; 4], bytes: u64 },
    /// There should be such a line, and is none.
    Unknown,
}

impl Blocks {
    /// How the data of the block at an address are encoded.
    pub(super) fn encoding(&self, fields: &Fields, at: u64) -> Result<Encoding> {
        if fields.form != Form::Early36 || fields.flags & ENCODED == 0 {
            return Ok(Encoding::OfHeader);
        }
        let start = fields.start(at);
        // Of a header that is cut off it is said elsewhere.
        let there = self.source.len().checked_sub(start);
        let Some(there) = there else { return Ok(Encoding::OfHeader) };
        let length = there.min(fields.used).min(LONGEST);
        let mut line = vec![0; length as usize];
        self.source.read_at(start, &mut line)?;
        Ok(read(&line).unwrap_or(Encoding::Unknown))
    }
}

fn read(data: &[u8]) -> Option<Encoding> {
    let rest = data.strip_prefix(b"--- [")?;
    let name = &rest[..memchr::memchr(b']', rest).filter(|length| (1..=4).contains(length))?];
    let behind = rest[name.len() + 1..].strip_prefix(b"\n...\n")?;
    let mut label = [0; 4];
    label[..name.len()].copy_from_slice(name);
    is_label(label).then_some(Encoding::Line { label, bytes: (data.len() - behind.len()) as u64 })
}

#[cfg(test)]
mod tests {
    use crate::asdf::{Builder, Code, Open};

    /// A file of January 2015 with one block of these data.
    fn file(data: &[u8]) -> Vec<u8> {
        let mut bytes = b"#ASDF 0.1.0\n%YAML 1.1\n--- {}\n...\n\xd3BLK\0\x24\0\0\0\x02".to_vec();
        for number in [data.len() as u64, data.len() as u64, 3, 0] {
            bytes.extend(number.to_be_bytes());
        }
        [bytes, data.to_vec()].concat()
    }

    #[test]
    fn the_line_says_how_data_are_encoded() {
        let bytes = file(b"--- [zlib]\n...\n\x78\x9c\x4b\x4c\x4a\x06\x00\x02\x4d\x01\x27");
        let file = Open::new().bytes(bytes).expect("a file");
        let block = file.block(0).expect("a block");
        assert_eq!(block.compression().as_deref(), Some("zlib"));
        assert!(file.verify_block(&block).is_empty());
    }

    #[test]
    fn what_is_cut_off_is_said() {
        let bytes = file(b"--- [zlib]\n...\n\x78\x9c\x4b\x4c\x4a\x06\x00\x02\x4d\x01\x27");
        for length in 40..bytes.len() {
            let file = Open::new().bytes(&bytes[..length]).expect("a file");
            let report = file.verify().expect("memory can be read");
            assert!(!report.findings.is_empty(), "{length}");
        }
    }

    #[test]
    fn without_the_line_the_data_are_not_known() {
        for data in [&b"--- [z\x94\x9bb]\n...\nabc"[..], b"abc", b"", b"--- []\n...\nabc"] {
            let file = Open::new().bytes(file(data)).expect("a file");
            assert!(file.block(0).is_err(), "{data:?}");
            let report = file.verify().expect("memory can be read");
            let found = report.findings.iter().find(|finding| finding.code == Code::BadHeader);
            assert!(found.is_some_and(|it| it.reason.contains("`--- [zlib]`")), "{report:?}");
            // So it is left out of what is written of the file.
            let builder = Builder::new().blocks_left_of(&file).expect("memory can be read");
            let bytes = builder.to_bytes().expect("a file");
            let blocks = Open::new().bytes(bytes).expect("a file").blocks().expect("blocks");
            assert!(blocks.iter().all(Result::is_ok));
        }
    }
}
