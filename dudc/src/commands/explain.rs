//! `dudc explain`: the rule behind a diagnostic, or the meaning of a finding.

use crate::failure::{Failure, Result, Status};
use crate::output::Output;
use dudley_parser::explain::{explain, pages};
use dudley_parser::similar::similar;

/// The code to explain.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  dudc explain unknown-type
  dudc explain --list")]
pub(crate) struct Args {
    /// The code in the brackets of a diagnostic
    #[arg(required_unless_present = "list")]
    code: Option<String>,
    /// List all codes
    #[arg(long, conflicts_with = "code")]
    list: bool,
}

/// Prints one page, or the titles of all.
pub(crate) fn run(args: &Args, output: &Output) -> Result {
    let text = match &args.code {
        Some(code) => page(code)?,
        None => pages().iter().map(|page| format!("{:20}  {}\n", page.code, page.title)).collect(),
    };
    output.print(text)?;
    Ok(Status::Done)
}

fn page(code: &str) -> Result<String> {
    // People copy `error[unknown-type]` whole.
    let bare = code.rsplit_once('[').map_or(code, |(_, code)| code).trim_end_matches([']', ':']);
    let bare = &*bare.to_ascii_lowercase();
    let page = explain(bare).map(ToString::to_string).or_else(|| finding(bare));
    page.ok_or_else(|| {
        let near = similar(bare, pages().iter().map(|page| page.code));
        let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
        let list = "`dudc explain --list` lists all";
        Failure::usage(format!("there is no diagnostic `{code}`; {near}{list}"))
    })
}

/// The meaning of a finding of `verify` that is no diagnostic of a layout.
fn finding(code: &str) -> Option<String> {
    let (_, meaning) = dudley::verify::CODES.iter().find(|(known, _)| *known == code)?;
    Some(format!("{code}: {meaning}\n\nA finding of `dudc verify`, about a stream as it is.\n"))
}
