//! Which form a header has where its size leaves several: that whose sizes make sense.
//!
//! A header of FINF that says that it has 44 bytes or more is as a rule one with flags. It may be one without, which is
//! shorter, and some bytes behind it. Read as the other one, sizes are thousands of times what they are.

use super::super::form::{self, Fields, STREAMED};
use super::Blocks;

impl Blocks {
    /// What the header at an address says, which begins with these bytes.
    pub(super) fn read(&self, at: u64, head: &[u8]) -> Fields {
        let fields = form::read(self.dialect, head);
        let Some(other) = form::other(self.dialect, head).filter(|_| !self.fits(&fields, at))
        else {
            return fields;
        };
        if other.used <= other.allocated && self.lands(&other, other.start(at)) {
            other
        } else {
            fields
        }
    }

    /// Whether the sizes that a header states are those of a block within the file.
    fn fits(&self, fields: &Fields, at: u64) -> bool {
        let end = fields.start(at).checked_add(fields.allocated);
        match fields.flags & STREAMED {
            0 => fields.used <= fields.allocated && end.is_some_and(|end| end <= self.source.len()),
            _ => fields.allocated == 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::asdf::{Form, Open};

    /// A file of blocks whose headers say that they have this many bytes, with these fields.
    fn file(header: u16, fields: impl Fn(u64) -> Vec<u8>, datas: &[&[u8]]) -> Vec<u8> {
        let mut bytes = b"%FINF 0.1.0\n%YAML 1.1\n--- {}\n...\n".to_vec();
        for data in datas {
            bytes.extend(b"\xd3BLK");
            bytes.extend(header.to_be_bytes());
            let fields = fields(data.len() as u64);
            bytes.extend(&fields);
            bytes.resize(bytes.len() + usize::from(header) - fields.len(), 0);
            bytes.extend(*data);
        }
        bytes
    }

    #[test]
    fn sizes_tell_which_header_it_is() {
        let plain = |bytes: u64| [bytes.to_be_bytes(), bytes.to_be_bytes()].concat();
        let flagged = |bytes: u64| [vec![0; 4], plain(bytes)].concat();
        let datas = [&b"some data"[..], b"", &[7; 1000], b"x"];
        for more in [0, 1, 4, 7, 40] {
            let at = |form, header, bytes: Vec<u8>| {
                let file = Open::new().bytes(bytes).expect("a file");
                assert!(file.check().expect("memory").is_clean(), "{header}");
                let blocks = file.blocks().expect("memory");
                for (block, data) in blocks.into_iter().zip(datas) {
                    let block = block.expect("a block");
                    // Nothing tells them apart that have no data.
                    assert!(block.form == form || data.is_empty(), "{header}");
                    assert_eq!(file.block_data(block.index as i64).expect("data"), data);
                }
            };
            at(Form::Finf40, 40 + more, file(40 + more, plain, &datas));
            at(Form::Finf44, 44 + more, file(44 + more, flagged, &datas));
        }
    }

    #[test]
    fn what_is_cut_off_stays_what_it_is() {
        let flagged = |bytes: u64| [vec![0; 4], [bytes.to_be_bytes(); 2].concat()].concat();
        let bytes = file(44, flagged, &[&[7; 100]]);
        let file = Open::new().bytes(&bytes[..bytes.len() - 1]).expect("a file");
        let block = file.block(0).expect("a block");
        assert_eq!((block.form, block.used()), (Form::Finf44, 100));
    }
}
