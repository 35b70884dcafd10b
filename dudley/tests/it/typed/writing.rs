//! Writers: any order, many threads, rows, sinks, parts of files; what is missing or wrong.

use std::io::Write;
use std::sync::{Arc, Mutex};

use dudley::ndarray::{Array1, Array2, array};
use dudley::typed::{Create, Records};
use dudley::{ByteOrder, Error, Open};

dudley::layout!(mod grid = r#"
N : i8  M : i8
magic = u1[4] #: const = [1, 2, 3, 4]
cell {id = >u4  mark = u1 #: const = 0x7f
  v = f4[2] %1}
rho = f8[N, M]
cells = cell[N]
name = U1[8]
"#);

dudley::layout!(mod packed = r#"N : i4  x = f8[N] -> zlib  part {k : u2  y = f4[k]}  parts = part[N]"#);

fn params() -> grid::Params {
    grid::Params { n: 4, m: 3 }
}

fn rho() -> Array2<f64> {
    Array2::from_shape_fn((4, 3), |(i, j)| (i * 3 + j) as f64)
}

fn cells() -> Array1<grid::Cell> {
    (0..4).map(|id| grid::Cell { id, v: [id as f32, 0.5] }).collect()
}

fn check(bytes: Vec<u8>) {
    let reader = grid::Reader::from_source(bytes).expect("a stream");
    assert_eq!(reader.rho().read().expect("there"), rho());
    assert_eq!(reader.cells().read().expect("there"), cells());
    assert_eq!(reader.name().get().expect("there"), "grid");
    let dynamic = reader.stream().get("/cells").expect("there").value().expect("there");
    assert!(format!("{dynamic:?}").contains("(\"mark\", Int(127))"));
}

#[test]
fn items_come_in_any_order_and_in_rows() {
    let writer = Create::new().order(ByteOrder::Big).memory::<grid::Layout>(&params());
    let writer = writer.expect("params");
    let all = rho();
    writer.rho().write_rows(2, &all.slice(dudley::ndarray::s![2.., ..])).expect("rows");
    writer.name().write("grid").expect("fits");
    let error = writer.finish().expect_err("something is missing");
    let text = error.to_string();
    assert!(text.contains("/rho[0:2]") && text.contains("/cells"), "{text}");
    writer.cells().write_rows(0, &cells().slice(dudley::ndarray::s![..3])).expect("records");
    writer.rho().write_rows(0, &all.slice(dudley::ndarray::s![..2, ..])).expect("rows");
    assert!(writer.finish().expect_err("one more").to_string().contains("/cells[3:4]"));
    writer.cells().write_rows(3, &cells().slice(dudley::ndarray::s![3..])).expect("records");
    check(writer.finish_bytes().expect("complete"));
    assert!(matches!(writer.name().write("late"), Err(Error::Finished)));
}

#[test]
fn threads_write_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("grid.bd");
    let writer = grid::Writer::create(&path, &params()).expect("params");
    std::thread::scope(|scope| {
        for row in 0..4 {
            let writer = &writer;
            scope.spawn(move || {
                let row_of = rho().slice(dudley::ndarray::s![row..=row, ..]).to_owned();
                writer.rho().write_rows(row, &row_of).expect("a row");
            });
        }
        scope.spawn(|| writer.cells().write(&cells()).expect("records"));
        scope.spawn(|| writer.name().write("grid").expect("fits"));
    });
    assert!(!path.exists());
    writer.finish().expect("complete");
    check(std::fs::read(&path).expect("there"));
    grid::Reader::open(&path).expect("its own layout");
    assert!(matches!(grid::Writer::create(&path, &params()), Err(Error::Exists { .. })));
}

#[test]
fn wrong_shapes_are_refused_before_a_byte_is_written() {
    let writer = Create::new().memory::<grid::Layout>(&params()).expect("params");
    let error = writer.rho().write(&Array2::zeros((3, 4))).expect_err("another shape");
    assert_eq!(
        error.to_string(),
        "`/rho`: expected shape [4, 3], found [3, 4] (the shape expected is from /N = 4, /M = 3)"
    );
    let error = writer.cells().write(&cells().slice(dudley::ndarray::s![..2])).expect_err("two");
    assert!(error.to_string().contains("/N = 4"), "{error}");
    let error = writer.rho().write_rows(3, &Array2::zeros((2, 3))).expect_err("too far");
    assert!(error.to_string().contains("rows 3 to 5 of 4"), "{error}");
    let error = writer.rho().write_rows(0, &Array2::zeros((1, 2))).expect_err("another row");
    assert!(error.to_string().contains("/M = 3"), "{error}");
    assert!(writer.rho().write_slice(&[0.0; 11]).is_err());
    assert!(writer.name().write("much too long").is_err());
    let missing = writer.finish().expect_err("nothing was written").to_string();
    assert!(missing.contains("/rho") && missing.contains("/cells") && missing.contains("/name"));
}

#[test]
fn params_that_do_not_fit_are_refused() {
    let error = packed::Writer::create("never", &packed::Params { n: 1 << 40 }).expect_err("i4");
    assert!(error.to_string().starts_with("`/N`: expected -2147483648 to 2147483647"), "{error}");
    let huge = grid::Params { n: usize::MAX / 2, m: 64 };
    assert!(grid::Addresses::new(&huge).is_err());
    assert!(Create::new().memory::<grid::Layout>(&huge).is_err());
}

/// Bytes that a test can look at later.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn sinks_take_items_in_order() {
    let sink = Shared::default();
    let writer = Create::new().sink::<grid::Layout>(sink.clone(), &params()).expect("params");
    writer.rho().write(&rho()).expect("first");
    assert!(sink.0.lock().expect("no panic").len() > 64, "what is written goes on at once");
    writer.cells().write(&cells()).expect("second");
    let error = writer.rho().write(&rho()).expect_err("behind");
    assert!(error.to_string().contains("in the order of their addresses"), "{error}");
    writer.name().write("grid").expect("third");
    writer.finish().expect("complete");
    let streamed = sink.0.lock().expect("no panic").clone();
    check(streamed.clone());
    let memory = Create::new().memory::<grid::Layout>(&params()).expect("params");
    memory.rho().write(&rho()).expect("its shape");
    memory.cells().write(&cells()).expect("its shape");
    memory.name().write("grid").expect("fits");
    assert_eq!(memory.finish_bytes().expect("complete"), streamed);
}

#[test]
fn what_params_do_not_place_is_kept_until_the_end() {
    let sink = Shared::default();
    let writer = Create::new().sink::<packed::Layout>(sink.clone(), &packed::Params { n: 2 });
    let writer = writer.expect("params");
    let part = |k: u16| packed::Part { k, y: Array1::from_elem(usize::from(k), 0.5) };
    writer.parts().write(&array![part(1), part(3)]).expect("structs");
    assert!(writer.x().write(&array![1.0]).is_err());
    writer.x().write(&array![1.0, 2.0]).expect("its shape");
    writer.finish().expect("complete");
    let bytes = sink.0.lock().expect("no panic").clone();
    let reader = packed::Reader::from_source(bytes).expect("a stream");
    assert_eq!(reader.x().read().expect("there"), array![1.0, 2.0]);
    let mut seen = Vec::new();
    let each = reader.parts().for_each(|one| {
        seen.push(one);
        Ok(())
    });
    each.expect("there");
    assert_eq!(seen, [part(1), part(3)]);
    assert_eq!(reader.parts().read().expect("there").to_vec(), seen);
}

#[test]
fn streams_stand_side_by_side_in_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("both");
    std::fs::write(&path, [9_u8; 40]).expect("space");
    let file = || std::fs::OpenOptions::new().read(true).write(true).open(&path).expect("there");
    assert!(Create::new().within::<grid::Layout>(file(), 40, &params()).is_err());
    for base in [48, 1024] {
        let create = Create::new().attach(false);
        let writer = create.within::<grid::Layout>(file(), base, &params()).expect("params");
        writer.rho().write(&rho()).expect("its shape");
        writer.cells().write(&cells()).expect("its shape");
        writer.name().write("grid").expect("fits");
        writer.finish().expect("complete");
    }
    assert_eq!(std::fs::read(&path).expect("there")[..40], [9; 40]);
    for base in [48, 1024] {
        let reader = grid::Reader::from_open(Open::new().base(base), |open| open.file(&path));
        assert_eq!(reader.expect("a stream").rho().read().expect("there"), rho());
    }
}

#[test]
fn raw_streams_have_no_signature() {
    let create = Create::new().raw().order(ByteOrder::Big);
    let writer = create.memory::<grid::Layout>(&params()).expect("params");
    writer.rho().write(&rho()).expect("its shape");
    let cells: Records<grid::Cell, _, _> = writer.cells();
    cells.write(&self::cells()).expect("its shape");
    writer.name().write("grid").expect("fits");
    let bytes = writer.finish_bytes().expect("complete");
    assert_eq!(bytes[..8], 4_i64.to_be_bytes());
    let places = grid::Addresses::raw(&params()).expect("params");
    assert_eq!(places.data_end().expect("known"), bytes.len() as u64);
    let open = Open::new().raw().order(ByteOrder::Big);
    let reader = grid::Reader::from_open(open, |open| open.bytes(bytes)).expect("a stream");
    assert_eq!(reader.rho().address().expect("known"), places.rho().address().expect("known"));
    assert_eq!(reader.rho().read().expect("there"), rho());
}

dudley::layout!(mod mixed = r#"N : i8  big = f8[N]  rec {a = u2}  recs = rec[N]
last {n : u4  v = f4[n]}  one = last  after = i4"#);

#[test]
fn what_params_place_goes_to_the_file_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mixed.bd");
    let writer = mixed::Writer::create(&path, &mixed::Params { n: 1000 }).expect("params");
    let big: Array1<f64> = (0..1000).map(f64::from).collect();
    writer.big().write_rows(500, &big.slice(dudley::ndarray::s![500..])).expect("rows");
    writer.big().write_rows(0, &big.slice(dudley::ndarray::s![..500])).expect("rows");
    let recs: Array1<mixed::Rec> = (0..1000).map(|a| mixed::Rec { a }).collect();
    writer.recs().write(&recs).expect("records");
    let hidden = std::fs::read_dir(folder.path()).expect("a folder").next().expect("a file");
    let there = std::fs::read(hidden.expect("a file").path()).expect("there");
    assert_eq!(there[24 + 8 * 999..][..8], 999_f64.to_le_bytes());
    assert_eq!(there[24 + 8000 + 2 * 999..][..2], 999_u16.to_le_bytes());
    writer.after().write(7).expect("kept");
    assert!(writer.finish().expect_err("one is missing").to_string().contains("/one"));
    writer.one().write(&mixed::Last { n: 2, v: array![0.5, 1.5] }).expect("kept");
    writer.finish().expect("complete");
    let reader = mixed::Reader::open(&path).expect("a stream");
    assert_eq!(reader.big().read().expect("there"), big);
    assert_eq!(reader.recs().read().expect("there"), recs);
    assert_eq!(reader.after().read().expect("there"), 7);
}

dudley::layout!(mod logged = "N : i4  log [/ x = f8  n : u2  v = f4[n]]*N  after = u1");

/// The first item of such a list has a place that is known, but nothing knows how long the list is.
#[test]
fn lists_that_vary_are_kept_from_their_first_item_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log.bd");
    let writer = logged::Writer::create(&path, &logged::Params { n: 3 }).expect("params");
    for (at, item) in writer.log().iter().expect("three").enumerate() {
        let item = item.expect("there");
        item.x().write(at as f64).expect("there");
        item.n().write(at as i64).expect("there");
        item.v().write(&Array1::from_elem(at, 0.5)).expect("there");
    }
    writer.after().write(9).expect("there");
    writer.finish().expect("complete");
    let reader = logged::Reader::open(&path).expect("a stream");
    let last = reader.log().get(2).expect("there");
    assert_eq!((last.x().read().expect("there"), last.n().read().expect("there")), (2.0, 2));
    assert_eq!(last.v().read().expect("there").len(), 2);
    assert_eq!(reader.after().read().expect("there"), 9);
}

/// What the ranks of a parallel program do: one makes the file, each writes its part by itself.
#[test]
fn items_are_written_to_a_shared_file_by_their_addresses() {
    use std::io::{Seek, SeekFrom};
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("grid.bd");
    let writer = Create::new().shared::<grid::Layout>(&path, &params());
    let writer = writer.expect("all places are known");
    let rank = |address: u64, bytes: &[u8]| {
        let mut file = std::fs::OpenOptions::new().write(true).open(&path).expect("there");
        file.seek(SeekFrom::Start(address)).expect("a position");
        file.write_all(bytes).expect("space");
    };
    let places = grid::Addresses::new(&params()).expect("params");
    let row = 3 * 8;
    for (at, values) in rho().rows().into_iter().enumerate() {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        rank(places.rho().address().expect("known") + at as u64 * row, &bytes);
    }
    rank(places.name().address().expect("known"), b"grid");
    assert!(matches!(
        grid::Reader::open(&path).expect_err("not finished").cause(),
        Error::Unfinished
    ));
    for path in ["/rho", "/name", "/cells"] {
        writer.untyped().mark_written(path).expect("of it");
    }
    writer.finish().expect("complete");
    let reader = grid::Reader::open(&path).expect("a stream");
    assert_eq!(reader.rho().read().expect("there"), rho());
    assert_eq!(reader.name().get().expect("there"), "grid");
    assert_eq!(reader.params().expect("there"), params());
    let error = Create::new().shared::<mixed::Layout>(&path, &mixed::Params { n: 1 });
    assert!(error.expect_err("variable").to_string().contains("decide all places"));
}

dudley::layout!(mod turned = r#"< %1
f = u1[2, 3]  #: order = "F"
back = u1[3]  #: view_shape = [3], view_strides = [-1], view_offset = 2
across = u1[6]  #: view_shape = [3, 2], view_strides = [1, 3]
pairs = {a = u1  b = u1}[2]  #: view_shape = [2], view_strides = [-2], view_offset = 2
"#);

dudley::layout!(mod parted = "part = u1[4]  #: view_shape = [2], view_offset = 1\n");

#[test]
fn arrays_are_written_as_they_are_presented() {
    let writer = Create::new().memory::<turned::Layout>(&turned::Params::default());
    let writer = writer.expect("params");
    let pair = |a, b| turned::Pairs { a, b };
    writer.f().write_rows(1, &array![[4, 5, 6]]).expect("rows");
    writer.f().write_rows(0, &array![[1, 2, 3]]).expect("rows");
    writer.back().write(&[7, 8, 9]).expect("a view");
    writer.across().write(&array![[1, 4], [2, 5], [3, 6]]).expect("a view");
    writer.pairs().write(&[pair(1, 2), pair(3, 4)]).expect("records");
    let bytes = writer.finish_bytes().expect("complete");
    let stored = [1, 4, 2, 5, 3, 6, 9, 8, 7, 1, 2, 3, 4, 5, 6, 3, 4, 1, 2];
    assert_eq!(bytes[16..16 + stored.len()], stored);
    let reader = turned::Reader::from_source(bytes).expect("a stream");
    assert_eq!(reader.across().read().expect("there"), array![[1, 4], [2, 5], [3, 6]]);
    assert_eq!(reader.pairs().read().expect("there"), array![pair(1, 2), pair(3, 4)]);
}

#[test]
fn views_that_do_not_show_all_are_not_written() {
    let writer = Create::new().memory::<parted::Layout>(&parted::Params::default());
    let writer = writer.expect("params");
    let error = writer.part().write(&[2, 3]).expect_err("a part").to_string();
    let expected = "`/part`: expected a view that shows each stored element once";
    assert!(error.contains(expected), "{error}");
    assert!(writer.finish_bytes().is_err());
}

dudley::layout!(mod particles = r#"N : i4
"" = {kind : i2  t = f8  v = u1[2]}[N]
one/ "" = {flag : u1  w = f4}
"#);

#[test]
fn stored_params_of_spliced_records_are_arrays() {
    let writer = Create::new().memory::<particles::Layout>(&particles::Params { n: 3 });
    let writer = writer.expect("params");
    writer.kind().write(&[1_i16, -2, 3]).expect("a number for each record");
    writer.t().write(&[0.5, 1.5, 2.5]).expect("a number for each record");
    writer.v().write(&array![[1_u8, 2], [3, 4], [5, 6]]).expect("two for each record");
    writer.one().flag().write(7_u8).expect("a number");
    writer.one().w().write(0.25_f32).expect("a number");
    let bytes = writer.finish_bytes().expect("complete");
    let reader = particles::Reader::from_source(bytes).expect("a stream");
    assert_eq!(reader.kind().read().expect("there").to_vec(), [1, -2, 3]);
    assert_eq!(reader.t().read().expect("there").to_vec(), [0.5, 1.5, 2.5]);
    assert_eq!(reader.one().flag().read().expect("there"), 7);
    let kind: dudley::ndarray::ArrayD<i16> =
        reader.stream().get("/kind").expect("there").read().expect("there");
    assert_eq!(kind, array![1, -2, 3].into_dyn());
}
