//! Documentation from Dudley layouts: pages for a browser, Markdown, maps of the memory.
//!
//! [`site`] makes pages that need no network: what a layout declares, with addresses and sizes as
//! formulas and as numbers, which follow the params that are typed into the page. The page knows
//! nothing of the language: it carries out the operations of a
//! [`Plan`](dudley_parser::formula::plan::Plan). [`markdown`] is the same as one text, [`map`] a
//! drawing.
//!
//! ```
//! let layout = dudley_parser::check(b"N : i8\nx = f8[N]  ## (cm) place").layout.unwrap();
//! let source = dudley_doc::Source::new("run.dud", &layout);
//! let files = dudley_doc::site(&[source]);
//! assert_eq!(files[0].name, "index.html");
//! assert!(files[0].text.contains("8*dim(N)") && files[0].text.contains("place"));
//! ```

mod data;
mod escape;
mod graph;
mod markdown;
mod model;
mod page;
mod snippets;
mod source;
mod svg;

use std::collections::{HashMap, HashSet};

use dudley_parser::Layout;
use dudley_parser::layout::ParamId;
use dudley_parser::layout::dtype::ByteOrder;
use model::Doc;

/// What is known of the streams of a layout.
///
/// ```
/// use dudley_doc::{Options, Origin};
///
/// let options = Options { raw: true, origin: Origin::Attached, ..Options::default() };
/// assert!(options.params.is_empty() && options.stream.is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The byte order of what the layout gives none; little-endian if nobody says.
    pub order: Option<ByteOrder>,
    /// The streams have no signature: addresses begin at 0.
    pub raw: bool,
    /// Values that params are shown with first.
    pub params: HashMap<ParamId, i64>,
    /// What a stream is called in programs that read it; as the layout, if nobody says.
    pub stream: Option<String>,
    /// How programs get the layout.
    pub origin: Origin,
}

/// Where the layout of streams is for a program that reads them.
///
/// ```
/// assert_eq!(dudley_doc::Origin::default(), dudley_doc::Origin::File);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// In a file of its own, beside the stream.
    #[default]
    File,
    /// In the stream.
    Attached,
    /// In a file of another format, of which `dudc` finds the items by the same paths.
    Foreign,
    /// In a file of another format; the items are those of its description only.
    Described,
}

/// A layout to be documented.
///
/// ```
/// use dudley_doc::{Options, Source};
///
/// let layout = dudley_parser::check(b"N : i8  x = f8[N]").layout.unwrap();
/// let options = Options { raw: true, ..Options::default() };
/// let source = Source { file: "run.dud".into(), layout: &layout, options };
/// assert!(dudley_doc::markdown(&[source]).contains("run"));
/// ```
#[derive(Clone, Debug)]
pub struct Source<'a> {
    /// The name of its file, without folders.
    pub file: String,
    /// The layout.
    pub layout: &'a Layout,
    /// What is known of its streams.
    pub options: Options,
}

impl<'a> Source<'a> {
    /// Of a layout, of which nothing else is known.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = f8").layout.unwrap();
    /// assert_eq!(dudley_doc::Source::new("run.dud", &layout).file, "run.dud");
    /// ```
    pub fn new(file: &str, layout: &'a Layout) -> Source<'a> {
        Source { file: file.to_owned(), layout, options: Options::default() }
    }

    /// The name of the file without `.dud`.
    fn title(&self) -> &str {
        match self.file.strip_suffix(".dud") {
            Some("") | None => &self.file,
            Some(title) => title,
        }
    }

    fn doc(&self) -> Doc<'a> {
        Doc::new(self.title(), &self.file, self.layout, &self.options)
    }
}

/// A file to be written.
///
/// ```
/// let layout = dudley_parser::check(b"x = f8").layout.unwrap();
/// for dudley_doc::File { name, text } in dudley_doc::site(&[dudley_doc::Source::new("run.dud", &layout)]) {
///     assert!(name.ends_with(".html") && !text.is_empty()); // to be written into a folder
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name in the folder.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// The pages of layouts: of one layout `index.html`, of several one for each and an index.
///
/// A layout of many items gets several pages, and a file with what they have in common. A single
/// page needs no other file.
///
/// ```
/// use dudley_doc::{Source, site};
///
/// let layout = dudley_parser::check(b"x = f8").layout.unwrap();
/// let files = site(&[Source::new("a.dud", &layout), Source::new("b.dud", &layout)]);
/// let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
/// assert!(names.contains(&"index.html") && names.contains(&"a.html") && names.contains(&"b.html"));
/// ```
pub fn site(sources: &[Source<'_>]) -> Vec<File> {
    let mut files = Vec::new();
    let mut listed = Vec::new();
    let mut taken = HashSet::new();
    for (stem, source) in stems(sources, &mut taken).into_iter().zip(sources) {
        let mut doc = source.doc();
        listed.push((stem.clone(), page::Summary::of(&doc)));
        files.extend(page::pages(&mut doc, &stem, sources.len() != 1, &mut taken));
    }
    if sources.len() != 1 {
        files.insert(0, page::index(&listed));
    }
    // A single page is complete in itself.
    if files.len() > 1 {
        files.extend(page::shared());
    }
    files
}

/// A file that may stand beside the pages, which load it when a stream is dropped on one: it reads the
/// stream in the browser. Without it the pages have all else.
///
/// ```
/// assert_eq!(dudley_doc::reader().name, "reader.js");
/// ```
pub fn reader() -> File {
    page::reader()
}

/// How the files of each layout begin; no two alike, whatever the case of letters. They are taken then.
fn stems(sources: &[Source<'_>], taken: &mut HashSet<String>) -> Vec<String> {
    taken.insert("index".to_owned());
    if sources.len() == 1 {
        return vec!["index".to_owned()];
    }
    // Those that the pages share are called `pages`, and one that they load `reader`.
    taken.extend(["pages", "reader"].map(str::to_owned));
    sources.iter().map(|source| page::file_stem(source.title(), taken)).collect()
}

/// All layouts as one Markdown text.
///
/// ```
/// let layout = dudley_parser::check(b"x = f8  ## (cm) place").layout.unwrap();
/// let text = dudley_doc::markdown(&[dudley_doc::Source::new("run.dud", &layout)]);
/// assert!(text.contains("place") && text.contains("cm"));
/// ```
pub fn markdown(sources: &[Source<'_>]) -> String {
    let pages: Vec<String> =
        sources.iter().map(|source| markdown::page(&mut source.doc())).collect();
    pages.join("\n")
}

/// The memory of a layout, to scale, as SVG; `logarithmic` shows small items beside large ones.
///
/// ```
/// let layout = dudley_parser::check(b"x = f8[100]").layout.unwrap();
/// assert!(dudley_doc::map(&dudley_doc::Source::new("run.dud", &layout), true).starts_with("<svg"));
/// ```
pub fn map(source: &Source<'_>, logarithmic: bool) -> String {
    svg::map(&source.doc(), logarithmic)
}

/// The map of every layout as a file.
///
/// ```
/// let layout = dudley_parser::check(b"x = f8[100]").layout.unwrap();
/// let maps = dudley_doc::maps(&[dudley_doc::Source::new("run.dud", &layout)], false);
/// assert!(maps[0].name.ends_with(".svg"));
/// ```
pub fn maps(sources: &[Source<'_>], logarithmic: bool) -> Vec<File> {
    let named = stems(sources, &mut HashSet::new()).into_iter().zip(sources);
    named
        .map(|(stem, source)| File { name: format!("{stem}.svg"), text: map(source, logarithmic) })
        .collect()
}

/// Programs that read the items of a layout with the params of the options: the path, the language
/// and the text of each. Paths of items of lists are those of the first repetition; where a list has none
/// with these params, there is nothing to be read.
///
/// ```
/// let layout = dudley_parser::check(b"x = f8[100]").layout.unwrap();
/// let snippets = dudley_doc::snippets(&dudley_doc::Source::new("run.dud", &layout));
/// assert!(snippets.iter().any(|(path, language, text)| {
///     path == "/x" && *language == "Rust" && text.contains("/x")
/// }));
/// ```
pub fn snippets(source: &Source<'_>) -> Vec<(String, &'static str, String)> {
    let doc = source.doc();
    let mut all = Vec::new();
    for row in &doc.rows {
        if !doc.is_beyond(row) {
            let texts = snippets::texts(&doc, row);
            all.extend(texts.into_iter().map(|(name, text)| (row.path.clone(), name, text)));
        }
    }
    all
}

/// What the script of a page computes with, as JSON: operations, params and rows.
///
/// ```
/// let layout = dudley_parser::check(b"N : i8  x = f8[N]").layout.unwrap();
/// assert!(dudley_doc::data(&dudley_doc::Source::new("run.dud", &layout)).starts_with('{'));
/// ```
pub fn data(source: &Source<'_>) -> String {
    data::data(&source.doc(), &[]).to_string()
}
