//! Writes an array of Blosc2, changes part of it in place, and reads a slice.

use asdf_bridge::blosc2::{ArrayEditor, Codec, Encoding, Filter, Frame, NewArray};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("rho.b2nd");

    let encoding = Encoding::new(8).codec(Codec::Lz4).filters(&[Filter::BitShuffle]);
    let new = NewArray::of::<f64>(&[300, 200])?.encoding(encoding).vlmeta("unit", b"\xa4g/cc");
    let mut writer = new.file(&path, false)?;
    for row in 0..300 {
        writer.write_elements(&[f64::from(row); 200])?;
    }
    writer.finish()?;

    let mut editor = ArrayEditor::open(&path)?;
    editor.set("10:20, ::2", &[0.5; 1000])?;
    editor.append(0, &[1.5; 200])?;
    editor.commit()?;

    let rho = Frame::open(&path)?.array()?.ok_or("an array")?;
    println!("{:?} of {}: {:?}", rho.shape(), rho.dtype(), rho.slice::<f64>("18:22, :2")?);
    Ok(())
}
