import type { OpenGame } from '../games/open-game.ts';
import type { AddressError, AddressList } from './rules/address-list.ts';
import { parseAddresses } from './rules/parse-addresses.ts';
import { insertBalanceJob, stopBalanceJob } from './writes/balance-queue.ts';

export type BalancesRequested =
  /** `list`: null for every player. */
  | { ok: true; balanceJobId: number; list: AddressList | null }
  | { ok: false; reason: 'running' }
  | { ok: false; reason: 'list'; error: AddressError };

/** Whose balances: the addresses of a list, given as the bytes of its file, or every player. */
export type BalanceRequest = { scope: 'some'; bytes: Uint8Array } | { scope: 'all' };

/** Requests the balances of players. A list that can't be read in full is refused, and nothing is stored or sent. */
export async function requestBalances(
  { db, gameId }: Pick<OpenGame, 'db' | 'gameId'>,
  request: BalanceRequest,
  { requestedBy, owner }: { requestedBy: string; owner?: string },
): Promise<BalancesRequested> {
  const read = request.scope === 'some' ? parseAddresses(request.bytes) : null;
  if (read?.ok === false) return { ok: false, reason: 'list', error: read.error };
  const list = read?.list ?? null;
  const balanceJobId = await insertBalanceJob(db, { gameId, requestedBy, list, ...(owner === undefined ? {} : { owner }) });
  return balanceJobId === null ? { ok: false, reason: 'running' } : { ok: true, balanceJobId, list };
}

/** Stops a job of a game; what was read until then stays stored. False when it has already ended. */
export async function stopBalances(
  { db, gameId }: Pick<OpenGame, 'db' | 'gameId'>,
  balanceJobId: number,
  stoppedBy: string,
): Promise<boolean> {
  return await stopBalanceJob(db, gameId, balanceJobId, stoppedBy);
}
