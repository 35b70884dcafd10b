//! What there is in a stream, as rows: the params; the arrays, those of lists together where they lie
//! equally far apart.

use dudley::{Data, Error, Item, ItemKind, Stream};
use dudley_parser::formula::Labels;

/// Rows of a stream at most.
const MOST: usize = 20_000;

/// Items of a list that are shown one by one: this many of the start, and the last.
const HEAD: u64 = 3;
const FEW: u64 = 8;

/// What is in a stream.
#[derive(Default)]
pub(crate) struct Rows {
    pub(crate) params: Vec<Param>,
    pub(crate) rows: Vec<Row>,
    /// There is more than is shown.
    pub(crate) more: bool,
}

/// A param of a dict that is there once.
pub(crate) struct Param {
    /// As the page calls it.
    pub(crate) label: String,
    pub(crate) value: Result<i64, Error>,
}

/// An array, or what stands for some.
pub(crate) struct Row {
    pub(crate) path: String,
    pub(crate) what: What,
}

#[expect(clippy::large_enum_variant, reason = "nearly all are arrays")]
pub(crate) enum What {
    Array(Data),
    /// A list of this many items.
    List(u64),
    /// This many items of a list are left out.
    Left(u64),
    Wrong(Error),
}

impl Rows {
    /// Goes over a stream once; of the elements nothing is read.
    pub(crate) fn of(stream: &Stream) -> Rows {
        let mut rows = Rows::default();
        let labels = Labels::new(stream.layout());
        rows.item(stream, &labels, &stream.root(), false);
        rows
    }

    fn item(&mut self, stream: &Stream, labels: &Labels<'_>, item: &Item, repeated: bool) {
        if self.rows.len() >= MOST {
            self.more = true;
            return;
        }
        match item.kind() {
            ItemKind::Dict => {
                for param in item.params() {
                    self.param(stream, labels, &param, repeated);
                }
                for child in item.names().iter().filter_map(|name| item.child(name)) {
                    self.item(stream, labels, &child, repeated);
                }
            }
            ItemKind::List => self.list(stream, labels, item),
            ItemKind::Data | ItemKind::Param => self.array(item.path(), item.data()),
        }
    }

    /// A param has a value, and is a row too where it lies in the stream.
    fn param(&mut self, stream: &Stream, labels: &Labels<'_>, param: &Item, repeated: bool) {
        if !repeated && let Ok(id) = dudley::read::path::param(stream.layout(), param.path()) {
            self.params.push(Param { label: labels.param(id), value: param.param_value() });
        }
        match param.data() {
            Err(Error::NotData { .. }) => {}
            data => self.array(param.path(), data),
        }
    }

    fn list(&mut self, stream: &Stream, labels: &Labels<'_>, list: &Item) {
        let length = match list.len() {
            Ok(length) => length,
            Err(error) => return self.push(list.path(), What::Wrong(error)),
        };
        self.push(list.path(), What::List(length));
        if let Some(columns) = list.columns() {
            for data in columns {
                self.array(data.path().to_owned().as_str(), Ok(data));
            }
            return;
        }
        let head = if length > FEW { HEAD } else { length };
        for index in (0..head).chain((head < length).then(|| length - 1)) {
            if index > head {
                self.push(list.path(), What::Left(length - head - 1));
            }
            match list.element(index) {
                Ok(item) => self.item(stream, labels, &item, true),
                Err(error) => self.push(&format!("{}/{index}", list.path()), What::Wrong(error)),
            }
        }
    }

    fn array(&mut self, path: &str, data: dudley::Result<Data>) {
        self.push(path, data.map_or_else(What::Wrong, What::Array));
    }

    fn push(&mut self, path: &str, what: What) {
        if self.rows.len() >= MOST {
            self.more = true
        } else {
            self.rows.push(Row { path: path.to_owned(), what })
        }
    }
}
