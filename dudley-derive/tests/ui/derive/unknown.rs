use dudley::Dudley;

#[derive(Dudley)]
#[dudley(recrod, colour = "red")]
struct State {
    #[dudley(units = "cm")]
    x: f64,
    #[dudley(42)]
    y: f64,
    #[dudley]
    z: f64,
}

fn main() {
    let _ = State::LAYOUT;
}
