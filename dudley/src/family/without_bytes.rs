//! A stream of which only a catalog is known: its params, and no bytes.
//!
//! It is placed by the resolver like any other. What asks it for bytes that a catalog does not hold
//! gets an error, and is read from the member itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dudley_parser::Layout;
use dudley_parser::layout::ParamId;
use dudley_parser::layout::dtype::ByteOrder;
use dudley_parser::resolve::Given;

use crate::bytes::source::Source;
use crate::error::{Error, Result};
use crate::filter::Registry;
use crate::read::stream::{Stream, StreamKind};

/// A source of a known length that has only some of its bytes.
#[derive(Debug, Default)]
pub(super) struct Hollow {
    len: u64,
    /// The known bytes, by address.
    held: Vec<(u64, Vec<u8>)>,
    /// It was asked for something else.
    asked: AtomicBool,
}

impl Hollow {
    /// Whether bytes were requested that it does not have.
    pub(super) fn was_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }
}

impl Source for Hollow {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> Result<()> {
        for (start, bytes) in &self.held {
            let Some(from) = address.checked_sub(*start) else { continue };
            if let Ok(found) = crate::bytes::source::slice(bytes, from, buf.len() as u64) {
                buf.copy_from_slice(found);
                return Ok(());
            }
        }
        self.asked.store(true, Ordering::Relaxed);
        let why = std::io::Error::new(
            std::io::ErrorKind::Unsupported,
            "the catalog does not hold it: read the member",
        );
        Err(Error::io(format!("cannot read address {address} of a member"), why))
    }
}

/// What a catalog says of how a member is placed.
pub(super) struct Facts<'f> {
    pub(super) layout: &'f Arc<Layout>,
    pub(super) kind: StreamKind,
    pub(super) order: ByteOrder,
    /// The length of the stream, in bytes.
    pub(super) bytes: u64,
    pub(super) params: Vec<(ParamId, i128)>,
    pub(super) held: Vec<(u64, Vec<u8>)>,
    pub(super) filters: &'f Arc<Registry>,
}

impl Facts<'_> {
    /// A stream that is placed by them, and its source.
    pub(super) fn stream(self) -> (Stream, Arc<Hollow>) {
        let source =
            Arc::new(Hollow { len: self.bytes, held: self.held, asked: AtomicBool::new(false) });
        let order = self.layout.order().unwrap_or(self.order);
        let given = Given {
            params: self.params.into_iter().collect(),
            stream_bytes: Some(self.bytes),
            ..Given::default()
        };
        let (layout, filters) = (self.layout.clone(), self.filters.clone());
        let stream = Stream::known(layout, source.clone(), self.kind, order, given, filters);
        (stream, source)
    }
}
