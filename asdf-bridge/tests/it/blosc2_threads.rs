//! Does a read give the same, and say the same of damage, however many threads share it?

use asdf_bridge::blosc2::{Codec, Encoding, Filter, Frame, NdArray, NewArray, Options};
use dudley::bytes::{Source, check};

/// Elements of a block, of 8 bytes each: enough of them that threads are worth being used for one.
const BLOCK: [u64; 3] = [1, 256, 128];

/// What is not in memory.
struct File(Vec<u8>);

impl Source for File {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> dudley::Result<()> {
        check(self.len(), address, buf.len() as u64)?;
        buf.copy_from_slice(&self.0[address as usize..][..buf.len()]);
        Ok(())
    }
}

/// An array of seven blocks in four chunks. Of its elements some bytes are noise, some are the same everywhere, and
/// others can be compressed.
fn stored(codec: Codec, filters: &[Filter]) -> Vec<u8> {
    let encoding = Encoding::new(8).codec(codec).level(3).filters(filters);
    let new = NewArray::of::<u64>(&[7, 256, 128]).expect("known").encoding(encoding);
    let new = new.chunks(&[2, 256, 128]).blocks(&BLOCK);
    let mut writer = new.memory().expect("begun");
    let mut noise = 1_u64;
    let elements = (0..7 * 256 * 128_u64).map(|at| {
        noise ^= noise << 13;
        noise ^= noise >> 7;
        noise ^= noise << 17;
        noise & 0x3f_070f_00ff | (at / 100) << 48
    });
    writer.write_elements(&elements.collect::<Vec<_>>()).expect("written");
    writer.finish_bytes().expect("complete")
}

fn array(frame: Frame) -> NdArray {
    frame.array().expect("right").expect("an array")
}

const SLICES: [&str; 8] =
    ["5, 100, 100", "0", "1:3, 250:, :5", "1:4, 3", "2:6, ::-7, 5", "::3", "6, :, ::9", "..., 77"];

fn codecs() -> Vec<Codec> {
    [Codec::Zlib].into_iter().chain(Codec::of_name("zstd")).collect()
}

#[test]
fn parts_are_the_same_with_any_number_of_threads() {
    let pipelines: [&[Filter]; 3] =
        [&[Filter::Shuffle], &[Filter::Delta, Filter::Shuffle], &[Filter::BitShuffle]];
    for codec in codecs() {
        for filters in pipelines {
            let bytes = stored(codec, filters);
            let one = Options::new().threads(1).source(bytes.clone()).expect("a frame");
            let whole = one.read().expect("decoded");
            for threads in [2, 16] {
                let options = Options::new().threads(threads);
                for frame in [options.source(bytes.clone()), options.source(File(bytes.clone()))] {
                    let frame = frame.expect("a frame");
                    for (start, len) in [(7, 9), (262_000, 300), (0, 600_000), (1_000_000, 700_000)]
                    {
                        let mut part = vec![0; len];
                        frame.read_range(start as u64, &mut part).expect("decoded");
                        assert_eq!(part, whole[start..start + len], "{codec} {filters:?}");
                    }
                    let (one, array) = (array(one.clone()), array(frame));
                    for slice in SLICES {
                        assert_eq!(
                            array.slice_bytes(slice).expect("decoded"),
                            one.slice_bytes(slice).expect("decoded"),
                            "{codec} {filters:?} {threads} [{slice}]"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn damage_is_told_alike_with_any_number_of_threads() {
    for codec in codecs() {
        let right = stored(codec, &[Filter::Shuffle]);
        let mut refused = 0;
        // Two places at a time, so that most often two streams are wrong.
        for at in (500..right.len() / 7).step_by(right.len() / 200) {
            let mut bytes = right.clone();
            for at in [at, at + right.len() / 30] {
                bytes[at] ^= 0x55;
            }
            let read = |threads| {
                let frame = Options::new().threads(threads).source(bytes.clone());
                let array = frame.and_then(|frame| frame.array());
                let read = array.map(|array| array.expect("an array").slice_bytes("0, 255, 127"));
                read.and_then(|read| read).map_err(|error| error.to_string())
            };
            let one = read(1);
            refused += usize::from(one.is_err());
            assert_eq!(read(2), one, "{codec} at {at}");
            assert_eq!(read(8), one, "{codec} at {at}");
        }
        assert!(refused > 5, "{codec}: {refused}");
    }
}
