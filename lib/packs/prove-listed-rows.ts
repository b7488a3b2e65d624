import type { Findings } from '#lib/evidence/rules/findings.ts';
import { digestFacts, listedKey } from '#lib/payments/digest-report.ts';
import { listedFile, PAYMENT_PATHS, type PackedListed } from '#lib/payments/rules/packed-payments.ts';
import { formatPaymentReference } from '#lib/payments/rules/payment-reference.ts';
import type { StoredFact } from '#lib/payments/rules/stored-fact.ts';
import type { OpenPack } from './open-pack.ts';
import type { Payments, ProvenRun } from './prove-payment-files.ts';

type ListedRow = PackedListed['rows'][number];

/**
 * Proves the rows of reports that confirmed nothing by themselves, about the run and the voided ones that it replaced: as many as each report listed, in the act that
 * recorded it, with the decision that the audit has. Acts that are older than these digests have none.
 */
export async function proveListed(
  pack: OpenPack,
  { batches, reports }: Pick<Payments, 'batches' | 'reports'>,
  run: ProvenRun,
  findings: Findings,
): Promise<void> {
  const listed = await pack.json(PAYMENT_PATHS.listed, listedFile);
  const about = findings.about(PAYMENT_PATHS.listed);
  const voided = run.audit.filter(({ act }) => act === 'voided payout run').map(({ subject }) => subject);
  about.same(
    'voided_runs',
    voided.toSorted().join(', '),
    listed.voided_runs
      .map(({ run_no }) => `payout run ${run_no}`)
      .toSorted()
      .join(', '),
  );
  const runNos = new Map([[run.runId, run.runNo], ...listed.voided_runs.map(({ run_id, run_no }) => [run_id, run_no] as const)]);
  const fileNos = [...batches.map(({ batch_no }) => batch_no), ...listed.voided_runs.flatMap(({ batch_nos }) => batch_nos)];
  const keys = new Set([...[...runNos.keys()].map(String), ...fileNos.map((batchNo) => `file ${batchNo}`)]);
  for (const row of listed.rows) {
    const subject = findings.about(nameOf(row));
    const runNo = row.run_id === null ? null : (runNos.get(row.run_id) ?? null);
    const reference =
      runNo === null || row.item_no === null ? 'none' : formatPaymentReference({ gameId: run.gameId, runNo, itemNo: row.item_no });
    subject.same('listed_payment', reference, row.payment_reference ?? 'none');
    subject.must('listed_about', keys.has(listedKey(factOf(row)) ?? ''), 'a run or file of this pack', 'another one');
    subject.must(
      'listed_report',
      reports.some(({ report_no }) => report_no === row.report_no),
      'a report of the pack',
      'another one',
    );
  }
  const byReport = Map.groupBy(listed.rows, ({ report_no }) => `bank report ${report_no}`);
  for (const { act, subject, detail } of run.audit) {
    if (act !== 'recorded a bank report' || !isRecord(detail['listed_digests'])) continue;
    const own = Map.groupBy((byReport.get(subject) ?? []).map(factOf), listedKey);
    for (const key of keys) {
      const facts = own.get(key) ?? [];
      const stated = Object.hasOwn(detail['listed_digests'], key) ? String(detail['listed_digests'][key]) : 'none';
      findings
        .about(`${subject}, ${key.startsWith('file') ? key : `run id ${key}`}`)
        .same('report_lists', stated, facts.length === 0 ? 'none' : digestFacts(facts));
    }
  }
  proveDecisions(listed.rows, run, findings);
}

/** Each decision is that of the audit, and each act about a row has one. */
function proveDecisions(rows: readonly ListedRow[], { audit }: ProvenRun, findings: Findings): void {
  const acts = new Map(
    audit.flatMap(({ act, subject, actor, detail }): [string, string][] => {
      if (act !== 'accepted a row of a bank report' && act !== 'set aside a row of a bank report') return [];
      return [
        [
          `${subject}, row ${String(detail['row'])}`,
          `${act.startsWith('accepted') ? 'accepted' : 'set_aside'} by ${actor}: ${String(detail['note'])}`,
        ],
      ];
    }),
  );
  const stored = new Map(
    rows.map((row) => [nameOf(row), row.decision === null ? 'none' : `${row.decision} by ${row.decided_by}: ${row.note}`]),
  );
  for (const name of new Set([...acts.keys(), ...stored.keys()]))
    findings.about(name).same('row_decided', acts.get(name) ?? 'none', stored.get(name) ?? 'none');
}

function nameOf({ report_no, row_no }: ListedRow): string {
  return `bank report ${report_no}, row ${row_no}`;
}

function factOf(row: ListedRow): StoredFact {
  return {
    rowNo: row.row_no,
    runId: row.run_id,
    itemNo: row.item_no,
    batchNo: row.batch_no,
    state: row.state,
    occurredOn: row.occurred_on,
    amount: row.amount,
    currency: row.currency,
    providerId: row.provider_id,
    reasonCode: null,
    matchedBy: null,
    problem: row.problem,
    fee_usd: null,
    digest: row.row_digest,
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
