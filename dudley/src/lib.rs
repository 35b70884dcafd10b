//! Reads and writes binary scientific data through Dudley layouts.
//!
//! A layout is a text that says where arrays lie in a stream of bytes. A [`Stream`] is a file, or
//! bytes in memory, with its layout. Get an [`Item`] from it by path, and read its elements.
//! [`Open`] passes what a file does not contain, such as the layout of a raw one; a [`Writer`]
//! makes streams.
//!
//! ```
//! use dudley::{Open, Stream, Writer, parse_layout};
//!
//! # let folder = tempfile::tempdir().expect("a folder");
//! # let path = folder.path().join("run.bd");
//! // Write a stream that carries its layout.
//! let layout = parse_layout(b"N : i8  ## zones\nrho = f8[N]  ## (g/cc) density\nlabel = S1[8]")?;
//! Writer::new(layout)
//!     .param("/N", 3)
//!     .put("/rho", &[1.0, 2.5, 4.0][..])
//!     .put("/label", "blast")
//!     .attach(true)
//!     .write_file(&path, false)?;
//!
//! // Read it.
//! let stream = Stream::open(&path)?;
//! let rho = stream.get("/rho")?;
//! assert_eq!((rho.shape()?, rho.address()?, rho.unit()), (vec![3], 24, Some("g/cc")));
//! assert_eq!(rho.read::<f64>()?.sum(), 7.5);
//! assert_eq!(stream.get("/label")?.read_text()?, "blast");
//!
//! // A file of another program: bytes without a signature, your own layout.
//! let stream = Open::new().layout_text("> n : u2  x = i2[n+0]")?.raw().bytes([0, 2, 0, 7, 1, 0])?;
//! assert_eq!(stream.get("/x")?.read::<i16>()?.as_slice(), Some(&[7, 256][..]));
//! # Ok::<(), dudley::Error>(())
//! ```
//!
//! # Structs of a program
//!
//! A program with structs needs no separate layout: `#[derive(Dudley)]` makes one, with units and
//! documentation, and writes and reads the struct. It can also compare the struct with an existing
//! layout at compile time. See the macro [`Dudley`](macro@Dudley).
//!
//! ```
//! use dudley::{Dudley, Stream};
//!
//! #[derive(Debug, PartialEq, Dudley)]
//! struct State {
//!     /// time of this dump
//!     #[dudley(unit = "us")]
//!     time: f64,
//!     rho: Vec<f64>,
//! }
//!
//! # let folder = tempfile::tempdir().expect("a folder");
//! # let path = folder.path().join("state.bd");
//! let state = State { time: 0.5, rho: vec![1.0, 2.0] };
//! state.write_bd(&path)?;
//! assert_eq!(State::read_bd(&path)?, state);
//! assert_eq!(State::open_bd(&path)?.time()?, 0.5);
//! assert_eq!(Stream::open(&path)?.get("/time")?.unit(), Some("us"));
//! # Ok::<(), dudley::Error>(())
//! ```
//!
//! # Where to look
//!
//! If the layout is known at compile time, the macro [`layout!`] makes a module from it, with a
//! typed reader, writer, params and addresses; see [`typed`].
//!
//! ```
//! dudley::layout!(mod run = "N : i8  ## zones\nrho = f8[N]  ## (g/cc) density");
//!
//! # fn main() -> dudley::Result<()> {
//! let writer = dudley::typed::Create::new().memory::<run::Layout>(&run::Params { n: 3 })?;
//! writer.rho().write(&dudley::ndarray::array![1.0, 2.5, 4.0])?;
//! let reader = run::Reader::from_source(writer.finish_bytes()?)?;
//! assert_eq!(reader.rho().read()?.sum(), 7.5);
//! # Ok(())
//! # }
//! ```
//!
//! Most programs need [`Stream`], [`Item`] and [`Data`] to read, [`Writer`] to write, and
//! [`Error`], all at the top level. By task:
//!
//! | to | see |
//! |---|---|
//! | open a file, with facts that it does not contain | [`Stream::open`], [`Open`] |
//! | read an array, borrowed, converted, or into your own memory | [`Item`], [`Data`] |
//! | pick parts: slices, fields, one item of each repetition of a list | [`Stream::select`], [`read::select`] |
//! | read a value of a type that is known only when the program runs | [`Value`] |
//! | list all items | [`Item::items`], [`read::listing`] |
//! | write a stream from values | [`Writer`], [`write`](mod@write) |
//! | create a stream and fill it: slices in any order, from many threads or processes | [`create`] |
//! | add to a stream in place, or rescue one that was cut off | [`append`] |
//! | keep complete checkpoints, and histories beside them | [`checkpoint`] |
//! | read and write through types made from a layout | [`layout!`], [`typed`] |
//! | write and read a struct | [`Dudley`](macro@Dudley), [`trait@Dudley`] |
//! | open files of any format: numpy here, ASDF and Blosc2 by `asdf-bridge` | [`model`] |
//! | find one of many items without parsing the layout | [`index`] |
//! | find and read many streams of one layout | [`family`] |
//! | compute statistics, compare streams, find all faults of a file | [`stat`], [`diff`], [`verify`] |
//! | read from your own source of bytes; from servers and S3 | [`bytes::Source`]; `bytes::StoreSource` (feature `store`) |
//! | write files that are complete or absent | [`bytes::AtomicFile`] |
//! | set the threads of a read, watch it, stop it | [`Work`] |
//! | add a filter | [`filter`] |
//! | find the cause and the place of an error | [`Error`], [`error`] |
//!
//! Each module uses only those before it: [`error`], [`bytes`], [`elements`], [`filter`], [`read`],
//! [`index`], [`write`](mod@write), [`append`], [`create`], [`checkpoint`], [`typed`], [`structs`],
//! [`family`], [`verify`], [`stat`], [`diff`], [`model`], [`numpy`].
//!
//! Reading touches only the bytes that it needs. Wrong bytes give an [`Error`] with the address and
//! the path of the item. No input makes the library panic or allocate memory by an unchecked size.
//! `docs/language.md` of the repository describes the language, and the crate [`dudley_parser`]
//! compiles it.

pub mod append;
pub mod bytes;
pub mod checkpoint;
pub mod create;
pub mod diff;
pub mod elements;
mod encode;
pub mod error;
pub mod family;
pub mod filter;
pub mod index;
pub mod model;
pub mod numpy;
pub mod ranks;
pub mod read;
pub mod stat;
pub mod structs;
pub mod typed;
pub mod verify;
pub mod write;

pub use bytes::{Beside, Output, Work};
#[cfg(feature = "derive")]
pub use dudley_derive::Dudley;
pub use dudley_parser::layout::dtype::{ByteOrder, Primitive};
pub use dudley_parser::{Layout, Severity};
pub use elements::Value;
pub use error::{Error, Result};
pub use index::Indexed;
pub use read::{Data, Dtype, Item, ItemKind, LeftOver, Open, Stream, StreamKind, parse_layout};
pub use structs::Dudley;
pub use write::{Input, Supplied, Supply, WriteOptions, Writer};

#[cfg(feature = "derive")]
pub use dudley_derive::layout;
pub use {half, ndarray, num_complex};
