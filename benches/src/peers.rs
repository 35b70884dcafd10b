//! The same records read and written by others: by hand, with zerocopy, binrw and deku.

use crate::records::{Rec, SIZE};

/// Fields of a record, in order.
macro_rules! with_fields {
    ($do:ident) => {
        $do! { tag kind: u16; zone flags cell: u32; id time mass next: u64; }
    };
}

pub(crate) mod hand {
    use super::{Rec, SIZE};

    /// A part of a record; its length is known, so nothing is checked when it runs.
    fn part<const N: usize>(bytes: &[u8; SIZE], at: usize) -> [u8; N] {
        bytes[at..].first_chunk().copied().unwrap_or([0; N])
    }

    #[inline]
    fn decode(bytes: &[u8; SIZE]) -> Rec {
        Rec {
            tag: u16::from_be_bytes(part(bytes, 0)),
            id: u64::from_be_bytes(part(bytes, 2)),
            zone: u32::from_be_bytes(part(bytes, 10)),
            time: u64::from_be_bytes(part(bytes, 14)),
            kind: u16::from_be_bytes(part(bytes, 22)),
            flags: u32::from_be_bytes(part(bytes, 24)),
            mass: u64::from_be_bytes(part(bytes, 28)),
            cell: u32::from_be_bytes(part(bytes, 36)),
            next: u64::from_be_bytes(part(bytes, 40)),
        }
    }

    pub(crate) fn read(bytes: &[u8]) -> Vec<Rec> {
        bytes.as_chunks().0.iter().map(decode).collect()
    }

    pub(crate) fn read_into(bytes: &[u8], records: &mut [Rec]) {
        for (from, to) in bytes.as_chunks().0.iter().zip(records) {
            *to = decode(from);
        }
    }

    pub(crate) fn write_into(records: &[Rec], bytes: &mut [u8]) {
        for (from, to) in records.iter().zip(bytes.as_chunks_mut::<SIZE>().0) {
            to[0..2].copy_from_slice(&from.tag.to_be_bytes());
            to[2..10].copy_from_slice(&from.id.to_be_bytes());
            to[10..14].copy_from_slice(&from.zone.to_be_bytes());
            to[14..22].copy_from_slice(&from.time.to_be_bytes());
            to[22..24].copy_from_slice(&from.kind.to_be_bytes());
            to[24..28].copy_from_slice(&from.flags.to_be_bytes());
            to[28..36].copy_from_slice(&from.mass.to_be_bytes());
            to[36..40].copy_from_slice(&from.cell.to_be_bytes());
            to[40..48].copy_from_slice(&from.next.to_be_bytes());
        }
    }
}

pub(crate) mod zerocopy {
    use zerocopy::byteorder::big_endian::{U16, U32, U64};
    use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

    use super::Rec;
    use crate::Outcome;

    #[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
    #[repr(C)]
    struct Raw {
        tag: U16,
        id: U64,
        zone: U32,
        time: U64,
        kind: U16,
        flags: U32,
        mass: U64,
        cell: U32,
        next: U64,
    }

    pub(crate) fn read_into(bytes: &[u8], records: &mut [Rec]) -> Outcome<()> {
        let all = <[Raw]>::ref_from_bytes(bytes).map_err(|_| "no records")?;
        for (from, to) in all.iter().zip(records) {
            macro_rules! copy {
                ($($($field:ident)*: $t:ty;)*) => { Rec { $($($field: from.$field.get(),)*)* } };
            }
            *to = with_fields!(copy);
        }
        Ok(())
    }

    pub(crate) fn write_into(records: &[Rec], bytes: &mut [u8]) -> Outcome<()> {
        let all = <[Raw]>::mut_from_bytes(bytes).map_err(|_| "no records")?;
        for (from, to) in records.iter().zip(all) {
            macro_rules! copy {
                ($($($field:ident)*: $t:ty;)*) => { Raw { $($($field: from.$field.into(),)*)* } };
            }
            *to = with_fields!(copy);
        }
        Ok(())
    }
}

pub(crate) mod binrw {
    use std::io::Cursor;

    use binrw::{BinRead, BinWrite, binrw};

    use super::SIZE;
    use crate::Outcome;

    #[binrw]
    #[brw(big)]
    pub(crate) struct Record {
        tag: u16,
        id: u64,
        zone: u32,
        time: u64,
        kind: u16,
        flags: u32,
        mass: u64,
        cell: u32,
        next: u64,
    }

    pub(crate) fn read(bytes: &[u8]) -> Outcome<Vec<Record>> {
        let mut cursor = Cursor::new(bytes);
        let count = bytes.len() / SIZE;
        let mut records = Vec::with_capacity(count);
        for _ in 0..count {
            records.push(Record::read(&mut cursor)?);
        }
        Ok(records)
    }

    pub(crate) fn read_into(bytes: &[u8], records: &mut [Record]) -> Outcome<()> {
        let mut cursor = Cursor::new(bytes);
        for to in records {
            *to = Record::read(&mut cursor)?;
        }
        Ok(())
    }

    pub(crate) fn write_into(records: &[Record], bytes: &mut [u8]) -> Outcome<()> {
        let mut cursor = Cursor::new(bytes);
        for from in records {
            from.write(&mut cursor)?;
        }
        Ok(())
    }
}

pub(crate) mod deku {
    use std::io::Cursor;

    use deku::reader::Reader;
    use deku::writer::Writer;
    use deku::{DekuRead, DekuReader, DekuWrite, DekuWriter};

    use super::SIZE;
    use crate::Outcome;

    #[derive(DekuRead, DekuWrite)]
    #[deku(endian = "big")]
    pub(crate) struct Record {
        tag: u16,
        id: u64,
        zone: u32,
        time: u64,
        kind: u16,
        flags: u32,
        mass: u64,
        cell: u32,
        next: u64,
    }

    pub(crate) fn read(bytes: &[u8]) -> Outcome<Vec<Record>> {
        let mut cursor = Cursor::new(bytes);
        let mut reader = Reader::new(&mut cursor);
        let records =
            (0..bytes.len() / SIZE).map(|_| Record::from_reader_with_ctx(&mut reader, ()));
        Ok(records.collect::<Result<_, _>>()?)
    }

    pub(crate) fn read_into(bytes: &[u8], records: &mut [Record]) -> Outcome<()> {
        let mut cursor = Cursor::new(bytes);
        let mut reader = Reader::new(&mut cursor);
        for to in records {
            *to = Record::from_reader_with_ctx(&mut reader, ())?;
        }
        Ok(())
    }

    pub(crate) fn write_into(records: &[Record], bytes: &mut [u8]) -> Outcome<()> {
        let mut cursor = Cursor::new(bytes);
        let mut writer = Writer::new(&mut cursor);
        for from in records {
            from.to_writer(&mut writer, ())?;
        }
        Ok(())
    }
}
