//! How fast records are decoded by programs that learn the layout only when they run, next to
//! generated code.

use std::hint::black_box;

use crate::Outcome;
use crate::peers::hand;
use crate::records::{COUNT, SIZE, reader};
use crate::report::{Report, Target};
use crate::timing::{compare, seconds};

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    let bytes: Vec<u8> = (0..COUNT * SIZE).map(|i| (i * 7 + i / 251) as u8).collect();
    let mut records = hand::read(&bytes);
    let reader = reader(bytes)?;
    let data = reader.stream().get("/recs")?.data()?;
    let mut native = data.native()?;
    for (record, bytes) in records.iter().zip(native.chunks_exact(SIZE)) {
        if bytes[2..10] != record.id.to_ne_bytes() || bytes[40..] != record.next.to_ne_bytes() {
            return Err("the records are others without types".into());
        }
    }
    let mut generated = || {
        let records = black_box(&mut records[..]);
        seconds(|| Ok(reader.recs().read_into(records)?))
    };
    let all =
        compare(|| seconds(|| Ok(data.native_into(black_box(&mut native))?)), &mut generated)?;
    let what = "1,000,000 records of 48 bytes without types, to generated code";
    report.add(what, all.ratio, "", Target::AtLeast(0.5))?;
    let speed = (COUNT * SIZE) as f64 / all.ours / 1e9;
    report.add("its fastest run", speed, "GB/s", Target::None)?;
    let mut ids = vec![0_u64; COUNT];
    let field = data.field("id")?;
    let one = compare(|| seconds(|| Ok(field.read_into(black_box(&mut ids))?)), &mut generated)?;
    let what = "one field of them, to generated code that decodes all";
    report.add(what, one.ratio, "", Target::None)
}
