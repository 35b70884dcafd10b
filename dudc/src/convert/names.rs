//! What params are called where items and params have names alone.

use dudley::Item;
pub(crate) use dudley::numpy::names::{of_param, second, to_dict_file, to_file, to_param_file};
use dudley::read::path::{Part, parse};

use crate::failure::{Failure, Result, printable};

/// The params of a dict that are values of their own, each with what it [is called](of_param).
///
/// # Errors
/// If one is called as another one is, or would be.
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
