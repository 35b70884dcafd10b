//! Temporary
mod json;
mod npy;
mod rows;
mod supply;
mod zip;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    if a[1] == "pack" {
        let text = std::fs::read(&a[2]).unwrap();
        let l = dudley::parse_layout(&text).unwrap();
        let mut v = supply::Values::read(std::path::Path::new(&a[3])).unwrap();
        let mut w = dudley::WriteOptions::default();
        for p in &a[5..] {
            if p == ">" {
                w.order = dudley::ByteOrder::Big
            } else if p == "<" {
            } else if p == "raw" {
                w.raw = true
            } else {
                let (n, x) = p.split_once('=').unwrap();
                v.set_param(n.to_string(), x.parse::<i128>().unwrap());
            }
        }
        let mut out = Vec::new();
        match dudley::writer::write(&l, &w, &v, &mut out) {
            Ok(_) => std::fs::write(&a[4], out).unwrap(),
            Err(e) => {
                eprintln!("{e}");
                std::process::exit(1)
            }
        }
        return;
    }
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
