//! The macros of Dudley: a thin shell over `dudley-codegen`.

use proc_macro::TokenStream;
use std::path::{Path, PathBuf};
use syn::{DeriveInput, LitStr, parse_macro_input};

/// The text of a layout file, checked while the program is compiled: a `&'static str`.
///
/// The path is relative to the file that calls, else to the folder of its `Cargo.toml`. Errors of
/// the layout are errors of the compiler, with line and column of the layout.
///
/// ```
/// let text: &str = dudley_derive::layout_text!("tests/blast.dud");
/// assert!(text.contains("rho"));
/// ```
#[proc_macro]
pub fn layout_text(input: TokenStream) -> TokenStream {
    let literal = parse_macro_input!(input as LitStr);
    let tried = candidates(&literal);
    let found = tried.iter().find(|path| path.is_file()).cloned();
    let expanded = match found {
        Some(path) => dudley_codegen::layout_text(&path),
        None => Err(format!(
            "no layout `{}`, neither beside the file of this call nor in the folder of its package",
            literal.value()
        )),
    };
    match expanded {
        Ok(tokens) => tokens.into(),
        Err(message) => syn::Error::new(literal.span(), message).to_compile_error().into(),
    }
}

/// Implements `Dudley` for an existing struct: it makes the layout of the struct, writes the struct to
/// streams, and reads it from them.
///
/// ```
/// use dudley::Dudley;
/// use dudley::ndarray::Array2;
///
/// /// The state of a run.
/// #[derive(Debug, PartialEq, Dudley)]
/// struct State {
///     /// time of this dump
///     #[dudley(unit = "us")]
///     time: f64,
///     cycle: usize,
///     #[dudley(shape = "JMAX-, IMAX-")]
///     rho: Array2<f64>,
///     #[dudley(shape = "JMAX, IMAX")]
///     speed: Array2<f32>,
///     tracers: Vec<Tracer>,
/// }
///
/// #[derive(Debug, PartialEq, Dudley)]
/// #[dudley(record)]
/// struct Tracer {
///     id: u32,
///     position: [f64; 2],
/// }
///
/// let state = State {
///     time: 0.5,
///     cycle: 7,
///     rho: Array2::ones((2, 3)),
///     speed: Array2::zeros((3, 4)),
///     tracers: vec![Tracer { id: 1, position: [0.5, 1.5] }],
/// };
/// let bytes = state.to_bytes()?;
/// assert_eq!(State::from_bytes(bytes)?, state);
/// assert_eq!(
///     State::LAYOUT,
///     "## The state of a run.
/// JMAX : i8
/// IMAX : i8
/// time = f8  ## (us) time of this dump
/// cycle = u8
/// rho = f8[JMAX-, IMAX-]
/// speed = f4[JMAX, IMAX]
/// n_tracers : i8
/// tracers = {
///   id = u4
///   position = f8[2]
/// }[n_tracers]
/// "
/// );
/// # Ok::<(), dudley::Error>(())
/// ```
///
/// # Fields
///
/// | in the struct | in the layout |
/// |---|---|
/// | `i8` to `i64`, `u8` to `u64`, `f16`, `f32`, `f64`, `Complex` of these, `bool` | `i1` to `i8`, `u1` to `u8`, `f2`, `f4`, `f8`, `c4`, `c8`, `c16`, `b1` |
/// | `usize`, `isize` | `u8`, `i8` |
/// | an enum without fields, with `#[repr(u8)]` or another integer | the integer, with the attributes `names` and `values`, which tools show |
/// | `[T; N]`, `Vec<T>`, `ndarray::Array1<T>` to `Array6<T>` | an array; `Vec<[T; N]>` is one of two dimensions |
/// | `ndarray::ArrayD<T>` with a `shape` | an array of this many dimensions |
/// | `Box<T>`, `Rc<T>`, `Arc<T>`, `Box<[T]>`, `ndarray::ArcArray<T, D>` | the value inside |
/// | a tuple of types of fixed size | a record: `{_0 = … _1 = …}` |
/// | `String` | `U1[n]` |
/// | `Vec<String>`, `[String; N]` | an array of strings, each with its length |
/// | a struct | a dict |
/// | a struct with `#[dudley(record)]` | a record: `{ … }` |
/// | `Vec` or array of structs | a list of dicts, or an array of records |
/// | `Option<T>` | the same with a `presence` param in front: 0 is `None`, -1 is `Some`; of a struct a list of none or one |
/// | `Option<T>` in a record, `Vec<Option<T>>`, `T` of a fixed size | a record: `{some = b1 value = …}` |
/// | `Option<Vec<T>>` of structs | the list, with a `presence` param in front |
///
/// A length that is not in the type becomes a param in front of the item: `n_rho` is the length of `rho`,
/// `n0_rho` and `n1_rho` are two dimensions, and `has_rho` is the presence of an optional item. Documentation
/// comments become documentation of the layout.
///
/// # Attributes of a field
///
/// | `#[dudley(…)]` | means |
/// |---|---|
/// | `name = "…"` | the name of the item; the default is the name of the field |
/// | `unit = "…"` | its unit |
/// | `shape = "JMAX-, IMAX-"` | names its dimensions: numbers, or params with any number of `+` or `-` |
/// | `param` | the integer is a param; a field that a `shape` names is one by default |
/// | `order = "big"`, `"little"` | its byte order, for streams of either order |
/// | `align = 64` | its alignment in bytes |
/// | `skip` | not in the stream; a read gives `Default::default()`, or the result of the function in `default` |
/// | `default`, `default = "path"` | the value if the stream does not have it: `Default::default()`, or the result of that function |
/// | `alias = "…"` | its name in older streams; there may be several |
/// | `widen` | numbers of other types are read, too, if every value fits: `f4` as `f64`, `u2` as `i32` |
///
/// A read finds fields by their names, in dicts and in records, in any order, and ignores other items.
/// An `Option` that is not in the stream is `None`. A file from a time when the field was not yet an `Option`
/// can be read, too. So a struct can grow as with serde.
///
/// The value of a param follows from the shapes of all fields that name it, or from the field of its name.
/// If the shapes do not agree, a write fails before it writes anything, and the error names the param. The
/// first name in the `shape` of an `Option` is its presence; several fields may share it.
///
/// # Attributes of a type
///
/// | `#[dudley(…)]` | means |
/// |---|---|
/// | `record` | inside other types it is stored as a record: all fields side by side, and all of fixed size |
/// | `order = "big"`, `"little"` | the byte order of all fields without their own |
/// | `align = 64` | the alignment of a record in bytes |
/// | `packed`, `packed = 2` | the fields of a record lie side by side, or are aligned to at most 2: `{%1 … }`, `{%2 … }`; records inside it keep their own alignment |
/// | `widen` | all fields with numbers have `widen` |
/// | `layout = "restart.dud"` | this file is the layout; the fields are compared with it |
/// | `parts = "…"` | the name of the type that reads single fields, `StateParts` for a struct `State` |
/// | `crate = "…"` | the path of the crate `dudley` |
///
/// # An existing layout
///
/// With `layout = "restart.dud"` the text of that file is the layout. Its path is relative to the file
/// of the struct, else to the folder of the package. Each item is a field, and each field an item, of a
/// type, a rank and lengths that fit; otherwise the program does not compile, and the error stands at
/// the field, with the line of the layout. Params may have a field, and need one if no shape determines
/// their value. Items with the attribute `const` have no field. Dicts, lists and records are
/// compared with the structs of their fields.
///
/// ```
/// use dudley::Dudley;
///
/// use dudley::ndarray::Array2;
///
/// #[derive(Debug, PartialEq, Dudley)]
/// #[dudley(layout = "tests/blast.dud")] // rho = f8[JMAX-, IMAX-] …
/// struct Blast {
///     time: f64,
///     title: String,
///     r: Array2<f64>,
///     z: Array2<f64>,
///     rho: Array2<f64>,
///     history: Vec<Entry>,
/// }
///
/// #[derive(Debug, PartialEq, Dudley)]
/// struct Entry {
///     t: f64,
///     energy: f64,
///     front: f32,
/// }
///
/// let blast = Blast {
///     time: 1.0,
///     title: "a blast".to_owned(),
///     r: Array2::zeros((3, 4)),
///     z: Array2::zeros((3, 4)),
///     rho: Array2::ones((2, 3)),
///     history: vec![Entry { t: 0.5, energy: 2.0, front: 1.0 }],
/// };
/// assert_eq!(Blast::from_bytes(blast.to_bytes()?)?, blast);
///
/// let wrong = Blast { rho: Array2::ones((2, 5)), ..blast };
/// assert_eq!(
///     wrong.to_bytes().unwrap_err().to_string(),
///     "`/rho`: expected shape [2, 3], found [2, 5] (the shape expected is from /JMAX = 3, /IMAX = 4)"
/// );
/// # Ok::<(), dudley::Error>(())
/// ```
#[proc_macro_derive(Dudley, attributes(dudley))]
pub fn derive_dudley(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    dudley_codegen::derive::derive(&input, &candidates).into()
}

/// Typed readers and writers for streams of a layout: a module with a struct for each dict and record,
/// made while the program is compiled.
///
/// ```
/// dudley::layout!(mod restart = "N : i8  rho = f8[N]"); // or "restart.dud", a file
///
/// # fn main() -> dudley::Result<()> {
/// let params = restart::Params { n: 2 };
/// let writer = dudley::typed::Create::new().memory::<restart::Layout>(&params)?;
/// writer.rho().write_slice(&[1.0, 2.0])?;
/// let run = restart::Reader::from_source(writer.finish_bytes()?)?;
/// assert_eq!(run.rho().read()?.sum(), 3.0);
/// # Ok(())
/// # }
/// ```
///
/// The argument is a path that ends in `.dud`, relative to the calling file or to the folder of its
/// `Cargo.toml`; or the text of the layout. Without `mod name =` the items go to the place of the
/// call. `crate = "path"` is the path of the crate `dudley`, if it is not `::dudley`. Errors of the
/// layout are errors of the compiler, with file, line and column of the layout; after a change of the file
/// Cargo compiles the program again.
///
/// `dudley::typed` describes the content of the module.
#[proc_macro]
pub fn layout(input: TokenStream) -> TokenStream {
    dudley_codegen::expand(input.into(), |literal| Box::new(Site::of(literal))).into()
}

/// Where a literal stands in the program.
struct Site {
    file: Option<PathBuf>,
    line: usize,
}

impl Site {
    fn of(literal: &LitStr) -> Self {
        let span = literal.span().unwrap();
        let file = span.local_file().map(|path| path.canonicalize().unwrap_or(path));
        Self { file, line: span.line() }
    }
}

impl dudley_codegen::CallSite for Site {
    fn file(&self) -> Option<PathBuf> {
        self.file.clone()
    }

    fn line(&self) -> usize {
        self.line
    }

    fn package(&self) -> Option<PathBuf> {
        std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from)
    }
}

/// Where a path may lead: from the file of the call, from the folder of its package.
fn candidates(literal: &LitStr) -> Vec<PathBuf> {
    let path = literal.value();
    let file = literal.span().unwrap().local_file();
    let beside = file.as_deref().and_then(Path::parent).map(|folder| folder.join(&path));
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(|root| Path::new(&root).join(&path));
    let absolute = |path: PathBuf| path.canonicalize().unwrap_or(path);
    beside.into_iter().chain(package).map(absolute).collect()
}
