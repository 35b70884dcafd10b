//! Do structs with `#[derive(Dudley)]` come back as they were, and does the dynamic reader see them?

use dudley::half::f16;
use dudley::ndarray::{Array1, Array2, Array3, arr2};
use dudley::num_complex::Complex;
use dudley::structs::Parts as _;
use dudley::{ByteOrder, Dudley, Error, Open, Stream, Value};

/// A phase of matter.
#[derive(Clone, Copy, Debug, PartialEq, Dudley)]
#[repr(u8)]
enum Phase {
    Solid = 1,
    Liquid,
    Gas = 7,
}

/// A mesh of zones.
#[derive(Clone, Debug, Default, PartialEq, Dudley)]
struct Mesh {
    /// edges along x
    #[dudley(unit = "cm")]
    x: Vec<f64>,
    y: Vec<f64>,
}

/// A tracer.
#[derive(Clone, Copy, Debug, PartialEq, Dudley)]
#[dudley(record)]
struct Tracer {
    /// (cm) where it is
    position: [f64; 3],
    id: u32,
    alive: bool,
    phase: Phase,
    spin: Spin,
}

#[derive(Clone, Copy, Debug, PartialEq, Dudley)]
#[dudley(record)]
struct Spin {
    up: [[i16; 2]; 2],
    amplitude: Complex<f32>,
}

/// One line of the history.
#[derive(Clone, Debug, PartialEq, Dudley)]
struct Entry {
    time: f64,
    note: String,
    peaks: Vec<f32>,
}

/// The state of a simulation.
///
/// As it is dumped now and then.
#[derive(Clone, Debug, PartialEq, Dudley)]
struct State {
    /// time of this dump
    #[dudley(unit = "us")]
    time: f64,
    cycle: usize,
    offset: isize,
    half: f16,
    wave: Complex<f64>,
    done: bool,
    phase: Phase,
    title: String,
    labels: Vec<String>,
    axes: [String; 2],
    corner: [[f32; 2]; 3],
    points: Vec<[f64; 3]>,
    flags: Vec<bool>,
    phases: Vec<Phase>,
    indices: Vec<usize>,
    rho: Array2<f64>,
    cube: Array3<i32>,
    kinds: Array2<Phase>,
    mesh: Mesh,
    tracer: Tracer,
    tracers: Vec<Tracer>,
    pairs: [Tracer; 2],
    history: Vec<Entry>,
    grids: [Mesh; 2],
    quads: Vec<[Mesh; 2]>,
    velocity: Option<Array1<f64>>,
    energy: Option<f64>,
    comment: Option<String>,
    extra: Option<Mesh>,
    #[dudley(name = "two words")]
    words: Vec<u8>,
    r#type: i8,
    #[dudley(skip)]
    scratch: Vec<std::time::Duration>,
    #[dudley(default)]
    later: i32,
}

fn tracer(id: u32) -> Tracer {
    Tracer {
        position: [1.0, f64::from(id), -3.5],
        id,
        alive: id.is_multiple_of(2),
        phase: Phase::Gas,
        spin: Spin { up: [[1, -2], [3, id as i16]], amplitude: Complex::new(0.5, -0.25) },
    }
}

fn mesh(n: usize) -> Mesh {
    Mesh { x: (0..n).map(|x| x as f64).collect(), y: vec![0.5; 2] }
}

fn state() -> State {
    State {
        time: 1.5,
        cycle: 12,
        offset: -3,
        half: f16::from_f32(0.5),
        wave: Complex::new(1.0, -1.0),
        done: true,
        phase: Phase::Liquid,
        title: "blast wave \u{3c1}".to_owned(),
        labels: vec!["a".to_owned(), String::new(), "longer".to_owned()],
        axes: ["r".to_owned(), "z".to_owned()],
        corner: [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]],
        points: vec![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],
        flags: vec![true, false, true],
        phases: vec![Phase::Gas, Phase::Solid],
        indices: vec![5, 0, usize::from(u16::MAX)],
        rho: arr2(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),
        cube: Array3::from_shape_fn((2, 3, 4), |(i, j, k)| (i * 100 + j * 10 + k) as i32),
        kinds: arr2(&[[Phase::Solid], [Phase::Gas]]),
        mesh: mesh(3),
        tracer: tracer(1),
        tracers: (0..5).map(tracer).collect(),
        pairs: [tracer(8), tracer(9)],
        history: (0..3)
            .map(|at| Entry {
                time: f64::from(at),
                note: "x".repeat(at as usize),
                peaks: vec![0.5; 2 * at as usize],
            })
            .collect(),
        grids: [mesh(1), mesh(2)],
        quads: vec![[mesh(0), mesh(1)], [mesh(2), mesh(3)], [mesh(4), mesh(5)]],
        velocity: Some(Array1::from(vec![1.0, 2.0])),
        energy: Some(2.5),
        comment: Some("why not".to_owned()),
        extra: Some(mesh(4)),
        words: vec![1, 2, 3],
        r#type: -1,
        scratch: Vec::new(),
        later: 5,
    }
}

fn open(bytes: Vec<u8>) -> Stream {
    Open::new().bytes(bytes).expect("it carries its layout")
}

#[test]
fn all_types_come_back_in_both_orders() {
    for order in [ByteOrder::Little, ByteOrder::Big] {
        let bytes = state().writer().expect("given").order(order).to_bytes().expect("written");
        assert_eq!(State::from_bytes(bytes).expect("read"), state());
    }
}

#[test]
fn absent_and_empty_come_back() {
    let empty = State {
        title: String::new(),
        labels: Vec::new(),
        points: Vec::new(),
        flags: Vec::new(),
        phases: Vec::new(),
        indices: Vec::new(),
        rho: Array2::zeros((0, 4)),
        cube: Array3::zeros((2, 0, 1)),
        kinds: Array2::from_elem((0, 0), Phase::Gas),
        mesh: mesh(0),
        tracers: Vec::new(),
        history: Vec::new(),
        quads: Vec::new(),
        velocity: None,
        energy: None,
        comment: None,
        extra: None,
        words: Vec::new(),
        ..state()
    };
    let bytes = empty.to_bytes().expect("written");
    assert_eq!(State::from_bytes(bytes).expect("read"), empty);
    let some = State {
        velocity: Some(Array1::zeros(0)),
        comment: Some(String::new()),
        extra: Some(mesh(0)),
        ..state()
    };
    let bytes = some.to_bytes().expect("written");
    assert_eq!(State::from_bytes(bytes).expect("read"), some);
}

#[test]
fn the_layout_is_free_of_faults_and_keeps_documentation() {
    let checked = dudley_parser::check(State::LAYOUT.as_bytes());
    assert!(checked.diagnostics.is_empty(), "{}\n{:?}", State::LAYOUT, checked.diagnostics);
    let stream = open(state().to_bytes().expect("written"));
    let doc = |path: &str| -> Vec<String> {
        let item = stream.get(path).expect("it is there");
        item.doc().map(str::to_owned).collect()
    };
    assert_eq!(doc("/"), ["The state of a simulation.", "As it is dumped now and then."]);
    assert_eq!(stream.get("/time").expect("there").unit(), Some("us"));
    assert_eq!(doc("/mesh"), ["A mesh of zones."]);
    assert_eq!(stream.get("/mesh/x").expect("there").unit(), Some("cm"));
    assert_eq!(doc("/history"), ["One line of the history."]);
    assert_eq!(doc("/tracers"), ["A tracer."]);
    let phase = stream.get("/phase").expect("there");
    let names: Vec<&str> = phase.attributes().iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["names", "values"]);
}

#[test]
fn the_dynamic_reader_sees_it_all() {
    let stream = open(state().to_bytes().expect("written"));
    let rho = stream.get("/rho").expect("there").read::<f64>().expect("read");
    assert_eq!(rho, state().rho.into_dyn());
    let ids = stream
        .get("/tracers")
        .expect("there")
        .data()
        .and_then(|it| it.field("id"))
        .expect("there")
        .read::<u32>()
        .expect("read");
    assert_eq!(ids.as_slice(), Some(&[0, 1, 2, 3, 4][..]));
    let labels = stream.get("/labels").expect("there").value().expect("read");
    let text = |text: &str| Value::Text(text.to_owned());
    assert_eq!(labels, Value::Array(vec![text("a"), text(""), text("longer")]));
    assert_eq!(stream.get("/history/2/note").expect("there").read_text().expect("read"), "xx");
    assert_eq!(stream.get("/:n0_rho").expect("there").param_value().expect("read"), 2);
    assert_eq!(stream.get("/\"two words\"").expect("there").shape().expect("placed"), [3]);
}

#[test]
fn files_are_replaced_and_read_in_parts() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state.bd");
    State { cycle: 1, ..state() }.write_bd(&path).expect("written");
    state().write_bd(&path).expect("written again");
    assert_eq!(State::read_bd(&path).expect("read"), state());
    let parts = State::open_bd(&path).expect("opened");
    assert_eq!(parts.cycle().expect("read"), 12);
    assert_eq!(parts.mesh().expect("there").x().expect("read"), [0.0, 1.0, 2.0]);
    let history = parts.history().expect("there");
    assert_eq!(history.len().expect("known"), 3);
    assert_eq!(history.get(2).expect("there").note().expect("read"), "xx");
    assert_eq!(history.read(1).expect("read"), state().history[1]);
    assert_eq!(parts.extra().expect("there").expect("some").x().expect("read").len(), 4);
    assert_eq!(parts.r#type().expect("read"), -1);
    assert_eq!(parts.item().path(), "/");
}

/// Zones and nodes of one mesh.
#[derive(Debug, PartialEq, Dudley)]
#[dudley(order = "big")]
struct Zones {
    /// zones along x, and one
    imax: usize,
    #[dudley(shape = "JMAX-, imax-", order = "little")]
    rho: Array2<f64>,
    #[dudley(shape = "JMAX, imax", align = 64)]
    u: Array2<f32>,
    #[dudley(shape = "SPIN, JMAX")]
    spin: Option<Vec<f64>>,
    #[dudley(shape = "SPIN, JMAX")]
    twist: Option<Vec<f64>>,
}

fn zones() -> Zones {
    Zones { imax: 4, rho: Array2::ones((2, 3)), u: Array2::ones((3, 4)), spin: None, twist: None }
}

#[test]
fn shapes_are_shared() {
    assert_eq!(
        Zones::LAYOUT,
        ">\n## Zones and nodes of one mesh.\n\
         imax : u8  ## zones along x, and one\n\
         JMAX : i8\n\
         SPIN : i1  #: presence\n\
         rho = <f8[JMAX-, imax-]\n\
         u = f4[JMAX, imax] %64\n\
         spin = f8[SPIN, JMAX]\n\
         twist = f8[SPIN, JMAX]\n"
    );
    let stream = open(zones().to_bytes().expect("written"));
    assert_eq!(stream.get("/:JMAX").expect("there").param_value().expect("read"), 3);
    assert_eq!(stream.get("/u").expect("there").address().expect("placed") % 64, 0);
    assert_eq!(stream.order(), ByteOrder::Big);
    assert_eq!(Zones::from_stream(&stream).expect("read"), zones());
    let nothing = Zones { imax: 0, rho: Array2::ones((0, 0)), u: Array2::ones((0, 0)), ..zones() };
    let bytes = nothing.to_bytes().expect("written");
    assert_eq!(Zones::from_bytes(bytes).expect("read"), nothing);
    // One node and no zone between: `JMAX-` is 0 where `JMAX` is 1.
    let thin = Zones { rho: Array2::ones((0, 3)), u: Array2::ones((1, 4)), ..zones() };
    assert_eq!(Zones::from_bytes(thin.to_bytes().expect("written")).expect("read"), thin);
}

fn refused(zones: Zones) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("zones.bd");
    let message = zones.write_bd(&path).expect_err("it is wrong").to_string();
    assert_eq!(std::fs::read_dir(folder.path()).expect("listed").count(), 0);
    message
}

#[test]
fn wrong_shapes_are_refused_before_anything_is_written() {
    assert_eq!(
        refused(Zones { u: Array2::ones((5, 4)), ..zones() }),
        "`/u`: expected shape [3, 4], found [5, 4] (the shape expected is from /JMAX = 3, /imax = 4)"
    );
    assert_eq!(
        refused(Zones { imax: 9, ..zones() }),
        "`/rho`: expected shape [2, 8], found [2, 3] (the shape expected is from /JMAX = 3, /imax = 9)"
    );
    assert_eq!(
        refused(Zones { spin: Some(vec![0.0; 3]), ..zones() }),
        "`/twist`: expected a value, since /SPIN = -1, found none"
    );
}

#[test]
fn what_does_not_fit_a_field_says_where_it_is() {
    let fails = |text: &str, bytes: &[u8]| {
        let stream = Open::new().layout_text(text).expect("a layout").raw().bytes(bytes);
        match Small::from_stream(&stream.expect("opened")) {
            Err(error) => error.to_string(),
            Ok(small) => format!("{small:?}"),
        }
    };
    assert_eq!(
        fails("phase = u1  rho = f4[1]", &[9, 0, 0, 0, 0, 0, 0, 0]),
        "`/phase`: expected one of 1 (Solid), 2 (Liquid), 7 (Gas), found 9 (element 0) at address 0"
    );
    assert_eq!(
        fails("phase = i1  rho = f4[1]", &[1, 0, 0, 0, 0, 0, 0, 0]),
        "`/phase`: expected elements of type u8, found `i1` (i8 in Rust)"
    );
    assert_eq!(
        fails("phase = u1  rho = f4[1, 1]", &[1, 0, 0, 0, 0, 0, 0, 0]),
        "`/rho`: expected an array of 1 dimension, found one of shape [1, 1]"
    );
    assert_eq!(
        fails("phase = u1  rh = f4[1]", &[1]),
        "no item `/rho`: / has no item `rho`; a field without one is an `Option`, or has \
         `#[dudley(default)]`; did you mean `rh`?"
    );
    assert!(fails("phase = u1  rho = f4[1]", &[1]).contains("`/rho`: 4 bytes are needed"));
    // What is not requested does not matter.
    assert!(fails("x = u1  phase = u1  rho = f4[0]  y = f8", &[1, 1]).starts_with("Small"));
}

#[derive(Debug, Dudley)]
struct Small {
    #[allow(dead_code)]
    phase: Phase,
    #[allow(dead_code)]
    rho: Vec<f32>,
}

#[test]
fn text_that_would_come_back_changed_is_refused() {
    let state = State { title: "a\0".to_owned(), ..state() };
    assert!(matches!(state.to_bytes(), Err(Error::WrongValue { .. })));
}

/// Params of its own types.
#[derive(Debug, PartialEq, Dudley)]
struct Of<T, const N: usize>
where
    T: PartialEq,
{
    scale: T,
    sides: [T; N],
    rows: Vec<[T; N]>,
}

#[test]
fn generic_structs_have_a_layout_each() {
    assert_eq!(
        Of::<f32, 2>::LAYOUT,
        "## Params of its own types.\nscale = f4\nsides = f4[2]\nn0_rows : i8\nrows = f4[n0_rows, 2]\n"
    );
    let of = Of { scale: 1_u16, sides: [1, 2, 3], rows: vec![[4, 5, 6]] };
    assert_eq!(Of::from_bytes(of.to_bytes().expect("written")).expect("read"), of);
}

#[test]
fn constants_of_a_foreign_record_are_written_and_checked() {
    #[derive(Debug, PartialEq, Dudley)]
    #[dudley(record)]
    struct Head {
        version: u16,
    }
    #[derive(Debug, PartialEq, Dudley)]
    #[dudley(layout = "structs/head.dud")]
    struct File {
        heads: Vec<Head>,
        text: String,
        #[dudley(name = "LEVEL")]
        level: i32,
    }
    let file = File {
        heads: vec![Head { version: 3 }, Head { version: 4 }],
        text: "abc".to_owned(),
        level: 7,
    };
    let bytes = file.writer().expect("given").raw().to_bytes().expect("written");
    assert_eq!(&bytes[..2], b"HD");
    let raw = |bytes: Vec<u8>| {
        let open = Open::new().layout(File::layout()?).raw();
        File::from_stream(&open.bytes(bytes)?)
    };
    assert_eq!(raw(bytes.clone()).expect("read"), file);
    let mut damaged = bytes;
    damaged[4] = b'x';
    assert!(matches!(raw(damaged), Err(Error::Const { .. })));
}

/// A hit, as a detector writes it.
#[derive(Clone, Debug, PartialEq, Dudley)]
#[dudley(record, packed)]
struct Hit {
    kind: u8,
    at: Wide,
    time: f64,
}

#[derive(Clone, Debug, PartialEq, Dudley)]
#[dudley(record)]
struct Wide {
    a: u8,
    b: f64,
}

#[derive(Clone, Debug, PartialEq, Dudley)]
#[dudley(record, packed = 2, align = 4)]
struct Two {
    a: u8,
    b: f64,
}

#[derive(Clone, Debug, PartialEq, Dudley)]
struct Hits {
    hits: Vec<Hit>,
    two: Two,
}

#[test]
fn packed_records_have_no_padding() {
    assert_eq!(
        Hits::LAYOUT,
        "n_hits : i8\n\
         hits = {%1\n\
        \x20 kind = u1\n\
        \x20 at = {%16\n\
        \x20   a = u1\n\
        \x20   b = f8\n\
        \x20 }\n\
        \x20 time = f8\n\
         }[n_hits]  ## A hit, as a detector writes it.\n\
         two = {%2\n\
        \x20 a = u1\n\
        \x20 b = f8\n\
         } %4\n"
    );
    let checked = dudley_parser::check(Hits::LAYOUT.as_bytes());
    assert!(
        checked.diagnostics.iter().all(|it| it.code == "ext-pack"),
        "{:?}",
        checked.diagnostics
    );
    let hit = |kind: u8| Hit { kind, at: Wide { a: kind, b: 0.5 }, time: f64::from(kind) };
    let hits = Hits { hits: vec![hit(1), hit(2), hit(3)], two: Two { a: 7, b: 1.5 } };
    let stream = open(hits.to_bytes().expect("written"));
    let data = stream.get("/hits").and_then(|item| item.data()).expect("there");
    // Packing is that of the one struct, as `#[repr(packed)]` is: those in it are as they are declared.
    assert_eq!(data.dtype_name(), "struct{kind=|u1@0,at=struct{a=|u1@0,b=<f8@8}@1,time=<f8@17}");
    assert_eq!(data.dtype().size(), Some(25));
    let two = stream.get("/two").and_then(|item| item.data()).expect("there");
    assert_eq!((two.address() % 4, two.dtype().size()), (0, Some(12)));
    assert_eq!(two.field("b").expect("a field").address() - two.address(), 2);
    assert_eq!(Hits::from_stream(&stream).expect("read"), hits);
}
