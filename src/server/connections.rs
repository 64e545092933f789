//! Limits of connections: how many an address has, and how long a response waits for its reader.

use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv6Addr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// The connections of each address.
#[derive(Clone, Debug)]
pub struct Addresses {
    most: usize,
    counts: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

/// A connection of an address; dropping it makes room for another.
#[derive(Debug)]
pub struct Connection {
    address: IpAddr,
    counts: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl Addresses {
    /// Each address has at most `most` places.
    pub fn new(most: usize) -> Addresses {
        Addresses { most, counts: Arc::default() }
    }

    /// `None` if the address has all its places.
    pub fn take(&self, address: IpAddr) -> Option<Connection> {
        let address = network(address);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(address).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Connection { address, counts: self.counts.clone() })
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.address);
            }
        }
    }
}

/// One machine may have all IPv6 addresses with the same first half.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(address) => address.into(),
            None => {
                let first_half = u128::from(address) >> 64 << 64;
                Ipv6Addr::from(first_half).into()
            }
        },
        address => address,
    }
}

/// A stream whose writes fail when the other side has not read for a time.
#[derive(Debug)]
pub struct WriteTimeout<S> {
    stream: S,
    limit: Duration,
    /// Runs while a write waits.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S> WriteTimeout<S> {
    pub fn new(stream: S, limit: Duration) -> WriteTimeout<S> {
        WriteTimeout { stream, limit, waiting: None }
    }

    fn limited<T>(
        &mut self,
        context: &mut Context<'_>,
        poll: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if poll.is_ready() {
            self.waiting = None;
            return poll;
        }
        let limit = self.limit;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(tokio::time::sleep(limit)));
        let over = waiting.as_mut().poll(context);
        over.map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteTimeout<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteTimeout<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.limited(context, poll)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let poll = Pin::new(&mut self.stream).poll_flush(context);
        self.limited(context, poll)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let poll = Pin::new(&mut self.stream).poll_shutdown(context);
        self.limited(context, poll)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{TcpListener, TcpStream};

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn one_address_leaves_places_to_others() {
        let addresses = Addresses::new(2);
        let first = addresses.take(ip("10.0.0.1")).expect("a place");
        let _second = addresses.take(ip("::ffff:10.0.0.1")).expect("a place");
        assert!(addresses.take(ip("10.0.0.1")).is_none());
        let _other = addresses.take(ip("10.0.0.2")).expect("a place");
        drop(first);
        let _again = addresses.take(ip("10.0.0.1")).expect("a place");
        let _ipv6 = [addresses.take(ip("2001:db8::1")), addresses.take(ip("2001:db8::2"))];
        assert!(addresses.take(ip("2001:db8::3")).is_none(), "of the same network");
        assert!(addresses.take(ip("2001:db8:0:1::3")).is_some());
    }

    /// Writes 64 MB to a socket whose other end reads all or nothing.
    fn write(limit: Duration, is_read: bool) -> io::Result<()> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let mut reader = TcpStream::connect(listener.local_addr()?)?;
        let (stream, _) = listener.accept()?;
        stream.set_nonblocking(true)?;
        let reads = std::thread::spawn(move || {
            if is_read {
                let _ = io::copy(&mut reader, &mut io::sink());
            }
            reader
        });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let written = runtime.block_on(async {
            let mut stream = WriteTimeout::new(tokio::net::TcpStream::from_std(stream)?, limit);
            let bytes = vec![0; 1 << 20];
            for _ in 0..64 {
                let mut rest = bytes.as_slice();
                while !rest.is_empty() {
                    let write =
                        |context: &mut Context<'_>| Pin::new(&mut stream).poll_write(context, rest);
                    let count = std::future::poll_fn(write).await?;
                    rest = rest.get(count..).unwrap_or_default();
                }
            }
            Ok(())
        });
        reads.join().map(drop).map_err(|_| io::ErrorKind::Other)?;
        written
    }

    /// Without a reader the shortest limit is over at once, and with one a long limit never is.
    #[test]
    fn an_answer_that_nobody_reads_is_given_up() {
        let given_up = write(Duration::ZERO, false).expect_err("an error");
        assert_eq!(given_up.kind(), io::ErrorKind::TimedOut);
        write(Duration::from_secs(600), true).expect("all is read");
    }
}
