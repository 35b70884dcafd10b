//! A file that a command opens once, whatever its format.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use asdf_bridge::asdf::AsdfFile;
use asdf_bridge::blosc2::{Frame, OpenFrame};
use dudley::bytes::FileSource;
use dudley::error::file_name;
use dudley::model::{Candidate, Dataset, Depth, Doubt, LayoutText};
use dudley::{Error, Layout, Stream};

use crate::failure::{Failure, Result};
use crate::formats::formats;
use crate::input;
use crate::names::{is_stdin, name_of};
use crate::output::warn;
use crate::remote;
use crate::stream_args::{StreamArgs, warn_other_format};

/// The kind of a file. Clones share the open file.
#[derive(Clone)]
pub(crate) enum Input {
    /// A stream with a layout.
    Stream(Stream),
    /// A layout without a stream.
    Layout(Arc<Layout>),
    /// A file of a format with nodes of its own.
    Nodes,
}

/// An open file with the options that opened it.
#[derive(Clone)]
pub(crate) struct Opened {
    dataset: Dataset,
    candidate: Candidate,
    path: PathBuf,
    args: StreamArgs,
    input: OnceLock<Input>,
    /// Reported messages, each of which is reported once.
    said: Arc<Mutex<HashSet<String>>>,
}

impl Opened {
    /// The file as the model has it.
    pub(crate) fn dataset(&self) -> &Dataset {
        &self.dataset
    }

    /// The ASDF or FINF file, if it is one, for writers of such files.
    pub(crate) fn asdf(&self) -> Option<&AsdfFile> {
        self.dataset.content()
    }

    /// The Blosc2 frame, if it is one, for writers of frames.
    pub(crate) fn frame(&self) -> Option<&Frame> {
        self.dataset.content::<OpenFrame>().map(OpenFrame::frame)
    }

    /// Whether a read decodes the contents, so that addresses in the stream are none of the file.
    pub(crate) fn is_decoded(&self) -> bool {
        self.dataset.is_decoded()
    }

    /// Reports doubts about the values at some paths, or everywhere without paths; returns whether
    /// there are any.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn warn<P: AsRef<str>>(&self, paths: &[P], depth: Depth) -> Result<bool> {
        let paths: Vec<&str> = paths.iter().map(AsRef::as_ref).collect();
        let doubts = self.dataset.doubts(&paths, depth)?;
        doubts.iter().for_each(|doubt| self.say(doubt));
        Ok(!doubts.is_empty())
    }

    /// Checks that the values at some paths, or everywhere without paths, are within the limit of
    /// expansion.
    ///
    /// # Errors
    /// If they are not; if the file has faults.
    pub(crate) fn check_size(&self, paths: &[String]) -> Result<()> {
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        self.dataset.check_size(&paths).map_err(|error| self.args.failed(&self.candidate, error))
    }

    /// Reports a doubt once; with the name of the file, if the doubt is about the whole file.
    pub(crate) fn say(&self, doubt: &Doubt) {
        let text = match doubt.path {
            Some(_) => doubt.to_string(),
            None => format!("{}: {doubt}", self.name()),
        };
        if self.said.lock().unwrap_or_else(PoisonError::into_inner).insert(text.clone()) {
            warn(&text);
        }
    }

    /// The stream with the item of a path, if it is found without parsing the whole layout.
    pub(crate) fn excerpt(&self, path: &str) -> Option<Stream> {
        self.dataset.inner().excerpt(path)
    }

    /// Its name in messages.
    pub(crate) fn name(&self) -> String {
        name_of(&self.path)
    }

    /// Its bytes, before its kind is known.
    pub(crate) fn candidate(&self) -> &Candidate {
        &self.candidate
    }

    /// Its kind: a stream, a layout, or a file without any layout. The number of items that a stream declares
    /// is not trusted.
    ///
    /// # Errors
    /// If something is wrong with its layout.
    pub(crate) fn input(&self) -> Result<&Input> {
        if let Some(input) = self.input.get() {
            return Ok(input);
        }
        let input = self.as_input()?;
        Ok(self.input.get_or_init(|| input))
    }

    fn as_input(&self) -> Result<Input> {
        if let Some(text) = self.dataset.content::<LayoutText>() {
            return Ok(Input::Layout(text.layout().clone()));
        }
        let opened = self.dataset.stream();
        let opened = opened.map_err(|error| self.args.failed(&self.candidate, error))?;
        let Some(stream) = opened else { return Ok(Input::Nodes) };
        if !self.is_decoded() {
            if let (None, Some(unterminated)) = (&self.args.layout, stream.unterminated()) {
                self.say(&Doubt { path: None, why: unterminated.to_string() });
            }
            self.args.warn_of_stream(&self.name(), stream);
        }
        Ok(Input::Stream(stream.named(&self.path).limited()))
    }

    /// The stream that it must be.
    ///
    /// # Errors
    /// If it is none; if its layout has errors.
    pub(crate) fn stream(&self) -> Result<&Stream> {
        match self.input()? {
            Input::Stream(stream) => Ok(stream),
            Input::Nodes => Err(Failure::input(format!(
                "`{}` is {}, which this command cannot read; with --layout it is read as a raw stream (`dudc \
                 describe` prints a layout of it)",
                file_name(&self.path),
                self.dataset.describe()
            ))),
            Input::Layout(_) if self.candidate.head().is_ok_and(crate::formats::is_native) => {
                Err(Failure::input(format!(
                    "`{}` is a stream with a signature: with --raw its layout is not looked for, and --layout must \
                     give one",
                    file_name(&self.path)
                )))
            }
            Input::Layout(_) => Err(Failure::input(format!(
                "`{}` is a layout, not a stream: give the stream, and this with --layout",
                file_name(&self.path)
            ))),
        }
    }
}

impl StreamArgs {
    /// Opens a file of any kind; with `--layout` it is a stream.
    ///
    /// # Errors
    /// If it is of no format that is known, or cannot be opened.
    pub(crate) fn opened(&self, path: &Path) -> Result<Opened> {
        if is_stdin(path) && self.layout.as_deref().is_some_and(is_stdin) {
            return Err(Failure::usage("only one of stream and layout can be standard input"));
        }
        self.opened_as(self.candidate(path)?, path)
    }

    /// As [`Self::opened`], for a file whose start was read already.
    ///
    /// # Errors
    /// As [`Self::opened`].
    pub(crate) fn opened_as(&self, candidate: Candidate, path: &Path) -> Result<Opened> {
        let name = name_of(path);
        if let (Some(given), false) = (&self.layout, self.raw) {
            let head = candidate.head().map_err(|error| unread(&name, error))?;
            if !crate::formats::is_native(head) {
                warn_other_format(&name, head, &name_of(given));
            }
        }
        let dataset = self.dataset(&candidate)?;
        if self.base > 0 && dataset.content::<LayoutText>().is_some() {
            return Err(unknown(&candidate));
        }
        Ok(Opened {
            dataset,
            candidate,
            path: path.to_owned(),
            args: self.clone(),
            input: OnceLock::new(),
            said: Arc::default(),
        })
    }

    /// A file before its kind is known.
    ///
    /// # Errors
    /// If it cannot be opened, or there is nothing at its base.
    pub(crate) fn candidate(&self, path: &Path) -> Result<Candidate> {
        let name = name_of(path);
        let candidate = if let Some(address) = remote::address(path) {
            Candidate::source(address, remote::open(address)?, self.base)
        } else if is_stdin(path) {
            Candidate::source(&*name, input::read_stdin()?, self.base)
        } else {
            Candidate::file(path, self.base).map_err(|error| unread(&name, error))?
        };
        match candidate.whole_len() {
            Some(length) if self.base > 0 && self.base >= length => Err(Failure::input(format!(
                "{name} has {length} bytes: there is nothing at --base {}",
                self.base
            ))),
            _ => Ok(candidate),
        }
    }

    fn dataset(&self, candidate: &Candidate) -> Result<Dataset> {
        let opened = formats().open(candidate, &self.open_as(candidate.name())?);
        opened.map_err(|error| match error.cause() {
            Error::UnknownFormat { .. } => unknown(candidate),
            _ => self.failed(candidate, error),
        })
    }

    /// Why a file is not opened, with a remedy.
    pub(crate) fn failed(&self, candidate: &Candidate, error: Error) -> Failure {
        let name = candidate.name();
        if matches!(error.cause(), Error::Const { .. }) {
            return Failure::of_file(name, error).with_help(
                "this is not the kind of file that the layout describes, or it is damaged; \
                 `--no-const-check` reads it all the same",
            );
        }
        let recognised = formats();
        let format = recognised.recognise(candidate).ok().flatten();
        if let Some(help) = format.and_then(|(_, format)| format.help(candidate, &error)) {
            return Failure::of_file(name, error).with_help(help);
        }
        if self.layout.is_none() && candidate.head().is_ok_and(crate::formats::is_native) {
            Failure::of_stream(name, error)
        } else {
            Failure::of_file(name, error)
        }
    }
}

/// Why a file cannot be read.
fn unread(name: &str, error: Error) -> Failure {
    match error {
        Error::Io { source, .. } if source.kind() == std::io::ErrorKind::InvalidInput => {
            Failure::io("read", name, &source)
                .with_help("`-` reads standard input, which may be a pipe")
        }
        Error::Io { source, .. } => Failure::io("read", name, &source),
        error => Failure::of_file(name, error),
    }
}

/// Why a file of no format that is known is not opened.
pub(crate) fn unknown(candidate: &Candidate) -> Failure {
    let name = candidate.name();
    if let Some(folder) = candidate.folder() {
        let why = FileSource::open(folder).err();
        return why.map_or_else(
            || Failure::input(format!("{name} is a folder")),
            |why| unread(name, why),
        );
    }
    let head = match candidate.long_head() {
        Ok(head) => head,
        Err(error) => return unread(name, error),
    };
    if input::is_archive(head) {
        return input::archive(name);
    }
    if candidate.is_empty() {
        return input::empty(name);
    }
    match (candidate.base(), input::check_text(name, head)) {
        (0, Err(failure)) => failure,
        (base, _) => Failure::input(format!(
            "{name}: at --base {base} begins neither a stream with a signature nor a file of another format: a \
             raw stream needs --layout"
        )),
    }
}
