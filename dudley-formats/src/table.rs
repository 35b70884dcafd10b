//! Lists whose items all have one form, so that the list becomes one array for each array of an item.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use dudley::model::{Kind, Node};
use dudley::{Data, Dtype, Result};

/// The most items of a list that are examined.
pub(crate) const MOST_ITEMS: u64 = 1 << 17;

/// The deepest dict or list that is entered.
pub(crate) const DEEPEST: usize = 100;

/// Whether the items of a list are dicts or arrays of one form.
///
/// # Errors
/// If the items cannot be read.
pub(crate) fn is_table(list: &Node) -> Result<bool> {
    match of_one_form(list) {
        // Items that cannot be placed are reported where they are visited.
        Err(error) if !error.is_unread() => Ok(false),
        found => found,
    }
}

fn of_one_form(list: &Node) -> Result<bool> {
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

/// The form of an item of a list, for comparison with the others: kinds, names and shapes; `None` for a list whose
/// items vary in form or are too many, or for too deep an item.
fn form(node: &Node, depth: usize) -> Result<Option<String>> {
    let mut text = String::new();
    if depth > DEEPEST {
        return Ok(None);
    }
    match node.kind() {
        Kind::Value => {}
        Kind::Array => {
            // Unit and attributes change the meaning of values.
            let said = (node.unit(), node.attributes());
            let _ = write!(text, "{}{:?}{said:?}", node.dtype_name()?, node.shape()?);
            let data = node.stored()?;
            // The type of the elements may set these.
            let _ = write!(text, "{:?}{}", data.strides(), data.first());
            of_fields(&data, data.dtype(), &mut text);
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

/// Whether elements lie row by row without gaps, in the dimensions from `from` on.
pub(crate) fn lies_together(data: &Data, from: usize) -> bool {
    let (shape, strides) = (data.shape(), data.strides());
    let Some(size) = data.dtype().size() else { return false };
    let mut wanted = i64::try_from(size).unwrap_or(i64::MAX);
    let mut dims = shape.iter().zip(strides).skip(from).rev();
    shape.len() == strides.len()
        && dims.all(|(dim, stride)| {
            let fits = *dim <= 1 || *stride == wanted;
            wanted = wanted.saturating_mul(i64::try_from(*dim).unwrap_or(i64::MAX));
            fits
        })
}

/// Adds the units and attributes of the fields of structs.
fn of_fields(data: &Data, dtype: &Dtype, text: &mut String) {
    let Dtype::Record(record) = dtype else { return };
    let layout = data.layout();
    for field in &record.fields {
        let attributes = layout.attributes(field.doc).iter().map(|it| (&it.name, &it.value));
        let said = (layout.unit(field.doc), attributes.collect::<Vec<_>>());
        let _ = write!(text, ".{said:?}");
        of_fields(data, &field.dtype, text);
    }
}
