//! What a file should have while it is updated again and again, and how that is checked.

use std::path::Path;
use std::sync::Arc;

use asdf_bridge::asdf::{
    AsdfFile, Builder, DigestState, Error, NewArray, Open, Padding, Result, Update, Updated, Yaml,
};

use super::disk::{Disk, Random};

/// What was committed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Model {
    count: i64,
    /// Arrays by their names: all elements of one are equal.
    arrays: Vec<(String, u64, i32)>,
    /// How many arrays there ever were.
    made: u64,
}

/// Something that an update does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Action {
    /// Sets a number.
    Count,
    /// Adds an array of that length.
    Add(u64),
    /// Adds two arrays of these lengths at once.
    AddTwo(u64, u64),
    /// Replaces the last array by another one of that length.
    Replace(u64),
    /// Takes an array out.
    Remove(u64),
}

impl Action {
    pub(crate) fn any(random: &mut Random) -> Action {
        match random.below(9) {
            0 | 1 => Action::Count,
            2..5 => Action::Add(random.below(400)),
            5 | 6 => Action::Replace(random.below(300)),
            7 => Action::AddTwo(random.below(400), random.below(400)),
            _ => Action::Remove(random.below(8)),
        }
    }
}

impl Model {
    /// A file with two arrays, and room for its tree to grow.
    pub(crate) fn start(room: u64) -> (Model, Vec<u8>) {
        let model = Model {
            count: 100,
            arrays: vec![("a0".into(), 64, 7), ("a1".into(), 100, 8)],
            made: 2,
        };
        let array = |at: usize| {
            let (_, length, value) = model.arrays[at];
            NewArray::from(vec![value; length as usize])
        };
        let bytes = Builder::new()
            .put("count", 100)
            .put("a0", array(0))
            .put("a1", array(1))
            .padding(Padding::bytes(room))
            .to_bytes()
            .expect("a file");
        (model, bytes)
    }

    /// The number.
    pub(crate) fn count(&self) -> i64 {
        self.count
    }

    /// The length and the sum of each array, by its name.
    pub(crate) fn sums(&self) -> serde_json::Value {
        let sums = self.arrays.iter().map(|(name, length, value)| {
            (name.clone(), serde_json::json!([length, *length as f64 * f64::from(*value)]))
        });
        serde_json::Value::Object(sums.collect())
    }

    /// What is there after an update.
    pub(crate) fn after(&self, action: Action) -> Model {
        let mut next = self.clone();
        match action {
            Action::Count => next.count = 100 + (next.count + 7) % 900,
            Action::Add(length) => {
                next.arrays.push((format!("a{}", self.made), length, self.made as i32));
                next.made += 1;
            }
            Action::AddTwo(one, other) => {
                return self.after(Action::Add(one)).after(Action::Add(other));
            }
            Action::Replace(length) => {
                if let Some(last) = next.arrays.last_mut() {
                    (last.1, last.2) = (length, last.2 + 1000);
                }
            }
            Action::Remove(at) => {
                if let Some(at) = (at as usize).checked_rem(next.arrays.len()) {
                    next.arrays.remove(at);
                }
            }
        }
        next
    }

    /// Does what leads from this to `next`.
    pub(crate) fn changes(&self, update: &mut Update<'_>, next: &Model) -> Result<()> {
        if self.count != next.count {
            update.set("/count", next.count)?;
        }
        for (name, ..) in &self.arrays {
            if next.arrays.iter().all(|(other, ..)| other != name) {
                update.remove(&format!("/{name}"))?;
            }
        }
        for (name, length, value) in &next.arrays {
            if !self.arrays.contains(&(name.clone(), *length, *value)) {
                let array = NewArray::from(vec![*value; *length as usize]);
                update.set(&format!("/{name}"), array)?;
            }
        }
        Ok(())
    }

    /// An update of a disk, in place.
    pub(crate) fn on_disk(&self, disk: &Disk, action: Action) -> Result<Updated> {
        let mut update = Update::storage(Arc::new(disk.clone()))?;
        self.changes(&mut update, &self.after(action))?;
        update.commit()
    }

    /// An update of a file.
    pub(crate) fn on_file(&self, path: &Path, action: Action) -> Result<Updated> {
        let mut update = Update::open(path)?;
        self.changes(&mut update, &self.after(action))?;
        update.commit()
    }

    /// That a file has this and nothing else.
    pub(crate) fn check(&self, file: &AsdfFile) -> std::result::Result<(), String> {
        let said = |error: Error| error.to_string();
        let root = file.root().map_err(said)?;
        let count = root.node().get("count").and_then(|count| count.as_i64());
        if count != Some(self.count) {
            return Err(format!("{count:?} for {}", self.count));
        }
        let keys = root.node().entries().filter_map(|(key, _)| key.text());
        let keys: Vec<&str> =
            keys.filter(|key| key.starts_with('a') && !key.starts_with("as")).collect();
        let names: Vec<&str> = self.arrays.iter().map(|(name, ..)| name.as_str()).collect();
        if keys != names {
            return Err(format!("{keys:?} for {names:?}"));
        }
        for (name, length, value) in &self.arrays {
            let array = file.array(&format!("/{name}")).map_err(said)?;
            // Without elements it needs no block.
            let block = array.block().map_err(said)?;
            let state = block.map_or(Ok(DigestState::Good), |block| file.digest(&block));
            let state = state.map_err(said)?;
            let read = array.read::<i32>().map_err(said)?;
            let good = read.len() as u64 == *length && read.iter().all(|read| read == value);
            if !good || state != DigestState::Good {
                return Err(format!("{name}: {state:?} {read}"));
            }
        }
        Ok(())
    }
}

/// Which of some models a file has.
pub(crate) fn state_of<'m>(bytes: &[u8], models: &[&'m Model]) -> &'m Model {
    let file = Open::new().bytes(bytes).expect("it opens");
    let mut wrong = Vec::new();
    for model in models {
        match model.check(&file) {
            Ok(()) => return model,
            Err(error) => wrong.push(error),
        }
    }
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(3000)]).into_owned();
    panic!("neither old nor new: {wrong:?}\n{text}");
}

/// Puts a value where it changes the length of the text.
pub(crate) fn longer() -> Yaml<'static> {
    Yaml::from("a text that takes more bytes than there were")
}
