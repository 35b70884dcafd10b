//! Elements and dimensions are those of the layout.

use dudley::ndarray::{Array1, Array2};

dudley::layout!(mod run = "x = f8[3, 2]  n = i4");

fn write(writer: &run::Writer) -> dudley::Result<()> {
    writer.x().write(&Array2::<f32>::zeros((3, 2)))?;
    writer.x().write(&Array1::<f64>::zeros(6))?;
    writer.n().write(1.5)
}

fn read(reader: &run::Reader) -> dudley::Result<Array1<f64>> {
    reader.x().read()
}

fn main() {}
