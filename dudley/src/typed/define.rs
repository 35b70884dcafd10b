//! How the types of a record are defined, from a table of its fields.
//!
//! Generated code is such tables: a program with hundreds of records compiles faster when the
//! compiler writes out their functions than when a macro hands it every token of them.

/// Defines a record of so many bytes, and its view.
///
/// A field says at which offset it lies, and in which byte order: `little`, `big`, or the stream's
/// `own` ([`fields`](crate::typed::fields) has a module for each).
///
/// ```
/// use dudley::typed::{Big, Record};
///
/// dudley::record! {
///     /// Where something is.
///     #[derive(Clone, Copy, Debug, PartialEq)]
///     pub struct Place: 6;
///     /// A [`Place`] where it is.
///     #[derive(Clone, Copy, Debug)]
///     pub struct PlaceView;
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
        $visible:vis struct $name:ident: $size:literal;
        $(#[$about_view:meta])*
        $view_visible:vis struct $view:ident;
        $($(#[$doc:meta])* $field:ident: $ty:ty = $order:ident $at:literal;)*
    ) => {
        $(#[$about])*
        $visible struct $name {
            $($(#[$doc])* pub $field: $ty,)*
        }

        impl $crate::typed::Record for $name {
            type Bytes = [::core::primitive::u8; $size];
            type View<'a> = $view<'a>;

            #[inline]
            fn decode<O: $crate::typed::Order>(_bytes: &Self::Bytes) -> Self {
                Self { $($field: $crate::typed::fields::$order::get::<_, O, _>(_bytes, $at),)* }
            }

            #[inline]
            fn encode<O: $crate::typed::Order>(&self, _bytes: &mut Self::Bytes) {
                $($crate::typed::fields::$order::put::<_, O, _>(_bytes, $at, &self.$field);)*
            }

            #[inline]
            fn view(bytes: &Self::Bytes, order: $crate::ByteOrder) -> $view<'_> {
                $view { bytes, order }
            }
        }

        $(#[$about_view])*
        $view_visible struct $view<'a> {
            /// The bytes of the record.
            pub bytes: &'a [::core::primitive::u8; $size],
            /// The order of what the layout gives no order.
            pub order: $crate::ByteOrder,
        }

        impl $view<'_> {
            $(
                $(#[$doc])*
                #[inline]
                #[must_use]
                pub fn $field(&self) -> $ty {
                    $crate::typed::fields::$order::look(self.bytes, $at, self.order)
                }
            )*
        }
    };
}
