//! Fields of a header that say otherwise than the rest of the frame, which no read needs.

use super::{Frame, Generation, Place};
use crate::blosc2::error::Error;

/// The highest level of compression.
const HIGHEST: u8 = 9;

impl Frame {
    /// Gives what the header says that the rest of the frame does not, where nothing is read by it: other programs
    /// may, or stop there.
    pub(in crate::blosc2) fn check_header(&self, found: &mut dyn FnMut(Error)) {
        let head = &self.inner.head;
        let mut damaged = |field: &str, expected: &str, is: String| {
            found(head.damaged(field, expected, is));
        };
        if head.level > HIGHEST {
            damaged("codec_flags", "a level of compression of 0 to 9", head.level.to_string());
        }
        if let Some(width) =
            self.inner.index.width().filter(|width| *width != head.bytes_of_offset())
        {
            let expected = format!("offsets of {} bits, as in the index", width * 8);
            damaged("general_flags", &expected, format!("of {}", head.bytes_of_offset() * 8));
        }
        // Frames of 2020, and those without chunks, may say anything.
        if self.generation() != Generation::Today || self.chunk_count() == 0 {
            return;
        }
        match (head.chunksize, head.chunks_differ) {
            (None, false) => {
                damaged("chunksize", "a size of chunks, as the flags say", "0".to_owned())
            }
            (Some(size), true) => {
                let expected = "0, as the flags say that chunks differ in size";
                damaged("chunksize", expected, size.to_string());
            }
            _ => {}
        }
        let differ = |number| match self.place(number) {
            Ok(Place::Stored(_)) => Some(self.chunk(number).ok()?.has_variable_blocks()),
            _ => None,
        };
        if let Some(other) = (0..self.chunk_count()).find_map(differ)
            && other != head.blocks_differ
        {
            let said = |differ| if differ { "blocks of any size" } else { "blocks of one size" };
            damaged(
                "general_flags",
                &format!("{}, as chunks have", said(other)),
                said(head.blocks_differ).to_owned(),
            );
        }
        if let Some(said) = head.has_vlmeta.filter(|_| self.trailer_passed().is_none())
            && said != (self.vlmeta_names().count() > 0)
        {
            let told = |has| {
                if has { "metalayers of variable size" } else { "no metalayers of variable size" }
            };
            damaged(
                "has_vlmeta",
                &format!("{}, as in the trailer", told(!said)),
                told(said).to_owned(),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blosc2::{Encoding, NewArray, NewFrame};

    fn findings(bytes: Vec<u8>) -> Vec<String> {
        let frame = Frame::from_source(bytes).expect("a frame");
        let mut found = Vec::new();
        frame.verify(&mut |path, why| found.push(format!("{path}: {why}")), &mut |_| ());
        found
    }

    fn frame(variable: bool) -> Vec<u8> {
        let new = NewFrame::new(Encoding::new(1)).chunksize(100);
        let new = if variable { new.variable() } else { new.vlmeta("a", b"\x01") };
        let mut writer = new.memory().expect("begun");
        writer.write(&[1; 100]).expect("written");
        writer.write(&(0..50).collect::<Vec<_>>()).expect("written");
        writer.finish_bytes().expect("complete")
    }

    #[test]
    fn fields_that_contradict_the_frame_are_found_and_data_are_read() {
        // Where the field is, other bytes, and what is said of it.
        let cases: [(usize, &[u8], &str, bool); 9] = [
            (58, &[0; 4], "a size of chunks, as the flags say, found 0", false),
            (25, &[0x22], "offsets of 64 bits, as in the index, found of 128", false),
            (25, &[0x02], "offsets of 64 bits, as in the index, found of 32", false),
            (25, &[0x32], "offsets of 64 bits, as in the index, found of 256", false),
            (25, &[0x52], "0, as the flags say that chunks differ in size, found 100", false),
            (25, &[0x92], "blocks of one size, as chunks have, found blocks of any size", false),
            (27, &[0xf5], "a level of compression of 0 to 9, found 15", false),
            (68, &[0xc2], "metalayers of variable size, as in the trailer, found no", false),
            (25, &[0x13], "a size of chunks, as the flags say, found 0", true),
        ];
        for variable in [false, true] {
            assert_eq!(findings(frame(variable)), Vec::<String>::new());
        }
        for (at, other, said, variable) in cases {
            let mut bytes = frame(variable);
            let whole = Frame::from_source(bytes.clone()).and_then(|frame| frame.read());
            bytes[at..at + other.len()].copy_from_slice(other);
            let read = Frame::from_source(bytes.clone()).and_then(|frame| frame.read());
            assert_eq!(read.expect("read"), whole.expect("read"), "{said}");
            let found = findings(bytes);
            assert!(found.len() == 1 && found[0].contains(said), "{said}: {found:?}");
        }
    }

    #[test]
    fn a_dtype_that_is_no_text_is_an_error() {
        let mut writer = NewArray::of::<f64>(&[3]).and_then(|new| new.memory()).expect("begun");
        writer.write_elements(&[1.0, 2.0, 3.0]).expect("written");
        let mut bytes = writer.finish_bytes().expect("complete");
        let dtype = bytes.windows(3).position(|part| part == b"<f8").expect("there");
        bytes[dtype + 1] = 0xff;
        let frame = Frame::from_source(bytes.clone()).expect("a frame");
        let why = frame.array().expect_err("no text");
        assert!(
            why.address() == Some(dtype as u64 + 1) && why.to_string().contains("UTF-8"),
            "{why}"
        );
        assert_eq!(findings(bytes).len(), 1);
    }
}
