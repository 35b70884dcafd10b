//! What a page asks, and what it is answered: JSON each way.

use dudley::ByteOrder;
use dudley::bytes::Source;
use serde_json::{Value as Json, json};

use crate::view::{Known, View};

/// A page and the stream that it looks at, one after the other.
#[derive(Default)]
pub struct Session {
    view: Option<View>,
    /// The layout of the page, once it was reported.
    known: Known,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("is_open", &self.view.is_some()).finish_non_exhaustive()
    }
}

impl Session {
    /// Answers a request; `source` gives the bytes of the stream, which are requested when it is opened.
    ///
    /// | `do` | is given | answers |
    /// |---|---|---|
    /// | `open` | `layout`: a text; `raw`, `big`, `insists`, `params`: texts of numbers by names | what is said of the whole |
    /// | `rows` | `word`, `from`, `count` | rows with their values |
    /// | `numbers` | `row` | least, greatest, mean |
    /// | `plot` | `row`; `field` of a record; `at`: indices | numbers of a line or an image |
    /// | `bytes` | `address`, `count` | bytes, and pieces: address, bytes, row, path |
    /// | `element` | `address` | what a byte belongs to |
    ///
    /// What is wrong with the request itself is an answer with `error`, too.
    pub fn answer<S: Source + 'static>(
        &mut self,
        request: &str,
        source: impl FnOnce() -> S,
    ) -> String {
        self.answer_watched(request, source, &mut |_| {})
    }

    /// As [`Self::answer`]; `progress` learns how many more bytes were visited.
    pub fn answer_watched<S: Source + 'static>(
        &mut self,
        request: &str,
        source: impl FnOnce() -> S,
        progress: &mut dyn FnMut(u64),
    ) -> String {
        let request: Json = match serde_json::from_str(request) {
            Ok(request) => request,
            Err(error) => return json!({"error": error.to_string()}).to_string(),
        };
        let number = |key: &str| request[key].as_u64().unwrap_or(0);
        let index = |key: &str| usize::try_from(number(key)).unwrap_or(usize::MAX);
        let answer = match (request["do"].as_str(), &self.view) {
            (Some("open"), _) => {
                self.known = known(&request);
                let view = View::open(source(), &self.known);
                let summary = view.summary();
                self.view = Some(view);
                summary
            }
            (Some("rows"), Some(view)) => {
                let word = request["word"].as_str().unwrap_or_default();
                view.rows(word, index("from"), index("count"))
            }
            (Some("numbers"), Some(view)) => view.numbers(index("row"), progress),
            (Some("plot"), Some(view)) => {
                let at = request["at"].as_array().into_iter().flatten();
                let at: Vec<u64> = at.map(|index| index.as_u64().unwrap_or(0)).collect();
                view.plot(index("row"), request["field"].as_str(), &at)
            }
            (Some("bytes"), Some(view)) => view.bytes(number("address"), number("count")),
            (Some("element"), Some(view)) => view.element(number("address")),
            (_, None) => json!({"error": "no stream is open"}),
            _ => json!({"error": "there is no such request"}),
        };
        answer.to_string()
    }
}

fn known(request: &Json) -> Known {
    let is = |key: &str| request[key].as_bool().unwrap_or(false);
    let order = if is("big") { ByteOrder::Big } else { ByteOrder::Little };
    let params = request["params"].as_object().into_iter().flatten();
    // Numbers of any length are texts in a page.
    let params =
        params.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.parse().ok()?)));
    Known {
        layout: request["layout"].as_str().map(str::to_owned),
        raw: is("raw"),
        order: Some(order),
        insists: is("insists"),
        params: params.collect(),
    }
}
