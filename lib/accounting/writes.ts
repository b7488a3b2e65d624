import { type RawBuilder, sql } from 'kysely';
import { nextNumber } from '#db/kit/next-number.ts';
import type { Db } from '#db/kit/open.ts';
import type { StoredAccounts } from './rules/account-map.ts';
import type { JournalKind, Transfer } from './rules/journal.ts';

/** Stores a journal with its transfers, as the newest of its game. The caller holds `lockRunsOf`. */
export async function insertJournal(
  tx: Db,
  journal: {
    gameId: number;
    runId: number;
    journalNo: string;
    kind: JournalKind;
    postedOn: string;
    writtenBy: string;
    transfers: Transfer[];
  },
): Promise<void> {
  const { gameId, runId, journalNo, kind, postedOn, writtenBy, transfers } = journal;
  const entryNo = await nextNumber(tx, 'journal_entry', 'entry_no', sql`game_id = ${gameId}`);
  await sql`
    insert into journal_entry (game_id, entry_no, journal_no, kind, run_id, posted_on, written_by)
    values (${gameId}, ${entryNo}, ${journalNo}, ${kind}, ${runId},
      ${postedOn}, ${writtenBy})`.execute(tx);
  const columnOf = (key: keyof Transfer): RawBuilder<unknown> => sql`${transfers.map((transfer) => transfer[key])}::text[]`;
  await sql`
    insert into journal_transfer (game_id, entry_no, transfer_no, kind, debit, credit, exact_usd, posted_usd)
    select ${gameId}::int, ${entryNo}::int, transfer_no, kind, debit, credit, exact_usd, posted_usd
    from unnest(${columnOf('kind')}, ${columnOf('debit')}, ${columnOf('credit')}, ${columnOf('exact_usd')}, ${columnOf('posted_usd')})
      with ordinality as t (kind, debit, credit, exact_text, posted_text, transfer_no)
      cross join lateral (select exact_text::usd as exact_usd, posted_text::whole_cents as posted_usd) amounts`.execute(tx);
}

/** Stores the accounts of a game under the next number; false: another person took it since `seenMapNo`. */
export async function insertAccountMap(
  tx: Db,
  { gameId, seenMapNo, accounts, setBy }: { gameId: number; seenMapNo: number; accounts: StoredAccounts; setBy: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into account_map (game_id, map_no, accounts, set_by)
    select ${gameId}::int, ${seenMapNo}::int + 1, ${JSON.stringify(accounts)}, ${setBy}
    where ${seenMapNo} = (select coalesce(max(map_no), 0) from account_map where game_id = ${gameId})
    on conflict do nothing returning map_no`.execute(tx);
  return rows.length === 1;
}
