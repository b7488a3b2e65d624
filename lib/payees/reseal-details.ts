import { type Db, inTransaction } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { countByKey, listSealedUnder } from './reads/detail-keys.ts';
import { fingerprintOf, nameKey, openSealed, type PayeeKey, sealEntries } from './seal.ts';
import { updateSeals } from './writes.ts';

/** How many payment details of a game were resealed, were under the new key already, and open under neither key. */
export interface Resealed {
  done: number;
  already: number;
  neither: number;
}

const ROWS_AT_ONCE = 500;

/**
 * Seals every detail of a game that is under the key `previous` under `key`, with its fingerprint. Each batch is committed, so a run that was stopped is
 * run again. The database allows it to the owner of the table only. The audit has each run before its first change.
 */
export async function resealDetails(
  db: Db,
  gameId: number,
  { previous, key }: { previous: PayeeKey; key: PayeeKey },
  onProgress: (count: number) => void = () => undefined,
): Promise<Resealed> {
  const [from, to] = [nameKey(previous), nameKey(key)];
  const counts = await countByKey(db, gameId);
  const [waiting, already] = [counts.get(from) ?? 0, counts.get(to) ?? 0];
  let neither = [...counts.values()].reduce((sum, count) => sum + count, 0) - waiting - already;
  if (waiting > 0)
    await recordAudit(db, {
      gameId,
      actor: 'command line',
      act: 'sealed payment details under another key',
      subject: 'payment details',
      detail: { from, to, details: waiting },
    });
  let done = 0;
  for (let after = { recipientId: 0, detailNo: 0 }; ; ) {
    const batch = await inTransaction(db, async (tx) => {
      const rows = await listSealedUnder(tx, gameId, { keyName: from, after, limit: ROWS_AT_ONCE });
      const seals = rows.flatMap((row) => {
        const opened = openSealed(row.sealed, row, previous);
        if (opened === null) return [];
        const fingerprint = opened.account === null ? null : fingerprintOf(opened.account, gameId, key);
        return [{ ...row, keyName: to, fingerprint, sealed: sealEntries(opened, { ...row, fingerprint }, key) }];
      });
      await updateSeals(tx, gameId, seals);
      return { last: rows.at(-1), count: rows.length, resealed: seals.length };
    });
    if (batch.last === undefined) return { done, already, neither };
    after = batch.last;
    done += batch.resealed;
    neither += batch.count - batch.resealed;
    onProgress(done);
  }
}
