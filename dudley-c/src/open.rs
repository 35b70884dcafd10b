//! Opening files of any format.

use std::ffi::c_int;
use std::sync::{Mutex, PoisonError};

use dudley::model::{Attribute, Dataset, Masked, Node, Streamed};
use dudley::read::select::{Picked, Selected};
use dudley::{ByteOrder, Data, Open, Work, parse_layout};

use crate::abi::{Out, Text, TextMut};
use crate::error::{DUD_DATA, Failure, run};
use crate::handle::Handle;

/// A file that is open.
pub struct File {
    pub(crate) dataset: Dataset,
}

impl File {
    /// What a path picks that may have slices and fields. Masked elements are as they are stored.
    pub(crate) fn select(&self, path: &Text) -> Result<Selected, Failure> {
        self.pick(path.get()?)
    }

    /// As [`Self::select`], of a path as it is here. Texts in a heap have room for the longest of them.
    pub(crate) fn pick(&self, path: &str) -> Result<Selected, Failure> {
        let selected = self.dataset.select_with(path, Masked::Stored)?;
        if !selected.data().is_some_and(Data::has_vlen) {
            return Ok(selected);
        }
        let differ = || Failure::bad(format!("`{path}`: its sequences differ in length"));
        selected.resolved()?.ok_or_else(differ)
    }
}

/// What a path leads to of which something is said: an item, or what slices and fields pick of an array.
pub(crate) enum About {
    Item(Node),
    Part(Box<Data>),
}

impl File {
    pub(crate) fn about(&self, path: &Text) -> Result<About, Failure> {
        let path = path.get()?;
        let missing = match self.dataset.get(path) {
            Ok(node) => return Ok(About::Item(node)),
            Err(error) => error,
        };
        // If the path picks nothing either, the first error says more.
        match self.dataset.select(path).map(|selected| selected.parts.into_iter().next()) {
            Ok(Some(Picked::Data(data))) => Ok(About::Part(Box::new(data))),
            _ => Err(missing.into()),
        }
    }
}

impl About {
    pub(crate) fn unit(&self) -> Option<String> {
        match self {
            About::Item(node) => node.unit(),
            About::Part(data) => data.unit().map(str::to_owned),
        }
    }

    pub(crate) fn doc(&self) -> Vec<String> {
        match self {
            About::Item(node) => node.doc(),
            About::Part(data) => data.doc_without_unit().map(str::to_owned).collect(),
        }
    }

    pub(crate) fn attributes(&self) -> Vec<Attribute> {
        match self {
            About::Item(node) => node.attributes(),
            About::Part(data) => data.attributes().iter().map(Attribute::from).collect(),
        }
    }
}

/// What a file does not say itself, for `dud_open`.
pub struct Options(Mutex<How>);

#[derive(Clone)]
struct How {
    open: Open,
    /// A stream may be cut off within its layout.
    unterminated: bool,
}

impl Options {
    fn change(&self, change: impl FnOnce(Open) -> Open) {
        let mut how = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        how.open = change(how.open.clone());
    }
}

/// Makes options; free them with `dud_options_free`.
#[unsafe(no_mangle)]
pub extern "C" fn dud_options_new(options: Out<Handle<Options>>) -> c_int {
    run(|| options.give(|| Ok(Options(Mutex::new(How::new())))))
}

/// Frees options. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn dud_options_free(options: Handle<Options>) -> c_int {
    run(|| options.close().map(drop))
}

/// Gives the text of the layout of a stream that carries none.
#[unsafe(no_mangle)]
pub extern "C" fn dud_options_layout(options: Handle<Options>, text: Text) -> c_int {
    run(|| {
        let layout = parse_layout(text.get()?.as_bytes())?;
        options.get()?.change(|open| open.layout(layout));
        Ok(())
    })
}

/// Takes the file for a stream without a signature.
#[unsafe(no_mangle)]
pub extern "C" fn dud_options_raw(options: Handle<Options>) -> c_int {
    run(|| {
        options.get()?.change(Open::raw);
        Ok(())
    })
}

/// Gives the byte order of a raw stream: "<" or ">".
#[unsafe(no_mangle)]
pub extern "C" fn dud_options_order(options: Handle<Options>, order: Text) -> c_int {
    run(|| {
        let order = order_of(&order)?;
        options.get()?.change(|open| open.order(order));
        Ok(())
    })
}

/// Gives a param that the stream does not hold. The name may be a path: `N`, `/grp/N`.
#[unsafe(no_mangle)]
pub extern "C" fn dud_options_param(options: Handle<Options>, name: Text, value: i64) -> c_int {
    run(|| {
        let name = name.get()?;
        options.get()?.change(|open| open.param(name, value));
        Ok(())
    })
}

/// Says where in the file the stream begins, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn dud_options_base(options: Handle<Options>, base: u64) -> c_int {
    run(|| {
        options.get()?.change(|open| open.base(base));
        Ok(())
    })
}

/// Says how many threads read large arrays; 0 for as many as the machine has.
#[unsafe(no_mangle)]
pub extern "C" fn dud_options_threads(options: Handle<Options>, threads: usize) -> c_int {
    run(|| {
        options.get()?.change(|open| open.work(Work::new().threads(threads)));
        Ok(())
    })
}

/// Opens a stream, too, that seems to be cut off within its layout: this has no terminator, a line `-`, and describes less
/// data than the file has. Items may be missing, and the last one may have lost its shape or filter.
#[unsafe(no_mangle)]
pub extern "C" fn dud_options_unterminated(options: Handle<Options>) -> c_int {
    run(|| {
        options.get()?.0.lock().unwrap_or_else(PoisonError::into_inner).unterminated = true;
        Ok(())
    })
}

/// Opens a file of any format that Dudley reads: a stream with its layout, HDF5, netCDF, FITS, ASDF, numpy and more.
/// `options` may be NULL. A stream that seems to be cut off within its layout is an error, unless `dud_options_unterminated`
/// allows it. Close it with `dud_close`.
#[unsafe(no_mangle)]
pub extern "C" fn dud_open(path: Text, options: Handle<Options>, file: Out<Handle<File>>) -> c_int {
    run(|| {
        file.give(|| {
            let path = path.get()?;
            let how = match options.get_or_null()? {
                Some(options) => options.0.lock().unwrap_or_else(PoisonError::into_inner).clone(),
                None => How::new(),
            };
            // SAFETY: it is mapped when a view is asked for. What happens if a program cuts it off while there are views
            // is said in the documentation of `dud_view_open`.
            let opened = unsafe { dudley_formats::all().mapped_file(path, &how.open) };
            let dataset = opened.map_err(|error| Failure::to_open(path, error))?;
            match dataset.content::<Streamed>().and_then(Streamed::unterminated) {
                // To end without a terminator alone is legal, and a remark.
                Some(cut) if cut.end.is_some() && !how.unterminated => {
                    let text = format!("`{path}`: {cut}: dud_options_unterminated allows it");
                    Err(Failure::new(DUD_DATA, text))
                }
                _ => Ok(File { dataset }),
            }
        })
    })
}

impl How {
    fn new() -> How {
        How { open: Open::new().filters(dudley_formats::registry()), unterminated: false }
    }
}

/// The name of the format of a file, such as `stream`, `hdf5` or `asdf`; as `dud_read_text` gives texts.
#[unsafe(no_mangle)]
pub extern "C" fn dud_format(
    file: Handle<File>,
    to: TextMut,
    room: usize,
    length: Out<usize>,
) -> c_int {
    run(|| to.set(file.get()?.dataset.format(), room, &length))
}

/// Remarks about oddities and faults of a file that were found so far: a layout that may be cut off, or parts of a file
/// of another format that a layout cannot hold. Gives texts as `dud_children` does.
#[unsafe(no_mangle)]
pub extern "C" fn dud_remarks(
    file: Handle<File>,
    to: TextMut,
    room: usize,
    length: Out<usize>,
) -> c_int {
    run(|| {
        let remarks = file.get()?.dataset.remarks()?;
        to.set_all(remarks.iter().map(ToString::to_string), room, &length)
    })
}

/// Closes a file. Views of it stay. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn dud_close(file: Handle<File>) -> c_int {
    run(|| file.close().map(drop))
}

/// A byte order as C has it.
pub(crate) fn order_of(order: &Text) -> Result<ByteOrder, Failure> {
    match order.get()? {
        "<" => Ok(ByteOrder::Little),
        ">" => Ok(ByteOrder::Big),
        other => Err(Failure::bad(format!("`{other}` is no byte order: it is `<` or `>`"))),
    }
}
