//! The header of a block that is written, by the codec made of its layout.

use dudley::typed::{Big, Bytes, Record};

use super::super::form::{Fields, Form, block, block_36, block_40, finf_40, finf_43, finf_44};
use super::super::magic::{MAGIC, MAGIC_FIRST, MAGIC_LITERAL};

/// The bytes of a header, from its magic number to the end of its padding. `literal` has FINF begin as the
/// text that describes it says.
pub(crate) fn encode(fields: &Fields, literal: bool) -> Vec<u8> {
    let Fields { header, flags, compression, allocated, used, digest, .. } = *fields;
    let decoded = fields.decoded.unwrap_or(used);
    let mut bytes = match fields.form {
        Form::Asdf48 => bytes_of(block::Summary {
            header,
            flags,
            compression,
            allocated,
            used,
            decoded,
            digest,
        }),
        Form::Early40 => bytes_of(block_40::Summary {
            header,
            flags,
            compression,
            allocated,
            used,
            decoded,
            checksum: 0,
        }),
        Form::Early36 => {
            bytes_of(block_36::Summary { header, flags, allocated, used, decoded, checksum: 0 })
        }
        Form::Finf44 => bytes_of(finf_44::Summary {
            header,
            flags,
            allocated,
            used,
            checksum: 0,
            encoding: [0; 16],
        }),
        Form::Finf40 => {
            bytes_of(finf_40::Summary { header, allocated, used, checksum: 0, encoding: [0; 16] })
        }
        Form::Finf43 => bytes_of(finf_43::Summary {
            header,
            version: [0, 1, 0],
            allocated,
            used,
            checksum: 0,
            encoding: [0; 16],
        }),
    };
    // Layouts state it as a constant, and tests hold that it is this one.
    let magic = match fields.form {
        Form::Finf43 => &MAGIC_FIRST[..],
        _ if literal => &MAGIC_LITERAL,
        _ => &MAGIC,
    };
    bytes[..magic.len()].copy_from_slice(magic);
    bytes.resize(fields.form.lead() as usize + usize::from(header), 0);
    bytes
}

fn bytes_of<R: Record>(record: R) -> Vec<u8> {
    let mut bytes = <R::Bytes as Bytes>::ZERO;
    record.encode::<Big>(&mut bytes);
    bytes.as_ref().to_vec()
}

/// The size that a header at `address` states for itself so that data begin at a multiple of `align` bytes;
/// the smallest one where that takes more than a header can have.
pub(crate) fn size(form: Form, address: u64, align: u64) -> u16 {
    let least = form.header_size();
    let data = form.start(address, least);
    let more = data.checked_next_multiple_of(align.max(1)).map_or(0, |aligned| aligned - data);
    u16::try_from(more).ok().and_then(|more| least.checked_add(more)).unwrap_or(least)
}

#[cfg(test)]
mod tests {
    use super::super::super::form;
    use super::super::super::text::Dialect;
    use super::*;

    #[test]
    fn headers_are_read_as_they_were_written() {
        for (dialect, form) in [
            (Dialect::Asdf, Form::Asdf48),
            (Dialect::Early, Form::Early40),
            (Dialect::Early, Form::Early36),
            (Dialect::Early, Form::Finf44),
            (Dialect::Finf, Form::Finf44),
            (Dialect::Finf, Form::Finf40),
            (Dialect::Finf, Form::Finf43),
        ] {
            let header = size(form, 1000, 64);
            let flags = matches!(form, Form::Asdf48 | Form::Early40 | Form::Early36 | Form::Finf44);
            let digest = if form == Form::Asdf48 { [7; 16] } else { [0; 16] };
            let label = matches!(form, Form::Asdf48 | Form::Early40);
            let fields = Fields {
                form,
                header: if form == Form::Asdf48 { header } else { form.header_size() },
                flags: flags.into(),
                compression: if label { *b"zlib" } else { [0; 4] },
                allocated: 9,
                used: 7,
                decoded: matches!(form, Form::Asdf48 | Form::Early40 | Form::Early36).then_some(70),
                digest,
            };
            let bytes = encode(&fields, false);
            assert_eq!(bytes.len() as u64, form.lead() + u64::from(fields.header));
            assert_eq!(form::read(dialect, &bytes), fields);
        }
    }

    #[test]
    fn data_are_aligned_where_that_can_be() {
        for address in 0..300 {
            let header = size(Form::Asdf48, address, 64);
            assert_eq!((address + 6 + u64::from(header)) % 64, 0);
            assert!((48..112).contains(&header));
        }
        assert_eq!(size(Form::Asdf48, 5, 1), 48);
        assert_eq!(size(Form::Asdf48, 5, 1 << 40), 48);
        assert_eq!(size(Form::Asdf48, u64::MAX, 64), 48);
    }
}
