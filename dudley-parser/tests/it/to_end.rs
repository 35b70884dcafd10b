//! Params that take what the stream has left (spec 4.9), beside the definition: the greatest number that fits.

use dudley_parser::layout::{ArrayId, Layout, ParamId};
use dudley_parser::resolve::{Fault, Given, ParamAt, Resolver, State, Values};
use dudley_parser::{Severity, check, check_to_read};

/// Items that take what is left by `N`, and may stand behind a header of some bytes.
const TAKERS: [&str; 16] = [
    "x = u1[N]",
    "x = f8[N]",
    "x = i4[N, 3] %8",
    "x = {a = i2  b = u1[3]}[N]",
    "d/ x = u2[N, -1] @6",
    "\"\" = {t = f4  v = i2[5]}[N]",
    "mesh {\"\" = i2[3]}  x = mesh[N]",
    "x = {n : u1  v = u2[n]}[N]",
    "x = {n : u1  v = u2[n]}[N, 2]",
    "x = {k : u1  v = {n : u1  w = u1[n, k]}[2]}[N]",
    "l [u1, f8]*N",
    "l [i2 %4, {}, u1[3]]*N",
    "l [u1, i4]*2  l[N]",
    "l [/ n : u1  v = i2[n]  w [u1]*n]*N",
    "l [{n : u1  v = u2[n]}, u1]*N",
    "K : u1  l [[u1, i2]*K, u1]*N",
];

struct Bytes(Vec<u8>);

impl Values for Bytes {
    fn param(&self, at: &ParamAt) -> Result<i128, Fault> {
        let past = || Fault::Source(std::sync::Arc::new(std::io::Error::other("past the end")));
        self.0.get(at.address as usize).map(|byte| i128::from(*byte)).ok_or_else(past)
    }

    fn stored(&self, _: ArrayId, _: u64) -> Result<u64, Fault> {
        Err(Fault::Unknown)
    }
}

fn layout(text: &str) -> Layout {
    let checked = check(text.as_bytes());
    checked.layout.unwrap_or_else(|| panic!("{text}: {:?}", checked.diagnostics))
}

/// The greatest number with which the item ends within the stream, found by trying.
fn tried(layout: &Layout, id: ParamId, bytes: &Bytes) -> i64 {
    let length = bytes.0.len() as u64;
    let (_, taker) = layout.takers().next().expect("one takes what is left");
    let fits = |count: i64| {
        let given =
            Given { params: [(id, count.into())].into_iter().collect(), ..Given::default() };
        let mut state = State::new();
        let mut resolver = Resolver::new(layout, &given, bytes, &mut state);
        let placed = resolver.step_extent(layout.taker_step(taker));
        placed.is_ok_and(|placed| placed.address + placed.bytes <= length)
    };
    // One that does not fit is followed by none that does.
    (1..).take_while(|count| fits(*count)).last().unwrap_or(0)
}

#[test]
fn the_greatest_number_that_fits_is_taken() {
    let mut random = 1_u64;
    let mut seen = std::collections::BTreeSet::new();
    for taker in TAKERS {
        for header in [0, 1, 5] {
            let layout = layout(&format!("N : 0  #: to_end\nh = u1[{header}]\n{taker}\n"));
            let (id, _) = layout.takers().next().expect("one takes what is left");
            for length in header..90 {
                let mut byte = || {
                    random = random
                        .wrapping_mul(0x5851_f42d_4c95_7f2d)
                        .wrapping_add(0x1405_7b7e_f767_814f);
                    ((random >> 60) % 4) as u8
                };
                let bytes = Bytes((0..length).map(|_| byte()).collect());
                let given = Given { stream_bytes: Some(length), ..Given::default() };
                let mut state = State::new();
                let mut resolver = Resolver::new(&layout, &given, &bytes, &mut state);
                let found = resolver.value(id);
                if taker.starts_with('K') && length <= header {
                    // The count is cut off itself.
                    assert!(found.is_err());
                    continue;
                }
                let expected = tried(&layout, id, &bytes);
                let found = found.unwrap_or_else(|error| panic!("{taker}, {length}: {error}"));
                assert_eq!(found, expected, "{taker} behind {header} bytes, of {:?}", bytes.0);
                // What is left is reported.
                let placed = resolver.data_end().expect("all is placed");
                let left = resolver.left_over(id).expect("it is placed").expect("it is by length");
                assert!(left <= length - placed.min(length), "{taker}: {left} of {length}");
                seen.insert(found);
            }
        }
    }
    assert!(seen.len() > 40, "{seen:?}");
}

#[test]
fn without_a_stream_the_value_is_that_of_the_text_or_the_caller() {
    let layout = layout("N : 3  #: to_end\nx = f8[N]");
    let (id, _) = layout.takers().next().expect("one takes what is left");
    let value = |given: Given| {
        let (bytes, mut state) = (Bytes(vec![0; 99]), State::new());
        Resolver::new(&layout, &given, &bytes, &mut state).value(id).expect("a value")
    };
    assert_eq!(value(Given::default()), 3);
    assert_eq!(value(Given { stream_bytes: Some(40), ..Given::default() }), 5);
    let params = [(id, 2)].into_iter().collect();
    assert_eq!(value(Given { stream_bytes: Some(40), params, ..Given::default() }), 2);
}

#[test]
fn what_takes_no_bytes_has_no_number() {
    for taker in
        ["x = {}[N]", "K : 0  x = f8[N, K]", "l [{}]*N", "x = {n : u1  v = u1[n] @0}[N, 0]"]
    {
        let text = format!("N : 0  #: to_end\n{taker}");
        let found = check(text.as_bytes()).diagnostics;
        assert!(found.iter().any(|it| it.code == "to-end"), "{taker}: {found:?}");
        let layout = check_to_read(text.as_bytes()).layout.expect(taker);
        let (id, _) = layout.takers().next().expect("one takes what is left");
        let given = Given { stream_bytes: Some(9), ..Given::default() };
        let (bytes, mut state) = (Bytes(vec![0; 9]), State::new());
        let error = Resolver::new(&layout, &given, &bytes, &mut state).value(id);
        let error = error.expect_err(taker).to_string();
        let expected =
            "the param /N takes what the stream has left, and what it counts takes no bytes";
        assert_eq!(error, expected, "{taker}");
    }
}

/// Texts, the code of what is wrong with them, and where.
const WRONG: [(&str, &str, &str); 17] = [
    ("N : i4  #: to_end\nx = u1[N]", "to-end", "to_end"),
    ("l [/ N : 0  #: to_end\n x = u1[N]]", "to-end", "to_end"),
    ("x = {N : 0  #: to_end\n y = u1[N]}", "to-end", "to_end"),
    ("N : 0  #: to_end\nx = u1[N, N]", "to-end", "N]"),
    ("N : 0  #: to_end\nx = u1[N]  y = u2[N] @1", "to-end", "N] @1"),
    ("N : 0  #: to_end\nx = u1[3, N]", "to-end", "N]"),
    ("N : 0  #: to_end\nx = u1[N+]", "to-end", "N+"),
    ("N : 0  #: to_end\nx = u1[N*2]", "to-end", "N*2"),
    ("N : 0  #: to_end\nl [u1]*(N+1)", "to-end", "(N+1)"),
    ("N : 0  #: to_end\nx = u1 @N", "to-end", "@N"),
    ("N : 0  #: to_end\nx = u1[N] -> zlib", "to-end", "N] ->"),
    ("N : 0  #: to_end\nx = u1[9] -> zlib[N]", "to-end", "N]"),
    ("N : 0  #: to_end\nT {a = u1[N]}  x = T", "to-end", "N]}"),
    ("N : 0  #: to_end\nl [u1[N], u2]*2", "to-end", "N], u2"),
    ("N : 0  #: to_end\nl [u1, u2 @8]*N", "to-end", "N"),
    ("N : 0  #: to_end\nx = u1[N]\ny = u2", "behind-to-end", "y = u2"),
    ("N : 0  #: to_end\nx = u1[N]\nd/ K : 3  l [u2]*0  m [/ y = u2 @4]  z = u1[K]", "", ""),
];

#[test]
fn what_cannot_be_is_told_where_it_stands() {
    for (text, code, place) in WRONG {
        let found = check(text.as_bytes()).diagnostics;
        let found: Vec<_> = found.iter().filter(|it| it.severity == Severity::Error).collect();
        if code.is_empty() {
            assert!(found.is_empty(), "{text}: {found:?}");
            continue;
        }
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        let start = found[0].primary.span.start as usize;
        assert_eq!(found[0].code, code, "{text}");
        assert!(text[start..].starts_with(place), "{text}: at {:?}", &text[start..]);
    }
}

#[test]
fn what_says_two_things_at_once_is_refused() {
    for (text, code) in [
        ("N : 0  #: to_end, stream_bytes\nx = u1[N]", "to-end"),
        ("N : 0  #: stream_bytes\n#: to_end\nx = u1[N]", "to-end"),
        ("N : 0  #: to_end = 0\nx = u1[N]", "to-end"),
        ("N : 0  #: to_end = \"no\"\nx = u1[N]", "to-end"),
        ("N : 0  #: stream_bytes = 0\nx = u1[N]", "stream-bytes"),
    ] {
        let found = check(text.as_bytes()).diagnostics;
        let found: Vec<_> = found.iter().filter(|it| it.severity > Severity::Note).collect();
        assert_eq!(found.iter().map(|it| it.code).collect::<Vec<_>>(), [code], "{text}");
    }
}
