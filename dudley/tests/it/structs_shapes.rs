//! Are the shapes of what is read into a struct those that its fields say, as when it is written?

use dudley::ndarray::{Array1, Array2};
use dudley::{Dudley, Error};

#[derive(Debug, Dudley)]
struct State {
    #[dudley(shape = "NY, NX")]
    rho: Array2<f64>,
    #[dudley(shape = "NY+, NX+")]
    u: Array2<f64>,
}

/// Edges and zones.
#[derive(Debug, Dudley)]
struct Edges {
    #[dudley(shape = "NX+")]
    u: Vec<f64>,
    #[dudley(shape = "NX")]
    rho: Vec<f64>,
}

/// The same, with a param of its own: no zones may have one edge.
#[derive(Debug, Dudley)]
struct AllEdges {
    #[dudley(shape = "EDGES")]
    u: Vec<f64>,
    #[dudley(shape = "NX")]
    rho: Vec<f64>,
}

#[derive(Debug, Dudley)]
struct Fixed {
    #[dudley(shape = "3, 2")]
    rho: Array2<f64>,
}

/// With the number of zones as a field.
#[derive(Debug, Dudley)]
struct Counted {
    zones: i32,
    #[dudley(shape = "zones")]
    x: Vec<f64>,
    #[dudley(shape = "HAS, zones-")]
    gaps: Option<Array1<f64>>,
}

#[derive(Debug, Dudley)]
struct Mesh {
    n: u8,
    parts: Vec<Part>,
    whole: Part,
}

#[derive(Debug, Dudley)]
struct Part {
    #[dudley(shape = "N")]
    x: Vec<f32>,
    #[dudley(shape = "N")]
    y: Vec<f32>,
    #[dudley(shape = "N")]
    names: Vec<String>,
}

/// A later version: old files have no `extra`, nor its number.
#[derive(Debug, Dudley)]
struct Grown {
    #[dudley(shape = "NX")]
    rho: Vec<f64>,
    #[dudley(shape = "NX", default)]
    extra: Vec<f64>,
    #[dudley(default)]
    ny: i64,
    #[dudley(shape = "ny")]
    side: Vec<f64>,
}

/// A stream of a layout, whose data begins with some bytes and is 0 else.
fn stream(layout: &str, first: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x8d<BD\r\n\x1a\n".to_vec();
    bytes.extend(4096_u64.to_le_bytes());
    bytes.extend(first);
    bytes.resize(4096, 0);
    bytes.extend(layout.as_bytes());
    bytes
}

fn zeros(layout: &str) -> Vec<u8> {
    stream(layout, &[])
}

fn refused<S: Dudley + std::fmt::Debug>(layout: &str, expected: &str) {
    let error = S::from_bytes(zeros(layout)).expect_err(layout);
    assert_eq!(error.to_string(), expected, "{layout}");
}

#[test]
fn arrays_that_share_params_agree() {
    let state = State::from_bytes(zeros("rho = f8[2, 3]  u = f8[3, 4]")).expect("they agree");
    assert_eq!((state.rho.dim(), state.u.dim()), ((2, 3), (3, 4)));
    State::from_bytes(zeros("rho = f8[0, 0]  u = f8[0, 0]")).expect("of 0 there is no more");
    refused::<State>(
        "rho = f8[2, 2]  u = f8[7, 5]",
        "`/u`: expected shape [3, 3], found [7, 5] (the shape expected is from /NY = 2, /NX = 2, as `/rho` \
         of shape [2, 2] has it)",
    );
    refused::<State>(
        "u = f8[3, 4]  rho = f8[2, 2]",
        "`/u`: expected shape [3, 3], found [3, 4] (the shape expected is from /NY = 2, /NX = 2, as `/rho` \
         of shape [2, 2] has it)",
    );
    refused::<Fixed>("rho = f8[2, 2]", "`/rho`: expected shape [3, 2], found [2, 2]");
    Fixed::from_bytes(zeros("rho = f8[3, 2]")).expect("so it says");
    // Writing says the same.
    let state = State { rho: Array2::ones((2, 2)), u: Array2::ones((7, 5)) };
    let error = state.to_bytes().expect_err("they differ");
    assert!(matches!(&error, Error::WrongShape { params, .. } if params.len() == 2), "{error}");
}

#[test]
fn no_zones_have_no_edge() {
    let why = "0 has no `+`, so `NX+` is 0 too (rule 4.3): a dimension that is 1 then is `NX+1` in a \
               layout, or a param of its own";
    let edges = Edges { u: vec![1.0], rho: vec![] };
    assert_eq!(
        edges.to_bytes().expect_err("0 has no edge").to_string(),
        format!("`/u`: expected shape [0], found [1] (the shape expected is from /NX = 0; {why})")
    );
    refused::<Edges>(
        "u = f8[1]  rho = f8[0]",
        &format!("`/u`: expected shape [0], found [1] (the shape expected is from /NX = 0; {why})"),
    );
    assert!(Edges { u: vec![], rho: vec![] }.to_bytes().is_ok());
    let bytes = AllEdges { u: vec![1.0], rho: vec![] }.to_bytes().expect("as the message says");
    let read = AllEdges::from_bytes(bytes).expect("it was written");
    assert_eq!((read.u, read.rho.len()), (vec![1.0], 0));
    // Where it is not the reason, nothing is said of it.
    let other =
        Edges { u: vec![1.0, 2.0], rho: vec![1.0, 2.0] }.to_bytes().expect_err("they differ");
    assert!(!other.to_string().contains("has no"), "{other}");
}

#[test]
fn fields_that_are_params_agree_and_what_may_be_absent() {
    let bytes = |zones: u8, x: u64, gaps: &str| {
        stream(&format!("zones = i4  x = f8[{x}]  gaps = f8[{gaps}]"), &[zones])
    };
    let read = Counted::from_bytes(bytes(4, 4, "3")).expect("they agree");
    assert_eq!((read.zones, read.x.len(), read.gaps.map(|it| it.len())), (4, 4, Some(3)));
    assert!(Counted::from_bytes(bytes(4, 4, "0, 3")).expect("absent").gaps.is_none());
    let error = Counted::from_bytes(bytes(5, 4, "3")).expect_err("another number").to_string();
    assert!(error.starts_with("`/x`: expected shape [5], found [4]"), "{error}");
    let error = Counted::from_bytes(bytes(4, 4, "4")).expect_err("another number").to_string();
    assert!(error.starts_with("`/gaps`: expected shape [3], found [4]"), "{error}");
}

#[test]
fn structs_within_are_checked_each_by_itself() {
    let part = |x: u64, y: u64| format!("x = f4[{x}]  y = f4[{y}]  names = S1[{y}, 2]");
    let mesh = |parts: &[(u64, u64)], whole: (u64, u64)| {
        let parts: Vec<String> =
            parts.iter().map(|(x, y)| format!("parts[/ {}]", part(*x, *y))).collect();
        format!("n = u1  {} whole/ {} /", parts.join("  "), part(whole.0, whole.1))
    };
    let read = |parts: &[(u64, u64)], whole| Mesh::from_bytes(zeros(&mesh(parts, whole)));
    let good = read(&[(1, 1), (3, 3)], (2, 2)).expect("each agrees");
    assert_eq!(good.parts.iter().map(|it| it.x.len()).collect::<Vec<_>>(), [1, 3]);
    let error = read(&[(1, 1), (3, 2)], (2, 2)).expect_err("the second differs").to_string();
    assert!(error.starts_with("`/parts/1/y`: expected shape [3], found [2]"), "{error}");
    let error = read(&[(1, 1)], (2, 5)).expect_err("it differs").to_string();
    let expected = "`/whole/y`: expected shape [2], found [5] (the shape expected is from /whole/N = 2, as \
                    `/whole/x` of shape [2] has it)";
    assert_eq!(error, expected);
}

#[test]
fn what_an_old_stream_lacks_is_no_matter() {
    let read = Grown::from_bytes(zeros("rho = f8[4]  side = f8[3]")).expect("an old one");
    assert_eq!((read.rho.len(), read.extra.len(), read.ny, read.side.len()), (4, 0, 0, 3));
    let layout = "rho = f8[4]  extra = f8[3]  side = f8[3]";
    let error = Grown::from_bytes(zeros(layout)).expect_err("it is there").to_string();
    assert!(error.starts_with("`/extra`: expected shape [4], found [3]"), "{error}");
}

#[test]
fn what_is_wrong_with_a_file_names_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("space");
        path
    };
    let errors = [
        (file("none.bd", b"some text"), "no native stream: it does not begin with"),
        (file("shape.bd", &zeros("rho = f8[2, 2]  u = f8[7, 5]")), "`/u`: expected shape [3, 3]"),
        (file("type.bd", &zeros("rho = f4[2, 2]  u = f8[3, 3]")), "`/rho`: expected elements"),
        (file("lacks.bd", &zeros("rho = f8[2, 2]")), "no item `/u`"),
        (file("text.bd", &zeros("rho = q8[2, 2]")), "the layout has an error at 1:7"),
    ];
    for (path, expected) in errors {
        let error = State::read_bd(&path).expect_err(expected).to_string();
        assert!(error.starts_with(&format!("`{}`: {expected}", path.display())), "{error}");
    }
    // Each name comes once.
    let missing = State::read_bd(folder.path().join("no.bd")).expect_err("no file").to_string();
    assert_eq!(missing.matches("no.bd").count(), 1, "{missing}");
    let parts = State::open_bd(folder.path().join("type.bd")).expect("a stream");
    let error = parts.rho().map(drop).expect_err("another type").to_string();
    assert!(error.contains("type.bd`: `/rho`: expected elements"), "{error}");
}
