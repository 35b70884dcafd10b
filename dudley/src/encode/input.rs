//! Values for items: typed arrays, text, values of any type.

use std::borrow::Cow;
use std::ops::Range;

use dudley_parser::layout::dtype::{ByteOrder, Primitive};
use ndarray::{ArrayBase, ArrayViewD, Axis, Data as NdData, Dimension, IxDyn, Slice};

use crate::elements::element::Element;
use crate::elements::recast::{may_fit, recast};
use crate::elements::value::Value;
use crate::error::{Error, Item, Result};
use crate::read::dtype::Dtype;

/// Elements encoded at a time.
const BLOCK: usize = 1 << 15;

/// The value for an item.
pub enum Input<'a> {
    /// A value of any type.
    Value(Value),
    /// Elements of one Rust type.
    Typed(Box<dyn Typed + 'a>),
    /// Structs of one Rust type.
    Rows(Box<dyn Rows + 'a>),
}

/// An array of values that are made one after the other, so that not all need be held.
pub trait Items {
    /// How many.
    fn count(&self) -> u64;

    /// Hands out the values in their order.
    ///
    /// # Errors
    /// If `visit` fails.
    fn each(&self, visit: &mut dyn FnMut(Content<'_>) -> Result<()>) -> Result<()>;
}

/// A value: a single one, or the values of items.
pub enum Content<'v> {
    /// The value.
    Value(Cow<'v, Value>),
    /// The items of an array.
    Items(&'v dyn Items),
}

impl<'v> From<&'v Value> for Content<'v> {
    fn from(value: &'v Value) -> Self {
        Content::Value(Cow::Borrowed(value))
    }
}

impl Content<'_> {
    /// All of it.
    ///
    /// # Errors
    /// If an item is wrong.
    pub fn value(&self) -> Result<Cow<'_, Value>> {
        let items = match self {
            Content::Value(value) => return Ok(Cow::Borrowed(value)),
            Content::Items(items) => items,
        };
        let mut values = Vec::new();
        items.each(&mut |item| {
            values.push(item.value()?.into_owned());
            Ok(())
        })?;
        Ok(Cow::Owned(Value::Array(values)))
    }
}

/// Structs of one Rust type with a shape.
pub trait Rows: Send + Sync {
    /// Structs in each dimension.
    fn shape(&self) -> Vec<u64>;

    /// Checks that the structs can be elements of a type.
    ///
    /// # Errors
    /// If something differs.
    fn check(&self, dtype: &Dtype) -> Result<()>;

    /// Hands out the structs as bytes of a type that [`Self::check`] allows, row-major, block by
    /// block. `template` is one of them without what they have: 0, and what the layout states.
    ///
    /// # Errors
    /// If `sink` fails.
    fn encode(
        &self,
        dtype: &Dtype,
        template: &[u8],
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()>;
}

/// Elements of one Rust type with a shape.
pub trait Typed: Send + Sync {
    /// Elements in each dimension.
    fn shape(&self) -> Vec<u64>;

    /// Checks that the elements can be those of a primitive.
    ///
    /// # Errors
    /// [`crate::Error::WrongType`].
    fn check(&self, primitive: Primitive) -> Result<()>;

    /// Hands out the elements as bytes of a primitive that [`Self::check`] allows, in an order,
    /// row-major, block by block.
    ///
    /// # Errors
    /// If `sink` fails; [`crate::Error::WrongValue`] for an element that is no value of the
    /// primitive.
    fn encode(
        &self,
        primitive: Primitive,
        order: ByteOrder,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()>;

    /// The same by rows, for several threads that write elements of a primitive at once; `None` where that
    /// is not possible.
    fn rows(&self, _primitive: Primitive) -> Option<&dyn TypedRows> {
        None
    }
}

/// Elements whose rows, the indices of their first dimension, can be encoded separately.
pub trait TypedRows: Sync {
    /// As [`Typed::encode`], of some rows.
    ///
    /// # Errors
    /// As [`Typed::encode`].
    fn encode_rows(
        &self,
        rows: Range<u64>,
        primitive: Primitive,
        order: ByteOrder,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()>;
}

impl<'a> Input<'a> {
    /// A single element.
    pub fn scalar<T: Element>(value: T) -> Self {
        Input::Typed(Box::new(One(value)))
    }

    /// The elements of a view.
    pub fn elements<T: Element>(view: ArrayViewD<'a, T>) -> Self {
        Input::Typed(Box::new(Elements { array: view }))
    }

    /// Elements of a type, as bytes side by side, row-major. They are converted to the type of the item, each exactly:
    /// integers and floats to others that have the same value.
    ///
    /// # Errors
    /// [`crate::Error::WrongLength`] if they are not as many as the shape says.
    ///
    /// ```
    /// use dudley::{ByteOrder, Input, Primitive, Writer, parse_layout};
    ///
    /// let input = Input::bytes((Primitive::I2, ByteOrder::Big), &[2], &[0, 1, 0, 2])?;
    /// let bytes = Writer::new(parse_layout(b"x = f4[2]")?).raw().put("/x", input).to_bytes()?;
    /// assert_eq!(bytes, [1_f32.to_le_bytes(), 2_f32.to_le_bytes()].concat());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn bytes(of: (Primitive, ByteOrder), shape: &[u64], bytes: &'a [u8]) -> Result<Self> {
        let size = u128::from(of.0.size());
        let size = shape.iter().try_fold(size, |size, dim| size.checked_mul(u128::from(*dim)));
        let expected = size.and_then(|size| u64::try_from(size).ok()).unwrap_or(u64::MAX);
        if expected == bytes.len() as u64 {
            Ok(Input::Typed(Box::new(Encoded { of, shape: shape.to_vec(), bytes })))
        } else {
            Err(Error::wrong_length(expected, bytes.len() as u64))
        }
    }
}

/// Elements of a type that is known when the program runs, as bytes.
struct Encoded<'b> {
    of: (Primitive, ByteOrder),
    shape: Vec<u64>,
    bytes: &'b [u8],
}

impl Typed for Encoded<'_> {
    fn shape(&self) -> Vec<u64> {
        self.shape.clone()
    }

    fn check(&self, primitive: Primitive) -> Result<()> {
        if may_fit(self.of.0, primitive) {
            return Ok(());
        }
        let found = self.of.0.name();
        Err(Error::WrongInput { item: Item::UNKNOWN, expected: primitive, found })
    }

    fn encode(
        &self,
        primitive: Primitive,
        order: ByteOrder,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        match self.of {
            of if of == (primitive, order) => sink(self.bytes),
            of => recast(of, &self.shape, self.bytes, (primitive, order), sink),
        }
    }
}

/// An array, a view, or a slice made one.
pub(crate) struct Elements<S: NdData> {
    pub(crate) array: ArrayBase<S, IxDyn>,
}

impl<T: Element, S: NdData<Elem = T> + Send + Sync> Typed for Elements<S> {
    fn shape(&self) -> Vec<u64> {
        self.array.shape().iter().map(|dim| *dim as u64).collect()
    }

    fn check(&self, primitive: Primitive) -> Result<()> {
        T::check(primitive)
    }

    fn encode(
        &self,
        _: Primitive,
        order: ByteOrder,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        encode_view(self.array.view(), order, sink)
    }

    fn rows(&self, _: Primitive) -> Option<&dyn TypedRows> {
        Some(self)
    }
}

impl<T: Element, S: NdData<Elem = T> + Sync> TypedRows for Elements<S> {
    fn encode_rows(
        &self,
        rows: Range<u64>,
        _: Primitive,
        order: ByteOrder,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        if self.array.ndim() == 0 {
            return encode_view(self.array.view(), order, sink);
        }
        let length = self.array.len_of(Axis(0));
        let [start, end] = [rows.start, rows.end].map(|row| row.min(length as u64) as usize);
        let rows = Slice::from(start.min(end)..end);
        encode_view(self.array.slice_axis(Axis(0), rows), order, sink)
    }
}

/// Hands out the elements of a view, row-major, block by block.
fn encode_view<T: Element>(
    view: ArrayViewD<'_, T>,
    order: ByteOrder,
    sink: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    if view.is_empty() {
        return Ok(());
    }
    let mut room = Vec::new();
    let mut put = |block: &[T]| {
        room.resize(block.len() * T::SIZE, 0);
        let room = &mut room[..];
        T::encode_slice(block, order, room)?;
        sink(room)
    };
    if let Some(elements) = view.as_slice() {
        return match T::as_bytes(elements, order) {
            Some(bytes) => sink(bytes),
            None => elements.chunks(BLOCK).try_for_each(put),
        };
    }
    let mut block = Vec::with_capacity(BLOCK);
    for element in &view {
        block.push(*element);
        if block.len() == BLOCK {
            put(&block)?;
            block.clear();
        }
    }
    put(&block)
}

impl<'a, T: Element, S: NdData<Elem = T>, D: Dimension> From<&'a ArrayBase<S, D>> for Input<'a> {
    fn from(array: &'a ArrayBase<S, D>) -> Self {
        Input::Typed(Box::new(Elements { array: array.view().into_dyn() }))
    }
}

impl<'a, T: Element> From<&'a [T]> for Input<'a> {
    fn from(slice: &'a [T]) -> Self {
        Input::Typed(Box::new(Elements { array: ndarray::ArrayView1::from(slice).into_dyn() }))
    }
}

impl<'a, T: Element, const N: usize> From<&'a [T; N]> for Input<'a> {
    fn from(array: &'a [T; N]) -> Self {
        Input::from(array.as_slice())
    }
}

impl<'a, T: Element> From<&'a Vec<T>> for Input<'a> {
    fn from(vector: &'a Vec<T>) -> Self {
        Input::from(vector.as_slice())
    }
}

/// A single number.
pub(crate) struct One<T>(pub(crate) T);

impl<T: Element> Typed for One<T> {
    fn shape(&self) -> Vec<u64> {
        Vec::new()
    }

    fn check(&self, primitive: Primitive) -> Result<()> {
        T::check(primitive)
    }

    fn encode(
        &self,
        _: Primitive,
        order: ByteOrder,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        sink(self.0.to_bytes(order).as_ref())
    }
}

macro_rules! scalars {
    ($($t:ty)*) => {
        $(impl From<$t> for Input<'_> {
            fn from(value: $t) -> Self {
                Input::Typed(Box::new(One(value)))
            }
        })*
    };
}

scalars! { i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 bool half::f16 }

impl<T> From<num_complex::Complex<T>> for Input<'_>
where
    num_complex::Complex<T>: Element,
{
    fn from(value: num_complex::Complex<T>) -> Self {
        Input::Typed(Box::new(One(value)))
    }
}

impl From<Value> for Input<'_> {
    fn from(value: Value) -> Self {
        Input::Value(value)
    }
}

impl From<&str> for Input<'_> {
    fn from(text: &str) -> Self {
        Input::Value(Value::Text(text.to_owned()))
    }
}

impl From<String> for Input<'_> {
    fn from(text: String) -> Self {
        Input::Value(Value::Text(text))
    }
}
