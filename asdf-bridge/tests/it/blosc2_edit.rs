//! Is a frame that is changed in place always the one before or the one after, whatever happens?

use std::io;
use std::sync::{Arc, Mutex};

use asdf_bridge::blosc2::{
    ArrayEditor, Codec, Encoding, Frame, FrameEditor, NewArray, NewFrame, Result,
};
use dudley::append::Storage;

/// A disk that ends the process at a call, and then may have lost any of what was not made durable.
#[derive(Default)]
struct Disk(Mutex<State>);

#[derive(Default)]
struct State {
    now: Vec<u8>,
    durable: Vec<u8>,
    pending: Vec<Pending>,
    calls: usize,
    stop: Option<usize>,
}

#[derive(Clone)]
enum Pending {
    Write(u64, Vec<u8>),
    Length(u64),
}

impl Pending {
    fn apply(&self, bytes: &mut Vec<u8>) {
        match self {
            Pending::Write(at, written) => {
                let (at, end) = (*at as usize, *at as usize + written.len());
                if bytes.len() < end {
                    bytes.resize(end, 0);
                }
                bytes[at..end].copy_from_slice(written);
            }
            Pending::Length(len) => bytes.resize(*len as usize, 0),
        }
    }

    /// In the parts that a disk writes as a whole.
    fn words(&self) -> Vec<Pending> {
        match self {
            Pending::Length(_) => vec![self.clone()],
            Pending::Write(at, bytes) => {
                let first = (8 - at % 8) as usize % 8;
                let (head, rest) = bytes.split_at(first.min(bytes.len()));
                let rest = rest.chunks(8).enumerate();
                let rest = rest.map(|(i, word)| (at + (first + 8 * i) as u64, word));
                let parts = std::iter::once((*at, head)).chain(rest);
                parts.map(|(at, word)| Pending::Write(at, word.to_vec())).collect()
            }
        }
    }
}

impl Disk {
    fn of(bytes: &[u8], stop: Option<usize>) -> Arc<Disk> {
        let (now, durable) = (bytes.to_vec(), bytes.to_vec());
        Arc::new(Disk(Mutex::new(State { now, durable, stop, ..State::default() })))
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().expect("nobody panics")
    }

    fn call(state: &mut State) -> io::Result<()> {
        state.calls += 1;
        match state.stop {
            Some(stop) if state.calls > stop => Err(io::Error::other("the process ends")),
            _ => Ok(()),
        }
    }
}

impl Storage for Disk {
    fn len(&self) -> io::Result<u64> {
        Ok(self.state().now.len() as u64)
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> io::Result<usize> {
        let state = self.state();
        let there = state.now.get(address as usize..).unwrap_or_default();
        let len = there.len().min(buf.len());
        buf[..len].copy_from_slice(&there[..len]);
        Ok(len)
    }

    fn write_at(&self, address: u64, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.state();
        Disk::call(&mut state)?;
        // Never all of a longer write at once.
        let count = if bytes.len() > 20 { bytes.len() * 2 / 3 } else { bytes.len() };
        let write = Pending::Write(address, bytes[..count].to_vec());
        write.apply(&mut state.now);
        state.pending.push(write);
        Ok(count)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut state = self.state();
        Disk::call(&mut state)?;
        state.now.resize(len as usize, 0);
        state.pending.push(Pending::Length(len));
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        let mut state = self.state();
        Disk::call(&mut state)?;
        state.durable = state.now.clone();
        state.pending.clear();
        Ok(())
    }
}

fn frame() -> Vec<u8> {
    let encoding = Encoding::new(4).codec(Codec::Lz4).threads(1);
    let new =
        NewFrame::new(encoding).chunksize(400).vlmeta("note", b"\xa2hi").meta("unit", b"\xa1K");
    let mut writer = new.memory().expect("begun");
    writer.write(&ramp(0, 450)).expect("written");
    writer.finish_bytes().expect("complete")
}

fn ramp(first: u32, count: u32) -> Vec<u8> {
    (first..first + count).flat_map(|i| (i * i).to_le_bytes()).collect()
}

/// Changes all that can be changed, and makes it seen.
fn change(disk: Arc<Disk>) -> Result<()> {
    let mut editor = FrameEditor::of_storage(disk, "a disk")?;
    editor.append(&ramp(7, 170))?;
    editor.update(1, &ramp(99, 100))?;
    editor.set_vlmeta("note", b"\xa3you")?;
    editor.set_meta("unit", b"\xa1m")?;
    editor.commit()?;
    Ok(())
}

fn read(bytes: Vec<u8>) -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    // As a file, whose end may say what is to be completed.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.b2frame");
    std::fs::write(&path, bytes).expect("written");
    let frame = Frame::open(&path).expect("it opens");
    let note = frame.vlmeta("note").expect("there");
    (frame.read().expect("decoded"), note, frame.meta("unit").expect("there"))
}

/// An array of chunks of 400 bytes.
fn array() -> Vec<u8> {
    let new = NewArray::of::<i32>(&[20, 10]).expect("known").chunks(&[10, 10]).blocks(&[5, 10]);
    let new = new.encoding(Encoding::new(4).codec(Codec::Lz4).threads(1));
    let mut writer = new.vlmeta("note", b"\xa2hi").meta("unit", b"\xa1K").memory().expect("begun");
    writer.write(&ramp(0, 200)).expect("written");
    writer.finish_bytes().expect("complete")
}

/// Takes all its data away.
fn empty(disk: Arc<Disk>, note: &[u8]) -> Result<()> {
    let mut editor = ArrayEditor::of_storage(disk, "a disk")?;
    editor.append(0, &(0..10).map(|i| i * i).collect::<Vec<i32>>())?;
    editor.resize(&[0, 10])?;
    editor.frame().set_vlmeta("note", note)?;
    editor.frame().set_meta("unit", b"\xa1m")?;
    editor.commit()
}

/// A frame without data.
fn nothing() -> Vec<u8> {
    let disk = Disk::of(&array(), None);
    empty(disk.clone(), b"\xa3you").expect("changed");
    disk.state().now.clone()
}

#[test]
fn the_frame_is_the_one_before_or_the_one_after() {
    let before = frame();
    let changed = [ramp(0, 100), ramp(99, 100), ramp(200, 250), ramp(7, 170)].concat();
    let after = (changed, b"\xa3you".to_vec(), b"\xa1m".to_vec());
    before_or_after(&before, &after, change);
}

#[test]
fn a_frame_of_which_all_data_is_taken_is_the_one_before_or_the_one_after() {
    // Notes that make the trailer longer than the frame was are written too.
    for (before, most) in [(array(), 10), (nothing(), 300), (nothing(), 1)] {
        let note = ramp(0, most);
        let after = (Vec::new(), note.clone(), b"\xa1m".to_vec());
        before_or_after(&before, &after, |disk| empty(disk, &note));
    }
}

#[test]
fn where_no_data_is_left_the_trailer_follows_the_header() {
    // There c-blosc2 looks for it.
    let follows = |bytes: &[u8]| {
        let header = u32::from_be_bytes(bytes[11..15].try_into().expect("4"));
        let trailer = u32::from_be_bytes(bytes[bytes.len() - 22..][..4].try_into().expect("4"));
        assert_eq!(u64::from(header + trailer), bytes.len() as u64);
        assert_eq!(bytes[16..24], (bytes.len() as u64).to_be_bytes());
    };
    let disk = Disk::of(&nothing(), None);
    follows(&disk.state().now);
    let mut editor = ArrayEditor::of_storage(disk.clone(), "a disk").expect("an array");
    for note in [&[7; 3000][..], &[]] {
        editor.frame().set_vlmeta("note", note).expect("set");
        editor.commit().expect("committed");
        follows(&disk.state().now);
    }
    editor.append(0, &[5_i32; 30]).expect("appended");
    editor.commit().expect("committed");
    let frame = Frame::from_source(disk.state().now.clone()).expect("a frame");
    let array = frame.array().expect("right").expect("an array");
    assert_eq!(array.read::<i32>().expect("decoded").as_slice(), Some(&[5; 30][..]));
}

/// Whether a frame is one of two, wherever what makes the second of the first ends.
fn before_or_after(
    before: &[u8],
    after: &(Vec<u8>, Vec<u8>, Vec<u8>),
    change: impl Fn(Arc<Disk>) -> Result<()>,
) {
    let whole = Disk::of(before, None);
    change(whole.clone()).expect("changed");
    let calls = whole.state().calls;
    assert_eq!(read(whole.state().now.clone()), *after);
    let before_read = read(before.to_vec());
    let (mut old, mut new) = (0, 0);
    let mut random = 1_u64;
    for stop in 0..=calls {
        let disk = Disk::of(before, Some(stop));
        let _ = change(disk.clone());
        let (now, durable, pending) = {
            let state = disk.state();
            (state.now.clone(), state.durable.clone(), state.pending.clone())
        };
        let mut left = vec![now, durable.clone()];
        for _ in 0..15 {
            // Any of the words that were not made durable are there, in any order.
            let mut bytes = durable.clone();
            for word in pending.iter().flat_map(Pending::words) {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                if random >> 63 == 0 {
                    word.apply(&mut bytes);
                }
            }
            left.push(bytes);
        }
        for bytes in left {
            let found = read(bytes.clone());
            if found == before_read {
                old += 1
            } else {
                assert!(found == *after, "stopped at {stop} of {calls}");
                new += 1;
            }
            // Who changes it next completes it first.
            let again = Disk::of(&bytes, None);
            let mut editor = FrameEditor::of_storage(again.clone(), "a disk").expect("it opens");
            editor.append(&[1; 4]).expect("appended");
            editor.commit().expect("committed");
            let twice = read(again.state().now.clone());
            assert_eq!(twice.0[..found.0.len()], found.0[..]);
            assert_eq!(twice.0[found.0.len()..], [1; 4]);
        }
    }
    assert!(old > 100 && new > 100, "{old} {new}");
}

#[test]
fn holes_are_filled() {
    let disk = Disk::of(&frame(), None);
    let mut editor = FrameEditor::of_storage(disk.clone(), "a disk").expect("its own");
    let mut lengths = Vec::new();
    for round in 0..40 {
        editor.update(round % 4, &ramp(round as u32, 100)).expect("updated");
        editor.commit().expect("committed");
        lengths.push(disk.state().now.len());
    }
    // Each change writes about as much as it leaves.
    assert!(lengths[39] < lengths[0] * 4, "{lengths:?}");
}

/// Bytes that no codec makes smaller.
fn noise(len: usize, mut random: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    while bytes.len() < len {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        bytes.push((random >> 24) as u8);
    }
    bytes
}

/// A frame of three chunks, the first two of which the index has at one address.
fn shared(path: &std::path::Path) -> Vec<u8> {
    let bytes = noise(3000, 1);
    let mut writer =
        NewFrame::new(Encoding::new(1)).chunksize(1000).file(path, false).expect("begun");
    writer.write(&bytes).expect("written");
    writer.finish().expect("complete");
    let index = Frame::open(path).expect("a frame").index_range();
    let mut stored = std::fs::read(path).expect("a file");
    // The offsets are too few to be compressed: they follow the header of their chunk.
    let first = index.start as usize + 32;
    stored.copy_within(first..first + 8, first + 8);
    std::fs::write(path, stored).expect("written");
    [&bytes[..1000], &bytes[..1000], &bytes[2000..]].concat()
}

#[test]
fn a_chunk_that_two_entries_have_stays_for_the_other() {
    for which in [0, 1] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.b2frame");
        let mut bytes = shared(&path);
        let mut editor = FrameEditor::open(&path).expect("open");
        let new = noise(1000, 2);
        editor.update(which, &new).expect("updated");
        bytes[which as usize * 1000..][..1000].copy_from_slice(&new);
        editor.commit().expect("committed");
        assert!(Frame::open(&path).expect("a frame").read().expect("decoded") == bytes, "{which}");
        // What is written next goes to holes, of which the chunk is none.
        for seed in 3..6 {
            let new = noise(1000, seed);
            editor.update(2, &new).expect("updated");
            bytes[2000..].copy_from_slice(&new);
            editor.commit().expect("committed");
            let frame = Frame::open(&path).expect("a frame");
            assert!(frame.read().expect("decoded") == bytes, "{which}, {seed}");
        }
    }
}
