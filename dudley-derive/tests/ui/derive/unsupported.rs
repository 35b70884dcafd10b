use dudley::Dudley;

#[derive(Dudley)]
struct State {
    map: std::collections::HashMap<String, f64>,
    wide: u128,
    ragged: Vec<Vec<f64>>,
    boxed: Vec<Box<f64>>,
    seven: dudley::ndarray::Array<f64, dudley::ndarray::Dim<[usize; 7]>>,
    maybe: Vec<Option<String>>,
    pair: (u8, Vec<f64>),
    texts: dudley::ndarray::Array1<String>,
    other: Other,
}

struct Other {
    x: f64,
}

fn main() {}
