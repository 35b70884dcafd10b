//! Families of many members.

use dudley::family::{Build, Family, MemberId, Within};
use dudley::parse_layout;

use crate::family::make::{Folder, LAYOUT, Member};

/// Members in a file.
const EACH: u32 = 10_000;
/// Files.
const FILES: u32 = 10;
/// From one member to the next, in bytes.
const STEP: u64 = 128;

#[test]
fn a_hundred_thousand_members_are_found() {
    let folder = Folder::new();
    let mut files = Vec::new();
    let pattern = Member::new(0, 3).raw().bytes();
    for file in 0..FILES {
        let mut bytes = vec![0; EACH as usize * STEP as usize];
        for at in 0..EACH {
            let member = &mut bytes[at as usize * STEP as usize..][..pattern.len()];
            let n = file * EACH + at;
            member.copy_from_slice(&pattern);
            member[..8].copy_from_slice(&f64::from(n).to_le_bytes());
            // `x` begins behind 24 bytes of the summary.
            member[24..26].copy_from_slice(&(n as u16).to_le_bytes());
        }
        files.push(folder.path(&format!("{file}.dat")));
        std::fs::write(&files[file as usize], bytes).expect("space");
    }
    let build = Build::new().layout(parse_layout(LAYOUT.as_bytes()).expect("a layout"));
    let build = build.within(Within::Every { first: 0, step: STEP });
    let report = build.create(folder.catalog(), &files, false).expect("a catalog");
    assert_eq!(report.members, u64::from(EACH * FILES));
    let family = Family::open(folder.catalog()).expect("a catalog");
    let some = family.select("time >= 99990 and I = 3").expect("members");
    assert_eq!(some, (99_990..100_000).map(MemberId).collect::<Vec<_>>());
    let odd = family.select("file like '[0-4].dat' or file = '7.dat' and time < 70003");
    assert_eq!(odd.expect("members"), [70_000, 70_001, 70_002].map(MemberId));
    let all = family.read("/x[0]", &family.ids()).expect("members").array::<i16>().expect("i2");
    assert!(all.iter().enumerate().all(|(n, x)| *x == n as u16 as i16));
    let place = family.locate("/x[1]", MemberId(12_345)).expect("a place");
    assert_eq!(place.spots[0].address, 2345 * STEP + 26);
    assert!(place.file.ends_with("1.dat"));
}

#[test]
fn what_is_no_file_of_members_is_not_read_to_its_end() {
    let folder = Folder::new();
    // Each of these would be a summary alone, cut off.
    std::fs::write(folder.path("0.dat"), vec![0x7f; 16 * 20_000]).expect("space");
    let mut good = Member::new(1, 3).raw().bytes();
    good.resize(16 * good.len().div_ceil(16), 0);
    std::fs::write(folder.path("1.dat"), &good).expect("space");
    let files = [folder.path("0.dat"), folder.path("1.dat")];
    let build = Build::new().layout(parse_layout(LAYOUT.as_bytes()).expect("a layout")).raw();
    let step = good.len() as u64;
    let ends = |step: u64| build.clone().within(Within::Every { first: 0, step });
    let error = ends(16).create(folder.catalog(), &files, false).expect_err("no members");
    assert!(error.to_string().contains("0.dat"), "{error}");
    let report = ends(16).skip_bad(true).create(folder.catalog(), &files, true);
    assert_eq!(report.map(|it| (it.members, it.failed.len())).expect("a catalog"), (0, 2));
    // One file of a few members that are bad, and one of too many.
    std::fs::write(folder.path("1.dat"), [&good[..], &vec![0x7f; good.len()]].concat())
        .expect("space");
    std::fs::write(folder.path("0.dat"), vec![0x7f; good.len() * 12_000]).expect("space");
    let report = ends(step).skip_bad(true).create(folder.catalog(), &files, true);
    let report = report.expect("a catalog");
    assert_eq!((report.members, report.failed.len(), report.partial.len()), (1, 1, 1));
}

#[test]
fn files_are_read_by_several_threads() {
    let folder = Folder::new();
    let members = (0..2000).map(|n| Member::new(n, 1 + n % 7));
    let files = folder.members(members);
    let told = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    let counted = told.clone();
    let build = Build::new().threads(4).progress(move |more| {
        counted.fetch_add(more, std::sync::atomic::Ordering::Relaxed);
    });
    build.create(folder.catalog(), &files, false).expect("a catalog");
    assert_eq!(told.load(std::sync::atomic::Ordering::Relaxed), 2000);
    let family = Family::open(folder.catalog()).expect("a catalog");
    let rho = family.read("/rho[0]", &family.ids()).expect("members").array::<f64>().expect("f8");
    for n in 0..2000 {
        assert_eq!(rho[[n as usize, 1]], Member::rho(n, 0, 1));
    }
}
