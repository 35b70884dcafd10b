//! Arrays that are made of their parts, as formats do that have no layout.

use dudley::diff::{Diff, Difference};
use dudley::read::{Field, Parts, Record, Words};
use dudley::{ByteOrder, Data, Dtype, Error, Open, Primitive, Value};
use dudley_parser::comments::AttrValue;

fn big(primitive: Primitive) -> Dtype {
    Dtype::Primitive(primitive, ByteOrder::Big)
}

/// Structs of 12 bytes: a time, which is of a unit of numpy, and a pair in a struct of its own, behind a gap.
fn events(unit: &str, bytes: Vec<u8>) -> dudley::Result<Data> {
    let mut words = Words::default();
    let numpy = words.add("", [("numpy", AttrValue::Text(unit.to_owned()))]);
    let pair = Record::new(2, vec![Field::new("of two", 0, big(Primitive::U1), &[2])]);
    let fields = vec![
        Field::new("t", 0, big(Primitive::I8), &[]).said(numpy),
        Field::new("in", 10, pair.into(), &[]).said(words.add("(mm) what\nit is", [])),
    ];
    let said = words.add("(s) events", []);
    Parts::new(Record::new(12, fields), &[2])
        .words(words.layout(), said)
        .path("/events")
        .data(bytes)
}

fn two() -> Vec<u8> {
    let mut bytes = [0; 24];
    (bytes[7], bytes[10], bytes[11], bytes[19]) = (5, 1, 2, 6);
    bytes.to_vec()
}

#[test]
fn structs_have_fields_documentation_and_values() {
    let events = events("M8[s]", two()).expect("parts");
    assert_eq!(events.dtype_name(), "struct{t=>i8@0,in=struct{\"of two\"=|u1[2]@0}@10}");
    assert_eq!((events.path(), events.unit(), events.bytes()), ("/events", Some("s"), 24));
    let of_two = events.field("in").and_then(|it| it.field("of two")).expect("a field");
    assert_eq!(
        (of_two.shape(), of_two.strides(), of_two.address()),
        (&[2, 2][..], &[12, 1][..], 10)
    );
    assert_eq!(of_two.read::<u8>().expect("there").into_raw_vec_and_offset().0, [1, 2, 0, 0]);
    let inner = events.field("in").expect("a field");
    assert_eq!(inner.unit(), Some("mm"));
    assert_eq!(inner.doc().collect::<Vec<_>>(), ["(mm) what", "it is"]);
    let time = events.field("t").expect("a field");
    assert_eq!(time.attributes()[0].text(), Some("M8[s]"));
    let Value::Array(values) = events.value().expect("values") else { panic!("no array") };
    assert_eq!(values[1].field("t"), Some(&Value::Int(6)));
}

#[test]
fn times_of_other_units_in_structs_are_of_other_types() {
    let kinds = |unit: &str| {
        let (one, other) =
            (events("M8[s]", two()).expect("parts"), events(unit, two()).expect("parts"));
        let mut found = Vec::new();
        let mut tell =
            |difference: dudley::Result<Difference>| found.push(difference.expect("read"));
        Diff::new().data("/events", &one, &other, &mut tell).expect("compared");
        found
    };
    assert!(kinds("M8[s]").is_empty());
    assert!(
        matches!(&kinds("M8[ns]")[..], [Difference::Dtype { path, .. }] if path == "/events.t")
    );
}

#[test]
fn the_first_strides_are_given_and_the_rest_follow() {
    let parts = Parts::new(big(Primitive::U2), &[2, 2]).at(6).strides(&[-6]);
    let data = parts.data((0..10).collect::<Vec<u8>>()).expect("parts");
    assert_eq!(data.strides(), [-6, 2]);
    assert_eq!(
        data.read::<u16>().expect("there").into_raw_vec_and_offset().0,
        [0x0607, 0x0809, 1, 0x0203]
    );
}

#[test]
fn parts_that_do_not_fit_are_errors_of_their_path() {
    let of = |shape: &[u64]| Parts::new(big(Primitive::F8), shape).path("/x");
    let wrong = of(&[2]).strides(&[8, 8]).data(vec![0; 16]).expect_err("one dimension");
    assert!(matches!(wrong, Error::WrongShape { .. }), "{wrong}");
    for many in [&[u64::MAX][..], &[1 << 32, 1 << 32], &[1 << 61]] {
        let wrong = of(many).at(8).data(Vec::new()).expect_err("too many");
        assert!(matches!(wrong, Error::TooLarge { .. }) && wrong.item() == Some("/x"), "{wrong}");
    }
    let wrong = of(&[2]).data(vec![0; 15]).and_then(|it| it.read::<f64>()).expect_err("too short");
    assert!(matches!(wrong, Error::Truncated { .. }) && wrong.item() == Some("/x"), "{wrong}");
}

#[test]
fn structs_of_a_layout_need_that() {
    for text in ["r = {N : 2  x = u1[N]}[3]", "r = {x = u1[2]}"] {
        let stream = Open::new().layout_text(text).expect("a layout").raw().bytes(vec![0; 9]);
        let dtype = stream.and_then(|it| it.get("/r")?.data()).expect("data").dtype().clone();
        let wrong = Parts::new(dtype, &[]).data(vec![0; 9]).expect_err("of a layout");
        assert!(matches!(wrong, Error::Variable { .. }), "{text}: {wrong}");
    }
}

#[test]
fn an_array_lies_in_the_bytes_of_a_stream() {
    let open = Open::new().layout_text("x = u1[4]").expect("a layout").raw();
    let stream = open.bytes(vec![1, 2, 3, 4]).expect("a stream");
    let data = Parts::new(big(Primitive::U2), &[]).at(2).data_in(&stream).expect("parts");
    assert_eq!(data.scalar::<u16>().expect("there"), 0x0304);
}

#[test]
fn values_become_bytes() {
    let fields = |name: &str| {
        vec![
            Field::new("n", 0, big(Primitive::U1), &[]),
            Field::new(name, 2, big(Primitive::S1), &[3]),
        ]
    };
    let parts = Parts::new(Record::new(5, fields("text")), &[1]).path("/r");
    let given = |n: i128| {
        let fields = [("n", Value::Int(n)), ("text", Value::Text("ab".to_owned()))];
        Value::Array(vec![Value::Struct(fields.map(|(name, it)| (name.to_owned(), it)).to_vec())])
    };
    assert_eq!(parts.encode(&given(7)).expect("it fits"), [7, 0, b'a', b'b', 0]);
    let wrong = parts.encode(&given(300)).expect_err("not in a byte");
    assert_eq!(wrong.to_string(), "`/r.n`: expected 0 to 255, found an integer (300)");
}
