import 'server-only';
import { listStoredGames, type StoredGame } from '#db/games/reads.ts';
import { type Listener, type ListenerOptions, startListener } from '#db/kit/listen.ts';
import type { Db } from '#db/kit/open.ts';
import { findSignedIn, type SignedInPerson } from '#db/people/reads.ts';
import { createShortCache } from './short-cache.ts';

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
 * Opens the memory of one process. It keeps what it read for five seconds at most, and only while its LISTEN connection stands: triggers
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
      from === 'cache'
        ? await people.read(tokenDigest, () => loadPerson(tokenDigest))
        : ((await findSignedIn(db, tokenDigest, { withGames: false }))?.person ?? null),
    listGames: async (from) =>
      from === 'cache' ? ((await games.read(GAMES, () => listStoredGames(db))) ?? []) : await listStoredGames(db),
    isListening,
    stop: () => listener.stop(),
  };
}
