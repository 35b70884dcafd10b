//! The fenced blocks of a Markdown page, and how what they show is put beside what is true.

/// A fenced block.
#[derive(Clone, Debug)]
pub struct Block {
    /// What stands behind the opening fence, such as `dud` or `console`.
    pub info: String,
    /// The lines between the fences.
    pub lines: Vec<String>,
    /// The number of the first of them, from 1.
    pub line: usize,
}

impl Block {
    /// The lines as one text.
    pub fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// A session: each command behind `$ `, with the lines shown as its output.
    pub fn session(&self) -> Vec<(String, Vec<String>)> {
        let mut session: Vec<(String, Vec<String>)> = Vec::new();
        for line in &self.lines {
            match (line.strip_prefix("$ "), session.last_mut()) {
                (Some(command), _) => session.push((command.to_owned(), Vec::new())),
                (None, Some((_, shown))) => shown.push(line.clone()),
                (None, None) => {}
            }
        }
        session
    }
}

/// The blocks of a page that are fenced at the start of a line.
pub fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (at, line) in page.lines().enumerate() {
        open = match (open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                Some(Block { info: info.trim().to_owned(), lines: Vec::new(), line: at + 2 })
            }
            (Some(block), Some("")) => {
                blocks.push(block);
                None
            }
            (Some(mut block), _) => {
                block.lines.push(line.to_owned());
                Some(block)
            }
            (None, None) => None,
        };
    }
    blocks
}

/// Whether lines are what a page shows; a line `…` of the page stands for any number of them.
pub fn shows(shown: &[String], lines: &[String]) -> bool {
    match shown.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first.trim() == "…" => {
            (0..=lines.len()).any(|skipped| shows(rest, &lines[skipped..]))
        }
        Some((first, rest)) => lines
            .split_first()
            .is_some_and(|(line, lines)| line.trim_end() == first.trim_end() && shows(rest, lines)),
    }
}
