//! The arrays and values of a file with nodes of its own, as streams have them; what no stream has is left out.

use dudley::Value;
use dudley::model::{Content, Dataset, Kind, LeftBehind, Portable};
use dudley::numpy::ArraySource;
use dudley::numpy::arrays::About;
use dudley::read::path::{split, without_slices};

use super::gathered::{Gathered, about, of_value, source_of};
use super::names::of_path;
use crate::failure::{Result, printable};
use crate::fill::Fill;
use crate::nodes::leaves::{Leaf, of_portable};
use crate::nodes::portable;
use crate::npy::Values;
use crate::output::{named, warn};
use crate::pick::{picks_several, spread};
use crate::rows::Errors;

/// All arrays and values at and below some paths, or all, without masks and with their units. If they become `one`
/// array, the items that slices of lists pick are stacked; otherwise they keep their places. Nodes without a form in
/// other formats are left out, with a warning.
///
/// # Errors
/// If reading fails; if numpy has no array for one.
pub(crate) fn gathered(
    dataset: &Dataset,
    paths: &[String],
    fill: &Fill,
    one: bool,
) -> Result<Gathered> {
    let mut gathered = Gathered::default();
    let content = dataset.inner();
    let picked = spread(content, paths)?;
    if let ([path], [first, ..], true) = (paths, &picked[..], one)
        && picks_several(path, first)?
    {
        let (source, unit) = stacked(content, path, first, fill)?;
        gathered.add(of_path(path)?, source, About { unit, ..About::default() })?;
        return Ok(gathered);
    }
    let (mut errors, mut left) = (Errors::default(), Left::default());
    let whole = if paths.is_empty() { Some(None) } else { None };
    for path in picked.iter().map(|path| Some(path.as_str())).chain(whole) {
        let behind = portable(content, path, &mut |it| {
            let source: ArraySource = match of_portable(&it) {
                Ok(Leaf::Array(node)) => fill.array(&node, &it.path)?.into(),
                Ok(Leaf::Data(..)) => source_of(&fill.select(content, &it.path)?)?,
                Ok(Leaf::Value(value)) if !it.is_digits && has_form(&value) => of_value(&value)?,
                Ok(leaf) => {
                    left.add(dataset, &it, matches!(leaf, Leaf::Within(_)));
                    return Ok(());
                }
                Err(error) => {
                    errors.add(error.of_path(&it.path));
                    return Ok(());
                }
            };
            let said = source.data().map(|data| about(data.doc(), data.attributes()));
            let said = said.unwrap_or_default();
            let unit = it.unit.filter(|_| said.doc.is_empty());
            gathered.add(of_path(&it.elsewhere)?, source, About { unit, ..said })
        })?;
        left.behind.types.extend(behind.types);
        left.behind.history += behind.history;
    }
    left.warn();
    match errors.first.into_iter().next() {
        Some(error) => Err(error.into()),
        None => Ok(gathered),
    }
}

/// What a path picks of all items of a list, as one array, and the unit of the first of them.
fn stacked(
    content: &dyn Content,
    path: &str,
    first: &str,
    fill: &Fill,
) -> Result<(ArraySource, Option<String>)> {
    let whole = content.get(&without_slices(first)?)?.path();
    let mut found = None;
    portable(content, Some(first), &mut |it| {
        found.get_or_insert(it);
        Ok(())
    })?;
    // The array may stand below, beside its unit.
    let of_array = found.as_ref().filter(|it| it.path == whole).map(|it| it.node.path());
    let below = of_array.as_deref().and_then(|path| path.strip_prefix(&*whole)).unwrap_or("");
    let source = source_of(&fill.select(content, &format!("{path}{below}"))?)?;
    Ok((source, found.and_then(|it| it.unit)))
}

/// Whether numpy has an array for a value.
fn has_form(value: &Value) -> bool {
    Values::of(&|sink| value.emit(sink), None).is_ok_and(|values| values.is_some())
}

/// The content that is left behind.
#[derive(Default)]
struct Left {
    /// Nodes without a form in the other format.
    paths: Vec<String>,
    /// Nodes that contain themselves.
    rounds: Vec<String>,
    /// Lists that lose items.
    lists: Vec<String>,
    /// What the format of the file says.
    behind: LeftBehind,
}

impl Left {
    /// Records a node that is left out, and the list around it.
    fn add(&mut self, dataset: &Dataset, it: &Portable, is_round: bool) {
        let to = if is_round { &mut self.rounds } else { &mut self.paths };
        to.push(printable(&it.path));
        let around = dataset.get(split(&it.path).0).ok();
        let list = around.filter(|node| node.kind() == Kind::List).map(|it| printable(&it.path()));
        if let Some(list) = list.filter(|list| self.lists.last() != Some(list)) {
            self.lists.push(list);
        }
    }

    /// Warns of everything that is left out.
    fn warn(&self) {
        if !self.paths.is_empty() {
            let is = if self.paths.len() == 1 { "is" } else { "are" };
            let of = named(&self.paths);
            warn(&format!("{of} of the tree {is} empty, or beyond 64 bits, and {is} left out"));
        }
        if !self.rounds.is_empty() {
            let stands = match self.rounds.len() {
                1 => "stands in itself, and is",
                _ => "stand in themselves, and are",
            };
            warn(&format!("{} of the tree {stands} left out", named(&self.rounds)));
        }
        let LeftBehind { types, history } = &self.behind;
        if !types.is_empty() {
            let (tags, is) = if types.len() == 1 { ("the tag", "is") } else { ("the tags", "are") };
            let types: Vec<String> = types.iter().map(|path| printable(path)).collect();
            let of = named(&types);
            warn(&format!(
                "{tags} of {of} {is} left out: values are kept, and programs that know the types by their tags do not \
                 find them in what is written"
            ));
        }
        if !self.lists.is_empty() {
            let (a, its) =
                if self.lists.len() == 1 { ("a list", "its") } else { ("lists", "their") };
            let of = named(&self.lists);
            warn(&format!("{of}: what is left of {a} stands under the numbers of {its} items"));
        }
        if *history > 0 {
            let entries = if *history == 1 { "entry" } else { "entries" };
            warn(&format!("the history of the file is left out, which has {history} {entries}"));
        }
    }
}
