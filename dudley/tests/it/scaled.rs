//! Are stored values made the physical ones that attributes say?

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use dudley::elements::{Conversion, Element};
use dudley::read::slice::Index;
use dudley::{ByteOrder, Data, Error, Open, Primitive, Result};
use proptest::prelude::*;

fn data(layout: &str, bytes: impl AsRef<[u8]>) -> Data {
    let stream =
        Open::new().layout_text(layout).expect(layout).raw().bytes(bytes.as_ref().to_vec());
    stream.and_then(|stream| stream.get("/x")).and_then(|it| it.data()).expect(layout)
}

fn scaled(layout: &str, bytes: impl AsRef<[u8]>) -> Result<Data> {
    data(layout, bytes).scaled().map(|it| it.expect(layout))
}

/// Floats as text, so that NaN is equal to NaN.
fn floats(layout: &str, bytes: impl AsRef<[u8]>) -> String {
    let read = scaled(layout, bytes).and_then(|it| it.read::<f64>());
    format!("{:?}", read.expect(layout).as_slice().expect("row by row"))
}

#[test]
fn what_stands_for_none_is_nan() {
    for (said, expected) in [
        ("missing_value = -1", "[NaN, 2.0, 3.0]"),
        ("_FillValue = -1, missing_value = 2", "[NaN, NaN, 3.0]"),
        ("missing_value = [2, 3]", "[-1.0, NaN, NaN]"),
        ("missing_value = [2.0, 9.5]", "[-1.0, NaN, 3.0]"),
        ("_FillValue = 2, scale_factor = 10", "[-10.0, NaN, 30.0]"),
        ("missing_value = [2, 3], scale_factor = 10", "[-10.0, NaN, NaN]"),
        ("missing_value = \"3\"", "[-1.0, 2.0, NaN]"),
    ] {
        let layout = format!("> x = i2[3]  #: {said}");
        assert_eq!(floats(&layout, [0xff, 0xff, 0, 2, 0, 3]), expected, "{said}");
        let layout = format!("< x = f4[3]  #: {said}");
        let bytes = [-1.0_f32, 2.0, 3.0].map(f32::to_le_bytes).concat();
        assert_eq!(floats(&layout, bytes), expected, "{said}");
    }
    // As it is rounded to the type of the elements.
    let bytes = [1e20_f32, 0.5].map(f32::to_le_bytes).concat();
    assert_eq!(floats("< x = f4[2]  #: missing_value = 1e20", bytes), "[NaN, 0.5]");
    let bytes = [half(0x2e66), half(0x3800)].concat();
    assert_eq!(floats("< x = f2[2]  #: missing_value = 0.1", bytes), "[NaN, 0.5]");
}

fn half(bits: u16) -> [u8; 2] {
    bits.to_le_bytes()
}

#[test]
fn integers_of_the_other_sign_are_what_they_mean() {
    let x = scaled("< x = i1[2]  #: _Unsigned = \"true\"", [255, 1]).expect("scaled");
    assert_eq!(x.read::<u8>().expect("bytes").as_slice(), Some(&[255, 1][..]));
    assert!(x.attributes().is_empty());
    let x = scaled("< x = u2[2]  #: _Unsigned = \"False\"", [255, 255, 1, 0]).expect("scaled");
    assert_eq!(x.read::<i16>().expect("numbers").as_slice(), Some(&[-1, 1][..]));
    for (said, expected) in [
        ("_FillValue = -1", "[NaN, 254.0, 1.0]"),
        ("_FillValue = 255, scale_factor = 0.5", "[NaN, 127.0, 0.5]"),
        ("add_offset = 1", "[256.0, 255.0, 2.0]"),
    ] {
        let layout = format!("x = i1[3]  #: _Unsigned = \"true\", {said}");
        assert_eq!(floats(&layout, [255, 254, 1]), expected, "{said}");
    }
    assert!(data("x = u1  #: _Unsigned = \"true\"", [1]).scaled().expect("none").is_none());
}

#[test]
fn attributes_that_are_long_integers_stay_exact() {
    let x = scaled(
        "< x = u8[2]  #: missing_value = \"18446744073709551615\"",
        [[255; 8], [1, 0, 0, 0, 0, 0, 0, 0]].concat(),
    );
    let x = x.and_then(|it| it.read::<f64>()).expect("numbers");
    assert!(x[0].is_nan() && x[1] == 1.0);
}

#[test]
fn complex_numbers_are_scaled() {
    let bytes = [1.0_f32, 2.0, -1.0, 0.0].map(f32::to_be_bytes).concat();
    let said = "scale_factor = 2, add_offset = 1, _FillValue = -1";
    let x = scaled(&format!("> x = c8[2]  #: {said}"), bytes).expect("scaled");
    assert_eq!(x.dtype().primitive(), Some((Primitive::C16, ByteOrder::Big)));
    let value = x.value().expect("numbers");
    assert_eq!(format!("{value:?}"), "Array([Complex(3.0, 4.0), Complex(NaN, NaN)])");
}

#[test]
fn the_byte_order_stays() {
    for (order, expected) in [(">", ByteOrder::Big), ("<", ByteOrder::Little)] {
        for (of, said) in [
            ("i2[1]", "scale_factor = 2"),
            ("i2[1]", "_FillValue = 0"),
            ("S1[1, 2]", "decimal = 2"),
        ] {
            let x = scaled(&format!("{order} x = {of}  #: {said}"), *b"10").expect("scaled");
            assert_eq!(x.dtype().primitive(), Some((Primitive::F8, expected)), "{of} {said}");
            let [raw, read] = [x.raw().expect("bytes"), {
                let number = x.read::<f64>().expect("a number")[0];
                let of = |order| {
                    if order == ByteOrder::Big { f64::to_be_bytes } else { f64::to_le_bytes }
                };
                of(expected)(number).to_vec()
            }];
            assert_eq!(raw, read, "{of} {said}");
        }
    }
}

#[test]
fn texts_are_numbers() {
    let text = |said: &str, text: &str| {
        let width = text.len();
        let layout = format!("x = S1[1, {width}]  #: decimal = {width}{said}");
        scaled(&layout, text).and_then(|it| it.value()).map(|it| format!("{it:?}"))
    };
    for (said, given, expected) in [
        ("", "1.5D2", "Array([Float(150.0)])"),
        ("", "9007199254740993", "Array([Float(9007199254740992.0)])"),
        (", integers", " 9007199254740993", "Array([Int(9007199254740993)])"),
        (", integers", "   ", "Array([Int(0)])"),
        (", integers, add_offset = 5", "-7", "Array([Int(-2)])"),
        (", integers, scale_factor = 0.5", " 7", "Array([Float(3.5)])"),
        (", integers, _FillValue = \"*\"", " *", "Array([Float(NaN)])"),
        (", missing_value = [\"*\", \"-\"]", " -", "Array([Float(NaN)])"),
        (", decimals = 3", " 12345", "Array([Float(12.345)])"),
        (", decimals = 3", " 123.5", "Array([Float(123.5)])"),
        (", decimals = 2", "-125E1", "Array([Float(-12.5)])"),
    ] {
        assert_eq!(text(said, given).expect(given), expected, "{said} {given}");
    }
    for (said, given) in [
        (", integers", "1.5"),
        (", integers", "9223372036854775808"),
        (", integers, _FillValue = \"*\"", "9007199254740993"),
        (", decimals = 2", "1E2E3"),
        ("", "inf"),
    ] {
        let error = text(said, given).expect_err(given);
        assert!(matches!(error, Error::WrongValue { .. }), "{error}");
    }
}

#[test]
fn structs_without_elements_are_made_at_once() {
    let none = "s = {}[1000000000000000]";
    let layout = format!("x = {{ {none}  n = u1  #: scale_factor = 2\n }}");
    let value = scaled(&layout, [3]).and_then(|it| it.field("n")?.scalar::<f64>());
    assert_eq!(value.expect("a number"), 6.0);
    // The type is known though there are none.
    let layout = "x = { n = { a = u1  #: scale_factor = 2\n }[0]  b = u1  #: scale_factor = 2\n }";
    let x = scaled(layout, [4]).expect("scaled");
    assert!(x.dtype_name().contains("a=<f8"), "{}", x.dtype_name());
    assert_eq!(x.field("b").and_then(|it| it.scalar::<f64>()).expect("a number"), 8.0);
}

#[test]
fn long_elements_are_made_once() {
    // Made anew for each part it would be a matter of minutes.
    let count = 1 << 20;
    let layout = format!("x = {{ n = u1[{count}]  #: scale_factor = 2\n }}");
    let x = scaled(&layout, vec![3; count]).and_then(|it| it.field("n")).expect("scaled");
    let sum: f64 = (0..4096)
        .map(|at| {
            let index = [dudley::read::slice::Index::At(at * 256)];
            x.slice(&index).and_then(|it| it.scalar::<f64>()).expect("a number")
        })
        .sum();
    assert_eq!(sum, 4096.0 * 6.0);
}

/// Whether numbers that were read are those that a buffer gets, and those that are decoded from the bytes.
fn equal_both_ways<T: Element>(x: &Data, read: &[T]) -> bool {
    let Some((primitive, order)) = x.dtype().primitive() else { return false };
    assert!(T::is(primitive));
    let mut again = vec![T::default(); read.len()];
    T::decode_slice(&x.raw().expect("bytes"), order, &mut again).expect("as many");
    let mut into = vec![T::default(); read.len()];
    x.read_into(&mut into).expect("as many");
    // As bytes, so that NaN is equal to NaN.
    let bytes = |of: &[T]| -> Vec<u8> {
        of.iter().flat_map(|it| it.to_bytes(ByteOrder::Little).as_ref().to_vec()).collect()
    };
    bytes(&again) == bytes(read) && bytes(&into) == bytes(read)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn numbers_are_the_same_in_one_pass_as_in_two(
        bytes in prop::collection::vec(any::<u8>(), 8..12_000),
        primitive in prop::sample::select(vec!["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]),
        order in prop::sample::select(vec!["<", ">"]),
        scale in prop::sample::select(vec!["0.5", "0.1", "3", "1"]),
        offset in prop::sample::select(vec!["100", "0.3", "-7"]),
        fill in prop::sample::select(vec!["", ", _FillValue = 3"]),
        first in 0_usize..3,
    ) {
        let size = usize::from(primitive.as_bytes()[1] - b'0');
        let count = bytes.len() / size;
        let said = format!("scale_factor = {scale}, add_offset = {offset}{fill}");
        let layout = format!("{order} x = {primitive}[{count}]  #: {said}");
        let whole = scaled(&layout, &bytes[..count * size]).expect("scaled");
        let from = first.min(count - 1);
        let range = Index::Range { start: Some(from as i64), stop: None, step: 1 };
        let part = whole.slice(&[range]).expect("within");
        for x in [whole, part] {
            // Whole numbers that no float of 8 bytes holds are an error.
            let Ok(read) = x.read::<f64>() else { continue };
            let read = read.as_slice().expect("row by row");
            prop_assert!(equal_both_ways(&x, read));
            let rounded = x.read_as::<f32>(Conversion::Lossy).expect("rounded");
            let expected = read.iter().map(|it| (*it as f32).to_bits());
            prop_assert!(rounded.iter().map(|it| it.to_bits()).eq(expected));
            prop_assert!(x.read_as::<f32>(Conversion::Lossless).is_err());
        }
    }

    #[test]
    fn integers_of_the_other_sign_are_the_same_in_one_pass(
        bytes in prop::collection::vec(any::<u8>(), 8..12_000),
        order in prop::sample::select(vec!["<", ">"]),
    ) {
        macro_rules! check {
            ($($stored:literal, $offset:literal, $type:ty;)*) => {$(
                let count = bytes.len() / size_of::<$type>();
                let layout = format!("{order} x = {}[{count}]  #: add_offset = {}", $stored, $offset);
                let x = scaled(&layout, &bytes[..count * size_of::<$type>()]).expect("scaled");
                let read = x.read::<$type>().expect("integers");
                prop_assert!(equal_both_ways(&x, read.as_slice().expect("row by row")));
            )*};
        }
        check! {
            "i1", "128", u8;
            "u1", "-128", i8;
            "i2", "32768", u16;
            "i4", "2147483648", u32;
            "u4", "-2147483648", i32;
        }
    }
}

/// Of files, by several threads, in slices, and to a buffer.
#[test]
fn large_arrays_of_files_are_made_in_parts() {
    let folder = tempfile::tempdir().expect("a folder");
    const COUNT: usize = 1_200_000;
    let stored = |at: usize| (at * 7919) as i16;
    let bytes: Vec<u8> = (0..COUNT).flat_map(|at| stored(at).to_be_bytes()).collect();
    let path = folder.path().join("plain");
    std::fs::write(&path, [&[0], &bytes[..]].concat()).expect("space");
    let written = |at: usize| f64::from(stored(at)) * 0.1 + 3.5;
    for said in ["scale_factor = 0.1, add_offset = 3.5", "add_offset = 32768"] {
        let layout = format!("> x = i2[{COUNT}] @1  #: {said}");
        let seen = Arc::new(AtomicU64::new(0));
        let add = seen.clone();
        let work = dudley::Work::new().threads(2).watch(Arc::new(move |bytes| {
            add.fetch_add(bytes, Ordering::Relaxed);
            std::ops::ControlFlow::Continue(())
        }));
        let open = Open::new().layout_text(&layout).expect("a layout").raw().work(work);
        let stream = open.file(&path).expect("a stream");
        let x = stream.get("/x").and_then(|it| it.data()).expect("x");
        let x = x.scaled().expect("scaled").expect("scaled");
        let range = |start, stop| [Index::Range { start: Some(start), stop, step: 1 }];
        let part = x.slice(&range(77_777, Some(1_100_003))).expect("within");
        if said.starts_with("scale") {
            let read = x.read_as::<f32>(Conversion::Lossy).expect("read");
            assert!(read.iter().enumerate().all(|(at, it)| *it == written(at) as f32));
            // As many bytes as the array has.
            assert_eq!(seen.load(Ordering::Relaxed), x.bytes());
            let read = part.read::<f64>().expect("read");
            assert!(read.iter().enumerate().all(|(at, it)| *it == written(at + 77_777)));
            let stepped = [Index::Range { start: Some(5), stop: None, step: 3 }];
            let read = x.slice(&stepped).and_then(|it| it.read::<f64>()).expect("read");
            assert!(read.iter().enumerate().all(|(at, it)| *it == written(5 + 3 * at)));
            assert!(x.read_into(&mut [0_f64; 3]).is_err());
            // Places within an element are none of the elements that are made.
            let within = x.as_strided(4, &[1000], &[8]).expect("within");
            assert_eq!(
                within.read::<f64>().expect("read")[[0]].to_be_bytes()[4..],
                written(1).to_be_bytes()[..4]
            );
        } else {
            let physical = |at: usize| (i32::from(stored(at)) + 32768) as u16;
            let read = x.read::<u16>().expect("read");
            assert!(read.iter().enumerate().all(|(at, it)| *it == physical(at)));
            let read = part.read::<u16>().expect("read");
            assert!(read.iter().enumerate().all(|(at, it)| *it == physical(at + 77_777)));
        }
    }
}

#[test]
fn arrays_in_elements_are_scaled_alike() {
    let bytes: Vec<u8> = (0..27_000_i32).flat_map(|at| (at as i16).to_be_bytes()).collect();
    for said in ["scale_factor = 0.5", "add_offset = 32768"] {
        let layout = format!("> x = {{ v = i2[3]  #: {said}\n }}[9000]");
        let x = scaled(&layout, &bytes).expect("scaled");
        let v = x.field("v").expect("a field");
        let row = v.slice(&[Index::At(1)]).expect("a row");
        if said.starts_with("scale") {
            let expected = |at: usize| f64::from(at as i16) * 0.5;
            let read = v.read::<f64>().expect("read");
            assert!(read.iter().enumerate().all(|(at, it)| *it == expected(at)));
            let read = v.read_as::<f32>(Conversion::Lossy).expect("read");
            assert!(read.iter().enumerate().all(|(at, it)| f64::from(*it) == expected(at)));
            assert_eq!(row.read::<f64>().expect("read").as_slice(), Some(&[1.5, 2.0, 2.5][..]));
        } else {
            let read = v.read::<u16>().expect("read");
            assert!(read.iter().enumerate().all(|(at, it)| *it == (at as u16) ^ 0x8000));
            assert_eq!(
                row.read::<u16>().expect("read").as_slice(),
                Some(&[32771, 32772, 32773][..])
            );
        }
    }
}

/// What takes more memory than there is, of a file that ends before it.
#[test]
fn a_huge_element_of_a_short_file_is_truncated() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("short");
    std::fs::write(&path, [0; 100]).expect("space");
    let layout = "> x = { v = i2[1099511627776]  #: scale_factor = 2\n }[1]";
    let stream = Open::new().layout_text(layout).expect("a layout").raw().file(&path);
    let x = stream.and_then(|it| it.get("/x")).and_then(|it| it.data()).expect("x");
    let v = x.scaled().and_then(|it| it.expect("scaled").field("v")).expect("v");
    let few = v.slice(&[Index::At(0), Index::Range { start: None, stop: Some(3), step: 1 }]);
    let error = few.and_then(|it| it.read::<f64>()).expect_err("the file is short");
    assert!(matches!(error, Error::Truncated { .. }), "{error:?}");
}

#[test]
fn compressed_numbers_are_scaled_alike() {
    let stored: Vec<i16> = (0..20_000_i32).map(|at| (at * 7919) as i16).collect();
    let layout =
        dudley::parse_layout(b"> x = i2[20000] -> zlib  #: scale_factor = 0.1").expect("a layout");
    let written = dudley::Writer::new(layout).put("/x", &stored[..]).attach(true).to_bytes();
    let stream = Open::new().bytes(written.expect("written")).expect("a stream");
    let x = stream.get("/x").and_then(|it| it.data()).and_then(|it| it.scaled());
    let read = x.expect("scaled").expect("scaled").read_as::<f32>(Conversion::Lossy);
    let expected = stored.iter().map(|it| (f64::from(*it) * 0.1) as f32);
    assert!(read.expect("read").iter().copied().eq(expected));
}
