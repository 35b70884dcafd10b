use dudley::Dudley;
use dudley::ndarray::ArrayD;

#[derive(Dudley)]
struct State {
    unnamed: ArrayD<f64>,
    #[dudley(shape = "NY, NX")]
    named: ArrayD<f64>,
    maybe: Option<ArrayD<f64>>,
    list: Option<[Leaf; 2]>,
    #[dudley(shape = "HAS, N")]
    shaped: Option<Vec<Leaf>>,
}

#[derive(Dudley)]
struct Leaf {
    x: f64,
}

fn main() {}
