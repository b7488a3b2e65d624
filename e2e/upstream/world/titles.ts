/** A title of the service, as others may send coins to it. */
export interface Title {
  gameId: string;
  name: string;
  type: 'game' | 'pcstore' | 'platform';
  status: 'live' | 'testing';
  currency: { id: number; name: string; symbol: string };
}

const LUMENS = { id: 311, name: 'Lumens', symbol: 'LUM' } as const;

/** Every title. The last four have no calls of their own: coins can only be sent to them, or not. */
const TITLES: readonly Title[] = [
  { gameId: '41207', name: 'Starfall', type: 'game', status: 'live', currency: LUMENS },
  { gameId: '90417', name: 'Starfall', type: 'game', status: 'live', currency: LUMENS },
  { gameId: '41300', name: 'Emberfall', type: 'game', status: 'live', currency: { id: 318, name: 'Embers', symbol: 'EMB' } },
  { gameId: '41400', name: 'Harbour Store', type: 'pcstore', status: 'live', currency: { id: 324, name: 'Crowns', symbol: 'CRW' } },
  { gameId: '41500', name: 'Northlight', type: 'platform', status: 'live', currency: { id: 325, name: 'Points', symbol: 'PTS' } },
  { gameId: '41600', name: 'Tidewatch', type: 'game', status: 'testing', currency: { id: 326, name: 'Pearls', symbol: 'PRL' } },
  { gameId: '41700', name: 'Moonhaven', type: 'game', status: 'live', currency: { id: 327, name: 'Moons', symbol: 'MNS' } },
];

/** The only title that the allowlist of 41207 names. */
export const LINKED_GAME_IDS: readonly string[] = ['41300'];

/** The titles of the caller's environment, its own first: the sandbox has no other, and production none of the sandbox's. */
export function titlesFor(fromGame: string): Title[] {
  const isOwn = ({ gameId }: Title): boolean => gameId === fromGame;
  const others = fromGame === '90417' ? [] : TITLES.filter((title) => !isOwn(title) && title.gameId !== '90417');
  return [...TITLES.filter(isOwn), ...others];
}

/** The coins of a game; Lumens of one that isn't listed. */
export function currencyOf(gameId: string): Title['currency'] {
  return TITLES.find((title) => title.gameId === gameId)?.currency ?? LUMENS;
}
