//! FITS files made of cards and bytes: what is read of them, and what is said of wrong ones.

use dudley::model::{Candidate, Dataset, Formats};
use dudley::{Open, Value};
use proptest::prelude::*;

const BLOCK: usize = 2880;

fn formats() -> Formats {
    Formats::builtin().with(dudley_formats::formats())
}

fn candidate(bytes: &[u8]) -> Candidate {
    Candidate::source("x.fits", bytes.to_vec(), 0)
}

fn open(bytes: &[u8]) -> dudley::Result<Dataset> {
    formats().open(&candidate(bytes), &Open::new())
}

/// The codes of what is wrong, with the addresses.
fn verify(bytes: &[u8]) -> Vec<(String, Option<u64>)> {
    let mut found = Vec::new();
    let mut add = |it: dudley::verify::Finding| found.push((it.code.to_owned(), it.address));
    formats().verify(&candidate(bytes), &Open::new(), &mut add, &mut |_| ()).expect("it is read");
    found
}

/// A header: cards, END, blanks.
fn header(cards: &[&str]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for card in cards.iter().chain(&["END"]) {
        bytes.extend(format!("{card:80}").bytes());
    }
    bytes.resize(bytes.len().next_multiple_of(BLOCK), b' ');
    bytes
}

fn hdu(cards: &[&str], data: &[u8]) -> Vec<u8> {
    let mut bytes = header(cards);
    bytes.extend(data);
    bytes.resize(bytes.len().next_multiple_of(BLOCK), 0);
    bytes
}

const NONE: [&str; 3] = ["SIMPLE  = T", "BITPIX  = 8", "NAXIS   = 0"];

fn table(cards: &[&str], data: &[u8]) -> Vec<u8> {
    [
        hdu(&NONE, &[]),
        hdu(&[&["XTENSION= 'BINTABLE'", "BITPIX  = 8", "NAXIS   = 2"], cards].concat(), data),
    ]
    .concat()
}

fn value(dataset: &Dataset, path: &str) -> Value {
    dataset.select(path).and_then(|it| it.value()).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn ints(values: &[i128]) -> Value {
    Value::Array(values.iter().copied().map(Value::Int).collect())
}

#[test]
fn images_have_paths_attributes_and_physical_values() {
    let bytes = hdu(
        &[
            "SIMPLE  =                    T",
            "HIERARCH BITPIX = 8",
            "BITPIX  =                   16",
            "NAXIS   =                    2",
            "NAXIS1  =                    3",
            "NAXIS2  =                    1",
            "BZERO   =                32768",
            "BUNIT   = 'adu'",
            "EXPTIME =                  1.5 / seconds",
            "HIERARCH scale_factor = 7",
            "HIERARCH order = 'F'",
            "HIERARCH NAXIS1 = 9",
            "FILTER  = 'F: 606'",
            "DP1     = 'NAXES: 2'",
        ],
        &[0x80, 0, 0, 0, 0x7f, 0xff],
    );
    let dataset = open(&bytes).expect("it opens");
    assert_eq!(value(&dataset, "/PRIMARY[0]"), ints(&[-32768, 0, 32767]));
    let image = dataset.get("/PRIMARY").expect("the image");
    assert_eq!(image.unit().as_deref(), Some("adu"));
    assert!(image.doc().contains(&"EXPTIME: seconds".to_owned()));
    let attributes = image.attributes();
    let attribute =
        |name: &str| attributes.iter().find(|it| it.name == name).map(|it| it.value.clone());
    assert_eq!(attribute("EXPTIME"), Some(Value::Float(1.5)));
    assert_eq!(attribute("scale_factor_"), Some(Value::Int(7)));
    assert_eq!(attribute("order_"), Some(Value::Text("F".to_owned())));
    // Words are no keyword, and no texts are records but those of distortions.
    assert_eq!(attribute("HIERARCH NAXIS1"), Some(Value::Int(9)));
    assert_eq!(attribute("FILTER"), Some(Value::Text("F: 606".to_owned())));
    assert_eq!(attribute("DP1.NAXES"), Some(Value::Float(2.0)));
    let physical = image.data().and_then(|it| it.scaled()).expect("read").expect("scaled");
    assert_eq!(physical.read::<u16>().expect("unsigned").as_slice(), Some(&[0, 32768, 65535][..]));
    assert!(physical.attributes().iter().all(|it| it.name != "add_offset"));
    assert_eq!(verify(&bytes), []);
}

#[test]
fn damaged_parts_keep_nobody_from_others() {
    // The second column ends behind the row, and a cell of the first is not in the heap.
    let cards = [
        "NAXIS1  = 8",
        "NAXIS2  = 2",
        "PCOUNT  = 4",
        "TFIELDS = 2",
        "TFORM1  = '1PI'",
        "TTYPE1  = 'a/b'",
        "TFORM2  = 'J'",
    ];
    let data = [[0_u32, 2], [0, 0]].concat().into_iter().flat_map(u32::to_be_bytes);
    let mut data: Vec<u8> = data.collect();
    data[3] = 1;
    data[11] = 9;
    data.extend([0, 5, 0, 6]);
    let bytes = table(&cards, &data);
    let codes: Vec<String> = verify(&bytes).into_iter().map(|(code, _)| code).collect();
    assert!(
        codes.contains(&"fits-table".to_owned()) && codes.contains(&"fits-heap".to_owned()),
        "{codes:?}"
    );
    let dataset = open(&bytes).expect("it opens");
    assert_eq!(value(&dataset, "/HDU1.\"a/b\"[0]"), ints(&[1, 2]));
    assert_eq!(value(&dataset, "/HDU1_heap/\"a/b\"/0"), ints(&[6]));
    let error =
        dataset.select("/HDU1_heap/\"a/b\"/1").and_then(|it| it.value()).expect_err("outside");
    assert!(error.to_string().contains("/HDU1_heap"), "{error}");
}

#[test]
fn lying_headers_are_errors_with_an_address() {
    let of = |cards: &[&str]| open(&header(cards)).expect_err("an error").to_string();
    let error = of(&["SIMPLE  = T", "BITPIX  = 17", "NAXIS   = 0"]);
    assert!(error.contains("BITPIX is 17") && error.contains("address 80"), "{error}");
    let error = of(&["SIMPLE  = T", "BITPIX  = 8", "NAXIS   = 2147483648"]);
    assert!(error.contains("more than 999"), "{error}");
    let huge = [
        "SIMPLE  = T",
        "BITPIX  = 64",
        "NAXIS   = 2",
        "NAXIS1  = 4294967296",
        "NAXIS2  = 4294967296",
    ];
    assert!(of(&huge).contains("63 bits"));
    let error = of(&["SIMPLE  = T", "BITPIX  = 8", "NAXIS   = 1", "NAXIS1  = -1"]);
    assert!(error.contains("less than 0"), "{error}");
    let error = of(&["SIMPLE  = T", "BITPIX  = 8"]);
    assert!(error.contains("no NAXIS"), "{error}");
    let error = open(&header(&NONE)[..BLOCK - 1][..200]).expect_err("no END").to_string();
    assert!(error.contains("no END"), "{error}");
    // What fills the last block is missing, and with it perhaps what followed.
    let dataset = open(&header(&NONE)[..BLOCK - 80]).expect("a header with its END");
    let remarks = dataset.remarks().expect("remarks");
    assert!(remarks[0].to_string().contains("80 bytes are missing"), "{}", remarks[0]);
    assert!(open(&header(&NONE)).expect("whole").remarks().expect("remarks").is_empty());
    // Much is said to be there, and nothing is.
    let cards = ["SIMPLE  = T", "BITPIX  = 8", "NAXIS   = 1", "NAXIS1  = 1000000000000"];
    let bytes = header(&cards);
    let dataset = open(&bytes).expect("it opens");
    assert!(dataset.select("/PRIMARY").and_then(|it| it.value()).is_err());
    assert!(
        verify(&bytes).iter().any(|(code, address)| code == "fits-size" && *address == Some(2880))
    );
}

#[test]
fn what_stands_behind_is_said() {
    let bytes = [hdu(&NONE, &[]), vec![7; 100]].concat();
    assert_eq!(verify(&bytes), [("fits-behind".to_owned(), Some(2880))]);
    assert!(open(&bytes).is_ok());
}

#[test]
fn other_texts_are_no_fits_files() {
    for text in ["SIMPLE  = f8\n", "SIMPLE  =\n", "SIMPLE", ""] {
        let recognised = formats()
            .recognise(&candidate(text.as_bytes()))
            .expect("looked at")
            .map(|(_, it)| it.describe());
        assert_ne!(recognised, Some("a FITS file"), "{text}");
    }
}

/// A file with an image, a table with a heap, and an ASCII table.
fn small() -> Vec<u8> {
    let cards = [
        "NAXIS1  = 13",
        "NAXIS2  = 2",
        "PCOUNT  = 6",
        "TFIELDS = 3",
        "TFORM1  = '1PI(2)'",
        "TFORM2  = 'E'",
        "TFORM3  = 'A'",
        "TSCAL2  = 0.5",
        "EXTNAME = 'T'",
    ];
    let mut data: Vec<u8> = (0..26).collect();
    data.splice(0..8, [0, 0, 0, 2, 0, 0, 0, 0]);
    data.splice(13..21, [0, 0, 0, 1, 0, 0, 0, 4]);
    data.extend([0, 1, 0, 2, 0, 3]);
    let ascii = [
        "XTENSION= 'TABLE'",
        "BITPIX  = 8",
        "NAXIS   = 2",
        "NAXIS1  = 6",
        "NAXIS2  = 1",
        "PCOUNT  = 0",
        "GCOUNT  = 1",
        "TFIELDS = 2",
        "TBCOL1  = 1",
        "TFORM1  = 'I3'",
        "TBCOL2  = 4",
        "TFORM2  = 'F3.1'",
    ];
    let image = [
        "XTENSION= 'IMAGE'",
        "BITPIX  = -32",
        "NAXIS   = 1",
        "NAXIS1  = 2",
        "EXTNAME = 'T'",
        "LONG    = 'a&'",
        "CONTINUE  'b'",
    ];
    [table(&cards, &data), hdu(&ascii, b" 421.5"), hdu(&image, &[0, 0, 0, 0, 0x3f, 0xc0, 0, 0])]
        .concat()
}

#[test]
fn several_of_one_name_have_versions() {
    let dataset = open(&small()).expect("it opens");
    assert_eq!(value(&dataset, "/T/1.col1[1]"), ints(&[1, 4]));
    assert_eq!(value(&dataset, "/T/1_heap/col1/0"), ints(&[1, 2]));
    assert_eq!(value(&dataset, "/HDU2.col2[0]"), Value::Text("1.5".to_owned()));
    let column = |path: &str| dataset.select(path).expect(path).scaled().and_then(|it| it.value());
    assert_eq!(column("/HDU2.col2").expect("numbers"), Value::Array(vec![Value::Float(1.5)]));
    assert_eq!(column("/HDU2.col1[0]").expect("a number"), Value::Int(42));
    let Ok(Value::Array(rows)) = column("/HDU2") else { panic!("rows") };
    assert_eq!(rows[0].field("col1"), Some(&Value::Int(42)));
    // A part of a text is another number.
    assert!(column("/HDU2.col1[0, 1:]").is_err() && column("/HDU2.col2[0, ::2]").is_err());
    // A version that is there already.
    assert_eq!(
        value(&dataset, "/T/HDU3"),
        Value::Array(vec![Value::Float(0.0), Value::Float(1.5)])
    );
}

/// All that is found wrong, as text.
fn said(bytes: &[u8]) -> String {
    let mut text = String::new();
    let mut add = |it: dudley::verify::Finding| {
        text += &format!("{} {:?} {}\n", it.code, it.path, it.message);
    };
    formats().verify(&candidate(bytes), &Open::new(), &mut add, &mut |_| ()).expect("it is read");
    text
}

#[test]
fn a_heap_that_begins_elsewhere_is_named() {
    let at = |theap: &str| {
        let cards =
            ["NAXIS1  = 8", "NAXIS2  = 1", "PCOUNT  = 8", "TFIELDS = 1", "TFORM1  = '1PI'", theap];
        table(&cards, &[0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 0, 2, 0, 3, 0, 4])
    };
    for (theap, found) in [("THEAP   = 8", 2), ("THEAP   = 10", 3), ("THEAP   = 12", 4)] {
        let dataset = open(&at(theap)).expect("it opens");
        assert_eq!(value(&dataset, "/HDU1_heap/col1/0"), ints(&[found]), "{theap}");
        assert_eq!(said(&at(theap)), "");
    }
    for theap in ["THEAP   = 7", "THEAP   = 17", "THEAP   = -1", "THEAP   = 'x'"] {
        let dataset = open(&at(theap)).expect("it opens");
        let cell = dataset.select("/HDU1_heap/col1/0").and_then(|it| it.value());
        assert!(cell.is_err(), "{theap}: {cell:?}");
        assert!(said(&at(theap)).contains("fits-heap Some(\"/HDU1_heap\") THEAP"), "{theap}");
    }
}

#[test]
fn columns_are_as_many_as_a_table_has() {
    let of = |fields: &str| {
        table(&["NAXIS1  = 2", "NAXIS2  = 1", "PCOUNT  = 0", fields, "TFORM1  = 'I'"], &[0, 7])
    };
    assert_eq!(value(&open(&of("TFIELDS = 1")).expect("it opens"), "/HDU1.col1"), ints(&[7]));
    for (fields, why) in [
        ("TFIELDS = 1000", "TFIELDS is 1000, more than 999"),
        ("TFIELDS = -1", "less than 0"),
        ("FIELDS  = 1", "no TFIELDS"),
    ] {
        assert!(said(&of(fields)).contains(why), "{}", said(&of(fields)));
        let rest = value(&open(&of(fields)).expect("it opens"), "/HDU1.rest");
        assert_eq!(rest, Value::Array(vec![ints(&[0, 7])]));
    }
}

#[test]
fn complex_numbers_with_a_scale_are_named() {
    let of = |scale: &str| {
        let cards =
            ["NAXIS1  = 8", "NAXIS2  = 1", "PCOUNT  = 0", "TFIELDS = 1", "TFORM1  = 'C'", scale];
        table(&cards, &[0x3f, 0x80, 0, 0, 0, 0, 0, 0])
    };
    assert_eq!(said(&of("TSCAL1  = 1.0")), "");
    let found = said(&of("TSCAL1  = 2"));
    assert!(found.contains("fits-scale Some(\"/HDU1.col1\") TSCAL1 = 2: complex"), "{found}");
}

#[test]
fn blanks_may_stand_for_no_number() {
    let of = |null: &str| {
        let cards = [
            "XTENSION= 'TABLE'",
            "BITPIX  = 8",
            "NAXIS   = 2",
            "NAXIS1  = 4",
            "NAXIS2  = 2",
            "PCOUNT  = 0",
            "GCOUNT  = 1",
            "TFIELDS = 1",
            "TBCOL1  = 1",
            "TFORM1  = 'I4'",
            null,
        ];
        let bytes = [hdu(&NONE, &[]), hdu(&cards, b"  12    ")].concat();
        let dataset = open(&bytes).expect("it opens");
        let column =
            dataset.select("/HDU1.col1").expect("a column").scaled().and_then(|it| it.value());
        let Ok(Value::Array(values)) = column else { panic!("{column:?}") };
        let [Value::Float(first), Value::Float(second)] = values[..] else { panic!("{values:?}") };
        assert_eq!(first, 12.0);
        second
    };
    assert!(of("TNULL1  = '    '").is_nan() && of("TNULL1  = ''").is_nan());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn changed_bytes_are_no_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6), cut in any::<prop::sample::Index>()) {
        let mut bytes = small();
        let length = bytes.len();
        for (at, byte) in changes {
            // Most in the first cards of a header.
            let at = at.index(length);
            bytes[at] = byte;
            bytes[at / BLOCK * BLOCK + at % 880] = byte;
        }
        if cut.index(4) == 0 {
            bytes.truncate(cut.index(length));
        }
        verify_any(&bytes);
        if let Ok(dataset) = open(&bytes) {
            let root = dataset.root().expect("a root");
            let _ = dudley::model::walk([root], dudley::model::Shared::Once, &mut |node, _| {
                if let Ok(data) = node.data() {
                    let _ = (data.value(), data.scaled().map(|it| it.map(|it| it.value())));
                }
                Ok::<bool, dudley::Error>(true)
            });
        }
    }
}

fn verify_any(bytes: &[u8]) {
    let _ = formats().verify(&candidate(bytes), &Open::new(), &mut |_| (), &mut |_| ());
}

#[test]
fn images_in_compressed_tiles_are_named() {
    let of = |kind: &str| {
        let cards = ["NAXIS1  = 8", "NAXIS2  = 1", "PCOUNT  = 0", "TFIELDS = 1", "TFORM1  = '8B'"];
        table(&[&cards[..], &[kind, "ZCMPTYPE= 'RICE_1'"]].concat(), &[0; 8])
    };
    assert_eq!(said(&of("ZIMAGE  = F")), "");
    let found = said(&of("ZIMAGE  = T"));
    assert!(found.contains("fits-compressed Some(\"/HDU1\") an image whose tiles"), "{found}");
    assert!(found.contains("(RICE_1)"), "{found}");
}
