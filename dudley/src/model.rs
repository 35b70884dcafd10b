//! One model of everything that holds arrays: open any file of any known format, go through what is in it, read it.
//!
//! A [`Dataset`] is a file that is open, or bytes, of whatever format. In it are [`Node`]s: dicts, lists, arrays and
//! values, found by their paths. The elements of an array are a [`Data`](crate::Data), which reads slices and converts
//! types as that of a stream does. One table, [`Formats`], has all formats: a crate that reads another
//! one gives it an entry, which is a [`Format`].
//!
//! ```
//! use dudley::model::{Kind, open};
//! use dudley::{Writer, parse_layout};
//!
//! # let folder = tempfile::tempdir().expect("a folder");
//! # let path = folder.path().join("run.bd");
//! let layout = parse_layout(b"N : i8\ngrp/\n  rho = f8[N]  ## (g/cc) density")?;
//! Writer::new(layout)
//!     .param("/N", 2)
//!     .put("/grp/rho", &[1.0, 2.0][..])
//!     .attach(true)
//!     .write_file(&path, false)?;
//!
//! let run = open(&path)?;
//! let rho = run.get("/grp/rho")?;
//! assert_eq!((rho.kind(), rho.name(), rho.unit()), (Kind::Array, "rho".to_owned(), Some("g/cc".to_owned())));
//! assert_eq!(rho.data()?.read::<f64>()?.sum(), 3.0);
//! assert_eq!(run.select("/grp/rho[-1]")?.read::<f64>()?.sum(), 2.0);
//! # Ok::<(), dudley::Error>(())
//! ```

mod candidate;
mod dataset;
mod format;
mod formats;
mod in_place;
mod known;
mod node;
mod portable;
mod sections;
mod streams;
mod table;
mod walk;
mod writer;

pub use candidate::Candidate;
pub use dataset::{Content, Dataset, Depth, Description, Doubt, Masked};
pub use format::{Claim, Format, Salvaged, Target};
pub use formats::{Formats, open};
pub use in_place::{Asked, DataFile, Describe, Described, InPlace, Laid, Later, OpenInPlace};
pub use known::probably;
pub use node::{Attribute, Children, Compared, Entry, Extent, Fact, Kind, Node, NodeId, Place};
pub use portable::{LeftBehind, Portable};
pub use sections::{Header, Holds, Section, Sections};
pub use streams::{LayoutText, Streamed};
pub use table::{Loose, Row, Table};
pub use walk::{Shared, Visit, walk};
pub use writer::{Planned, WriteFile};
