//! How fast records are decoded and encoded by generated code, next to what others generate, and to
//! what one would write by hand.

use std::cell::RefCell;
use std::hint::black_box;

use dudley::ndarray::ArrayView1;
use dudley::typed::{Create, Writer};
use dudley::{ByteOrder, Open};

use crate::Outcome;
use crate::fresh::numpy;
use crate::peers;
use crate::report::{Report, Target};
use crate::timing::{Compared, compare, seconds};

dudley::layout! {
    /// Records as programs of other machines write them: big-endian, not aligned.
    pub(crate) mod packed = r"
COUNT : 1000000
rec {
  tag = u2  id = u8 %1  zone = u4 %1  time = u8 %1  kind = u2 %1
  flags = u4 %1  mass = u8 %1  cell = u4 %1  next = u8 %1
}
recs = rec[COUNT]
"
}

/// How many records there are.
pub(crate) const COUNT: usize = 1_000_000;

/// Bytes of a record.
pub(crate) const SIZE: usize = 48;

/// The same for numpy.
const DTYPE: &str = ">u2,>u8,>u4,>u8,>u2,>u4,>u8,>u4,>u8";

pub(crate) use packed::Rec;

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    let bytes: Vec<u8> = (0..COUNT * SIZE).map(|i| (i * 7 + i / 251) as u8).collect();
    let reader = reader(bytes.clone())?;
    let records = reader.recs();
    let expected = peers::hand::read(&bytes);
    if records.read()?.as_slice() != Some(&expected[..]) {
        return Err("we and a loop by hand read different records".into());
    }
    decode(report, &reader, &bytes)?;
    bounds(report, &bytes)?;
    fresh(report, &reader, &bytes)?;
    one_field(report, &reader)?;
    encode(report, &expected, &bytes)
}

/// The records of a stream in memory without a signature.
pub(crate) fn reader(bytes: Vec<u8>) -> Outcome<packed::Reader> {
    let open = Open::new().raw().order(ByteOrder::Big);
    Ok(packed::Reader::from_open(open, |open| open.bytes(bytes))?)
}

/// Into a buffer that is there already, the same for all.
fn decode(report: &mut Report, reader: &packed::Reader, bytes: &[u8]) -> Outcome<()> {
    let buffer = RefCell::new(peers::hand::read(bytes));
    let ours = || {
        let mut buffer = buffer.borrow_mut();
        seconds(|| Ok(reader.recs().read_into(black_box(&mut buffer))?))
    };
    let hand = compare(ours, || {
        let mut buffer = buffer.borrow_mut();
        seconds(|| {
            peers::hand::read_into(black_box(bytes), black_box(&mut buffer));
            Ok(())
        })
    })?;
    ratio(report, "decode to a used buffer, to a loop by hand", &hand, Target::AtLeast(0.95))?;
    speed(report, hand.ours)?;
    let zerocopy = compare(ours, || {
        let mut buffer = buffer.borrow_mut();
        seconds(|| peers::zerocopy::read_into(black_box(bytes), black_box(&mut buffer)))
    })?;
    ratio(report, "the same, to zerocopy", &zerocopy, Target::None)?;
    // Their own structs, in a buffer of the same size.
    let mut buffer = peers::binrw::read(bytes)?;
    let binrw = compare(ours, || {
        seconds(|| peers::binrw::read_into(black_box(bytes), black_box(&mut buffer)))
    })?;
    ratio(report, "the same, to binrw", &binrw, Target::AtLeast(3.0))?;
    let mut buffer = peers::deku::read(bytes)?;
    let deku = compare(ours, || {
        seconds(|| peers::deku::read_into(black_box(bytes), black_box(&mut buffer)))
    })?;
    ratio(report, "the same, to deku", &deku, Target::None)
}

/// What the memory allows: a copy of the same bytes next to binrw, and as few records as stay in the
/// cache, of which the same buffers are used again and again.
fn bounds(report: &mut Report, bytes: &[u8]) -> Outcome<()> {
    const FEW: usize = 5_000;
    const TIMES: usize = 100;
    let mut buffer = peers::binrw::read(bytes)?;
    let mut copy = bytes.to_vec();
    let copied = compare(
        || {
            seconds(|| {
                black_box(&mut copy[..]).copy_from_slice(black_box(bytes));
                Ok(())
            })
        },
        || seconds(|| peers::binrw::read_into(black_box(bytes), black_box(&mut buffer))),
    )?;
    ratio(report, "a copy without decoding, to binrw", &copied, Target::None)?;
    let few = bytes[..FEW * SIZE].to_vec();
    let open = Open::new().raw().order(ByteOrder::Big).param("COUNT", FEW as i128);
    let reader = packed::Reader::from_open(open, |open| open.bytes(few.clone()))?;
    let records = reader.recs();
    let mut ours = peers::hand::read(&few);
    let mut theirs = peers::binrw::read(&few)?;
    let cached = compare(
        || seconds(|| (0..TIMES).try_for_each(|_| Ok(records.read_into(black_box(&mut ours))?))),
        || {
            let mut again = || peers::binrw::read_into(black_box(&few), black_box(&mut theirs));
            seconds(|| (0..TIMES).try_for_each(|_| again()))
        },
    )?;
    let what = "5,000 records of 48 bytes (in cache): decode to a used buffer, to binrw";
    report.add(what, cached.ratio, "", Target::None)
}

/// Into memory that the reader takes.
fn fresh(report: &mut Report, reader: &packed::Reader, bytes: &[u8]) -> Outcome<()> {
    let ours = || {
        seconds(|| {
            black_box(reader.recs().read()?);
            Ok(())
        })
    };
    let hand = compare(ours, || {
        seconds(|| {
            black_box(peers::hand::read(black_box(bytes)));
            Ok(())
        })
    })?;
    ratio(report, "decode to new memory, to a loop by hand", &hand, Target::AtLeast(0.95))?;
    speed(report, hand.ours)?;
    let binrw = compare(ours, || {
        seconds(|| {
            black_box(peers::binrw::read(black_box(bytes))?);
            Ok(())
        })
    })?;
    ratio(report, "the same, to binrw", &binrw, Target::AtLeast(3.0))?;
    let mut numpy = numpy(COUNT * SIZE)?;
    numpy.ask(DTYPE)?;
    let numpy = compare(ours, || numpy.ask("go"))?;
    ratio(report, "the same, to numpy", &numpy, Target::None)
}

/// The sum of a field where the records are, next to the decoding of all.
fn one_field(report: &mut Report, reader: &packed::Reader) -> Outcome<()> {
    let mut buffer = reader.recs().read()?.into_raw_vec_and_offset().0;
    let viewed = compare(
        || {
            seconds(|| {
                let records = reader.recs();
                let ids = records.views()?.iter().map(|record| record.id());
                black_box(ids.fold(0_u64, u64::wrapping_add));
                Ok(())
            })
        },
        || seconds(|| Ok(reader.recs().read_into(black_box(&mut buffer))?)),
    )?;
    ratio(report, "sum a field through views, to our decoding", &viewed, Target::AtLeast(2.0))?;
    speed(report, viewed.ours)
}

/// To bytes in memory, and through a writer to a new stream in memory.
fn encode(report: &mut Report, records: &[Rec], expected: &[u8]) -> Outcome<()> {
    let buffer = RefCell::new(expected.to_vec());
    let ours = || {
        let mut buffer = buffer.borrow_mut();
        seconds(|| {
            let (from, to) = (black_box(records), black_box(&mut buffer[..]));
            Ok(dudley::typed::encode_into(from, ByteOrder::Big, to)?)
        })
    };
    let hand = compare(ours, || {
        let mut buffer = buffer.borrow_mut();
        seconds(|| {
            peers::hand::write_into(black_box(records), black_box(&mut buffer));
            Ok(())
        })
    })?;
    ratio(report, "encode to a used buffer, to a loop by hand", &hand, Target::AtLeast(0.95))?;
    speed(report, hand.ours)?;
    let zerocopy = compare(ours, || {
        let mut buffer = buffer.borrow_mut();
        seconds(|| peers::zerocopy::write_into(black_box(records), black_box(&mut buffer)))
    })?;
    ratio(report, "the same, to zerocopy", &zerocopy, Target::None)?;
    let theirs = peers::binrw::read(expected)?;
    let binrw = compare(ours, || {
        let mut buffer = buffer.borrow_mut();
        seconds(|| peers::binrw::write_into(black_box(&theirs), black_box(&mut buffer)))
    })?;
    ratio(report, "the same, to binrw", &binrw, Target::AtLeast(3.0))?;
    let theirs = peers::deku::read(expected)?;
    let deku = compare(ours, || {
        let mut buffer = buffer.borrow_mut();
        seconds(|| peers::deku::write_into(black_box(&theirs), black_box(&mut buffer)))
    })?;
    ratio(report, "the same, to deku", &deku, Target::None)?;
    writer(report, records, expected)
}

fn writer(report: &mut Report, records: &[Rec], expected: &[u8]) -> Outcome<()> {
    let write = || -> Outcome<Vec<u8>> {
        let create = Create::new().raw().order(ByteOrder::Big);
        let writer: Writer<packed::Layout> = create.memory(&packed::Params::default())?;
        writer.recs().write(&ArrayView1::from(black_box(records)))?;
        Ok(writer.finish_bytes()?)
    };
    if write()? != expected {
        return Err("what is written is not what was read".into());
    }
    let compared = compare(
        || {
            seconds(|| {
                black_box(write()?);
                Ok(())
            })
        },
        || {
            seconds(|| {
                let mut bytes = vec![0; COUNT * SIZE];
                peers::hand::write_into(black_box(records), &mut bytes);
                black_box(bytes);
                Ok(())
            })
        },
    )?;
    let what = "write to a new stream in memory, to a loop by hand";
    ratio(report, what, &compared, Target::AtLeast(0.95))?;
    speed(report, compared.ours)
}

fn ratio(report: &mut Report, what: &str, compared: &Compared, target: Target) -> Outcome<()> {
    let what = match what.strip_prefix("the same") {
        Some(_) => what.to_owned(),
        None => format!("1,000,000 records of 48 bytes: {what}"),
    };
    report.add(&what, compared.ratio, "", target)
}

fn speed(report: &mut Report, seconds: f64) -> Outcome<()> {
    let speed = (COUNT * SIZE) as f64 / seconds / 1e9;
    report.add("its fastest run", speed, "GB/s", Target::None)
}
