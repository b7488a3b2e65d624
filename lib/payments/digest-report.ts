import { createHash } from 'node:crypto';
import { digestOf } from '../core/canonical-digest.ts';
import { normalizeMoney, sumMoney } from '../core/money.ts';
import { mapInSteps, runSteps, type Steps } from '../core/steps.ts';
import type { Findings } from '../evidence/rules/findings.ts';
import type { MatchedRow } from './rules/match-rows.ts';
import type { AcceptedFact, StoredFact } from './rules/stored-fact.ts';

/** What is stored of matched rows, by row and payment. */
export function listFacts(matched: readonly MatchedRow[]): StoredFact[] {
  return runSteps(listFactsInSteps(matched));
}

/** The same in steps, each of some rows. */
export function* listFactsInSteps(matched: readonly MatchedRow[]): Steps<StoredFact[]> {
  const byRow = yield* mapInSteps(matched, (each): StoredFact[] => {
    if (each.kind === 'repeated') return [];
    const { row, payment } = each;
    const [amount, currency] = amountOf(each);
    const batchNo = each.kind === 'listed' ? each.batchNo : null;
    const about = { rowNo: row.rowNo, runId: payment?.runId ?? null, itemNo: payment?.itemNo ?? null, batchNo };
    const reported = { occurredOn: row.occurredOn, amount, currency, providerId: row.providerId, digest: row.digest, fee_usd: null };
    return each.kind === 'confirmed'
      ? [{ ...about, ...reported, state: each.state, reasonCode: row.reasonCode, matchedBy: each.matchedBy, problem: null }]
      : [{ ...about, ...reported, state: row.state, reasonCode: null, matchedBy: null, problem: each.reason }];
  });
  return byRow.flat();
}

/** The digest of what is stored of a report's rows, hex, whatever their order: the audit has it. */
export function digestFacts(facts: readonly StoredFact[]): string {
  return runSteps(digestFactsInSteps(facts));
}

/** The same in steps, each of some rows. */
export function* digestFactsInSteps(facts: readonly StoredFact[]): Steps<string> {
  const lines = yield* mapInSteps(facts, (fact) => {
    const normal = fact.amount === null ? null : normalizeMoney(fact.amount);
    return JSON.stringify([
      fact.rowNo,
      fact.runId,
      fact.itemNo,
      fact.state,
      fact.occurredOn,
      normal,
      fact.currency,
      fact.providerId,
      fact.reasonCode,
      fact.matchedBy,
      fact.problem,
      fact.fee_usd,
      fact.digest,
      // Rows from before files were stored have none, and the digest that the audit has.
      ...(fact.batchNo === null ? [] : [fact.batchNo]),
    ]);
  });
  return createHash('sha256').update(lines.toSorted().join('\n')).digest('hex');
}

/** The digest of numbers of rows in order, hex: the audit has it of rows that were set aside at once. */
export function digestRowNos(rowNos: readonly number[]): string {
  return digestOf(rowNos).toString('hex');
}

/** The digest of what a report confirms of the payments of each run, by the run's ID: an evidence pack has those of one run alone. */
export function digestByRun(facts: readonly StoredFact[]): Record<string, string> {
  const confirmed = facts.filter(({ problem }) => problem === null);
  return Object.fromEntries([...Map.groupBy(confirmed, ({ runId }) => runId)].map(([runId, own]) => [String(runId), digestFacts(own)]));
}

/**
 * The digest of what a report lists about each run, by the run's ID, or about each file as a whole, by its number: an evidence pack has those of its run, and of the
 * voided ones that it replaced.
 */
export function digestListed(facts: readonly StoredFact[]): Record<string, string> {
  const listed = Map.groupBy(
    facts.filter(({ problem }) => problem !== null),
    listedKey,
  );
  return Object.fromEntries([...listed].flatMap(([key, own]) => (key === null ? [] : [[key, digestFacts(own)]])));
}

/** What a listed row is about; null: no single run or file. */
export function listedKey({ runId, batchNo }: Pick<StoredFact, 'runId' | 'batchNo'>): string | null {
  if (runId !== null) return String(runId);
  return batchNo === null ? null : `file ${batchNo}`;
}

/**
 * Compares what is confirmed by a row that a person accepted with the act of the audit; `detail` null: the audit has none. The digest of all facts, with their dates, came
 * later: older acts have none.
 */
export function proveAccepted(detail: Record<string, unknown> | null, facts: readonly AcceptedFact[], about: Findings): void {
  const sorted = facts.toSorted((one, other) => (one.runId ?? 0) - (other.runId ?? 0) || (one.itemNo ?? 0) - (other.itemNo ?? 0));
  const fees = sorted.flatMap(({ fee_usd }) => fee_usd ?? []);
  const stated =
    detail === null
      ? [0, [], null, null, null]
      : [detail['count'], [detail['state']], detail['fee_usd'] ?? null, detail['digest'], detail['facts'] ?? null];
  const stored = [
    facts.length,
    [...new Set(sorted.map(({ state }) => state))],
    fees.length === 0 ? null : normalizeMoney(sumMoney(fees)),
    facts.length === 0 ? null : digestOf(sorted.map(({ reference }) => reference)).toString('hex'),
    detail?.['facts'] === undefined ? null : digestFacts(facts),
  ];
  about.same('row_confirms', JSON.stringify(stated), JSON.stringify(stored));
}

/** The amount of a row that is compared with its payment: in the payment's currency where it has one, otherwise its first. */
export function amountOf({ row, payment }: Pick<MatchedRow, 'row' | 'payment'>): [string, string] | [null, null] {
  const used = row.amounts.find(({ currency }) => currency === payment?.currency) ?? row.amounts[0];
  return used === undefined ? [null, null] : [used.amount, used.currency];
}
