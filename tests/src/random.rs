//! Random layouts, made of the constructs that change where things lie, and random streams.

use proptest::prelude::*;

/// A dimension: numbers, the params in scope with suffixes, sums.
fn dim() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => (0..4_i32).prop_map(|n| n.to_string()),
        1 => Just("-1".to_owned()),
        3 => Just("N".to_owned()),
        1 => Just("N+".to_owned()),
        1 => Just("M++".to_owned()),
        1 => Just("M+1".to_owned()),
        1 => Just("4-N".to_owned()),
        1 => Just("(N+2)*(M+1)".to_owned()),
        1 => Just("M*6/2/3".to_owned()),
        1 => Just("(4-N)*2/2".to_owned()),
        1 => Just("8-(N-M)".to_owned()),
    ]
}

fn shape() -> impl Strategy<Value = String> {
    prop::collection::vec(dim(), 0..3).prop_map(|dims| {
        if dims.is_empty() { String::new() } else { format!("[{}]", dims.join(", ")) }
    })
}

fn number() -> impl Strategy<Value = String> {
    let names = [
        "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c4", "c8", "c16", "b1",
        "p4", "p8", "<i4", ">i4", "|f8", ">c8", "<u2",
    ];
    prop::sample::select(names.to_vec()).prop_map(str::to_owned)
}

/// A type with its shape; structs hold others.
fn array() -> impl Strategy<Value = String> {
    let text = prop::sample::select(vec!["S1", "U1", "U2", ">U4"]);
    let leaf = prop_oneof![
        6 => (number(), shape()).prop_map(|(dtype, shape)| dtype + &shape),
        1 => (number(), shape()).prop_map(|(dtype, shape)| dtype + &shape + "  #: order = \"F\"\n"),
        1 => shape().prop_map(|shape| format!("columns{shape}")),
        2 => (text, dim()).prop_map(|(dtype, dim)| format!("{dtype}[{dim}]")),
        1 => shape().prop_map(|shape| format!("mesh{shape}")),
        1 => shape().prop_map(|shape| format!("text{shape}")),
        1 => Just("{}".to_owned()),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        let param = prop_oneof![
            2 => Just(String::new()),
            1 => Just("N : i1 ".to_owned()),
            1 => Just("M : 2 ".to_owned()),
        ];
        let members = prop::collection::vec(inner, 1..4);
        (param, members, shape()).prop_map(|(param, members, shape)| {
            let members: Vec<String> = members
                .iter()
                .enumerate()
                .map(|(at, member)| format!("m{at} = {member}"))
                .collect();
            format!("{{ {param}{} }}{shape}", members.join(" "))
        })
    })
}

fn align() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["", "", "", " %1", " %2", " %8", " %16"])
}

/// An item of a dict, named by its number.
fn item() -> impl Strategy<Value = String> {
    let repeat = prop::sample::select(vec!["", "*0", "*2", "*N", "*M+"]);
    prop_oneof![
        6 => (array(), align()).prop_map(|(array, align)| format!("NAME = {array}{align}")),
        1 => Just("N : i1".to_owned()),
        1 => Just("M : u1".to_owned()),
        1 => array().prop_map(|array| format!("NAME/ a = {array} ..")),
        2 => (prop::collection::vec(array(), 1..3), repeat.clone())
            .prop_map(|(items, repeat)| format!("NAME [{}]{repeat}", items.join(", "))),
        1 => (array(), repeat)
            .prop_map(|(array, repeat)| format!("NAME [/ N : i1  a = {array}]{repeat}")),
        1 => (array(), shape()).prop_map(|(array, shape)| {
            format!("NAME/ \"\" = {{ k = i2  v = {} }}{shape} ..", array.replace("N : i1 ", "").replace("text", "mesh"))
        }),
    ]
}

/// The last item, which takes all that the stream has left, if there is one: few elements, each of many bytes.
fn last() -> impl Strategy<Value = String> {
    let dims = shape().prop_map(|shape| match shape.strip_prefix('[') {
        Some(more) => format!("[E, 61, {more}"),
        None => "[E, 61]".to_owned(),
    });
    let body = prop::collection::vec(array(), 1..3).prop_map(|items| items.join(", "));
    let dict = (dim(), array())
        .prop_map(|(dim, array)| format!("/ N : i1  c = u1[97]  a = {array}  b = u1[{dim}, 211]"));
    prop_oneof![
        4 => Just(String::new()),
        2 => (number(), dims, align()).prop_map(|(dtype, dims, align)| format!("z = {dtype}{dims}{align}\n")),
        2 => (array(), align()).prop_map(|(array, align)| format!("z/ y = {{a = {array} b = u1[397]}}[E]{align}\n")),
        1 => (array(), dim()).prop_map(|(array, dim)| format!("z = {{N : u1 a = {array}  b = S1[{dim}, 97] c = u1[97]}}[E, 2]\n")),
        1 => body.prop_map(|items| format!("z [u1[397], {items}]*E\n")),
        1 => dict.prop_map(|dict| format!("z [{dict}]*E\n")),
    ]
}

/// The text of a layout.
pub fn layout() -> impl Strategy<Value = String> {
    (prop::collection::vec(item(), 1..6), last()).prop_map(|(items, last)| {
        let head = "N : i1\nM : 1\nE : 0  #: to_end\nmesh {\"\" = f4[M, 2]}\ncolumns {\"\" = f4[M, 2]  #: order = \"F\"\n}\ntext {LEN : u1  \"\" = S1[LEN]}\n";
        let items = items.iter().enumerate();
        let items: Vec<String> =
            items.map(|(at, item)| item.replace("NAME", &format!("x{at}"))).collect();
        format!("{head}{}\n{last}", items.join("\n"))
    })
}

/// The bytes of a stream: small ones, so that the params among them are small too, and sometimes 0
/// or -1.
pub fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        8 => 0..4_u8,
        1 => Just(0xff_u8),
    ];
    prop::collection::vec(byte, 1 << 14)
}
