//! A stream that is looked at: opened as well as it can be, and what is said of it.

use std::sync::Arc;

use dudley::bytes::{Cached, Source};
use dudley::filter::Registry;
use dudley::{ByteOrder, Data, Error, Layout, Open, Stream, StreamKind, parse_layout};
use dudley_parser::layout::identity::identity;
use serde_json::{Map, Value as Json, json};

use crate::bytes::{self, Finder, Piece};
use crate::rows::{Row, Rows, What};
use crate::zstd::Zstd;
use crate::{numbers, plot, shown};

/// The greatest whole number that JavaScript reads as it is written.
const SAFE: u64 = 1 << 53;

/// Bytes that are read together of what is small, as each request of the page takes long.
const BLOCK: u64 = 8 << 10;

/// Bytes of these that are kept at most.
const KEPT: u64 = 4 << 20;

/// Built-in filters without C.
const FILTERS: [&str; 4] = ["bzip2", "gzip", "lz4", "zlib"];

/// Bytes of a stretch that are shown together.
const STRETCH: u64 = 4096;

/// What the page knows of its streams.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// The text of the layout of the page, if it has one.
    pub(crate) layout: Option<String>,
    /// Its streams have no signature.
    pub(crate) raw: bool,
    /// The byte order of what the layout gives none.
    pub(crate) order: Option<ByteOrder>,
    /// Its layout is taken, whatever is attached to the stream.
    pub(crate) insists: bool,
    /// What the reader of the page gave fixed params, by their names.
    pub(crate) params: Vec<(String, i64)>,
}

/// A stream that is looked at.
pub(crate) struct View {
    source: Arc<dyn Source>,
    /// `None` where it cannot be opened; its bytes can be seen all the same.
    stream: Option<Stream>,
    /// The layout is that of the page; `None` where it has none to compare with.
    own: Option<bool>,
    /// What is odd or wrong with the stream as a whole.
    notes: Vec<String>,
    rows: Rows,
}

impl View {
    /// Opens a stream with the layout that is attached to it, or else that of the page.
    pub(crate) fn open(source: impl Source + 'static, known: &Known) -> View {
        let source: Arc<dyn Source> = Arc::new(Cached::new(source, BLOCK, KEPT).one_by_one());
        let mut notes = Vec::new();
        let own = known.layout.as_deref().map(|text| parse_layout(text.as_bytes()));
        let own = own.and_then(|own| note(own, &mut notes)).map(Arc::new);
        let attached = if known.insists || known.raw {
            None
        } else {
            match Open::new().filters(filters()).source(source.clone()) {
                Err(Error::NoLayout) if own.is_some() => None,
                attached => note(attached, &mut notes),
            }
        };
        let (stream, own) = match attached {
            Some(stream) => {
                let same = own.map(|own| is_same(&own, stream.layout()));
                // Those of another layout are others.
                if same == Some(true) && !known.params.is_empty() {
                    let open = given(Open::new().filters(filters()), known);
                    (note(stream.reopen(open), &mut notes), same)
                } else {
                    (Some(stream), same)
                }
            }
            None => {
                let stream = own.and_then(|own| {
                    let stream = open_with(own, known, source.clone());
                    note(stream, &mut notes)
                });
                let there = stream.is_some();
                (stream, there.then_some(true))
            }
        };
        if let Some(stream) = &stream {
            note(stream.check_layout_address(), &mut notes);
            if stream.kind() == StreamKind::Raw && !known.raw {
                notes.push("it has no signature: its items begin at address 0".to_owned());
            }
        }
        notes.dedup();
        let rows = stream.as_ref().map(Rows::of).unwrap_or_default();
        View { source, stream, own, notes, rows }
    }

    /// What is said of the stream as a whole, as JSON.
    pub(crate) fn summary(&self) -> Json {
        let length = self.source.len();
        let Some(stream) = &self.stream else {
            return json!({"length": whole(length), "notes": self.notes, "rows": 0, "params": []});
        };
        let params = self.rows.params.iter().map(|param| match &param.value {
            Ok(value) => json!({"label": param.label, "value": value.to_string()}),
            Err(error) => json!({"label": param.label, "error": error.to_string()}),
        });
        let order = match stream.order() {
            ByteOrder::Little => "little-endian",
            ByteOrder::Big => "big-endian",
        };
        let layout = stream.signature().and_then(|signature| signature.layout_address);
        let end = stream.data_end();
        let mut notes = self.notes.clone();
        if let Ok(end) = end
            && end > stream.len()
        {
            notes.push(format!(
                "its items end at {end}, but the data of the file at {}",
                stream.len()
            ));
        }
        let words: Vec<&str> = stream.layout().doc(dudley_parser::layout::DocKey::LAYOUT).collect();
        json!({
            "length": whole(length),
            "kind": stream.kind().as_str(),
            "order": order,
            "layout": layout.map(whole),
            "own": self.own,
            "words": words.join("\n"),
            "end": end.ok().map(whole),
            "notes": notes,
            "params": params.collect::<Vec<_>>(),
            "rows": self.rows.rows.len(),
            "more": self.rows.more,
        })
    }

    /// Rows whose paths have a word in them, with their values: `count` of them from the `from`-th on.
    pub(crate) fn rows(&self, word: &str, from: usize, count: usize) -> Json {
        let word = word.to_lowercase();
        let fits = |row: &Row| word.is_empty() || row.path.to_lowercase().contains(&word);
        let mut fitting = self.rows.rows.iter().enumerate().filter(|(_, row)| fits(row));
        let shown: Vec<Json> =
            fitting.by_ref().skip(from).take(count).map(|(at, row)| self.row(at, row)).collect();
        json!({"rows": shown, "more": fitting.count()})
    }

    fn row(&self, at: usize, row: &Row) -> Json {
        let mut map = Map::new();
        map.insert("row".into(), json!(at));
        map.insert("path".into(), json!(row.path));
        match &row.what {
            What::List(length) => map.insert("list".into(), whole(*length)),
            What::Left(count) => map.insert("left".into(), whole(*count)),
            What::Wrong(error) => map.insert("error".into(), json!(error.to_string())),
            What::Array(data) => {
                describe(data, &mut map);
                if plot::is_drawn(data) {
                    map.insert("drawn".into(), json!(true));
                }
                // What is shown may be less than the item, of which it is said how much is not there.
                let there = data.check_there();
                let (value, wrong) = match (shown::value(data), there) {
                    (Ok(value), there) => (Some(value), there.err()),
                    (Err(_), Err(error)) | (Err(error), Ok(())) => (None, Some(error)),
                };
                if let Some(error) = wrong {
                    map.insert("error".into(), json!(error.to_string()));
                }
                value.and_then(|value| map.insert("value".into(), json!(value)))
            }
        };
        map.into()
    }

    /// What the numbers of a row come to.
    pub(crate) fn numbers(&self, row: usize, progress: &mut dyn FnMut(u64)) -> Json {
        match self.rows.rows.get(row) {
            Some(Row { path, what: What::Array(data) }) => numbers::of(path, data, progress),
            _ => json!({"numbers": []}),
        }
    }

    /// Numbers of a row to draw.
    pub(crate) fn plot(&self, at: usize, field: Option<&str>, indices: &[u64]) -> Json {
        match self.rows.rows.get(at).map(|row| &row.what) {
            Some(What::Array(data)) => plot::of(data, field, indices)
                .unwrap_or_else(|error| json!({"error": error.to_string()})),
            _ => json!({"error": "this row has no numbers"}),
        }
    }

    /// The bytes of a stretch, and what they are.
    pub(crate) fn bytes(&self, address: u64, count: u64) -> Json {
        let length = self.source.len();
        let address = address.min(length);
        let mut bytes = vec![0; count.min(STRETCH).min(length - address) as usize];
        if let Err(error) = self.source.read_at(address, &mut bytes) {
            return json!({"address": whole(address), "error": error.to_string()});
        }
        let end = address + bytes.len() as u64;
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let pieces = self.pieces(address..end);
        let pieces = pieces.iter().map(|piece| {
            let row = &self.rows.rows[piece.row].path;
            json!([
                whole(piece.start),
                whole(piece.bytes),
                piece.row,
                bytes::path(row, &piece.steps)
            ])
        });
        let mut pieces: Vec<Json> = pieces.collect();
        pieces.extend(self.marks());
        json!({"address": whole(address), "bytes": digits, "pieces": pieces})
    }

    /// Those that begin first come first; of two that begin together the longer one.
    fn pieces(&self, stretch: std::ops::Range<u64>) -> Vec<Piece> {
        let Some(stream) = &self.stream else { return Vec::new() };
        let mut finder = Finder::new(stream.layout(), stretch);
        for (at, row) in self.rows.rows.iter().enumerate() {
            if let What::Array(data) = &row.what {
                finder.array(at, data);
            }
        }
        let mut found = finder.found;
        found.sort_by_key(|piece| (piece.start, std::cmp::Reverse(piece.bytes)));
        found
    }

    /// What is no item: the signature, and the layout.
    fn marks(&self) -> Vec<Json> {
        let signature = self.stream.as_ref().and_then(Stream::signature);
        let Some(signature) = signature else { return Vec::new() };
        let mut marks =
            vec![json!([0, 8, null, "signature"]), json!([8, 8, null, "layout address"])];
        if let Some(at) = signature.layout_address {
            let rest = self.source.len().saturating_sub(at);
            marks.push(json!([whole(at), whole(rest), null, "layout"]));
        }
        marks
    }

    /// The element that a byte belongs to.
    pub(crate) fn element(&self, address: u64) -> Json {
        let pieces = self.pieces(address..address.saturating_add(1));
        let Some(piece) = pieces.last() else { return json!({}) };
        let row = &self.rows.rows[piece.row];
        let What::Array(data) = &row.what else { return json!({}) };
        let mut map = Map::new();
        map.insert("row".into(), json!(piece.row));
        map.insert("path".into(), json!(bytes::path(&row.path, &piece.steps)));
        let found = picked(data, &piece.steps);
        describe(found.as_ref().unwrap_or(data), &mut map);
        match found.and_then(|found| shown::value(&found)) {
            Ok(value) => map.insert("value".into(), json!(value)),
            Err(error) => map.insert("error".into(), json!(error.to_string())),
        };
        // Of the element, not of the array that a string is made of.
        map.insert("address".into(), whole(piece.start));
        map.insert("bytes".into(), whole(piece.bytes));
        map.into()
    }
}

/// What is found of something, or a note of what is wrong with it.
fn note<T>(found: dudley::Result<T>, notes: &mut Vec<String>) -> Option<T> {
    found.map_err(|error| notes.push(error.to_string())).ok()
}

fn open_with(
    layout: Arc<Layout>,
    known: &Known,
    source: Arc<dyn Source>,
) -> dudley::Result<Stream> {
    let open = given(Open::new().layout(layout).filters(filters()), known);
    let open = if known.raw { open.raw() } else { open };
    match known.order {
        Some(order) => open.order(order).source(source),
        None => open.source(source),
    }
}

fn given(open: Open, known: &Known) -> Open {
    let params = known.params.iter();
    params.fold(open, |open, (name, value)| open.param(name.as_str(), *value))
}

/// The filters that a browser has, whatever else is built in here.
fn filters() -> Registry {
    let built_in = Registry::with_builtins();
    let mut filters = Registry::new();
    for filter in FILTERS.iter().filter_map(|name| built_in.get(name)) {
        filters.register(filter.clone());
    }
    filters.register(Arc::new(Zstd));
    filters
}

fn is_same(own: &Layout, attached: &Layout) -> bool {
    own.text() == attached.text() || identity(own) == identity(attached)
}

/// Follows the steps to an element, which are those without views.
fn picked(data: &Data, steps: &[bytes::Step]) -> dudley::Result<Data> {
    let mut found = data.unviewed();
    let mut indices = Vec::new();
    for step in steps {
        match step {
            bytes::Step::Index(index) => {
                indices.push(dudley::read::slice::Index::At(
                    i64::try_from(*index).unwrap_or(i64::MAX),
                ));
            }
            bytes::Step::Field(name) => {
                if !indices.is_empty() {
                    found = found.slice(&std::mem::take(&mut indices))?;
                }
                found = found.field(name)?.unviewed();
            }
        }
    }
    if indices.is_empty() { Ok(found) } else { found.slice(&indices) }
}

/// Type, place and words of an array.
fn describe(data: &Data, map: &mut Map<String, Json>) {
    map.insert("type".into(), json!(data.dtype_name()));
    map.insert("shape".into(), data.shape().iter().map(|dim| whole(*dim)).collect());
    map.insert("address".into(), whole(data.begin()));
    map.insert("bytes".into(), whole(data.bytes()));
    map.insert("count".into(), whole(data.len().unwrap_or(u64::MAX)));
    if let Some(filter) = data.filter() {
        map.insert("filter".into(), json!(filter.name));
    }
    if data.dtype().primitive().is_some_and(|(primitive, _)| primitive.is_text()) {
        map.insert("text".into(), json!(true));
    }
    if let Some(unit) = data.unit() {
        map.insert("unit".into(), json!(unit));
    }
    let words: Vec<&str> = data.doc().collect();
    if !words.is_empty() {
        map.insert("words".into(), json!(words.join("\n")));
    }
}

/// A number, as text where JavaScript would round it.
fn whole(value: u64) -> Json {
    if value <= SAFE { json!(value) } else { json!(value.to_string()) }
}

#[cfg(test)]
mod tests {
    use crate::Session;

    #[test]
    fn fixed_params_are_as_the_page_gives_them() {
        let mut session = Session::default();
        let mut ask = |request: &str| session.answer(request, || (0..8).collect::<Vec<u8>>());
        let open = |more: &str| {
            format!(r#"{{"do": "open", "layout": "K : 3  x = i1[K]  y = i1", "raw": true{more}}}"#)
        };
        let rows = r#"{"do": "rows", "from": 0, "count": 10}"#;
        ask(&open(""));
        assert!(ask(rows).contains(r#""value":"[0, 1, 2]""#));
        let found = ask(&open(r#", "params": {"K": "5"}"#));
        assert!(found.contains(r#""label":"K","value":"5""#), "{found}");
        assert!(ask(rows).contains(r#""value":"[0, 1, 2, 3, 4]""#));
    }

    #[test]
    fn fixed_params_have_no_place_that_could_be_wrong() {
        let mut session = Session::default();
        let mut ask = |request: &str| session.answer(request, || vec![250, 1, 2, 3, 4, 5, 6, 7]);
        let text = "N : i1  l = [/ a = i1[N]  K : 2  b = i1[K] @5]";
        ask(&format!(r#"{{"do": "open", "layout": "{text}", "raw": true}}"#));
        let found = ask(r#"{"do": "rows", "from": 0, "count": 10}"#);
        let rows: serde_json::Value = serde_json::from_str(&found).expect("JSON");
        let rows = rows["rows"].as_array().expect("rows");
        let wrong = rows.iter().filter(|row| row.get("error").is_some());
        assert_eq!(wrong.map(|row| &row["path"]).collect::<Vec<_>>(), ["/l/0/a"], "{found}");
        assert!(found.contains(r#""value":"[5, 6]""#), "{found}");
    }

    #[test]
    fn bytes_of_views_have_the_values_that_are_stored_there() {
        let mut session = Session::default();
        let mut ask = |request: &str| session.answer(request, || (0..9).collect::<Vec<u8>>());
        let said = "x = u1[6]  #: view_shape = [2], view_strides = [-1], view_offset = 5\\n";
        let field =
            "r = {a = u1  b = u1[2]  #: view_shape = [2], view_strides = [-1], view_offset = 1\\n}";
        ask(&format!(r#"{{"do": "open", "layout": "{said}{field}", "raw": true}}"#));
        for address in 0..9 {
            let found = ask(&format!(r#"{{"do": "element", "address": {address}}}"#));
            assert!(found.contains(&format!(r#""value":"{address}""#)), "{address}: {found}");
        }
    }

    #[test]
    fn of_what_is_cut_off_the_whole_is_wanted() {
        let rows = |length: usize| {
            let mut session = Session::default();
            let mut ask = |request: &str| session.answer(request, || vec![1; length]);
            ask(r#"{"do": "open", "layout": "N : i8  x = f8[63]", "raw": true}"#);
            ask(r#"{"do": "rows", "from": 0, "count": 10}"#)
        };
        let wanted = |available: u64| {
            format!("504 bytes are needed at address 8, but the stream has {available} there")
        };
        // Whether the values are there that are shown, or not.
        for (length, value) in [(20, false), (108, true)] {
            let rows = rows(length);
            assert!(rows.contains(&wanted(length as u64 - 8)), "{rows}");
            assert_eq!(rows.contains(", …]"), value, "{rows}");
        }
        assert!(!rows(512).contains("error"), "{}", rows(512));
    }
}
