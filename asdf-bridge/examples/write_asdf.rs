//! Writes an ASDF file of a small simulation, with rows that are added while it runs, and reads it again.
//!
//! `cargo run -p asdf-bridge --example write_asdf -- run.asdf`; without a name, a file for a moment.

use asdf_bridge::asdf::{AsdfFile, Builder, Compression, Datatype, HistoryEntry, NewArray, Yaml};
use dudley::ndarray::{Array2, array};
use dudley::{ByteOrder, Primitive};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let path = match std::env::args_os().nth(1) {
        Some(path) => path.into(),
        None => folder.path().join("run.asdf"),
    };

    // What is known at the beginning: a field, compressed, a view of it, and where it is.
    let rho = Array2::from_shape_fn((64, 64), |(x, y)| (x * y) as f64 / 64.0);
    let rho = NewArray::from(rho).compressed(Compression::lz4());
    let diagonal = rho.view(0, &[64], &[65 * 8])?;
    let entry = HistoryEntry { description: "made up".to_owned(), ..HistoryEntry::default() };
    let row = Datatype::Number(Primitive::F8, ByteOrder::Little);
    let builder = Builder::new()
        .put("rho", Yaml::quantity(rho, "g / cm3"))
        .put("diagonal", diagonal)
        .put("steps", NewArray::streamed(row, &[2]))
        .history(entry);

    // What comes later: time and energy of each step.
    let mut rows = builder.begin_file(&path, true)?;
    for step in 0..100 {
        let time = f64::from(step) * 0.01;
        rows.write(&array![[time, 1.0 - time * time]])?;
    }
    rows.commit()?;

    let file = AsdfFile::open(&path)?;
    let steps = file.array("/steps")?;
    println!("{:?} steps, the last {}", steps.shape(), steps.slice("-1")?.read::<f64>()?);
    println!("{} on the diagonal", file.array("/diagonal")?.read::<f64>()?.sum());
    Ok(())
}
