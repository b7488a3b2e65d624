/** The door to one game at Invo. `gameId` is Invo's game_id as text, when it is pinned. */
export interface InvoAccess {
  baseUrl: string;
  secret: string;
  previousSecret?: string;
  environment: 'production' | 'sandbox';
  gameId?: string;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Reads a base URL: https (plain http on loopback only), no credentials, query or fragment; a path prefix such as /sandbox is kept.
 * Throws an Error that does not repeat the address, which may hold credentials.
 */
export function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) throw new Error('the base URL of Invo is not a URL');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname))) {
    throw new Error('the base URL of Invo must begin with https:// (plain http is for loopback only)');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new Error('the base URL of Invo may hold a host, a port and a path only');
  }
  return url;
}

/** Refuses a secret that no header can carry; the Error names the slot, never the value. */
export function checkSecret(secret: string, slot: string): string {
  if (!/^[\x21-\x7e]{1,1024}$/.test(secret)) throw new Error(`the ${slot} game secret must be printable ASCII without spaces`);
  return secret;
}
