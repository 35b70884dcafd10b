//! Parts of items: written slice by slice, from many threads, wherever they go; read back.

use std::sync::atomic::{AtomicU64, Ordering};

use dudley::ndarray::{Array1, Array3, ArrayD, Ix1, Ix2, arr1, s};
use dudley::typed::{Create, Writer};
use dudley::{ByteOrder, Error, Stream};

dudley::layout!(mod cube = r#"
N : i8
cell {id = >u4  mark = u1 #: const = 0x7f
  v = f4[2] %1}
rho = f8[N, 20, 6]
cells = cell[N]
packed = i4[N, 3] -> zlib
"" = {t = f8  v = i2[3]}[N]
"#);

fn params() -> cube::Params {
    cube::Params { n: 10 }
}

fn rho() -> Array3<f64> {
    Array3::from_shape_fn((10, 20, 6), |(i, j, k)| (i * 120 + j * 6 + k) as f64)
}

fn cells() -> Array1<cube::Cell> {
    (0..10).map(|id| cube::Cell { id, v: [id as f32, 0.5] }).collect()
}

/// All items in slices that do not go in order; nothing but them is in the way of completion.
fn write(writer: &Writer<cube::Layout>) -> dudley::Result<()> {
    let (rho, cells) = (rho(), cells());
    let missing = |wanted: &str| {
        let error = writer.finish().expect_err("something is missing").to_string();
        assert!(error.contains(wanted), "{error} has no {wanted}");
    };
    writer.rho().write_part(s![.., 5..15, ..], &rho.slice(s![.., 5..15, ..]))?;
    missing("`/rho[0, 0:5], parts of /rho[0:2], ");
    writer.rho().write_part(s![..;-1, 15.., ..], &rho.slice(s![..;-1, 15.., ..]))?;
    missing("/rho[0, 0:5], /rho[1, 0:5], ");
    writer.rho().write_part(s![.., ..5;2, ..], &rho.slice(s![.., ..5;2, ..]))?;
    writer.rho().write_part(s![.., 1..5;2, ..;-2], &rho.slice(s![.., 1..5;2, ..;-2]))?;
    for k in [0, 2, 4] {
        missing("/rho[0, 1, ");
        writer.rho().write_part(s![.., 1..5;2, k], &rho.slice(s![.., 1..5;2, k]))?;
    }
    writer.cells().write_part(s![..;3], &cells.slice(s![..;3]))?;
    missing("`/cells[1:3], /cells[4:6], /cells[7:9]`");
    for first in [1, 2] {
        writer.cells().write_part(s![first..;3], &cells.slice(s![first..;3]))?;
    }
    writer.packed().write_part(s![.., 1..], &packed().slice(s![.., 1..]))?;
    missing("`/packed[0, 0:1], ");
    writer.packed().write_part(s![.., 0], &packed().slice(s![.., 0]))?;
    writer.t().write_part(s![..;-2], &times().slice(s![..;-2]))?;
    missing("`/t[0:1], /t[2:3], ");
    writer.t().write_part(s![..;2], &times().slice(s![..;2]))?;
    writer.v().write(&dudley::ndarray::Array2::ones((10, 3)))
}

fn packed() -> dudley::ndarray::Array2<i32> {
    dudley::ndarray::Array2::from_shape_fn((10, 3), |(i, j)| (i * 3 + j) as i32)
}

fn times() -> Array1<f64> {
    Array1::linspace(0.0, 9.0, 10)
}

fn check(reader: &cube::Reader) {
    assert_eq!(reader.rho().read().expect("there"), rho());
    assert_eq!(reader.cells().read().expect("there"), cells());
    assert_eq!(reader.packed().read().expect("there"), packed());
    assert_eq!(reader.t().read().expect("there"), times());
    assert_eq!(reader.v().read().expect("there").sum(), 30);
    let some = reader.cells().slice(s![..;-3]).expect("there");
    assert_eq!(some, cells().slice(s![..;-3]));
    let one = reader.cells().slice(s![dudley::ndarray::NewAxis, 4]).expect("there");
    assert_eq!(one.to_vec(), [cells()[4]]);
    let ids = reader.cells().field_slice::<u32, Ix1, _>("id", s![2..9;3]).expect("there");
    assert_eq!(ids.to_vec(), [2, 5, 8]);
    let v = reader.cells().field_slice::<f32, Ix2, _>("v", s![7..]).expect("there");
    assert_eq!(v.column(0).to_vec(), [7.0, 8.0, 9.0]);
    assert!(reader.cells().slice(s![3..11]).is_err());
    let dynamic = reader.stream().get("/cells").expect("there").value().expect("constants");
    assert!(format!("{dynamic:?}").contains("(\"mark\", Int(127))"));
}

#[test]
fn slices_add_up_to_all_wherever_they_go() {
    let create = Create::new().order(ByteOrder::Big);
    let memory = create.memory::<cube::Layout>(&params()).expect("params");
    write(&memory).expect("slices");
    check(&cube::Reader::from_source(memory.finish_bytes().expect("complete")).expect("a stream"));

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("cube.bd");
    let file = create.file::<cube::Layout>(&path, &params()).expect("params");
    write(&file).expect("slices");
    file.finish().expect("complete");
    check(&cube::Reader::open(&path).expect("a stream"));

    // What lies between items is another's.
    let shared = folder.path().join("shared.bd");
    std::fs::write(&shared, [0xee; 40_000]).expect("space");
    let open = std::fs::OpenOptions::new().read(true).write(true).open(&shared).expect("there");
    let within = create.within::<cube::Layout>(open, 1600, &params()).expect("params");
    write(&within).expect("slices");
    within.finish().expect("complete");
    let bytes = std::fs::read(&shared).expect("there");
    assert_eq!(bytes[..1600], [0xee; 1600]);
    check(&cube::Reader::from_source(bytes[1600..].to_vec()).expect("a stream"));

    let sink = create.sink::<cube::Layout>(std::io::sink(), &params()).expect("params");
    write(&sink).expect("slices are kept");
    sink.finish().expect("complete");
}

#[test]
fn threads_write_columns_of_one_array() {
    dudley::layout!(mod wide = "x = <f8[3000, 16]");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("wide.bd");
    let writer = Create::new().file::<wide::Layout>(&path, &wide::Params::default());
    let writer = writer.expect("params");
    let next = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let column = next.fetch_add(1, Ordering::Relaxed) as usize;
                    if column >= 16 {
                        return;
                    }
                    let values = Array1::from_shape_fn(3000, |row| (row * 16 + column) as f64);
                    writer.x().write_part(s![.., column], &values).expect("a column");
                }
            });
        }
    });
    writer.finish().expect("complete");
    let stream = Stream::open(&path).expect("a stream");
    let x: ArrayD<f64> = stream.get("/x").expect("there").read().expect("there");
    assert!(x.iter().enumerate().all(|(at, value)| *value == at as f64));
}

#[test]
fn wrong_slices_are_refused_before_a_byte_is_written() {
    let writer = Create::new().memory::<cube::Layout>(&params()).expect("params");
    let part = |values: &[usize]| Array3::<f64>::zeros((values[0], values[1], values[2]));
    let error =
        writer.rho().write_part(s![9..12, .., ..], &part(&[3, 20, 6])).expect_err("outside");
    assert!(matches!(error, Error::BadSlice { .. }), "{error}");
    let error =
        writer.rho().write_part(s![2.., .., ..;2], &part(&[8, 20, 6])).expect_err("a shape");
    assert!(error.to_string().contains("[8, 20, 3], found [8, 20, 6]"), "{error}");
    assert!(error.to_string().contains("/N = 10"), "{error}");
    let error = writer.rho().write_part(s![.., 3, 30], &Array1::zeros(10)).expect_err("outside");
    assert!(error.to_string().contains("30 is outside of a dimension of 6"), "{error}");
    // A part with a new axis, and one without any element.
    let line = arr1(&[1.0, 2.0]).insert_axis(dudley::ndarray::Axis(0));
    let one = s![dudley::ndarray::NewAxis, 0, 0, ..2];
    writer.rho().write_part(one, &line).expect("two elements");
    writer.rho().write_part(s![3..3, .., ..], &part(&[0, 20, 6])).expect("nothing");
    let error = writer.finish().expect_err("nearly all is missing").to_string();
    assert!(error.contains("parts of /rho[0:10]"), "{error}");
}

#[test]
fn a_wrong_constant_of_a_slice_is_found_where_it_stands() {
    let writer = Create::new().memory::<cube::Layout>(&params()).expect("params");
    write(&writer).expect("slices");
    let mut bytes = writer.finish_bytes().expect("complete");
    let address = {
        let reader = cube::Reader::from_source(bytes.clone()).expect("a stream");
        let marks = reader.stream().get("/cells").and_then(|it| it.data()?.field("mark"));
        let sixth =
            marks.and_then(|it| it.slice(&[dudley::read::slice::Index::At(6)])).expect("there");
        sixth.address()
    };
    bytes[address as usize] = 1;
    let reader = cube::Reader::from_source(bytes).expect("a stream");
    reader.cells().slice(s![7..]).expect("not this one");
    for error in [reader.cells().slice(s![..;-3]).err(), reader.cells().slice(s![2..;2]).err()] {
        let error = error.expect("a wrong constant");
        assert!(matches!(error, Error::Const { address: at, .. } if at == address), "{error}");
    }
}
