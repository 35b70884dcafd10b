//! `dudc family build` and `dudc family update`: catalogs made and brought up to date.

use dudley::error::file_name;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use dudley::family::{Build, Report, Within};
use serde_json::{Value as Json, json};

use super::names::files;
use crate::failure::{Failure, Result};
use crate::filters;
use crate::input::{need_another, need_file};
use crate::json::Safe;
use crate::options::{Format, JobArgs, Order};
use crate::output::warn;
use crate::progress::Progress;
use crate::stream_args::{parse_number, parse_param, read_layout, warn_other_formats};

/// Makes a catalog of files
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  dudc family build runs.bd runs/\n  dudc family build runs.bd \
                        'runs/*.bd' --update\n  find . -name '*.dat' | dudc family build runs.bd - \
                        --layout run.dud --raw"
)]
pub(crate) struct BuildArgs {
    /// The catalog to write
    catalog: PathBuf,
    /// Files; `@LIST` and `-` for lists of names; a folder, for the .bd files in it; a 'pattern*'
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The layout of all members, if they are raw, or a layout to use instead of attached ones
    #[arg(long, value_name = "X.dud")]
    layout: Option<PathBuf>,
    /// Supplies a param of all members, or overrides a fixed one
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = parse_param)]
    params: Vec<(String, i128)>,
    /// Byte order of raw members whose layout has none
    #[arg(long)]
    order: Option<Order>,
    /// Members have no signature: addresses start at 0
    #[arg(long)]
    raw: bool,
    /// A member starts at this byte of each file, a multiple of 16 (may be repeated)
    #[arg(long = "base", value_name = "N", value_parser = parse_number)]
    bases: Vec<u64>,
    /// Members start this many bytes apart, beginning at --base
    #[arg(long, value_name = "BYTES", value_parser = parse_number, conflicts_with = "scan")]
    every: Option<u64>,
    /// Members follow each other in a file, each at the next multiple of 16
    #[arg(long, conflicts_with = "bases")]
    scan: bool,
    /// Overwrites an existing catalog
    #[arg(long)]
    force: bool,
    /// Updates an existing catalog, as `family update` does; its layout, its params and the starts
    /// of its members stay
    #[arg(long, conflicts_with = "force")]
    update: bool,
    #[command(flatten)]
    work: WorkArgs,
}

/// Reads what is new or changed since a catalog was made
#[derive(Args, Debug)]
#[command(after_help = "Example: dudc family update runs.bd runs/")]
pub(crate) struct UpdateArgs {
    /// The catalog
    catalog: PathBuf,
    /// More files, as for `build`; the files of the catalog are always checked
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    work: WorkArgs,
}

/// The options of reading files.
#[derive(Args, Debug)]
struct WorkArgs {
    /// Leaves out files, and members of files with several, that cannot be read or have another layout,
    /// instead of failing
    #[arg(long)]
    skip_bad: bool,
    /// Keeps the members of files that are gone, and marks them as missing
    #[arg(long)]
    keep_missing: bool,
    #[command(flatten)]
    jobs: JobArgs,
    /// How to print the result
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

impl WorkArgs {
    fn add(&self, build: Build, files: usize) -> Build {
        let progress = Arc::new(Mutex::new(Progress::of("files", files as u64)));
        let mut build =
            build.skip_bad(self.skip_bad).keep_missing(self.keep_missing).progress(move |more| {
                progress.lock().unwrap_or_else(PoisonError::into_inner).advance(more);
            });
        build = build.threads(self.jobs.threads());
        build
    }
}

impl BuildArgs {
    fn within(&self) -> Result<Within> {
        Ok(match (self.scan, self.every, self.bases.as_slice()) {
            (true, ..) => Within::Following,
            (false, Some(step), []) => Within::Every { first: 0, step },
            (false, Some(step), [first]) => Within::Every { first: *first, step },
            (false, Some(_), _) => {
                return Err(Failure::usage("with --every there is one --base, or none"));
            }
            (false, None, []) => Within::Whole,
            (false, None, bases) => Within::At(bases.to_vec()),
        })
    }
}

/// Runs `build`.
///
/// # Errors
/// If files cannot be read or have another layout; if the catalog exists.
pub(super) fn build(args: &BuildArgs) -> Result<()> {
    need_file(&args.catalog, "family")?;
    let files = files(&args.files, &args.catalog)?;
    if args.update && args.catalog.exists() {
        let build = args.work.add(Build::new().filters(filters::registry()), files.len());
        return show(&build.update(&args.catalog, &files)?, &args.catalog, args.work.format);
    }
    if files.is_empty() {
        return Err(Failure::input("there are no files to make a catalog of"));
    }
    let read = files.iter().chain(&args.layout).map(PathBuf::as_path);
    need_another(&args.catalog, read)?;
    let mut build = Build::new().filters(filters::registry()).within(args.within()?);
    if let Some(layout) = &args.layout {
        build = build.layout(read_layout(layout)?);
        if !args.raw && matches!(args.within()?, Within::Whole) {
            warn_other_formats(&files, layout)?;
        }
    }
    if let Some(order) = args.order {
        build = build.order(order.into());
    }
    if args.raw {
        build = build.raw();
    }
    for (name, value) in &args.params {
        build = build.param(name.as_str(), *value);
    }
    let build = args.work.add(build, files.len());
    show(&build.create(&args.catalog, &files, args.force)?, &args.catalog, args.work.format)
}

/// Runs `update`.
///
/// # Errors
/// As [`build`]; if there is no catalog.
pub(super) fn update(args: &UpdateArgs) -> Result<()> {
    let known = super::open(&args.catalog)?.files() as usize;
    let files = files(&args.files, &args.catalog)?;
    let build = args.work.add(Build::new().filters(filters::registry()), known + files.len());
    show(&build.update(&args.catalog, &files)?, &args.catalog, args.work.format)
}

fn show(report: &Report, catalog: &Path, format: Format) -> Result<()> {
    let out = crate::output::Output::new(crate::options::Color::Auto);
    let name = file_name(&catalog);
    if format == Format::Json {
        let failed = report.failed.iter().map(
            |(file, error)| json!({"file": file.to_string_lossy(), "error": error.to_string()}),
        );
        let partial = report.partial.iter().map(|(file, start, error)| {
            json!({"file": file.to_string_lossy(), "address": start, "error": error.to_string()})
        });
        let gone = report.gone.iter().map(|file| json!(file.to_string_lossy()));
        let result = json!({
            "version": 1,
            "catalog": name.to_string(),
            "files": report.files,
            "members": report.members,
            "added": report.added,
            "changed": report.changed,
            "gone": gone.collect::<Vec<Json>>(),
            "failed": failed.collect::<Vec<Json>>(),
            "partial": partial.collect::<Vec<Json>>(),
            "written": report.written,
        });
        return out.print(format!("{}\n", Safe(result)));
    }
    for file in &report.gone {
        warn(&format!("{} is gone", file_name(&file)));
    }
    for (file, error) in &report.failed {
        warn(&format!("{} is left out: {error}", file_name(&file)));
    }
    for (file, start, error) in &report.partial {
        warn(&format!("the member at byte {start} of {} is left out: {error}", file_name(&file)));
    }
    if report.members == 0 {
        warn(&format!("{name} has no members"));
    }
    let plural = |count: u64| if count == 1 { "" } else { "s" };
    let (members, files) = (report.members, report.files);
    let mut text =
        format!("{name}: {members} member{} in {files} file{}", plural(members), plural(files));
    text += &match (report.written, report.added, report.changed) {
        (false, ..) => "; nothing changed".to_owned(),
        (true, added, changed) => format!("; {added} new, {changed} changed"),
    };
    out.print(text + "\n")
}
