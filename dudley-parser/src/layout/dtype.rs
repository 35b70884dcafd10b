//! The primitive types and byte orders of the language.

/// Which byte of a number comes first in the stream.
///
/// ```
/// use dudley_parser::layout::dtype::ByteOrder;
///
/// let layout = dudley_parser::check(b">\nx = f8").layout.unwrap();
/// assert_eq!(layout.order(), Some(ByteOrder::Big));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ByteOrder {
    /// The least significant byte first.
    Little,
    /// The most significant byte first.
    Big,
}

impl ByteOrder {
    /// `'<'` or `'>'`.
    ///
    /// ```
    /// use dudley_parser::layout::dtype::ByteOrder;
    ///
    /// assert_eq!((ByteOrder::Little.symbol(), ByteOrder::Big.symbol()), ('<', '>'));
    /// ```
    pub const fn symbol(self) -> char {
        match self {
            ByteOrder::Little => '<',
            ByteOrder::Big => '>',
        }
    }
}

/// The kind of the numbers of a primitive type.
///
/// ```
/// use dudley_parser::layout::dtype::{Kind, Primitive};
///
/// assert_eq!((Primitive::F8.kind(), Primitive::U1.kind()), (Kind::Float, Kind::Unsigned));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Two's complement.
    Signed,
    /// Unsigned integers.
    Unsigned,
    /// IEEE 754.
    Float,
    /// A pair of floats: real, imaginary.
    Complex,
    /// 0 is false, anything else true.
    Bool,
    /// Units of text; the last dimension counts them.
    Text,
    /// Raw addresses, handled as unsigned integers.
    Pointer,
}

macro_rules! primitives {
    ($($variant:ident $name:literal $bytes:literal $kind:ident $doc:literal,)*) => {
        /// A primitive type of the language, without byte order.
        ///
        /// ```
        /// use dudley_parser::layout::dtype::Primitive;
        ///
        /// assert_eq!((Primitive::F8.name(), Primitive::F8.size()), ("f8", 8));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Primitive { $(#[doc = $doc] $variant,)* }

        impl Primitive {
            /// All of them, in the order of the language page.
            pub const ALL: &'static [Primitive] = &[$(Primitive::$variant,)*];

            /// The name in a layout, such as `f8`.
            ///
            /// ```
            /// use dudley_parser::layout::dtype::Primitive;
            ///
            /// assert_eq!(Primitive::I4.name(), "i4");
            /// ```
            pub const fn name(self) -> &'static str {
                match self { $(Primitive::$variant => $name,)* }
            }

            /// The primitive of a name.
            ///
            /// ```
            /// use dudley_parser::layout::dtype::Primitive;
            ///
            /// assert_eq!(Primitive::from_name("i4"), Some(Primitive::I4));
            /// assert_eq!(Primitive::from_name("i3"), None);
            /// ```
            pub fn from_name(name: &str) -> Option<Primitive> {
                match name { $($name => Some(Primitive::$variant),)* _ => None }
            }

            /// Bytes of one element.
            ///
            /// ```
            /// use dudley_parser::layout::dtype::Primitive;
            ///
            /// assert_eq!(Primitive::I4.size(), 4);
            /// ```
            pub const fn size(self) -> u64 {
                match self { $(Primitive::$variant => $bytes,)* }
            }

            /// The meaning of the bytes.
            ///
            /// ```
            /// use dudley_parser::layout::dtype::{Kind, Primitive};
            ///
            /// assert_eq!(Primitive::I4.kind(), Kind::Signed);
            /// ```
            pub const fn kind(self) -> Kind {
                match self { $(Primitive::$variant => Kind::$kind,)* }
            }
        }
    };
}

primitives! {
    I1 "i1" 1 Signed "8-bit integer.",
    I2 "i2" 2 Signed "16-bit integer.",
    I4 "i4" 4 Signed "32-bit integer.",
    I8 "i8" 8 Signed "64-bit integer.",
    U1 "u1" 1 Unsigned "8-bit unsigned integer.",
    U2 "u2" 2 Unsigned "16-bit unsigned integer.",
    U4 "u4" 4 Unsigned "32-bit unsigned integer.",
    U8 "u8" 8 Unsigned "64-bit unsigned integer.",
    F2 "f2" 2 Float "IEEE 754 binary16.",
    F4 "f4" 4 Float "IEEE 754 binary32.",
    F8 "f8" 8 Float "IEEE 754 binary64.",
    C4 "c4" 4 Complex "A pair of `f2`.",
    C8 "c8" 8 Complex "A pair of `f4`.",
    C16 "c16" 16 Complex "A pair of `f8`.",
    B1 "b1" 1 Bool "Boolean byte.",
    S1 "S1" 1 Text "CP1252 text, one byte a character.",
    Utf8 "U1" 1 Text "UTF-8 code units.",
    Utf16 "U2" 2 Text "UTF-16 code units.",
    Utf32 "U4" 4 Text "UTF-32 characters.",
    P4 "p4" 4 Pointer "32-bit address.",
    P8 "p8" 8 Pointer "64-bit address.",
}

impl Primitive {
    /// The default alignment in bytes: the size.
    ///
    /// ```
    /// use dudley_parser::layout::dtype::Primitive;
    ///
    /// assert_eq!((Primitive::F8.align(), Primitive::U1.align()), (8, 1));
    /// ```
    pub const fn align(self) -> u64 {
        self.size()
    }

    /// Bytes of what a change of byte order reverses: half an element for complex numbers.
    ///
    /// ```
    /// use dudley_parser::layout::dtype::Primitive;
    ///
    /// assert_eq!((Primitive::F8.swap_unit(), Primitive::C16.swap_unit()), (8, 8));
    /// ```
    pub const fn swap_unit(self) -> u64 {
        match self.kind() {
            Kind::Complex => self.size() / 2,
            _ => self.size(),
        }
    }

    /// The least and greatest value of an integer type.
    ///
    /// ```
    /// use dudley_parser::layout::dtype::Primitive;
    ///
    /// assert_eq!((Primitive::U1.range(), Primitive::I1.range()), ((0, 255), (-128, 127)));
    /// ```
    pub const fn range(self) -> (i128, i128) {
        let bits = 8 * self.size() as u32;
        match self.kind() {
            Kind::Signed => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
            _ => (0, (1_i128 << bits) - 1),
        }
    }

    /// The name with its own byte order, if it has one: `>f8`, `f8`.
    ///
    /// ```
    /// use dudley_parser::layout::dtype::{ByteOrder, Primitive};
    ///
    /// assert_eq!(Primitive::F8.with_order(Some(ByteOrder::Big)), ">f8");
    /// assert_eq!(Primitive::F8.with_order(None), "f8");
    /// ```
    pub fn with_order(self, order: Option<ByteOrder>) -> String {
        match order {
            Some(order) => format!("{}{}", order.symbol(), self.name()),
            None => self.name().to_owned(),
        }
    }

    /// Whether the units are text (`S1`, `U1`, `U2`, `U4`).
    ///
    /// ```
    /// use dudley_parser::layout::dtype::Primitive;
    ///
    /// assert!(Primitive::Utf32.is_text() && !Primitive::U4.is_text());
    /// ```
    pub const fn is_text(self) -> bool {
        matches!(self.kind(), Kind::Text)
    }

    /// Whether a param may have this type (`i1` to `i8`, and as an extension `u1` to `u8`).
    ///
    /// ```
    /// use dudley_parser::layout::dtype::Primitive;
    ///
    /// assert!(Primitive::I8.is_param() && !Primitive::F8.is_param());
    /// ```
    pub const fn is_param(self) -> bool {
        matches!(self.kind(), Kind::Signed | Kind::Unsigned)
    }
}

/// What types are called in other languages.
const ELSEWHERE: [(&str, &str); 36] = [
    ("i16", "i2"),
    ("i32", "i4"),
    ("i64", "i8"),
    ("u16", "u2"),
    ("u32", "u4"),
    ("u64", "u8"),
    ("f16", "f2"),
    ("f32", "f4"),
    ("f64", "f8"),
    ("int8", "i1"),
    ("int16", "i2"),
    ("int32", "i4"),
    ("int64", "i8"),
    ("uint8", "u1"),
    ("uint16", "u2"),
    ("uint32", "u4"),
    ("uint64", "u8"),
    ("float16", "f2"),
    ("float32", "f4"),
    ("float64", "f8"),
    ("half", "f2"),
    ("float", "f4"),
    ("double", "f8"),
    ("real", "f8"),
    ("short", "i2"),
    ("int", "i4"),
    ("integer", "i4"),
    ("long", "i8"),
    ("byte", "u1"),
    ("char", "S1"),
    ("string", "S1"),
    ("str", "S1"),
    ("bool", "b1"),
    ("boolean", "b1"),
    ("complex64", "c8"),
    ("complex128", "c16"),
];

/// The primitive that has another name in another language.
pub(crate) fn elsewhere(name: &str) -> Option<&'static str> {
    ELSEWHERE.iter().find(|(theirs, _)| *theirs == name).map(|(_, ours)| *ours)
}
