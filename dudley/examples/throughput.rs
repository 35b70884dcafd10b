//! Prints how fast big-endian doubles are decoded, next to a plain copy of as many bytes.
//!
//! Run with `cargo run --release -p dudley --example throughput`.

use std::hint::black_box;
use std::time::Instant;

use dudley::buffer::Buffer;
use dudley::element::{ByteOrder, Element};
use dudley::error::Result;
use dudley::gather::{read_into, read_vec};
use dudley::source::{Counted, FileSource, Source};
use dudley::strided::Region;

/// GB/s of the fastest of 20 runs over `bytes` bytes, each run doing `repeat` of them.
fn fastest(
    name: &str,
    bytes: usize,
    repeat: usize,
    mut run: impl FnMut() -> Result<()>,
) -> Result<()> {
    let mut best = f64::INFINITY;
    for _ in 0..20 {
        let start = Instant::now();
        for _ in 0..repeat {
            run()?;
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{name:44} {:6.2} GB/s", (bytes * repeat) as f64 / best / 1e9);
    Ok(())
}

fn main() -> Result<()> {
    for (size, repeat) in [(64 << 20, 1), (128 << 10, 200)] {
        println!("{} KiB", size >> 10);
        let src: Vec<u8> = (0..size).map(|i| (i * 7) as u8).collect();
        let mut bytes = vec![1_u8; size];
        let mut doubles = vec![1_f64; size / 8];
        fastest("memcpy, reused", size, repeat, || {
            bytes.copy_from_slice(black_box(&src));
            black_box(&mut bytes);
            Ok(())
        })?;
        fastest("decode big-endian f64, reused", size, repeat, || {
            f64::decode_slice(black_box(&src), ByteOrder::Big, &mut doubles)?;
            black_box(&mut doubles);
            Ok(())
        })?;
        fastest("decode little-endian f64, reused", size, repeat, || {
            f64::decode_slice(black_box(&src), ByteOrder::Little, &mut doubles)?;
            black_box(&mut doubles);
            Ok(())
        })?;
        fastest("memcpy, fresh (to_vec)", size, repeat, || {
            black_box(black_box(&src).to_vec());
            Ok(())
        })?;
        fastest("decode big-endian f64, fresh (collect)", size, repeat, || {
            let doubles: Vec<f64> = black_box(&src)
                .as_chunks::<8>()
                .0
                .iter()
                .map(|bytes| f64::from_be_bytes(*bytes))
                .collect();
            black_box(doubles);
            Ok(())
        })?;
        fastest("decode big-endian f64, fresh (Buffer)", size, repeat, || {
            let mut buffer = Buffer::<f64>::with_len(size as u64 / 8)?;
            buffer.push_bytes(black_box(&src), ByteOrder::Big)?;
            black_box(buffer.finish()?);
            Ok(())
        })?;
    }
    from_file()
}

/// The same from a file in the page cache, and one field of records.
fn from_file() -> Result<()> {
    let size = 64 << 20;
    println!("{} KiB, file in the page cache", size >> 10);
    let path = std::env::temp_dir().join(format!("dudley-throughput-{}", std::process::id()));
    let bytes: Vec<u8> = (0..size).map(|i| (i * 7) as u8).collect();
    let io = |error| dudley::error::Error::io("cannot write a temporary file", error);
    std::fs::write(&path, &bytes).map_err(io)?;
    let file = FileSource::open(&path)?;
    std::fs::remove_file(&path).map_err(io)?;
    let all = Region::contiguous(0, &[size as u64 / 8], 8)?;
    let mut doubles = vec![1_f64; size / 8];
    let mut raw = vec![1_u8; size];
    fastest("one read, reused", size, 1, || {
        file.read_at(0, &mut raw)?;
        black_box(&mut raw);
        Ok(())
    })?;
    for order in [ByteOrder::Big, ByteOrder::Little] {
        fastest(&format!("read_into, {order:?}, reused"), size, 1, || {
            read_into(&file, &all, order, &mut doubles)?;
            black_box(&mut doubles);
            Ok(())
        })?;
        fastest(&format!("read_vec, {order:?}, fresh"), size, 1, || {
            black_box(read_vec::<f64>(&file, &all, order)?);
            Ok(())
        })?;
    }
    // Of all the bytes of records of 48 bytes.
    let field = Region::new(8, &[size as u64 / 48], &[48], 8)?;
    let mut values = vec![1_f64; size / 48];
    fastest("a field of 8 of 48 bytes, memory", size, 1, || {
        read_into(&bytes, &field, ByteOrder::Big, &mut values)?;
        black_box(&mut values);
        Ok(())
    })?;
    fastest("a field of 8 of 48 bytes, file", size, 1, || {
        read_into(&file, &field, ByteOrder::Big, &mut values)?;
        black_box(&mut values);
        Ok(())
    })?;
    let counted = Counted::new(&file);
    read_into(&counted, &field, ByteOrder::Big, &mut values)?;
    println!("{} requests, {} bytes", counted.requests(), counted.bytes_read());
    Ok(())
}
