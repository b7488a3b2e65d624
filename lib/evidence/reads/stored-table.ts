import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { maskEmail } from '#lib/core/mask-email.ts';
import { isEmailName } from '#lib/core/roles.ts';
import type { Addresses, ComparisonHead, SheetName, TableHead } from '../rules/sheets.ts';
import { parseSums } from './renditions.ts';

/** Lists the emails of the recipients of a snapshot, in full or masked; a name comes with them where it is an email too. */
export async function listAddresses(db: Db, gameId: number, snapshotId: number, canSeeEmails: boolean): Promise<Addresses> {
  const rows = await db
    .selectFrom('snapshot_recipient')
    .select(['recipient_player_id', 'player_email', 'player_name'])
    .where('game_id', '=', gameId)
    .where('snapshot_id', '=', snapshotId)
    .where((eb) => eb.or([eb('player_email', 'is not', null), eb('player_name', '~', '[@＠]')]))
    .execute();
  return reshapeAddresses(
    rows.map((row): AddressRow => [row.recipient_player_id, row.player_email, row.player_name]),
    canSeeEmails,
  );
}

/** The only code that masks an email of a table. */
function reshapeAddresses(rows: AddressRow[], canSeeEmails: boolean): Addresses {
  const show = (text: string): string => (canSeeEmails ? text : maskEmail(text));
  return Object.fromEntries(
    rows.map(([player, email, name]) => [
      player,
      { email: email === null ? null : show(email), ...(name !== null && isEmailName(name) ? { name: show(name) } : {}) },
    ]),
  );
}

/** What the page of a sheet in memory shows at once. */
export interface StoredTable {
  rowCount: number;
  sums: Record<string, string>;
  head: TableHead;
  /** Of the recipients, and whose emails are among the first rows; null: a sheet of lines. */
  comparison: ComparisonHead | null;
  addresses: Addresses;
}

/**
 * Finds the first rows of a sheet as they were stored with its snapshot, in one statement; null when they aren't: not rendered yet, too
 * many rows for a table in memory, or recipients whose comparison is being made again.
 */
export async function findStoredTable(
  db: Db,
  scope: { gameId: number; snapshotId: number; canSeeEmails: boolean },
  sheet: SheetName,
  version: number,
): Promise<StoredTable | null> {
  const { gameId, snapshotId } = scope;
  const ofRecipients = {
    columns: sql`, c.head as comparison, first.addresses`,
    joins: sql`join month_comparison c on c.game_id = ${gameId} and c.snapshot_id = r.snapshot_id and c.version = r.version
    left join lateral (
      select jsonb_agg(jsonb_build_array(p.recipient_player_id, p.player_email, p.player_name)) as addresses
      from jsonb_array_elements_text(r.head->'columns'->'recipient_player_id') with ordinality as shown (player, place)
      join snapshot_recipient p on p.game_id = ${gameId} and p.snapshot_id = r.snapshot_id and p.recipient_player_id = shown.player::bigint
    ) first on true`,
  };
  const { columns, joins } = sheet === 'recipients' ? ofRecipients : { columns: sql``, joins: sql`` };
  const { rows } = await sql<StoredTableRow>`
    select r.row_count, r.sums, r.head ${columns} from rendition r ${joins}
    where r.game_id = ${gameId} and r.snapshot_id = ${snapshotId} and r.sheet = ${sheet} and r.version = ${version} and r.head is not null`.execute(
    db,
  );
  const [row] = rows;
  if (!row) return null;
  return {
    rowCount: row.row_count,
    sums: parseSums(row.sums),
    head: row.head,
    comparison: row.comparison ?? null,
    addresses: reshapeAddresses(row.addresses ?? [], scope.canSeeEmails),
  };
}

// Head and comparison are written by the rules of one version, which the statement requires.
interface StoredTableRow {
  row_count: number;
  sums: unknown;
  head: TableHead;
  /** Of the recipients alone. */
  comparison?: ComparisonHead;
  addresses?: AddressRow[] | null;
}

type AddressRow = [player: number, email: string | null, name: string | null];
