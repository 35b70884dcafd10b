//! netCDF classic files, by scipy and by the reference library, through one layout.

use super::{How, Written, changed, expect_not_constant, expect_truncated};
use dudley_tests::command;
use serde_json::json;

const PEERS: [&str; 2] = ["scipy.nc", "netcdf4.nc"];

fn how() -> How {
    How::layout("netcdf3.dud")
}

#[test]
fn variables_are_read_by_the_header_of_their_file() {
    let Some(written) = Written::by("netcdf3.py") else { return };
    for peer in PEERS {
        let file = written.path(peer);
        for name in ["lon", "lat", "time", "temperature"] {
            how().expect(&file, &format!("/{name}"), &written.values[name]);
        }
        how().expect(&file, "/title", &json!("A field in time"));
        how().expect(&file, "/:RECORDS", &json!(4));
        if command::dudc().is_some() {
            let slice = &written.values["temperature"][2][1];
            assert_eq!(how().get(&file, "/temperature[2, 1]"), *slice);
        }
        let stream = how().open(&file).expect("the stream");
        let field = stream.get("/temperature").and_then(|item| item.data()).expect("the field");
        // 8 bytes of time, 30 of the field, 2 to the next multiple of 4.
        assert_eq!((field.strides(), field.shape()), (&[40, 10, 2][..], &[4, 3, 5][..]));
        let length = std::fs::metadata(&file).expect("the file").len();
        assert_eq!(stream.data_end().expect("an end"), length);
        // What lies between the records is 0 then; there, it is a value of the library.
        let mut was = std::fs::read(&file).expect("the file");
        let first = field.begin() as usize;
        (first + 30..was.len()).step_by(40).for_each(|at| was[at..at + 2].fill(0));
        how().write_back(&file, &mut |is| assert!(is == was, "{peer}"));
    }
}

#[test]
fn what_is_no_such_file_is_refused() {
    let Some(written) = Written::by("netcdf3.py") else { return };
    for peer in PEERS {
        let file = written.path(peer);
        expect_not_constant(&how(), &file, 0, "/header/magic");
        expect_truncated(&how(), &file, 3, "/temperature");
        // The times lie before the last field.
        let cut = changed(&file, |bytes| bytes.truncate(bytes.len() - 3));
        assert_eq!(how().read(&cut, "/time").ok(), Some(written.values["time"].clone()));
        // Cut within the header: what tells the lengths is missing.
        let cut = changed(&file, |bytes| bytes.truncate(40));
        assert!(how().read(&cut, "/temperature").is_err());
        // A file of the 64-bit variant, whose addresses are wider.
        let wide = changed(&file, |bytes| bytes[3] = 2);
        let error = how().read(&wide, "/header/version").expect_err("another version");
        assert!(matches!(error.cause(), dudley::Error::Const { .. }), "{error}");
        // Another name of a dimension.
        let named = changed(&file, |bytes| {
            let at = bytes.windows(4).position(|it| it == b"time").expect("a name");
            bytes[at] = b'T';
        });
        let error = how().read(&named, "/header/time").expect_err("another dimension");
        assert!(matches!(error.cause(), dudley::Error::Const { .. }), "{error}");
    }
}
