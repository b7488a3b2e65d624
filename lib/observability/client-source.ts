import { isIP } from 'node:net';

/**
 * The address a request comes from, as far as it can be known: that of the connection, or with trusted servers in front the one that the
 * outermost of them saw. Entries further left in `x-forwarded-for` are whatever the client wrote. An IPv6 client counts by its network, of
 * which it has as many addresses as it likes.
 */
export function findClientSource(
  { address, forwardedFor }: { address: string | undefined; forwardedFor: string | undefined },
  trustedProxies: number,
): string {
  const chain = [...(forwardedFor ?? '').split(',').map((each) => each.trim()), address ?? ''].filter((each) => each !== '');
  const found = chain.at(-1 - trustedProxies) ?? chain.at(0) ?? 'unknown';
  return networkOf(found);
}

function networkOf(text: string): string {
  const address = text.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIP(address) !== 6) return address.slice(0, 100);
  const [head = '', tail = ''] = address.toLowerCase().split('::');
  const [start, end] = [head, tail].map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: Math.max(0, 8 - (start?.length ?? 0) - (end?.length ?? 0)) }, () => '0');
  const groups = address.includes('::') ? [...(start ?? []), ...zeros, ...(end ?? [])] : (start ?? []);
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
