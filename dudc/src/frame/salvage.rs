//! What can be read of a damaged Blosc2 frame, as a frame of its own.

use dudley::error::file_name;
use std::path::Path;

use asdf_bridge::blosc2::{self, Error, Frame, FrameWriter, Lost, NewFrame, Options};
use serde_json::{Value as Json, json};

use super::{failure, is_unread};
use crate::failure::{Failure, Result, Status, printable};
use crate::names::name_of;
use crate::stream_args::StreamArgs;

/// What is shown for people of what is lost; of more, how many there are.
const SHOWN: usize = 20;

/// What is kept of it for programs.
const KEPT: usize = 10_000;

/// What became of a frame.
#[derive(Default)]
pub(crate) struct Salvaged {
    chunks: u64,
    /// Why the index was passed over, if it was.
    walked: Option<String>,
    /// What is wrong with the frame as a whole, where nothing is lost by that.
    wrong: Option<String>,
    /// Whether there may have been more chunks than can be counted.
    is_open_ended: bool,
    /// Chunks that are lost, all of them or some blocks.
    chunks_lost: u64,
    gone: Several,
    doubtful: Several,
}

/// Things that are lost or doubtful: the first of them, and how many there are.
#[derive(Default)]
struct Several {
    first: Vec<Lost>,
    count: u64,
}

/// Writes all that can be read of a frame; none if the file is something else. What is lost of its chunks is NaN or
/// zeros there. With no path to write to it says what would be lost.
///
/// # Errors
/// If the file has nothing that could be read, or the result cannot be written.
pub(crate) fn salvage(file: &Path, to: Option<&Path>, force: bool) -> Result<Option<Salvaged>> {
    // Of a chunk without a frame nothing else can be wrong.
    let candidate = StreamArgs::default().candidate(file)?;
    let lone = blosc2::chunk_length(candidate.head()?, candidate.len());
    if lone.is_none() && !blosc2::is_frame(&candidate)? {
        return Ok(None);
    }
    let name = name_of(file);
    let options = Options::new();
    let whole = options.file(file);
    let (frame, wrong) = match (options.walked(true).file(file), whole) {
        (Ok(frame), whole) => (frame, whole.err()),
        // Its header is what is wrong, so that nothing else is known, or not even that is there.
        (Err(_), Err(why)) if lone.is_none() && !is_unread(&why) => {
            return Err(failure(&name, why));
        }
        (Err(why), _) => return Err(failure(&name, why)),
    };
    let walked = frame.index_passed().map(ToString::to_string);
    let told = walked.is_some() || frame.trailer_passed().is_some();
    let wrong = wrong.filter(|_| !told && lone.is_none()).map(|why| why.to_string());
    let chunks = frame.chunk_count();
    let is_open_ended = walked.is_some() && frame.chunksize().is_none();
    let mut found = Salvaged { chunks, walked, wrong, is_open_ended, ..Salvaged::default() };
    let mut take = |lost| found.add(lost);
    let new = NewFrame::salvage(&frame, &mut take);
    match to {
        Some(to) => {
            let begun = if file.is_dir() { new.folder(to) } else { new.file(to, force) };
            write(begun, &frame, &mut take).map_err(|error| match error {
                Error::Engine { source, .. } => Failure::from(source),
                error => failure(&file_name(&to), error),
            })?;
        }
        None => frame.look_for_lost(&mut take),
    }
    Ok(Some(found))
}

fn write(
    begun: blosc2::Result<FrameWriter>,
    frame: &Frame,
    lost: &mut dyn FnMut(Lost),
) -> blosc2::Result<()> {
    let mut out = begun?;
    out.salvage(frame, lost)?;
    out.finish()
}

impl Salvaged {
    /// What it does to the exit status: whether something is lost, or may be wrong.
    pub(crate) fn status(&self) -> Status {
        let said = self.walked.is_some() || self.wrong.is_some();
        if self.gone.count + self.doubtful.count == 0 && !said {
            Status::Done
        } else {
            Status::Found
        }
    }

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

    /// For people.
    pub(crate) fn lines(&self) -> String {
        let mut text = String::new();
        if let Some(why) = &self.walked {
            text += &format!(
                "no index {why}\n         chunks are taken in the order in which they lie, which may be wrong\n"
            );
        }
        if let Some(why) = &self.wrong {
            text += &format!("mended   {why}\n");
        }
        let there = if self.is_open_ended { " that are there" } else { "" };
        let kept = self.chunks - self.chunks_lost;
        text += &format!("kept     {kept} of {} chunks{there}\n", self.chunks);
        text += &format!("lost     {}\n", self.gone.count);
        self.gone.list(&mut text);
        if self.doubtful.count > 0 {
            text += &format!("doubtful {}\n", self.doubtful.count);
            self.doubtful.list(&mut text);
        }
        printable(&text)
    }

    /// For programs.
    pub(crate) fn json(&self) -> Json {
        let row = |Lost { path, why, blocks, .. }: &Lost| {
            let (blocks, of) = blocks.unzip();
            json!({"path": path, "why": why.to_string(), "address": why.address(), "blocks": blocks, "of": of})
        };
        json!({
            "version": 1,
            "chunks": self.chunks,
            "no_index": self.walked,
            "mended": self.wrong,
            "lost": self.gone.first.iter().map(row).collect::<Vec<_>>(),
            "doubtful": self.doubtful.first.iter().map(row).collect::<Vec<_>>(),
        })
    }
}

impl Several {
    fn list(&self, text: &mut String) {
        for Lost { path, why, blocks, .. } in self.first.iter().take(SHOWN) {
            let said = why.to_string();
            // The path of a chunk is the chunk that the error names.
            let of_path = why.chunk().filter(|number| *path == format!("/chunks/{number}"));
            let named = of_path.and_then(|number| said.strip_prefix(&format!("chunk {number}: ")));
            *text += &format!("  {path}: {}", named.unwrap_or(&said));
            if let Some((gone, all)) = blocks {
                *text += &format!("; {} of {all} blocks are kept", all - gone);
            }
            text.push('\n');
        }
        let more = self.count.saturating_sub(SHOWN as u64);
        if more > 0 {
            *text += &format!("  … and {more} more\n");
        }
    }
}
