//! The types that code generated from a layout is made of.
//!
//! `dudley::layout!` (and its other fronts) makes a module for a layout: a struct for each dict with
//! a method for each item, a struct for each record, a struct for the params. Those are thin: what
//! they do is done here, by the engine that also serves programs without types. A tree of items is
//! used in a [`Mode`]: for addresses alone ([`Addresses`]), to read ([`Reader`]), to write
//! ([`Writer`]). [`Append`] adds records to lists and arrays of a stream that is there.
//!
//! | an item is | its type |
//! |---|---|
//! | an array of elements, one element | [`Array`], [`Scalar`] |
//! | text | [`Text`] |
//! | records whose fields lie at offsets known when the program is compiled | [`Records`] |
//! | other structs | [`Instances`] |
//! | a list | [`List`] |
//! | a param of a dict in a list | [`Param`] |
//!
//! Names become those of Rust: `IMAX` a field `imax` of the params, `te_max` a method, `mesh` a type
//! `Mesh`, dicts and the items of lists types such as `Grid` and `HistoryItem`; keywords get `r#`, and
//! where two would be alike the later one a number (`finish_2`). Params that dimensions depend on are
//! `usize`, those with the attribute `presence` are `bool` and make their items an `Option`, others
//! `i64`. Items with the attribute `const` are checked and written, and have no method. Attributes are
//! constants in a module `constants`, and so are the places of items that nothing else decides.
//!
//! ```
//! dudley::layout!(mod run = "N : i8  ## zones\nrho = f8[N]\nname = S1[8]");
//!
//! # fn main() -> dudley::Result<()> {
//! use dudley::typed::Create;
//!
//! let params = run::Params { n: 3 };
//! let writer = Create::new().memory::<run::Layout>(&params)?;
//! writer.rho().write(&vec![1.0, 2.5, 4.0])?;
//! writer.name().write("blast")?; // a missing item is an error of `finish_bytes`
//! let reader = run::Reader::from_source(writer.finish_bytes()?)?;
//! assert_eq!(reader.params()?.n, 3);
//! assert_eq!(reader.rho().read()?.sum(), 7.5);
//! assert_eq!(reader.rho().slice(dudley::ndarray::s![1..])?.sum(), 6.5);
//! # Ok(())
//! # }
//! ```

mod append;
mod array;
mod constants;
mod create;
mod define;
mod each;
pub mod fields;
mod handle;
mod instances;
mod list;
pub mod mode;
mod older;
pub mod params;
mod put;
mod reading;
pub mod records;
mod schema;
mod slice;
mod text;
mod transfer;
mod view;
mod writable;

pub use crate::create::writing::Writing;
pub use crate::elements::record::{
    Big, Bytes, Field, Little, Order, Record, decode_all, encode_into,
};
pub use append::{Append, Grow, Growing};
pub use array::{Array, Scalar};
pub use create::{Create, Writer};
pub use handle::{Handle, Kind};
pub use instances::{Fields, Instances, Struct, Structs, struct_of};
pub use list::List;
pub use mode::{Located, Measured, Mode, Reading};
pub use params::{Param, Params};
pub use reading::{Addresses, Fixed, Reader};
pub use records::{Records, Views};
pub use schema::{Known, Schema, check_same};
pub use text::{Chars, Cp1252, Encoding, Text, Utf8, Utf16, Utf32};
pub use transfer::{Inspect, Transfer};
pub use view::Elements;
pub use writable::{Single, Texts, Writable};
