//! Changes an ASDF file: a value, an array, some elements; and says how that was written.

use asdf_bridge::asdf::{AsdfFile, Builder, NewArray, Padding, Update};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::temp_dir().join(format!("update-asdf-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let path = folder.join("run.asdf");
    Builder::new()
        .put("step", 100)
        .put("rho", NewArray::from(vec![1.0; 1000]))
        .padding(Padding::percent(50))
        .write_file(&path, false)?;

    let mut update = Update::open(&path)?;
    update.set("/step", 200)?;
    println!("a number: {:?}", update.commit()?);

    let mut update = Update::open(&path)?;
    update.set("/u", NewArray::from(vec![3.0_f32; 500]))?;
    println!("a new array: {:?}", update.commit()?);

    let mut update = Update::open(&path)?;
    update.write("/rho[::10]", &[2.0; 100])?;
    println!("some elements: {:?}", update.commit()?);

    let file = AsdfFile::open(&path)?;
    let sum = file.array("/rho")?.read::<f64>()?.sum();
    println!("sum {sum}, {}", if file.verify()?.is_clean() { "clean" } else { "damaged" });
    std::fs::remove_dir_all(folder)?;
    Ok(())
}
