//! How the types of a record are defined, from a table of its fields.
//!
//! Generated code is such tables: a program with hundreds of records compiles faster when the
//! compiler writes out their functions than when a macro hands it every token of them.

/// Defines a record of this many bytes, and its view.
///
/// A field says at which offset it lies, and in which byte order: `little`, `big`, or the stream's
/// `own` (methods of the types in [`fields`](crate::typed::fields)).
///
/// ```
/// use dudley::typed::{Big, Record};
///
/// dudley::record! {
///     /// Where something is.
///     pub struct Place, PlaceView: 6;
///     /// Which one.
///     tag: u16 = big 0;
///     x: u32 = own 2;
/// }
///
/// let place = Place::decode::<Big>(&[0, 7, 0, 0, 1, 0]);
/// assert_eq!(place, Place { tag: 7, x: 256 });
/// assert_eq!(Place::view(&[0, 7, 1, 0, 0, 0], dudley::ByteOrder::Little).x(), 1);
/// ```
#[macro_export]
macro_rules! record {
    (
        $(#[$about:meta])*
        $visible:vis struct $name:ident, $view:ident: $size:literal;
        $($(#[$doc:meta])* $field:ident: $ty:ty = $order:ident $at:literal;)*
    ) => {
        $(#[$about])*
        #[derive(
            ::core::clone::Clone,
            ::core::marker::Copy,
            ::core::fmt::Debug,
            ::core::cmp::PartialEq,
        )]
        $visible struct $name {
            $($(#[$doc])* pub $field: $ty,)*
        }

        impl $crate::typed::Single for $name {}

        impl $crate::typed::Record for $name {
            type Bytes = [::core::primitive::u8; $size];
            type View<'a> = $view<'a>;

            #[inline]
            fn decode<O: $crate::typed::Order>(bytes: &Self::Bytes) -> Self {
                let _from = $crate::typed::fields::Decoder::<O, $size>::new(bytes);
                Self { $($field: _from.$order($at),)* }
            }

            #[inline]
            fn encode<O: $crate::typed::Order>(&self, bytes: &mut Self::Bytes) {
                let mut _to = $crate::typed::fields::Encoder::<O, $size>::new(bytes);
                $(_to.$order($at, &self.$field);)*
            }

            #[inline]
            fn view(bytes: &Self::Bytes, order: $crate::ByteOrder) -> $view<'_> {
                $view { at: $crate::typed::fields::Viewed { bytes, order } }
            }
        }

        /// A record where it is: a field is decoded when it is looked at.
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
        $visible struct $view<'a> {
            /// Its bytes, and their order.
            pub at: $crate::typed::fields::Viewed<'a, $size>,
        }

        impl $view<'_> {
            $(
                $(#[$doc])*
                #[inline]
                pub fn $field(&self) -> $ty {
                    self.at.$order($at)
                }
            )*
        }
    };
}
