//! The table of proof and disproof numbers.

use super::assumptions::BoardSet;

/// Proof and disproof number: the least number of positions that must be proven, or disproven, to
/// prove or disprove the goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Numbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

/// A number of a position that cannot be proven, or disproven.
pub(super) const INFINITE: u32 = u32::MAX / 4;

impl Numbers {
    pub(super) const PROVEN: Numbers = Numbers { proof: 0, disproof: INFINITE };
    pub(super) const DISPROVEN: Numbers = Numbers { proof: INFINITE, disproof: 0 };

    /// No search reaches these numbers.
    pub(super) const MAX: Numbers = Numbers { proof: INFINITE, disproof: INFINITE };

    pub(super) fn is_settled(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct TableEntry {
    key: u128,
    numbers: Numbers,
    /// Number of positions that its search visited; 0 in an empty slot.
    work: u32,
    assumptions: StoredAssumptions,
}

/// Assumptions in the frame of the key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct StoredAssumptions {
    pub(super) absent: BoardSet,
    /// Names of required waypoints; 0 in unused slots.
    pub(super) present: [u64; StoredAssumptions::MAX_PRESENT],
}

impl StoredAssumptions {
    pub(super) const MAX_PRESENT: usize = 4;
}

/// Entries of a bucket; a key selects a bucket.
const BUCKET: usize = 4;

const MIN_SLOTS: usize = 1 << 12;

/// A table that grows up to a limit, and then replaces the entries with the least work.
#[derive(Debug)]
pub(super) struct ProofTable {
    slots: Vec<TableEntry>,
    used: usize,
    limit: usize,
}

impl ProofTable {
    pub(super) fn new(bytes: usize) -> ProofTable {
        let most = (bytes / size_of::<TableEntry>()).max(MIN_SLOTS);
        ProofTable {
            slots: vec![TableEntry::default(); MIN_SLOTS],
            used: 0,
            // The largest power of two that fits.
            limit: 1 << most.ilog2(),
        }
    }

    pub(super) fn get(&self, key: u128) -> Option<(Numbers, &StoredAssumptions)> {
        self.find(key).map(|entry| (entry.numbers, &entry.assumptions))
    }

    pub(super) fn work(&self, key: u128) -> u32 {
        self.find(key).map_or(0, |entry| entry.work)
    }

    fn find(&self, key: u128) -> Option<&TableEntry> {
        let first = self.first(key);
        let mut bucket = self.slots[first..first + BUCKET].iter();
        bucket.find(|entry| entry.key == key && entry.work > 0)
    }

    /// Stores the numbers of a position, with their work in positions and their assumptions.
    pub(super) fn set(
        &mut self,
        key: u128,
        numbers: Numbers,
        work: u64,
        assumptions: StoredAssumptions,
    ) {
        self.make_room();
        let work = u32::try_from(work).unwrap_or(u32::MAX).max(1);
        self.place(TableEntry { key, numbers, work, assumptions });
    }

    /// The entries that took at least `least_work` positions.
    pub(super) fn entries(&self, least_work: u32) -> impl Iterator<Item = &TableEntry> {
        let least = least_work.max(1);
        self.slots.iter().filter(move |entry| entry.work >= least)
    }

    /// Stores entries that [`entries`](Self::entries) returned.
    pub(super) fn restore(&mut self, entries: &[TableEntry]) {
        for &entry in entries.iter().filter(|entry| entry.work > 0) {
            self.make_room();
            self.place(entry);
        }
    }

    /// The first slot of a key's bucket; the number of slots is a power of two.
    fn first(&self, key: u128) -> usize {
        (key >> 64) as usize & (self.slots.len() - 1) & !(BUCKET - 1)
    }

    fn place(&mut self, mut entry: TableEntry) {
        let first = self.first(entry.key);
        let bucket = &mut self.slots[first..first + BUCKET];
        let is_it = |slot: &TableEntry| slot.key == entry.key && slot.work > 0;
        if let Some(slot) = bucket.iter_mut().find(|slot| is_it(slot)) {
            entry.work = entry.work.saturating_add(slot.work);
            *slot = entry;
        } else if let Some(slot) = bucket.iter_mut().min_by_key(|slot| slot.work) {
            self.used += usize::from(slot.work == 0);
            *slot = entry;
        }
    }

    /// Doubles a table that is half full, up to its limit, since many buckets would be full later.
    fn make_room(&mut self) {
        if self.used * 2 <= self.slots.len() || self.slots.len() >= self.limit {
            return;
        }
        let larger = vec![TableEntry::default(); 2 * self.slots.len()];
        let old = std::mem::replace(&mut self.slots, larger);
        self.used = 0;
        for entry in old.into_iter().filter(|entry| entry.work > 0) {
            self.place(entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Numbers, ProofTable, StoredAssumptions};
    use crate::solve::key::scatter;

    #[test]
    fn a_table_grows_and_a_full_one_keeps_what_took_the_most_work() {
        let numbers = |n: u64| Numbers { proof: n as u32 + 1, disproof: 7 };
        let mut table = ProofTable::new(1 << 23);
        for n in 0..4000 {
            table.set(scatter(n), numbers(n), 1, StoredAssumptions::default());
        }
        // Some buckets are full before the table grows.
        let kept = (0..4000).filter(|&n| {
            let entry = table.get(scatter(n));
            assert!(entry.is_none_or(|entry| entry == (numbers(n), &StoredAssumptions::default())));
            entry.is_some()
        });
        assert!(kept.count() > 3600);
        assert_eq!(table.get(scatter(4000)), None);
        for n in 4000..400_000 {
            let work = if n % 100 == 0 { 50 } else { 1 };
            table.set(scatter(n), numbers(n), work, StoredAssumptions::default());
        }
        let kept = (4000..400_000).step_by(100);
        let entry = kept.clone().filter(|&n| table.get(scatter(n)).is_some());
        assert!(entry.count() > kept.count() * 9 / 10);
        assert!(table.entries(50).count() <= 4000);
        assert!(size_of_val(table.slots.as_slice()) <= 1 << 23);
    }
}
