"""No way into a private network: every connection is made to an address that was checked, not to a name."""

import ipaddress
import socket
import ssl
from collections.abc import Callable, Iterable
from typing import Any, Final

import httpcore
import httpx

from pincite.errors import BlockedAddressError

#: Resolves a host and port to the addresses one may connect to, in order.
Resolve = Callable[[str, int], list[str]]

#: IPv6 networks that carry an IPv4 address inside: (network, how many bits stand behind the address).
_CARRIERS: Final = (
    (ipaddress.IPv6Network("64:ff9b::/96"), 0),  # NAT64, RFC 6052
    (ipaddress.IPv6Network("2002::/16"), 80),  # 6to4, RFC 3056
)


def is_public(address: str) -> bool:
    """Say whether an address belongs to the public internet: not private, loopback, link-local, shared or reserved.

    >>> is_public("93.184.215.14"), is_public("169.254.169.254"), is_public("::ffff:10.0.0.1"), is_public("fd00::1")
    (True, False, False, False)
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return is_public(str(found.ipv4_mapped))
        for network, n_behind in _CARRIERS:
            if found in network:
                return is_public(str(ipaddress.IPv4Address((int(found) >> n_behind) & 0xFFFFFFFF)))
    return found.is_global and not found.is_multicast


def resolved(host: str, port: int) -> list[str]:
    """Return the addresses of a host, in the order of the system.

    Raises:
        OSError: the name is not known.

    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class GuardedBackend(httpcore.NetworkBackend):
    """Opens connections for httpcore; a name is resolved once, and what was checked is what is connected to.

    So a name that leads elsewhere a moment later (DNS rebinding) gains nothing, and a redirect is checked like a first
    request. One private address among those of a name shuts the name out.
    """

    def __init__(self, *, allow_private: bool, resolve: Resolve = resolved) -> None:
        """Let private addresses pass only with `allow_private`."""
        self._allow_private = allow_private
        self._resolve = resolve
        self._backend = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Return a connection to the first address of the host that answers.

        Raises:
            BlockedAddressError: the host has a private address.
            httpcore.ConnectError: no address answers.

        """
        try:
            addresses = self._resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise httpcore.ConnectError(f"the name {host!r} is not known: {error}") from error
        if not self._allow_private:
            for address in addresses:
                self._check(host, address)
        failure: Exception = httpcore.ConnectError(f"the name {host!r} has no address")
        for address in addresses:
            try:
                stream = self._backend.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
                continue
            self._check_connected(host, stream)
            return stream
        raise failure

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore.NetworkStream:
        """Refuse: a socket of this machine is no web page."""
        del timeout, socket_options
        raise BlockedAddressError(f"{path}: not a web address")

    def _check_connected(self, host: str, stream: httpcore.NetworkStream) -> None:
        """Check the other end once more, where the system says which it is."""
        there = stream.get_extra_info("server_addr")
        if there is not None and not self._allow_private:
            try:
                self._check(host, str(there[0]))
            except BlockedAddressError:
                stream.close()
                raise

    def _check(self, host: str, address: str) -> None:
        if not is_public(address):
            raise BlockedAddressError(
                f"{host}: its address {address} is not on the public internet; --allow-private lets it pass"
            )


def guarded_transport(*, allow_private: bool, resolve: Resolve = resolved) -> httpx.HTTPTransport:
    """Return a transport for an httpx client whose every connection is guarded; certificates are checked as usual."""
    transport = httpx.HTTPTransport(trust_env=False)
    # httpx has no public way to say who connects; the pool is what its transport delegates to. A test that a private
    # address is refused fails when this stops being so.
    transport._pool.close()  # noqa: SLF001
    transport._pool = httpcore.ConnectionPool(  # noqa: SLF001
        ssl_context=ssl.create_default_context(),
        max_connections=10,
        max_keepalive_connections=5,
        keepalive_expiry=5.0,
        network_backend=GuardedBackend(allow_private=allow_private, resolve=resolve),
    )
    return transport
