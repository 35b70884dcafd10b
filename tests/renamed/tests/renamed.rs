//! Does generated code find its crate by another name, and is its layout tracked?

use dudley_renamed::blast::{Layout, Params, Reader, Zone};
use engine::ndarray::array;
use engine::typed::Create;

#[test]
fn streams_are_written_and_read() {
    assert_eq!(dudley_renamed::address().expect("known"), 16);
    let writer = Create::new().memory::<Layout>(&Params { n: 2 }).expect("params");
    writer.rho().write(&array![1.0, 2.0]).expect("its shape");
    let zone = |id| Zone { id, mid: [0.5, 1.5] };
    writer.zones().write(&array![zone(1), zone(2)]).expect("its shape");
    let reader = Reader::from_source(writer.finish_bytes().expect("complete")).expect("a stream");
    assert_eq!(reader.zones().read().expect("there")[1], zone(2));
}

/// Cargo builds anew when a file changes that the compiler says was read.
#[test]
fn the_layout_is_among_the_files_that_were_read() {
    let test = std::env::current_exe().expect("this program");
    let folder = test.parent().expect("a folder");
    let files = std::fs::read_dir(folder).expect("a folder").flatten().map(|file| file.path());
    let libraries = files.filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("dudley_renamed-") && name.ends_with(".d")
    });
    let tracked = libraries.filter(|path| {
        let read = std::fs::read_to_string(path).unwrap_or_default();
        read.contains("blast.dud")
    });
    assert!(tracked.count() > 0);
}
