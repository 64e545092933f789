//! The built-in nets.

use crate::net::Net;
use crate::rules::VariantInfo;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A net that is compiled into the program.
struct EmbeddedNet {
    /// The id of its variant.
    variant: &'static str,
    /// The numbers of points of the boards that it plays on.
    points: RangeInclusive<usize>,
    /// The file.
    bytes: &'static [u8],
}

/// Points of the boards that nets play on: on smaller ones the search without a net reads
/// far enough to play better, on much larger ones than those of training playouts know more.
const POINTS: RangeInclusive<usize> = 49..=441;

macro_rules! net {
    ($variant:literal, $points:expr) => {
        EmbeddedNet {
            variant: $variant,
            points: $points,
            bytes: include_bytes!(concat!("nets/", $variant, ".net")),
        }
    };
}

/// The built-in nets; the first that fits is taken.
static NETS: &[EmbeddedNet] = &[
    net!("go", POINTS),
    net!("tao", POINTS),
    net!("stoical", POINTS),
    // It lost every game on 19x19.
    net!("sygo", 49..=121),
];

/// The built-in net for games of a variant on boards of so many points; none if there is
/// none that was trained for them.
pub fn embedded_net(variant: &VariantInfo, points: usize) -> Option<Arc<Net>> {
    let fits = |net: &&EmbeddedNet| net.variant == variant.id && net.points.contains(&points);
    let net = NETS.iter().find(fits)?;
    Net::from_bytes(net.bytes, net.variant).ok().map(Arc::new)
}

#[cfg(test)]
mod tests {
    use super::{NETS, embedded_net};
    use crate::net::Net;
    use crate::rules::variant;
    use crate::search::neural::fits;

    #[test]
    fn every_built_in_net_can_be_read_and_fits_its_variant() {
        for net in NETS {
            let info = variant(net.variant).expect("a variant");
            let read = Net::from_bytes(net.bytes, net.variant).expect("a net");
            assert!(fits(read.shape(), info), "{}", info.id);
            assert!(net.bytes.len() <= 1 << 20);
            assert!(embedded_net(info, *net.points.start()).is_some());
        }
    }
}
