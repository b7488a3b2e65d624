import { sha256Of } from '#lib/core/canonical-digest.ts';
import type { Findings } from '#lib/evidence/rules/findings.ts';
import { digestFacts, proveAccepted } from '#lib/payments/digest-report.ts';
import { readReport } from '#lib/payments/reports/read-report.ts';
import {
  accountsFile,
  fileOfPack,
  PAYMENT_PATHS,
  type PackedBatch,
  type PackedConfirmation,
  type PackedItem,
  type PackedReport,
} from '#lib/payments/rules/packed-payments.ts';
import type { PaymentBatch } from '#lib/payments/rules/payment.ts';
import { paymentBatchOf } from '#lib/payments/rules/payment-manifest.ts';
import { toDateOrder } from '#lib/payments/rules/report-cells.ts';
import type { AcceptedFact } from '#lib/payments/rules/stored-fact.ts';
import { writePaymentFile } from '#lib/payments/rules/write-payment-file.ts';
import type { RunLine } from '#lib/payouts/rules/decide-line.ts';
import { verifyTime } from '#lib/payouts/rules/replay-run.ts';
import type { OpenPack } from './open-pack.ts';
import { secondsAt } from './prove-pack-run.ts';
import type { AuditFileRow } from './rules/pack-files.ts';
import { isLeftOut, type PackIndex } from './rules/pack-index.ts';

/** What of a run is proven when its payments are. */
export interface ProvenRun {
  index: PackIndex;
  gameId: number;
  runId: number;
  runNo: number;
  /** Rows about the run, its payment files and its adjustments. */
  audit: readonly AuditFileRow[];
  /** The lines that pay something, by recipient. */
  paid: readonly Pick<RunLine, 'recipientId' | 'payable_usd' | 'detailNo'>[];
}

/** The payments of a pack. */
export interface Payments {
  items: PackedItem[];
  byNo: Map<number, PackedItem>;
  batches: PackedBatch[];
  confirmations: PackedConfirmation[];
  reports: PackedReport[];
}

/** What a file was written with besides its payments; null: payments recorded as paid elsewhere. */
export function batchOfPack(batch: PackedBatch, { index, runId, runNo, gameId }: ProvenRun): PaymentBatch | null {
  const { game: slug, environment, time_zone: timeZone, window_start: start, window_end: end } = index;
  const file = fileOfPack(batch, { runId, runNo, window: { start, end } });
  return file === null ? null : paymentBatchOf({ gameId, slug, environment, timeZone }, file);
}

/** Where the pack carries them: the bytes of files have the digest, and are written again from payments, accounts and sender. */
export async function proveFiles(
  pack: OpenPack,
  { items, batches }: Payments,
  run: ProvenRun,
  known: Set<string>,
  findings: Findings,
): Promise<void> {
  if (!pack.sizes.has(PAYMENT_PATHS.accounts)) return;
  known.add(PAYMENT_PATHS.accounts);
  const accounts = new Map((await pack.json(PAYMENT_PATHS.accounts, accountsFile)).map((each) => [each.batch_no, each]));
  for (const batch of batches) {
    const written = batchOfPack(batch, run);
    if (written === null || batch.file_name === null) continue;
    const path = PAYMENT_PATHS.file(batch.file_name);
    known.add(path);
    const about = findings.about(path);
    about.must('file_is_present', pack.sizes.has(path) || isLeftOut(run.index, path), 'the file, or why it is left out', 'neither');
    if (!pack.sizes.has(path)) continue;
    const bytes = await pack.read(path);
    about.same('file_sha256', batch.sha256 ?? 'none', sha256Of(bytes).toString('hex'));
    const from = accounts.get(batch.batch_no);
    // Older packs have files that pay an erased person, and nothing to write them from.
    if (from === undefined) continue;
    const byNo = new Map(from.items.map((item) => [item.item_no, item]));
    const own = items.filter(({ batch_no }) => batch_no === batch.batch_no);
    const again = writePaymentFile({
      batch: written,
      sender: from.sender,
      items: own.flatMap((item) => {
        const account = byNo.get(item.item_no);
        if (account === undefined) return [];
        const { holder_name: holderName, holder_kind: holderKind } = account;
        return [
          {
            itemNo: item.item_no,
            recipientId: item.recipient_player_id,
            reference: item.payment_reference,
            holderName,
            holderKind,
            amount_usd: item.amount_usd,
            amount: item.amount_file ?? '',
            currency: batch.currency,
            account: account.account,
          },
        ];
      }),
    });
    about.must(
      'file_written_again',
      again.ok && again.text === bytes.toString('utf8'),
      'the bytes that follow from payments and accounts',
      'other bytes',
    );
  }
}

/** Where the pack carries them: reports have their digest, and each confirmation is a row of its report. */
export async function proveReports(
  pack: OpenPack,
  { confirmations, reports }: Payments,
  { index }: ProvenRun,
  known: Set<string>,
  findings: Findings,
): Promise<void> {
  const numbers = new Set(reports.map(({ report_no }) => report_no));
  for (const { item_no, report_no } of confirmations)
    findings.about(`payment ${item_no}`).must('confirmation_report', numbers.has(report_no), 'a report of the pack', String(report_no));
  for (const report of reports) {
    const path = PAYMENT_PATHS.report(report.report_no);
    if (!pack.sizes.has(path)) {
      const isExplained = !pack.sizes.has(PAYMENT_PATHS.accounts) || isLeftOut(index, path);
      findings.about(path).must('report_or_reason', isExplained, 'the report, or why it is left out', 'neither');
      continue;
    }
    known.add(path);
    const about = findings.about(path);
    const bytes = await pack.read(path);
    about.same('report_sha256', report.sha256, sha256Of(bytes).toString('hex'));
    const reading = readReport(bytes, { dateOrder: toDateOrder(report.date_order) });
    about.must('report_can_be_read', reading.ok, `a report with ${report.row_count} rows`, 'bytes that are none');
    if (!reading.ok) continue;
    about.same('report_rows', String(report.row_count), String(reading.report.rows.length));
    const rows = new Map(reading.report.rows.map((row) => [row.rowNo, row]));
    for (const each of confirmations)
      if (each.report_no === report.report_no) {
        const row = rows.get(each.row_no);
        const subject = findings.about(`payment ${each.item_no}, report ${report.report_no}`);
        subject.same('confirmation_row', each.row_digest, row?.digest ?? 'none');
        if (each.matched_by !== 'person')
          subject.same('confirmation_state', `${row?.state ?? 'none'} ${row?.occurredOn ?? ''}`, `${each.state} ${each.occurred_on ?? ''}`);
      }
  }
}

/**
 * Compares reports, and what they confirm of the run, with the acts of the audit. What a person accepted is compared row by row, the rest of a report as one digest;
 * acts that are older than these digests have none.
 */
export function proveReported({ confirmations, reports, byNo }: Payments, { audit, runId }: ProvenRun, findings: Findings): void {
  const facts = confirmations.map((each): AcceptedFact & { report: string; row: string } => ({
    report: reportOf(each.report_no),
    row: rowOf(reportOf(each.report_no), each.row_no),
    reference: byNo.get(each.item_no)?.payment_reference ?? 'none',
    rowNo: each.row_no,
    runId,
    itemNo: each.item_no,
    batchNo: null,
    state: each.state,
    occurredOn: each.occurred_on,
    amount: each.amount,
    currency: each.currency,
    providerId: each.provider_id,
    reasonCode: each.reason_code,
    matchedBy: each.matched_by,
    problem: null,
    fee_usd: each.fee_usd,
    digest: each.row_digest,
  }));
  const matched = Map.groupBy(facts, ({ report, matchedBy }) => (matchedBy === 'person' ? null : report));
  const accepted = Map.groupBy(matched.get(null) ?? [], ({ row }) => row);
  const recorded = new Map(audit.flatMap((row) => (row.act === 'recorded a bank report' ? [[row.subject, row]] : [])));
  for (const { report_no, kind, sha256, date_order, row_count, result, added_at } of reports) {
    const about = findings.about(reportOf(report_no));
    const event = recorded.get(reportOf(report_no));
    const stated = ['kind', 'sha256', 'date_order', 'rows', 'result'].map((name) => event?.detail[name]);
    about.same('report_recorded', JSON.stringify(stated), JSON.stringify([kind, sha256, date_order, row_count, result]));
    verifyTime('report_added_at', event === undefined ? null : secondsAt(event.at), secondsAt(added_at), about);
  }
  for (const [report, { detail }] of recorded) {
    const { run_digests: digests } = detail;
    if (typeof digests !== 'object' || digests === null) continue;
    const own = matched.get(report) ?? [];
    const stated = new Map<string, unknown>(Object.entries(digests)).get(String(runId)) ?? 'none';
    findings.about(report).same('report_confirms', String(stated), own.length === 0 ? 'none' : digestFacts(own));
  }
  const decided = new Map(
    audit.flatMap((each) => (each.act.endsWith('a row of a bank report') ? [[rowOf(each.subject, each.detail['row']), each]] : [])),
  );
  for (const row of new Set([...decided.keys(), ...accepted.keys()])) {
    const event = decided.get(row);
    const detail = event?.act === 'accepted a row of a bank report' ? event.detail : null;
    proveAccepted(detail, accepted.get(row) ?? [], findings.about(row));
  }
}

function reportOf(reportNo: number): string {
  return `bank report ${reportNo}`;
}

function rowOf(report: string, row: unknown): string {
  return `${report}, row ${String(row)}`;
}
