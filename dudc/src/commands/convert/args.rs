//! The arguments of `dudc convert`: its options, and the kind of output that its name requests.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::convert::frames::{self, Checksums};
use crate::failure::{Failure, Result};
use crate::fill::Fill;
use crate::names::{is_stdin, name_of};
use crate::options::{ForceArgs, JobArgs, NoIndexArgs, Order};
use crate::stream_args::parse_number;

/// Converts between streams, ASDF and FINF files, Blosc2 frames, arrays of numpy and more, and
/// rewrites them
///
///
/// IN is recognised by its content. OUT is chosen by its name: .npz, .npy, .bd, .asdf, .finf, .b2nd
/// (one array), .b2frame (its bytes, without a shape), .fits, .nc (netCDF-3), .h5, .hdf5 or .nc4
/// (HDF5); a name without an ending is a folder of .npy files; --to overrides the name.
///
/// In archives and folders of numpy, items are files `a/b/x.npy`, params `:N.npy` (fixed ones as
/// i8, and only if they were given), items of lists `l/0.npy`. A character that no file name can
/// have is written as its code (`a/b` is `a%2Fb`), and read back. Text is numpy's U, in structs S
/// or U by its units; the attribute `numpy` keeps types that a layout lacks, such as times: `#:
/// numpy = "M8[ns]"`.
///
/// From arrays to a stream, a layout is made and attached; with --layout they are written through that one,
/// and missing params are the lengths of arrays. Quantities of ASDF files become items with a unit, and
/// the other way round; data called `history` or `asdf_library` is written as `history_` and
/// `asdf_library_`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples:\n  dudc convert run.bd run.npz --compress\n  dudc convert run.bd \
                        rho.npy /rho\n  dudc convert run.bd rho.b2nd /rho --codec lz4:9 --filters bitshuffle\n  \
                        dudc convert arrays.npz run.bd\n  dudc convert run.bd big.bd \
                        --order big"
)]
pub(crate) struct ConvertArgs {
    /// A file of any format that `dudc ls` opens, or a folder of .npy files
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// What to write
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// Converts only items at and below these paths, which keep their paths; they may have slices.
    /// If the first items of a list are left out, the others get their numbers as names. From
    /// stream to stream, whole items keep everything that the layout says of them; parts of items
    /// get a new layout. From frame to frame: `/data` or a slice of it, and the metalayers to keep
    pub paths: Vec<String>,
    /// The format of OUT, whatever its name
    #[arg(long, value_name = "FORMAT")]
    pub to: Option<To>,
    /// The layout of the stream that is read, or that is written from another format
    #[arg(long, value_name = "X.dud")]
    pub layout: Option<PathBuf>,
    /// Gives a param; NAME may be a path (`/grp/N`, `N#2`)
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = crate::stream_args::parse_param)]
    pub params: Vec<(String, i128)>,
    /// The byte order of the written stream; by default that of the input
    #[arg(long)]
    pub order: Option<Order>,
    /// Byte order of a raw input whose layout has none
    #[arg(long, value_name = "ORDER")]
    pub from_order: Option<Order>,
    /// The input has no signature: addresses start at 0
    #[arg(long)]
    pub raw: bool,
    /// The input starts at this byte of the file
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_number,
          allow_negative_numbers = true)]
    pub base: u64,
    /// Converts, with a warning, if a constant of the layout differs from the file; a stream of the same layout
    /// keeps the stored value
    #[arg(long)]
    pub no_const_check: bool,
    /// Deflates the arrays of an .npz
    #[arg(long)]
    pub compress: bool,
    /// The compression of all blocks of the written ASDF file: `none`; `zlib`, `bzp2`, `lz4`, `lz4f` or `zstd`,
    /// also with a level; `blsc` or `bls2` with a codec of Blosc and a level (`blsc:lz4:5`). By default it stays.
    /// FINF has no compression. For a frame: `none`, `blosclz`, `lz4`, `lz4hc`, `zlib` or `zstd`, with a level of
    /// 0 to 9
    #[arg(long, visible_alias = "codec", value_name = "CODEC[:LEVEL]")]
    pub recompress: Option<String>,
    /// The filters of a frame, applied to its blocks before compression: none, or up to 6 of shuffle, bitshuffle,
    /// delta, bytedelta, `trunc_prec:BITS`, `int_trunc:BITS`, `ndcell:SIDE`, `ndmean:SIDE`; by default shuffle, or
    /// the filters of the input
    #[arg(long, value_name = "FILTER,…", value_delimiter = ',', value_parser = frames::parse_filter,
          allow_hyphen_values = true)]
    pub filters: Vec<frames::Named>,
    /// The shape of the chunks of a frame, in elements
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    pub chunks: Vec<u64>,
    /// The shape of its blocks, each of which decodes alone
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    pub blocks: Vec<u64>,
    /// Adds a checksum of each chunk of a frame, which `verify` compares; other programs ignore
    /// them. A frame whose chunks do not match its checksums is not converted, unless they are
    /// renewed or dropped
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "add")]
    pub checksums: Option<Checksums>,
    /// Writes the chunks of a frame as files of a folder
    #[arg(long)]
    pub sparse: bool,
    /// Writes each block of an ASDF file to a file of its own beside it
    #[arg(long)]
    pub explode: bool,
    /// Brings the blocks of other files into the output; this is the default
    #[arg(long, conflicts_with = "explode")]
    pub implode: bool,
    /// Keeps stored values, with the attributes that scale them (`scale_factor`, `add_offset`); by
    /// default physical values are written
    #[arg(long)]
    pub stored: bool,
    /// Does not attach the layout to the written stream
    #[arg(long)]
    pub no_attach: bool,
    #[command(flatten)]
    pub no_index: NoIndexArgs,
    #[command(flatten)]
    pub fill: Fill,
    #[command(flatten)]
    pub jobs: JobArgs,
    #[command(flatten)]
    pub force: ForceArgs,
}

/// The kind of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum To {
    /// A native stream
    Bd,
    /// An array of numpy
    Npy,
    /// An archive of arrays
    Npz,
    /// A folder of arrays
    Folder,
    /// An ASDF file
    Asdf,
    /// A FINF file
    Finf,
    /// An array in a Blosc2 frame
    B2nd,
    /// A Blosc2 frame of bytes
    B2frame,
    /// A FITS file: images and tables
    Fits,
    /// A netCDF-3 file
    Nc,
    /// An HDF5 file: a native stream with an HDF5 face
    H5,
}

impl To {
    pub(super) fn is_frame(self) -> bool {
        matches!(self, To::B2nd | To::B2frame)
    }

    /// Whether it holds one array.
    pub(super) fn is_one(self) -> bool {
        self == To::Npy || self.is_frame()
    }

    /// Whether it has no place for attributes of arrays.
    pub(super) fn has_no_attributes(self) -> bool {
        !self.is_stream() && self.by_layout().is_none()
    }

    /// Whether it is a native stream.
    pub(super) fn is_stream(self) -> bool {
        matches!(self, To::Bd | To::H5)
    }

    /// The name of the format that is written through a layout of its files; `None` for other
    /// formats.
    pub(super) fn by_layout(self) -> Option<&'static str> {
        match self {
            To::Fits => Some("fits"),
            To::Nc => Some("nc"),
            _ => None,
        }
    }

    pub(super) fn is_asdf(self) -> bool {
        matches!(self, To::Asdf | To::Finf)
    }
}

/// The kind of output that the ending of a name requests.
const ENDINGS: [(&str, To); 12] = [
    ("bd", To::Bd),
    ("asdf", To::Asdf),
    ("finf", To::Finf),
    ("b2nd", To::B2nd),
    ("b2frame", To::B2frame),
    ("npy", To::Npy),
    ("npz", To::Npz),
    ("fits", To::Fits),
    ("nc", To::Nc),
    ("h5", To::H5),
    ("hdf5", To::H5),
    ("nc4", To::H5),
];

/// The output that a command line requests.
pub(super) fn target(args: &ConvertArgs) -> Result<To> {
    if is_stdin(&args.output) {
        return Err(Failure::usage(
            "a result of `convert` is a file or folder, not standard output",
        ));
    }
    let ending = args.output.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let known = ENDINGS.iter().find(|(known, _)| *known == ending).map(|(_, to)| *to);
    let folder = ending.is_empty().then_some(To::Folder);
    args.to.or(known).or(folder).ok_or_else(|| {
        Failure::usage(format!("`.{ending}` is none of {}: --to says what to write", endings()))
    })
}

/// The endings of files that are written, which are read, too.
fn endings() -> String {
    let [first @ .., last] = ENDINGS.map(|(known, _)| format!(".{known}"));
    format!("{} and {last}", first.join(", "))
}

/// Adds to an error of an input that is a text, and no layout, what could be converted.
pub(super) fn readable(failure: Failure) -> Failure {
    match failure.layout_findings() {
        Some(_) => failure.with_help(&format!(
            "`convert` reads and writes {}, and reads other formats that it recognises by their \
             content",
            endings()
        )),
        None => failure,
    }
}

/// Checks that no option for stream inputs is given, if the input is not a stream.
pub(super) fn check_stream_options(args: &ConvertArgs, to: To, is: &str) -> Result<()> {
    let (option, streams) = match () {
        () if args.from_order.is_some() => ("--from-order", "read"),
        // That of a stream that is written, and its params, may be given too.
        () if !args.params.is_empty() && !to.is_stream() => ("--param", "read"),
        () if args.layout.is_some() && !to.is_stream() => ("--layout", "read or written"),
        () => return Ok(()),
    };
    let name = name_of(&args.input);
    let failure =
        Failure::usage(format!("{option} is for streams that are {streams}, and {name} is {is}"));
    Err(match args.layout {
        Some(_) => failure.with_help(
            "--raw reads its bytes through the layout; a .bd may be written through it, and converted further",
        ),
        None => failure,
    })
}

/// Checks that no option is given that needs another kind of input or output.
pub(super) fn check_options(args: &ConvertArgs, to: To) -> Result<()> {
    if !to.is_stream() && args.order.is_some() {
        return Err(Failure::usage("--order is for streams that are written"));
    }
    if to != To::Bd && args.no_attach {
        return Err(Failure::usage("--no-attach is for streams that are written"));
    }
    if !to.is_stream() && args.no_index.no_index {
        return Err(Failure::usage("--no-index is for streams that are written"));
    }
    if !to.is_asdf() && (args.explode || args.implode) {
        return Err(Failure::usage("--explode and --implode are for ASDF files"));
    }
    if !to.is_asdf() && !to.is_frame() && args.recompress.is_some() {
        return Err(Failure::usage(
            "--codec (or --recompress) is for ASDF files and Blosc2 frames",
        ));
    }
    if to == To::Finf && args.recompress.as_deref().is_some_and(|codec| codec != "none") {
        return Err(Failure::usage("FINF has no compression: leave out --codec (or --recompress)"));
    }
    let cut = !args.filters.is_empty() || !args.chunks.is_empty() || !args.blocks.is_empty();
    // For a frame they may be ignored for any output.
    let checksums = args.checksums.is_some_and(|checksums| checksums != Checksums::Drop);
    if !to.is_frame() && (cut || args.sparse || checksums) {
        let why = "--filters, --chunks, --blocks, --checksums and --sparse are for Blosc2 frames";
        return Err(Failure::usage(why));
    }
    frames::filters(&args.filters).map(drop)
}
