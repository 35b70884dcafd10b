//! Slices: what they pick, and that only the bytes needed are read, in few requests.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use dudley::bytes::{Counted, FileSource};
use dudley::elements::Conversion;
use dudley::ndarray::{Array1, Array3, ArrayD, Axis, Ix2, Slice, s};
use dudley::read::slice::{Index, parse_slice};
use dudley::{ByteOrder, Error, Open, Stream, Work};
use proptest::prelude::*;

type Source = Arc<Counted<Vec<u8>>>;

/// A raw stream that counts what is read of it; opening it is not counted.
fn counted(layout: &str, bytes: Vec<u8>) -> (Stream, Source) {
    let source = Arc::new(Counted::new(bytes));
    let open = Open::new().layout_text(layout).expect("a layout").raw();
    (open.source(source.clone()).expect("a stream"), source)
}

fn doubles(count: usize) -> Vec<u8> {
    (0..count).flat_map(|at| (at as f64).to_le_bytes()).collect()
}

/// Requests and bytes that reading a path takes; finding it is not counted.
fn cost(stream: &Stream, source: &Source, path: &str) -> (u64, u64) {
    let picked = stream.select(path).expect("a path");
    let before = (source.requests(), source.bytes_read());
    picked.read::<f64>().expect("there");
    (source.requests() - before.0, source.bytes_read() - before.1)
}

#[test]
fn a_slice_along_the_middle_reads_its_rows_alone() {
    let (stream, source) = counted("x = f8[20, 300, 100]", doubles(600_000));
    // 20 planes, of each 30 rows of 800 bytes that lie side by side.
    assert_eq!(cost(&stream, &source, "/x[:, 100:130, :]"), (20, 20 * 30 * 800));
    assert_eq!(cost(&stream, &source, "/x[5]"), (1, 240_000));
    assert_eq!(cost(&stream, &source, "/x[5, 7, 9]"), (1, 8));
    assert_eq!(cost(&stream, &source, "/x[::-1, 7, :10]"), (20, 20 * 80));
    // Rows in order from the last one on are still one request: they are side by side.
    assert_eq!(cost(&stream, &source, "/x[3, 10:60][::-1]"), (1, 40_000));
    // Elements 800 bytes apart come with what lies between them, those of two planes do not.
    assert_eq!(cost(&stream, &source, "/x[:2, 100:110, 5]"), (2, 2 * (9 * 800 + 8)));
    let x = stream.select("/x[:, 100:130, :]").expect("there").read::<f64>().expect("there");
    let all = Array3::from_shape_fn((20, 300, 100), |(i, j, k)| (i * 30_000 + j * 100 + k) as f64);
    assert_eq!(x, all.slice(s![.., 100..130, ..]).into_dyn());
}

#[test]
fn fields_and_lists_read_what_is_near_at_once() {
    // A field of 1000 records of 64 bytes: less than a page between them.
    let (stream, source) = counted("r = {t = f8  v = f8[7]}[1000]", doubles(8000));
    assert_eq!(cost(&stream, &source, "/r.t"), (1, 999 * 64 + 8));
    assert_eq!(cost(&stream, &source, "/r[::100].v[:, 2:4]"), (10, 10 * 16));
    let (stream, source) = counted("\"\" = {t = f8  v = f8[7]}[1000]", doubles(8000));
    assert_eq!(cost(&stream, &source, "/v[10:20, 0]"), (1, 9 * 64 + 8));

    // A list whose items do not vary is one array with strides.
    let (stream, source) = counted("l [/ t = f8  rho = f8[3, 1000]]*200", doubles(600_200));
    assert_eq!(cost(&stream, &source, "/l[:]/t"), (200, 200 * 8));
    assert_eq!(cost(&stream, &source, "/l[:]/rho[0, :]"), (200, 200 * 8000));
    assert_eq!(cost(&stream, &source, "/l[7]/rho[:, 5:10]"), (3, 3 * 40));

    // Of one whose items vary, those near each other come together.
    let mut bytes = Vec::new();
    for at in 0..300_u64 {
        bytes.extend((at % 3).to_le_bytes());
        bytes.resize(bytes.len() + 8 * (at % 3) as usize, 0xff);
        bytes.extend(doubles(2));
    }
    let (stream, source) = counted("l [/ n : u8  s = f8[n]  x = f8[2]]*300", bytes);
    let (requests, bytes) = cost(&stream, &source, "/l[:]/x");
    assert_eq!((requests, bytes), (1, 300 * 32 - 8));
    let x = stream.select("/l[:]/x").expect("there").read::<f64>().expect("there");
    let x = x.into_dimensionality::<Ix2>().expect("two dimensions");
    assert_eq!((x.dim(), x.column(0).sum(), x.column(1).sum()), ((300, 2), 0.0, 300.0));
}

#[test]
fn values_of_any_type_are_read_in_few_requests() {
    let layout = "r = {t = f8  v = {a = u1  b = i2[3]}[2]  s = S1[5]}[2000]  x = f8[50, 40, 30]";
    let size = 2000 * 48 + 50 * 40 * 30 * 8;
    let bytes: Vec<u8> = (0..size).map(|at| (at * 7 % 251) as u8).collect();
    let memory = Open::new().layout_text(layout).expect("a layout").raw();
    let memory = memory.bytes(bytes.clone()).expect("a stream");
    let (stream, source) = counted(layout, bytes);
    for (path, most) in [
        ("/r", 1),
        ("/r.t", 1),
        ("/r[::-7].v[:, 1]", 1),
        ("/r[:].s[::2]", 1),
        ("/r[::100].v.b", 20),
        ("/x[::-1, :, 3]", 50),
        ("/x[:, 7]", 50),
        ("/x[3, 5:9, ::2]", 1),
    ] {
        let value = |stream: &Stream| stream.select(path).and_then(|it| it.value()).expect(path);
        let before = source.requests();
        let found = value(&stream);
        assert!(source.requests() - before <= most, "{path}: {}", source.requests() - before);
        assert_eq!(format!("{found:?}"), format!("{:?}", value(&memory)), "{path}");
    }
}

#[test]
fn nested_lists_fields_and_splices_are_picked_alike() {
    let layout = r#"
outer [/ inner [/ p = {a = u1  b = u1[2]}[3]]*4]*5
"" = {s = u1  v = u1[2]}[6]
big = >u2[4]
"#;
    let bytes: Vec<u8> = (0..5 * 4 * 9 + 18 + 8).map(|at| at as u8).collect();
    let memory = Open::new().layout_text(layout).expect("a layout").raw();
    let memory = memory.bytes(bytes.clone()).expect("a stream");
    let (counted, _) = counted(layout, bytes);
    for stream in [&memory, &counted] {
        let read = |path: &str| {
            let array = stream.select(path).and_then(|it| it.read::<u8>()).expect(path);
            (array.shape().to_vec(), array.into_raw_vec_and_offset().0)
        };
        assert_eq!(read("/outer[1]/inner[2]/p[0].a"), (vec![], vec![54]));
        assert_eq!(read("/outer[:2]/inner[-1]/p[1].b"), (vec![2, 2], vec![31, 32, 67, 68]));
        assert_eq!(read("/outer[0]/inner[::2]/p.a[::-2]"), (vec![2, 2], vec![6, 0, 24, 18]));
        assert_eq!(read("/outer[::4]/inner[1]/p[2].b[0]"), (vec![2], vec![16, 160]));
        assert_eq!(read("/v[1:3, -1]"), (vec![2], vec![185, 188]));
        assert_eq!(read("/s[...]").1, [180, 183, 186, 189, 192, 195]);
        assert_eq!(read("/outer[3:3]/inner[0]/p.a").0, [0, 3]);
        let mut buffer = [0_u8; 4];
        let picked = stream.select("/outer[:2]/inner[-1]/p[1].b").expect("there");
        picked.read_into(&mut buffer).expect("four");
        assert_eq!(buffer, [31, 32, 67, 68]);
        assert!(matches!(picked.read_into(&mut [0_u8; 3]), Err(Error::WrongLength { .. })));
        assert!(matches!(picked.read::<i8>(), Err(Error::WrongType { .. })));
        assert_eq!(picked.read_as::<f32>(Conversion::Lossless).expect("fits").sum(), 198.0);
        let big = stream.select("/big[1::2]").expect("there").read::<u16>().expect("there");
        assert_eq!(big.into_raw_vec_and_offset().0, [0xc8c9, 0xcccd]);
        let error = stream.select("/outer[:]/inner[:]/p").expect("there").read::<u8>();
        assert!(matches!(error, Err(Error::NotPrimitive { .. })));
    }
}

#[test]
fn filtered_items_and_structs_of_variable_size_are_picked_alike() {
    let layout =
        "N : u1  z [/ x = i4[N] -> zlib]*3  r {k : u1  y = >i2[k]  w = i2[2] %1}  q = r[N]";
    let layout = dudley::parse_layout(layout.as_bytes()).expect("a layout");
    let mut writer = dudley::Writer::new(layout).param("/N", 3);
    let z = [[0, 5, 6], [1, 5, 6], [2, 5, 6]];
    for (z, path) in z.iter().zip(["/z/0/x", "/z/1/x", "/z/2/x"]) {
        writer = writer.put(path, z);
    }
    let item = |k: i128| {
        let int = |at: i128| dudley::Value::Int(at);
        let fields = [
            ("y", dudley::Value::Array((0..k).map(int).collect())),
            ("w", dudley::Value::Array(vec![int(k), int(-k)])),
        ];
        dudley::Value::Struct(fields.map(|(name, value)| (name.to_owned(), value)).to_vec())
    };
    let writer = writer.put("/q", dudley::Value::Array((1..4).map(item).collect())).attach(true);
    let stream = Open::new().bytes(writer.to_bytes().expect("complete")).expect("a stream");
    let z = stream.select("/z[::-1]/x[:2]").expect("there").read::<i32>().expect("there");
    assert_eq!(z.into_raw_vec_and_offset().0, [2, 5, 1, 5, 0, 5]);
    let w = stream.select("/q[1:].w").expect("there").read::<i16>().expect("there");
    assert_eq!((w.shape(), w.as_slice()), (&[2, 2][..], Some(&[2, -2, 3, -3][..])));
    let y = stream.select("/q[2].y[::2]").expect("there").read::<i16>().expect("there");
    assert_eq!(y.as_slice(), Some(&[0, 2][..]));
}

#[test]
fn what_is_in_memory_is_looked_at_where_it_is() {
    let open = Open::new().layout_text("x = f8[10, 100]").expect("a layout").raw();
    let stream = open.bytes(doubles(1000)).expect("a stream");
    let data = stream.get("/x").and_then(|it| it.data()).expect("there");
    let rows = data.slice(&parse_slice("3:5").expect("a slice")).expect("rows");
    let start = stream.source().bytes().expect("memory").as_ptr() as usize;
    if start.is_multiple_of(8) {
        let view = rows.view::<f64>().expect("side by side");
        assert_eq!(view.as_ptr() as usize, start + 2400);
        assert_eq!(view.shape(), [2, 100]);
    }
}

/// Indices for a dimension, in range.
fn index(length: i64) -> impl Strategy<Value = Index> {
    let at = -length..length;
    let bound = prop::option::of(-length - 2..length + 2);
    let step = prop_oneof![Just(1_i64), Just(-1), Just(2), -4_i64..-1, 3_i64..5];
    prop_oneof![
        at.prop_map(Index::At),
        (bound.clone(), bound, step).prop_map(|(start, stop, step)| Index::Range {
            start,
            stop,
            step
        }),
    ]
}

/// What `ndarray` picks, dimension by dimension; ranges are those of Python.
fn model(all: &ArrayD<f64>, indices: &[Index]) -> ArrayD<f64> {
    let mut picked = all.clone();
    let mut axis = 0;
    for index in indices {
        let length = picked.len_of(Axis(axis)) as i64;
        match *index {
            Index::At(at) => {
                let at = if at < 0 { at + length } else { at };
                picked = picked.index_axis_move(Axis(axis), at as usize);
            }
            Index::Range { start, stop, step } => {
                let (low, high) = if step > 0 { (0, length) } else { (-1, length - 1) };
                let clip = |at: i64| (if at < 0 { at + length } else { at }).clamp(low, high);
                let (first, last) = if step > 0 { (low, high) } else { (high, low) };
                let (mut at, stop) = (start.map_or(first, clip), stop.map_or(last, clip));
                let mut chosen = Vec::new();
                while (step > 0 && at < stop) || (step < 0 && at > stop) {
                    chosen.push(at as usize);
                    at += step;
                }
                picked = picked.select(Axis(axis), &chosen);
                axis += 1;
            }
            Index::Ellipsis => unreachable!("none is made"),
        }
    }
    picked
}

proptest! {
    #[test]
    fn slices_are_those_of_numpy(
        indices in (index(7), index(5), index(11)).prop_map(|(a, b, c)| vec![a, b, c]),
        left in 0_usize..4,
    ) {
        let indices = &indices[..left];
        let all = Array3::from_shape_fn((7, 5, 11), |(i, j, k)| (i * 55 + j * 11 + k) as f64);
        let expected = model(&all.into_dyn(), indices);
        let memory = Open::new().layout_text("x = f8[7, 5, 11]").expect("a layout").raw();
        let memory = memory.bytes(doubles(385)).expect("a stream");
        let (counted, _) = counted("x = f8[7, 5, 11]", doubles(385));
        for stream in [memory, counted] {
            let data = stream.get("/x").and_then(|it| it.data()).expect("there");
            let part = data.slice(indices).expect("in range");
            prop_assert_eq!(&part.read::<f64>().expect("there"), &expected);
            let mut buffer = vec![0.0; expected.len()];
            part.read_into(&mut buffer).expect("as many");
            prop_assert!(buffer.iter().eq(expected.iter()));
        }
    }
}

proptest! {
    /// Lists of lists of arrays take the indices that an array of as many dimensions takes.
    #[test]
    fn slices_of_lists_are_those_of_an_array(
        indices in (index(7), index(5), index(11)).prop_map(|(a, b, c)| vec![a, b, c]),
        left in 0_usize..4,
        gap in prop::option::of(0_usize..4),
    ) {
        // A list in a list has an index too.
        prop_assume!(gap.is_some() || left > 1);
        let whole = Index::Range { start: None, stop: None, step: 1 };
        let before = gap.unwrap_or(left).min(left);
        let after = 3 - (left - before);
        let mut full = indices.clone();
        full[before..after].fill(whole);
        let dots = gap.map(|_| Index::Ellipsis);
        let given = full[..before].iter().copied().chain(dots).chain(full[after..].iter().copied());
        let indices: Vec<Index> = given.collect();
        let all = Array3::from_shape_fn((7, 5, 11), |(i, j, k)| (i * 55 + j * 11 + k) as f64);
        let expected = model(&all.into_dyn(), &full);
        let (array, _) = counted("x = f8[7, 5, 11]", doubles(385));
        let data = array.get("/x").and_then(|it| it.data()).expect("there");
        let text = indices.iter().map(shown).collect::<Vec<_>>().join(", ");
        let part = data.slice(&indices).expect("in range");
        prop_assert_eq!(part.shape(), shape(expected.shape()));
        let path = format!("/x[{text}]");
        for layout in ["x = [[f8[11]]*5]*7", "x = [f8[5, 11]]*7"] {
            let (lists, _) = counted(layout, doubles(385));
            let picked = lists.select(&path).and_then(|it| it.read::<f64>()).expect(&path);
            prop_assert_eq!(&picked, &expected, "{} of {}", path, layout);
        }
    }
}

/// An index as it is written.
fn shown(index: &Index) -> String {
    let bound = |at: Option<i64>| at.map(|at| at.to_string()).unwrap_or_default();
    match *index {
        Index::At(at) => at.to_string(),
        Index::Ellipsis => "...".to_owned(),
        Index::Range { start, stop, step } => format!("{}:{}:{step}", bound(start), bound(stop)),
    }
}

fn shape(dims: &[usize]) -> Vec<u64> {
    dims.iter().map(|dim| *dim as u64).collect()
}

#[test]
fn an_empty_slice_of_a_list_has_its_type_and_shape() {
    let text = "NT : i8  M : i4  hist = [/ t = f8  x = >i4[M, 2]  s = {a = f4  b = u2[3]}  k = [u1[M]]*2  /]*NT";
    for steps in [0_i64, 3] {
        let layout = dudley::parse_layout(text.as_bytes()).expect("a layout");
        let bytes = [steps.to_le_bytes().to_vec(), 5_i32.to_le_bytes().to_vec(), vec![0; 3000]];
        let stream = Open::new().layout(layout).raw().bytes(bytes.concat()).expect("a stream");
        let picked = |path: &str| {
            let picked = stream.select(path)?;
            Ok::<_, Error>((picked.dtype_name().unwrap_or_default(), picked.shape()))
        };
        let is = |path: &str, dtype: &str, shape: &[u64]| {
            assert_eq!(picked(path).expect(path), (dtype.to_owned(), shape.to_vec()), "{path}");
        };
        is("/hist[3:]/t", "<f8", &[0]);
        is("/hist[3:]/x", ">i4", &[0, 5, 2]);
        is("/hist[3:]/x[0, ::-1]", ">i4", &[0, 2]);
        is("/hist[3:]/s.b[:2]", "<u2", &[0, 2]);
        is("/hist[3:]/k[:]", "|u1", &[0, 2, 5]);
        is("/hist[3:]/k[1, :3]", "|u1", &[0, 3]);
        assert_eq!(
            stream.select("/hist[3:]/x").and_then(|x| x.read::<i32>()).expect("none").len(),
            0
        );
        for wrong in
            ["/hist[3:]/z", "/hist[3:]/x[9]", "/hist[3:]/s.z", "/hist[3:]/k[2, 0]", "/hist[3:]"]
        {
            assert!(picked(wrong).is_err(), "{wrong}");
        }
    }
}

#[test]
fn nothing_in_structs_of_variable_size_has_its_type() {
    let text = "p = {M : u1  q = {a = >f4  b = i2}[M]  r = >i2[M, 2]  y = S1[M, 4]}[3]";
    let layout = dudley::parse_layout(text.as_bytes()).expect("a layout");
    let stream = Open::new().layout(layout).raw().bytes(vec![0; 64]).expect("a stream");
    for (path, dtype, shape) in [
        ("/p[0].q", "struct{a=>f4@0,b=<i2@4}", &[0][..]),
        ("/p[:].q", "struct{a=>f4@0,b=<i2@4}", &[3, 0]),
        ("/p[1:].q.a", ">f4", &[2, 0]),
        ("/p[:].r", ">i2", &[3, 0, 2]),
        ("/p[:].y", "|S1", &[3, 0, 4]),
    ] {
        let picked = stream.select(path).expect(path);
        let found = (picked.dtype_name().unwrap_or_default(), picked.shape());
        assert_eq!(found, (dtype.to_owned(), shape.to_vec()), "{path}");
        assert!(picked.parts[0].raw().expect(path).is_some_and(|bytes| bytes.is_empty()), "{path}");
    }
}

/// Elements of an array of 10 MiB: more than is read at once.
const LARGE: usize = 512 * 2560;

/// Streams of such an array in a file, counted, and in memory.
fn large(layout: &str, folder: &std::path::Path) -> Vec<Stream> {
    let bytes = doubles(LARGE);
    let path = folder.join("large");
    std::fs::write(&path, &bytes).expect("space");
    let open = || Open::new().layout_text(layout).expect("a layout").raw();
    vec![
        open().source(FileSource::open(&path).expect("there")).expect("a stream"),
        open().source(Counted::new(bytes.clone())).expect("a stream"),
        open().bytes(bytes).expect("a stream"),
    ]
}

#[test]
fn any_number_of_threads_reads_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let streams = large("x = f8[512, 2560]", folder.path());
    let whole = Array1::from_iter((0..LARGE).map(|at| at as f64));
    let whole = whole.to_shape((512, 2560)).expect("as many").to_owned().into_dyn();
    for stream in streams {
        for threads in [0, 1, 3] {
            let bytes = Arc::new(AtomicU64::new(0));
            let seen = bytes.clone();
            let work = Work::new().threads(threads).watch(Arc::new(move |more| {
                seen.fetch_add(more, Ordering::Relaxed);
                std::ops::ControlFlow::Continue(())
            }));
            let x = stream.working(work).get("/x").and_then(|it| it.data()).expect("there");
            assert!(x.read::<f64>().expect("there") == whole);
            assert_eq!(bytes.swap(0, Ordering::Relaxed), 8 * LARGE as u64);
            let part =
                x.slice(&parse_slice("::-1, 100:2500:2").expect("a slice")).expect("in range");
            let expected = whole.slice_axis(Axis(0), Slice::new(0, None, -1));
            let expected = expected.slice_axis(Axis(1), Slice::new(100, Some(2500), 2)).to_owned();
            assert!(part.read::<f64>().expect("there") == expected);
            let mut buffer = vec![0.0; expected.len()];
            part.read_into(&mut buffer).expect("as many");
            assert!(buffer.iter().eq(expected.iter()));
            let wide = part.read_as::<f32>(Conversion::Lossy).expect("converted");
            assert!(wide.iter().zip(&expected).all(|(one, other)| f64::from(*one) == *other));
            let native = x.native().expect("there");
            assert!(native.chunks(8).zip(&whole).all(|(one, other)| one == other.to_ne_bytes()));
        }
    }
}

#[test]
fn many_items_are_read_by_many_threads() {
    // Items of 8000 bytes behind a count that varies: none is a stride from the one before.
    let mut bytes = Vec::new();
    for at in 0..1200_u64 {
        bytes.extend((at % 3).to_be_bytes());
        bytes.resize(bytes.len() + 8 * (at % 3) as usize, 0);
        bytes.extend((0..1000).flat_map(|k| (at * 1000 + k).to_be_bytes()));
    }
    let (stream, _) = counted("> l [/ n : u8  s = u8[n]  x = u8[1000]]*1200", bytes);
    for threads in [1, 3] {
        let stream = stream.working(Work::new().threads(threads));
        let x = stream.select("/l[:]/x").and_then(|it| it.read::<u64>()).expect("there");
        assert_eq!(x.shape(), [1200, 1000]);
        assert!(x.iter().enumerate().all(|(at, value)| *value == at as u64));
    }
}

#[test]
fn a_read_ends_when_it_is_told_to() {
    let folder = tempfile::tempdir().expect("a folder");
    for stream in large("> x = f8[1310720]  ", folder.path()) {
        for threads in [1, 2] {
            let stop = Arc::new(AtomicBool::new(false));
            let work = Work::new().threads(threads).watch(stop.clone());
            let x = stream.working(work).get("/x").and_then(|it| it.data()).expect("there");
            x.read::<f64>().expect("not stopped");
            stop.store(true, Ordering::Relaxed);
            assert!(matches!(x.read::<f64>(), Err(Error::Cancelled)));
            assert!(matches!(x.read_into(&mut vec![0.0; LARGE]), Err(Error::Cancelled)));
            assert!(matches!(x.raw(), Err(Error::Cancelled)));
            assert!(matches!(x.native(), Err(Error::Cancelled)));
            let converted = x.read_as::<f32>(Conversion::Lossy);
            assert!(matches!(converted, Err(Error::Cancelled)));
        }
    }
}

#[test]
fn a_slice_with_steps_is_watched_as_often_as_what_it_fetches() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sparse");
    std::fs::File::create(&path).and_then(|file| file.set_len(64 << 20)).expect("space");
    let open = || Open::new().layout_text("x = f8[8388608]").expect("a layout").raw();
    for (stream, least) in [
        (open().source(FileSource::open(&path).expect("there")).expect("a stream"), 16),
        (open().bytes(vec![0; 64 << 20]).expect("a stream"), 2),
    ] {
        let heard = Arc::new(AtomicU64::new(0));
        let count = heard.clone();
        let watch = move |_| {
            count.fetch_add(1, Ordering::Relaxed);
            std::ops::ControlFlow::Continue(())
        };
        // Of 1 MiB, for which a file is read whole, and memory by a line for each element.
        let picked = stream.working(Work::new().threads(1).watch(Arc::new(watch)));
        let picked = picked.select("/x[::64]").expect("a path");
        assert_eq!(picked.read::<f64>().expect("there").len(), 131_072);
        let heard = heard.load(Ordering::Relaxed);
        assert!((least..100).contains(&heard), "{heard}");
    }
}

#[test]
fn what_is_missing_is_named_however_it_is_read() {
    let (stream, _) = counted("x = f8[1310720]  y = f8[1000000]", doubles(LARGE));
    let stream = stream.working(Work::new().threads(3));
    let error = stream.get("/y").and_then(|y| y.read::<f64>()).expect_err("beyond the end");
    assert!(matches!(error, Error::Truncated { address: 10_485_760, .. }), "{error}");
    assert_eq!(error.item(), Some("/y"));
    // A source that fails in the middle: the error is that of the first part that failed.
    struct Torn(Vec<u8>);
    impl dudley::bytes::Source for Torn {
        fn len(&self) -> u64 {
            self.0.len() as u64
        }
        fn read_at(&self, address: u64, buf: &mut [u8]) -> dudley::Result<()> {
            let end = address + buf.len() as u64;
            if end > 9 << 20 {
                return Err(Error::truncated(9 << 20, end - (9 << 20), 0));
            }
            self.0.read_at(address, buf)
        }
    }
    let open = Open::new().layout_text("x = f8[1310720]").expect("a layout").raw();
    let stream = open.order(ByteOrder::Little).work(Work::new().threads(2));
    let stream = stream.source(Torn(doubles(LARGE))).expect("a stream");
    let error = stream.get("/x").and_then(|x| x.read::<f64>()).expect_err("torn");
    assert!(matches!(error, Error::Truncated { address: 9_437_184, .. }), "{error}");
    assert_eq!(error.item(), Some("/x"));
}

#[test]
fn a_field_that_is_asked_for_as_an_item_is_named() {
    let stream = dudley::Open::new()
        .layout_text("row = {v = u1  w = u1}[2]  x = u1")
        .expect("a layout")
        .raw()
        .bytes(vec![0; 5])
        .expect("a stream");
    for (path, why) in [
        ("/row/v", "/row is data and holds no items; did you mean its field `/row.v`?"),
        ("/row[1]/v", "/row is data and holds no items; did you mean its field `/row.v`?"),
        ("/row/z", "/row is data and holds no items"),
        ("/x/v", "/x is data and holds no items"),
    ] {
        let said = stream.select(path).expect_err("no item").to_string();
        assert!(said.ends_with(why), "{path}: {said}");
    }
}

#[test]
fn errors_say_where_a_param_of_one_of_several_was_read() {
    let said = |layout: &str, path: &str| {
        let stream = dudley::Open::new().layout_text(layout).expect("a layout").raw();
        let stream = stream.bytes(b"\x0aabcdefghij\x03xyz".to_vec()).expect("a stream");
        stream.select(path).and_then(|it| it.value()).expect_err("too few").to_string()
    };
    let of_structs = said("x = {n : i1  a = u1[n]  b = u1[n-9-1]}[2]", "/x");
    assert!(of_structs.ends_with("comes to -7, from n = 3 (read at address 11)"), "{of_structs}");
    let of_dicts = said("l [/ n : i1  a = u1[n]  b = u1[n-9-1]]*2", "/l/1/b");
    assert!(of_dicts.ends_with("from /l/*/n = 3 (read at address 11)"), "{of_dicts}");
}
