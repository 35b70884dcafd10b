//! The nearest name for a misspelt param or type, for "did you mean".

use super::Checker;
use crate::layout::dtype::{Primitive, elsewhere};
use crate::similar::{nearest, similar};

/// This many errors of a text come with what may have been meant: to look for that takes as long as there are names,
/// and nobody reads more.
const ADVISED: usize = 100;

impl Checker<'_> {
    /// Whether it is still looked for what was meant.
    pub(super) fn advises(&self) -> bool {
        self.diagnostics.len() < ADVISED
    }

    /// The param in scope that a misspelt name is nearest to.
    pub(super) fn similar_param(&self, name: &str) -> Option<String> {
        if !self.advises() {
            return None;
        }
        let mut names = self.params_in_scope();
        names.sort_unstable();
        similar(name, names.iter().map(|&symbol| self.name(symbol)))
    }

    /// What to write instead of the name of a type that there is not.
    pub(super) fn help_with_type(&self, name: &str) -> Option<String> {
        let meant = |name: &str| format!("did you mean `{name}`?");
        if let Some(ours) = elsewhere(name) {
            return Some(meant(ours));
        }
        let near = self.similar_type(name);
        // For a primitive with another number the help lists all numbers, unless a declared type is nearer.
        let is_declared = |near: &String| Primitive::from_name(near).is_none();
        match near {
            Some(near) if is_declared(&near) => Some(meant(&near)),
            near => sizes(name).or_else(|| near.as_deref().map(meant)),
        }
    }

    /// The type that a misspelt name is nearest to.
    fn similar_type(&self, name: &str) -> Option<String> {
        if !self.advises() {
            return None;
        }
        let mut declared: Vec<_> = self.types.keys().copied().collect();
        declared.sort_unstable();
        let declared = declared.iter().map(|&symbol| (0, self.name(symbol)));
        // Of primitives as near as each other the wider one is taken.
        let primitives = Primitive::ALL.iter().rev().enumerate();
        let primitives = primitives.map(|(rank, primitive)| (1 + rank, primitive.name()));
        nearest(name, declared.chain(primitives))
    }
}

/// The primitives that a name with another number may mean: `i3`, `f16`, `S8`.
fn sizes(name: &str) -> Option<String> {
    let digits = name.get(1..).filter(|rest| !rest.is_empty())?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(digits) {
        return None;
    }
    let letter = &name[..1];
    let same = Primitive::ALL.iter().map(|primitive| primitive.name());
    let same = same.filter(|other| other.strip_prefix(letter).is_some_and(is_number));
    let same: Vec<String> = same.map(|other| format!("`{other}`")).collect();
    match (same.split_last()?, letter) {
        ((_, _), "S" | "U") => Some(format!(
            "the number counts the bytes of a character: a text of {digits} is `{letter}1[{digits}]`"
        )),
        ((only, []), _) => Some(format!("the number counts bytes: there is {only}")),
        ((last, others), _) => {
            Some(format!("the number counts bytes: there are {} and {last}", others.join(", ")))
        }
    }
}
