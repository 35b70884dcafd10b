use dudley::Dudley;

#[derive(Dudley)]
struct State {
    #[dudley(name = "x", name = "y")]
    x: f64,
    #[dudley(unit = "cm")]
    #[dudley(unit = "mm")]
    y: f64,
    #[dudley(name = "y")]
    z: f64,
}

fn main() {
    let _ = State::LAYOUT;
}
