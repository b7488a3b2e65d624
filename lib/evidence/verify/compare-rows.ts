import { sumMoney } from '#lib/core/money.ts';
import { COARSE_BASIS, type SliceEvidence } from '../rules/evidence.ts';
import type { Findings } from './violation.ts';

/** Offences named for each kind of row; beyond them only their number. */
const NAMED_MAX = 20;

/** Holds every stored row of a slice against the raw bytes, field by field: also names, statuses and what else is no part of the digest. */
export function compareRows(findings: Findings, stored: SliceEvidence, rebuilt: SliceEvidence): void {
  const by = { recipients: 'recipient_player_id', renewals: 'period_id', reversals: 'period_id' } as const;
  for (const [kind, key] of Object.entries(by) as [keyof typeof by, 'period_id'][]) {
    const expected = new Map((rebuilt[kind] as unknown as Keyed[]).map((row) => [row[key], write(row)]));
    const actual = new Map((stored[kind] as unknown as Keyed[]).map((row) => [row[key], write(row)]));
    const offenders = [...new Set([...expected.keys(), ...actual.keys()])].filter((id) => expected.get(id) !== actual.get(id));
    for (const id of offenders.slice(0, NAMED_MAX)) {
      const [said, held] = firstDifference(expected.get(id), actual.get(id));
      findings.must(`${kind}_of_raw_bytes`, false, `${key} ${id}: ${said}`, held);
    }
    if (offenders.length > NAMED_MAX) findings.same(`${kind}_of_raw_bytes`, '0 rows differ', `${offenders.length} rows differ`);
  }
}

type Keyed = Record<string, unknown> & { period_id: number };

/** One row as text, the same for two rows that say the same: fields in order of their names, 1.5 and 1.50 one amount. */
function write(row: Keyed): string {
  const isCoarse = row['reversal_basis'] === COARSE_BASIS;
  const fields = Object.entries(row).filter(([name]) => !(isCoarse && name === 'refund_events'));
  return fields
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, value]) =>
        `${name} ${Array.isArray(value) ? value.map((each) => `(${write(each as Keyed)})`).join(' ') : writeValue(name, value)}`,
    )
    .join('\n');
}

function writeValue(name: string, value: unknown): string {
  return typeof value === 'string' && /_(usd|coins)$/.test(name) ? sumMoney([value]) : JSON.stringify(value ?? null);
}

function firstDifference(expected: string | undefined, actual: string | undefined): [string, string] {
  if (expected === undefined) return ['no such row', 'a row'];
  if (actual === undefined) return ['a row', 'no such row'];
  const [said, held] = [expected.split('\n'), actual.split('\n')];
  const at = said.findIndex((field, index) => field !== held[index]);
  return [said[at] ?? '', held[at] ?? ''];
}
