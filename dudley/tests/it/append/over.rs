//! Elements that are written over others: those and no others.

use std::sync::Arc;

use dudley::append::Append;
use dudley::ndarray::{Array2, s};
use dudley::{Open, Stream, Value, Writer, parse_layout};

use crate::append::disk::Disk;

fn disk() -> Disk {
    let text = "N : i4  x = f8[6, 5]  s = {a = i2  b = >f4}[3]  l = [/ t = f8  k = i1]*2  z = u1[N] -> zlib";
    let layout = parse_layout(text.as_bytes()).expect("a layout");
    let structs = (0..3).map(|n| {
        Value::Struct(vec![("a".into(), Value::Int(n)), ("b".into(), Value::Float(n as f64))])
    });
    let x = Array2::<f64>::zeros((6, 5));
    let writer = Writer::new(layout)
        .param("/N", 2)
        .put("/x", &x)
        .put("/s", Value::Array(structs.collect()))
        .put("/z", &[1_u8, 2]);
    let writer = (0..2)
        .fold(writer, |it, n| it.put(format!("/l/{n}/t"), 0.5).put(format!("/l/{n}/k"), 1_i8));
    Disk::new(writer.attach(true).to_bytes().expect("it fits"))
}

fn open(disk: &Disk) -> Append {
    Append::storage(Arc::new(disk.clone()), None).expect("a stream")
}

fn stream(disk: &Disk) -> Stream {
    Open::new().bytes(disk.contents()).expect("it opens")
}

#[test]
fn slices_are_written_as_ndarray_assigns_them() {
    let disk = disk();
    let before = disk.contents();
    let mut append = open(&disk);
    let mut expected = Array2::<f64>::zeros((6, 5));
    let values = Array2::from_shape_fn((2, 3), |(i, j)| 1.0 + i as f64 * 10.0 + j as f64);
    append.write("/x[1:5:2, ::2]", &values).expect("inside");
    expected.slice_mut(s![1..5;2, ..;2]).assign(&values);
    append.write("/x[-1, ::-1]", &[1.0, 2.0, 3.0, 4.0, 5.0]).expect("inside");
    expected.slice_mut(s![-1, ..;-1]).assign(&dudley::ndarray::array![1.0, 2.0, 3.0, 4.0, 5.0]);
    append.write("/x[0, 0]", Value::Float(-7.0)).expect("inside");
    expected[[0, 0]] = -7.0;
    append.sync().expect("space");
    let found = stream(&disk).get("/x").and_then(|x| x.read::<f64>()).expect("x");
    assert_eq!(found, expected.into_dyn());
    let (x, end) = (24, 24 + 6 * 5 * 8);
    assert_eq!(disk.contents()[..x], before[..x]);
    assert_eq!(disk.contents()[end..], before[end..]);
}

#[test]
fn fields_and_lists() {
    let disk = disk();
    let mut append = open(&disk);
    append.write("/s[1:].b", &[7.5_f32, 8.5]).expect("inside");
    append.write("/l[:]/t", &[2.5, 3.5]).expect("inside");
    append.sync().expect("space");
    let stream = stream(&disk);
    let read =
        |path: &str| stream.select(path).and_then(|it| it.read::<f64>()).expect("it is there");
    assert_eq!(read("/l[:]/t").as_slice(), Some(&[2.5, 3.5][..]));
    let b = stream.select("/s.b").and_then(|it| it.read::<f32>()).expect("b");
    assert_eq!(b.as_slice(), Some(&[0.0, 7.5, 8.5][..]));
    let a = stream.select("/s.a").and_then(|it| it.read::<i16>()).expect("a");
    assert_eq!(a.as_slice(), Some(&[0, 1, 2][..]));
    assert_eq!(stream.get("/l/1/k").and_then(|k| k.value()).expect("k"), Value::Int(1));
}

#[test]
fn what_is_not_written_over() {
    let disk = disk();
    let calls = disk.calls();
    let mut append = open(&disk);
    let mut said =
        |path: &str, value: Value| append.write(path, value).expect_err("refused").to_string();
    assert!(said("/:N", Value::Int(3)).contains("it is a param"));
    assert!(said("/z", Value::Array(vec![])).contains("it is filtered"));
    assert!(said("/x[7]", Value::Int(3)).contains("bad slice"));
    assert!(said("/y", Value::Int(3)).contains("no item"));
    assert!(said("/x[0, :2]", Value::Array(vec![Value::Int(3)])).contains("2 items"));
    let error = append.write("/x[0, :2]", &[1.0]).expect_err("refused").to_string();
    assert!(error.contains("expected shape [2], found [1]"), "{error}");
    let error = append.write("/x[0, :2]", &[1_i64, 2]).expect_err("refused").to_string();
    assert!(error.contains("(f64 in Rust), found i64"), "{error}");
    assert_eq!(disk.calls(), calls);
}
