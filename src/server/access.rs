//! Access to the server: checks of `Host`, `Origin` and the token.
//!
//! A page of another site can make a browser connect to the server, but it cannot choose these
//! headers. The check of `Host` prevents DNS rebinding, the check of `Origin` WebSockets of other
//! sites. Beyond loopback other machines can connect, so the address that the server prints has a
//! secret token.

use crate::web::place::{Invitations, Reach};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

#[derive(Clone, Debug)]
pub struct Access {
    address: SocketAddr,
    /// Needed beyond loopback.
    token: Option<String>,
}

/// The reasons why a client may not connect.
const HOST: &str = "this server has another name; open the address that it printed";
const ORIGIN: &str = "another site may not use this server";
const TOKEN: &str = "the token is missing or wrong; open the address that the server printed";

impl Access {
    /// Fails if the system has no random numbers.
    pub fn new(address: SocketAddr) -> Result<Access, getrandom::Error> {
        let token = if address.ip().is_loopback() { None } else { Some(random_token()?) };
        Ok(Access { address, token })
    }

    pub fn url(&self) -> String {
        self.url_at(match self.address.ip() {
            ip if ip.is_unspecified() && ip.is_ipv4() => IpAddr::from([127, 0, 0, 1]),
            ip if ip.is_unspecified() => IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1]),
            ip => ip,
        })
    }

    /// The addresses for browsers on other machines, if the server listens on all networks.
    pub fn urls_for_others(&self) -> Vec<String> {
        if !self.address.ip().is_unspecified() {
            return Vec::new();
        }
        own_addresses(self.address.ip()).into_iter().map(|ip| self.url_at(ip)).collect()
    }

    /// How friends reach the server without its token; `None` if only this machine reaches it.
    pub fn invitations(&self) -> Option<Invitations> {
        self.token.as_ref()?;
        let own = self.address.ip();
        let addresses = if own.is_unspecified() { own_addresses(own) } else { vec![own] };
        let reach = addresses.iter().copied().map(reach).max().unwrap_or(Reach::Computer);
        let page =
            |ip: IpAddr| format!("http://{}{GUEST_PAGE}", SocketAddr::new(ip, self.address.port()));
        Some(Invitations { addresses: addresses.into_iter().map(page).collect(), reach })
    }

    fn url_at(&self, ip: IpAddr) -> String {
        let address = SocketAddr::new(ip, self.address.port());
        match &self.token {
            Some(token) => format!("http://{address}/?token={token}"),
            None => format!("http://{address}/"),
        }
    }

    /// Checks all values of both headers: exactly one host, and at most one origin.
    pub fn check_headers(&self, hosts: &[&[u8]], origins: &[&[u8]]) -> Result<(), &'static str> {
        let [host] = hosts else {
            return Err(HOST);
        };
        let host = text(host).ok_or(HOST)?;
        let (name, port) = name_and_port(host).ok_or(HOST)?;
        if self.token.is_none() && !self.is_own_name(name, port) {
            return Err(HOST);
        }
        let origin = match origins {
            [] => None,
            [origin] => Some(text(origin).ok_or(ORIGIN)?),
            _ => return Err(ORIGIN),
        };
        match origin {
            // Only browsers send `Origin`.
            None => Ok(()),
            Some(origin) if same_site(origin, host) => Ok(()),
            Some(_) => Err(ORIGIN),
        }
    }

    /// Whether this is a name of the loopback address with the port of the server.
    fn is_own_name(&self, name: HostName<'_>, port: Option<u16>) -> bool {
        let is_loopback = match name {
            HostName::Address(ip) => ip.is_loopback(),
            HostName::Name(name) => name.eq_ignore_ascii_case("localhost"),
        };
        is_loopback && port.unwrap_or(80) == self.address.port()
    }

    pub fn check_token(&self, query: Option<&str>) -> Result<(), &'static str> {
        let Some(token) = &self.token else {
            return Ok(());
        };
        let mut pairs = query.unwrap_or_default().split('&');
        let value = pairs.find_map(|pair| pair.strip_prefix("token="));
        if value.is_some_and(|value| equal(value.as_bytes(), token.as_bytes())) {
            Ok(())
        } else {
            Err(TOKEN)
        }
    }
}

/// The page for friends, who have no token.
pub const GUEST_PAGE: &str = "/friend";

/// The reach of an address of this machine.
fn reach(address: IpAddr) -> Reach {
    let is_near = match address {
        IpAddr::V4(ip) => ip.is_private() || ip.is_link_local(),
        IpAddr::V6(ip) => ip.is_unique_local() || ip.is_unicast_link_local(),
    };
    match address {
        ip if ip.is_loopback() => Reach::Computer,
        _ if is_near => Reach::Network,
        _ => Reach::Anyone,
    }
}

/// Addresses in usual networks: the system names its own address on the way there.
const ELSEWHERE: [&str; 5] =
    ["192.0.2.1", "192.168.255.254", "10.255.255.254", "172.31.255.254", "2001:db8::1"];

/// The addresses of this machine in its networks. The sockets send nothing.
fn own_addresses(unspecified: IpAddr) -> Vec<IpAddr> {
    let mut found = Vec::new();
    for there in ELSEWHERE.iter().filter_map(|text| text.parse::<IpAddr>().ok()) {
        let here: IpAddr = match there {
            IpAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
            // A server on all IPv4 addresses has no IPv6 address.
            IpAddr::V6(_) if unspecified.is_ipv4() => continue,
            IpAddr::V6(_) => unspecified,
        };
        let socket = UdpSocket::bind((here, 0)).and_then(|socket| {
            socket.connect((there, 9))?;
            socket.local_addr()
        });
        let Ok(own) = socket.map(|address| address.ip()) else {
            continue;
        };
        if !own.is_loopback() && !own.is_unspecified() && !found.contains(&own) {
            found.push(own);
        }
    }
    found
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HostName<'h> {
    Address(IpAddr),
    Name(&'h str),
}

/// A header's value as text; `None` with a byte that no name has.
fn text(value: &[u8]) -> Option<&str> {
    value.iter().all(u8::is_ascii_graphic).then(|| std::str::from_utf8(value).ok())?
}

/// Reads a valid `Host`: a name, an address, or an IPv6 address in brackets, and perhaps a port.
fn name_and_port(host: &str) -> Option<(HostName<'_>, Option<u16>)> {
    let (name, rest) = match host.strip_prefix('[') {
        Some(inner) => {
            let (address, rest) = inner.split_once(']')?;
            (HostName::Address(address.parse::<Ipv6Addr>().ok()?.into()), rest)
        }
        None => {
            let (name, rest) = host.split_at(host.find(':').unwrap_or(host.len()));
            let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
            if name.is_empty() || !name.bytes().all(is_of_name) {
                return None;
            }
            let address = name.parse::<Ipv4Addr>().ok();
            (address.map_or(HostName::Name(name), |ip| HostName::Address(ip.into())), rest)
        }
    };
    if rest.is_empty() {
        return Some((name, None));
    }
    let digits = rest.strip_prefix(':')?;
    // Parsing accepts a sign, too.
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    Some((name, Some(digits.parse().ok().filter(|_| is_number)?)))
}

/// Whether an origin is the site of `host`; a proxy may speak HTTPS.
fn same_site(origin: &str, host: &str) -> bool {
    let site = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    site.is_some_and(|site| site.eq_ignore_ascii_case(host))
}

/// Whether two texts are equal, in constant time.
fn equal(a: &[u8], b: &[u8]) -> bool {
    let differences = a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b));
    a.len() == b.len() && differences == 0
}

/// 128 random bits in hexadecimal digits.
fn random_token() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check of headers with at most one value.
    fn check(
        access: &Access,
        host: Option<&str>,
        origin: Option<&str>,
    ) -> Result<(), &'static str> {
        let hosts: Vec<&[u8]> = host.iter().map(|host| host.as_bytes()).collect();
        let origins: Vec<&[u8]> = origin.iter().map(|origin| origin.as_bytes()).collect();
        access.check_headers(&hosts, &origins)
    }

    fn access(address: &str) -> Access {
        Access::new(address.parse().expect("an address")).expect("random numbers")
    }

    #[test]
    fn others_get_addresses_of_this_machine_with_the_token() {
        let url = |ip: [u8; 4]| {
            let access = Access::new(SocketAddr::new(ip.into(), 9019)).expect("random numbers");
            (access.url(), access.urls_for_others())
        };
        assert!(url([127, 0, 0, 1]).1.is_empty());
        let (own, others) = url([0, 0, 0, 0]);
        assert!(own.starts_with("http://127.0.0.1:9019/?token="), "{own}");
        let (_, token) = own.split_once('?').expect("a token");
        // A machine without a network has none.
        for address in others {
            assert!(address.ends_with(token) && !address.contains("127.0.0.1"), "{address}");
        }
    }

    #[test]
    fn invitations_say_who_reaches_the_server() {
        assert!(access("127.0.0.1:9019").invitations().is_none());
        for (address, reach) in [
            ("192.168.1.5:9019", Reach::Network),
            ("10.1.2.3:9019", Reach::Network),
            ("169.254.1.1:9019", Reach::Network),
            ("[fd00::1]:9019", Reach::Network),
            ("203.0.113.7:9019", Reach::Anyone),
            ("[2001:db8::1]:9019", Reach::Anyone),
        ] {
            let access = access(address);
            let invitations = access.invitations().expect("it has a token");
            assert_eq!(invitations.reach, reach, "{address}");
            // The token stays with the person who started the server.
            assert_eq!(invitations.addresses, [format!("http://{address}/friend")]);
        }
    }

    #[test]
    fn loopback_names_with_the_right_port_are_accepted() {
        let access = access("127.0.0.1:8080");
        for host in ["localhost:8080", "LOCALHOST:8080", "127.0.0.1:8080", "[::1]:8080"] {
            assert_eq!(check(&access, Some(host), None), Ok(()), "{host}");
        }
        for host in [
            "localhost",
            "localhost:80",
            "evil.example:8080",
            "127.0.0.1.evil.example:8080",
            "localhost.evil.example:8080",
            "10.0.0.1:8080",
            "",
            ":8080",
            "[::1]",
            "localhost:8080:8080",
            "[[localhost]]:8080",
            "[localhost]:8080",
            "localhost:+8080",
            "localhost:",
            "::1:8080",
            "localhost:8080/",
            "user@localhost:8080",
            "loc\u{e4}lhost:8080",
        ] {
            assert_eq!(check(&access, Some(host), None), Err(HOST), "{host}");
        }
        assert_eq!(check(&access, None, None), Err(HOST));
        assert_eq!(access.check_token(None), Ok(()));
    }

    /// A proxy and a browser may read other values of a header that stands twice.
    #[test]
    fn each_header_stands_once_in_ascii() {
        for access in [access("127.0.0.1:8080"), access("0.0.0.0:8080")] {
            let (host, site): (&[u8], &[u8]) = (b"localhost:8080", b"http://localhost:8080");
            assert_eq!(access.check_headers(&[host], &[]), Ok(()));
            assert_eq!(access.check_headers(&[host], &[site]), Ok(()));
            for hosts in
                [&[][..], &[host, host], &[host, b"evil.example"], &[b"localhost:8080\xff"]]
            {
                assert_eq!(access.check_headers(hosts, &[]), Err(HOST), "{hosts:?}");
            }
            for origins in
                [&[site, site][..], &[site, b"null"], &[b"http://localhost:8080\xe4"], &[b"\xff"]]
            {
                assert_eq!(access.check_headers(&[host], origins), Err(ORIGIN), "{origins:?}");
            }
        }
    }

    #[test]
    fn other_origins_are_refused() {
        let access = access("[::1]:80");
        let check = |origin| check(&access, Some("localhost"), Some(origin));
        assert_eq!(check("http://localhost"), Ok(()));
        for origin in ["http://evil.example", "null", "http://localhost:81", "ftp://localhost", ""]
        {
            assert_eq!(check(origin), Err(ORIGIN), "{origin}");
        }
    }

    #[test]
    fn beyond_loopback_the_token_is_needed() {
        let access = access("0.0.0.0:8080");
        let url = access.url();
        let (page, query) = url.split_once('?').expect("a token");
        assert_eq!(page, "http://127.0.0.1:8080/");
        assert_eq!(access.check_token(Some(query)), Ok(()));
        assert_eq!(access.check_token(Some(&format!("a=b&{query}"))), Ok(()));
        let shorter = &query[..query.len() - 1];
        for query in [None, Some(""), Some("token="), Some(shorter), Some("token=0123")] {
            assert_eq!(access.check_token(query), Err(TOKEN), "{query:?}");
        }
        // The token proves more than the name that a client used.
        let host = Some("board.example:8080");
        assert_eq!(check(&access, host, Some("http://board.example:8080")), Ok(()));
        assert_eq!(check(&access, host, Some("http://evil.example")), Err(ORIGIN));
    }
}
