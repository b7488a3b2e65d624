import { runSteps } from '#lib/core/steps.ts';
import { type KnownConfirmation, type KnownPayment, type KnownPayments, matchRows } from '#lib/payments/rules/match-rows.ts';
import { formatPaymentReference } from '#lib/payments/rules/payment-reference.ts';
import type { ParsedReport, ReportRow } from '#lib/payments/rules/report-row.ts';

// Payments of a game and rows of a report that are matched with them.

export const payment = (itemNo: number, facts: Partial<KnownPayment> = {}): KnownPayment => ({
  runId: 70,
  itemNo,
  reference: formatPaymentReference({ gameId: 2, runNo: 7, itemNo }),
  amount: '120.35',
  currency: 'USD',
  amount_usd: '120.35',
  madeOn: '2026-11-01',
  isHandedOver: true,
  isReplaced: false,
  confirmations: [],
  ...facts,
});
export const [FIRST, SECOND] = [payment(1), payment(2, { amount: '15.00', amount_usd: '15.00' })];

/** What an earlier report stated, by default a payment without an ID and a date. */
export const stated = (facts: Partial<KnownConfirmation> = {}): KnownConfirmation => ({
  state: 'paid',
  kind: 'generic',
  providerId: null,
  digest: 'before',
  occurredOn: null,
  isOfFile: false,
  ...facts,
});

/** The first payment, of which earlier reports stated so much. */
export const reported = (...facts: Partial<KnownConfirmation>[]): KnownPayment => payment(1, { confirmations: facts.map(stated) });

export const knows = (payments: KnownPayment[], more: Partial<KnownPayments> = {}): KnownPayments => ({
  byReference: new Map(payments.map((each) => [each.reference, each])),
  byTrace: new Map(),
  byProviderId: new Map(),
  byBatchId: new Map(),
  byMistyped: new Map(),
  listed: new Set(),
  ...more,
});

/** What a report stated the day before. */
export const BACK = { state: 'returned', occurredOn: '2026-11-04' } as const;
export const FAILED = { state: 'failed', occurredOn: '2026-11-04' } as const;

/** What may have been paid twice. */
export const [PAID_120, PAID_135] = [
  { runId: 70, amount_usd: '120.35' },
  { runId: 70, amount_usd: '135.35' },
];
const ADDED_AT = '2026-11-25T09:30:00Z';

let digests = 0;
export const row = (facts: Partial<ReportRow> = {}): ReportRow => ({
  rowNo: 2,
  unreadable: null,
  state: 'paid',
  word: 'Completed',
  references: [FIRST.reference],
  mistyped: [],
  amounts: [{ amount: '120.35', currency: 'USD' }],
  hasAmount: true,
  providerId: null,
  relatedId: null,
  trace: null,
  batchId: null,
  occurredOn: '2026-11-05',
  reasonCode: null,
  text: '',
  digest: `row ${++digests}`,
  ...facts,
});

export const match = (rows: ReportRow[], known: KnownPayments, kind: ParsedReport['kind'] = 'generic') =>
  runSteps(matchRows({ kind, rows }, known, ADDED_AT));
export const outcomesOf = (...given: Parameters<typeof match>): unknown[] =>
  match(...given).map((each) =>
    each.kind === 'confirmed'
      ? [each.payment.itemNo, each.state, each.matchedBy]
      : each.kind === 'listed'
        ? [each.reason, each.payment?.itemNo ?? null, ...(each.alarm === null ? [] : [each.alarm])]
        : ['repeated', each.payment?.itemNo ?? null],
  );

export const ALL = knows([FIRST, SECOND]);
