//! The one arithmetic of addresses: aligning, sizes, repeats. All of it is checked.
//!
//! Nothing else in the project adds or multiplies addresses of a stream. Numbers are bytes; no
//! address, size or end is above [`LIMIT`]. `None` means that a result would be.

/// The greatest address, size or count: they fit in 63 bits.
pub const LIMIT: u64 = i64::MAX as u64;

/// Where data of a native stream begins, behind its signature, in bytes.
pub const NATIVE_START: u64 = 16;

/// Where data of a stream begins: at once in a raw one, which has no signature.
///
/// ```
/// assert_eq!((dudley_parser::place::start(true), dudley_parser::place::start(false)), (0, 16));
/// ```
pub const fn start(raw: bool) -> u64 {
    if raw { 0 } else { NATIVE_START }
}

/// The next multiple of `align` (a power of two) that is not below `cursor`.
///
/// ```
/// use dudley_parser::place::align_up;
///
/// assert_eq!((align_up(17, 8), align_up(24, 8), align_up(u64::MAX, 8)), (Some(24), Some(24), None));
/// ```
pub const fn align_up(cursor: u64, align: u64) -> Option<u64> {
    match cursor.checked_add(align - 1) {
        Some(up) if up & !(align - 1) <= LIMIT => Some(up & !(align - 1)),
        _ => None,
    }
}

/// The sum of two numbers of bytes.
///
/// ```
/// use dudley_parser::place::{LIMIT, add};
///
/// assert_eq!((add(16, 8), add(LIMIT, 1)), (Some(24), None));
/// ```
pub const fn add(a: u64, b: u64) -> Option<u64> {
    match a.checked_add(b) {
        Some(sum) if sum <= LIMIT => Some(sum),
        _ => None,
    }
}

/// The product of a count and a number of bytes.
///
/// ```
/// use dudley_parser::place::{LIMIT, multiply};
///
/// assert_eq!((multiply(3, 8), multiply(LIMIT, 2)), (Some(24), None));
/// ```
pub const fn multiply(count: u64, bytes: u64) -> Option<u64> {
    match count.checked_mul(bytes) {
        Some(product) if product <= LIMIT => Some(product),
        _ => None,
    }
}

/// A dimension from a param and its suffixes (spec 4.3): 0 and -1 stay what they are.
///
/// ```
/// use dudley_parser::place::suffixed;
///
/// assert_eq!((suffixed(10, -1), suffixed(0, 1)), (Some(9), Some(0))); // `N-`, `N+`
/// ```
pub const fn suffixed(value: i64, suffix: i32) -> Option<i64> {
    match value {
        0 | -1 => Some(value),
        _ => value.checked_add(suffix as i64),
    }
}

/// Where an item of `bytes` bytes begins: an explicit address wins, nothing of size 0 is aligned
/// (spec 4.4, 6.1).
///
/// ```
/// use dudley_parser::place::begin;
///
/// assert_eq!(begin(17, None, 24, 8), Some(24));
/// assert_eq!(begin(17, Some(64), 24, 8), Some(64)); // `@64`
/// ```
pub const fn begin(cursor: u64, explicit: Option<u64>, bytes: u64, align: u64) -> Option<u64> {
    match explicit {
        Some(address) => Some(address),
        None if bytes == 0 => Some(cursor),
        None => align_up(cursor, align),
    }
}

/// A sequence that repeats: the first repetition may differ from the others by its padding, the
/// others are `stride` apart (spec 5.4).
///
/// ```
/// use dudley_parser::place::Repeated;
///
/// // Records of 12 bytes; the first begins behind a gap.
/// let list = Repeated { first: 16, second: 32, stride: 12 };
/// assert_eq!((list.cursor(0), list.cursor(1), list.cursor(3)), (Some(16), Some(32), Some(56)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// Where the cursor stands before the first repetition.
    pub first: u64,
    /// Where it stands before the second.
    pub second: u64,
    /// From there, bytes from one repetition to the next.
    pub stride: u64,
}

impl Repeated {
    /// Where the cursor stands before repetition `index`; for `index` = count, behind the last.
    ///
    /// ```
    /// use dudley_parser::place::Repeated;
    ///
    /// assert_eq!(Repeated { first: 0, second: 8, stride: 8 }.cursor(5), Some(40));
    /// ```
    pub const fn cursor(&self, index: u64) -> Option<u64> {
        if index == 0 {
            return Some(self.first);
        }
        match multiply(index - 1, self.stride) {
            Some(bytes) => add(self.second, bytes),
            None => None,
        }
    }
}

/// Row-major strides in bytes of an array with these dimensions.
///
/// ```
/// assert_eq!(dudley_parser::place::strides(&[4, 3, 2], 8), [48, 16, 8]);
/// ```
pub fn strides(shape: &[u64], element: u64) -> Vec<u64> {
    let mut strides = vec![element; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis].saturating_mul(shape[axis]);
    }
    strides
}

/// Column-major strides in bytes of an array with these dimensions.
///
/// ```
/// assert_eq!(dudley_parser::place::column_strides(&[4, 3, 2], 8), [8, 32, 96]);
/// ```
pub fn column_strides(shape: &[u64], element: u64) -> Vec<u64> {
    let mut strides = vec![element; shape.len()];
    for axis in 1..shape.len() {
        strides[axis] = strides[axis - 1].saturating_mul(shape[axis - 1]);
    }
    strides
}

/// What elements take of the bytes that `first` is counted in, which is where the one of indices 0 begins: from the first
/// byte of any of them to behind the last. There must be one.
///
/// ```
/// use dudley_parser::place::reach;
///
/// assert_eq!(reach(64, &[3], &[-16], 8), (32, 72)); // from the last element to the first
/// ```
pub fn reach(first: i64, shape: &[u64], strides: &[i64], element: u64) -> (i128, i128) {
    let first = i128::from(first);
    let (mut low, mut high) = (first, first.saturating_add(element.into()));
    for (dim, stride) in shape.iter().zip(strides) {
        let step = i128::from(dim.saturating_sub(1)).saturating_mul((*stride).into());
        let end = if step < 0 { &mut low } else { &mut high };
        *end = end.saturating_add(step);
    }
    (low, high)
}

/// The number of elements of an array while its dimensions come in.
///
/// ```
/// use dudley_parser::place::Elements;
///
/// assert_eq!(Elements::ONE.times(3).times(4).bytes(8), Some(96));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Elements {
    product: Option<u64>,
    zero: bool,
}

impl Elements {
    /// The size of a scalar: one element.
    pub const ONE: Elements = Elements { product: Some(1), zero: false };

    /// The size of an array with these dimensions.
    ///
    /// ```
    /// use dudley_parser::place::Elements;
    ///
    /// assert_eq!(Elements::of(&[3, 4]).count(), Some(12));
    /// ```
    pub fn of(shape: &[u64]) -> Elements {
        let dims = shape.iter().map(|dim| i64::try_from(*dim));
        dims.fold(Elements::ONE, |all, dim| match dim {
            Ok(dim) => all.times(dim),
            Err(_) => Elements { product: None, ..all },
        })
    }

    /// Takes one more dimension: -1 counts as 1 (spec 4.4).
    ///
    /// ```
    /// use dudley_parser::place::Elements;
    ///
    /// assert_eq!(Elements::ONE.times(-1).times(3).count(), Some(3));
    /// ```
    pub const fn times(self, dim: i64) -> Elements {
        match dim {
            0 => Elements { product: self.product, zero: true },
            -1 => self,
            dim => Elements {
                product: match self.product {
                    Some(product) => product.checked_mul(dim as u64),
                    None => None,
                },
                zero: self.zero,
            },
        }
    }

    /// How many elements; 0 beats overflow. `None` if more than 64 bits can count.
    ///
    /// ```
    /// use dudley_parser::place::Elements;
    ///
    /// assert_eq!(Elements::of(&[u64::MAX, 0]).count(), Some(0));
    /// assert_eq!(Elements::of(&[u64::MAX, 2]).count(), None);
    /// ```
    pub const fn count(self) -> Option<u64> {
        if self.zero { Some(0) } else { self.product }
    }

    /// How many bytes, with elements of this many; 0 beats overflow.
    ///
    /// ```
    /// use dudley_parser::place::Elements;
    ///
    /// assert_eq!((Elements::of(&[3]).bytes(8), Elements::of(&[3]).bytes(0)), (Some(24), Some(0)));
    /// ```
    pub const fn bytes(self, element: u64) -> Option<u64> {
        match (element, self.count()) {
            (0, _) => Some(0),
            (_, None) => None,
            (_, Some(count)) => multiply(count, element),
        }
    }
}
