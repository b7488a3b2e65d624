import type pg from 'pg';
import type { StoredAccounts } from '#lib/journals/rules/account-map.ts';
import type { JournalKind, Transfer } from '#lib/journals/rules/journal.ts';

/** Stores a journal with its transfers, as the newest of its game. The caller holds `lockRunsOf`. */
export async function insertJournal(
  client: pg.ClientBase,
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
  const { gameId, transfers } = journal;
  const { rows } = await client.query<{ entry_no: number }>(
    `insert into journal_entry (game_id, entry_no, journal_no, kind, run_id, posted_on, written_by)
     values ($1, (select coalesce(max(entry_no), 0) + 1 from journal_entry where game_id = $1), $2, $3, $4, $5, $6) returning entry_no`,
    [gameId, journal.journalNo, journal.kind, journal.runId, journal.postedOn, journal.writtenBy],
  );
  await client.query(
    `insert into journal_transfer (game_id, entry_no, transfer_no, kind, debit, credit, exact_usd, posted_usd)
     select $1, $2, transfer_no, kind, debit, credit, exact_usd, posted_usd
     from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
       with ordinality as t (kind, debit, credit, exact_text, posted_text, transfer_no)
       cross join lateral (select exact_text::usd as exact_usd, posted_text::whole_cents as posted_usd) amounts`,
    [
      gameId,
      rows[0]?.entry_no,
      transfers.map(({ kind }) => kind),
      transfers.map(({ debit }) => debit),
      transfers.map(({ credit }) => credit),
      transfers.map(({ exact_usd }) => exact_usd),
      transfers.map(({ posted_usd }) => posted_usd),
    ],
  );
}

/** Stores the accounts of a game under the next number; false: another person took it since `seenMapNo`. */
export async function insertAccountMap(
  client: pg.ClientBase,
  map: { gameId: number; seenMapNo: number; accounts: StoredAccounts; setBy: string },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into account_map (game_id, map_no, accounts, set_by)
     select $1, $2 + 1, $3, $4 where $2 = (select coalesce(max(map_no), 0) from account_map where game_id = $1)
     on conflict do nothing`,
    [map.gameId, map.seenMapNo, JSON.stringify(map.accounts), map.setBy],
  );
  return rowCount === 1;
}
