//! Do structs fit a layout that was written by hand, and give streams of it?

use dudley::ndarray::Array2;
use dudley::{ByteOrder, Dudley, Open};

#[derive(Clone, Debug, PartialEq, Dudley)]
#[dudley(layout = "structs/restart.dud")]
struct Restart {
    time: f64,
    #[dudley(name = "JMAX")]
    jmax: u32,
    #[dudley(name = "two words")]
    words: u32,
    title: String,
    tags: Vec<String>,
    labels: Vec<String>,
    rho: Array2<f64>,
    weight: [f32; 4],
    speed: Option<Vec<f32>>,
    mesh: Mesh,
    points: Vec<Point>,
    history: Vec<Entry>,
    spare: Option<Spare>,
    #[dudley(skip)]
    scratch: Option<std::thread::ThreadId>,
}

#[derive(Clone, Debug, PartialEq, Dudley)]
struct Mesh {
    x: Vec<f64>,
    deeper: Deeper,
}

#[derive(Clone, Debug, PartialEq, Dudley)]
struct Deeper {
    flags: Vec<[bool; 2]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Dudley)]
#[dudley(record)]
struct Point {
    // The order of the layout counts, not this one.
    kind: Kind,
    at: [f64; 2],
    r#where: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Dudley)]
#[dudley(record)]
struct Place {
    lat: f32,
    lon: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Dudley)]
#[repr(i8)]
enum Kind {
    Low = -1,
    High = 1,
}

#[derive(Clone, Debug, PartialEq, Dudley)]
struct Entry {
    t: f64,
    peaks: Vec<f32>,
}

#[derive(Clone, Debug, PartialEq, Dudley)]
struct Spare {
    only: u8,
}

fn restart() -> Restart {
    let point = |kind, lat| Point { kind, at: [1.0, 2.0], r#where: Place { lat, lon: -1.0 } };
    Restart {
        time: 2.5,
        jmax: 3,
        words: 70_000,
        title: "by hand".to_owned(),
        tags: vec!["\u{3c1}".to_owned(), "four".to_owned()],
        labels: vec![String::new(), "b".to_owned()],
        rho: Array2::from_shape_fn((2, 4), |(j, i)| (j * 10 + i) as f64),
        weight: [1.0, 2.0, 3.0, 4.0],
        speed: Some(vec![0.5; 5]),
        mesh: Mesh { x: vec![0.0; 5], deeper: Deeper { flags: vec![[true, false]; 3] } },
        points: vec![point(Kind::Low, 50.0), point(Kind::High, 51.0)],
        history: vec![Entry { t: 1.0, peaks: vec![1.0, 2.0] }],
        spare: Some(Spare { only: 9 }),
        scratch: None,
    }
}

#[test]
fn streams_of_it_come_back() {
    let full = restart();
    let bare = Restart { speed: None, spare: None, ..restart() };
    for value in [full, bare] {
        assert_eq!(Restart::from_bytes(value.to_bytes().expect("written")).expect("read"), value);
        let bytes = value.writer().expect("given").raw().to_bytes().expect("written");
        let open = Open::new().raw().layout(Restart::layout().expect("a layout"));
        let stream = open.bytes(bytes).expect("opened");
        assert_eq!(stream.order(), ByteOrder::Big);
        assert_eq!(Restart::from_stream(&stream).expect("read"), value);
    }
}

#[test]
fn the_stream_is_what_the_layout_says() {
    let bytes = restart().to_bytes().expect("written");
    let stream = Open::new().bytes(bytes).expect("opened");
    let param = |path: &str| stream.get(path).and_then(|it| it.param_value()).expect("a param");
    assert_eq!(["/:IMAX", "/:JMAX", "/:NP", "/:THERE", "/:THERE2"].map(param), [5, 3, 2, -1, 1]);
    assert_eq!(["/mesh/deeper/:N", "/history/0/:K"].map(param), [3, 1]);
    assert_eq!(stream.get("/magic").and_then(|it| it.scalar::<u16>()).expect("read"), 513);
    let marks = stream.get("/points").and_then(|it| it.data()?.field("mark")?.read_texts());
    assert_eq!(marks.expect("read").as_slice(), Some(&["PT".to_owned(), "PT".to_owned()][..]));
    let lon = stream.get("/points").and_then(|it| it.data()?.field("where")?.field("lon"));
    assert_eq!(lon.and_then(|it| it.read::<f32>()).expect("read").sum(), -2.0);
}

#[test]
fn shapes_that_disagree_are_refused_by_the_param_that_decides() {
    let refused = |change: fn(&mut Restart)| {
        let mut value = restart();
        change(&mut value);
        value.writer().err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_eq!(
        refused(|it| it.mesh.x = vec![0.0; 6]),
        "`/mesh/x`: expected shape [5], found [6] (the shape expected is from /IMAX = 5)"
    );
    assert_eq!(
        refused(|it| it.jmax = 4),
        "`/rho`: expected shape [3, 4], found [2, 4] (the shape expected is from /JMAX = 4, /IMAX = 5)"
    );
    assert_eq!(
        refused(|it| it.speed = Some(vec![0.0; 4])),
        "`/speed`: expected shape [5], found [4] (the shape expected is from /THERE = -1, /JMAX = 3)"
    );
    assert_eq!(
        refused(|it| it.history.clear()),
        "`/history`: expected shape [1], found [0] (the shape expected is from /NP = 2)"
    );
    assert_eq!(
        refused(|it| it.labels.push(String::new())),
        "`/labels`: expected shape [2], found [3] (the shape expected is from /NP = 2)"
    );
    // Longer than its room: the writer of the stream says so.
    let mut long = restart();
    long.title = "longer than twelve".to_owned();
    let error = long.to_bytes().expect_err("too long").to_string();
    assert!(error.starts_with("`/title`: "), "{error}");
}
