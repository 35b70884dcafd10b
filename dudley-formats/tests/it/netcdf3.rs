//! netCDF-3 files made byte by byte: what is read, and what is said of damaged ones.

use dudley::elements::Conversion;
use dudley::model::{Candidate, Dataset, Formats};
use dudley::verify::Finding;
use dudley::{Error, Open, Severity};
use proptest::prelude::*;

fn formats() -> Formats {
    Formats::builtin().with(dudley_formats::formats())
}

fn open(bytes: Vec<u8>) -> dudley::Result<Dataset> {
    formats().source("made", bytes, &Open::new())
}

fn verify(bytes: Vec<u8>) -> Vec<Finding> {
    let mut found = Vec::new();
    let candidate = Candidate::source("made", bytes, 0);
    let verified =
        formats().verify(&candidate, &Open::new(), &mut |it| found.push(it), &mut |_| ());
    verified.expect("it is read");
    found
}

/// The codes of what is found that are errors.
fn errors(bytes: Vec<u8>) -> Vec<&'static str> {
    let found = verify(bytes).into_iter().filter(|it| it.severity == Severity::Error);
    found.map(|it| it.code).collect()
}

/// A header as it is written.
struct Made {
    version: u8,
    bytes: Vec<u8>,
}

impl Made {
    fn new(version: u8, records: u64) -> Made {
        let mut made = Made { version, bytes: vec![b'C', b'D', b'F', version] };
        made.count(records);
        made
    }

    fn u4(&mut self, number: u32) {
        self.bytes.extend(number.to_be_bytes());
    }

    fn count(&mut self, number: u64) {
        if self.version == 5 {
            self.bytes.extend(number.to_be_bytes());
        } else {
            self.u4(number as u32);
        }
    }

    fn padded(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }

    fn name(&mut self, name: &[u8]) {
        self.count(name.len() as u64);
        self.padded(name);
    }

    fn list(&mut self, tag: u32, count: u64) {
        self.u4(if count == 0 { 0 } else { tag });
        self.count(count);
    }

    fn dims(&mut self, dims: &[(&str, u64)]) {
        self.list(10, dims.len() as u64);
        for (name, len) in dims {
            self.name(name.as_bytes());
            self.count(*len);
        }
    }

    fn attributes(&mut self, attributes: &[(&str, u32, u64, &[u8])]) {
        self.list(12, attributes.len() as u64);
        for (name, kind, count, bytes) in attributes {
            self.name(name.as_bytes());
            self.u4(*kind);
            self.count(*count);
            self.padded(bytes);
        }
    }

    /// A variable without attributes.
    fn variable(&mut self, name: &str, dims: &[u64], kind: u32, bytes: u64, begin: u64) {
        self.name(name.as_bytes());
        self.count(dims.len() as u64);
        dims.iter().for_each(|dim| self.count(*dim));
        self.list(12, 0);
        self.u4(kind);
        self.count(bytes);
        match self.version {
            1 => self.u4(begin as u32),
            _ => self.bytes.extend(begin.to_be_bytes()),
        }
    }

    /// With data from an address on.
    fn with(mut self, address: usize, data: &[u8]) -> Vec<u8> {
        assert!(self.bytes.len() <= address, "the header ends at {}", self.bytes.len());
        self.bytes.resize(address, 0);
        self.bytes.extend(data);
        self.bytes
    }
}

/// Two record variables, of which the first has padding, and one without records.
fn sample(version: u8, records: u64) -> Vec<u8> {
    let mut made = Made::new(version, records);
    made.dims(&[("time", 0), ("x", 3)]);
    let nan = [f64::NAN.to_be_bytes(), 1.5_f64.to_be_bytes()].concat();
    made.attributes(&[
        ("title", 2, 7, b"A title"),
        ("const", 1, 1, &[0xff]),
        ("range", 6, 2, &nan),
        ("none", 4, 0, b""),
    ]);
    made.list(11, 3);
    made.variable("fixed", &[1], 3, 8, 512);
    made.variable("a", &[0, 1], 1, 4, 520);
    made.variable("b", &[0], 4, 4, 524);
    made.with(512, &[0, 1, 0, 2, 0, 3, 0, 0, 1, 2, 3, 0, 0, 0, 0, 7, 4, 5, 6, 0, 0, 0, 0, 8])
}

#[test]
fn variables_are_items() {
    for version in [1, 2, 5] {
        let dataset = open(sample(version, 2)).expect("a file");
        assert_eq!((dataset.describe(), dataset.format()), ("a netCDF-3 file", "netcdf3"));
        // By the part of the layout that declares it, and by all of it.
        for _ in 0..2 {
            let read = |path: &str| {
                dataset.select(path).and_then(|it| it.read_as::<i64>(Conversion::Lossless))
            };
            let values =
                |path: &str| read(path).expect("numbers").iter().copied().collect::<Vec<_>>();
            assert_eq!(values("/fixed"), [1, 2, 3]);
            assert_eq!(values("/a"), [1, 2, 3, 4, 5, 6]);
            assert_eq!(values("/a[1, ::2]"), [4, 6]);
            assert_eq!(values("/b"), [7, 8]);
            let a = dataset.get("/a").expect("a variable");
            let names = a.item().expect("an item").dim_names().expect("names");
            assert_eq!(names, [Some("time".to_owned()), Some("x".to_owned())]);
            assert!(dataset.get("/c").is_err());
            dataset.root().expect("the whole layout");
        }
        let text = dataset.layout().expect("a layout").expect("a text").text;
        assert!(
            text.starts_with(
                ">\n## A title\n#: const_ = -1, range = [\"NaN\", \"1.5\"], none = [], attribute_types = [\"i1 const\", \"i4 none\"], unlimited_dims = [\"time\"]\n"
            ),
            "{text}"
        );
        let checked = dudley_parser::check(text.as_bytes());
        assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
        assert_eq!(errors(sample(version, 2)), [""; 0]);
    }
}

/// Some writers leave all padding as it was in memory: that is one finding, not one for each name.
#[test]
fn padding_is_one_finding() {
    for odd in [0, 1, 3] {
        let mut file = sample(1, 2);
        let names: Vec<usize> = [&b"time\0"[..], b"title\0", b"const\0"]
            .iter()
            .filter_map(|name| file.windows(name.len()).position(|it| it == *name))
            .collect();
        // `x`, behind the dimension `time` and its length, has three bytes of padding, as `title` and `const` have.
        let places = [names[0] + 4 + 4 + 4 + 3, names[1] + 7, names[2] + 7];
        places[..odd].iter().for_each(|at| file[*at] = 1);
        let found: Vec<_> = verify(file).into_iter().filter(|it| it.code == "padding").collect();
        assert_eq!(found.len(), odd.min(1), "{found:?}");
        for finding in found {
            assert_eq!(finding.address, Some(places[0] as u64 - 2), "{finding:?}");
            assert_eq!(finding.message.contains("2 more places"), odd == 3, "{finding:?}");
        }
    }
}

#[test]
fn the_length_of_the_file_may_say_how_many_records_there_are() {
    for (version, none) in [(1, u64::from(u32::MAX)), (5, u64::MAX)] {
        let mut file = sample(version, none);
        file.extend([0; 7]);
        let data = open(file).expect("a file").get("/b").and_then(|it| it.data());
        assert_eq!(data.expect("an array").shape(), [2]);
    }
}

/// Bytes of exactly one record variable follow each other without padding.
#[test]
fn one_record_variable_has_no_padding() {
    let mut made = Made::new(1, 3);
    made.dims(&[("time", 0), ("x", 3)]);
    made.attributes(&[]);
    made.list(11, 1);
    made.variable("a", &[0, 1], 1, 4, 128);
    let file = made.with(128, &[1, 2, 3, 4, 5, 6, 7, 8, 9]);
    let values = open(file).and_then(|it| it.select("/a[2]")?.read::<i8>());
    assert_eq!(values.expect("a record").as_slice(), Some(&[7, 8, 9][..]));
}

/// A part that is damaged keeps nobody from the others, and is named.
#[test]
fn what_cannot_be_placed_is_left_out() {
    let made = |variables: &[(&str, &[u64], u32, u64)]| {
        let mut made = Made::new(2, 2);
        made.dims(&[("time", 0), ("x", 3), ("huge", u64::from(u32::MAX)), ("again", 0)]);
        made.attributes(&[]);
        made.list(11, variables.len() as u64 + 1);
        made.variable("good", &[1], 1, 4, 512);
        for (name, dims, kind, begin) in variables {
            made.variable(name, dims, *kind, 4, *begin);
        }
        made.with(512, &[1; 64])
    };
    for (variable, code, why) in [
        (("t", &[1][..], 9, 516), "variable", "of type 9"),
        (("t", &[7][..], 1, 516), "variable", "number 7, and there are 4"),
        (("t", &[1, 0][..], 1, 516), "variable", "`time` counts records"),
        (("t", &[3, 1][..], 1, 516), "variable", "`again` counts records"),
        (("t", &[2, 2, 2][..], 1, 516), "variable", "63 bits"),
        (("t", &[1][..], 1, 1 << 63), "variable", "63 bits"),
        (("good", &[1][..], 1, 516), "variable", "another variable has its name"),
        (("t", &[1][..], 1, 8), "begin", "begins at address 8"),
        (("t", &[0, 1][..], 8, 520), "variable", "of type 8"),
    ] {
        let file = made(&[variable]);
        let found = verify(file.clone());
        let named = |it: &&Finding| it.code == code && it.severity == Severity::Error;
        let finding = found.iter().filter(named).find(|it| it.message.contains(why));
        let finding = finding.unwrap_or_else(|| panic!("{why}: {found:?}"));
        assert_eq!(finding.path.as_deref(), Some(&*format!("/{}", variable.0)));
        let dataset = open(file).expect("a file");
        let good = dataset.select("/good").and_then(|it| it.read::<i8>());
        assert_eq!(good.expect("the other").sum(), 3, "{why}");
        assert_eq!(dataset.root().expect("items").children().expect("items").count(), 1, "{why}");
    }
    // How long a record is cannot be known.
    let file = made(&[("a", &[0], 4, 520), ("b", &[0], 12, 524)]);
    let dataset = open(file).expect("a file");
    assert!(dataset.get("/a").is_err() && dataset.get("/good").is_ok());
    // The records have no name, so nothing beside them may have none; nor are names distinguished by what a layout cannot have.
    let record = ("a", &[0][..], 4, 520);
    for (names, left) in [(["", "t"], 3), (["\0", "t"], 3), (["t\0u", "t\u{fffd}u"], 3)] {
        let file = made(&[(names[0], &[1], 1, 516), (names[1], &[1], 1, 516), record]);
        assert!(errors(file.clone()).contains(&"variable"), "{names:?}");
        let root = open(file).expect("a file").root().expect("a layout");
        assert_eq!(root.children().expect("items").count(), left, "{names:?}");
    }
    // Nor is another one in its place where one has the name of another.
    let file = made(&[("a", &[0], 4, 520), ("a", &[0], 4, 524), ("b", &[0], 4, 528)]);
    let place = open(file).and_then(|it| it.get("/b[:]").or_else(|_| it.get("/b")));
    let strides = place.expect("a variable").data().expect("an array").strides().to_vec();
    assert_eq!(strides, [12]);
}

#[test]
fn damaged_headers_are_told_with_the_address() {
    let whole = sample(1, 2);
    for (at, byte, address, why) in [
        (3, 4, 3, "version 4"),
        (11, 9, 8, "dimensions begins with 9"),
        (12, 0x80, 12, "do not fit"),
        (16, 0x80, 20, "the file ends within the name"),
    ] {
        let mut file = whole.clone();
        file[at] = byte;
        match open(file).map(drop) {
            Err(Error::Malformed { address: found, what }) => {
                assert!(found == address && what.contains(why), "{why}: {what} ({found})");
            }
            other => panic!("{why}: {other:?}"),
        }
    }
    let padding = whole.iter().position(|byte| *byte == b'x').expect("a name") + 2;
    let mut file = whole.clone();
    file[padding] = 1;
    assert_eq!(errors(file.clone()), ["padding"]);
    assert!(open(file).is_ok());
    // Each cut is an error for the code that reads what is no longer there, and for nobody else.
    for len in 0..whole.len() {
        let Ok(dataset) = open(whole[..len].to_vec()) else { continue };
        let read = |path: &str| {
            dataset.select(path).and_then(|it| it.read_as::<i64>(Conversion::Lossless))
        };
        assert_eq!(read("/fixed").is_ok(), len >= 518, "{len}");
        assert_eq!(read("/a").is_ok(), len >= 531, "{len}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn no_bytes_make_it_panic(
        version in prop::sample::select(vec![1_u8, 2, 5]),
        changes in prop::collection::vec((3..520_usize, any::<u8>()), 0..6),
        len in 4..545_usize,
    ) {
        let mut file = sample(version, 2);
        for (at, byte) in changes {
            file[at] = byte;
        }
        file.truncate(len);
        if file[3] < b'\t' {
            verify(file.clone());
        }
        if let Ok(dataset) = open(file) {
            let text = dataset.layout().expect("a layout").expect("a text").text;
            prop_assert!(dudley_parser::check(text.as_bytes()).layout.is_some(), "{}", text);
            for child in dataset.root().expect("a root").children().expect("items") {
                let child = child.expect("an item");
                let _ = dataset.get(&child.path()).and_then(|it| it.data()?.value());
            }
        }
    }
}

/// A variable of random numbers.
struct Random {
    dims: Vec<u64>,
    kind: u32,
    begin: u64,
}

/// The number of a type that bytes are.
fn decoded(kind: u32, bytes: &[u8]) -> f64 {
    match kind {
        1 => f64::from(i8::from_be_bytes([bytes[0]])),
        3 => f64::from(i16::from_be_bytes([bytes[0], bytes[1]])),
        4 => f64::from(i32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
        _ => f64::from(f32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
    }
}

proptest! {
    /// Numbers in variables of any dimensions are read as they lie in the file.
    #[test]
    fn values_are_those_that_lie_there(
        version in prop::sample::select(vec![1_u8, 2, 5]),
        lens in [1..4_u64, 1..5_u64],
        records in 0..4_u64,
        made in prop::collection::vec((prop::collection::vec(1..3_u64, 0..3), any::<bool>(), prop::sample::select(vec![1_u32, 3, 4, 5])), 1..6),
        seed in any::<u8>(),
    ) {
        let size = |kind: u32| match kind { 1 => 1, 3 => 2, _ => 4_u64 };
        let len = |dim: u64| lens[dim as usize - 1];
        let bytes = |dims: &[u64], kind| dims.iter().filter(|dim| **dim > 0).map(|dim| len(*dim)).product::<u64>() * size(kind);
        let start = 1024;
        let (fixed, varying): (Vec<_>, Vec<_>) = made.into_iter().partition(|it| !it.1);
        let (mut at, mut variables) = (start, Vec::new());
        for (dims, _, kind) in fixed {
            variables.push(Random { begin: at, dims: dims.clone(), kind });
            at += bytes(&dims, kind).next_multiple_of(4);
        }
        let first = at;
        // The only one of its kind has no padding.
        let is_alone = varying.len() == 1;
        for (dims, _, kind) in varying {
            let dims = [vec![0], dims].concat();
            let length = bytes(&dims, kind);
            variables.push(Random { begin: at, dims, kind });
            at += if is_alone { length } else { length.next_multiple_of(4) };
        }
        let record = at - first;
        let mut header = Made::new(version, records);
        header.dims(&[("time", 0), ("x", lens[0]), ("y", lens[1])]);
        header.attributes(&[]);
        header.list(11, variables.len() as u64);
        for (number, it) in variables.iter().enumerate() {
            header.variable(&format!("v{number}"), &it.dims, it.kind, bytes(&it.dims, it.kind).next_multiple_of(4), it.begin);
        }
        // Of floats the exponent is never that of NaN.
        let data: Vec<u8> = (0..first + records * record - start).map(|at| (at as u8).wrapping_mul(37).wrapping_add(seed) & 0x7e).collect();
        let file = header.with(start as usize, &data);
        let dataset = open(file.clone()).expect("a file");
        for (number, it) in variables.iter().enumerate() {
            let mut expected = Vec::new();
            let (times, varies) = if it.dims.first() == Some(&0) { (records, record) } else { (1, 0) };
            for time in 0..times {
                let begin = (it.begin + time * varies) as usize;
                let bytes = &file[begin..begin + bytes(&it.dims, it.kind) as usize];
                expected.extend(bytes.chunks(size(it.kind) as usize).map(|bytes| decoded(it.kind, bytes)));
            }
            let found = dataset.select(&format!("/v{number}")).and_then(|it| it.read_as::<f64>(Conversion::Lossless));
            let found: Vec<f64> = found.expect("numbers").iter().copied().collect();
            prop_assert_eq!(found, expected, "v{} {:?}", number, it.dims);
        }
    }
}
