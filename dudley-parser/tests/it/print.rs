//! A printed layout is the same layout: everything has the same path, type, place, value and
//! documentation. Small cases, and the corpus (`DUDLEY_CORPUS`) with its streams.

use dudley_parser::layout::dtype::{ByteOrder, Kind};
use dudley_parser::layout::expr::written;
use dudley_parser::layout::print::print;
use dudley_parser::layout::{
    Array, ArrayId, Count, DocKey, Element, Layout, ParamValue, RecordId, Step,
};
use dudley_parser::resolve::{
    Event, Fault, Flow, Found, Given, ParamAt, Resolver, State, Values, WalkOptions,
};
use dudley_parser::{Severity, check};
use std::fmt::Write;

/// Params and counts read from bytes; 0 behind their end.
struct Bytes {
    bytes: Vec<u8>,
    order: ByteOrder,
}

impl Bytes {
    fn read(&self, address: u64, size: u64, order: ByteOrder, signed: bool) -> i128 {
        let byte = |at: u64| *self.bytes.get((address + at) as usize).unwrap_or(&0);
        let mut value = 0_i128;
        for at in 0..size {
            let at = if order == ByteOrder::Big { at } else { size - 1 - at };
            value = value << 8 | i128::from(byte(at));
        }
        let sign = 1_i128 << (8 * size - 1);
        if signed && value & sign != 0 { value - 2 * sign } else { value }
    }
}

impl Values for Bytes {
    fn param(&self, param: &ParamAt) -> Result<i128, Fault> {
        let signed = param.primitive.kind() == Kind::Signed;
        let order = param.order.unwrap_or(self.order);
        Ok(self.read(param.address, param.primitive.size(), order, signed))
    }

    fn stored(&self, _: ArrayId, address: u64) -> Result<u64, Fault> {
        Ok(self.read(address, 8, self.order, false) as u64)
    }
}

fn count(layout: &Layout, count: Count) -> String {
    match count {
        Count::Int(value) => value.to_string(),
        Count::Param(id, suffix) => format!("{} {suffix}", layout.param_path(id)),
        Count::Expr(expr) => written(layout.expr(expr), |id| layout.param_path(id)),
    }
}

fn said(layout: &Layout, key: DocKey, text: &mut String) {
    for line in layout.doc(key) {
        let _ = write!(text, " ## {line}");
    }
    for attribute in layout.attributes(key) {
        let _ = write!(text, " #: {} {:?}", attribute.name, attribute.value);
    }
    let _ = write!(text, " ({:?})", layout.unit(key));
}

fn array(layout: &Layout, array: &Array, text: &mut String) {
    match array.element {
        Element::Primitive(primitive, order) => {
            let _ = write!(text, "{} {order:?}", primitive.name());
        }
        Element::Record(id) => record(layout, id, text),
    }
    if let Some(typedef) = array.typedef {
        let _ = write!(text, " of {}", layout[typedef].align);
        record(layout, typedef, text);
    }
    for dim in layout.dims(array) {
        let _ = write!(text, "[{}]", count(layout, dim.count));
    }
    if let Some(filter) = array.filter {
        let filter = &layout[filter];
        let stored = filter.stored.map(|stored| count(layout, stored.count));
        let _ = write!(text, " -> {} {:?} {stored:?}", layout.name(filter.name), filter.args);
    }
    let _ = write!(text, " %{}", array.align);
    said(layout, DocKey::of(array.span), text);
}

fn record(layout: &Layout, id: RecordId, text: &mut String) {
    let record = &layout[id];
    let ty = record.ty.map(|ty| layout.name(layout[ty].name));
    let flags = (record.variable, record.per_instance, record.local, record.transparent);
    let _ = write!(text, "{{{ty:?} %{} {flags:?}", record.align);
    for &step in layout.run(record.members) {
        match step {
            Step::Param(id) => {
                let param = &layout[id];
                let (name, value) = (layout.name(param.name), param.value);
                let _ = write!(text, "; {name} : {value:?} %{} ", param.align);
                said(layout, DocKey::of(param.span), text);
            }
            Step::Array(id) => {
                let _ = write!(text, "; {} = ", layout.name(layout[id].name));
                array(layout, &layout[id], text);
            }
            _ => panic!("a member is a param or an array"),
        }
    }
    text.push('}');
}

/// Everything that a layout says, a line each.
fn rows(layout: &Layout, start: u64, bytes: &[u8], order: ByteOrder) -> Vec<String> {
    let mut rows = Vec::new();
    let mut line = format!("{:?}", layout.order());
    said(layout, DocKey::LAYOUT, &mut line);
    said(layout, DocKey::SUMMARY, &mut line);
    if let Some(summary) = layout.summary() {
        let _ = write!(line, " {}", summary.steps);
        record(layout, summary.record, &mut line);
    }
    rows.push(line);
    for ty in layout.types() {
        let mut line = format!("{} {} {}", layout.name(ty.name), ty.typedef, ty.variable);
        let members = ty.members.iter().map(|(name, param, _)| (layout.name(*name), *param));
        let free = ty.free.iter().map(|(name, _)| layout.name(*name));
        let names = (members.collect::<Vec<_>>(), free.collect::<Vec<_>>());
        let _ = write!(line, "%{} {names:?}", ty.align);
        said(layout, DocKey::of(ty.span), &mut line);
        rows.push(line);
    }
    let values = Bytes { bytes: bytes.to_vec(), order: layout.order().unwrap_or(order) };
    let stream_bytes = Some(bytes.len() as u64);
    let given = Given { start, stream_bytes, ..Given::default() };
    let mut state = State::new();
    let mut resolver = Resolver::new(layout, &given, &values, &mut state);
    let mut visit = |resolver: &mut Resolver<'_>, event: Event<'_>| {
        let mut line = format!("{} ", event.path);
        match event.found {
            Found::Dict(id) => {
                line.push('/');
                if !layout[id].span.eq(&Default::default()) {
                    said(layout, DocKey::of(layout[id].span), &mut line);
                }
            }
            Found::List { list, length } => {
                let _ = write!(line, "#{:?}", length.ok());
                said(layout, DocKey::of(layout[list].span), &mut line);
                for &piece in &layout[list].pieces {
                    let piece = &layout[piece];
                    let steps = piece.body.len();
                    let repeat = count(layout, piece.count);
                    let _ = write!(line, " {steps} * {repeat} {}", piece.extension);
                }
            }
            Found::Array { array: id, placed, .. } => {
                array(layout, &layout[id], &mut line);
                let shape = resolver.shape(&layout[id]).ok();
                let _ = write!(line, " {:?} {shape:?}", placed.ok());
            }
            Found::Param { param, placed } => {
                let value = match (&placed, layout[param].value) {
                    (Some(Ok(placed)), _) => resolver.stored_value(param, placed.address).ok(),
                    (_, ParamValue::Fixed(_)) => resolver.raw_value(param).ok().map(|v| v.0),
                    _ => None,
                };
                let placed = placed.map(|placed| placed.ok());
                let declared = &layout[param];
                let _ = write!(line, "{:?} %{} ", declared.value, declared.align);
                let _ = write!(line, "{value:?} {placed:?}");
                said(layout, DocKey::of(declared.span), &mut line);
            }
            Found::Elided { repetitions, .. } => {
                let _ = write!(line, "... {repetitions}");
            }
        }
        rows.push(line);
        if rows.len() < 5000 { Flow::Continue } else { Flow::Stop }
    };
    resolver.walk(WalkOptions::elide_above(20), &mut visit);
    rows.push(format!("{:?}", resolver.data_end().ok()));
    rows
}

fn same_when_printed(text: &str, start: u64, bytes: &[u8], order: ByteOrder) -> bool {
    let Some(layout) = check(text.as_bytes()).layout else { return false };
    let printed = print(&layout);
    let again = check(printed.as_bytes());
    let errors: Vec<_> = again.of(Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:?}\n{text}\n=====\n{printed}");
    let again = again.layout.expect("no errors, so a layout");
    let (a, b) = (rows(&layout, start, bytes, order), rows(&again, start, bytes, order));
    for (a, b) in a.iter().zip(&b) {
        assert_eq!(a, b, "{text}\n=====\n{printed}");
    }
    assert_eq!(a.len(), b.len(), "{text}\n=====\n{printed}");
    assert_eq!(print(&again), printed, "printing what was printed\n{text}");
    true
}

#[test]
fn small_layouts() {
    for (text, printed) in [
        ("", ""),
        (
            ">\n## all\nN:3 N:=4 x=f8[N,N-,-1,N+2] @0x20",
            ">\n## all\nN : 3\nN : 4\nx = f8[N, N-, -1, N+2] @32\n",
        ),
        (
            "a/b/x=i1 ## doc\n y=i1 .. z=i1 /w=i2%1",
            "a/\n  b/\n    x = i1\n    ## doc\n    y = i1\n  ..\n  z = i1\n/\nw = i2 %1\n",
        ),
        (
            "\"my name\" = 'f8' #: a=1.5 b=['x'], c",
            "\"my name\" = f8\n#: a = 1.5, b = [\"x\"], c\n",
        ),
        (
            "N : 2 l = [f8]*N l[N] N {x = f8} l[N] m [i1, [i2]*2]",
            "N : 2\nl = [f8]*N\nl[N]\nN {x = f8}\nl = [N]\nm = [i1, [i2]*2]\n",
        ),
        (
            "i8 {\"\" = >i8}%4 N : |i8 M : i8 x = i8 y = |i8 %8",
            "i8 {\"\" = >i8} %4\nN : |i8\nM : >i8\nx = i8\ny = |i8 %8\n",
        ),
        (
            "< %1 a=u1 b={x=u1}%8 T{x=u1}%8 c=T d=T%1 U{\"\"=T} e=U f={p=u1 q=T}",
            "< %1\na = u1\nb = {x = u1} %8\nT {x = u1} %8\nc = T\nd = T %1\nU {\"\" = T}\ne = U\nf = {p = u1  q = T}\n",
        ),
        (
            "{ t0 : f8 n : i4 } x = f8[n] -> zlib(3)[n+]",
            "{\n  t0 = f8\n  n : i4\n}\nx = f8[n] -> zlib(3)[n+]\n",
        ),
    ] {
        let layout = check(text.as_bytes()).layout.expect(text);
        assert_eq!(print(&layout), printed, "{text}");
        assert!(same_when_printed(text, 16, &[], ByteOrder::Little));
    }
}

#[test]
fn dicts_in_lists_with_types() {
    let text = "N : 2 l = [/ ## first\n a/ n : i4 T {x = f4[n]} v = T ../ w = f8[N] ## last\n,\
                [/ U {y = i1} ]*3 #: inner\n, U[2], ]*N l[2] #: list\n T2 { ## type\n x = U ## member\n\
                } ## behind\n %2 m [T2] z = ## before\n { ## in\n a = i1 ## of a\n } ## behind\n [2] %8";
    assert!(same_when_printed(text, 0, &[1; 64], ByteOrder::Little));
}

#[test]
fn corpus() {
    let Some(folder) = std::env::var_os("DUDLEY_CORPUS") else { return };
    let folder = std::path::PathBuf::from(folder).join("layouts");
    let mut printed = 0;
    for file in ["resolved.json", "diagnosed.json"] {
        let rows = std::fs::read_to_string(folder.join(file)).expect("corpus file");
        let rows: serde_json::Value = serde_json::from_str(&rows).expect("JSON");
        for row in rows.as_array().expect("an array") {
            let Some(text) = row["text"].as_str() else { continue };
            if text.len() > 100_000 {
                continue;
            }
            let hex = row["stream"].as_str().unwrap_or_default();
            let byte = |at| hex.get(at..at + 2).and_then(|two| u8::from_str_radix(two, 16).ok());
            let bytes: Vec<u8> = (0..hex.len()).step_by(2).filter_map(byte).collect();
            let start = if row["kind"] == "native" { 16 } else { 0 };
            printed += usize::from(same_when_printed(text, start, &bytes, ByteOrder::Little));
        }
    }
    for entry in std::fs::read_dir(folder.join("streams")).expect("corpus folder") {
        let path = entry.expect("entry").path();
        let Ok(text) = std::fs::read_to_string(path.join("layout.dud")) else { continue };
        let expected = std::fs::read_to_string(path.join("expected.json")).expect("corpus file");
        let expected: serde_json::Value = serde_json::from_str(&expected).expect("JSON");
        let native = std::fs::read(path.join("stream.bd"));
        let start = if native.is_ok() { 16 } else { 0 };
        let bytes = native.or_else(|_| std::fs::read(path.join("stream.bin"))).expect("a stream");
        let order = if expected["order"] == ">" { ByteOrder::Big } else { ByteOrder::Little };
        printed += usize::from(same_when_printed(&text, start, &bytes, order));
    }
    assert!(printed > 200, "only {printed} layouts were printed");
}
