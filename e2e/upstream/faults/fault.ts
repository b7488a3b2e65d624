import type { CodeField } from '../wire/answer.ts';

/** A fault in what a route stores: fail after the card refund, lose a refund's receipt, or deny an event that was recorded. */
export interface StateFault {
  kind: 'fail_after_card' | 'lose_receipt' | 'lose_reference' | 'deny_event';
  /** Set by the route. A fault that found no occasion stays armed. */
  isDone: boolean;
}

/** The calls a fault applies to; every given field must match. */
export interface FaultMatch {
  route?: string;
  method?: string;
  environment?: string;
  /** Query values; the offset is given as a number or in `query`. */
  offset?: number;
  query?: Record<string, string>;
  /** A write's path and body. */
  subscription_id?: string;
  client_request_id?: string;
}

export const WIRE_FAULTS = [
  '429',
  '500',
  '502',
  '503',
  '401',
  '403',
  '404',
  '400',
  'reset',
  'torn',
  'slow',
  'hold',
  'stall',
  'html',
  'redirect',
  'bomb',
  'refuse',
  'duplicate',
  'state',
  'batch_drop',
  'batch_stranger',
  'batch_twice',
  'stream_cut',
  'stream_mid_record',
  'stream_stall',
  'code_in',
  'item_2xx_without_id',
] as const;
export const BODY_FAULTS = [
  'wrong_game',
  'wrong_window',
  'shifted_page',
  'totals_cent',
  'unknown_fields',
  'unknown_reason',
  'missing_field',
  'number_for_string',
  'settled_by_invo_true',
  'has_more_forever',
  'recipient_twice',
  'early_generated_at',
  'lost_line',
  'nan',
  'big_id',
  'contradiction',
  'put',
  'test_codes',
] as const;

type WireFault = (typeof WIRE_FAULTS)[number];
export type BodyFault = (typeof BODY_FAULTS)[number];

/**
 * An armed fault: the next `times` matching answers fail this way. Three fields describe a fault of a write: the kind,
 * `when` (before or after the route executes) and the fault in what the route stores. The names in `FAULT_NAMES` are
 * accepted as kinds:
 *
 * | Name | Executed | What the caller gets |
 * |---|---|---|
 * | drop_before | no | connection reset |
 * | drop_after | yes | connection reset, no answer |
 * | delay, delay_after | yes | the answer, `ms` after a wait before or after executing |
 * | hold, hold_after | yes | the answer when control releases it: held before or after executing |
 * | torn_after | yes | half a body, connection cut |
 * | html_after | yes | 200 and a page of HTML |
 * | redirect | no | `status` to `location` |
 * | duplicate | twice, the second time as a repeat | the second answer |
 * | receipt_lost | yes | 500 INTERNAL_ERROR; repeats get the reduced body |
 * | receipt_lost_conflict | yes | connection reset; repeats get 409 with transaction_id and order_id and no code |
 * | processor_failed_after_card | the card refund only | 502 PROCESSOR_ERROR; the next call of the key adopts the card refund |
 * | processor_error, lookup_failed, mismatch | no | 502 PROCESSOR_ERROR, REFUND_LOOKUP_FAILED, REFUND_MISMATCH |
 * | flow_paused, service_unavailable, not_configured | no | 503 FLOW_PAUSED, bare status, error_code_public PROCESSOR_NOT_CONFIGURED |
 * | internal_error | no | 500 INTERNAL_ERROR |
 * | unknown_code | no | 409 with an undocumented code |
 * | two_codes | no | 502 with two documented codes, REFUND_LOOKUP_FAILED and the public code PROCESSOR_ERROR |
 * | mint_order_missing, no_payment_reference, card_removed | no | 409 with that code |
 * | paused | no | 503 without a code (price and card changes) |
 * | contradiction | yes | a receipt one cent off in `path` (refunded_amount_usd) |
 * | landed_then_reset | yes | connection reset, no answer |
 * | made_then_500 | yes | 500 INTERNAL_ERROR |
 * | link_without_url, item_2xx_without_id | yes | the answer without its link, or without its ids |
 * | event_409_after_silence | yes | connection reset; the next call of that event_id gets a 409 |
 * | approve_failed_moved, approve_failed_unmoved | yes; no | 400 TRANSFER_APPROVE_FAILED with error_ref |
 * | approve_reset_moved | yes | connection reset, no answer |
 * | approve_202_in | no | 202 GUARDIAN_APPROVAL_PENDING with its code in `codeIn` |
 * | claim_then_torn | yes | half a body, connection cut |
 * | redeem_then_reset | yes | connection reset, no answer |
 * | poll_html | no | 200 and a page of HTML, as `html` |
 * | player_429 | no | 429 without a code, a limit of this player alone |
 * | absolute_retry_after | no | 403 PASSKEY_RECOVERY_COOLDOWN with an instant in retry_after and retry_after_seconds 600 |
 * | code_in | no | the next refusal with its code in the field `codeIn` |
 * | test_code_in_production | yes | the answer with test codes that only the sandbox may show |
 * | refuse | by `when` | `status`, `code` (null: `facts` alone) in `codeIn`, `codePublic`, `facts` |
 * | batch_drop, batch_stranger, batch_twice | yes | a batch without its first player, with one that wasn't requested, or with one twice |
 * | stream_cut, stream_mid_record | yes | the connection cut after `records`, or within the next one |
 * | stream_stall | yes | nothing more after `records`, the connection open |
 *
 * `when: 'after'` applies reset, html, redirect, bomb, slow, hold, refuse and every status kind after the call is executed.
 */
export interface Fault {
  match?: FaultMatch;
  kind: WireFault | BodyFault;
  /** Default: before. torn, stall and body faults always come after. */
  when?: 'before' | 'after';
  stateFault?: StateFault['kind'];
  /** Default 1. */
  times?: number;
  /** 429: seconds (number) or an HTTP date (text). Default 1. */
  retryAfter?: number | string;
  /** 400, 403, 404, refuse: the error code. Null: no envelope, the facts are the body. */
  code?: string | null;
  codePublic?: string;
  /** refuse, code_in: the field that names the code. Default: error_code. */
  codeIn?: CodeField;
  /** 400 and others: additional fields of the body. */
  facts?: Record<string, unknown>;
  /** slow: the wait before the headers; early_generated_at: how long before the window's end. */
  ms?: number;
  /** redirect: the target, and status 301, 302, 307 or 308; refuse, html: the status. */
  location?: string;
  status?: number;
  /** totals_cent: which total. */
  field?: string;
  /** put: the replacement at each dotted path, of any shape. */
  puts?: Record<string, unknown>;
  /** missing_field, number_for_string, settled_by_invo_true, nan, big_id, contradiction: a dotted path, `*` for every element. */
  path?: string;
  /** stream_cut, stream_mid_record, stream_stall: the records sent before. */
  records?: number;
  /** bomb: its inflated size in megabytes. */
  megabytes?: number;
}

type Meaning = Omit<Fault, 'kind' | 'match' | 'times'> & { kind: Fault['kind'] };

const APPROVE_FAILED: Meaning = {
  kind: 'refuse',
  status: 400,
  code: 'TRANSFER_APPROVE_FAILED',
  codeIn: 'code',
  facts: { error_ref: 'ref_approve_41' },
};

/** What the names of write faults stand for. Other fields of the armed fault take precedence. */
export const FAULT_NAMES: Readonly<Record<string, Meaning>> = {
  drop_before: { kind: 'reset' },
  drop_after: { kind: 'reset', when: 'after' },
  delay: { kind: 'slow' },
  delay_after: { kind: 'slow', when: 'after' },
  hold_after: { kind: 'hold', when: 'after' },
  torn_after: { kind: 'torn' },
  html_after: { kind: 'html', when: 'after' },
  receipt_lost: { kind: 'refuse', when: 'after', status: 500, code: 'INTERNAL_ERROR', stateFault: 'lose_receipt' },
  receipt_lost_conflict: { kind: 'reset', when: 'after', stateFault: 'lose_reference' },
  processor_failed_after_card: { kind: 'state', stateFault: 'fail_after_card' },
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
  landed_then_reset: { kind: 'reset', when: 'after' },
  made_then_500: { kind: 'refuse', when: 'after', status: 500, code: 'INTERNAL_ERROR' },
  event_409_after_silence: { kind: 'reset', when: 'after', stateFault: 'deny_event' },
  approve_failed_moved: { ...APPROVE_FAILED, when: 'after' },
  approve_failed_unmoved: APPROVE_FAILED,
  approve_reset_moved: { kind: 'reset', when: 'after' },
  approve_202_in: { kind: 'refuse', status: 202, code: 'GUARDIAN_APPROVAL_PENDING', codeIn: 'code' },
  claim_then_torn: { kind: 'torn' },
  redeem_then_reset: { kind: 'reset', when: 'after' },
  poll_html: { kind: 'html' },
  link_without_url: { kind: 'missing_field', path: 'checkout_url' },
  player_429: { kind: 'refuse', status: 429, code: null, facts: { error: 'Too many requests for this player.', retry_after: 1 } },
  absolute_retry_after: {
    kind: 'refuse',
    status: 403,
    code: 'PASSKEY_RECOVERY_COOLDOWN',
    facts: { retry_after: '2026-11-21T12:10:00Z', retry_after_seconds: 600 },
  },
  test_code_in_production: { kind: 'test_codes' },
  card_removed: { kind: 'refuse', status: 409, code: 'PAYMENT_METHOD_UNAVAILABLE' },
};

/** An armed fault with its name resolved. */
export function meaningOf(fault: Fault): Fault {
  const meaning = FAULT_NAMES[fault.kind];
  return meaning === undefined ? fault : { ...meaning, ...fault, kind: meaning.kind };
}
