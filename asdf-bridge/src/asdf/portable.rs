//! What of a tree other formats take, under which paths there, and what stays behind.
//!
//! A quantity is its value, with a unit. References are followed. Entries about the file itself (`asdf_library`,
//! `history`) stay behind, and so do tags that other formats do not know. Data with one of these names lose the `_` that
//! they have in the tree.

use dudley::Value;
use dudley::model::{Kind, LeftBehind, Portable};
use dudley::read::path::{Part, parse, spell, split, without_slices};
use dudley::read::select::Picked;

use super::entry::{node, number};
use super::error::{Error, Result};
use super::file::AsdfFile;
use super::item::Item;
use super::quantity::Quantity;
use super::top_keys::{Names, is_own_part};
use super::tree::NodeKind;
use super::walk::References;

/// Receives what other formats take.
type Take<'t> = dyn FnMut(Portable) -> dudley::Result<()> + 't;

/// Hands over everything at and below a path, or the selection of its slices of an array.
///
/// # Errors
/// If there is nothing of that path; if `take` fails.
pub(super) fn each(
    file: &AsdfFile,
    path: Option<&str>,
    left: &mut LeftBehind,
    take: &mut Take<'_>,
) -> Result<()> {
    let is_slice = |part: &Part| matches!(part, Part::Slice(_) | Part::Field(_));
    if let Some(path) = path
        && parse(path)?.iter().any(is_slice)
    {
        return match &file.spread(path)?.paths[..] {
            [one] if one == path => part(file, path, take),
            paths => paths.iter().try_for_each(|path| each(file, Some(path), left, take)),
        };
    }
    let root = match file.get(path.unwrap_or("/")) {
        Err(Error::NoTree) if path.is_none() => return Ok(()),
        root => root?,
    };
    let top = file.names();
    // An entry about the file is handed over if its path is requested.
    let is_whole = path.is_none_or(|path| path == "/");
    // A node that is picked alone comes without the node around it, and so without its unit.
    let mut picked = !is_whole;
    root.walk(References::Followed, &mut |item| {
        let is_picked = std::mem::replace(&mut picked, false);
        let place = Place::of(top, item.path())?;
        if place.is_own && is_whole {
            if item.path() == "/history" {
                left.history += file.history().entries.len() as u64;
            }
            // Programs may have put data beside the entries of the standard.
            match &place.names[..] {
                [_] => return Ok(item.node().kind() == NodeKind::Mapping && !item.is_array()),
                [Part::Name { text: own, .. }, Part::Name { text: key, .. }, ..]
                    if is_own_part(own, key) =>
                {
                    return Ok(false);
                }
                _ => {}
            }
        }
        let quantity = item.quantity();
        if quantity.is_none() && loses_type(item) {
            left.types.push(item.path().to_owned());
        }
        let of = quantity.as_ref().map_or(item, Quantity::value);
        let is_number = (quantity.is_some() || is_picked) && !matches!(of.typed(), Ok(None));
        let node = if is_number { number(of) } else { node(of.clone()) };
        if matches!(node.kind(), Kind::Dict | Kind::List)
            && (place.names.is_empty() || !node.is_empty()?)
            && node.within_itself().is_none()
        {
            return Ok(true);
        }
        let beside = || if is_picked || stands_alone(item) { item.unit() } else { None };
        let unit = quantity.as_ref().map(|quantity| quantity.unit().to_owned()).or_else(beside);
        let (path, elsewhere) = (item.path().to_owned(), place.elsewhere());
        take(Portable { path, elsewhere, node, part: None, unit, is_digits: is_digits(of) })?;
        Ok(false)
    })
}

/// The selection of slices and fields of an array, under the path of the array.
fn part(file: &AsdfFile, path: &str, take: &mut Take<'_>) -> Result<()> {
    let of_value = file.path_of_value(path)?;
    let selected = file.select_stored(&of_value)?;
    let [Picked::Data(data)] = selected.parts.as_slice() else {
        return Err(dudley::Error::NotData { path: path.into(), kind: "value" }.into());
    };
    let item = file.get(&without_slices(path)?)?;
    let is_quantity = |item: &Item| item.quantity().is_some();
    let named =
        Some(item.clone()).filter(is_quantity).or_else(|| around(&item).filter(is_quantity));
    let elsewhere = Place::of(file.names(), named.as_ref().unwrap_or(&item).path())?.elsewhere();
    // A reference may lead to the value of a quantity alone.
    let quantity = named.or_else(|| item.parent()).and_then(|item| item.quantity());
    let unit = quantity.map(|it| it.unit().to_owned()).or_else(|| item.unit());
    let node = node(file.get(&without_slices(&of_value)?)?);
    let part = Some(data.clone());
    Ok(take(Portable { path: of_value, elsewhere, node, part, unit, is_digits: false })?)
}

/// The path in a tree of data with a path in other formats: those called `history` stand under `history_`.
///
/// # Errors
/// If it is no path.
pub(super) fn path_here(file: &AsdfFile, elsewhere: &str) -> Result<String> {
    let Some(Part::Name { text, .. }) = parse(elsewhere)?.into_iter().next() else {
        return Ok(elsewhere.to_owned());
    };
    let key = file.names().key(&text).into_owned();
    let spelt = [format!("/{text}"), format!("/\"{text}\"")];
    let rest = spelt.iter().find_map(|spelt| elsewhere.strip_prefix(spelt.as_str()));
    Ok(match rest.filter(|_| key != text) {
        Some(rest) => format!("/{key}{rest}"),
        None => elsewhere.to_owned(),
    })
}

/// The place of a node of a tree in another format.
struct Place {
    /// Its names; none for the root.
    names: Vec<Part>,
    /// It is about the file.
    is_own: bool,
}

impl Place {
    /// The place of a path in a tree with such names at its top.
    fn of(top: Names, path: &str) -> Result<Place> {
        let mut place = Place { names: parse(path)?, is_own: false };
        if let Some(Part::Name { text, .. }) = place.names.first_mut() {
            match top.name(text).map(str::to_owned) {
                Some(name) => *text = name,
                None => place.is_own = true,
            }
        }
        Ok(place)
    }

    /// Its path in the other format. A tree that is one array has no name for it.
    fn elsewhere(&self) -> String {
        if self.names.is_empty() { "/_".to_owned() } else { spell(&self.names) }
    }
}

/// Whether no other format knows the tag of a node. The first files of FINF have no `core/`.
fn loses_type(item: &Item) -> bool {
    let is_core = |tag: &str| tag.starts_with("core/") || !tag.contains(['/', ':', '!']);
    let is_known = |tag: &str| is_core(tag) || tag.starts_with("tag:yaml.org");
    item.node().short_tag().is_some_and(|tag| !is_known(tag))
}

/// Whether it is an integer of more than 128 bits, whose value is a text of its digits.
fn is_digits(item: &Item) -> bool {
    item.is_value()
        && item.node().short_tag().is_some_and(|tag| tag.starts_with("core/integer"))
        && matches!(item.value(), Ok(Value::Text(_)))
}

/// Whether a reference leads to an item without the node around it, so that no unit stands beside the item.
fn stands_alone(item: &Item) -> bool {
    item.is_referred() && around(item).map(|it| it.id()) != item.parent().map(|it| it.id())
}

/// The node around an item, by the path at which the item was found.
fn around(item: &Item) -> Option<Item> {
    item.asked().get(split(item.path()).0).ok()
}

#[cfg(test)]
mod tests {
    use dudley::model::{Content, Kind, LeftBehind};

    use super::super::file::{AsdfFile, Open};

    const TREE: &str = "#ASDF 1.0.0\n%TAG ! tag:stsci.edu:asdf/\n---\n\
        history: {entries: [{description: one}], rho: 1}\nhistory_: 2\n\
        q: !unit/quantity-1.1.0 {unit: m, value: !core/ndarray-1.1.0 [1, 2]}\n\
        n: !unit/quantity-1.1.0 {unit: K, value: 1.5, datatype: float32}\n\
        t: !<tag:example.org:t-1.0> {x: {$ref: '#/q/value'}, e: []}\n\
        r: &r [*r, !core/integer-1.0.0 {words: !core/ndarray-1.1.0 [1, 2, 3, 4, 5], sign: +}]\n...\n";

    fn taken(file: &AsdfFile, path: Option<&str>) -> (Vec<String>, LeftBehind) {
        let mut all = Vec::new();
        let left = file.portable(path, &mut |it| {
            let kind = it.node.kind().as_str();
            let unit = it.unit.map_or(String::new(), |unit| format!(" ({unit})"));
            let digits = if it.is_digits { " digits" } else { "" };
            all.push(format!("{} -> {} {kind}{unit}{digits}", it.path, it.elsewhere));
            Ok(())
        });
        (all, left.expect("a walk"))
    }

    #[test]
    fn other_formats_take_values_with_their_units() {
        let file = Open::new().bytes(TREE).expect("a file");
        let (all, left) = taken(&file, None);
        let expected = [
            "/history/rho -> /history/rho value",
            "/history_ -> /history value",
            "/q -> /q array (m)",
            "/n -> /n array (K)",
            "/t/x -> /t/x array (m)",
            "/t/e -> /t/e list",
            "/r/0 -> /r/0 list",
            "/r/1 -> /r/1 value digits",
        ];
        assert_eq!(all, expected);
        assert_eq!(left, LeftBehind { types: vec!["/t".to_owned()], history: 1 });
    }

    #[test]
    fn what_is_picked_keeps_its_unit_and_has_the_path_of_its_array() {
        let file = Open::new().bytes(TREE).expect("a file");
        let picked = |path| taken(&file, Some(path)).0;
        assert_eq!(picked("/q[1:]"), ["/q/value[1:] -> /q array (m)"]);
        assert_eq!(picked("/q/value"), ["/q/value -> /q/value array (m)"]);
        assert_eq!(picked("/n/value"), ["/n/value -> /n/value array (K)"]);
        assert_eq!(picked("/history").len(), 2);
        assert_eq!(file.path_here("/history/x").expect("a path"), "/history_/x");
        assert_eq!(file.path_here("/q").expect("a path"), "/q");
        let shape = |path| Content::whole(&file, path).expect(path).kind();
        assert_eq!(shape("/q[1:]"), Kind::Array);
    }
}
