//! Streams that do not exist yet, or of which nothing belongs to the file around them.

use std::sync::{Arc, Mutex};

use dudley_parser::layout::dtype::ByteOrder;
use dudley_parser::layout::{Layout, ParamValue, Scope};
use dudley_parser::resolve::{Given, State};

use super::guard::Constants;
use super::{Inner, NATIVE_START, Stream, StreamKind};
use crate::bytes::source::Source;
use crate::elements::value::Value;
use crate::error::{Context, Error, Result};
use crate::filter::Registry;
use crate::read::{constant, path};

impl Stream {
    /// A stream that does not exist yet: its params are known by their paths, and nothing else is.
    pub(crate) fn planned(
        layout: Arc<Layout>,
        kind: StreamKind,
        order: ByteOrder,
        params: &[(&str, i128)],
        filters: Arc<Registry>,
    ) -> Result<Stream> {
        let mut given = Given::default();
        for (path, value) in params {
            given.params.insert(path::param(&layout, path)?, *value);
        }
        for (id, _) in layout.params().filter(|(_, it)| matches!(it.scope, Scope::Dict(_))) {
            let known = given.params.get(&id).copied().map(Value::Int);
            let stated = constant::param(&layout, id, known.as_ref());
            if let Some(stated) = stated.of_item(&layout.param_path(id))? {
                given.params.insert(id, stated);
            }
        }
        let order = layout.order().unwrap_or(order);
        Ok(Stream::alone(true, layout, Arc::new(Vec::new()), kind, order, given, filters))
    }

    /// A stream of which the kind, the order and what is given are known: `source` has nothing that
    /// belongs to the file around it.
    pub(crate) fn known(
        layout: Arc<Layout>,
        source: Arc<dyn Source>,
        kind: StreamKind,
        order: ByteOrder,
        given: Given,
        filters: Arc<Registry>,
    ) -> Stream {
        Stream::alone(false, layout, source, kind, order, given, filters)
    }

    /// A stream that is all of its source.
    fn alone(
        planned: bool,
        layout: Arc<Layout>,
        source: Arc<dyn Source>,
        kind: StreamKind,
        order: ByteOrder,
        mut given: Given,
        filters: Arc<Registry>,
    ) -> Stream {
        given.start = if kind == StreamKind::Native { NATIVE_START } else { 0 };
        let inner = Inner {
            layout,
            whole: source.clone(),
            source,
            planned,
            signature: None,
            kind,
            order,
            given,
            filters,
            // What it is about to hold, or what a catalog says of it.
            constants: Constants::WhenRead,
            state: Mutex::new(State::new()),
        };
        Stream { inner: Arc::new(inner), work: Arc::default(), path: None }
    }

    /// Whether it does not exist yet.
    pub(crate) fn is_planned(&self) -> bool {
        self.inner.planned
    }

    /// Checks that everything can be placed that the params decide, and that they fit their types.
    pub(crate) fn check_planned(&self) -> Result<()> {
        for (id, value) in &self.given().params {
            let ParamValue::Streamed(primitive, _) = self.layout()[*id].value else { continue };
            let (least, greatest) = primitive.range();
            if !(least..=greatest).contains(value) {
                return Err(Error::WrongValue {
                    item: crate::error::Item::new(self.layout().param_path(*id)),
                    expected: format!("{least} to {greatest}").into(),
                    found: value.to_string().into(),
                });
            }
        }
        self.with_resolver(|resolver| {
            match resolver.failures().iter().find(|(_, error)| !error.is_unknown()) {
                Some((_, error)) => Err(Error::from(error.clone())),
                None => Ok(()),
            }
        })
    }
}
