import type { Fault } from './fault.ts';

type Meaning = Omit<Fault, 'kind' | 'match' | 'times'> & { kind: Fault['kind'] };

/** What the names of faults of a write stand for; whatever else the armed fault says wins over it. */
export const FAULT_NAMES: Readonly<Record<string, Meaning>> = {
  drop_before: { kind: 'reset' },
  drop_after: { kind: 'reset', when: 'after' },
  delay: { kind: 'slow' },
  delay_after: { kind: 'slow', when: 'after' },
  hold_after: { kind: 'hold', when: 'after' },
  torn_after: { kind: 'torn' },
  html_after: { kind: 'html', when: 'after' },
  receipt_lost: { kind: 'refuse', when: 'after', status: 500, code: 'INTERNAL_ERROR', trick: 'lose_receipt' },
  receipt_lost_conflict: { kind: 'reset', when: 'after', trick: 'lose_reference' },
  processor_failed_after_card: { kind: 'trick', trick: 'card_first' },
  processor_error: { kind: 'refuse', status: 502, code: 'PROCESSOR_ERROR', codePublic: 'PROCESSOR_ERROR' },
  lookup_failed: { kind: 'refuse', status: 502, code: 'REFUND_LOOKUP_FAILED' },
  mismatch: { kind: 'refuse', status: 502, code: 'REFUND_MISMATCH' },
  flow_paused: { kind: 'refuse', status: 503, code: 'FLOW_PAUSED' },
  service_unavailable: { kind: 'refuse', status: 503, code: null, facts: { status: 'service_unavailable' } },
  internal_error: { kind: 'refuse', status: 500, code: 'INTERNAL_ERROR' },
  unknown_code: { kind: 'refuse', status: 409, code: 'REFUND_HELD_FOR_REVIEW' },
  two_codes: { kind: 'refuse', status: 502, code: 'REFUND_LOOKUP_FAILED', codePublic: 'PROCESSOR_ERROR' },
  mint_order_missing: { kind: 'refuse', status: 409, code: 'MINT_ORDER_MISSING' },
  no_payment_reference: { kind: 'refuse', status: 409, code: 'NO_PAYMENT_REFERENCE' },
  not_configured: { kind: 'refuse', status: 503, code: 'REFUNDS_NOT_CONFIGURED', codePublic: 'PROCESSOR_NOT_CONFIGURED' },
  paused: { kind: 'refuse', status: 503, code: null, facts: { error: 'Changes are paused for maintenance.', status: 'paused' } },
  card_removed: { kind: 'refuse', status: 409, code: 'PAYMENT_METHOD_UNAVAILABLE' },
};

/** An armed fault with its name's meaning filled in. */
export function meaningOf(fault: Fault): Fault {
  const meaning = FAULT_NAMES[fault.kind];
  return meaning === undefined ? fault : { ...meaning, ...fault, kind: meaning.kind };
}
