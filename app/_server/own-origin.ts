const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Whether a request that changes something came from a page of this Sharebook, judged by what browsers send and pages cannot forge.
 * A missing Origin is refused, unlike what the framework does; a forwarded host is not believed. Under a loopback public
 * origin every loopback name with the same scheme and port is the same place.
 */
export function isOwnOrigin(headers: { get(name: string): string | null }, publicOrigin: string): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') return false;
  const given = URL.parse(headers.get('origin') ?? '');
  const own = new URL(publicOrigin);
  if (given === null || given.origin !== headers.get('origin')) return false;
  if (given.origin === own.origin) return true;
  const areLoopback = LOOPBACK_HOSTS.includes(given.hostname) && LOOPBACK_HOSTS.includes(own.hostname);
  return areLoopback && given.protocol === own.protocol && given.port === own.port;
}
