use dudley::Dudley;

#[derive(Dudley)]
struct State {
    x: f64,
    #[dudley(skip, default, unit = "cm", name = "why")]
    y: f64,
}

fn main() {
    let _ = State::LAYOUT;
}
