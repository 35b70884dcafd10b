//! Numbers and C-like enums as fields of structs: what is the same for all of them.

use ndarray::{ArrayD, ArrayViewD};
use num_complex::Complex;

use super::cell::{Cell, load_each};
use super::form::Element as Made;
use crate::elements::element::{Element, f16};
use crate::error::Result;

macro_rules! same {
    ($integer:expr, $of:expr) => {
        fn store(&self) -> Self {
            *self
        }

        fn load(stored: Self) -> Option<Self> {
            Some(stored)
        }

        fn integer(&self) -> Option<i128> {
            ($integer)(*self)
        }

        fn of_integer(value: i128) -> Option<Self> {
            ($of)(value)
        }

        fn stored_view<'a>(cells: &ArrayViewD<'a, Self>) -> Option<ArrayViewD<'a, Self>> {
            Some(cells.clone())
        }

        fn load_all(stored: ArrayD<Self>) -> Result<ArrayD<Self>> {
            Ok(stored)
        }

        fn chunks<const N: usize>(flat: Vec<Self>) -> Vec<[Self; N]> {
            flat.as_chunks().0.to_vec()
        }
    };
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Cell for $type {
            type Stored = Self;
            const MADE: Made = Made::Primitive(<$type as Element>::PRIMITIVE);
            same! { |it| Some(i128::from(it)), |it| <$type>::try_from(it).ok() }
        }
        __dudley_cell! { $type }
    )*};
}

macro_rules! others {
    ($($type:ty)*) => {$(
        impl Cell for $type {
            type Stored = Self;
            const MADE: Made = Made::Primitive(<$type as Element>::PRIMITIVE);
            same! { |_| None, |_| None }
        }
        __dudley_cell! { $type }
    )*};
}

macro_rules! sizes {
    ($($type:ty, $stored:ty;)*) => {$(
        impl Cell for $type {
            type Stored = $stored;
            const MADE: Made = Made::Primitive(<$stored as Element>::PRIMITIVE);

            fn store(&self) -> $stored {
                *self as $stored
            }

            fn load(stored: $stored) -> Option<Self> {
                <$type>::try_from(stored).ok()
            }

            fn integer(&self) -> Option<i128> {
                Some(self.store().into())
            }

            fn of_integer(value: i128) -> Option<Self> {
                <$type>::try_from(value).ok()
            }

            fn stored_view<'a>(_: &ArrayViewD<'a, Self>) -> Option<ArrayViewD<'a, $stored>> {
                None
            }

            fn load_all(stored: ArrayD<$stored>) -> Result<ArrayD<Self>> {
                load_each(stored, "a number that fits this machine's addresses")
            }
        }
        __dudley_cell! { $type }
    )*};
}

/// The traits that say what can be done with a cell; also for enums with `#[derive(Dudley)]`.
#[doc(hidden)]
#[macro_export]
macro_rules! __dudley_cell {
    ($type:ty) => {
        impl $crate::structs::FieldType for $type {
            const FORM: $crate::structs::form::Form =
                $crate::structs::form::Form::scalar(<$type as $crate::structs::cell::Cell>::MADE);
            type Part = Self;

            fn give<'a>(
                &'a self,
                to: &mut $crate::structs::Giver<'a>,
                name: &'static ::core::primitive::str,
            ) -> $crate::Result<()> {
                $crate::structs::cell::give_scalar(self, to, name)
            }

            fn take(item: &$crate::Item, widen: ::core::primitive::bool) -> $crate::Result<Self> {
                $crate::structs::cell::take_scalar(item, widen)
            }

            fn part(item: &$crate::Item, widen: ::core::primitive::bool) -> $crate::Result<Self> {
                $crate::structs::cell::take_scalar(item, widen)
            }
        }

        impl $crate::structs::Member for $type {
            const ELEMENT: $crate::structs::form::Element =
                <$type as $crate::structs::cell::Cell>::MADE;
            const INNER: $crate::structs::form::Dims = $crate::structs::form::Dims::None;
            type Part<C: $crate::structs::FieldType> = C;

            fn give_all<'a>(
                flat: &'a [Self],
                shape: ::std::vec::Vec<::core::primitive::usize>,
                to: &mut $crate::structs::Giver<'a>,
                name: &'static ::core::primitive::str,
            ) -> $crate::Result<()> {
                $crate::structs::cell::give_slice(flat, shape, to, name)
            }

            fn take_all(
                item: &$crate::Item,
                widen: ::core::primitive::bool,
            ) -> $crate::Result<(::std::vec::Vec<Self>, ::std::vec::Vec<::core::primitive::usize>)>
            {
                $crate::structs::cell::take_flat(item, widen)
            }

            fn chunks<const N: ::core::primitive::usize>(
                flat: ::std::vec::Vec<Self>,
            ) -> ::std::vec::Vec<[Self; N]> {
                $crate::structs::cell::Cell::chunks(flat)
            }

            fn part<C: $crate::structs::FieldType>(
                item: &$crate::Item,
                widen: ::core::primitive::bool,
            ) -> $crate::Result<C> {
                C::take(item, widen)
            }
        }

        impl $crate::structs::record::Packed for $type {
            const PACKED: $crate::structs::form::Form =
                $crate::structs::form::Form::scalar(<$type as $crate::structs::cell::Cell>::MADE);

            fn plan(
                dtype: &$crate::Dtype,
                shape: &[::core::primitive::u64],
                widen: ::core::primitive::bool,
            ) -> $crate::Result<$crate::structs::record::Plan> {
                $crate::structs::record::Plan::of_cell::<$type>(dtype, shape, widen)
            }

            fn put(
                &self,
                plan: &$crate::structs::record::Plan,
                room: &mut [::core::primitive::u8],
            ) {
                $crate::structs::record::put_cell(self, plan, room);
            }

            fn get(
                plan: &$crate::structs::record::Plan,
                bytes: &[::core::primitive::u8],
            ) -> $crate::Result<Self> {
                $crate::structs::record::get_cell(plan, bytes)
            }
        }
    };
}

/// As [`__dudley_cell`], of an enum that has names for its values.
#[doc(hidden)]
#[macro_export]
macro_rules! __dudley_enum {
    ($type:ty) => {
        impl $crate::structs::cell::Cell for $type {
            type Stored = <$type as $crate::structs::cell::Named>::Repr;
            const MADE: $crate::structs::form::Element = $crate::structs::cell::made_of::<$type>();

            fn store(&self) -> Self::Stored {
                $crate::structs::cell::Named::number(self)
            }

            fn load(stored: Self::Stored) -> ::core::option::Option<Self> {
                $crate::structs::cell::Named::of_number(stored)
            }

            fn integer(&self) -> ::core::option::Option<::core::primitive::i128> {
                $crate::structs::cell::Cell::integer(&$crate::structs::cell::Named::number(self))
            }

            fn of_integer(value: ::core::primitive::i128) -> ::core::option::Option<Self> {
                $crate::structs::cell::named_of(value)
            }

            fn stored_view<'a>(
                _: &$crate::ndarray::ArrayViewD<'a, Self>,
            ) -> ::core::option::Option<$crate::ndarray::ArrayViewD<'a, Self::Stored>> {
                ::core::option::Option::None
            }

            fn load_all(
                stored: $crate::ndarray::ArrayD<Self::Stored>,
            ) -> $crate::Result<$crate::ndarray::ArrayD<Self>> {
                $crate::structs::cell::load_named(stored)
            }
        }

        $crate::__dudley_cell! { $type }
    };
}

integers! { i8 i16 i32 i64 u8 u16 u32 u64 }
others! { f16 f32 f64 bool Complex<f16> Complex<f32> Complex<f64> }
sizes! {
    usize, u64;
    isize, i64;
}
