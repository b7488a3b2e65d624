import { compareMoney, normalizeMoney, sumMoney } from '#lib/core/money.ts';
import type { Findings } from '#lib/evidence/rules/findings.ts';
import type { ItemState } from '#lib/payments/rules/item-state.ts';
import {
  batchesFile,
  CONFIRMATION_COLUMNS,
  ITEM_COLUMNS,
  PAYMENT_PATHS,
  type PackedBatch,
  type PackedConfirmation,
  type PackedItem,
  parsePackedConfirmation,
  parsePackedItem,
  reportsFile,
} from '#lib/payments/rules/packed-payments.ts';
import { digestBatch } from '#lib/payments/rules/payment-manifest.ts';
import { formatPaymentReference } from '#lib/payments/rules/payment-reference.ts';
import { newestReported } from '#lib/payments/rules/reported-states.ts';
import type { OpenPack } from './open-pack.ts';
import { writeRows } from './pack-entries.ts';
import { proveListed } from './prove-listed-rows.ts';
import { batchOfPack, type Payments, type ProvenRun, proveFiles, proveReported, proveReports } from './prove-payment-files.ts';

/**
 * Proves the payments of a pack: they are those of the lines that pay; files have the sums of their payments and what the audit has of them, and with payment details
 * the bytes that follow; each state follows from files and reports.
 */
export async function provePayments(pack: OpenPack, run: ProvenRun, known: Set<string>, findings: Findings): Promise<void> {
  const items: PackedItem[] = [];
  for await (const row of pack.rows(PAYMENT_PATHS.items, ITEM_COLUMNS)) {
    const item = parsePackedItem(row);
    if (item === null) findings.about(PAYMENT_PATHS.items).must('row', false, 'a payment', JSON.stringify(row).slice(0, 200));
    else items.push(item);
  }
  const confirmations: PackedConfirmation[] = [];
  for await (const row of pack.rows(PAYMENT_PATHS.confirmations, CONFIRMATION_COLUMNS)) {
    const each = parsePackedConfirmation(row);
    if (each === null) findings.about(PAYMENT_PATHS.confirmations).must('row', false, 'a confirmation', JSON.stringify(row).slice(0, 200));
    else confirmations.push(each);
  }
  // Rows that parse alike, such as blank ones, are no part of what was written.
  const isWritten = async (path: string, text: string): Promise<void> =>
    findings.about(path).must('rows_written_again', (await pack.read(path)).toString('utf8') === text, 'these rows alone', 'other text');
  await isWritten(PAYMENT_PATHS.items, writeRows(ITEM_COLUMNS, items));
  await isWritten(PAYMENT_PATHS.confirmations, writeRows(CONFIRMATION_COLUMNS, confirmations));
  const batches = await pack.json(PAYMENT_PATHS.batches, batchesFile);
  const reports = await pack.json(PAYMENT_PATHS.reports, reportsFile);
  for (const path of [PAYMENT_PATHS.items, PAYMENT_PATHS.confirmations, PAYMENT_PATHS.batches, PAYMENT_PATHS.reports]) known.add(path);
  const payments: Payments = { items, confirmations, batches, reports, byNo: new Map(items.map((item) => [item.item_no, item])) };
  proveItems(payments, run, findings);
  proveStates(payments, findings);
  for (const batch of batches) proveBatch(batch, payments, run, findings);
  proveAudited(payments, run, findings);
  if (run.index.pack > 1) proveReported(payments, run, findings);
  if (run.index.pack > 2) {
    known.add(PAYMENT_PATHS.listed);
    await proveListed(pack, payments, run, findings);
  }
  await proveFiles(pack, payments, run, known, findings);
  await proveReports(pack, payments, run, known, findings);
}

function proveItems({ items, byNo, batches }: Payments, { gameId, runNo, paid, audit }: ProvenRun, findings: Findings): void {
  const first = items.filter(({ replaces_item_no }) => replaces_item_no === null);
  const about = findings.about(`run ${runNo}, payments`);
  about.same('payments_of_lines', String(paid.length), String(first.length));
  about.same('payments_are_listed_once', String(items.length), String(byNo.size));
  for (const [index, line] of paid.toSorted((one, other) => one.recipientId - other.recipientId).entries()) {
    const item = first[index];
    const amount = item === undefined ? 'none' : normalizeMoney(item.amount_usd);
    const actual = item === undefined ? 'none' : `${item.item_no} to ${item.recipient_player_id}, ${amount}`;
    const subject = findings.about(`run ${runNo}, payment ${index + 1}`);
    subject.same('payment_of_line', `${index + 1} to ${line.recipientId}, ${normalizeMoney(line.payable_usd)}`, actual);
    if (line.detailNo !== null) subject.same('payment_details', String(line.detailNo), String(item?.detail_no ?? 'none'));
  }
  const cancelled = new Set<unknown>(batches.flatMap(({ batch_no, cancelled_by }) => (cancelled_by === null ? [] : [batch_no])));
  for (const item of items) {
    const subject = findings.about(`run ${runNo}, payment ${item.item_no}`);
    subject.same('payment_reference', formatPaymentReference({ gameId, runNo, itemNo: item.item_no }), item.payment_reference);
    subject.must(
      'reissue',
      (item.replaces_item_no === null) === (item.reissue === null),
      'a re-issue names the payment before it',
      'another row',
    );
    if (item.replaces_item_no === null) continue;
    const before = byNo.get(item.replaces_item_no);
    const pays = (each: PackedItem | undefined): string =>
      each === undefined ? 'none' : `${normalizeMoney(each.amount_usd)} to ${each.recipient_player_id}`;
    subject.same('payment_replaces', pays(before), pays(item));
    // Payments of a canceled file are replaced by its cancellation.
    if (!cancelled.has(before?.batch_no)) subject.same('reissue_decided', reissueIn(audit, runNo, item.item_no), item.reissue ?? 'none');
  }
}

/** What the audit has of a re-issue: its last act. */
function reissueIn(audit: ProvenRun['audit'], runNo: number, itemNo: number): string {
  const own = audit.filter(({ detail }) => detail['run_no'] === runNo && detail['reissue_no'] === itemNo).map(({ act }) => act);
  if (own.includes('confirmed the re-issue of a payment')) return 'confirmed';
  if (own.includes('withdrew the re-issue of a payment')) return 'withdrawn';
  return own.includes('proposed to re-issue a payment') ? 'proposed' : 'none';
}

function proveStates({ items, byNo, batches, confirmations }: Payments, findings: Findings): void {
  const byBatch = new Map(batches.map((batch) => [batch.batch_no, batch]));
  const replaced = new Set(items.filter(({ reissue }) => reissue === 'confirmed').map(({ replaces_item_no }) => replaces_item_no));
  const said = Map.groupBy(confirmations, ({ item_no }) => item_no);
  for (const { item_no } of confirmations)
    findings.about(`payment ${item_no}`).must('confirmed_payment', byNo.has(item_no), 'a payment of the run', 'none');
  for (const item of items) {
    const batch = item.batch_no === null ? null : (byBatch.get(item.batch_no) ?? null);
    const own = said.get(item.item_no) ?? [];
    const expected = stateOf(item, batch, { isReplaced: replaced.has(item.item_no), confirmations: own });
    const about = findings.about(`payment ${item.item_no}`);
    about.same('payment_state', expected, item.state);
    about.must('payment_batch', item.batch_no === null || batch !== null, 'a file of the run', String(item.batch_no));
    for (const { state, amount, currency, matched_by, fee_usd } of own)
      if (amount !== null && matched_by !== 'person' && fee_usd === null)
        about.same(
          `payment_${state}`,
          `${normalizeMoney(item.amount_file ?? '0')} ${batch?.currency ?? ''}`,
          `${normalizeMoney(amount)} ${currency ?? ''}`,
        );
  }
}

/**
 * The state of a payment, as `derivedState` derives it in the database. Written a second time on purpose: a pack proves what the database
 * derived, so its check repeats no fault of that SQL.
 */
function stateOf(
  item: PackedItem,
  batch: PackedBatch | null,
  { isReplaced, confirmations }: { isReplaced: boolean; confirmations: readonly PackedConfirmation[] },
): ItemState {
  if (item.reissue === 'withdrawn' || item.reissue === 'proposed') return item.reissue;
  if (item.returned_in_run_no !== null) return 'to_balance';
  if (batch !== null && batch.cancelled_by !== null) return 'cancelled';
  if (isReplaced) return 'reissued';
  if (batch === null) return 'waiting';
  const newest = newestReported(confirmations.map(({ state, occurred_on: occurredOn }) => ({ state, occurredOn })));
  if (newest !== null) return newest.state;
  if (batch.handed_over_by === null) return 'in_file';
  return batch.method === 'elsewhere' ? 'paid' : 'sent';
}

/** A file, or payments recorded as paid elsewhere: its sums, and what the audit has of it. */
function proveBatch(batch: PackedBatch, { items, byNo }: Payments, run: ProvenRun, findings: Findings): void {
  const about = findings.about(`batch ${batch.batch_no}`);
  const isOpen = batch.method === 'elsewhere' && batch.handed_over_by === null;
  const own = isOpen
    ? (batch.item_nos ?? []).flatMap((itemNo) => byNo.get(itemNo) ?? [])
    : items.filter(({ batch_no }) => batch_no === batch.batch_no);
  about.same('batch_payments', String(own.length), String(batch.item_count));
  const sum = (amounts: string[]): string => normalizeMoney(sumMoney(amounts));
  about.same('batch_total', sum(own.map(({ amount_usd }) => amount_usd)), normalizeMoney(batch.total_usd));
  about.same(
    'batch_total_file',
    sum(own.map(({ amount_file, amount_usd }) => amount_file ?? amount_usd)),
    normalizeMoney(batch.total_file),
  );
  const subject = `${batch.method === 'elsewhere' ? 'payments elsewhere' : 'payment file'} ${batch.batch_no}`;
  const events = run.audit.filter((row) => row.subject === subject);
  const event = (start: string) => events.findLast(({ act }) => act.startsWith(start));
  const created = event(batch.method === 'elsewhere' ? 'proposed' : 'created');
  const detail = created?.detail ?? {};
  const text = (value: unknown): string => (value === undefined || value === null ? 'none' : String(value));
  about.same('batch_made_by', text(created?.actor), batch.made_by);
  const handed = event(batch.method === 'elsewhere' ? 'confirmed' : 'handed over');
  about.same('batch_handed_over', text(handed?.actor), text(batch.handed_over_by));
  about.same('batch_cancelled', text(event(batch.method === 'elsewhere' ? 'withdrew' : 'cancelled')?.actor), text(batch.cancelled_by));
  about.must(
    'batch_audited',
    compareMoney(text(detail['total_usd']) === 'none' ? '0' : text(detail['total_usd']), batch.total_usd) === 0,
    text(detail['total_usd']),
    batch.total_usd,
  );
  const written = batchOfPack(batch, run);
  if (written === null) {
    const stated = [detail['paid_on'], detail['note'], detail['item_nos']].map(text).join(', ');
    about.same('batch_elsewhere', stated, [batch.execution_date, batch.note, batch.item_nos].map(text).join(', '));
    return;
  }
  const isHandedOver = batch.handed_over_by !== null;
  const taken = [handed?.detail['provider_reference'], handed?.detail['sha256']].map(text).join(', ');
  about.same('batch_handed_over_as', taken, [batch.provider_reference, isHandedOver ? batch.sha256 : null].map(text).join(', '));
  const facts = [detail['sha256'], detail['message_id'], detail['file'], detail['facts']].map(text).join(', ');
  about.same(
    'batch_file',
    facts,
    [batch.sha256, batch.message_id, batch.file_name, digestBatch(written, batch.sender_no)].map(text).join(', '),
  );
}

/** What the audit has of files and re-issues must be in the pack. */
function proveAudited({ batches, byNo }: Payments, { audit, runNo }: ProvenRun, findings: Findings): void {
  const numbers = new Set(batches.map(({ batch_no }) => batch_no));
  for (const { act, subject, detail } of audit) {
    if (String(detail['run_no']) !== String(runNo)) continue;
    if (/^(created a payment file|proposed payments as paid elsewhere)$/.test(act))
      findings.about(subject).must('batch_is_stored', numbers.has(Number(subject.split(' ').at(-1))), 'the one the audit has', 'none');
    if (act === 'proposed to re-issue a payment')
      findings.about(subject).must('reissue_is_stored', byNo.has(Number(detail['reissue_no'])), 'the one the audit has', 'none');
  }
}
