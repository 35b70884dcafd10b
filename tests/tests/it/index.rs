//! What an index leads to is what the whole layout says: known streams, random layouts, and indices
//! that were damaged, or that the stream was changed under.

mod compared;
mod damage;
mod reads;

use dudley::bytes::Signature;
use dudley::write::attached_text;
use dudley::{ByteOrder, Layout, Open, index};

/// A native stream with a layout attached, made of the bytes of one without.
fn attached(layout: &Layout, order: ByteOrder, mut data: Vec<u8>) -> Vec<u8> {
    let layout_address = Some(data.len() as u64);
    data[..16].copy_from_slice(&Signature { order, layout_address }.to_bytes());
    data.extend(attached_text(layout));
    data
}

/// The same with its index.
fn indexed(file: Vec<u8>) -> dudley::Result<Vec<u8>> {
    index::appended(file, index::Options { checksums: false })
}

/// The stream of a file that must open.
fn whole(file: &[u8]) -> dudley::Stream {
    Open::new().bytes(file).expect("a stream with its layout")
}
