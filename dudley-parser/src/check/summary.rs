//! The summary block, and what keeps a layout that begins with one from being a template
//! (spec 2.2, 9.1).

use super::Checker;
use crate::ast::{self, ItemKind, Place as AstPlace};
use crate::diagnostic::Diagnostic;
use crate::layout::{
    Array, DictId, DocKey, Element, Layout, ParamValue, Place, ROOT, Step, Summary,
};

impl<'a> Checker<'a> {
    /// Declares the members of the summary in the root dict, and as a struct.
    pub(super) fn summary(&mut self, summary: &'a ast::Struct, steps: &mut Vec<Step>) {
        self.in_summary = true;
        self.docs.begin(summary.open.start, DocKey::SUMMARY);
        self.dict_body(&summary.members, ROOT, steps);
        self.docs.begin(summary.close.start, DocKey::SUMMARY);
        if let Some(pack) = summary.pack {
            let message = "the summary has no packing of its own";
            let help = "`%n` before the summary is for all of the layout";
            let span = pack.sign.to(pack.align.span);
            self.report(Diagnostic::error("bad-align", span, message).help(help));
        }
        // As a struct it says nothing new, so what is wrong in it was reported already.
        let reported = self.diagnostics.len();
        let docs = std::mem::replace(&mut self.docs, super::docs::Docs::new(&[]));
        let facts = self.validate_struct(summary, DocKey::SUMMARY);
        self.docs = docs;
        self.diagnostics.truncate(reported);
        let variable = facts.variable;
        let record = if facts.poisoned {
            self.poisoned_record()
        } else {
            let record = self.bind_record(summary, facts, None);
            self.diagnostics.truncate(reported);
            record
        };
        if variable {
            let message = "as a struct the summary is of variable size: a catalog cannot hold it";
            self.report(Diagnostic::warning("summary-variable", summary.open, message));
        }
        self.warn_summary_aligns(summary);
        self.in_summary = false;
        self.layout.summary = Some(Summary { record, steps: steps.len() as u32 });
    }

    fn warn_summary_aligns(&mut self, summary: &ast::Struct) {
        for member in &summary.members {
            let place = match &member.kind {
                ItemKind::Data { array, .. } => array.place.as_ref(),
                ItemKind::Param { value: ast::ParamValue::Typed(array), .. } => {
                    array.place.as_ref()
                }
                _ => None,
            };
            if let Some(AstPlace::Align { align, .. }) = place
                && align.value > 16
            {
                let message = "an alignment above 16 in a summary: members of a family begin at \
                               multiples of 16";
                self.report(Diagnostic::warning("summary-align", align.span, message));
            }
        }
    }

    /// Reports what keeps the layout from being a template for a family.
    pub(super) fn check_template(&mut self) {
        let summary = self.layout.summary.as_ref().map_or(0, |summary| summary.steps);
        let mut found = Vec::new();
        walk(&self.layout, self.layout.root(), Some(summary), &mut found);
        for &dict in &groups(&self.layout) {
            walk(&self.layout, self.layout.run(self.layout[dict].run), None, &mut found);
        }
        for repeat in self.layout.repeats.iter().filter(|repeat| !repeat.extension) {
            walk(&self.layout, self.layout.run(repeat.body), None, &mut found);
        }
        let poisoned = self.poisoned;
        let arrays = found.iter().filter_map(|(_, array)| array.as_ref());
        if arrays.clone().any(|a| matches!(a.element, Element::Record(r) if Some(r) == poisoned)) {
            found.retain(|(diagnostic, _)| diagnostic.code != "summary-variable");
        }
        self.diagnostics.extend(found.into_iter().map(|(diagnostic, _)| diagnostic));
    }
}

fn groups(layout: &Layout) -> Vec<DictId> {
    let dicts = layout.dicts.iter().enumerate();
    dicts.filter(|(_, dict)| dict.list.is_some()).map(|(at, _)| DictId(at as u32)).collect()
}

type Found = Vec<(Diagnostic, Option<Array>)>;

fn walk(layout: &Layout, steps: &[Step], summary: Option<u32>, found: &mut Found) {
    for (at, step) in steps.iter().enumerate() {
        let inside = summary.is_some_and(|steps| (at as u32) < steps);
        match step {
            Step::Array(id) => {
                let array = &layout[*id];
                warn_address(array.place, found);
                warn_variable(layout, array, found);
            }
            Step::Param(id) => {
                let param = &layout[*id];
                if let ParamValue::Streamed(..) = param.value {
                    warn_address(param.place, found);
                    if !inside {
                        let name = layout.name(param.name);
                        let message = format!(
                            "the streamed param `{name}` is not in the summary, so the files of \
                             a family cannot be located from summaries alone"
                        );
                        let diagnostic = Diagnostic::warning("summary-param", param.span, message);
                        found.push((diagnostic, None));
                    }
                }
            }
            _ => {}
        }
    }
}

fn warn_address(place: Place, found: &mut Found) {
    if let Place::At(_, span) = place {
        let message = "an explicit address keeps the layout from being a template";
        found.push((Diagnostic::warning("summary-address", span, message), None));
    }
}

fn warn_variable(layout: &Layout, array: &Array, found: &mut Found) {
    if let Some(filter) = array.filter.map(|id| &layout[id])
        && filter.stored.is_none()
    {
        let message = "a filter without `[n]` keeps the layout from being a template: what lies \
                       behind it cannot be located without reading it";
        found.push((Diagnostic::warning("summary-filter", filter.span, message), None));
    }
    if let Element::Record(record) = array.element
        && layout[record].variable
    {
        let message = "items of variable size keep the layout from being a template";
        let diagnostic = Diagnostic::warning("summary-variable", array.dtype_span, message);
        found.push((diagnostic, Some(array.clone())));
    }
}
