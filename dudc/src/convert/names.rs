//! The names of items and params in formats that have no paths.

use std::collections::HashSet;

use dudley::numpy::layout::path_of;
pub(crate) use dudley::numpy::names::of_param;
use dudley::numpy::names::{of_file, second, to_dict_file, to_file};
use dudley::read::path::{Part, parse};
use dudley::read::slice::resolve;
use dudley::{Item, ItemKind, Stream};
use dudley_formats::is_only_dimension;
use dudley_parser::layout::path::push_name;

use crate::failure::{Failure, Result, printable};

/// The params of a dict that are stored, each with its [name](of_param).
///
/// # Errors
/// If two of them have one name, or would have one.
pub(crate) fn params(dict: &Item) -> Result<Vec<(String, Item)>> {
    let params = dict.params().into_iter().filter(Item::is_stated);
    let params: Vec<_> = params.map(|param| (of_param(param.path()), param)).collect();
    for (name, param) in &params {
        let second = second(name)
            .filter(|_| matches!(parse(param.path()).as_deref(), Ok([.., Part::Param(_, 0)])));
        if let Some((first, at)) = second
            && params.iter().any(|(name, _)| name == first)
        {
            let (path, first) = (printable(param.path()), printable(&first[1..]));
            let ordinal = if at == 2 { "second".to_owned() } else { format!("{at}th") };
            return Err(Failure::input(format!(
                "`{path}` would be the {ordinal} param `{first}`: give it another name"
            )));
        }
    }
    Ok(params)
}

/// The items of a dict, by name. What netCDF-4 has for a dimension without a variable is none: its values mean nothing.
pub(crate) fn children(dict: &Item) -> Vec<(String, Item)> {
    let names = dict.names().into_iter();
    let children = names.filter_map(|name| dict.child(&name).map(|child| (name, child)));
    children.filter(|(_, child)| !is_only_dimension(child.attributes())).collect()
}

/// The params of a dict whose values only the layout has.
pub(crate) fn fixed(dict: &Item) -> impl Iterator<Item = Item> {
    dict.params().into_iter().filter(|param| !param.is_stated())
}

/// Names from the root on; for each, whether it is a key of a dict and not an index.
pub(crate) type Names = Vec<(String, bool)>;

/// The name of a file without `.npy`, made from names: a param has a colon before its own.
pub(crate) fn file_of(names: &Names, is_param: bool) -> String {
    let last = names.len().saturating_sub(1);
    let files = names.iter().enumerate().map(|(at, (name, keyed))| match name {
        name if is_param && at == last => format!(":{}", to_file(name)),
        name if at > 0 && *keyed => to_dict_file(name),
        name => to_file(name),
    });
    files.collect::<Vec<_>>().join("/")
}

/// The names of a path, without its slices and fields; a param as it [is called](of_param), without the colon.
///
/// # Errors
/// If it is no path.
pub(crate) fn of_path(path: &str) -> Result<Names> {
    let names = parse(path)?.into_iter().filter_map(|part| match part {
        Part::Name { text, quoted } => {
            let keyed = quoted || text.parse::<usize>().is_err();
            Some((text, keyed))
        }
        Part::Param(..) => {
            Some((of_param(path).strip_prefix(':').unwrap_or_default().to_owned(), true))
        }
        Part::Field(_) | Part::Slice(_) => None,
    });
    Ok(names.collect())
}

/// Adds a name to a path: digits without quotes are an index.
pub(crate) fn push(path: &mut String, name: &str, keyed: bool) {
    path.push('/');
    if keyed { push_name(path, name) } else { path.push_str(name) }
}

/// The names of what a path picks of a stream, where an index is one in brackets as well. The items of a list that are
/// stacked have no name of their own.
///
/// # Errors
/// If it is no path; if reading the lengths of lists fails.
pub(crate) fn of_picked(stream: &Stream, path: &str) -> Result<Names> {
    let mut names = Names::new();
    // This ends where dicts and lists end.
    let mut around = Some(stream.root());
    for part in parse(path)? {
        match part {
            Part::Name { text, quoted } => {
                around = match around {
                    Some(list) if list.kind() == ItemKind::List => {
                        text.parse().ok().map(|at| list.element(at)).transpose()?
                    }
                    dict => dict.and_then(|dict| dict.child(&text)),
                };
                let keyed = quoted || text.parse::<usize>().is_err();
                names.push((text, keyed));
            }
            Part::Slice(indices) => {
                for index in indices {
                    let Some(list) = around.take().filter(|it| it.kind() == ItemKind::List) else {
                        break;
                    };
                    let picked = resolve(&[index], &[list.len()?])?;
                    let Some(first) = picked.first().filter(|it| it.count > 0) else { break };
                    if first.single {
                        names.push((first.start.to_string(), false));
                    }
                    around = Some(list.element(first.start)?);
                }
            }
            Part::Param(name, _) => names.push((name, true)),
            Part::Field(_) => {}
        }
    }
    Ok(names)
}

/// The names of an output that are taken, as names of [files](file_of).
#[derive(Default)]
pub(crate) struct TakenNames(HashSet<String>);

impl TakenNames {
    /// Takes a name.
    ///
    /// # Errors
    /// If it is taken.
    pub(crate) fn take(&mut self, file: &str) -> Result<()> {
        if self.is_new(file) {
            return Ok(());
        }
        let parts: Vec<String> = file.split('/').map(of_file).collect();
        Err(picked_twice(&path_of(&parts)))
    }

    /// Takes a name. Returns whether it was free.
    pub(crate) fn is_new(&mut self, file: &str) -> bool {
        self.0.insert(file.to_owned())
    }
}

/// The error that two paths lead to one place in the output.
pub(crate) fn picked_twice(path: &str) -> Failure {
    Failure::input(format!("`{}` is picked twice, or is in what is picked", printable(path)))
}
