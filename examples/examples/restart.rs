//! A restart dump: written from arrays, read back, one slice of it.

use dudley::ndarray::Array2;
use dudley::{Stream, Writer, parse_layout};

const LAYOUT: &str = "
{ IMAX := i8  JMAX := i8  time = f8 }  ## (ns)
rho = f8[JMAX-, IMAX-]                 ## (g/cc) mass density
";

fn main() -> dudley::Result<()> {
    let folder = tempfile::tempdir().map_err(|e| dudley::Error::io("cannot make a folder", e))?;
    let path = folder.path().join("restart.bd");

    let rho = Array2::from_shape_fn((3, 4), |(j, i)| (10 * j + i) as f64);
    Writer::new(parse_layout(LAYOUT.as_bytes())?)
        .param("/IMAX", 5)
        .param("/JMAX", 4)
        .put("/time", 1.25)
        .put("/rho", &rho)
        .attach(true)
        .write_file(&path, false)?;

    // The layout came with the stream, so nothing else is needed to read it.
    let stream = Stream::open(&path)?;
    let item = stream.get("/rho")?;
    println!("{} {:?} in {}", item.path(), item.shape()?, item.unit().unwrap_or("1"));
    assert_eq!(item.read::<f64>()?, rho.into_dyn());

    let column = dudley::read::select::select(&stream, "/rho[:, 1]")?.value()?;
    println!("one column: {column:?}");
    Ok(())
}
