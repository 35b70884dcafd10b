//! A stream as the short lines of `resolved.json`: what is declared, and where it lies.

use dudley::{Dtype, Item, Layout, Result, Stream};
use dudley_parser::layout::path::push_name;
use dudley_parser::layout::{ArrayId, Element, ParamValue, Step};
use dudley_parser::resolve::{Event, Flow, Found, Resolver, WalkOptions};

/// All lines, in the order of the text.
pub(crate) fn lines(stream: &Stream) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for path in paths(stream) {
        match path {
            Path::Line(line) => lines.push(line),
            Path::Item(path) => lines.push(item(&stream.get(&path)?, false)?),
            Path::Spliced(path) => lines.push(item(&stream.get(&path)?, true)?),
            Path::Param(path, address) => lines.push(param(&stream.get(&path)?, address)?),
        }
    }
    Ok(lines)
}

enum Path {
    Line(String),
    Item(String),
    Spliced(String),
    Param(String, Option<u64>),
}

fn paths(stream: &Stream) -> Vec<Path> {
    let mut paths = Vec::new();
    let mut visit = |resolver: &mut Resolver<'_>, event: Event<'_>| {
        let layout = resolver.layout();
        match event.found {
            Found::Dict(_) if event.path == "/" => {}
            Found::Dict(_) => paths.push(Path::Line(format!("#{} dict", event.path))),
            Found::List { length, .. } => {
                let length = length.map_or_else(|error| error.to_string(), |it| it.to_string());
                paths.push(Path::Line(format!("#{} {length}", event.path)));
            }
            Found::Param { param, placed } => {
                let streamed = matches!(layout[param].value, ParamValue::Streamed(..));
                let address = placed.and_then(|it| it.ok()).filter(|_| streamed);
                paths.push(Path::Param(event.path.to_owned(), address.map(|it| it.address)));
            }
            Found::Array { array, .. } if layout[array].spliced => {
                paths.extend(members(layout, array, event.path).into_iter().map(Path::Spliced));
            }
            Found::Array { .. } => paths.push(Path::Item(event.path.to_owned())),
            Found::Elided { .. } => paths.push(Path::Line("…".to_owned())),
        }
        Flow::Continue
    };
    stream.with_resolver(|resolver| resolver.walk(WalkOptions::default(), &mut visit));
    paths
}

/// The paths of the members of a spliced record, which lie beside it.
fn members(layout: &Layout, array: ArrayId, record: &str) -> Vec<String> {
    let Element::Record(id) = layout[array].element else { return Vec::new() };
    let outer = record.rsplit_once('/').map_or("", |(outer, _)| outer);
    let members = layout.run(layout[id].members).iter();
    members
        .filter_map(|step| match step {
            Step::Array(id) => {
                let mut path = format!("{outer}/");
                push_name(&mut path, layout.name(layout[*id].name));
                Some(path)
            }
            _ => None,
        })
        .collect()
}

fn item(item: &Item, spliced: bool) -> Result<String> {
    let data = item.data()?;
    let dtype = match data.dtype() {
        Dtype::Primitive(..) => data.dtype_name(),
        _ => "struct".to_owned(),
    };
    let shape = match data.shape() {
        [] => String::new(),
        shape => format!("[{}]", commas(shape)),
    };
    let mut line = format!("{} {dtype}{shape} @{} +{}", item.path(), data.address(), data.bytes());
    if spliced {
        line += &format!(" s=[{}]", commas(data.strides()));
    }
    Ok(line)
}

fn commas<T: ToString>(numbers: &[T]) -> String {
    numbers.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}

fn param(item: &Item, address: Option<u64>) -> Result<String> {
    let path = item.path().replacen("/:", "/", 1);
    let value = match item.value()? {
        dudley::Value::Int(value) => value,
        other => panic!("{path} is no integer: {other:?}"),
    };
    Ok(match address {
        Some(address) => format!(":{path} ={value} @{address}"),
        None => format!(":{path} ={value} fixed"),
    })
}
