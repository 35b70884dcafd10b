//! `.npy` files as what is written: their elements, as those of any type that holds them.

use dudley::input::Typed;
use dudley::recast::{may_fit, recast};
use dudley::swap::HOST;
use dudley::{ByteOrder, Error, Primitive, Result, Value};

/// An array of a `.npy` file.
pub(crate) struct Npy {
    /// The kind and size of its elements: `f8`, `i4`, `U7`.
    pub kind: char,
    /// Bytes of an element (of `U` characters of an element).
    pub size: usize,
    /// Its byte order.
    pub order: ByteOrder,
    /// Its shape.
    pub shape: Vec<u64>,
    /// Its elements, row-major.
    pub bytes: Vec<u8>,
}

/// Arrays without elements that a file may hold.
const EMPTY: u64 = 1 << 20;

/// Reads a `.npy` file of numbers, booleans or text.
///
/// # Errors
/// A text that says what is wrong with it.
pub(crate) fn parse(file: &[u8]) -> std::result::Result<Npy, String> {
    let rest = file.strip_prefix(b"\x93NUMPY").ok_or("this is no .npy file")?;
    let (version, rest) = rest.split_first_chunk::<2>().ok_or("the header is cut off")?;
    let (length, rest) = match version[0] {
        1 => {
            let (length, rest) = rest.split_first_chunk::<2>().ok_or("the header is cut off")?;
            (usize::from(u16::from_le_bytes(*length)), rest)
        }
        2 | 3 => {
            let (length, rest) = rest.split_first_chunk::<4>().ok_or("the header is cut off")?;
            (u32::from_le_bytes(*length) as usize, rest)
        }
        version => return Err(format!("version {version} of .npy is not known")),
    };
    if rest.len() < length {
        return Err("the header is cut off".to_owned());
    }
    let (header, bytes) = rest.split_at(length);
    let header = String::from_utf8_lossy(header);
    let descr = entry(&header, "descr").ok_or("the header has no 'descr'")?;
    let shape = entry(&header, "shape").ok_or("the header has no 'shape'")?;
    let fortran = entry(&header, "fortran_order").is_some_and(|order| order.starts_with("True"));
    let shape = parse_shape(shape)?;
    let (kind, size, order) = parse_descr(descr)?;
    let item = if kind == 'U' { size.checked_mul(4) } else { Some(size) };
    let item =
        item.filter(|item| *item > 0).ok_or_else(|| format!("no elements of {size} bytes"))?;
    // Arrays of nothing are not held back by the size of the file.
    let outer = shape.iter().take_while(|dim| **dim > 0);
    if bytes.is_empty() && outer.fold(1_u64, |count, dim| count.saturating_mul(*dim)) > EMPTY {
        return Err("a dimension of 0 stands behind too large ones".to_owned());
    }
    let count = shape.iter().try_fold(item as u64, |count, dim| count.checked_mul(*dim));
    if count != Some(bytes.len() as u64) {
        return Err(format!("the shape asks for other than the {} bytes there are", bytes.len()));
    }
    let bytes = match fortran {
        true => row_major(bytes, item, &shape),
        false => bytes.to_vec(),
    };
    Ok(Npy { kind, size, order, shape, bytes })
}

/// Elements of `item` bytes in Fortran order, the first index running fastest, as they are in C
/// order. There are as many as the shape says.
fn row_major(bytes: &[u8], item: usize, shape: &[u64]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut index = vec![0; shape.len()];
    while out.len() < bytes.len() {
        let at = index.iter().zip(shape).rev().fold(0, |at, (index, dim)| at * dim + index);
        let begin = at as usize * item;
        out.extend_from_slice(&bytes[begin..begin + item]);
        for (index, dim) in index.iter_mut().zip(shape).rev() {
            *index += 1;
            if *index < *dim {
                break;
            }
            *index = 0;
        }
    }
    out
}

/// What follows a key of the header's dict.
fn entry<'h>(header: &'h str, key: &str) -> Option<&'h str> {
    let at = header.find(&format!("'{key}'"))?;
    let rest = &header[at + key.len() + 2..];
    Some(rest.trim_start().strip_prefix(':')?.trim_start())
}

fn parse_shape(text: &str) -> std::result::Result<Vec<u64>, String> {
    let inner = text.strip_prefix('(').and_then(|text| text.split_once(')'));
    let (inner, _) = inner.ok_or("the shape is no tuple")?;
    inner
        .split(',')
        .map(str::trim)
        .filter(|dim| !dim.is_empty())
        .map(|dim| dim.parse().map_err(|_| format!("`{dim}` is no dimension")))
        .collect()
}

fn parse_descr(text: &str) -> std::result::Result<(char, usize, ByteOrder), String> {
    let inner = text.strip_prefix('\'').and_then(|text| text.split_once('\''));
    let Some((descr, _)) = inner else {
        return Err("arrays of structs are given as JSON".to_owned());
    };
    let mut chars = descr.chars();
    let order = match chars.next() {
        Some('>') => ByteOrder::Big,
        Some('<' | '|') => ByteOrder::Little,
        Some('=') => HOST,
        _ => return Err(format!("the type '{descr}' is not known")),
    };
    let kind = chars.next().ok_or_else(|| format!("the type '{descr}' is not known"))?;
    let size = chars.as_str().parse().map_err(|_| format!("the type '{descr}' is not known"))?;
    match kind {
        'i' | 'u' | 'f' | 'c' | 'b' | 'U' | 'S' => Ok((kind, size, order)),
        _ => Err(format!("the type '{descr}' is not known")),
    }
}

impl Npy {
    /// The primitive that its elements are, but for text.
    fn primitive(&self) -> Option<Primitive> {
        let name = format!("{}{}", self.kind, self.size);
        let own = Primitive::ALL.iter().find(|primitive| primitive.name() == name)?;
        (!own.is_text()).then_some(*own)
    }

    /// The value of an array that is one integer.
    pub(crate) fn integer(&self) -> Option<i128> {
        if !matches!(self.kind, 'i' | 'u') || !self.shape.iter().all(|dim| *dim == 1) {
            return None;
        }
        let join = |bits: u64, byte: &u8| bits << 8 | u64::from(*byte);
        let bits = match self.order {
            ByteOrder::Big => self.bytes.iter().fold(0, join),
            ByteOrder::Little => self.bytes.iter().rev().fold(0, join),
        };
        let unused = 64 - 8 * self.size.clamp(1, 8) as u32;
        Some(match self.kind {
            'i' => i128::from(((bits << unused) as i64) >> unused),
            _ => i128::from(bits),
        })
    }

    /// Text as a value.
    pub(crate) fn texts(&self) -> Value {
        let item = if self.kind == 'U' { self.size * 4 } else { self.size };
        let mut texts = self.bytes.chunks_exact(item.max(1)).map(|units| {
            let text: String = match self.kind {
                'U' => units
                    .chunks_exact(4)
                    .map(|unit| {
                        let unit: [u8; 4] = unit.try_into().unwrap_or_default();
                        let code = match self.order {
                            ByteOrder::Big => u32::from_be_bytes(unit),
                            ByteOrder::Little => u32::from_le_bytes(unit),
                        };
                        char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
                    })
                    .collect(),
                _ => units.iter().map(|byte| char::from(*byte)).collect(),
            };
            Value::Text(text.trim_end_matches('\0').to_owned())
        });
        shaped(&mut texts, &self.shape)
    }
}

fn shaped(items: &mut dyn Iterator<Item = Value>, shape: &[u64]) -> Value {
    match shape.split_first() {
        None => items.next().unwrap_or(Value::Text(String::new())),
        Some((length, inner)) => Value::Array((0..*length).map(|_| shaped(items, inner)).collect()),
    }
}

/// A numpy array gives its values to an item of any type that holds them exactly.
impl Typed for Npy {
    fn shape(&self) -> Vec<u64> {
        self.shape.clone()
    }

    fn check(&self, primitive: Primitive) -> Result<()> {
        match self.primitive() {
            Some(own) if may_fit(own, primitive) => Ok(()),
            _ => Err(Error::WrongValue {
                item: Default::default(),
                expected: format!("an array that fits `{}`", primitive.name()).into(),
                found: format!("one of `{}{}`", self.kind, self.size).into(),
            }),
        }
    }

    fn encode(
        &self,
        primitive: Primitive,
        order: ByteOrder,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let Some(own) = self.primitive() else { return Ok(()) };
        if own != primitive {
            return recast((own, self.order), &self.shape, &self.bytes, (primitive, order), sink);
        }
        let unit = primitive.swap_unit() as usize;
        if order == self.order || unit == 1 {
            return sink(&self.bytes);
        }
        let mut bytes = self.bytes.clone();
        dudley::swap::swap_in_place(&mut bytes, unit)?;
        sink(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::header;
    use super::*;

    #[test]
    fn orders_are_those_of_numpy() {
        let order = |descr| parse_descr(descr).map(|(_, _, order)| order);
        assert_eq!(order("'<i4'"), Ok(ByteOrder::Little));
        assert_eq!(order("'>i4'"), Ok(ByteOrder::Big));
        assert_eq!(order("'=i4'"), Ok(HOST));
        assert!(order("'!i4'").is_err());
    }

    #[test]
    fn headers_are_aligned_and_read_back() {
        for dims in 0..5 {
            let shape: Vec<u64> = (2..2 + dims).collect();
            let mut file = header("'>f8'", &shape);
            assert_eq!(file.len() % 64, 0);
            let count = shape.iter().product::<u64>();
            file.resize(file.len() + 8 * count as usize, 0);
            let npy = parse(&file).expect("a header of our own");
            assert_eq!((npy.kind, npy.size, npy.order, npy.shape), ('f', 8, ByteOrder::Big, shape));
        }
    }

    #[test]
    fn fortran_order_becomes_c_order() {
        let dict = "{'descr': '<u2', 'fortran_order': True, 'shape': (2, 3), }\n";
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend((dict.len() as u16).to_le_bytes());
        file.extend(dict.as_bytes());
        // [[0, 1, 2], [3, 4, 5]], column by column.
        file.extend([0, 3, 1, 4, 2, 5].iter().flat_map(|n: &u16| n.to_le_bytes()));
        let npy = parse(&file).expect("a file of numpy");
        let expected: Vec<u8> = (0..6_u16).flat_map(u16::to_le_bytes).collect();
        assert_eq!((npy.shape, npy.bytes), (vec![2, 3], expected));
    }

    #[test]
    fn sizes_of_a_header_take_no_memory() {
        for (descr, shape) in [
            ("|S0", "(1000000000000000,)"),
            ("<U4611686018427387904", "(1,)"),
            ("<U1", "(1000000000000000, 0)"),
            ("<f8", "(1000000000000000, 1000000000000000)"),
        ] {
            let dict =
                format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
            let mut file = b"\x93NUMPY\x01\x00".to_vec();
            file.extend((dict.len() as u16).to_le_bytes());
            file.extend(dict.as_bytes());
            assert!(parse(&file).is_err(), "{descr} {shape}");
        }
        let mut file = header("'<U1'", &[3, 0]);
        assert_eq!(
            parse(&file).expect("a header").texts(),
            shaped(&mut std::iter::empty(), &[3, 0])
        );
        file.push(0);
        assert!(parse(&file).is_err());
    }

    #[test]
    fn what_is_no_npy_is_refused() {
        for file in [&b""[..], b"\x93NUMPY", b"\x93NUMPY\x01\x00\xff\xff{}", b"PK\x03\x04"] {
            assert!(parse(file).is_err());
        }
    }
}
