import type { Db } from '#db/kit/open.ts';
import { sumMoney } from '#lib/core/money.ts';
import { digestSlice } from '../digest.ts';
import { listResponses, loadSlice } from '../reads/slices.ts';
import { countMisplacedRows, findSliceRow } from '../reads/verification.ts';
import { COARSE_BASIS, countSheetRows, NO_IDENTITY, type SliceEvidence } from '../rules/evidence.ts';
import type { Findings } from '../rules/findings.ts';
import { allMatch, reconcileSlice } from '../rules/reconciliation/check-window.ts';
import { listDifferences, sumCounts } from '../rules/totals.ts';
import { readAnswer, rebuildSlice } from './rebuild.ts';

/** Rebuilds one slice from its raw responses and compares it with what is stored. Returns how many responses it has. */
export async function verifySlice(
  db: Db,
  gameId: number,
  sliceId: number,
  erased: ReadonlySet<number>,
  findings: Findings,
): Promise<number> {
  const head = await findSliceRow(db, gameId, sliceId);
  const stored = await loadSlice(db, gameId, sliceId);
  const responses = await listResponses(db, gameId, { sliceId });
  const answers = responses.flatMap((response) => readAnswer(findings, response) ?? []);
  const rebuilt = rebuildSlice({ start: head.window_start, end: head.window_end }, answers);
  for (const { report } of answers) findings.same('answer_of_the_pinned_game', head.invoGameId ?? 'none pinned', report.report.game_id);
  findings.same('slice_answers_kept', String(head.call_count), String(responses.length));
  findings.same('slice_notices', String(head.notice_count), String(answers.length));
  findings.same('slice_digest_of_rows', head.digest.toString('hex'), digestSlice(stored).toString('hex'));
  findings.same(
    'slice_line_counts',
    `${head.renewal_line_count} and ${head.reversal_line_count}`,
    `${stored.renewals.length} and ${stored.reversals.length}`,
  );
  findings.same('slice_event_count', String(head.reversal_event_count), String(sumCounts(stored.reversals.map(countSheetRows))));
  findings.same('slice_is_consistent', String(head.is_consistent), String(allMatch(reconcileSlice(stored))));
  findings.same('slice_order_columns', '0 rows', `${await countMisplacedRows(db, gameId, sliceId)} rows`);
  findings.must('slice_pages_kept', rebuilt !== null, 'the pages it came from', 'no first page');
  if (rebuilt) {
    findings.same('slice_digest_of_raw_bytes', head.digest.toString('hex'), digestSlice(rebuilt).toString('hex'));
    findings.same('slice_totals_of_raw_bytes', '', listDifferences(rebuilt.totals, stored.totals).join(', '));
    findings.same('slice_generated_at', rebuilt.generated_at, stored.generated_at);
    const recipients = rebuilt.recipients.map((each) => (erased.has(each.recipient_player_id) ? { ...each, ...NO_IDENTITY } : each));
    compareRows(findings, stored, { ...rebuilt, recipients });
  }
  return responses.length;
}

/** Offences named for each kind of row; beyond them only their number. */
const NAMED_MAX = 20;

/** Compares each stored row of a slice with the raw bytes, field by field: also names, statuses and other fields outside the digest. */
function compareRows(findings: Findings, stored: SliceEvidence, rebuilt: SliceEvidence): void {
  compareRowsOf('recipients', 'recipient_player_id', findings, stored.recipients, rebuilt.recipients);
  compareRowsOf('renewals', 'period_id', findings, stored.renewals, rebuilt.renewals);
  compareRowsOf('reversals', 'period_id', findings, stored.reversals, rebuilt.reversals);
}

function compareRowsOf<Key extends string, Row extends Record<Key, number>>(
  kind: string,
  key: Key,
  findings: Findings,
  stored: Row[],
  rebuilt: Row[],
): void {
  const expected = new Map(rebuilt.map((row) => [row[key], write(row)]));
  const actual = new Map(stored.map((row) => [row[key], write(row)]));
  const offenders = [...new Set([...expected.keys(), ...actual.keys()])].filter((id) => expected.get(id) !== actual.get(id));
  for (const id of offenders.slice(0, NAMED_MAX)) {
    const [rebuiltField, storedField] = firstDifference(expected.get(id), actual.get(id));
    findings.must(`${kind}_of_raw_bytes`, false, `${key} ${id}: ${rebuiltField}`, storedField);
  }
  if (offenders.length > NAMED_MAX) findings.same(`${kind}_of_raw_bytes`, '0 rows differ', `${offenders.length} rows differ`);
}

/** One row as text, equal for two rows with equal facts: fields in order of their names, 1.5 and 1.50 one amount. */
function write(row: object): string {
  const isCoarse = 'reversal_basis' in row && row.reversal_basis === COARSE_BASIS;
  const fields = Object.entries(row).filter(([name]) => !(isCoarse && name === 'refund_events'));
  return fields
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, value]: [string, unknown]) =>
        `${name} ${Array.isArray(value) ? value.map((each) => `(${write(each)})`).join(' ') : writeValue(name, value)}`,
    )
    .join('\n');
}

function writeValue(name: string, value: unknown): string {
  return typeof value === 'string' && /_(usd|coins)$/.test(name) ? sumMoney([value]) : JSON.stringify(value ?? null);
}

function firstDifference(expected: string | undefined, actual: string | undefined): [string, string] {
  if (expected === undefined) return ['no such row', 'a row'];
  if (actual === undefined) return ['a row', 'no such row'];
  const [expectedFields, stored] = [expected.split('\n'), actual.split('\n')];
  const position = expectedFields.findIndex((field, index) => field !== stored[index]);
  return [expectedFields[position] ?? '', stored[position] ?? ''];
}
