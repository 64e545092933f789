//! The built-in nets. The feature `nets` embeds their files; without it the caller loads them when
//! a game needs them.

use crate::board::{Cell, Grid, Point};
use crate::net::Net;
use crate::rules::VariantInfo;
use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock};

/// The properties of a board that decide whether a built-in net plays on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetBoardKind {
    pub layers: u8,
    /// The number of points, blocked ones included.
    pub points: usize,
    /// Whether points are blocked.
    pub has_walls: bool,
}

impl NetBoardKind {
    /// The properties of a board with these cells.
    pub fn new(grid: &Grid, cell: impl Fn(Point) -> Cell) -> NetBoardKind {
        NetBoardKind {
            layers: grid.layers(),
            points: grid.point_count(),
            has_walls: grid.points().any(|point| cell(point) == Cell::Wall),
        }
    }

    /// Whether the values of searches on such a board are rough: no net plays there, or the net
    /// learned from much smaller boards. Searches without a net read far enough on tiny boards.
    pub fn has_unreliable_values(self, variant: &VariantInfo) -> bool {
        self.points > 441 || self.points >= 49 && BuiltInNet::for_game(variant, self).is_none()
    }
}

pub(in crate::search) struct BuiltInNet {
    /// The name of its file.
    pub name: &'static str,
    /// The id of its variant.
    pub variant: &'static str,
    /// The numbers of layers of the boards that it plays on.
    layers: RangeInclusive<u8>,
    /// The number of points of the smallest board that it plays on.
    smallest: usize,
    /// Whether it plays where points are blocked.
    walls: bool,
    /// Its file, compressed.
    file: Option<&'static [u8]>,
    /// The net of the file, which is read once.
    read: OnceLock<Option<Arc<Net>>>,
}

/// The number of points of boards larger than 13x13.
const LARGE: usize = 170;

/// Points of the smallest boards with a net, larger than those that are proven.
const SMALL: usize = 13;

macro_rules! net {
    ($variant:literal, $layers:expr, $smallest:expr, $file:literal, $walls:literal) => {
        BuiltInNet {
            name: $file,
            variant: $variant,
            layers: $layers,
            smallest: $smallest,
            walls: $walls,
            #[cfg(feature = "nets")]
            file: Some(crate::packed::packed!(concat!($file, ".net"))),
            #[cfg(not(feature = "nets"))]
            file: None,
            read: OnceLock::new(),
        }
    };
}

/// The built-in nets; the first that fits is taken.
static NETS: [BuiltInNet; 15] = [
    // These nets learned from people on 19x19 and from a teacher, or started from such a net; the
    // others learned from games up to 13x13.
    net!("go", 1..=1, LARGE, "go-19", false),
    net!("tao", 1..=1, LARGE, "tao-19", false),
    net!("stoical", 1..=1, LARGE, "stoical-19", false),
    // From 14x14 on; on 19x19 it won 31 of 36 games against the net for smaller boards, at 60
    // playouts each.
    net!("sygo", 1..=1, LARGE, "sygo-19", false),
    net!("go", 1..=1, 49, "go", false),
    // On 4x4 and 4x6 the nets from SMALL on won 22 of 28 games against playouts with captures, rescues
    // and local replies.
    // It won 31 of 40 games with blocked points and 28 of 40 on 5x5.
    net!("go", 1..=1, SMALL, "go-any", true),
    // It won 19 of 20 games on 5x5 and on 19x19, 33.5 of 40 on a torus and with blocked points.
    net!("go-san", 1..=1, SMALL, "go-san", true),
    // It won 17 of 24 games with blocked points and 18 of 24 on 7x7.
    net!("tao", 1..=1, SMALL, "tao", true),
    net!("stoical", 1..=1, SMALL, "stoical", true),
    // Against the version before it won 166 of 200 games on 5x5 to 13x13 and with blocked points.
    net!("sygo", 1..=1, SMALL, "sygo", true),
    net!("no", 1..=1, SMALL, "no", true),
    // One layer is a board of Go.
    net!("2.5d", 1..=1, 49, "2.5d-1", false),
    // Against the version before, which had no net on 5x5, 7x7 and 12x12 and none at the end of a
    // game, it won 46 of 60 games on 5x5 to 9x9, and 5 of 20 on 12x12.
    net!("2.5d", 1..=2, 50, "2.5d-2", true),
    // It learned on four layers. On three of 5x5 and 7x7 it won 49 of 60 games against the net of
    // two layers, at 100 playouts each.
    net!("2.5d", 3..=4, 50, "2.5d-4", true),
    net!("capture", 1..=1, SMALL, "capture", true),
];

impl BuiltInNet {
    /// The net for games of a variant on such boards.
    pub fn for_game(variant: &VariantInfo, kind: NetBoardKind) -> Option<&'static BuiltInNet> {
        let fits = |net: &&BuiltInNet| {
            net.variant == variant.id
                && net.layers.contains(&kind.layers)
                && net.smallest <= kind.points
                && (net.walls || !kind.has_walls)
        };
        NETS.iter().find(fits)
    }

    /// The net whose file has this name.
    pub fn by_name(name: &str) -> Option<&'static BuiltInNet> {
        NETS.iter().find(|net| net.name == name)
    }

    /// Whether its file is within the program.
    pub fn is_embedded(&self) -> bool {
        self.file.is_some()
    }

    /// The net of the file within the program, if it is there.
    fn embedded(&self) -> Option<Arc<Net>> {
        let load = || Net::from_bytes(&self.bytes()?, self.variant).ok().map(Arc::new);
        self.read.get_or_init(load).clone()
    }

    #[cfg(feature = "nets")]
    fn bytes(&self) -> Option<Vec<u8>> {
        crate::packed::unpacked(self.file?)
    }

    #[cfg(not(feature = "nets"))]
    fn bytes(&self) -> Option<Vec<u8>> {
        None
    }
}

/// Name, variant's id and net of all files that the program embeds.
pub fn embedded_nets() -> impl Iterator<Item = (&'static str, &'static str, Arc<Net>)> {
    NETS.iter().filter_map(|built_in| Some((built_in.name, built_in.variant, built_in.embedded()?)))
}

/// The built-in net for games of a variant on such boards; `None` if the program does not embed
/// one.
pub fn embedded_net(variant: &VariantInfo, kind: NetBoardKind) -> Option<Arc<Net>> {
    let net = BuiltInNet::for_game(variant, kind)?;
    net.embedded()
}

#[cfg(test)]
mod tests {
    use super::{BuiltInNet, NETS, NetBoardKind};
    use crate::net::Net;
    use crate::rules::{VARIANTS, variant};
    use crate::search::neural::fits;

    #[test]
    fn every_built_in_net_can_be_read_and_fits_its_variant() {
        for net in &NETS {
            let info = variant(net.variant).expect("a variant");
            let bytes = net.bytes().expect("within the program");
            let read = Net::from_bytes(&bytes, net.variant).expect("a net");
            assert!(fits(read.shape(), info), "{}", info.id);
            assert!(bytes.len() <= 1 << 20);
            let plays_somewhere = (25..=625).any(|points| {
                let kind =
                    NetBoardKind { layers: *net.layers.start(), points, has_walls: net.walls };
                let found = BuiltInNet::for_game(info, kind);
                found.is_some_and(|found| found.name == net.name)
            });
            assert!(plays_somewhere, "{}", net.name);
        }
    }

    #[test]
    fn every_game_has_a_net_on_every_board_of_25_points_and_on_layers_of_50() {
        for info in VARIANTS.iter().filter(|info| !info.experimental) {
            for (points, layers) in
                [(25, 1), (50, 1), (81, 1), (625, 1), (50, 2), (147, 3), (64, 4)]
            {
                for has_walls in [false, true] {
                    let kind = NetBoardKind { layers, points, has_walls };
                    let is_known = if info.stacked { points >= 50 } else { layers == 1 };
                    assert_eq!(BuiltInNet::for_game(info, kind).is_some(), is_known);
                }
            }
        }
    }
}
