/** The environments of a game at Invo. */
export const ENVIRONMENTS = ['production', 'sandbox'] as const;

/** One game in one environment, as it is handed around: plain data without secrets. */
export interface Game {
  gameId: number;
  slug: string;
  name: string;
  environment: (typeof ENVIRONMENTS)[number];
  /** The time zone its months are cut in. */
  timeZone: string;
  /** Invo's own id, pinned by the first report; null until then. */
  invoGameId: string | null;
}

/** What queries and files need of a game. */
export type GameRef = Pick<Game, 'gameId' | 'slug' | 'environment' | 'timeZone'>;

/** Whether a host name, as written in a URL, is this machine's own. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** What a base URL of Invo must be, for the end of a sentence about it. */
export const BASE_URL_RULE = 'must be an https address without user, query or fragment (http for a loopback host only)';

/** Reads a base URL of Invo; a path prefix such as /sandbox stays part of it. Null for any text that breaks `BASE_URL_RULE`. */
export function parseBaseUrl(text: string): URL | null {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return null;
  return isSecureUrl(url) ? url : null;
}

/** An address of an answer that a browser may open: https, or http on this machine. It is shown by its host, and never built, changed or called. Null: none. */
export function parsePassedUrl(value: unknown): URL | null {
  const url = typeof value === 'string' && value.length <= 4_096 ? URL.parse(value) : null;
  return url !== null && isSecureUrl(url) && url.username === '' && url.password === '' ? url : null;
}

function isSecureUrl({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** What a secret must be, for the end of a sentence about it. */
export const SECRET_RULE = 'must be 1 to 1,024 visible ASCII characters without spaces';

/** Whether an HTTP header can carry a text as a secret. */
export function isSecret(text: string): boolean {
  return /^[\x21-\x7e]{1,1024}$/.test(text);
}

/** Why a changed time zone isn't used, in sentences; null: it did not change. */
export function formatZoneChange(stored: Pick<Game, 'slug' | 'timeZone'>, configured: Pick<Game, 'timeZone'>): string | null {
  if (stored.timeZone === configured.timeZone) return null;
  return `The months of ${stored.slug} are in ${stored.timeZone}, but its configuration says ${configured.timeZone}. Months in two time zones would overlap, so ${stored.timeZone} stays in use. Set INVO_TIME_ZONE, or timeZone in SHAREBOOK_GAMES_FILE, to ${stored.timeZone}.`;
}
