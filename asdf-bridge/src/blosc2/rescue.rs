//! The readable parts of a damaged Blosc2 frame, as a new frame.

use dudley::Value;
use dudley::model::{Candidate, Fact, Salvaged, Target};

use super::bare_chunk::chunk_length;
use super::error::{Error, Result};
use super::frame::{Frame, FrameWriter, INDEX_FILE, Lost, NewFrame, Options};
use super::opening::{opened, unopened};

/// What is shown for people of what is lost; of more, their number.
const SHOWN: usize = 20;

/// What is kept of it for programs.
const KEPT: usize = 10_000;

/// What became of a frame.
#[derive(Default)]
struct Found {
    chunks: u64,
    /// Why the index was passed over, if it was.
    walked: Option<String>,
    /// The faults of the frame as a whole that lose no data.
    wrong: Option<String>,
    /// Whether there may have been more chunks than can be counted.
    is_open_ended: bool,
    /// Chunks that are lost, all of them or some blocks.
    chunks_lost: u64,
    gone: Several,
    doubtful: Several,
}

/// Things that are lost or doubtful: the first of them, and their number.
#[derive(Default)]
struct Several {
    first: Vec<Lost>,
    count: u64,
}

/// Writes all that can be read of a frame, or of a chunk without one. What is lost of its chunks is NaN or zeros there.
/// Without a target it says what would be lost.
///
/// # Errors
/// If the file has nothing that could be read, or the result cannot be written.
pub(super) fn salvage(candidate: &Candidate, to: Option<Target<'_>>) -> dudley::Result<Salvaged> {
    // Of a chunk without a frame nothing else can be wrong.
    let is_bare = chunk_length(candidate.head()?, candidate.len()).is_some();
    let walked = opened(candidate, Options::new().walked(true))?;
    let (frame, wrong) = match (walked, opened(candidate, Options::new())?) {
        (Ok(frame), whole) => (frame, whole.err()),
        // Its header is what is wrong, so that nothing else is known, or not even that is there.
        (Err(_), Err(why)) if !is_bare && !is_unread(&why) => return Err(unopened(why)),
        (Err(why), _) => return Err(unopened(why)),
    };
    let walked = frame.index_passed().map(ToString::to_string);
    let told = walked.is_some() || frame.trailer_passed().is_some();
    let wrong = wrong.filter(|_| !told && !is_bare).map(|why| why.to_string());
    let chunks = frame.chunk_count();
    let is_open_ended = walked.is_some() && frame.chunksize().is_none();
    let mut found = Found { chunks, walked, wrong, is_open_ended, ..Found::default() };
    let mut take = |lost| found.add(lost);
    let new = NewFrame::salvage(&frame, &mut take);
    match to {
        Some(Target { path, overwrite }) => {
            let is_folder = candidate.folder().is_some();
            let begun = if is_folder { new.folder(path) } else { new.file(path, overwrite) };
            write(begun, &frame, &mut take).map_err(|error| match error {
                Error::Engine { source, .. } => source,
                error => unopened(error).of_file(path),
            })?;
        }
        None => frame.look_for_lost(&mut take),
    }
    let said = found.walked.is_some() || found.wrong.is_some();
    let is_partial = found.gone.count + found.doubtful.count > 0 || said;
    Ok(Salvaged { facts: found.facts(), remarks: Vec::new(), is_partial })
}

/// Whether an error of a frame is that a file of it could not be read.
fn is_unread(error: &Error) -> bool {
    matches!(error, Error::Engine { source, .. } if source.is_unread())
}

/// What can be done with a frame, or a chunk, that cannot be opened.
pub(super) fn help(candidate: &Candidate, error: &dudley::Error) -> Option<&'static str> {
    let own = match error.cause() {
        dudley::Error::Foreign(source) => source.downcast_ref(),
        _ => None,
    };
    match own {
        Some(Error::CutOff { .. }) => {
            return Some("`dudc salvage` takes the blocks that are whole");
        }
        Some(Error::Limit { .. }) => {
            return Some("a slice such as `/data[:1000]` takes a part");
        }
        _ => {}
    }
    let has_header = candidate.folder()?.join(INDEX_FILE).is_file();
    (!has_header).then_some(
        "this file has the header and the index of a sparse frame, and the folder has chunks of one: `dudc \
         salvage` takes what these say themselves",
    )
}

fn write(begun: Result<FrameWriter>, frame: &Frame, lost: &mut dyn FnMut(Lost)) -> Result<()> {
    let mut out = begun?;
    out.salvage(frame, lost)?;
    out.finish()
}

impl Found {
    fn add(&mut self, lost: Lost) {
        // What is missing behind chunks of any size is none that is counted.
        let of_data = lost.path.starts_with("/data") && !self.is_open_ended;
        // What the index does not have is none of its chunks.
        let of_data = of_data && (lost.path != "/data" || lost.why.chunk().is_some());
        let of_chunk = of_data || lost.path.starts_with("/chunks");
        self.chunks_lost += u64::from(of_chunk && !lost.kept);
        let several = if lost.kept { &mut self.doubtful } else { &mut self.gone };
        several.count += 1;
        if several.first.len() < KEPT {
            several.first.push(lost);
        }
    }

    /// For people and programs.
    fn facts(&self) -> Vec<Fact> {
        let there = if self.is_open_ended { " that are there" } else { "" };
        let kept = self.chunks.saturating_sub(self.chunks_lost);
        let no_index = Fact::new("no_index", self.walked.clone());
        let mended = Fact::new("mended", self.wrong.clone());
        let doubtful = self.doubtful.fact("doubtful");
        vec![
            match &self.walked {
                Some(why) => no_index.shown(format!(
                    "no index {why}\n         chunks are taken in the order in which they lie, which may be wrong"
                )),
                None => no_index,
            },
            match &self.wrong {
                Some(why) => mended.shown(format!("mended   {why}")),
                None => mended,
            },
            Fact::new("chunks", self.chunks)
                .shown(format!("kept     {kept} of {} chunks{there}", self.chunks)),
            self.gone.fact("lost"),
            Fact { shown: doubtful.shown.filter(|_| self.doubtful.count > 0), ..doubtful },
        ]
    }
}

impl Several {
    fn fact(&self, name: &'static str) -> Fact {
        let mut said = format!("{name:8} {}", self.count);
        for Lost { path, why, blocks, .. } in self.first.iter().take(SHOWN) {
            let reason = why.to_string();
            // The path of a chunk is the chunk that the error names.
            let of_path = why.chunk().filter(|number| *path == format!("/chunks/{number}"));
            let named =
                of_path.and_then(|number| reason.strip_prefix(&format!("chunk {number}: ")));
            said += &format!("\n  {path}: {}", named.unwrap_or(&reason));
            if let Some((gone, all)) = blocks {
                said += &format!("; {} of {all} blocks are kept", all - gone);
            }
        }
        let more = self.count.saturating_sub(SHOWN as u64);
        if more > 0 {
            said += &format!("\n  … and {more} more");
        }
        let row = |Lost { path, why, blocks, .. }: &Lost| {
            let (blocks, of) = blocks.unzip();
            let fields = [
                ("path", Value::from(path.as_str())),
                ("why", why.to_string().into()),
                ("address", why.address().into()),
                ("blocks", blocks.into()),
                ("of", of.into()),
            ];
            Value::Struct(fields.map(|(name, value)| (name.to_owned(), value)).into())
        };
        Fact::new(name, self.first.iter().map(row).collect::<Vec<_>>()).shown(said)
    }
}
