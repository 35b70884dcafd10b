use dudley::Dudley;
use dudley::ndarray::Array2;

#[derive(Dudley)]
#[dudley(layout = "restart.dud")]
struct Restart {
    magic: u32,
    tiem: f64,
    #[dudley(name = "Rho")]
    rho: Array2<f64>,
    title: String,
    velocity: Option<Vec<f32>>,
    pressure: f64,
}

fn main() {
    let _ = Restart::LAYOUT;
}
