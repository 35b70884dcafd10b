use dudley::Dudley;

#[derive(Dudley)]
struct State {
    x: Vec<f64>,
    #[dudley(shape = "n_x+")]
    y: Vec<f64>,
    n1_rho: usize,
    #[dudley(shape = "n1_rho")]
    z: Vec<f64>,
    rho: Vec<f64>,
}

fn main() {
    let _ = State::LAYOUT;
}
