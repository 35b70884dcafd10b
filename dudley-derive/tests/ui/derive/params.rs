use dudley::Dudley;

#[derive(Dudley)]
struct State {
    imax: f64,
    #[dudley(shape = "imax")]
    x: Vec<f64>,
    #[dudley(param)]
    flag: bool,
    #[dudley(param, shape = "3")]
    three: usize,
}

fn main() {}
