use dudley::Dudley;

#[derive(Dudley)]
struct State {
    #[dudley(shape = "THERE, N")]
    x: Option<Vec<f64>>,
    #[dudley(shape = "THERE")]
    y: Vec<f64>,
    #[dudley(shape = "THERE+, N")]
    z: Option<Vec<f64>>,
}

fn main() {
    let _ = State::LAYOUT;
}
