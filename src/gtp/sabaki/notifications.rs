//! Notifications for an idle client with a board of plain Go: lines on standard error about what
//! its board does not show, and a snapshot file.

use super::client_sync::ListHash;
use super::narration::{self, PositionSummary};
use super::snapshot;
use crate::encoding::{DisplayBoard, Encoding};
use crate::files::FileError;
use crate::gtp::Session;
use crate::gtp::process;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A client that is silent for this long has sent its whole list.
const IDLE: Duration = Duration::from_millis(20);

#[derive(Clone, Debug, Default)]
pub struct Notifications {
    latest: Option<(PositionSummary, (ListHash, usize))>,
    file: Vec<u8>,
}

impl Session {
    /// Notifies the client unless it sends another command first.
    pub fn notify_when_idle(&mut self) {
        if self.has_notifications() && !self.inbox.wait_for(IDLE) {
            self.notify();
        }
    }

    fn has_notifications(&self) -> bool {
        self.settings.narrate || self.settings.snapshot.is_some()
    }

    /// Notifies the client of changes since the latest notification.
    pub fn notify(&mut self) {
        if !self.has_notifications() {
            return;
        }
        if self.settings.narrate {
            let lines = self.unseen_changes();
            if !lines.is_empty() {
                process::print_stderr(&(lines.join("\n") + "\n"));
            }
        }
        let has_begun = !self.game().turns().is_empty() || self.setup().has_stones();
        if let Some(path) = self.settings.snapshot.clone().filter(|_| has_begun) {
            self.write_snapshot(&path);
        }
    }

    /// Lines about changes that the client's board does not show; after several moves, about
    /// everything that it does not show.
    pub fn unseen_changes(&mut self) -> Vec<String> {
        let (Some(now), Some(sync)) = (PositionSummary::now(self), &self.sync) else {
            return Vec::new();
        };
        let now_at = sync.cursor();
        let lines = match &self.notifications.latest {
            Some((_, cursor)) if *cursor == now_at => Vec::new(),
            Some((before, cursor)) if sync.is_one_move_after(*cursor) => {
                narration::changes(self, before, &now)
            }
            _ => narration::situation(self, &now),
        };
        self.notifications.latest = Some((now, now_at));
        lines
    }

    pub fn client_board_size(&self) -> (u8, u8) {
        match self.client_board() {
            Some(client_board) => (client_board.width(), client_board.height()),
            None => {
                let grid = *self.game.grid();
                let shown = DisplayBoard::new(Encoding::Sabaki, self.game.info(), grid);
                (shown.width(), shown.height())
            }
        }
    }

    /// `None` in the middle of a turn.
    pub fn snapshot(&self) -> Option<Vec<u8>> {
        if self.game.is_mid_turn() {
            return None;
        }
        snapshot::write(self)
    }

    /// Writes a snapshot unless the file holds it already.
    fn write_snapshot(&mut self, path: &Path) {
        let Some(bytes) = self.snapshot() else {
            return;
        };
        if bytes == self.notifications.file {
            return;
        }
        match snapshot::write_file(path, &bytes) {
            Ok(()) => self.notifications.file = bytes,
            Err(error) => log::warn!("{}: {error}", path.display()),
        }
    }

    pub fn use_snapshot_file(&mut self, path: PathBuf) -> Result<(), FileError> {
        snapshot::check_file(&path)?;
        self.settings.snapshot = Some(path);
        Ok(())
    }

    /// Writes a snapshot now and after each turn; an error keeps the former file.
    pub fn start_snapshots(&mut self, path: PathBuf, now: &[u8]) -> Result<(), FileError> {
        snapshot::write_file(&path, now).inspect_err(|error| {
            log::warn!("{}: {error}", path.display());
        })?;
        self.settings.snapshot = Some(path);
        self.notifications.file = now.to_vec();
        Ok(())
    }
}
