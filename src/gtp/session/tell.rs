//! What a session tells when the client has nothing more to ask for the moment:
//! in words what a board of plain Go does not show, and a snapshot of the true
//! position.

use super::Session;
use super::sync::Key;
use crate::gtp::encoding::{Encoding, Shown};
use crate::gtp::narrate::{self, Scene};
use crate::gtp::{aside, snapshot};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// So long the client has sent nothing: its list is complete.
const QUIET: Duration = Duration::from_millis(20);

/// What was told last.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    scene: Option<(Scene, (Key, usize))>,
    file: Vec<u8>,
}

impl Session {
    /// Tells what there is to tell, unless the client goes on at once.
    pub fn tell_when_quiet(&mut self) {
        if self.has_to_tell() && !self.inbox.wait_for(QUIET) {
            self.tell();
        }
    }

    fn has_to_tell(&self) -> bool {
        let wanted = self.settings.narrate || self.settings.snapshot.is_some();
        wanted && self.wire.is_read()
    }

    /// Tells what has happened since it was told last.
    pub fn tell(&mut self) {
        if !self.has_to_tell() {
            return;
        }
        if self.settings.narrate {
            let lines = self.news();
            if !lines.is_empty() {
                aside::say(&(lines.join("\n") + "\n"));
            }
        }
        let has_begun = !self.game().turns().is_empty() || self.setup().has_stones();
        if let Some(path) = self.settings.snapshot.clone().filter(|_| has_begun) {
            self.write_snapshot(&path);
        }
    }

    /// What happened that the client's own board does not show; after more than
    /// one move, all that it does not show.
    pub fn news(&mut self) -> Vec<String> {
        let (Some(now), mark) = (Scene::now(self), self.wire.mark()) else {
            return Vec::new();
        };
        let lines = match &self.told.scene {
            Some((_, told)) if *told == mark => Vec::new(),
            Some((before, told)) if self.wire.follows(*told) => {
                narrate::changes(self, before, &now)
            }
            _ => narrate::situation(self, &now),
        };
        self.told.scene = Some((now, mark));
        lines
    }

    /// Columns and rows of the client's board.
    pub fn client_size(&self) -> (u8, u8) {
        match self.mirror() {
            Some(mirror) => (mirror.width(), mirror.height()),
            None => {
                let grid = *self.game.grid();
                let shown = Shown::new(Encoding::Sabaki, self.game.info(), grid);
                (shown.width(), shown.height())
            }
        }
    }

    /// The position now as a snapshot, which is kept; none in the middle of a
    /// turn.
    pub fn snapshot(&mut self) -> Option<Vec<u8>> {
        if self.game.is_mid_turn() {
            return None;
        }
        let kept = self.shelf.keep(&self.setup, self.game.turns())?;
        snapshot::file(self, &kept.stones)
    }

    /// Writes a snapshot, unless it is there already.
    fn write_snapshot(&mut self, path: &Path) {
        let Some(bytes) = self.snapshot() else {
            return;
        };
        if bytes == self.told.file {
            return;
        }
        match snapshot::write(path, &bytes) {
            Ok(()) => self.told.file = bytes,
            Err(error) => log::warn!("{}: {error}", path.display()),
        }
    }

    /// Snapshots go to this file from now on; the game that one there holds is
    /// kept.
    pub fn recall_snapshot(&mut self, path: PathBuf) {
        if let Ok(text) = fs::read(&path) {
            match snapshot::read(&text, self) {
                Ok(record) => drop(self.shelf.keep(&record.setup, &record.turns)),
                Err(error) => log::warn!("{}: {error}", path.display()),
            }
        }
        self.settings.snapshot = Some(path);
    }

    /// The same, and writes one at once.
    ///
    /// # Errors
    /// What the file system says.
    pub fn keep_snapshots(&mut self, path: PathBuf, now: &[u8]) -> io::Result<()> {
        let before = self.settings.snapshot.clone();
        self.recall_snapshot(path.clone());
        snapshot::write(&path, now).inspect_err(|error| {
            log::warn!("{}: {error}", path.display());
            self.settings.snapshot = before;
        })?;
        self.told.file = now.to_vec();
        Ok(())
    }
}
