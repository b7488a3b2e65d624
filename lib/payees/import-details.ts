import { randomUUID } from 'node:crypto';
import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { lockRunsOf } from '#lib/games/writes.ts';
import { asPreparer, type PreparerRefusal } from '#lib/payouts/writes/run-states.ts';
import { findPackedName } from '../core/packed-file.ts';
import { parseUploadedCsvInSteps } from '../core/parse-uploaded-csv.ts';
import type { Actor } from '../core/roles.ts';
import { mapInSteps, runInTurns, type Steps } from '../core/steps.ts';
import { parseNumericId } from '../core/typed-input.ts';
import type { OpenGame } from '../games/open-game.ts';
import { findKeyRefusal, type KeyRefusal } from './find-key-refusal.ts';
import { isSame, REASON_MAX, sealFor } from './propose-details.ts';
import { findStoredPayees, type StoredPayee } from './reads/payee-details.ts';
import { checkDetails } from './rules/check-details.ts';
import { type CheckedDetails, DETAIL_FIELDS, type DetailField, METHODS } from './rules/details.ts';
import {
  FILE_BYTES_MAX,
  FILE_ROWS_MAX,
  type FileError,
  type ImportChange,
  type ImportPreview,
  REPORTED_MAX,
  type RowError,
  SHOWN_MAX,
} from './rules/import-file.ts';
import { namesAccount, parseSharedNote } from './rules/names-account.ts';
import { digestSet, digestShown, type PayeeKey } from './seal.ts';
import { formatAccount } from './text.ts';
import { insertDetails } from './writes.ts';

/** A file that can be imported, or what is wrong with it. Nothing is stored of a file with an error. */
export type ImportPlan =
  | { ok: true; rows: PlannedRow[]; shown: string }
  | { ok: false; reason: 'file'; error: FileError }
  | { ok: false; reason: 'rows'; errors: RowError[]; count: number }
  | KeyRefusal;

/** What a row of a file would change. */
interface PlannedRow {
  line: number;
  change: ImportChange;
  payee: StoredPayee;
  details: CheckedDetails;
}

interface ParsedRow {
  line: number;
  recipientId: number;
  details: CheckedDetails;
}

/** Plans what an import of a CSV file would change. Stores nothing. */
export async function findImportPlan(db: Db, gameId: number, key: PayeeKey | null, bytes: Uint8Array): Promise<ImportPlan> {
  const parsed = await runInTurns(parseRowsInSteps(bytes));
  if (!parsed.ok) return { ok: false, reason: 'file', error: parsed.error };
  const refusal = await findKeyRefusal(db, key);
  if (refusal !== null || key === null) return refusal ?? { ok: false, reason: 'no_key' };
  const errors = [...parsed.errors];
  const stored = await findStoredPayees(
    db,
    gameId,
    parsed.rows.map(({ recipientId }) => recipientId),
  );
  const plan = mapInSteps(parsed.rows, ({ line, recipientId, details }): PlannedRow[] => {
    const payee = stored.get(recipientId);
    if (payee === undefined) errors.push({ line, column: 'recipient_player_id', problem: 'unknown_recipient' });
    else if (payee.openNo !== null) errors.push({ line, column: 'recipient_player_id', problem: 'another_waits' });
    else return [{ line, change: changeOf(gameId, payee, details, key), payee, details }];
    return [];
  });
  const rows = (await runInTurns(plan)).flat();
  if (errors.length === 0) return { ok: true, rows, shown: digestPlan(rows, key) };
  return {
    ok: false,
    reason: 'rows',
    errors: errors.toSorted((one, other) => one.line - other.line).slice(0, REPORTED_MAX),
    count: errors.length,
  };
}

/** The digest of what a plan changes, in full: what a person is shown is bound by it. */
function digestPlan(rows: readonly PlannedRow[], key: PayeeKey): string {
  const changed = rows.filter(({ change }) => change !== 'unchanged');
  return digestShown(
    changed.map(({ change, payee: { recipientId, nextNo, identityId, inForce }, details }) => [
      [recipientId, nextNo, identityId, change],
      inForce === null ? null : [inForce.detailNo, inForce.method, inForce.mask, inForce.identityId],
      [details.method, details.holderKind, details.country, details.mask, details.entries],
    ]),
    key,
  );
}

/** A plan as a person checks it: accounts masked, the first rows that change something, and how many there are of each kind. */
export function previewOf({ rows, shown }: Pick<Extract<ImportPlan, { ok: true }>, 'rows' | 'shown'>, limit = SHOWN_MAX): ImportPreview {
  const counts = { new: 0, changed: 0, identity: 0, unchanged: 0 };
  for (const { change } of rows) counts[change] += 1;
  const changed = rows.filter(({ change }) => change !== 'unchanged').slice(0, limit);
  return {
    counts,
    shown,
    rows: changed.map(({ line, change, payee: { recipientId, inForce }, details }) => ({
      line,
      recipientId,
      change,
      before: inForce === null ? null : formatAccount(inForce),
      after: formatAccount(details),
    })),
  };
}

function changeOf(gameId: number, payee: StoredPayee, details: CheckedDetails, key: PayeeKey): ImportChange {
  if (payee.inForce === null) return 'new';
  if (isSame(gameId, payee, details, key)) return 'unchanged';
  return payee.inForce.identityId === payee.identityId ? 'changed' : 'identity';
}

export type ImportResult =
  | { ok: true; changeSet: string; count: number }
  | Extract<ImportPlan, { ok: false }>
  | { ok: false; reason: PreparerRefusal | 'no_changes' | 'not_as_shown' | 'missing' | 'too_long' | 'account_in_reason' };

/**
 * Proposes everything a CSV file changes, as one set that a second person confirms. `shown`: the digest of the changes the person was shown; if
 * they are others now, nothing is stored.
 */
export async function importDetails(
  game: OpenGame,
  actor: Actor,
  key: PayeeKey | null,
  { bytes, reason, shown }: { bytes: Uint8Array; reason: string; shown: string },
): Promise<ImportResult> {
  const note = parseSharedNote(reason, REASON_MAX);
  if (!note.ok) return { ok: false, reason: note.reason === 'account' ? 'account_in_reason' : note.reason };
  if (key === null) return { ok: false, reason: 'no_key' };
  const { gameId } = game;
  return await asPreparer(game, actor, async (tx): Promise<ImportResult> => {
    await lockRunsOf(tx, gameId);
    const plan = await findImportPlan(tx, gameId, key, bytes);
    if (!plan.ok) return plan;
    const changed = plan.rows.filter(({ change }) => change !== 'unchanged');
    if (changed.length === 0) return { ok: false, reason: 'no_changes' };
    if (changed.some(({ details }) => namesAccount(note.text, details.entries))) return { ok: false, reason: 'account_in_reason' };
    if (plan.shown !== shown) return { ok: false, reason: 'not_as_shown' };
    const changeSet = randomUUID();
    const sealed = await runInTurns(mapInSteps(changed, ({ payee, details }) => sealFor(gameId, payee, details, key)));
    await insertDetails(tx, { gameId, changeSet, reason: note.text, proposedBy: actor.id }, sealed);
    await recordAudit(tx, {
      gameId,
      actor: actor.email,
      act: 'proposed payment details',
      subject: `import ${changeSet}`,
      // No digest of the file: a short one could be guessed, and an account with it.
      detail: { recipients: changed.length, digest: digestSet(sealed), reason: note.text },
    });
    return { ok: true, changeSet, count: changed.length };
  });
}

const COLUMNS: readonly string[] = ['recipient_player_id', 'method', ...DETAIL_FIELDS];

type ParsedFile = { ok: true; rows: ParsedRow[]; errors: RowError[] } | { ok: false; error: FileError };

/** Parses a file: a header that names its columns, and one row for each recipient. Every row with an error is listed. */
function* parseRowsInSteps(bytes: Uint8Array): Steps<ParsedFile> {
  const packed = findPackedName(bytes);
  if (packed !== null) return { ok: false, error: { kind: 'packed', name: packed } };
  const options = { bytesMax: FILE_BYTES_MAX, recordsMax: FILE_ROWS_MAX + 1, delimiter: 'detect' } as const;
  const { records, error } = yield* parseUploadedCsvInSteps(bytes, options);
  if (error !== null) return { ok: false, error };
  const [header, ...rows] = records;
  if (header === undefined) return { ok: false, error: { kind: 'empty' } };
  const columns = header.cells.map((cell) => cell.trim().toLowerCase());
  const missing = ['recipient_player_id', 'method'].find((name) => !columns.includes(name));
  if (missing !== undefined) return { ok: false, error: { kind: 'missing_column', column: missing } };
  const unknown = columns.find((name, index) => !COLUMNS.includes(name) || columns.indexOf(name) !== index);
  if (unknown !== undefined)
    return { ok: false, error: { kind: COLUMNS.includes(unknown) ? 'column_twice' : 'unknown_column', column: unknown.slice(0, 40) } };
  if (rows.length === 0) return { ok: false, error: { kind: 'empty' } };
  const [parsed, errors]: [ParsedRow[], RowError[]] = [[], []];
  const lines = new Map<number, number>();
  for (const row of yield* mapInSteps(rows, ({ line, cells }) => parseRow(columns, line, cells))) {
    const { line } = row;
    if ('problem' in row) errors.push(row);
    else if (lines.has(row.recipientId))
      errors.push({ line, column: 'recipient_player_id', problem: 'twice', first: lines.get(row.recipientId) ?? 0 });
    else {
      lines.set(row.recipientId, line);
      parsed.push(row);
    }
  }
  return { ok: true, rows: parsed, errors };
}

function parseRow(columns: readonly string[], line: number, cells: readonly string[]): ParsedRow | RowError {
  if (cells.length !== columns.length)
    return { line, column: 'recipient_player_id', problem: cells.length > columns.length ? 'too_many_cells' : 'too_few_cells' };
  const cell = (name: string): string => (cells[columns.indexOf(name)] ?? '').trim();
  const recipientId = parseNumericId(cell('recipient_player_id'));
  if (recipientId === null) return { line, column: 'recipient_player_id', problem: 'not_an_id' };
  const method = METHODS.find((each) => each === cell('method').toLowerCase());
  if (method === undefined) return { line, column: 'method', problem: 'unknown_method' };
  const typed = Object.fromEntries(columns.flatMap((name) => (isField(name) ? [[name, cell(name)]] : [])));
  const checked = checkDetails(method, typed);
  return checked.ok ? { line, recipientId, details: checked.details } : { line, column: checked.field, problem: checked.problem };
}

function isField(name: string): name is DetailField {
  return DETAIL_FIELDS.some((field) => field === name);
}
