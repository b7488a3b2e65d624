import type { Environment } from '../model.ts';

/** A title of the service, as others may send coins to it. */
export interface Tenant {
  gameId: string;
  name: string;
  type: 'game' | 'pcstore' | 'platform';
  status: 'live' | 'testing';
  currency: { id: number; name: string; symbol: string };
  /** Whose calls and wallets are its own; null: it has none. */
  environment: Environment | null;
}

const LUMENS = { id: 311, name: 'Lumens', symbol: 'LUM' } as const;

/** Every title. The last four have no calls of their own: coins can only be sent to them, or not. */
const TENANTS: readonly Tenant[] = [
  { gameId: '41207', name: 'Starfall', type: 'game', status: 'live', currency: LUMENS, environment: 'production' },
  { gameId: '90417', name: 'Starfall', type: 'game', status: 'live', currency: LUMENS, environment: 'sandbox' },
  {
    gameId: '41300',
    name: 'Emberfall',
    type: 'game',
    status: 'live',
    currency: { id: 318, name: 'Embers', symbol: 'EMB' },
    environment: 'emberfall',
  },
  {
    gameId: '41400',
    name: 'Harbour Store',
    type: 'pcstore',
    status: 'live',
    currency: { id: 324, name: 'Crowns', symbol: 'CRW' },
    environment: null,
  },
  {
    gameId: '41500',
    name: 'Northlight',
    type: 'platform',
    status: 'live',
    currency: { id: 325, name: 'Points', symbol: 'PTS' },
    environment: null,
  },
  {
    gameId: '41600',
    name: 'Tidewatch',
    type: 'game',
    status: 'testing',
    currency: { id: 326, name: 'Pearls', symbol: 'PRL' },
    environment: null,
  },
  {
    gameId: '41700',
    name: 'Moonhaven',
    type: 'game',
    status: 'live',
    currency: { id: 327, name: 'Moons', symbol: 'MNS' },
    environment: null,
  },
];

/** The only title that the allowlist of 41207 names. */
export const LINKED_GAME_IDS: readonly string[] = ['41300'];

/** A title by its id, among those of the caller's environment. */
export function findTenant(gameId: string, fromGame: string): Tenant | null {
  return tenantsFor(fromGame).find((title) => title.gameId === gameId) ?? null;
}

/** Whose wallets a game's are; null: it has none here. */
export function environmentOf(gameId: string): Environment | null {
  return TENANTS.find((title) => title.gameId === gameId)?.environment ?? null;
}

/** The titles of the caller's environment, its own first: the sandbox has no other, and production none of the sandbox's. */
export function tenantsFor(fromGame: string): Tenant[] {
  const isOwn = ({ gameId }: Tenant): boolean => gameId === fromGame;
  const others = fromGame === '90417' ? [] : TENANTS.filter((title) => !isOwn(title) && title.gameId !== '90417');
  return [...TENANTS.filter(isOwn), ...others];
}

/** The coins of a game; Lumens of one that isn't listed. */
export function currencyOf(gameId: string): Tenant['currency'] {
  return TENANTS.find((title) => title.gameId === gameId)?.currency ?? LUMENS;
}
