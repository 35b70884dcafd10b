//! Items whose names were numbered by themselves, given the numbers that these names have elsewhere.

use super::{
    Array, Count, CountKind, Dtype, Element, ElementKind, ExprToken, Filter, Item, ItemKind, List,
    Name, ParamValue, Place,
};
use crate::names::Symbol;

/// Gives each name in the items the symbol that stands in `symbols` for the one it has.
pub(crate) fn renumber(items: &mut [Item], symbols: &[Symbol]) {
    for item in items {
        match &mut item.kind {
            ItemKind::Data { name: own, array: of } => {
                name(own, symbols);
                array(of, symbols);
            }
            ItemKind::Param { name: own, value, .. } => {
                name(own, symbols);
                match value {
                    ParamValue::Fixed(_, place) => self::place(place.as_mut(), symbols),
                    ParamValue::Typed(of) => array(of, symbols),
                }
            }
            ItemKind::List { name: own, list: of, .. } => {
                name(own, symbols);
                list(of, symbols);
            }
            ItemKind::Extend { name: own, count: of, .. } => {
                name(own, symbols);
                count(of, symbols);
            }
            ItemKind::Type { name: own, body } => {
                name(own, symbols);
                renumber(&mut body.members, symbols);
            }
            ItemKind::Enter { name: own, .. } | ItemKind::Broken { name: Some(own) } => {
                name(own, symbols);
            }
            ItemKind::Up | ItemKind::Root | ItemKind::Broken { name: None } => {}
        }
    }
}

fn name(name: &mut Name, symbols: &[Symbol]) {
    name.symbol = symbols[name.symbol.index()];
}

fn array(array: &mut Array, symbols: &[Symbol]) {
    match &mut array.dtype {
        Dtype::Named { name: own, .. } => name(own, symbols),
        Dtype::Struct(body) => renumber(&mut body.members, symbols),
    }
    for dim in &mut array.shape {
        count(dim, symbols);
    }
    if let Some(filter) = &mut array.filter {
        let Filter { name: own, stored, .. } = &mut **filter;
        name(own, symbols);
        if let Some(stored) = stored {
            count(stored, symbols);
        }
    }
    place(array.place.as_mut(), symbols);
}

fn place(place: Option<&mut Place>, symbols: &[Symbol]) {
    if let Some(Place::At { address, .. }) = place {
        count(address, symbols);
    }
}

fn count(count: &mut Count, symbols: &[Symbol]) {
    match &mut count.kind {
        CountKind::Int(_) => {}
        CountKind::Param { name: own, .. } => name(own, symbols),
        CountKind::Expr(tokens) => {
            for token in tokens {
                if let ExprToken::Param(own) = token {
                    name(own, symbols);
                }
            }
        }
    }
}

fn list(of: &mut List, symbols: &[Symbol]) {
    for Element { kind, .. } in &mut of.elements {
        match kind {
            ElementKind::Data(of) => array(of, symbols),
            ElementKind::List(inner) => list(inner, symbols),
            ElementKind::Dict(items) => renumber(items, symbols),
            ElementKind::Broken => {}
        }
    }
    if let Some(repeat) = &mut of.repeat {
        count(repeat, symbols);
    }
}
