//! Arrays in blocks (spec 7.5) beside a model: elements, slices, what is read of the stream, and what is wrong.

use std::sync::Arc;

use dudley::bytes::Counted;
use dudley::model::{Formats, Kind};
use dudley::ndarray::{ArrayD, Axis, IxDyn};
use dudley::read::slice::Index;
use dudley::{Open, Stream, Work};
use proptest::prelude::*;

/// An array in blocks, as a layout with its bytes, and its elements.
struct Case {
    layout: String,
    bytes: Vec<u8>,
    elements: ArrayD<u16>,
}

const FILL: u16 = 7;

/// Blocks of a grid, in some order, some of them missing, those at the edges cut or not.
fn case(shape: &[usize], cell: &[usize], seed: u64, filtered: bool) -> Case {
    let mut state = seed | 1;
    let mut random = move |below: u64| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 33) % below
    };
    let rank = shape.len();
    let cells: Vec<usize> = shape.iter().zip(cell).map(|(dim, cell)| dim.div_ceil(*cell)).collect();
    let count: usize = cells.iter().product();
    let mut order: Vec<usize> = (0..count).collect();
    let shuffled = random(2) == 0;
    if shuffled {
        (1..count).rev().for_each(|at| order.swap(at, random(at as u64 + 1) as usize));
    }
    let mut elements = ArrayD::from_elem(IxDyn(shape), FILL);
    let (mut items, mut bytes, mut first) = (Vec::new(), Vec::new(), true);
    for number in order {
        let mut rest = number;
        let mut start = vec![0; rank];
        for axis in (0..rank).rev() {
            start[axis] = rest % cells[axis] * cell[axis];
            rest /= cells[axis];
        }
        // The first one tells the grid.
        if random(4) == 0 && !first {
            items.push(format!("<u2[0{}]", ", 1".repeat(rank - 1)));
            continue;
        }
        let is_cut = random(2) == 0 && !first;
        first = false;
        let there = |axis: usize| cell[axis].min(shape[axis] - start[axis]);
        let block: Vec<usize> =
            (0..rank).map(|axis| if is_cut { there(axis) } else { cell[axis] }).collect();
        let stored = ArrayD::from_shape_fn(IxDyn(&block), |_| random(60_000) as u16);
        for (index, value) in stored.indexed_iter() {
            let at: Vec<usize> = (0..rank).map(|axis| start[axis] + index[axis]).collect();
            if let Some(element) = elements.get_mut(IxDyn(&at)) {
                *element = *value;
            }
        }
        let raw: Vec<u8> = stored.iter().flat_map(|value| value.to_le_bytes()).collect();
        let (stored, filter) = if filtered {
            let filters = dudley::filter::Registry::with_builtins();
            let zlib = filters.get("zlib").expect("there");
            let stored = zlib.encode(&[], &raw).expect("encoded");
            let filter = format!(" -> zlib[{}]", stored.len());
            (stored, filter)
        } else {
            (raw, String::new())
        };
        let item = format!("<u2{block:?}{filter} @{}", bytes.len());
        bytes.extend(stored);
        items.push(if shuffled { format!("{item}\n#: start = {start:?}\n") } else { item });
    }
    let items = items.join(", ");
    let layout = format!("x [{items}]  #: whole = {shape:?}, fill = {FILL}");
    Case { layout, bytes, elements }
}

fn open(case: &Case) -> Stream {
    Open::new()
        .layout_text(&case.layout)
        .expect("a layout")
        .raw()
        .bytes(case.bytes.clone())
        .expect("a stream")
}

fn shapes() -> impl Strategy<Value = (Vec<usize>, Vec<usize>)> {
    (1..4_usize).prop_flat_map(|rank| {
        (proptest::collection::vec(1..9_usize, rank), proptest::collection::vec(1..5_usize, rank))
    })
}

proptest! {
    #[test]
    fn slices_are_those_of_the_model(
        (shape, cell) in shapes(),
        seed in any::<u64>(),
        filtered in any::<bool>(),
        picks in proptest::collection::vec((-9..9_i64, -9..9_i64, -3..4_i64), 3),
    ) {
        let case = case(&shape, &cell, seed, filtered);
        let data = open(&case).get("/x").expect("there").data().expect("an array");
        prop_assert_eq!(&data.read::<u16>().expect("read"), &case.elements);
        let raw: Vec<u8> = case.elements.iter().flat_map(|value| value.to_le_bytes()).collect();
        prop_assert_eq!(data.raw().expect("read"), raw);
        let widened = data.read_as::<f64>(Default::default()).expect("read");
        prop_assert_eq!(widened, case.elements.mapv(f64::from));
        let step = |step: i64| if step == 0 { 1 } else { step };
        let ranges: Vec<_> = picks.iter().take(shape.len())
            .map(|(start, stop, by)| Index::Range { start: Some(*start), stop: Some(*stop), step: step(*by) })
            .collect();
        let sliced = data.slice(&ranges).expect("a slice");
        let mut model = case.elements.clone();
        for (axis, ((start, stop, by), dim)) in picks.iter().zip(&shape).enumerate() {
            let chosen = picked(*start, *stop, step(*by), *dim as i64);
            model = model.select(Axis(axis), &chosen);
        }
        prop_assert_eq!(&sliced.read::<u16>().expect("read"), &model);
    }
}

/// What Python's `range(*slice(start, stop, step).indices(dim))` has.
fn picked(start: i64, stop: i64, step: i64, dim: i64) -> Vec<usize> {
    let (low, high) = if step > 0 { (0, dim) } else { (-1, dim - 1) };
    let bound = |at: i64| (if at < 0 { at + dim } else { at }).clamp(low, high);
    let (mut at, stop) = (bound(start), bound(stop));
    let mut found = Vec::new();
    while if step > 0 { at < stop } else { at > stop } {
        found.push(at as usize);
        at += step;
    }
    found
}

#[test]
fn only_blocks_that_are_wanted_are_read_and_each_once() {
    let filters = dudley::filter::Registry::with_builtins();
    let zlib = filters.get("zlib").expect("there");
    let stored: Vec<Vec<u8>> =
        (0..16).map(|at| zlib.encode(&[], &[at; 16]).expect("encoded")).collect();
    let length = stored[0].len() as u64;
    assert!(stored.iter().all(|stored| stored.len() as u64 == length));
    let items = vec![format!("u1[4, 4] -> zlib[{length}]"); 16].join(", ");
    let layout = format!("x [{items}]  #: whole = [16, 16]");
    let bytes = stored.concat();
    let source = Arc::new(Counted::new(bytes));
    let open =
        Open::new().layout_text(&layout).expect("a layout").raw().work(Work::new().threads(2));
    let stream = open.source(source.clone()).expect("a stream");
    let x = stream.get("/x").expect("there").data().expect("an array");
    let count = |range: [Index; 2]| {
        let before = source.bytes_read();
        x.slice(&range).expect("a slice").read::<u8>().expect("read");
        (source.bytes_read() - before) / length
    };
    let all = Index::Range { start: None, stop: None, step: 1 };
    let stepped = Index::Range { start: Some(1), stop: None, step: 8 };
    assert_eq!(count([Index::At(5), Index::At(6)]), 1);
    // The block that was read before is kept.
    assert_eq!(count([Index::At(5), all]), 3);
    assert_eq!(count([stepped, stepped]), 4);
    assert_eq!(count([all, all]), 16 - 4 - 4);
    assert_eq!(count([all, all]), 0);
}

#[test]
fn structs_and_texts_are_in_blocks_too() {
    let layout = "P {a = >u2  b = u1} %1
p [P[2] %1, P[0], P[1] %1]  #: whole = [5], fill = [258, 3]
T {\"\" = S1[3]}
t [T[1], T[0]]  #: whole = [3, 3], fill = \"ab\"
n [<f4[0]]  #: whole = [2], fill_bytes = [0, 0, 192, 127]";
    let open = Open::new().layout_text(layout).expect("a layout").raw();
    let stream = open.bytes(b"\x00\x01\x02\x00\x03\x04\x00\x05\x06xyz".to_vec()).expect("a stream");
    let p = stream.get("/p").expect("there").data().expect("an array");
    let a = p.field("a").expect("a field").read::<u16>().expect("read");
    assert_eq!(a.as_slice(), Some(&[1, 3, 258, 258, 5][..]));
    let b = p.field("b").expect("a field").read::<u8>().expect("read");
    assert_eq!(b.as_slice(), Some(&[2, 4, 3, 3, 6][..]));
    let t = stream.get("/t").expect("there").data().expect("an array");
    assert_eq!(
        t.read_texts().expect("read").as_slice(),
        Some(&["xyz", "ab", "ab"].map(String::from)[..])
    );
    let n = stream.get("/n").expect("there").read::<f32>().expect("read");
    assert!(n.iter().all(|value| value.is_nan()));
}

#[test]
fn the_model_has_one_array_and_its_blocks_by_number() {
    let layout = "d/ x [u1[2], u1[2]]  #: whole = [3], dims = [\"n\"]
/l [/ N : u1  x [u1[N], u1[N]]  #: whole = [3]
]*2";
    let open = Open::new().layout_text(layout).expect("a layout").raw();
    let dataset = Formats::builtin()
        .source("bytes", b"abcd\x02efgh\x03ijklmn".to_vec(), &open)
        .expect("open");
    let node = dataset.get("/d/x").expect("there");
    assert_eq!((node.kind(), node.shape().expect("known")), (Kind::Array, vec![3]));
    assert_eq!(node.dims().expect("known"), [Some("n".to_owned())]);
    assert!(node.place().expect("known").is_none());
    let raw =
        |path: &str| dataset.get(path).expect("there").data().expect("data").raw().expect("read");
    assert_eq!(raw("/d/x"), b"abc");
    assert_eq!(raw("/d/x/1"), b"cd");
    assert_eq!(raw("/l/0/x"), b"efg");
    // Each block is as large as its param says.
    assert!(dataset.get("/l/1/x").expect("there").data().is_err());
    let slice = dataset.select("/d/x[::-2]").expect("a slice").read::<u8>().expect("read");
    assert_eq!(slice.as_slice(), Some(&b"ca"[..]));
}

#[test]
fn what_is_wrong_is_said_to_who_asks_for_it() {
    for (layout, said) in [
        ("N : 2\nx [u1[N], u1[N]]  #: whole = [2]", "fill `whole = [2]` with 1 blocks"),
        ("x [u1[2], u1[2]\n #: start = [1]\n]  #: whole = [3]", "blocks 0 and 1 of /x overlap"),
        ("x [u1[2], i1[2]]  #: whole = [4]", "block 1 is of another type"),
        ("x [[u1[2]]*2]  #: whole = [4]", "an item that is no array"),
        ("x []  #: whole = [4]", "no type"),
        ("x [u1[2]]  #: whole = [4], fill = 300", "300"),
        ("x [u1[2]]*4000000000  #: whole = [4000000000000]", "outnumber"),
    ] {
        let Ok(open) = Open::new().layout_text(layout) else { continue };
        let stream = open.raw().bytes(b"abcd".to_vec()).expect("a stream");
        let error = stream.get("/x").expect("there").data().expect_err(layout).to_string();
        assert!(error.contains(said), "{layout}: {error}");
    }
    // A block that is not there is wrong for the code that reads it, and for no one else.
    let open = Open::new().layout_text("x [u1[2], u1[2] @9]  #: whole = [4]").expect("a layout");
    let x = open
        .raw()
        .bytes(b"abcd".to_vec())
        .expect("a stream")
        .get("/x")
        .expect("there")
        .data()
        .expect("data");
    assert!(x.check_there().is_err());
    let error = x.read::<u8>().expect_err("past the end").to_string();
    assert!(error.contains("/x/1"), "{error}");
    let first = x.slice(&[Index::Range { start: None, stop: Some(2), step: 1 }]).expect("a slice");
    assert_eq!(first.raw().expect("read"), b"ab");
}
