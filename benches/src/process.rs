//! Peers in Python or C: each a process that waits until it is asked, and takes its time itself.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use dudley_tests::python::Python;

use crate::Outcome;

/// A program, such as a script of `benches/python/`, that answers each line with one of its own.
pub(crate) struct Process {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Process {
    pub(crate) fn start<I>(script: &str, arguments: I) -> Outcome<Process>
    where
        I: IntoIterator<Item: AsRef<OsStr>>,
    {
        Process::of(Python::of_benches()?, script, arguments)
    }

    /// A script of another environment.
    pub(crate) fn of<I>(python: &Python, script: &str, arguments: I) -> Outcome<Process>
    where
        I: IntoIterator<Item: AsRef<OsStr>>,
    {
        let mut command = python.command(script);
        command.args(arguments);
        Process::run(command)
    }

    /// Any program that does so.
    pub(crate) fn run(mut command: Command) -> Outcome<Process> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let to = child.stdin.take().ok_or("no way to ask")?;
        let from = BufReader::new(child.stdout.take().ok_or("no way to hear")?);
        Ok(Process { child, to, from })
    }

    /// A number that it says: seconds, when it was asked.
    pub(crate) fn hear(&mut self) -> Outcome<f64> {
        let mut line = String::new();
        match self.from.read_line(&mut line)? {
            0 => Err(format!("a peer ended, {}", self.child.wait()?).into()),
            _ => Ok(line.trim().parse()?),
        }
    }

    /// The seconds that something takes.
    pub(crate) fn ask(&mut self, word: &str) -> Outcome<f64> {
        writeln!(self.to, "{word}")?;
        self.to.flush()?;
        self.hear()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It ends when nobody asks any more; if not, it is ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
