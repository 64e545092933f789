//! The built-in nets. The feature `nets` embeds their files; without it the caller loads them when
//! a game needs them.

use crate::board::{Cell, Grid, Point};
use crate::net::Net;
use crate::rules::VariantInfo;
use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock};

/// The properties of a board that decide whether a built-in net plays on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ground {
    /// The number of layers.
    pub layers: u8,
    /// The number of points, blocked ones included.
    pub points: usize,
    /// Whether points are blocked.
    pub has_walls: bool,
    /// Whether sides are joined.
    pub is_joined: bool,
}

impl Ground {
    /// The properties of a board with these cells.
    pub fn new(grid: &Grid, cell: impl Fn(Point) -> Cell) -> Ground {
        Ground {
            layers: grid.layers(),
            points: grid.point_count(),
            has_walls: grid.points().any(|point| cell(point) == Cell::Wall),
            is_joined: grid.topology().is_joined(),
        }
    }

    /// Whether a built-in net plays a variant on such a board.
    pub fn has_net(self, variant: &VariantInfo) -> bool {
        BuiltInNet::for_game(variant, self).is_some()
    }

    /// Whether a search without a net reads too little of such a board for reliable numbers.
    pub fn needs_net(self) -> bool {
        self.points >= *POINTS.start()
    }
}

/// The shapes of the boards on which a net plays better than playouts (0.1 s a move, 20 games on a
/// torus and 20 with three blocked points, 9x9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shapes {
    /// Rectangles.
    Plain,
    /// Also boards with joined sides. Where points were blocked, those of Go and Stoical Go won
    /// fewer than half of their games.
    Joined,
    /// Also boards with blocked points.
    All,
}

pub(in crate::search) struct BuiltInNet {
    /// The name of its file.
    pub name: &'static str,
    /// The id of its variant.
    pub variant: &'static str,
    /// The number of layers of the boards that it plays on.
    layers: u8,
    points: RangeInclusive<usize>,
    shapes: Shapes,
    /// Its file, compressed.
    file: Option<&'static [u8]>,
    /// The net of the file, which is read once.
    read: OnceLock<Option<Arc<Net>>>,
}

/// Number of points of boards with nets. On smaller boards the search without a net reads far
/// enough, and on much larger boards than in training playouts are better.
const POINTS: RangeInclusive<usize> = 49..=441;

/// Points of boards larger than 13x13.
const LARGE: RangeInclusive<usize> = 170..=441;

macro_rules! net {
    ($variant:literal, $layers:literal, $points:expr, $file:literal, $shapes:expr) => {
        BuiltInNet {
            name: $file,
            variant: $variant,
            layers: $layers,
            points: $points,
            shapes: $shapes,
            #[cfg(feature = "nets")]
            file: Some(crate::packed::packed!(concat!($file, ".net"))),
            #[cfg(not(feature = "nets"))]
            file: None,
            read: OnceLock::new(),
        }
    };
}

/// The built-in nets; the first that fits is taken.
static NETS: [BuiltInNet; 12] = [
    // These nets learned from people on 19x19 and from a teacher, or started from such a net; the
    // others learned from games up to 13x13.
    net!("go", 1, LARGE, "go-19", Shapes::Joined),
    net!("tao", 1, LARGE, "tao-19", Shapes::Joined),
    net!("stoical", 1, LARGE, "stoical-19", Shapes::Joined),
    net!("go", 1, POINTS, "go", Shapes::Joined),
    // It won 31 of 40 games with blocked points. On 5x5 it won 28 of 40, but its searches of a few
    // visits do not agree on what a move loses.
    net!("go", 1, POINTS, "go-any", Shapes::All),
    // It won 19 of 20 games on 5x5 and on 19x19, 33.5 of 40 on a torus and with blocked points.
    net!("go-san", 1, 25..=441, "go-san", Shapes::All),
    // It won 17 of 24 games with blocked points and 18 of 24 on 7x7.
    net!("tao", 1, POINTS, "tao", Shapes::All),
    net!("stoical", 1, POINTS, "stoical", Shapes::Joined),
    // Against the version before it won 166 of 200 games on 5x5 to 13x13 and with blocked points;
    // on 19x19 it lost 18 of 20 against a search without a net.
    net!("sygo", 1, 25..=169, "sygo", Shapes::All),
    // One layer is a board of Go.
    net!("2.5d", 1, POINTS, "2.5d-1", Shapes::Plain),
    // Against the version before, which had no net on 5x5, 7x7 and 12x12 and none at the end of a
    // game, it won 46 of 60 games on 5x5 to 9x9, and 5 of 20 on 12x12.
    net!("2.5d", 2, 50..=242, "2.5d-2", Shapes::Plain),
    net!("capture", 1, 25..=441, "capture", Shapes::All),
];

impl BuiltInNet {
    /// The net for games of a variant on such boards.
    pub fn for_game(variant: &VariantInfo, ground: Ground) -> Option<&'static BuiltInNet> {
        let fits = |net: &&BuiltInNet| {
            (net.variant, net.layers) == (variant.id, ground.layers)
                && net.points.contains(&ground.points)
                && (net.shapes == Shapes::All || !ground.has_walls)
                && (net.shapes != Shapes::Plain || !ground.is_joined)
        };
        NETS.iter().find(fits)
    }

    /// The net whose file has this name.
    pub fn named(name: &str) -> Option<&'static BuiltInNet> {
        NETS.iter().find(|net| net.name == name)
    }

    /// Whether its file is within the program.
    pub fn is_embedded(&self) -> bool {
        self.file.is_some()
    }

    /// The net of the file within the program, if it is there.
    fn embedded(&self) -> Option<Arc<Net>> {
        let read = || Net::from_bytes(&self.bytes()?, self.variant).ok().map(Arc::new);
        self.read.get_or_init(read).clone()
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

/// A built-in net, and the boards that it plays on.
#[cfg(feature = "cli")]
pub struct EmbeddedNet {
    /// The name of its file.
    pub name: &'static str,
    /// The id of its variant.
    pub variant: &'static str,
    /// The number of layers of its boards.
    pub layers: u8,
    /// The numbers of points of its boards.
    pub points: RangeInclusive<usize>,
    /// The net.
    pub net: Arc<Net>,
}

/// All nets that the program embeds.
#[cfg(feature = "cli")]
pub fn embedded_nets() -> impl Iterator<Item = EmbeddedNet> {
    NETS.iter().filter_map(|built_in| {
        let net = built_in.embedded()?;
        let &BuiltInNet { name, variant, layers, .. } = built_in;
        Some(EmbeddedNet { name, variant, layers, points: built_in.points.clone(), net })
    })
}

/// The built-in net for games of a variant on such boards; `None` if the program does not embed
/// one.
pub fn embedded_net(variant: &VariantInfo, ground: Ground) -> Option<Arc<Net>> {
    let net = BuiltInNet::for_game(variant, ground)?;
    net.embedded()
}

#[cfg(all(test, feature = "nets"))]
mod tests {
    use super::{BuiltInNet, Ground, NETS, Shapes, embedded_net};
    use crate::net::Net;
    use crate::rules::variant;
    use crate::search::neural::fits;

    #[test]
    fn every_built_in_net_can_be_read_and_fits_its_variant() {
        for net in &NETS {
            let info = variant(net.variant).expect("a variant");
            let bytes = net.bytes().expect("within the program");
            let read = Net::from_bytes(&bytes, net.variant).expect("a net");
            assert!(fits(read.shape(), info), "{}", info.id);
            assert!(bytes.len() <= 1 << 20);
            let ground = |points, has_walls| Ground {
                layers: net.layers,
                points,
                has_walls,
                is_joined: false,
            };
            let joined = |points| Ground { is_joined: true, ..ground(points, false) };
            let smallest = *net.points.start();
            assert!(embedded_net(info, ground(smallest, false)).is_some());
            let plays = |ground| BuiltInNet::for_game(info, ground).is_some();
            assert!(net.shapes != Shapes::All || plays(ground(smallest, true)));
            assert!(net.shapes == Shapes::Plain || plays(joined(smallest)));
            assert!(embedded_net(info, ground(625, false)).is_none());
        }
    }
}
