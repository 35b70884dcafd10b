//! Can arrays be presented as their attributes say (spec 7.7)?

use super::Checker;
use crate::comments::Attribute;
use crate::diagnostic::Diagnostic;
use crate::layout::presented::Presented;
use crate::layout::print::spelt_attribute;
use crate::layout::{Array, DocKey, Element};
use crate::resolve::{ErrorKind, Given, NoValues, Resolver, State};
use crate::span::Span;
use hashbrown::HashSet;

impl Checker<'_> {
    /// Finds the arrays that are presented otherwise than they are stored.
    pub(super) fn mark_presented(&mut self) {
        let layout = &self.layout;
        let mut attributes = layout.attributes.values().flatten();
        if attributes.any(Attribute::presents) {
            let other = |array: &Array| match layout.layers(array) {
                Ok(layers) => layers.iter().any(|layer| layer.presented != Presented::Rows),
                Err(_) => true,
            };
            let marks: Vec<bool> = layout
                .arrays
                .iter()
                .map(|array| layout.says_presented(array) && other(array))
                .collect();
            for (array, presented) in self.layout.arrays.iter_mut().zip(marks) {
                array.presented = presented;
            }
        }
    }

    /// Reports attributes that do not fit their array, as far as numbers are known, and those that have no effect.
    pub(super) fn check_presented(&mut self, start: u64) {
        let layout = &self.layout;
        let given = Given { start, ..Given::default() };
        let mut state = State::new();
        let mut resolver = Resolver::new(layout, &given, &NoValues, &mut state);
        let (mut found, mut known): (Vec<Diagnostic>, HashSet<Span>) = Default::default();
        for array in layout.arrays.iter().filter(|array| array.presented) {
            if matches!(array.element, Element::Record(id) if self.poisoned == Some(id)) {
                continue;
            }
            let finding = match layout.layers(array) {
                Err(misfit) => {
                    Some(Diagnostic::error("bad-view", misfit.span, misfit.why).help(misfit.help))
                }
                Ok(_) => match resolver.presentation(array, None) {
                    Err(error) if matches!(error.kind(), ErrorKind::View { .. }) => {
                        Some(Diagnostic::error("bad-view", error.span(), error.to_string()))
                    }
                    _ => None,
                },
            };
            found.extend(finding.filter(|finding| known.insert(finding.primary.span)));
        }
        found.extend(self.without_effect());
        self.diagnostics.extend(found);
    }

    /// Attributes of what is no array, and values of `order` that there are not.
    fn without_effect(&self) -> Vec<Diagnostic> {
        let layout = &self.layout;
        let warning = |span, text: String| Diagnostic::warning("bad-order", span, text);
        let orders = layout.arrays.iter().filter_map(|array| {
            let order = layout.attribute(DocKey::of(array.span), "order")?;
            if matches!(order.text(), Some("F" | "C")) {
                return None;
            }
            let said = spelt_attribute(order);
            let text = format!("`order` is \"F\" or \"C\": `{said}` has no effect");
            let help =
                "`order = \"F\"` says that the dimensions are written fastest first, as in Fortran";
            Some(warning(order.span, text).help(help))
        });
        let spans = (layout.dicts.iter().skip(1).map(|it| it.span))
            .chain(layout.lists.iter().map(|it| it.span))
            .chain(layout.types.iter().map(|it| it.span))
            .chain(layout.params.iter().map(|it| it.span));
        // What stands for one that is wrong has its place.
        let arrays: HashSet<Span> = layout.arrays.iter().map(|it| it.span).collect();
        let spans = spans.filter(|span| !arrays.contains(span));
        let others = spans.flat_map(|span| layout.attributes(DocKey::of(span))).filter_map(|it| {
            let text = format!("`{}` is said of a data item or field: it has no effect", it.name);
            let help = "write it behind the array, on its line or the next";
            it.presents().then(|| warning(it.span, text).help(help))
        });
        let mut known = HashSet::new();
        orders.chain(others).filter(|finding| known.insert(finding.primary.span)).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::check::{check, check_to_read};

    #[test]
    fn what_cannot_be_presented_is_found() {
        let far =
            "#: view_shape = [9223372036854775807, 2], view_strides = [9223372036854775807, 1]";
        for (layout, expected) in [
            ("x = f8[2, 3]  #: order = \"F\"", ""),
            ("x = f8[2, 3]  #: order = \"C\"", ""),
            ("x = f8[2, 3]  #: order = 3", "bad-order"),
            ("x = f8[2, 3]  #: order", "bad-order"),
            ("x = f8  #: order = \"F\"", ""),
            ("x = f8[2, 3]  #: order = \"f\"", "bad-order"),
            ("d/  #: order = \"F\"\n x = f8[2, 3]", "bad-order"),
            ("l [f8[2, 3]]*2  #: order = \"F\"", "bad-order"),
            ("l [f8[2, 3]  #: order = \"F\"\n]*2", ""),
            ("N : 3  #: order = \"F\"\nx = f8[N]", "bad-order"),
            ("M {\"\" = f8[2, 3]}  #: order = \"F\"\nx = M", "bad-order"),
            ("M {\"\" = f8[2, 3]  #: order = \"F\"\n}\nx = M[4, 5]  #: order = \"F\"", ""),
            ("x = S1[2, 3]  #: order = \"F\"", "bad-view"),
            ("x = S1[3]  #: order = \"F\"", ""),
            ("N {\"\" = S1[8]}\nx = N[2, 3]  #: order = \"F\"", ""),
            ("x = {n : u1  a = u1[n]}[2, 3]  #: order = \"F\"", "bad-view"),
            ("x = {n : u1  a = u1[n]}[3]  #: order = \"F\"", ""),
            ("x = f8[6]  #: view_shape = [2, 3]", ""),
            ("x = f8[5]  #: view_shape = [2, 3]", "bad-view"),
            ("x = f8[6]  #: view_shape = [3], view_strides = [-16], view_offset = 32", ""),
            ("x = f8[6]  #: view_shape = [3], view_strides = [-16], view_offset = 24", "bad-view"),
            ("x = f8[6]  #: view_shape = [3], view_strides = [16], view_offset = 16", "bad-view"),
            ("x = f8[6]  #: view_shape = [9, 0], view_strides = [99, 8]", ""),
            ("x = f8[6]  #: view_shape = []", ""),
            ("x = f8[6]  #: view_shape = 6", "bad-view"),
            ("x = f8[6]  #: view_shape = [-1]", "bad-view"),
            ("x = f8[6]  #: view_shape = [2.5]", "bad-view"),
            ("x = f8[6]  #: view_shape = [2, 3], view_strides = [8]", "bad-view"),
            ("x = f8[6]  #: view_shape = [2, 3], view_strides = 8", "bad-view"),
            ("x = f8[6]  #: view_shape = [2], view_offset = -8", "bad-view"),
            ("x = f8[6]  #: view_strides = [8]", "bad-view"),
            ("x = f8[6]  #: view_offset = 8", "bad-view"),
            ("x = f8[2, 3]  #: view_shape = [6]", "bad-view"),
            ("x = f8  #: view_shape = [1]", "bad-view"),
            ("x = f8[6]  #: view_shape = [2, 3], order = \"F\"", "bad-view"),
            ("x = f8[6]  #: view_shape = [2, 3], const = 0", "bad-view"),
            ("x = S1[6]  #: view_shape = [2, 3]", ""),
            ("x = S1[6]  #: view_shape = [2, 3], view_strides = [1, 2]", "bad-view"),
            ("x = S1[6]  #: view_shape = []", "bad-view"),
            ("x = {n : u1  a = u1[n]}[6]  #: view_shape = [2, 3]", "bad-view"),
            ("d/  #: view_shape = [2]\n x = f8", "bad-order"),
            ("N : 5\nx = f8[N]  #: view_shape = [2, 3]", "bad-view"),
            ("N : i4\nx = f8[N]  #: view_shape = [2, 3]", ""),
            ("N : -1\nx = f8[N]  #: view_shape = [1]", "bad-view"),
            ("V {\"\" = f8[6]  #: view_shape = [2, 3]\n}\nx = V[2]  y = V", ""),
            ("V {\"\" = f8[6]  #: view_shape = [2, 3]\n}\nx = V  #: view_shape = [6]", "bad-view"),
            (&*format!("x = u1[6]  {far}"), "bad-view"),
            ("x = f9[6]  #: view_shape = [2, 3]", "unknown-type"),
        ] {
            let found: Vec<_> =
                check(layout.as_bytes()).diagnostics.iter().map(|it| it.code).collect();
            let found: Vec<_> = found.into_iter().filter(|it| !it.starts_with("ext-")).collect();
            assert_eq!(found.join(" "), expected, "{layout}");
            // Values of params may be others, and attributes are comments to the code that does not ask for the item.
            assert_eq!(
                check_to_read(layout.as_bytes()).layout.is_some(),
                expected != "unknown-type"
            );
        }
    }
}
