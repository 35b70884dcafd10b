//! Do programs with newer structs read the files of older ones, as far as the structs say, and no farther?

use std::sync::Arc;

use dudley::half::f16;
use dudley::ndarray::{ArcArray, Array1, Array2, ArrayD, Ix2, IxDyn, arr1, arr2};
use dudley::num_complex::Complex;
use dudley::structs::Parts as _;
use dudley::{Dudley, Open};
use proptest::prelude::*;

/// What was written some years ago.
mod old {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Dudley)]
    pub(crate) struct State {
        pub(crate) time: f64,
        pub(crate) n: u32,
        pub(crate) rho: Array2<f32>,
        pub(crate) c: Cfg,
        pub(crate) p: Vec<P>,
    }

    #[derive(Clone, Debug, PartialEq, Dudley)]
    pub(crate) struct Cfg {
        pub(crate) alpha: f64,
    }

    #[derive(Clone, Debug, PartialEq, Dudley)]
    #[dudley(record)]
    pub(crate) struct P {
        pub(crate) x: f32,
        pub(crate) id: u16,
    }

    pub(crate) fn state() -> State {
        State {
            time: 1.0,
            n: 7,
            rho: arr2(&[[1.0, 2.0], [3.0, 4.0]]),
            c: Cfg { alpha: 0.5 },
            p: vec![P { x: 3.0, id: 9 }, P { x: 4.0, id: 10 }],
        }
    }

    pub(crate) fn bytes() -> Vec<u8> {
        state().to_bytes().expect("written")
    }
}

fn read<T: Dudley>() -> T {
    T::from_bytes(old::bytes()).expect("read")
}

fn fails<T: Dudley>() -> String {
    match T::from_bytes(old::bytes()) {
        Ok(_) => panic!("it was read"),
        Err(error) => error.to_string(),
    }
}

fn seven() -> f32 {
    7.0
}

#[test]
fn fields_that_were_not_there_yet_have_other_values() {
    #[derive(Debug, PartialEq, Dudley)]
    struct State {
        dt: Option<f64>,
        time: f64,
        #[dudley(default)]
        steps: Vec<u8>,
        #[dudley(default = "seven")]
        courant: f32,
        #[dudley(skip, default = "seven")]
        scratch: f32,
        boxed: Box<Option<f64>>,
        c: Cfg,
        p: Vec<P>,
    }
    #[derive(Debug, PartialEq, Dudley)]
    struct Cfg {
        alpha: f64,
        beta: Option<Vec<f64>>,
        #[dudley(default = "Vec::new")]
        gamma: Vec<f64>,
    }
    #[derive(Debug, PartialEq, Dudley)]
    #[dudley(record)]
    struct P {
        y: Option<f64>,
        id: u16,
        #[dudley(default)]
        z: [i32; 2],
        x: f32,
        #[dudley(default = "seven")]
        w: f32,
        #[dudley(skip, default = "seven")]
        v: f32,
    }
    let p = |x, id| P { y: None, id, z: [0, 0], x, w: 7.0, v: 7.0 };
    let state = State {
        dt: None,
        time: 1.0,
        steps: Vec::new(),
        courant: 7.0,
        scratch: 7.0,
        boxed: Box::new(None),
        c: Cfg { alpha: 0.5, beta: None, gamma: Vec::new() },
        p: vec![p(3.0, 9), p(4.0, 10)],
    };
    assert_eq!(read::<State>(), state);
    // And comes back as the newer one.
    assert_eq!(State::from_bytes(state.to_bytes().expect("written")).expect("read"), state);
    let stream = Open::new().bytes(old::bytes()).expect("opened");
    let parts = <State as Dudley>::Parts::of(stream.root());
    assert_eq!(parts.dt().expect("absent"), None);
    assert_eq!(parts.p().expect("read").len(), 2);
}

#[test]
fn what_was_always_there_may_be_absent_now() {
    #[derive(Debug, PartialEq, Dudley)]
    struct State {
        time: Option<f64>,
        rho: Option<Array2<f32>>,
        c: Option<Cfg>,
        p: Option<Vec<P>>,
    }
    #[derive(Debug, PartialEq, Dudley)]
    struct Cfg {
        alpha: Option<f64>,
    }
    #[derive(Debug, PartialEq, Dudley)]
    #[dudley(record)]
    struct P {
        x: Option<f32>,
    }
    let p = vec![P { x: Some(3.0) }, P { x: Some(4.0) }];
    let expected = State {
        time: Some(1.0),
        rho: Some(old::state().rho),
        c: Some(Cfg { alpha: Some(0.5) }),
        p: Some(p),
    };
    assert_eq!(read::<State>(), expected);
}

#[test]
fn what_is_missing_is_said_with_the_file_and_what_to_do() {
    #[derive(Debug, Dudley)]
    struct State {
        #[allow(dead_code)]
        dt: f64,
    }
    #[derive(Debug, Dudley)]
    struct Nested {
        #[allow(dead_code)]
        c: Cfg,
    }
    #[derive(Debug, Dudley)]
    struct Cfg {
        #[allow(dead_code)]
        #[dudley(alias = "gamma", alias = "delta")]
        beta: f64,
    }
    #[derive(Debug, Dudley)]
    struct Records {
        #[allow(dead_code)]
        p: Vec<P>,
    }
    #[derive(Debug, Dudley)]
    #[dudley(record)]
    struct P {
        #[allow(dead_code)]
        weight: f64,
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("old.bd");
    old::state().write_bd(&path).expect("written");
    let message = State::read_bd(&path).expect_err("it has none").to_string();
    assert!(message.contains("old.bd"), "{message}");
    assert!(
        message.ends_with(
            "no item `/dt`: / has no item `dt`; a field without one is an `Option`, or has \
             `#[dudley(default)]`"
        ),
        "{message}"
    );
    let parts = State::open_bd(&path).expect("opened").dt().expect_err("it has none").to_string();
    assert_eq!(parts, message);
    assert_eq!(
        fails::<Nested>(),
        "no item `/c/beta`: /c has no item `beta`, nor `gamma`, `delta`; a field without one is an \
         `Option`, or has `#[dudley(default)]`"
    );
    assert_eq!(
        fails::<Records>(),
        "`/p`: expected a field `weight`, found the record has no item `weight`; a field without one \
         is an `Option`, or has `#[dudley(default)]`"
    );
}

#[test]
fn an_absent_value_of_a_field_that_needs_one() {
    #[derive(Debug, Dudley)]
    struct Before {
        dt: Option<f64>,
    }
    #[derive(Debug, Dudley)]
    struct Now {
        #[allow(dead_code)]
        dt: f64,
    }
    let bytes = Before { dt: None }.to_bytes().expect("written");
    assert_eq!(
        Now::from_bytes(bytes).expect_err("it has none").to_string(),
        "`/dt`: expected a scalar, found none, of shape [0]; a field that may have none is an `Option`"
    );
}

#[test]
fn fields_have_names_that_they_had() {
    #[derive(Debug, PartialEq, Dudley)]
    struct State {
        #[dudley(alias = "time")]
        t: f64,
        #[dudley(alias = "none", alias = "n")]
        count: Option<u32>,
        #[dudley(alias = "c")]
        config: Cfg,
        #[dudley(alias = "p", default)]
        particles: Vec<P>,
    }
    #[derive(Debug, PartialEq, Dudley)]
    struct Cfg {
        #[dudley(alias = "alpha")]
        limit: f64,
    }
    #[derive(Debug, Default, PartialEq, Dudley)]
    #[dudley(record)]
    struct P {
        #[dudley(alias = "x")]
        position: f32,
        #[dudley(alias = "index", alias = "id")]
        number: Option<u16>,
    }
    let p = |position, number| P { position, number: Some(number) };
    let state = State {
        t: 1.0,
        count: Some(7),
        config: Cfg { limit: 0.5 },
        particles: vec![p(3.0, 9), p(4.0, 10)],
    };
    assert_eq!(read::<State>(), state);
    assert_eq!(State::from_bytes(state.to_bytes().expect("written")).expect("read"), state);

    #[derive(Debug, Dudley)]
    struct Both {
        #[allow(dead_code)]
        #[dudley(alias = "n")]
        time: f64,
    }
    assert_eq!(
        fails::<Both>(),
        "`/`: expected one of `time` and `n`, which are one field, found both"
    );
}

#[test]
fn shapes_are_compared_under_names_of_old() {
    #[derive(Debug, Dudley)]
    struct Before {
        c: Inner,
    }
    #[derive(Debug, Dudley)]
    struct Inner {
        a: Array1<f64>,
        b: Array1<f64>,
    }
    #[derive(Debug, Dudley)]
    struct Now {
        #[dudley(alias = "c")]
        config: NowInner,
    }
    #[derive(Debug, Dudley)]
    struct NowInner {
        #[allow(dead_code)]
        #[dudley(alias = "a", shape = "N")]
        first: Array1<f64>,
        #[allow(dead_code)]
        #[dudley(shape = "N")]
        b: Array1<f64>,
        #[allow(dead_code)]
        #[dudley(default, shape = "N")]
        later: Array1<f64>,
    }
    let of = |a, b| Before { c: Inner { a: Array1::ones(a), b: Array1::ones(b) } };
    let now = |before: Before| Now::from_bytes(before.to_bytes().expect("written"));
    let read = now(of(3, 3)).expect("they agree").config;
    assert_eq!((read.first.len(), read.later.len()), (3, 0));
    let message = now(of(3, 4)).expect_err("they do not").to_string();
    assert!(message.contains("expected shape [3], found [4]"), "{message}");
}

#[test]
fn smaller_types_are_read_where_a_struct_says_so() {
    #[derive(Debug, PartialEq, Dudley)]
    #[dudley(widen)]
    struct State {
        time: f64,
        n: i64,
        rho: Array2<f64>,
        p: Vec<P>,
    }
    #[derive(Debug, PartialEq, Dudley)]
    #[dudley(record)]
    struct P {
        #[dudley(widen)]
        x: Option<f64>,
        #[dudley(widen)]
        id: usize,
    }
    let state = State {
        time: 1.0,
        n: 7,
        rho: old::state().rho.mapv(f64::from),
        p: vec![P { x: Some(3.0), id: 9 }, P { x: Some(4.0), id: 10 }],
    };
    assert_eq!(read::<State>(), state);
    assert_eq!(State::from_bytes(state.to_bytes().expect("written")).expect("read"), state);
    let stream = Open::new().bytes(old::bytes()).expect("opened");
    let parts = <State as Dudley>::Parts::of(stream.root());
    assert_eq!((parts.n().expect("read"), parts.rho().expect("read")), (7, state.rho));
}

#[test]
fn other_types_are_refused_with_what_to_do() {
    #[derive(Debug, Dudley)]
    struct Wider {
        #[allow(dead_code)]
        n: u64,
    }
    assert_eq!(
        fails::<Wider>(),
        "`/n`: expected elements of type u64 (`#[dudley(widen)]` reads smaller ones), found `u4`"
    );
    #[derive(Debug, Dudley)]
    struct Records {
        #[allow(dead_code)]
        p: Vec<P>,
    }
    #[derive(Debug, Dudley)]
    #[dudley(record)]
    struct P {
        #[allow(dead_code)]
        id: u32,
    }
    assert!(fails::<Records>().contains("(`#[dudley(widen)]` reads smaller ones)"));
    #[derive(Debug, Dudley)]
    struct Narrower {
        #[allow(dead_code)]
        time: f32,
    }
    assert_eq!(
        fails::<Narrower>(),
        "`/time`: expected elements of type f32, found `f8` (f64 in Rust)"
    );
    #[derive(Debug, Dudley)]
    #[dudley(widen)]
    struct Signed {
        #[allow(dead_code)]
        n: i32,
    }
    assert!(fails::<Signed>().starts_with("`/n`: "), "{}", fails::<Signed>());
    #[derive(Debug, Dudley)]
    #[dudley(widen)]
    struct Narrow {
        #[allow(dead_code)]
        time: f32,
    }
    assert!(fails::<Narrow>().starts_with("`/time`: "), "{}", fails::<Narrow>());
}

macro_rules! widenings {
    ($($from:ty => $into:ty, $name:ident;)*) => {
        proptest! {$(
            #[test]
            fn $name(values in prop::collection::vec(any::<$from>(), 1..5)) {
                #[derive(Debug, Dudley)]
                struct Before {
                    one: $from,
                    all: Vec<$from>,
                    rows: Vec<Row>,
                    pairs: Vec<($from, u8)>,
                }
                #[derive(Debug, Dudley)]
                #[dudley(record)]
                struct Row {
                    a: [$from; 2],
                }
                #[derive(Debug, Dudley)]
                #[dudley(widen)]
                struct Now {
                    one: $into,
                    all: Vec<$into>,
                    rows: Vec<NowRow>,
                    pairs: Vec<($into, u8)>,
                }
                #[derive(Debug, Dudley)]
                #[dudley(record, widen)]
                struct NowRow {
                    a: [$into; 2],
                }
                let one = values[0];
                let rows = vec![Row { a: [one; 2] }];
                let pairs = values.iter().map(|value| (*value, 1)).collect();
                let before = Before { one, all: values.clone(), rows, pairs };
                let now = Now::from_bytes(before.to_bytes().expect("written")).expect("read");
                let all: Vec<$into> = values.iter().map(|value| <$into>::from(*value)).collect();
                prop_assert_eq!(&now.all, &all);
                prop_assert_eq!(now.one, all[0]);
                prop_assert_eq!(now.rows[0].a, [all[0]; 2]);
                let firsts: Vec<$into> = now.pairs.iter().map(|(first, _)| *first).collect();
                prop_assert_eq!(firsts, all);
            }
        )*}
    };
}

widenings! {
    u8 => u16, a_byte_widens;
    u8 => i64, a_byte_gets_a_sign;
    i16 => i32, a_short_widens;
    u32 => u64, an_integer_widens;
    i32 => f64, an_integer_is_a_float;
    bool => u8, a_flag_is_a_number;
}

#[test]
fn floats_and_complex_numbers_widen() {
    #[derive(Debug, Dudley)]
    struct Before {
        a: f16,
        b: Vec<f32>,
        c: Complex<f32>,
    }
    #[derive(Debug, PartialEq, Dudley)]
    #[dudley(widen)]
    struct Now {
        a: f64,
        b: Vec<f64>,
        c: Complex<f64>,
    }
    let before =
        Before { a: f16::from_f32(1.5), b: vec![f32::MAX, -0.1], c: Complex::new(0.5, -2.5) };
    let now = Now::from_bytes(before.to_bytes().expect("written")).expect("read");
    let b = vec![f64::from(f32::MAX), f64::from(-0.1_f32)];
    assert_eq!(now, Now { a: 1.5, b, c: Complex::new(0.5, -2.5) });
}

#[derive(Clone, Debug, PartialEq, Dudley)]
struct Composed {
    boxed: Box<f64>,
    slice: Box<[u16]>,
    shared: Arc<Vec<f32>>,
    shared_slice: Arc<[(u8, f64)]>,
    array: ArcArray<f32, Ix2>,
    #[dudley(shape = "NY, NX")]
    any_rank: ArrayD<f64>,
    #[dudley(shape = "NY, NX")]
    of_rank: Array2<f64>,
    pair: (u8, f64),
    pairs: Vec<(i32, [f32; 2])>,
    maybe: Vec<Option<f64>>,
    maybe_pairs: [Option<(u8, u16)>; 2],
    list: Option<Vec<Leaf>>,
    boxed_list: Option<Box<[[Leaf; 2]]>>,
    rows: Vec<Row>,
    inner: Box<Leaf>,
}

#[derive(Clone, Debug, PartialEq, Dudley)]
struct Leaf {
    a: u8,
    deeper: Option<Vec<Last>>,
}

#[derive(Clone, Debug, PartialEq, Dudley)]
struct Last {
    word: String,
}

#[derive(Clone, Debug, PartialEq, Dudley)]
#[dudley(record)]
struct Row {
    a: Option<f64>,
    b: (u8, Option<u16>),
}

fn leaf() -> impl Strategy<Value = Leaf> {
    let last = "[a-z]{0,3}".prop_map(|word| Last { word });
    let deeper = prop::option::of(prop::collection::vec(last, 0..3));
    (any::<u8>(), deeper).prop_map(|(a, deeper)| Leaf { a, deeper })
}

fn real() -> impl Strategy<Value = f64> {
    -9.0..9.0
}

prop_compose! {
    fn composed()(
        boxed in real(),
        slice in prop::collection::vec(any::<u16>(), 0..4),
        shared in prop::collection::vec(-9.0_f32..9.0, 0..4),
        shared_slice in prop::collection::vec((any::<u8>(), real()), 0..4),
        (ny, nx) in (0..3_usize, 0..3_usize),
        pair in (any::<u8>(), real()),
        pairs in prop::collection::vec((any::<i32>(), [-9.0_f32..9.0, -9.0_f32..9.0]), 0..4),
        maybe in prop::collection::vec(prop::option::of(real()), 0..4),
        maybe_pairs in [prop::option::of((any::<u8>(), any::<u16>())), prop::option::of((any::<u8>(), any::<u16>()))],
        list in prop::option::of(prop::collection::vec(leaf(), 0..3)),
        boxed_list in prop::option::of(prop::collection::vec([leaf(), leaf()], 0..3)),
        rows in prop::collection::vec((prop::option::of(real()), any::<u8>(), prop::option::of(any::<u16>())), 0..4),
        inner in leaf(),
    ) -> Composed {
        Composed {
            boxed: Box::new(boxed),
            slice: slice.into(),
            array: Array2::from_elem((nx, 2), 0.5).into(),
            any_rank: ArrayD::from_elem(IxDyn(&[ny, nx]), boxed),
            of_rank: Array2::ones((ny, nx)),
            shared: Arc::new(shared),
            shared_slice: shared_slice.into(),
            pair,
            pairs,
            maybe,
            maybe_pairs,
            list,
            boxed_list: boxed_list.map(Vec::into_boxed_slice),
            rows: rows.into_iter().map(|(a, b, c)| Row { a, b: (b, c) }).collect(),
            inner: Box::new(inner),
        }
    }
}

proptest! {
    #[test]
    fn what_is_composed_comes_back(value in composed()) {
        let bytes = value.to_bytes().expect("written");
        prop_assert_eq!(Composed::from_bytes(bytes).expect("read"), value);
    }

    #[test]
    fn damaged_streams_end_with_a_value_or_an_error(
        value in composed(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), 0..8_u8), 0..4),
    ) {
        let mut bytes = value.writer().expect("given").raw().to_bytes().expect("written");
        for (at, bit) in flips {
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
        }
        let open = Open::new().raw().layout(Composed::layout().expect("a layout"));
        let _ = Composed::from_stream(&open.bytes(bytes).expect("opened"));
    }
}

#[test]
fn the_layout_of_what_is_composed_is_what_it_says() {
    let checked = dudley_parser::check(Composed::LAYOUT.as_bytes());
    assert!(checked.diagnostics.is_empty(), "{}\n{:?}", Composed::LAYOUT, checked.diagnostics);
    #[derive(Dudley)]
    struct Shown {
        #[allow(dead_code)]
        pair: (u8, f64),
        #[allow(dead_code)]
        maybe: Vec<Option<f32>>,
        #[allow(dead_code)]
        list: Option<Vec<Last>>,
    }
    assert_eq!(
        Shown::LAYOUT,
        "pair = {\n  _0 = u1\n  _1 = f8\n}\n\
         n_maybe : i8\nmaybe = {\n  some = b1\n  value = f4\n}[n_maybe]\n\
         has_list : i1  #: presence\nn_list : i8\nlist [\n  /\n    n_word : i8\n    word = U1[n_word]\n]*n_list\n"
    );
}

#[test]
fn lists_that_may_be_absent_lie_as_those_that_cannot() {
    #[derive(Debug, PartialEq, Dudley)]
    struct Always {
        list: Vec<Last>,
    }
    #[derive(Debug, PartialEq, Dudley)]
    struct Maybe {
        #[dudley(name = "list")]
        of: Option<Vec<Last>>,
    }
    let list = vec![Last { word: "a".to_owned() }];
    let always = Always { list: list.clone() };
    let maybe = Maybe { of: Some(list) };
    assert_eq!(Maybe::from_bytes(always.to_bytes().expect("written")).expect("read"), maybe);
    assert_eq!(Always::from_bytes(maybe.to_bytes().expect("written")).expect("read"), always);
    let none = Maybe { of: None }.to_bytes().expect("written");
    assert_eq!(Maybe::from_bytes(none.clone()).expect("read"), Maybe { of: None });
    assert_eq!(Always::from_bytes(none).expect("read"), Always { list: Vec::new() });
    let empty = Maybe { of: Some(Vec::new()) };
    assert_eq!(Maybe::from_bytes(empty.to_bytes().expect("written")).expect("read"), empty);
}

#[test]
fn any_rank_is_that_of_the_shape() {
    #[derive(Debug, Dudley)]
    struct Field {
        #[allow(dead_code)]
        #[dudley(shape = "NY, NX")]
        rho: ArrayD<f64>,
    }
    let of = |shape: &[usize]| Field { rho: ArrayD::ones(IxDyn(shape)) };
    assert!(of(&[2, 3]).to_bytes().is_ok());
    let message = of(&[6]).to_bytes().expect_err("of one dimension").to_string();
    assert!(message.contains("`/rho`"), "{message}");
    #[derive(Debug, Dudley)]
    struct Line {
        rho: Array1<f64>,
    }
    let line = Line { rho: arr1(&[1.0]) }.to_bytes().expect("written");
    let message = Field::from_bytes(line).expect_err("of one dimension").to_string();
    assert!(message.contains("`/rho`"), "{message}");
}
