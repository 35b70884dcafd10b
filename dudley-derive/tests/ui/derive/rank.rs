use dudley::Dudley;

#[derive(Dudley)]
struct State {
    #[dudley(shape = "JMAX, IMAX")]
    rho: Vec<f64>,
    #[dudley(shape = "IMAX")]
    corners: Vec<[f64; 4]>,
    #[dudley(shape = "IMAX")]
    maybe: Option<Vec<f64>>,
    #[dudley(shape = "IMAX")]
    time: f64,
}

fn main() {}
