//! The elements of an array in chunks as bytes, one element behind the other, as if they were stored so.

use std::sync::Arc;

use dudley::bytes::Blocks;

use super::Chunked;
use crate::asdf::error::Error;

/// The bytes of an array in chunks, of elements of this many; 0 where no chunk is. `None` if there are more of them than an
/// address can say. Of the chunks those are opened that a read touches.
pub(crate) fn assembled(chunked: &Arc<Chunked>, size: u64) -> Option<Blocks> {
    let areas = chunked.areas()?;
    let chunks = chunked.clone();
    let open = move |at: usize| {
        let array = &chunks.chunks[at].array;
        let data = array.data().map_err(|error| match error {
            Error::Engine(error) => error,
            error => dudley::Error::from(error).of_path(array.path()),
        })?;
        data.block()
    };
    Blocks::new(&areas, size, &[], open).ok()
}

#[cfg(test)]
mod tests {
    use dudley::bytes::Source;

    use super::*;
    use crate::asdf::Open;

    /// Any bytes from any address on are those of the whole.
    #[test]
    fn all_reads_are_parts_of_the_whole() {
        let chunk = |start: &str, data: &str| {
            let array = format!("{{data: {data}, datatype: uint16, byteorder: little}}");
            format!("{{start: {start}, ndarray: !core/ndarray-1.1.0 {array}}}")
        };
        let chunks = [
            chunk("[0, 0, 0]", "[[[1, 2]], [[3, 4]]]"),
            chunk("[0, 1, 1]", "[[[5], [6]]]"),
            chunk("[1, 2, 0]", "[[[7, 8, 9]]]"),
        ];
        let whole = format!("{{shape: [2, 3, 3], chunks: [{}]}}", chunks.join(", "));
        let text = format!(
            "#ASDF 1.0.0\n%TAG ! tag:stsci.edu:asdf/\n---\nx: !core/chunked-ndarray-1.0.0 {whole}\n"
        );
        let file = Open::new().bytes(text).expect("a file");
        let chunked = file.get("/x").and_then(|item| item.chunked()).expect("an array in chunks");
        let elements = chunked.read::<u16>().expect("read");
        let bytes: Vec<u8> = elements.iter().flat_map(|it| [*it as u8, 0]).collect();
        let assembled = assembled(&Arc::new(chunked), 2).expect("a size");
        assert_eq!(assembled.len(), 36);
        for from in 0..=36_usize {
            for to in from..=36 {
                let mut buf = vec![1; to - from];
                assembled.read_at(from as u64, &mut buf).expect("read");
                assert_eq!(buf, bytes[from..to], "{from}..{to}");
            }
        }
        assert!(assembled.read_at(30, &mut [0; 7]).is_err());
    }
}
