//! Checkpoints that are known to be whole.

use std::ffi::c_int;
use std::sync::{Arc, Mutex, PoisonError};

use dudley::checkpoint::{self, Checkpoints, Rotation};
use dudley::create::Checksum;

use crate::abi::{Out, Text, TextMut};
use crate::append::Appender;
use crate::error::{DUD_CLOSED, DUD_NOT_FOUND, Failure, run};
use crate::handle::Handle;

/// Opens a directory of checkpoints, which is made if it is not there, and locks it against other programs. The newest
/// `keep` are kept; one is due every `every` steps. Close it with `dud_checkpoints_close`.
#[unsafe(no_mangle)]
pub extern "C" fn dud_checkpoints_open(
    directory: Text,
    keep: usize,
    every: u64,
    checkpoints: Out<Handle<Checkpoints>>,
) -> c_int {
    run(|| checkpoints.give(|| Ok(Checkpoints::open(directory.get()?, Rotation { keep, every })?)))
}

/// Closes a directory of checkpoints. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn dud_checkpoints_close(checkpoints: Handle<Checkpoints>) -> c_int {
    run(|| checkpoints.close().map(drop))
}

/// Whether (1 or 0) a checkpoint belongs to a step.
#[unsafe(no_mangle)]
pub extern "C" fn dud_checkpoint_due(
    checkpoints: Handle<Checkpoints>,
    step: u64,
    due: Out<c_int>,
) -> c_int {
    run(|| due.set(c_int::from(checkpoints.get()?.is_due(step))))
}

/// Finds the newest checkpoint that is whole: its step, and its folder, as `dud_read_text` gives texts. The histories
/// that were noted with it are cut back to what they were; they must not be open. If there is none, the result is
/// `DUD_NOT_FOUND`.
#[unsafe(no_mangle)]
pub extern "C" fn dud_checkpoint_latest(
    checkpoints: Handle<Checkpoints>,
    step: Out<u64>,
    folder: TextMut,
    room: usize,
    length: Out<usize>,
) -> c_int {
    run(|| {
        step.check()?;
        let latest = checkpoints.get()?.latest()?.checkpoint;
        let none = || Failure::new(DUD_NOT_FOUND, "there is no checkpoint that is whole");
        let latest = latest.ok_or_else(none)?;
        step.set(latest.step())?;
        folder.set(&latest.folder().to_string_lossy(), room, &length)
    })
}

/// A checkpoint that is being written.
pub struct Draft(Mutex<Option<checkpoint::Draft<'static>>>);

impl Draft {
    fn with<T>(
        &self,
        act: impl FnOnce(&mut checkpoint::Draft<'static>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut draft = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let closed = || Failure::new(DUD_CLOSED, "the checkpoint is published already");
        act(draft.as_mut().ok_or_else(closed)?)
    }
}

/// Begins the checkpoint of a step. Write its files into the folder that `dud_draft_folder` gives, finish them, and call
/// `dud_draft_publish`.
#[unsafe(no_mangle)]
pub extern "C" fn dud_draft_begin(
    checkpoints: Handle<Checkpoints>,
    step: u64,
    draft: Out<Handle<Draft>>,
) -> c_int {
    run(|| {
        draft.give(|| {
            let begun = Arc::clone(&checkpoints.get()?).begin_owned(step)?;
            Ok(Draft(Mutex::new(Some(begun))))
        })
    })
}

/// The folder for the files of a checkpoint, as `dud_read_text` gives texts.
#[unsafe(no_mangle)]
pub extern "C" fn dud_draft_folder(
    draft: Handle<Draft>,
    folder: TextMut,
    room: usize,
    length: Out<usize>,
) -> c_int {
    run(|| {
        draft.get()?.with(|draft| {
            let path = draft.file("");
            let path = path.to_str().ok_or_else(|| Failure::bad("the folder is no UTF-8"))?;
            folder.set(path.trim_end_matches(std::path::is_separator), room, &length)
        })
    })
}

/// Commits a history, a file beside the checkpoints that grows, and notes how many records it has: `file` is its path
/// from the directory of the checkpoints, `path` the list or array in it. A restart cuts it back to that.
#[unsafe(no_mangle)]
pub extern "C" fn dud_draft_history(
    draft: Handle<Draft>,
    file: Text,
    appender: Handle<Appender>,
    path: Text,
) -> c_int {
    run(|| {
        let (file, path, appender) = (file.get()?, path.get()?, appender.get()?);
        draft.get()?.with(|draft| appender.with(|append| Ok(draft.history(file, append, path)?)))
    })
}

/// Notes the length and the CRC-32C of a complete file of the checkpoint, as `dud_finish_summed` gives them; `file` is its path in the
/// folder. `dud_draft_publish` reads a file once more whose checksum is not known (`known` is 0), or that has another length.
#[unsafe(no_mangle)]
pub extern "C" fn dud_draft_checksum(
    draft: Handle<Draft>,
    file: Text,
    known: c_int,
    bytes: u64,
    crc32c: u32,
) -> c_int {
    run(|| {
        let file = file.get()?;
        draft.get()?.with(|draft| {
            draft.checksum(file, (known != 0).then_some(Checksum { bytes, crc32c }));
            Ok(())
        })
    })
}

/// Makes the files durable and publishes the checkpoint in one step, removes old ones, and closes the draft. It is closed
/// even if that fails; nothing is published then, unless the text says that old ones could not be removed.
#[unsafe(no_mangle)]
pub extern "C" fn dud_draft_publish(draft: Handle<Draft>) -> c_int {
    run(|| {
        let gone = || Failure::new(DUD_CLOSED, "the handle is NULL");
        let closed = draft.close()?.ok_or_else(gone)?;
        let draft = closed.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let draft =
            draft.ok_or_else(|| Failure::new(DUD_CLOSED, "the checkpoint is published already"))?;
        Ok(draft.publish().map(drop)?)
    })
}

/// Closes a draft without publishing it: nothing of it is left. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn dud_draft_abandon(draft: Handle<Draft>) -> c_int {
    run(|| draft.close().map(drop))
}
