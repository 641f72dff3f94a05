import ipaddr from 'ipaddr.js';

/**
 * The address by which a caller without credentials is counted. A household or host usually has a whole IPv6 /64, so
 * that counts as one caller. An IPv4 address mapped into IPv6 is the IPv4 address.
 */
export function limitedAddress(ip: string): string {
  if (ip !== last.ip) last = { ip, address: countedAs(ip) };
  return last.address;
}

/** The last parsed address. A flood comes from one address, and parsing it costs more than the rest of the counting. */
let last = { ip: '', address: '' };

function countedAs(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()}/64`;
}
