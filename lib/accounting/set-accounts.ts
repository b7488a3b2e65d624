import { recordAudit } from '#lib/audit/writes.ts';
import { digestOf } from '#lib/core/canonical-digest.ts';
import type { Actor } from '#lib/core/roles.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import { asPreparer, type PreparerRefusal } from '#lib/payouts/writes/run-states.ts';
import { findAccountMap } from './reads.ts';
import { type AccountMap, listShared, type MappingError, readTypedAccounts } from './rules/account-map.ts';
import { insertAccountMap } from './writes.ts';

export type AccountsResult =
  | { ok: true; mapNo: number; isChanged: boolean; shared: ReturnType<typeof listShared> }
  | { ok: false; reason: PreparerRefusal | 'changed' }
  | { ok: false; reason: 'invalid'; errors: Record<string, MappingError> };

/** Sets what the accounts of a game are called in its books, under a new number. Refused when another person set them since `seenMapNo`. */
export async function setAccounts(
  game: Pick<OpenGame, 'db' | 'gameId'>,
  actor: Actor,
  { seenMapNo, typed }: { seenMapNo: number; typed: Readonly<Record<string, string | undefined>> },
): Promise<AccountsResult> {
  const read = readTypedAccounts(typed);
  if ('errors' in read) return { ok: false, reason: 'invalid', errors: read.errors };
  const { accounts } = read;
  const shared = listShared(accounts);
  return await asPreparer(game, actor, async (tx): Promise<AccountsResult> => {
    const known: AccountMap = await findAccountMap(tx, game.gameId);
    if (known.mapNo !== seenMapNo) return { ok: false, reason: 'changed' };
    if (digestOf(known.accounts).equals(digestOf(accounts.accounts))) return { ok: true, mapNo: seenMapNo, isChanged: false, shared };
    if (!(await insertAccountMap(tx, { gameId: game.gameId, seenMapNo, accounts, setBy: actor.id })))
      return { ok: false, reason: 'changed' };
    const entry = { act: 'set the accounts of journals' as const, subject: `account map ${seenMapNo + 1}`, detail: { ...accounts } };
    await recordAudit(tx, { gameId: game.gameId, actor: actor.email, ...entry });
    return { ok: true, mapNo: seenMapNo + 1, isChanged: true, shared };
  });
}
