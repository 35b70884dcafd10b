use dudley::Dudley;
use dudley::ndarray::Array2;

#[derive(Dudley)]
#[dudley(layout = "restart.dud")]
struct Restart {
    #[dudley(name = "NCYCLE")]
    cycle: usize,
    time: f64,
    rho: Array2<f64>,
    title: [u8; 20],
    velocity: Option<Vec<f32>>,
    mesh: Mesh,
    points: Vec<Point>,
}

#[derive(Dudley)]
struct Mesh {
    x: Vec<f32>,
    #[dudley(name = "N")]
    n: i64,
    kind: u8,
}

#[derive(Dudley)]
#[dudley(record)]
struct Point {
    x: [f64; 2],
    id: u32,
}

fn main() {}
