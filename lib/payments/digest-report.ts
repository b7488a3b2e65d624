import { createHash } from 'node:crypto';
import { normalizeMoney } from '../core/money.ts';
import type { MatchedRow, StoredFact } from './rules/match-rows.ts';

/** What is stored of matched rows, by row and payment. */
export function listFacts(matched: readonly MatchedRow[]): StoredFact[] {
  return matched.flatMap((each): StoredFact[] => {
    if (each.kind === 'repeated') return [];
    const { row, payment } = each;
    const [amount, currency] = amountOf(each);
    const about = { rowNo: row.rowNo, runId: payment?.runId ?? null, itemNo: payment?.itemNo ?? null };
    const reported = { occurredOn: row.occurredOn, amount, currency, providerId: row.providerId, digest: row.digest, fee_usd: null };
    return each.kind === 'confirmed'
      ? [{ ...about, ...reported, state: each.state, reasonCode: row.reasonCode, matchedBy: each.matchedBy, problem: null }]
      : [{ ...about, ...reported, state: row.state, reasonCode: null, matchedBy: null, problem: each.reason }];
  });
}

/** The digest of what is stored of a report's rows, hex, whatever their order: the audit has it. */
export function digestFacts(facts: readonly StoredFact[]): string {
  const lines = facts.map((fact) => {
    const { rowNo, runId, itemNo, state, occurredOn, amount, currency, providerId, reasonCode, matchedBy, problem, fee_usd, digest } = fact;
    const normal = amount === null ? null : normalizeMoney(amount);
    return JSON.stringify([
      rowNo,
      runId,
      itemNo,
      state,
      occurredOn,
      normal,
      currency,
      providerId,
      reasonCode,
      matchedBy,
      problem,
      fee_usd,
      digest,
    ]);
  });
  return createHash('sha256').update(lines.toSorted().join('\n')).digest('hex');
}

/** The amount of a row that is compared with its payment: in the payment's currency where it has one, otherwise its first. */
export function amountOf({ row, payment }: Pick<MatchedRow, 'row' | 'payment'>): [string, string] | [null, null] {
  const used = row.amounts.find(({ currency }) => currency === payment?.currency) ?? row.amounts[0];
  return used === undefined ? [null, null] : [used.amount, used.currency];
}
