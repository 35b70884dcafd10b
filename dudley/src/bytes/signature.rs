//! The first 16 bytes of a native (`.bd`) stream, and what transfers do to them.
//!
//! Bytes 0 to 7 name the format and its byte order, and are chosen so that the usual accidents
//! show. Bytes 8 to 15 are the address of the attached layout, or zero. Whether that address lies
//! inside the data is for any code that knows the layout.

pub(crate) use dudley_parser::layout::dtype::ByteOrder;

use crate::bytes::source::Source;
pub(crate) use crate::error::Damage;
use crate::error::{Error, Result};

/// The length of a signature in bytes, which is the address of the first item.
pub const LEN: u64 = dudley_parser::place::NATIVE_START;

const LITTLE: [u8; 8] = *b"\x8d<BD\r\n\x1a\n";
const BIG: [u8; 8] = *b"\x8d>BD\r\n\x1a\n";
/// Bytes 2 and 3 of a stream that is written in place and not yet finished.
const UNFINISHED: [u8; 2] = *b"bd";

/// The content of the first 16 bytes of a native stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The byte order of the stream.
    pub order: ByteOrder,
    /// Where the attached layout begins, in bytes; none is attached where it is `None`.
    pub layout_address: Option<u64>,
}

impl Signature {
    /// The signature of a source, or `None` when it is not a native stream.
    ///
    /// # Errors
    /// [`Error::Signature`] when it is one, but damaged or cut off before its layout; the errors
    /// of the source.
    ///
    /// ```
    /// use dudley::ByteOrder;
    /// use dudley::bytes::Signature;
    ///
    /// let mut stream = Signature { order: ByteOrder::Big, layout_address: Some(24) }.to_bytes().to_vec();
    /// stream.extend(1.5_f64.to_be_bytes());
    /// stream.extend(b"x = f8\n-\n");
    /// let signature = Signature::read(&stream)?.expect("a native stream");
    /// assert_eq!(signature.order, ByteOrder::Big);
    /// assert_eq!(signature.layout_address, Some(24));
    /// # Ok::<(), dudley::error::Error>(())
    /// ```
    pub fn read(source: &(impl Source + ?Sized)) -> Result<Option<Signature>> {
        let mut head = [0; LEN as usize];
        let there = head.len().min(usize::try_from(source.len()).unwrap_or(usize::MAX));
        source.read_at(0, &mut head[..there])?;
        Signature::detect(&head[..there], source.len()).map_err(Error::from)
    }

    /// The signature in the first bytes (16, or all) of a stream of `len` bytes, or `None` when
    /// it is not a native stream.
    ///
    /// # Errors
    /// If a native stream is damaged; the error names the kind of damage.
    pub fn detect(head: &[u8], len: u64) -> Result<Option<Signature>, Damage> {
        let Some(order) = order_of(head) else {
            return if is_unfinished(head) {
                Err(Damage::Unfinished)
            } else {
                damage_of(head).map_or(Ok(None), Err)
            };
        };
        let Some(address) = head.get(8..16).and_then(|bytes| bytes.try_into().ok()) else {
            return Err(Damage::Short { len: head.len() as u64 });
        };
        let layout_address = match order {
            ByteOrder::Little => u64::from_le_bytes(address),
            ByteOrder::Big => u64::from_be_bytes(address),
        };
        match layout_address {
            0 => Ok(Some(Signature { order, layout_address: None })),
            1..LEN => Err(Damage::LayoutInSignature { address: layout_address }),
            _ if layout_address >= len => {
                Err(Damage::LayoutCutOff { address: layout_address, len })
            }
            _ => Ok(Some(Signature { order, layout_address: Some(layout_address) })),
        }
    }

    /// The 16 bytes. (No layout can be attached at address 0, so that `Some(0)` says `None`.)
    pub fn to_bytes(self) -> [u8; LEN as usize] {
        let address = self.layout_address.unwrap_or(0);
        let (magic, address) = match self.order {
            ByteOrder::Little => (LITTLE, address.to_le_bytes()),
            ByteOrder::Big => (BIG, address.to_be_bytes()),
        };
        let mut bytes = [0; LEN as usize];
        bytes[..8].copy_from_slice(&magic);
        bytes[8..].copy_from_slice(&address);
        bytes
    }

    /// The 16 bytes that stand there until a stream is finished that is written in place: it cannot be opened as long.
    ///
    /// ```
    /// use dudley::bytes::Signature;
    /// use dudley::{ByteOrder, Error};
    ///
    /// let signature = Signature { order: ByteOrder::Little, layout_address: None };
    /// let stream = signature.unfinished().to_vec();
    /// assert!(matches!(Signature::read(&stream), Err(Error::Unfinished)));
    /// ```
    pub fn unfinished(self) -> [u8; LEN as usize] {
        let mut bytes = self.to_bytes();
        bytes[2..4].copy_from_slice(&UNFINISHED);
        bytes
    }
}

/// Whether these are the first bytes of an undamaged native stream.
pub fn is_native(head: &[u8]) -> bool {
    order_of(head).is_some()
}

/// Whether a stream begins that its writer has not finished.
fn is_unfinished(head: &[u8]) -> bool {
    [LITTLE, BIG].into_iter().any(|mut mark| {
        mark[2..4].copy_from_slice(&UNFINISHED);
        head.starts_with(&mark)
    })
}

fn order_of(head: &[u8]) -> Option<ByteOrder> {
    if head.starts_with(&LITTLE) {
        Some(ByteOrder::Little)
    } else if head.starts_with(&BIG) {
        Some(ByteOrder::Big)
    } else {
        None
    }
}

/// The damage of a signature of either order, if `head` is the rest of one.
fn damage_of(head: &[u8]) -> Option<Damage> {
    if head.len() < 8 {
        // Fewer than four bytes could be anything.
        let cut = head.len() >= 4 && (LITTLE.starts_with(head) || BIG.starts_with(head));
        return cut.then_some(Damage::Short { len: head.len() as u64 });
    }
    let after = |start: &[u8], ends: &[(&[u8], Damage)]| {
        let rest = head.strip_prefix(start)?;
        ends.iter().find(|(end, _)| rest.starts_with(end)).map(|(_, damage)| *damage)
    };
    [b'<', b'>']
        .into_iter()
        .find_map(|order| {
            let start = [0x8d, order, b'B', b'D'];
            let seven_bits = [0x0d, order, b'B', b'D'];
            let latin = [0xc2, 0x8d, order, b'B', b'D'];
            let replaced = [0xef, 0xbf, 0xbd, order, b'B', b'D'];
            after(
                &start,
                &[
                    (b"\n\x1a\n", Damage::CrLfToLf),
                    (b"\r\x1a\n", Damage::CrLfToCr),
                    (b"\r\x1a\r", Damage::CrLfToCr),
                    (b"\r\r\n\x1a", Damage::LfToCrLf),
                    (b"\r\r\x1a\r", Damage::LfToCr),
                    (b"\n\n\x1a\n", Damage::CrToLf),
                ],
            )
            .or_else(|| after(&seven_bits, &[(b"\r\n\x1a\n", Damage::TopBitCleared)]))
            .or_else(|| after(&latin, &[(b"", Damage::Transcoded)]))
            .or_else(|| after(&replaced, &[(b"", Damage::Transcoded)]))
        })
        .or_else(|| one_byte(head))
}

/// The one byte in which `head` differs from the first eight bytes of either order. Of seven bytes
/// that are right, none is so by chance.
fn one_byte(head: &[u8]) -> Option<Damage> {
    [LITTLE, BIG].iter().find_map(|intact| {
        let mut other = (0..).zip(head.iter().zip(intact)).filter(|(_, (a, b))| a != b);
        match (other.next(), other.next()) {
            (Some((address, (&found, &expected))), None) => {
                Some(Damage::Byte { address, expected, found })
            }
            _ => None,
        }
    })
}

/// Where the signature has the mark of the byte order.
const ORDER_AT: u64 = 1;

/// The bytes of the signature with the right one in place of the wrong one, and the address of that. Of the
/// mark of the byte order there are two.
pub(crate) fn candidates(source: &dyn Source) -> Result<Option<(u64, Vec<[u8; LEN as usize]>)>> {
    let mut head = [0; LEN as usize];
    if source.len() < LEN {
        return Ok(None);
    }
    source.read_at(0, &mut head)?;
    let Err(Damage::Byte { address, expected, .. }) = Signature::detect(&head, source.len()) else {
        return Ok(None);
    };
    let with = |byte: u8| {
        let mut head = head;
        head[address as usize] = byte;
        head
    };
    let heads = match address {
        ORDER_AT => vec![with(b'<'), with(b'>')],
        _ => vec![with(expected)],
    };
    Ok(Some((address, heads)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORDERS: [ByteOrder; 2] = [ByteOrder::Little, ByteOrder::Big];

    /// A stream whose layout stands at 1000, of 1010 bytes.
    fn stream(order: ByteOrder) -> Vec<u8> {
        let mut bytes = Signature { order, layout_address: Some(1000) }.to_bytes().to_vec();
        bytes.resize(1010, 0xaa);
        bytes
    }

    fn damage(bytes: &Vec<u8>) -> Damage {
        match Signature::read(bytes) {
            Err(Error::Signature { damage }) => damage,
            other => panic!("{other:?}"),
        }
    }

    fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
        let mut result = Vec::new();
        let mut rest = bytes;
        while let Some(&first) = rest.first() {
            if let Some(after) = rest.strip_prefix(from) {
                result.extend_from_slice(to);
                rest = after;
            } else {
                result.push(first);
                rest = &rest[1..];
            }
        }
        result
    }

    #[test]
    fn the_bytes_are_those_of_the_language_page() {
        let little = Signature { order: ByteOrder::Little, layout_address: Some(0x0102) };
        assert_eq!(
            little.to_bytes(),
            [0x8d, 0x3c, 0x42, 0x44, 0x0d, 0x0a, 0x1a, 0x0a, 2, 1, 0, 0, 0, 0, 0, 0]
        );
        let big = Signature { order: ByteOrder::Big, layout_address: Some(0x0102) };
        assert_eq!(
            big.to_bytes(),
            [0x8d, 0x3e, 0x42, 0x44, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0, 0, 0, 1, 2]
        );
    }

    #[test]
    fn what_is_written_is_read() {
        for order in ORDERS {
            assert!(is_native(&stream(order)));
            let expected = Signature { order, layout_address: Some(1000) };
            assert_eq!(Signature::read(&stream(order)).expect("intact"), Some(expected));
            let bare = Signature { order, layout_address: None };
            assert_eq!(Signature::read(&bare.to_bytes().to_vec()).expect("intact"), Some(bare));
        }
    }

    #[test]
    fn other_streams_are_raw() {
        for bytes in
            [&b""[..], b"\x8d", b"\x89PNG\r\n\x1a\n", b"\r<BD text", b"\x8d<BD1234", &[0; 40]]
        {
            assert_eq!(Signature::read(&bytes.to_vec()).expect("no damage"), None);
            assert!(!is_native(bytes));
        }
    }

    #[test]
    fn text_mode_transfers_show() {
        let cases: [(&[u8], &[u8], Damage); 5] = [
            (b"\r\n", b"\n", Damage::CrLfToLf),
            (b"\r\n", b"\r", Damage::CrLfToCr),
            (b"\n", b"\r\n", Damage::LfToCrLf),
            (b"\n", b"\r", Damage::LfToCr),
            (b"\r", b"\n", Damage::CrToLf),
        ];
        for order in ORDERS {
            for (from, to, expected) in cases {
                assert_eq!(damage(&replaced(&stream(order), from, to)), expected, "{from:?}");
            }
        }
    }

    #[test]
    fn seven_bit_and_recoding_transfers_show() {
        for order in ORDERS {
            let seven: Vec<u8> = stream(order).iter().map(|byte| byte & 0x7f).collect();
            assert_eq!(damage(&seven), Damage::TopBitCleared);
            let lossy = String::from_utf8_lossy(&stream(order)).into_owned();
            assert_eq!(damage(&lossy.into_bytes()), Damage::Transcoded);
            let latin: String = stream(order).iter().copied().map(char::from).collect();
            assert_eq!(damage(&latin.into_bytes()), Damage::Transcoded);
        }
    }

    #[test]
    fn one_changed_byte_shows() {
        for order in ORDERS {
            let intact = stream(order);
            for at in 0..8 {
                let mut changed = intact.clone();
                changed[at] ^= 0x20;
                let damage = damage(&changed);
                let Damage::Byte { address, expected, found } = damage else {
                    panic!("{damage:?}");
                };
                assert_eq!((address, found), (at as u64, changed[at]));
                // Of the mark of the order either is right.
                assert!(at == 1 || expected == intact[at], "{damage:?}");
                changed[(at + 3) % 8] ^= 0x20;
                assert_eq!(Signature::read(&changed).expect("no damage"), None);
            }
        }
    }

    #[test]
    fn cut_off_files_show() {
        for order in ORDERS {
            for len in 4..16 {
                let damaged = damage(&stream(order)[..len].to_vec());
                assert_eq!(damaged, Damage::Short { len: len as u64 });
            }
            for len in [16, 999, 1000] {
                let expected = Damage::LayoutCutOff { address: 1000, len };
                assert_eq!(damage(&stream(order)[..len as usize].to_vec()), expected);
            }
            assert!(Signature::read(&stream(order)[..1001].to_vec()).is_ok());
        }
    }

    #[test]
    fn a_layout_inside_the_signature_shows() {
        for order in ORDERS {
            for address in [1, 8, 15] {
                let bytes = Signature { order, layout_address: Some(address) }.to_bytes().to_vec();
                assert_eq!(damage(&bytes), Damage::LayoutInSignature { address });
            }
        }
        assert!(Damage::LayoutInSignature { address: 15 }.to_string().contains("15"));
    }
}
