//! What becomes of files and folders whose temporary names somebody else takes while they are written?
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use dudley::bytes::{AtomicFile, AtomicFiles, AtomicFolder};

const PRECIOUS: &str = "precious";

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").permissions().mode() & 0o7777
}

/// A folder that anybody may write to, beside one with a file that nobody else may read.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let place = Place { folder: tempfile::tempdir().expect("a folder") };
        fs::create_dir(place.theirs()).expect("space");
        fs::create_dir(place.path("open")).expect("space");
        fs::write(place.victim(), PRECIOUS).expect("space");
        fs::set_permissions(place.victim(), fs::Permissions::from_mode(0o600)).expect("ours");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn theirs(&self) -> PathBuf {
        self.path("theirs")
    }

    fn victim(&self) -> PathBuf {
        self.path("theirs/a.txt")
    }

    /// Nothing happened to the folder that nobody else may write to.
    fn is_as_it_was(&self) {
        assert_eq!(fs::read_to_string(self.victim()).expect("it is there"), PRECIOUS);
        assert_eq!(mode(&self.victim()), 0o600);
        assert_eq!(fs::read_dir(self.theirs()).expect("a folder").count(), 1);
    }
}

/// Puts in place of a temporary folder what leads elsewhere, in each way.
fn swapped(place: &Place, temporary: &Path, way: u32) {
    fs::rename(temporary, place.path("open/moved")).expect("it is a name");
    match way {
        0 => symlink(place.theirs(), temporary).expect("a link"),
        1 => {
            fs::create_dir(temporary).expect("space");
            symlink(place.theirs(), temporary.join("new")).expect("a link");
        }
        _ => {
            fs::create_dir_all(temporary.join("new")).expect("space");
            symlink(place.victim(), temporary.join("new/a.txt")).expect("a link");
        }
    }
}

/// Where the system has paths of what is held, it is that which gets the name.
#[test]
fn a_folder_is_the_one_that_was_written() {
    for way in 0..3 {
        let place = Place::new();
        let target = place.path("open/a");
        let folder = AtomicFolder::create(&target).expect("space");
        fs::write(folder.path().join("a.txt"), "new").expect("space");
        swapped(&place, &place.path("open/.a.0.tmp"), way);
        let committed = folder.commit();
        if cfg!(target_os = "linux") {
            committed.expect("it is held");
            assert!(fs::symlink_metadata(&target).expect("it is there").is_dir());
            assert_eq!(fs::read(target.join("a.txt")).expect("it is there"), b"new");
        }
        place.is_as_it_was();
    }
}

#[test]
fn files_that_belong_together_are_those_that_were_written() {
    for way in 0..3 {
        let place = Place::new();
        let target = place.path("open/a.txt");
        fs::write(&target, "old").expect("space");
        fs::set_permissions(&target, fs::Permissions::from_mode(0o666)).expect("ours");
        let files = AtomicFiles::create(&target, true).expect("space");
        fs::write(files.path().join("a.txt"), "new").expect("space");
        swapped(&place, &place.path("open/.a.txt.0.tmp"), way);
        let committed = files.commit(&["a.txt"]);
        if cfg!(target_os = "linux") {
            committed.expect("they are held");
            assert!(fs::symlink_metadata(&target).expect("it is there").is_file());
            assert_eq!(fs::read(&target).expect("it is there"), b"new");
            assert_eq!(mode(&target), 0o666);
            place.is_as_it_was();
        }
    }
}

#[test]
fn a_file_whose_temporary_name_was_taken_is_refused() {
    for overwrite in [false, true] {
        for way in ["link", "link to nothing", "file", "folder", "nothing"] {
            let place = Place::new();
            let (target, temporary) = (place.path("open/a.txt"), place.path("open/.a.txt.0.tmp"));
            if overwrite {
                fs::write(&target, "old").expect("space");
            }
            let mut file = AtomicFile::create(&target, overwrite).expect("space");
            file.write_at(0, b"new").expect("space");
            fs::remove_file(&temporary).expect("it is a name");
            match way {
                "link" => symlink(place.victim(), &temporary).expect("a link"),
                "link to nothing" => symlink("nowhere", &temporary).expect("a link"),
                "file" => fs::write(&temporary, "other").expect("space"),
                "folder" => fs::create_dir(&temporary).expect("space"),
                _ => {}
            }
            let error = file.commit().expect_err("it is another one").to_string();
            assert!(error.contains("somebody else writes to this folder"), "{error}");
            assert_eq!(fs::read(&target).ok().as_deref(), overwrite.then_some(&b"old"[..]));
            place.is_as_it_was();
        }
    }
}

/// A file that anybody may run as its owner would be run with new contents, which may be by anybody.
#[test]
fn what_a_program_runs_as_is_not_handed_on() {
    let place = Place::new();
    let target = place.path("open/a.txt");
    for (before, after) in [(0o4755, 0o755), (0o2750, 0o750), (0o640, 0o640)] {
        fs::write(&target, "old").expect("space");
        fs::set_permissions(&target, fs::Permissions::from_mode(before)).expect("ours");
        AtomicFile::create(&target, true).and_then(AtomicFile::commit).expect("space");
        assert_eq!(mode(&target), after);
    }
}
