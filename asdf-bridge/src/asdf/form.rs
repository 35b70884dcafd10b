//! The block headers that were ever written, each by its layout in `layouts/`.

use dudley::typed::{Big, Bytes, Record};

use super::magic::MAGIC_FIRST;
use super::text::Dialect;

dudley::layout!(pub(crate) mod block = "../../layouts/block.dud");
dudley::layout!(pub(crate) mod block_40 = "../../layouts/block_0_1_0_40.dud");
dudley::layout!(pub(crate) mod block_36 = "../../layouts/block_0_1_0_36.dud");
dudley::layout!(pub(crate) mod finf_44 = "../../layouts/finf_block_44.dud");
dudley::layout!(pub(crate) mod finf_40 = "../../layouts/finf_block_40.dud");
dudley::layout!(pub(crate) mod finf_43 = "../../layouts/finf_block_43.dud");

/// Which header a block has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// ASDF 1.0.0 and later, and 0.1.0 from March 2015 on.
    Asdf48,
    /// ASDF 0.1.0 of some weeks before.
    Early40,
    /// ASDF 0.1.0 of a branch of January 2015.
    Early36,
    /// FINF from May 2014 on, and ASDF 0.1.0 at first.
    Finf44,
    /// FINF as it is described.
    Finf40,
    /// The first FINF files.
    Finf43,
}

/// The most bytes from a magic number to the end of the fields that a header has by any form.
pub(crate) const LONGEST: usize = 54;

/// The content of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fields {
    pub(crate) form: Form,
    /// Bytes behind the field that says it.
    pub(crate) header: u16,
    pub(crate) flags: u32,
    pub(crate) compression: [u8; 4],
    pub(crate) allocated: u64,
    pub(crate) used: u64,
    /// `None` if the form does not say it.
    pub(crate) decoded: Option<u64>,
    pub(crate) digest: [u8; 16],
}

impl Fields {
    /// Where what is set aside for a block begins whose magic number is at an address.
    pub(crate) fn start(&self, at: u64) -> u64 {
        self.form.start(at, self.header)
    }
}

impl Form {
    /// Where what is set aside for a block begins whose magic number is at an address, and whose header says that it
    /// has this many bytes.
    pub(crate) fn start(self, at: u64, header: u16) -> u64 {
        at.saturating_add(self.lead() + u64::from(header))
    }

    /// The form of a header that begins so, whatever its size says: the best guess.
    fn of(dialect: Dialect, magic: &[u8], header: u16) -> Form {
        match (dialect, header) {
            (Dialect::Finf, _) if magic.starts_with(&MAGIC_FIRST) => Form::Finf43,
            (Dialect::Finf, 44..) => Form::Finf44,
            (Dialect::Finf, _) => Form::Finf40,
            (Dialect::Early, 36..=39) => Form::Early36,
            (Dialect::Early, 40..=43) => Form::Early40,
            (Dialect::Early, 44..=47) => Form::Finf44,
            _ => Form::Asdf48,
        }
    }

    /// The fewest bytes that the size of a header may say.
    pub const fn header_size(self) -> u16 {
        match self {
            Form::Asdf48 => 48,
            Form::Early40 | Form::Finf40 => 40,
            Form::Early36 => 36,
            Form::Finf44 => 44,
            Form::Finf43 => 43,
        }
    }

    /// The fewest bytes that are read as such a header. The text that describes FINF says 29 where
    /// its own fields take 40.
    pub(crate) const fn least(self) -> u16 {
        match self {
            Form::Finf40 => 29,
            other => other.header_size(),
        }
    }

    /// Bytes in front of what the size of a header counts: the magic number and the size itself.
    pub const fn lead(self) -> u64 {
        match self {
            Form::Finf43 => 10,
            _ => 6,
        }
    }

    /// The flags that there are.
    pub(crate) const fn flags(self) -> u32 {
        match self {
            Form::Early36 => STREAMED | ENCODED,
            _ => STREAMED,
        }
    }

    /// The layout of such a block.
    pub const fn layout(self) -> &'static str {
        match self {
            Form::Asdf48 => block::LAYOUT,
            Form::Early40 => block_40::LAYOUT,
            Form::Early36 => block_36::LAYOUT,
            Form::Finf44 => finf_44::LAYOUT,
            Form::Finf40 => finf_40::LAYOUT,
            Form::Finf43 => finf_43::LAYOUT,
        }
    }
}

/// The block continues to the end of the file.
pub(crate) const STREAMED: u32 = 1;
/// The block begins with a line that says how it is encoded.
pub(crate) const ENCODED: u32 = 2;

type Head = <block::Summary as Record>::Bytes;

/// A record from the first of some bytes; what is missing is 0.
fn decode<R: Record>(bytes: &[u8]) -> R {
    let mut whole = <R::Bytes as Bytes>::ZERO;
    let len = bytes.len().min(R::Bytes::LEN);
    whole.as_mut()[..len].copy_from_slice(&bytes[..len]);
    R::decode::<Big>(&whole)
}

/// What the header says that begins with `bytes`, a magic number first. There should be
/// [`LONGEST`] of them; what lies behind the end that a header states for itself is none of it.
pub(crate) fn read(dialect: Dialect, bytes: &[u8]) -> Fields {
    if let (Dialect::Asdf, Some(head)) = (dialect, Head::cut(bytes).first()) {
        // As nearly all are.
        let block = block::Summary::decode::<Big>(head);
        if block.header >= Form::Asdf48.least() {
            return asdf(block);
        }
    }
    let header = if bytes.starts_with(&MAGIC_FIRST) && dialect == Dialect::Finf {
        decode::<finf_43::Summary>(bytes).header
    } else {
        decode::<block::Summary>(bytes).header
    };
    read_as(Form::of(dialect, bytes, header), header, bytes)
}

/// What the header says if it has the other form that one of its size may have.
pub(crate) fn other(dialect: Dialect, bytes: &[u8]) -> Option<Fields> {
    if dialect != Dialect::Finf {
        return None;
    }
    let header = decode::<block::Summary>(bytes).header;
    let flagged = Form::of(dialect, bytes, header) == Form::Finf44;
    flagged.then(|| read_as(Form::Finf40, header, bytes))
}

fn read_as(form: Form, header: u16, bytes: &[u8]) -> Fields {
    let end = (form.lead() as usize + usize::from(header.max(form.least()))).min(bytes.len());
    fields(form, header, &bytes[..end])
}

fn asdf(block: block::Summary) -> Fields {
    let block::Summary { header, flags, compression, allocated, used, decoded, digest, .. } = block;
    let (form, decoded) = (Form::Asdf48, Some(decoded));
    Fields { form, header, flags, compression, allocated, used, decoded, digest }
}

fn fields(form: Form, header: u16, bytes: &[u8]) -> Fields {
    let none = Fields {
        form,
        header,
        flags: 0,
        compression: [0; 4],
        allocated: 0,
        used: 0,
        decoded: None,
        digest: [0; 16],
    };
    match form {
        Form::Asdf48 => Fields { header, ..asdf(decode(bytes)) },
        Form::Early40 => {
            let block_40::Summary { flags, compression, allocated, used, decoded, .. } =
                decode(bytes);
            Fields { flags, compression, allocated, used, decoded: Some(decoded), ..none }
        }
        Form::Early36 => {
            let block_36::Summary { flags, allocated, used, decoded, .. } = decode(bytes);
            Fields { flags, allocated, used, decoded: Some(decoded), ..none }
        }
        Form::Finf44 => {
            let finf_44::Summary { flags, allocated, used, .. } = decode(bytes);
            Fields { flags, allocated, used, ..none }
        }
        Form::Finf40 => {
            let finf_40::Summary { allocated, used, .. } = decode(bytes);
            Fields { allocated, used, ..none }
        }
        Form::Finf43 => {
            let finf_43::Summary { allocated, used, .. } = decode(bytes);
            Fields { allocated, used, ..none }
        }
    }
}

#[cfg(test)]
mod tests {
    use dudley::ByteOrder;

    use super::*;
    use crate::asdf::magic::{MAGIC, MAGIC_LITERAL};

    /// A block with a header of these numbers behind its magic number, each with its bytes.
    fn block(magic: &[u8], fields: &[(u64, usize)], data: &[u8]) -> Vec<u8> {
        let mut bytes = magic.to_vec();
        for (value, size) in fields {
            bytes.extend(&value.to_be_bytes()[8 - size..]);
        }
        bytes.extend(data);
        bytes
    }

    #[test]
    fn each_header_is_read_by_its_form() {
        let label = u64::from(u32::from_be_bytes(*b"zlib"));
        let asdf = [(48, 2), (1, 4), (label, 4), (9, 8), (7, 8), (5, 8), (1, 8), (2, 8)];
        type Case<'c> = (Dialect, &'c [u8], &'c [(u64, usize)], Form);
        let cases: [Case<'_>; 6] = [
            (Dialect::Asdf, &MAGIC, &asdf, Form::Asdf48),
            (
                Dialect::Early,
                &MAGIC,
                &[(40, 2), (1, 4), (label, 4), (9, 8), (7, 8), (5, 8), (0, 8)],
                Form::Early40,
            ),
            (
                Dialect::Early,
                &MAGIC,
                &[(36, 2), (2, 4), (9, 8), (7, 8), (5, 8), (0, 8)],
                Form::Early36,
            ),
            (
                Dialect::Early,
                &MAGIC,
                &[(44, 2), (1, 4), (9, 8), (7, 8), (0, 8), (0, 8), (0, 8)],
                Form::Finf44,
            ),
            (
                Dialect::Finf,
                &MAGIC_LITERAL,
                &[(40, 2), (9, 8), (7, 8), (0, 8), (0, 8), (0, 8)],
                Form::Finf40,
            ),
            (
                Dialect::Finf,
                &MAGIC_FIRST,
                &[(43, 2), (1, 3), (9, 8), (7, 8), (0, 8), (0, 8), (0, 8)],
                Form::Finf43,
            ),
        ];
        for (dialect, magic, header, form) in cases {
            let bytes = block(magic, header, b"behind the header, for all it says");
            let fields = read(dialect, &bytes);
            assert_eq!(fields.form, form);
            assert_eq!((fields.header, fields.allocated, fields.used), (form.header_size(), 9, 7));
            // The layout has the payload where the header says.
            // FINF has another magic number than its layout where files say so.
            let open = dudley::Open::new().layout_text(form.layout()).expect("a layout").raw();
            let stream = open.wrong_constants(|_| ()).bytes(bytes).expect("a stream");
            assert_eq!(stream.order(), ByteOrder::Big);
            let payload = stream.get("/payload").expect("an item");
            let address = form.lead() + u64::from(form.header_size());
            assert_eq!(
                (payload.address().ok(), payload.shape().ok()),
                (Some(address), Some(vec![7]))
            );
            assert_eq!(stream.get("/slack").expect("an item").shape().ok(), Some(vec![2]));
        }
    }

    #[test]
    fn the_magic_numbers_are_those_of_the_layouts() {
        for form in [Form::Asdf48, Form::Early40, Form::Early36, Form::Finf44, Form::Finf40] {
            assert!(stated(form, &MAGIC), "{form:?}");
        }
        assert!(stated(Form::Finf43, &MAGIC_FIRST));
    }

    /// Whether the layout of a form says that its blocks begin so.
    fn stated(form: Form, magic: &[u8]) -> bool {
        let open = |bytes: Vec<u8>| {
            let open = dudley::Open::new().layout_text(form.layout()).expect("a layout");
            open.raw().bytes(bytes).is_ok()
        };
        let mut wrong = magic.to_vec();
        wrong[0] ^= 1;
        open(magic.to_vec()) && !open(wrong)
    }

    #[test]
    fn a_short_header_of_finf_has_no_more_than_it_says() {
        let bytes = block(&MAGIC, &[(29, 2), (9, 8), (7, 8)], &[0xff; 40]);
        let fields = read(Dialect::Finf, &bytes);
        assert_eq!((fields.form, fields.allocated, fields.used), (Form::Finf40, 9, 7));
        assert_eq!(read(Dialect::Asdf, b"\xd3BLK").used, 0);
    }
}
