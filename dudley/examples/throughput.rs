//! Prints how fast big-endian doubles are decoded, next to a plain copy of as many bytes.
//!
//! Run with `cargo run --release -p dudley --example throughput`.

use std::hint::black_box;
use std::time::Instant;

use dudley::buffer::Buffer;
use dudley::element::{ByteOrder, Element};
use dudley::error::Result;

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
    Ok(())
}
