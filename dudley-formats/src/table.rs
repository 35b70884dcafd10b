//! Lists whose items are all of one form, so that they are as many arrays as one item has.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use dudley::Result;
use dudley::model::{Kind, Node};

/// No more items of a list are looked at.
pub(crate) const MOST_ITEMS: u64 = 1 << 17;

/// No dict or list is gone into further.
pub(crate) const DEEPEST: usize = 100;

/// Whether the items of a list of a stream are dicts or arrays of one form.
///
/// # Errors
/// What finding them says.
pub(crate) fn is_table(list: &Node) -> Result<bool> {
    let count = list.len()?;
    if list.item().is_none() || !(2..=MOST_ITEMS).contains(&count) {
        return Ok(false);
    }
    let mut forms = list.children()?.map(|child| form(&child?, 0));
    let Some(first) = forms.next().transpose()?.flatten() else { return Ok(false) };
    for form in forms {
        if form?.as_ref() != Some(&first) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What an item of a list is made of, for comparing it with the others: kinds, names and shapes; none of what has
/// another number of items each time.
fn form(node: &Node, depth: usize) -> Result<Option<String>> {
    let mut text = String::new();
    if depth > DEEPEST {
        return Ok(None);
    }
    match node.kind() {
        Kind::Value => {}
        Kind::Array => {
            let _ = write!(text, "{}{:?}", node.dtype_name()?, node.shape()?);
        }
        Kind::Dict => {
            for child in node.children()? {
                let child = child?;
                let Some(form) = form(&child, depth + 1)? else { return Ok(None) };
                let _ = write!(text, "{:?}={form};", child.name());
            }
            text = format!("{{{text}}}");
        }
        Kind::List => {
            let count = node.len()?;
            if count > MOST_ITEMS {
                return Ok(None);
            }
            let mut forms = BTreeSet::new();
            for child in node.children()? {
                let Some(form) = form(&child?, depth + 1)? else { return Ok(None) };
                forms.insert(form);
            }
            let [form] = &forms.into_iter().collect::<Vec<_>>()[..] else { return Ok(None) };
            text = format!("[{count}*{form}]");
        }
    }
    Ok(Some(text))
}
