import { sql } from 'kysely';
import { type Db, firstInstant, inTransaction } from '#db/kit/open.ts';
import { ERASED_ENTRY } from '#lib/evidence/writes/erasures.ts';
import { holdErasures } from '#lib/evidence/writes/hold-erasures.ts';
import { type BalanceOutcome, joinBalances, type WalletBalance } from '../rules/balance-job.ts';
import { BALANCE_JOBS, type BalanceLease } from './balance-queue.ts';

/** A player as they are stored, with what they hold. */
interface StoredWallet {
  playerId: string | null;
  playerName: string | null;
  identityId: string | null;
  lastUpdated: string | null;
  balances: readonly WalletBalance[];
}

/** What was learned of one address of a list. */
export interface AnsweredEntry {
  entryNo: number;
  outcome: Exclude<BalanceOutcome, 'asked'>;
  reason: string | null;
  wallet: StoredWallet | null;
}

/** An address that is to be requested. */
export interface UnrequestedAddress {
  entryNo: number;
  email: string;
}

/** Lists the next addresses of a job that were not requested, in their order. */
export async function listUnrequested(db: Db, { gameId, balanceJobId }: BalanceLease, limit: number): Promise<UnrequestedAddress[]> {
  const rows = await db
    .selectFrom('balance_entry')
    .select(['entry_no as entryNo', 'email'])
    .where('game_id', '=', gameId)
    .where('balance_job_id', '=', balanceJobId)
    .where('outcome', '=', 'asked')
    .orderBy('entry_no')
    .limit(limit)
    .execute();
  return rows.map(({ entryNo, email }) => ({ entryNo, email: email ?? '' }));
}

/** Counts the addresses of a job that were not requested. */
export async function countUnrequested(db: Db, { gameId, balanceJobId }: BalanceLease): Promise<number> {
  const row = await db
    .selectFrom('balance_entry')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('game_id', '=', gameId)
    .where('balance_job_id', '=', balanceJobId)
    .where('outcome', '=', 'asked')
    .executeTakeFirstOrThrow();
  return row.count;
}

/**
 * Stores the answer to one batch whole, with the counts it adds, so that a process that dies afterwards leaves nothing to ask twice.
 * Throws `LeaseLost` when another process has the job.
 */
export async function storeBatch(
  db: Db,
  lease: BalanceLease,
  entries: readonly AnsweredEntry[],
  extra: { strangers: number; repeated: number },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const erased = await holdErasures(trx, lease.gameId);
    const entryNos = entries.map(({ entryNo }) => entryNo);
    const rows = entries.map(({ entryNo, outcome, reason, wallet }) => [entryNo, outcome, reason, ...identityOf(wallet)]);
    const { rows: stored } = await sql<{
      entry_no: number;
    }>`update balance_entry e set outcome = row->>1, reason = row->>2, player_id = row->>3, player_name = row->>4, identity_id = row->>5,
        last_updated = row->>6, read_at = clock_now()
      from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) as row
      where e.game_id = ${lease.gameId} and e.balance_job_id = ${lease.balanceJobId} and e.entry_no = (row->>0)::int
        and e.entry_no between ${Math.min(...entryNos)} and ${Math.max(...entryNos)} and e.outcome = 'asked'
      returning e.entry_no`.execute(trx);
    // An address whose person was erased meanwhile has its outcome.
    const open = new Set(stored.map(({ entry_no }) => entry_no));
    const answered = entries.filter(({ entryNo }) => open.has(entryNo));
    const countOf = (outcome: BalanceOutcome): number => answered.filter((entry) => entry.outcome === outcome).length;
    await BALANCE_JOBS.update(trx, lease, {
      ...adding({ found_count: countOf('found'), unknown_count: countOf('unknown'), unanswered_count: countOf('unanswered') }),
      ...adding({ stranger_count: extra.strangers, repeated_count: extra.repeated }),
      read_until: sql<string>`clock_now()`,
    });
    await insertHeld(trx, lease, answered);
    await blankEntries(trx, lease, answered.filter(isOneOf(erased)));
  });
}

/** A player of the stream. `key`: as `entry_key`. */
export interface StreamedPlayer {
  key: string;
  email: string | null;
  wallet: StoredWallet;
  /** A record of one currency: it adds to what came of the player before, where another record replaces it. */
  isFlat: boolean;
}

/**
 * Stores players of a stream, the next from `stored` on; of one met before the later figures replace the earlier ones, of a flat record those of its
 * currency. `unreadable` records are counted. Returns the last position given; the one of a player met before stays empty. Throws `LeaseLost` when another
 * process has the job.
 */
export async function storeStreamed(
  db: Db,
  lease: BalanceLease,
  players: readonly StreamedPlayer[],
  { unreadable, receivedBytes, stored }: { unreadable: number; receivedBytes: number; stored: number },
): Promise<number> {
  const { newest, replacedCount } = joinRecords(players);
  return await inTransaction(db, async (trx) => {
    const erased = await holdErasures(trx, lease.gameId);
    const rows = newest.map(({ key, email, wallet }, index) => [stored + index + 1, key, email, ...identityOf(wallet)]);
    const { rows: placed } = await sql<{ entry_key: string; entry_no: number }>`insert into balance_entry
        (game_id, balance_job_id, entry_no, entry_key, email, outcome, player_id, player_name, identity_id, last_updated, read_at)
      select ${lease.gameId}::int, ${lease.balanceJobId}::bigint, (row->>0)::int, row->>1, row->>2, 'found', row->>3, row->>4, row->>5, row->>6, clock_now()
      from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) as row
      on conflict (game_id, balance_job_id, entry_key) do update set email = excluded.email, player_name = excluded.player_name,
        identity_id = excluded.identity_id, last_updated = excluded.last_updated, read_at = excluded.read_at
      returning entry_key, entry_no`.execute(trx);
    const entryNoByKey = new Map(placed.map(({ entry_key, entry_no }) => [entry_key, entry_no]));
    const known = [...entryNoByKey.values()].filter((entryNo) => entryNo <= stored);
    const earlier = await listHeld(trx, lease, known);
    const joined = newest.map(({ key, wallet, isFlat }) => {
      const entryNo = entryNoByKey.get(key) ?? 0;
      const before = earlier.get(entryNo) ?? [];
      if (!isFlat) return { entryNo, wallet, replacedCount: entryNo <= stored ? 1 : 0 };
      const { balances, replacedCount: replaced } = joinBalances(before, wallet.balances);
      return { entryNo, wallet: { ...wallet, balances }, replacedCount: replaced };
    });
    await BALANCE_JOBS.update(trx, lease, {
      ...adding({ found_count: newest.length - known.length, unanswered_count: unreadable }),
      ...adding({ repeated_count: joined.reduce((sum, each) => sum + each.replacedCount, replacedCount) }),
      received_bytes: receivedBytes,
      read_until: sql<string>`clock_now()`,
    });
    if (known.length > 0)
      await trx
        .deleteFrom('balance_held')
        .where('game_id', '=', lease.gameId)
        .where('balance_job_id', '=', lease.balanceJobId)
        .where('entry_no', 'in', known)
        .execute();
    await insertHeld(trx, lease, joined);
    await blankEntries(trx, lease, joined.filter(isOneOf(erased)));
    return stored + newest.length;
  });
}

function isOneOf(erased: ReadonlySet<number>): (entry: { wallet: StoredWallet | null }) => boolean {
  const playerIds = new Set(Array.from(erased, String));
  return ({ wallet }) => wallet !== null && wallet.playerId !== null && playerIds.has(wallet.playerId);
}

/** What Invo reports of an erased person is stored without what names them. */
async function blankEntries(trx: Db, { gameId, balanceJobId }: BalanceLease, entries: readonly { entryNo: number }[]): Promise<void> {
  if (entries.length === 0) return;
  await sql`update balance_entry set ${sql.raw(ERASED_ENTRY)} where game_id = ${gameId}::int and balance_job_id = ${balanceJobId}::bigint
    and entry_no = any(${entries.map(({ entryNo }) => entryNo)}::int[])`.execute(trx);
}

/** The players of one part, each once; `replacedCount`: how many records or figures a later one replaced. */
function joinRecords(players: readonly StreamedPlayer[]): { newest: StreamedPlayer[]; replacedCount: number } {
  const newest = new Map<string, StreamedPlayer>();
  let replacedCount = 0;
  for (const player of players) {
    const before = newest.get(player.key);
    if (before === undefined || !player.isFlat) {
      replacedCount += before === undefined ? 0 : 1;
      newest.set(player.key, player);
      continue;
    }
    const joined = joinBalances(before.wallet.balances, player.wallet.balances);
    replacedCount += joined.replacedCount;
    newest.set(player.key, { ...player, wallet: { ...player.wallet, balances: joined.balances }, isFlat: before.isFlat });
  }
  return { newest: [...newest.values()], replacedCount };
}

/** What players of a job hold, by their positions, in the order received. */
async function listHeld(
  trx: Db,
  { gameId, balanceJobId }: BalanceLease,
  entryNos: readonly number[],
): Promise<Map<number, WalletBalance[]>> {
  if (entryNos.length === 0) return new Map();
  const rows = await trx
    .selectFrom('balance_held')
    .select(['entry_no', 'currency_id as currencyId', 'currency_name as currencyName', 'available_balance as available'])
    .select(['reserved_balance as reserved', 'total_balance as total'])
    .where('game_id', '=', gameId)
    .where('balance_job_id', '=', balanceJobId)
    .where('entry_no', 'in', entryNos)
    .orderBy('entry_no')
    .orderBy('position')
    .execute();
  const held = Map.groupBy(rows, ({ entry_no }) => entry_no);
  return new Map([...held].map(([position, countOf]) => [position, countOf.map(({ entry_no: _, ...balance }) => balance)]));
}

/** Records when the first answer of a job was requested. Throws `LeaseLost` when another process has the job. */
export async function startReading(db: Db, lease: BalanceLease): Promise<void> {
  await BALANCE_JOBS.update(db, lease, { read_from: firstInstant('read_from') });
}

async function insertHeld(
  trx: Db,
  lease: BalanceLease,
  entries: readonly { entryNo: number; wallet: StoredWallet | null }[],
): Promise<void> {
  const held = entries.flatMap(({ entryNo, wallet }) =>
    (wallet?.balances ?? []).map(({ currencyId, currencyName, available, reserved, total }, index) => [
      entryNo,
      index + 1,
      currencyId,
      currencyName,
      available,
      reserved,
      total,
    ]),
  );
  if (held.length === 0) return;
  // Amounts are text inside the JSON, so that no digit is lost.
  await sql`insert into balance_held (game_id, balance_job_id, entry_no, position, currency_id, currency_name, available_balance, reserved_balance,
      total_balance)
    select ${lease.gameId}::int, ${lease.balanceJobId}::bigint, (row->>0)::int, (row->>1)::int, row->>2, row->>3, (row->>4)::numeric, (row->>5)::numeric, (row->>6)::numeric
    from jsonb_array_elements(${JSON.stringify(held)}::jsonb) as row`.execute(trx);
}

function identityOf(wallet: StoredWallet | null): (string | null)[] {
  return [wallet?.playerId ?? null, wallet?.playerName ?? null, wallet?.identityId ?? null, wallet?.lastUpdated ?? null];
}

function adding<Column extends string>(counts: Record<Column, number>): Record<Column, ReturnType<typeof sql<number>>> {
  const changes = Object.entries<number>(counts).map(([column, count]) => [column, sql<number>`${sql.ref(column)} + ${count}`]);
  // Guarantee of the cast: the same keys as `counts`.
  return Object.fromEntries(changes) as Record<Column, ReturnType<typeof sql<number>>>;
}
