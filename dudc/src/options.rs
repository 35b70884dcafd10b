//! Options that several commands share: a command flattens those that it needs into its own `Args`.

use clap::{Args, ValueEnum};
use dudley::index::Policy;

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The form of results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Human,
    /// For programs; stable
    Json,
}

/// `--format`.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct FormatArgs {
    /// How to print results
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: Format,
}

/// The form of findings about layouts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people
    #[default]
    Human,
    /// For programs; stable
    Json,
    /// SARIF 2.1.0, for reviews and editors
    Sarif,
}

/// `--format` of commands that report on layouts.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ReportFormatArgs {
    /// How to print findings
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: ReportFormat,
}

/// `--jobs`.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct JobArgs {
    /// How many threads to use at most; the results do not depend on it
    #[arg(long, value_name = "N")]
    jobs: Option<std::num::NonZero<usize>>,
}

impl JobArgs {
    /// The given number, or 0 without the option.
    pub(crate) fn threads(self) -> usize {
        self.jobs.map_or(0, std::num::NonZero::get)
    }
}

/// `--no-index`.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct NoIndexArgs {
    /// Leaves out the index that a layout of more than 1,000 items gets behind it
    #[arg(long)]
    pub(crate) no_index: bool,
}

impl NoIndexArgs {
    /// When a layout gets an index.
    pub(crate) fn policy(self) -> Policy {
        if self.no_index { Policy::Never } else { Policy::Automatic }
    }
}

/// `--force`.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ForceArgs {
    /// Overwrites existing files
    #[arg(long)]
    pub(crate) force: bool,
}

/// A byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Order {
    /// Least significant byte first
    Little,
    /// Most significant byte first
    Big,
}
