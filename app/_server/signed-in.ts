import 'server-only';
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { listStoredGames, type StoredGame } from '#db/games/reads.ts';
import { type Listener, type ListenerOptions, startListener } from '#db/kit/listen.ts';
import type { Db } from '#db/kit/open.ts';
import { findSignedIn, type SignedInPerson } from '#db/people/reads.ts';

/** Who is signed in and which games are stored, kept in this process for moments. */
export interface SignedIn {
  /** The person of a session's token, given as its digest; null: no such session, it has ended, or they were disabled. */
  findPerson(tokenDigest: string, from: Source): Promise<SignedInPerson | null>;
  /** Every stored game. */
  listGames(from: Source): Promise<StoredGame[]>;
  isListening(): boolean;
  stop(): Promise<void>;
}

/** `cache`: what was read in the last seconds will do. `database`: what is about to change something depends on it. */
export type Source = 'cache' | 'database';

export interface SignedInOptions {
  db: Db;
  url: string;
  clock?: () => number;
  timing?: ListenerOptions['timing'];
}

const KEPT_MS = 5_000;
const GAMES = 'games';

/**
 * Opens the memory of one process. It keeps what it read for five seconds at most, and only while its LISTEN connection is up: triggers
 * announce every change of people, sessions, passwords and games, and what is announced is forgotten.
 */
export function openSignedIn({ db, url, clock, timing }: SignedInOptions): SignedIn {
  const isListening = (): boolean => listener.isListening();
  const shared = { isListening, ...(clock === undefined ? {} : { clock }) };
  const people = createShortCache<SignedInPerson>({ ...shared, lifeOf: ({ left_ms }) => Math.min(KEPT_MS, left_ms) });
  const games = createShortCache<StoredGame[]>({ ...shared, lifeOf: () => KEPT_MS });
  const forgetAll = (): void => {
    people.forget();
    games.forget();
  };
  const listener: Listener = startListener({
    url,
    channel: 'sharebook_changed',
    onGap: forgetAll,
    onMessage: (payload) => {
      const [kind, personId] = payload.split(' ');
      if (kind === 'games') games.forget();
      else if (kind === 'person') people.forget(({ id }) => id === personId);
      else forgetAll();
    },
    ...(timing === undefined ? {} : { timing }),
  });

  /** A person and, where they aren't known, the games, in one statement: a page needs both. */
  async function loadPerson(tokenDigest: string): Promise<SignedInPerson | null> {
    const withGames = games.peek(GAMES) === null;
    const found = findSignedIn(db, tokenDigest, { withGames });
    if (withGames) games.read(GAMES, async () => (await found)?.games ?? null).catch(() => undefined);
    return (await found)?.person ?? null;
  }

  return {
    findPerson: async (tokenDigest, from) =>
      from === 'cache' ? await people.read(tokenDigest, () => loadPerson(tokenDigest)) : await loadPerson(tokenDigest),
    listGames: async (from) =>
      from === 'cache' ? ((await games.read(GAMES, () => listStoredGames(db))) ?? []) : await listStoredGames(db),
    isListening,
    stop: () => listener.stop(),
  };
}

export interface ShortCache<Value> {
  /** The kept value of a key, or a loaded one, which is kept. Calls for one key at the same time share one load. */
  read(key: string, load: () => Promise<Value | null>): Promise<Value | null>;
  /** The kept value of a key; null when there is none that still counts. */
  peek(key: string): Value | null;
  /** Forgets the values that match, or all. What is being loaded right now isn't kept. */
  forget(matches?: (value: Value) => boolean): void;
}

export interface ShortCacheOptions<Value> {
  /** Values are kept only while every change of them is heard. */
  isListening: () => boolean;
  /** How long a value may be kept. Unit: milliseconds. */
  lifeOf: (value: Value) => number;
  /** A clock that never goes back. Unit: milliseconds. */
  clock?: () => number;
}

const ENTRIES_MAX = 10_000;

/**
 * Keeps values for moments, in this process alone. A value that began to load before something was forgotten is handed to its caller and
 * not kept: it may have been read before the change that was announced.
 */
export function createShortCache<Value>({
  isListening,
  lifeOf,
  clock = () => performance.now(),
}: ShortCacheOptions<Value>): ShortCache<Value> {
  const kept = new Map<string, { value: Value; until: number }>();
  const loading = new Map<string, Promise<Value | null>>();
  let generation = 0;

  function peek(key: string): Value | null {
    const entry = kept.get(key);
    if (entry === undefined || !isListening()) return null;
    if (entry.until > clock()) return entry.value;
    kept.delete(key);
    return null;
  }

  async function load(key: string, fetchValue: () => Promise<Value | null>): Promise<Value | null> {
    const [started_at, startedIn] = [clock(), generation];
    const value = await fetchValue();
    if (value !== null && startedIn === generation && isListening()) {
      const [oldest] = kept.keys();
      if (kept.size >= ENTRIES_MAX && oldest !== undefined) kept.delete(oldest);
      kept.set(key, { value, until: started_at + lifeOf(value) });
    }
    return value;
  }

  return {
    peek,
    read: async (key, fetchValue) => {
      const found = peek(key);
      if (found !== null) return found;
      if (!isListening()) return await fetchValue();

      const shared = loading.get(key);
      if (shared !== undefined) return await shared;
      const own = load(key, fetchValue).finally(() => {
        if (loading.get(key) === own) loading.delete(key);
      });
      loading.set(key, own);
      return await own;
    },
    forget: (matches) => {
      generation += 1;
      loading.clear();
      if (matches === undefined) kept.clear();
      else for (const [key, { value }] of kept) if (matches(value)) kept.delete(key);
    },
  };
}

/** The name of the session cookie at that public origin. */
export function sessionCookieName(origin: string): string {
  return `${origin.startsWith('https:') ? '__Secure-' : ''}sharebook.session_token`;
}

/** The secret that signs session cookies. Throws when it is missing or short. */
export function readAuthSecret(): string {
  const secret = process.env.SHAREBOOK_AUTH_SECRET ?? '';
  if (secret.length < 32)
    throw new Error('SHAREBOOK_AUTH_SECRET is missing or shorter than 32 characters; `npm start` creates and stores one.');
  return secret;
}

/** What is stored of a session's token. Hex. */
export function digestToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** The digest of the token in a session cookie as the browser sent it, decoded; null when we didn't sign it. */
export function digestSigned(cookie: string, secret: string): string | null {
  const dot = cookie.lastIndexOf('.');
  if (dot < 1) return null;
  const token = cookie.slice(0, dot);
  const signature = Buffer.from(cookie.slice(dot + 1), 'base64');
  const expected = createHmac('sha256', secret).update(token).digest();
  return signature.length === expected.length && timingSafeEqual(signature, expected) ? digestToken(token) : null;
}
