import { findAccountMap } from '#db/journals/reads.ts';
import { insertAccountMap } from '#db/journals/writes.ts';
import { inClientTransaction } from '#db/kit/client.ts';
import { lockPreparer, type PreparerRefusal, recordPayoutAudit } from '#db/payouts/writes/run-states.ts';
import { digestOf } from '../core/canonical-digest.ts';
import type { Actor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { type AccountMap, listShared, type MappingError, readTypedAccounts } from './rules/account-map.ts';

export type AccountsSet =
  | { ok: true; mapNo: number; isChanged: boolean; shared: ReturnType<typeof listShared> }
  | { ok: false; reason: PreparerRefusal | 'changed' }
  | { ok: false; reason: 'invalid'; errors: Record<string, MappingError> };

/** Sets what the accounts of a game are called in its books, under a new number. Refused when another person set them since `seenMapNo`. */
export async function setAccounts(
  game: Pick<OpenGame, 'db' | 'pool' | 'gameId'>,
  actor: Actor,
  { seenMapNo, typed }: { seenMapNo: number; typed: Readonly<Record<string, string | undefined>> },
): Promise<AccountsSet> {
  const read = readTypedAccounts(typed);
  if ('errors' in read) return { ok: false, reason: 'invalid', errors: read.errors };
  const { accounts } = read;
  const shared = listShared(accounts);
  return await inClientTransaction(game.pool, async (client): Promise<AccountsSet> => {
    const refusal = await lockPreparer(client, game.gameId, actor);
    if (refusal !== null) return { ok: false, reason: refusal };
    const known: AccountMap = await findAccountMap(client, game.gameId);
    if (known.mapNo !== seenMapNo) return { ok: false, reason: 'changed' };
    if (digestOf(known.accounts).equals(digestOf(accounts.accounts))) return { ok: true, mapNo: seenMapNo, isChanged: false, shared };
    if (!(await insertAccountMap(client, { gameId: game.gameId, seenMapNo, accounts, setBy: actor.id })))
      return { ok: false, reason: 'changed' };
    const subject = `account map ${seenMapNo + 1}`;
    await recordPayoutAudit(
      client,
      { gameId: game.gameId, actor: actor.email, act: 'set the accounts of journals', subject },
      { ...accounts },
    );
    return { ok: true, mapNo: seenMapNo + 1, isChanged: true, shared };
  });
}
