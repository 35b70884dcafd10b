//! Members of families, with values that follow from their numbers.

use std::path::{Path, PathBuf};

use dudley::family::{Build, Family};
use dudley::{ByteOrder, Writer, parse_layout};

/// A summary, an array whose place depends on it, and one behind that.
pub(crate) const LAYOUT: &str = "\
{
  time : f8  ## (s) time
  I : i4  ## zones
  box = f4[2]
  tag = S1[4]
}
x = i2[I]
rho = f8[I, 2]  ## (g/cc) density
last = u1
";

/// A member with number `n`: `i` zones, everything else by formula.
pub(crate) struct Member {
    pub(crate) n: u32,
    pub(crate) i: u32,
    pub(crate) order: ByteOrder,
    pub(crate) raw: bool,
    pub(crate) attach: bool,
    pub(crate) layout: &'static str,
}

impl Member {
    pub(crate) fn new(n: u32, i: u32) -> Member {
        let order = ByteOrder::Little;
        Member { n, i, order, raw: false, attach: true, layout: LAYOUT }
    }

    pub(crate) fn big(self) -> Member {
        Member { order: ByteOrder::Big, ..self }
    }

    pub(crate) fn raw(self) -> Member {
        Member { raw: true, attach: false, ..self }
    }

    pub(crate) fn bare(self) -> Member {
        Member { attach: false, ..self }
    }

    pub(crate) fn layout(self, layout: &'static str) -> Member {
        Member { layout, ..self }
    }

    pub(crate) fn time(n: u32) -> f64 {
        f64::from(n) / 4.0
    }

    /// The density of a zone.
    pub(crate) fn rho(n: u32, zone: u32, part: u32) -> f64 {
        f64::from(n * 1000 + zone * 2 + part)
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let layout = parse_layout(self.layout.as_bytes()).expect("a layout");
        let x: Vec<i16> = (0..self.i).map(|at| (self.n + at) as i16).collect();
        let rho: Vec<f64> = (0..self.i * 2).map(|at| Member::rho(self.n, at / 2, at % 2)).collect();
        let rho = dudley::ndarray::ArrayD::from_shape_vec(vec![self.i as usize, 2], rho);
        let rho = rho.expect("its shape");
        let corners = [self.n as f32, 0.5];
        let mut writer = Writer::new(layout)
            .order(self.order)
            .attach(self.attach)
            .param("/I", self.i)
            .put("/time", Member::time(self.n))
            .put("/box", &corners[..])
            .put("/tag", format!("t{}", self.n % 10))
            .put("/x", &x[..])
            .put("/rho", &rho)
            .put("/last", (self.n % 256) as u8);
        if self.raw {
            writer = writer.raw();
        }
        writer.to_bytes().expect("a stream")
    }

    pub(crate) fn write(&self, path: &Path) {
        std::fs::write(path, self.bytes()).expect("space");
    }
}

/// A folder with members.
pub(crate) struct Folder {
    folder: tempfile::TempDir,
}

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder { folder: tempfile::tempdir().expect("a folder") }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn catalog(&self) -> PathBuf {
        self.path("runs.bd")
    }

    /// Writes members `0.bd`, `1.bd` and so on; their paths.
    pub(crate) fn members(&self, members: impl IntoIterator<Item = Member>) -> Vec<PathBuf> {
        let write = |(at, member): (usize, Member)| {
            let path = self.path(&format!("{at}.bd"));
            member.write(&path);
            path
        };
        members.into_iter().enumerate().map(write).collect()
    }

    /// A family of members, one a file.
    pub(crate) fn family(&self, members: impl IntoIterator<Item = Member>) -> Family {
        let files = self.members(members);
        Build::new().create(self.catalog(), &files, false).expect("a catalog");
        Family::open(self.catalog()).expect("a catalog")
    }
}
