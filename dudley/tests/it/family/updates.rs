//! A catalog brought up to date: only what changed is read, and readers of the old one go on.

use dudley::family::{Build, Family, MemberId};

use crate::family::make::{Folder, Member};

const NONE: &[&str] = &[];

#[test]
fn only_what_changed_is_read_again() {
    let folder = Folder::new();
    let family = folder.family((0..4).map(|n| Member::new(n, 3)));
    let catalog = folder.catalog();
    let before = std::fs::read(&catalog).expect("there");
    let report = Build::new().update(&catalog, NONE).expect("a catalog");
    assert_eq!((report.files, report.added, report.changed, report.written), (4, 0, 0, false));
    assert_eq!(std::fs::read(&catalog).expect("there"), before);
    // One changes, one is new, one cannot be read but did not change by size and time.
    Member::new(8, 5).write(&folder.path("1.bd"));
    Member::new(9, 6).write(&folder.path("new.bd"));
    let kept = folder.path("2.bd");
    let time = std::fs::metadata(&kept).and_then(|it| it.modified()).expect("a time");
    let length = std::fs::metadata(&kept).expect("there").len();
    std::fs::write(&kept, vec![0; length as usize]).expect("space");
    let file = std::fs::File::options().write(true).open(&kept).expect("there");
    file.set_modified(time).expect("ours");
    let files = [folder.path("new.bd"), folder.path("0.bd"), folder.path("./new.bd")];
    let report = Build::new().update(&catalog, &files).expect("a catalog");
    assert_eq!((report.files, report.added, report.changed), (5, 1, 1));
    let new = Family::open(&catalog).expect("a catalog");
    assert_eq!(new.select("I = 5 or I = 6").expect("members"), [MemberId(1), MemberId(4)]);
    assert_eq!(new.select("time = 0.5").expect("members"), [MemberId(2)], "it was not read again");
    // Who has the old one open still sees that.
    assert_eq!(family.len(), 4);
    assert_eq!(family.select("I = 3").expect("members").len(), 4);
}

#[test]
fn files_that_are_gone_are_dropped_or_kept() {
    let folder = Folder::new();
    folder.family((0..4).map(|n| Member::new(n, 3)));
    let catalog = folder.catalog();
    std::fs::remove_file(folder.path("2.bd")).expect("there");
    let keep = Build::new().keep_missing(true);
    let report = keep.update(&catalog, NONE).expect("a catalog");
    assert!(report.gone[0].ends_with("2.bd") && report.gone.len() == 1 && report.written);
    let family = Family::open(&catalog).expect("a catalog");
    assert_eq!(family.len(), 4);
    assert_eq!(family.select("missing").expect("members"), [MemberId(2)]);
    assert!(family.member(MemberId(2)).expect("a member").is_missing());
    assert!(!keep.update(&catalog, NONE).expect("a catalog").written, "nothing is new");
    // It comes back.
    Member::new(2, 3).write(&folder.path("2.bd"));
    keep.update(&catalog, NONE).expect("a catalog");
    let family = Family::open(&catalog).expect("a catalog");
    assert_eq!(family.select("missing").expect("members"), []);
    std::fs::remove_file(folder.path("0.bd")).expect("there");
    let report = Build::new().update(&catalog, NONE).expect("a catalog");
    assert_eq!((report.members, report.gone.len()), (3, 1));
    let family = Family::open(&catalog).expect("a catalog");
    assert_eq!(family.select("time = 0").expect("members"), []);
}

#[test]
fn a_bad_file_leaves_the_catalog_as_it_was() {
    let folder = Folder::new();
    folder.family((0..3).map(|n| Member::new(n, 3)));
    let catalog = folder.catalog();
    let before = std::fs::read(&catalog).expect("there");
    std::fs::write(folder.path("1.bd"), b"short").expect("space");
    let error = Build::new().update(&catalog, NONE).expect_err("cut off").to_string();
    assert!(error.contains("1.bd"), "{error}");
    assert_eq!(std::fs::read(&catalog).expect("there"), before);
    let report = Build::new().skip_bad(true).update(&catalog, NONE).expect("a catalog");
    assert_eq!((report.members, report.failed.len()), (2, 1));
}

#[test]
fn a_catalog_and_its_files_move_together() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("a")).expect("space");
    std::fs::create_dir(folder.path("a/in")).expect("space");
    Member::new(0, 3).write(&folder.path("a/in/x.bd"));
    Member::new(1, 3).write(&folder.path("y.bd"));
    let files = [folder.path("a/in/x.bd"), folder.path("a/../y.bd")];
    Build::new().create(folder.path("a/runs.bd"), &files, false).expect("a catalog");
    std::fs::rename(folder.path("a"), folder.path("b")).expect("ours");
    let family = Family::open(folder.path("b/runs.bd")).expect("a catalog");
    let last = family.read("/last", &family.ids()).expect("members").array::<u8>();
    assert_eq!(last.expect("u1").as_slice(), Some(&[0, 1][..]));
    assert_eq!(
        family.member(MemberId(0)).and_then(|it| it.file_name()).ok().as_deref(),
        Some("in/x.bd")
    );
}
