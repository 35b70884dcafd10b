//! Typed code made from layouts: read, written, placed.

mod again;
mod bits;
mod growing;
mod older;
mod order;
mod parts;
mod reading;
mod writing;

use dudley::ByteOrder;
use dudley::ndarray::{Array1, Array2, array};
use dudley::typed::{Chars, Create, Inspect, Transfer};

dudley::layout! {
    /// Restart files.
    pub mod restart = r#"
## Restart of a run
JMAX : i8  ## zones along y
IMAX : i8
B : i4  #: presence
SCALE : 3
title = S1[12]
grid/
  r = f8[JMAX, IMAX]  ## (cm) radius
  z = f8[JMAX+, IMAX-]
  rec {tag = >u2  id = u8 %1  pos = f4[3]  name = U1[4]  magic = u1 #: const = 7
  }
  pts = rec[IMAX]
..
bc = f8[B, IMAX]
time = [f8]*SCALE
log [/ n : u2  v = f4[n]]*2
"#, transfer
}

fn params() -> restart::Params {
    restart::Params { jmax: 3, imax: 4, b: true, scale: 3 }
}

#[test]
fn a_stream_is_written_and_read_back() {
    let params = params();
    let writer = Create::new().memory::<restart::Layout>(&params).expect("params");
    let r = Array2::from_shape_fn((3, 4), |(j, i)| (10 * j + i) as f64);
    let z = Array2::from_shape_fn((4, 3), |(j, i)| (10 * j + i) as f64);
    writer.title().write("blast wave").expect("fits");
    writer.grid().r().write(&r).expect("shape");
    writer.grid().z().write(&z).expect("shape");
    let name = Chars::new("xe").expect("fits");
    let rec = restart::Rec { tag: 7, id: 9, pos: [1.0, 2.0, 3.0], name };
    let pts: Array1<restart::Rec> = (0..4).map(|i| restart::Rec { tag: i, ..rec }).collect();
    writer.grid().pts().write(&pts).expect("shape");
    writer.bc().expect("there").expect("there").write(&array![1.0, 2.0, 3.0, 4.0]).expect("shape");
    for i in 0..3 {
        writer.time().get(i).expect("there").write(i as f64).expect("there");
    }
    for i in 0..2 {
        let item = writer.log().get(i).expect("there");
        item.n().write(i as i64 + 1).expect("there");
        item.v().write(&Array1::from_elem(i as usize + 1, 0.5)).expect("there");
    }
    let bytes = writer.finish_bytes().expect("complete");
    let reader = restart::Reader::from_source(bytes).expect("a stream");
    reader.check_own_layout().expect("the same");
    assert_eq!(reader.params().expect("there").jmax, 3);
    assert_eq!(reader.title().read().expect("text").into_scalar(), "blast wave");
    assert_eq!(reader.grid().r().read().expect("there"), r);
    assert_eq!(reader.grid().z().read().expect("there"), z);
    assert_eq!(reader.grid().pts().read().expect("there"), pts);
    let pts = reader.grid().pts();
    let views = pts.views().expect("in memory");
    assert_eq!(views.get(2).expect("there").tag(), 2);
    assert_eq!(views.iter().map(|it| it.id()).sum::<u64>(), 36);
    let into = Create::new().order(ByteOrder::Big).memory::<restart::Layout>(&params);
    let into = into.expect("params");
    reader.transfer(&into).expect("the same items");
    let copy = restart::Reader::from_source(into.finish_bytes().expect("complete"));
    let copy = copy.expect("a stream");
    let mut values = Vec::new();
    copy.inspect(&mut |path, value| values.push((path.to_owned(), value.expect("there"))));
    reader.inspect(&mut |path, value| {
        assert_eq!(values.remove(0), (path.to_owned(), value.expect("there")));
    });
}

#[test]
fn an_attached_layout_says_what_is() {
    let params = restart::Params { scale: 2, ..params() };
    let error = Create::new().memory::<restart::Layout>(&params).expect_err("another value");
    assert!(error.to_string().starts_with("`/SCALE`: expected 3, as the attached"), "{error}");
    let writer = Create::new().attach(false).memory::<restart::Layout>(&params);
    assert!(writer.is_ok(), "nothing says otherwise");
}

dudley::layout! {
    /// Lists of records.
    mod listed = r#"
N : i4
EVENT {id = u2  at = f4[2]}
few [EVENT]*N
many [EVENT[3]]*N
flat = EVENT[N, 3]
x [f8[2]]*N
last = u1
"#
}

#[test]
fn records_of_a_list_are_read_at_once() {
    let event = |id: u16| listed::Event { id, at: [f32::from(id), 0.5] };
    for order in [ByteOrder::Little, ByteOrder::Big] {
        let params = listed::Params { n: 4 };
        let writer = Create::new().order(order).memory::<listed::Layout>(&params).expect("params");
        let all: Vec<_> = (0..12).map(event).collect();
        for at in 0..4 {
            writer.few().get(at as u64).expect("there").write(&all[at]).expect("there");
            let three = writer.many().get(at as u64).expect("there");
            three.write_slice(&all[3 * at..3 * at + 3]).expect("there");
            writer.x().get(at as u64).expect("there").write_slice(&[0.0, 1.0]).expect("there");
        }
        let error = writer.flat().write_slice(&all[1..]).expect_err("too few");
        let dudley::Error::WrongLength { expected: 144, found: 132, .. } = error else {
            panic!("{error}");
        };
        writer.flat().write_slice(&all).expect("as many");
        writer.last().write(1).expect("there");
        let bytes = writer.finish_bytes().expect("complete");
        let cut = bytes[..40].to_vec();
        let reader = listed::Reader::from_source(bytes).expect("a stream");
        assert_eq!(reader.few().read().expect("there").to_vec(), all[..4]);
        let many = reader.many().read().expect("there");
        assert_eq!((many.dim(), many.as_slice()), ((4, 3), Some(&all[..])));
        assert_eq!(reader.flat().read().expect("there"), many);
        let reader = listed::Reader::from_source(cut).expect("a stream");
        assert!(reader.few().read().is_err());
    }
    let writer = Create::new().memory::<listed::Layout>(&listed::Params { n: 0 }).expect("params");
    writer.last().write(1).expect("there");
    let bytes = writer.finish_bytes().expect("complete");
    let reader = listed::Reader::from_source(bytes).expect("a stream");
    assert_eq!(reader.few().read().expect("there").len(), 0);
    assert_eq!(reader.many().read().expect("there").dim(), (0, 0));
    assert_eq!(reader.x().read().expect("there").dim(), (0, 0));
}
