/** Accepts only dotted decimal with four parts, without leading zeros. */
export function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

/** Accepts neither zones nor brackets. */
export function isIpv6(text: string): boolean {
  const halves = text.split('::');
  if (!text.includes(':') || halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1) ?? '';
  const embedded = last.includes('.') && isIpv4(last);
  const plain = embedded ? groups.slice(0, -1) : groups;
  const count = plain.length + (embedded ? 2 : 0);
  return plain.every((group) => /^[0-9a-f]{1,4}$/i.test(group)) && (halves.length === 2 ? count < 8 : count === 8);
}

export function isIpAddress(text: string): boolean {
  return isIpv4(text) || isIpv6(text);
}

/** Loopback, link-local (where clouds keep their metadata), unspecified, multicast and broadcast. */
export function isHostScopedAddress(text: string): boolean {
  if (isIpv4(text)) return /^(?:0|127|22[4-9]|23\d|24\d|25[0-5])\./.test(text) || text.startsWith('169.254.');
  // Addresses that embed IPv4 or begin with zeros are refused as well. None of them belongs to a resolver.
  return /^(?:::|0{1,4}:|fe[89ab]|ff|64:ff9b:|2002:)/i.test(text);
}
