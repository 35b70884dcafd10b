//! Numbers of one type as another, where each value is kept exactly.
//!
//! The value decides, not the type: the integer 3 of an `i8` is an `i1` as well, and 0.5 of
//! an `f8` an `f2`. Nothing is rounded, and floats never become integers. [`crate::elements::convert`] is for
//! readers, who know the types when they are compiled.

use dudley_parser::layout::dtype::{ByteOrder, Kind, Primitive};

use crate::elements::number;
use crate::elements::value::shown;
use crate::error::{Error, Item, Result};

/// Elements converted at a time.
const BLOCK: usize = 1 << 15;

/// Whether some values of `from` are values of `to`: integers and addresses of each other, integers
/// and floats of floats, complex numbers of each other; anything of itself.
///
/// ```
/// use dudley::elements::Primitive;
/// use dudley::elements::may_fit;
///
/// assert!(may_fit(Primitive::I8, Primitive::F4) && may_fit(Primitive::F8, Primitive::F4));
/// assert!(!may_fit(Primitive::F4, Primitive::I8) && !may_fit(Primitive::B1, Primitive::I1));
/// ```
pub fn may_fit(from: Primitive, to: Primitive) -> bool {
    let integer = |kind| matches!(kind, Kind::Signed | Kind::Unsigned | Kind::Pointer);
    match (from.kind(), to.kind()) {
        (from, to) if integer(from) => integer(to) || to == Kind::Float,
        (Kind::Float, Kind::Float) | (Kind::Complex, Kind::Complex) => true,
        _ => from == to,
    }
}

/// Passes on elements of one type and order as elements of another, block by block.
///
/// `shape` is the shape of the elements, for messages.
///
/// # Errors
/// [`Error::WrongValue`] with the index of the first element that is no value of `to`;
/// [`Error::WrongLength`] if `bytes` are not whole elements; if `sink` fails.
///
/// ```
/// use dudley::elements::{ByteOrder, Primitive};
/// use dudley::elements::recast;
///
/// let (from, to) = ((Primitive::I2, ByteOrder::Big), (Primitive::F4, ByteOrder::Little));
/// let mut out = Vec::new();
/// recast(from, &[2], &[0, 1, 0xff, 0xfe], to, &mut |block| {
///     out.extend_from_slice(block);
///     Ok(())
/// })?;
/// assert_eq!(out, [1_f32.to_le_bytes(), (-2_f32).to_le_bytes()].concat());
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn recast(
    from: (Primitive, ByteOrder),
    shape: &[u64],
    bytes: &[u8],
    to: (Primitive, ByteOrder),
    sink: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let mut recast = Recast::new(from, shape, to);
    recast.block(bytes, sink)?;
    recast.finish()
}

/// Elements of one type and order as those of another, as their bytes come in.
pub(crate) struct Recast<'s> {
    from: (Primitive, ByteOrder),
    to: (Primitive, ByteOrder),
    shape: &'s [u64],
    /// Numbers that were converted; a complex one is two.
    done: usize,
    /// The beginning of an element that the last block was cut in.
    rest: Vec<u8>,
}

impl<'s> Recast<'s> {
    /// `shape` is that of all elements, for messages.
    pub(crate) fn new(
        from: (Primitive, ByteOrder),
        shape: &'s [u64],
        to: (Primitive, ByteOrder),
    ) -> Recast<'s> {
        Recast { from, to, shape, done: 0, rest: Vec::new() }
    }

    /// Hands out the elements of the next bytes, block by block.
    pub(crate) fn block(
        &mut self,
        mut bytes: &[u8],
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let size = self.from.0.size() as usize;
        if !self.rest.is_empty() {
            let (missing, behind) = bytes.split_at((size - self.rest.len()).min(bytes.len()));
            self.rest.extend_from_slice(missing);
            bytes = behind;
            if self.rest.len() == size {
                let element = std::mem::take(&mut self.rest);
                self.elements(&element, sink)?;
            }
        }
        let (whole, cut) = bytes.split_at(bytes.len() / size * size);
        self.rest.extend_from_slice(cut);
        if whole.is_empty() { Ok(()) } else { self.elements(whole, sink) }
    }

    fn elements(&mut self, bytes: &[u8], sink: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let (from, to) = (self.from, self.to);
        let part = parts(from.0);
        let step = from.0.size() as usize / part;
        let width = to.0.size() as usize / part;
        let mut block = Vec::with_capacity(BLOCK.min(bytes.len() / step) * width);
        for element in bytes.chunks_exact(step) {
            let bits = value(element, from, to.0, width as u64)
                .map_err(|found| misfit(to.0, &found, self.done / part, self.shape))?;
            self.done += 1;
            let begin = block.len();
            block.resize(begin + width, 0);
            number::put_bits(bits, to.1, &mut block[begin..]);
            if block.len() >= BLOCK * width {
                sink(&block)?;
                block.clear();
            }
        }
        if block.is_empty() { Ok(()) } else { sink(&block) }
    }

    /// Checks that no element was cut off.
    pub(crate) fn finish(self) -> Result<()> {
        if self.rest.is_empty() {
            return Ok(());
        }
        let (part, size) = (parts(self.from.0), self.from.0.size());
        let whole = (self.done / part) as u64 * size;
        Err(Error::wrong_length(whole + size, whole + self.rest.len() as u64))
    }
}

/// How many numbers an element is made of.
fn parts(primitive: Primitive) -> usize {
    if primitive.kind() == Kind::Complex { 2 } else { 1 }
}

/// The bits of one number as those of another type, `width` bytes wide; the number in words, where
/// it is none of that type.
fn value(
    bytes: &[u8],
    from: (Primitive, ByteOrder),
    to: Primitive,
    width: u64,
) -> Result<u64, String> {
    let kept = match (from.0.kind(), to.kind()) {
        (Kind::Float | Kind::Complex, _) => {
            let number = number::float(bytes, from.1);
            let bits = number::float_bits(number, width);
            let same = number.is_nan() || back(bits, width) == number;
            return if same { Ok(bits) } else { Err(shown(number)) };
        }
        (_, Kind::Float) => {
            let number = number::integer(bytes, from.0, from.1);
            let bits = number::float_bits(number as f64, width);
            let float = back(bits, width);
            (float.is_finite() && float as i128 == number).then_some(bits).ok_or(number)
        }
        _ => {
            let number = number::integer(bytes, from.0, from.1);
            let (least, greatest) = to.range();
            (least..=greatest).contains(&number).then_some(number as u64).ok_or(number)
        }
    };
    kept.map_err(|number| number.to_string())
}

/// The float of this many bytes that has these bits.
fn back(bits: u64, width: u64) -> f64 {
    number::float(&bits.to_le_bytes()[..width as usize], ByteOrder::Little)
}

fn misfit(to: Primitive, found: &str, at: usize, shape: &[u64]) -> Error {
    let mut rest = at as u64;
    let mut index: Vec<u64> = shape
        .iter()
        .rev()
        .map(|&dim| {
            let index = rest % dim.max(1);
            rest /= dim.max(1);
            index
        })
        .collect();
    index.reverse();
    Error::WrongValue {
        item: Item::UNKNOWN,
        expected: format!("values that `{}` holds exactly", to.name()).into(),
        found: if index.is_empty() { found.into() } else { format!("{found} at {index:?}").into() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ByteOrder::{Big, Little};

    fn recast_all(from: Primitive, shape: &[u64], bytes: &[u8], to: Primitive) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        recast((from, Little), shape, bytes, (to, Big), &mut |block| {
            out.extend_from_slice(block);
            Ok(())
        })?;
        Ok(out)
    }

    #[test]
    fn values_are_kept_or_refused() {
        use Primitive::{C8, C16, F2, F4, F8, I1, I8, U2, U8};
        let whole = |n: i64| n.to_le_bytes();
        assert_eq!(recast_all(I8, &[], &whole(-3), I1).expect("fits"), [0xfd]);
        let float = recast_all(I8, &[], &whole(1 << 24), F4).expect("exact");
        assert_eq!(float, (16_777_216_f32).to_be_bytes());
        assert_eq!(recast_all(F8, &[], &0.5_f64.to_le_bytes(), F2).expect("exact"), [0x38, 0]);
        for number in [f64::INFINITY, f64::NAN] {
            assert!(recast_all(F8, &[], &number.to_le_bytes(), F4).is_ok());
        }
        let pair = [1.5_f64.to_le_bytes(), 2_f64.to_le_bytes()].concat();
        let narrow = [1.5_f32.to_be_bytes(), 2_f32.to_be_bytes()].concat();
        assert_eq!(recast_all(C16, &[1], &pair, C8).expect("exact"), narrow);
        for (from, bytes, to) in [
            (I8, whole(128), I1),
            (I8, whole(-1), U8),
            (I8, whole((1 << 24) + 1), F4),
            (I8, whole(i64::MAX), F8),
            (I8, whole(70_000), F2),
            (F8, 0.1_f64.to_le_bytes(), F4),
            (F8, 1e300_f64.to_le_bytes(), F4),
        ] {
            assert!(recast_all(from, &[], &bytes, to).is_err(), "{from:?} as {to:?}");
        }
        let wrong = recast_all(U2, &[2, 2], &[0, 0, 0, 0, 0, 1, 0, 0], I1);
        let message = wrong.map_or_else(|error| error.to_string(), |_| String::new());
        assert_eq!(message, "expected values that `i1` holds exactly, found 256 at [1, 0]");
        assert!(recast_all(U2, &[], &[1], I1).is_err());
    }

    #[test]
    fn blocks_may_be_cut_anywhere() {
        let (from, to) = ((Primitive::C8, Little), (Primitive::C16, Big));
        let bytes: Vec<u8> = (0..9_u8).flat_map(|n| f32::from(n).to_le_bytes()).collect();
        for cut in 0..=24 {
            let mut out = Vec::new();
            let mut sink = |block: &[u8]| {
                out.extend_from_slice(block);
                Ok(())
            };
            let mut recast = Recast::new(from, &[3], to);
            for part in [&bytes[..cut], &bytes[cut..24]] {
                recast.block(part, &mut sink).expect("exact");
            }
            recast.finish().expect("whole elements");
            assert_eq!(
                out,
                recast_all(Primitive::C8, &[3], &bytes[..24], Primitive::C16).expect("exact")
            );
        }
        // What does not fit is reported by its place in all blocks.
        let mut recast = Recast::new((Primitive::U2, Little), &[2, 2], (Primitive::I1, Big));
        recast.block(&[0, 0, 0], &mut |_| Ok(())).expect("fits");
        let wrong = recast.block(&[0, 0, 1, 0, 0], &mut |_| Ok(())).expect_err("256");
        assert!(wrong.to_string().ends_with("found 256 at [1, 0]"), "{wrong}");
    }

    #[test]
    fn blocks_are_put_together() {
        let many: Vec<u8> = (0..BLOCK * 2 + 3).flat_map(|n| (n as u32).to_le_bytes()).collect();
        let out = recast_all(Primitive::U4, &[], &many, Primitive::I8).expect("fits");
        let wide: Vec<u8> = (0..BLOCK * 2 + 3).flat_map(|n| (n as i64).to_be_bytes()).collect();
        assert!(out == wide);
    }
}
