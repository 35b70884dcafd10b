//! Fields of a record at offsets (in bytes) that generated code states, in three byte orders.
//!
//! Nothing here panics: what would lie outside of its record has no meaning, and is not written.

use super::record::{Big, Field, Little, Order};
use dudley_parser::layout::dtype::ByteOrder;

/// In the order of the stream.
pub mod own {
    use super::{Big, ByteOrder, Field, Little, Order};

    /// Of an instance, in an order known when the program is compiled.
    #[inline]
    pub fn get<T: Field, O: Order, const N: usize>(bytes: &[u8; N], at: usize) -> T {
        T::load::<O>(bytes.get(at..).unwrap_or_default())
    }

    /// To an instance.
    #[inline]
    pub fn put<T: Field, O: Order, const N: usize>(bytes: &mut [u8; N], at: usize, value: &T) {
        value.store::<O>(bytes.get_mut(at..).unwrap_or_default());
    }

    /// Of an instance, in an order known when the program runs.
    #[inline]
    pub fn look<T: Field, const N: usize>(bytes: &[u8; N], at: usize, order: ByteOrder) -> T {
        match order {
            ByteOrder::Little => get::<T, Little, N>(bytes, at),
            ByteOrder::Big => get::<T, Big, N>(bytes, at),
        }
    }
}

macro_rules! fixed {
    ($(#[$doc:meta])* $name:ident $order:ident) => {
        $(#[$doc])*
        pub mod $name {
            use super::{ByteOrder, Field, Order, own};

            /// Of an instance, whatever the order of the stream.
            #[inline]
            pub fn get<T: Field, O: Order, const N: usize>(bytes: &[u8; N], at: usize) -> T {
                own::get::<T, super::$order, N>(bytes, at)
            }

            /// To an instance, whatever the order of the stream.
            #[inline]
            pub fn put<T: Field, O: Order, const N: usize>(
                bytes: &mut [u8; N],
                at: usize,
                value: &T,
            ) {
                own::put::<T, super::$order, N>(bytes, at, value);
            }

            /// Of an instance, whatever the order of the stream.
            #[inline]
            pub fn look<T: Field, const N: usize>(bytes: &[u8; N], at: usize, _: ByteOrder) -> T {
                own::get::<T, super::$order, N>(bytes, at)
            }
        }
    };
}

fixed! {
    /// The least significant byte first.
    little Little
}
fixed! {
    /// The most significant byte first.
    big Big
}
