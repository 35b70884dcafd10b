//! Temporary
mod json;
mod rows;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let mut o = dudley::Open::new();
    let text = std::fs::read(&a[2]).unwrap();
    match dudley::parse_layout(&text) {
        Ok(l) => o = o.layout(l),
        Err(e) => {
            eprintln!("{e}");
            std::process::exit(1)
        }
    }
    for p in &a[4..] {
        if p == ">" {
            o = o.order(dudley::ByteOrder::Big)
        } else if p == "<" {
        } else if p == "raw" {
            o = o.raw()
        } else {
            let (n, v) = p.split_once('=').unwrap();
            o = o.param(n, v.parse::<i128>().unwrap());
        }
    }
    let s = o.file(&a[1]).unwrap();
    let opts = rows::RowOptions { values: true, exact: a[3] == "exact", all: true };
    match rows::write(&s, opts, &|_| true, &mut std::io::stdout()) {
        Ok(e) => {
            for (p, e) in e {
                eprintln!("{p}: {e}")
            }
        }
        Err(e) => eprintln!("{e}"),
    }
}
