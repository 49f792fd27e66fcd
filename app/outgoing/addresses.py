"""Which addresses may be called on somebody's behalf: public ones, and ranges that the deployment names.

The address is the one that a connection is about to be made to, after every look-up, so a name that changes
its mind, a redirect or an odd spelling of a number gain nothing. Pure.
"""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

TRANSLATED = tuple(
    ip_network(text)
    for text in (
        "64:ff9b::/96",  # NAT64, RFC 6052: carries any IPv4 address, `is_global` passes it
        "64:ff9b:1::/48",  # NAT64 of a site, RFC 8215
        "2002::/16",  # 6to4, RFC 3056: likewise
        "2001::/32",  # Teredo, RFC 4380
        "::/96",  # IPv4-compatible, RFC 4291, 2.5.5.1
        "::ffff:0:0:0/96",  # IPv4-translated, RFC 2765
    )
)
SPECIAL = tuple(
    ip_network(text)
    for text in (
        "168.63.129.16/32",  # a cloud's wire server on an address that looks public
        "192.88.99.0/24",  # 6to4 relays, RFC 7526
    )
)


def refusal_reason(address: str, allow: Iterable[Network] = ()) -> str | None:
    """Why no connection is made to this address, in a few words; None when it may be called."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return "not an address"
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped
    if any(ip in network for network in allow):
        return None
    return _kind(ip)


def _kind(ip: Address) -> str | None:
    if ip.is_unspecified:
        return "the unspecified address"
    if ip.is_loopback:
        return "a loopback address"
    if ip.is_link_local:
        return "a link-local address"
    if ip.is_multicast:
        return "a multicast address"
    if any(ip in network for network in TRANSLATED):
        return "an address that carries another inside"
    if any(ip in network for network in SPECIAL):
        return "an address of the provider's own"
    if isinstance(ip, IPv6Address) and ip.is_site_local:
        return "a private address"
    if ip.is_reserved:
        return "a reserved address"
    return None if ip.is_global else "a private address"
