import ipaddr from 'ipaddr.js';

/**
 * The address by which a caller without credentials is counted. One household or host usually commands a whole IPv6
 * /64, so that is one caller; an IPv4 address mapped into IPv6 is the IPv4 address.
 */
export function limitedAddress(ip: string): string {
  if (ip !== last.ip) last = { ip, address: countedAs(ip) };
  return last.address;
}

/** A flood comes from one address, and taking that apart costs more than all else that is done to count it. */
let last = { ip: '', address: '' };

function countedAs(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()}/64`;
}
