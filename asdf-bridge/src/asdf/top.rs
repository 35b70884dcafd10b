//! Keys at the top of a tree: those that are the file's own, and those of data that are called the same.

use std::borrow::Cow;

/// What stands under these is about the file, as the standard has it: who wrote it, and what was done to it.
pub const OWN_KEYS: [&str; 2] = ["asdf_library", "history"];

/// The key at the top of a tree under which data of a name stand: the name, but for [`OWN_KEYS`], and those with `_`
/// behind them, one more `_`. FINF has no keys of its own.
///
/// ```
/// use asdf_bridge::asdf::{data_key, data_name};
///
/// assert_eq!((&*data_key("rho"), &*data_key("history"), &*data_key("history_")), ("rho", "history_", "history__"));
/// assert_eq!(data_name("history__"), Some("history_"));
/// ```
pub fn data_key(name: &str) -> Cow<'_, str> {
    match own_of(name) {
        Some(_) => format!("{name}_").into(),
        None => name.into(),
    }
}

/// The name of data under a key at the top of a tree: what [`data_key`] makes this key of. None for [`OWN_KEYS`].
pub fn data_name(key: &str) -> Option<&str> {
    match own_of(key) {
        Some(_) => key.strip_suffix('_'),
        None => Some(key),
    }
}

/// Which of [`OWN_KEYS`] a name is, but for `_` behind it.
pub(super) fn own_of(name: &str) -> Option<&'static str> {
    let name = name.trim_end_matches('_');
    OWN_KEYS.into_iter().find(|own| *own == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_key_of_its_own_and_comes_back() {
        for name in ["x", "_", "", "history", "history_", "history__", "asdf_library", "history2"] {
            let key = data_key(name);
            assert!(!OWN_KEYS.contains(&&*key), "{name}");
            assert_eq!(data_name(&key), Some(name));
        }
        assert!(OWN_KEYS.iter().all(|key| data_name(key).is_none()));
    }
}
