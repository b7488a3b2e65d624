/** What a fault may be asked to hit; every given field must fit. */
export interface FaultMatch {
  route?: string;
  method?: string;
  environment?: string;
  /** Query values; the offset is given as a number or in `query`. */
  offset?: number;
  query?: Record<string, string>;
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
  'stall',
  'html',
  'redirect',
  'bomb',
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
] as const;

export type WireFault = (typeof WIRE_FAULTS)[number];
export type BodyFault = (typeof BODY_FAULTS)[number];

/** An armed fault: the next `times` answers that match go wrong in this way. */
export interface Fault {
  match?: FaultMatch;
  kind: WireFault | BodyFault;
  /** Default 1. */
  times?: number;
  /** 429: seconds (number) or an HTTP date (text). Default 1. */
  retryAfter?: number | string;
  /** 400, 403, 404: the error code. */
  code?: string;
  /** 400 and others: further fields of the body. */
  facts?: Record<string, unknown>;
  /** slow: wait before the headers; early_generated_at: how long before the window's end. */
  ms?: number;
  /** redirect: where to, and 301, 302, 307 or 308. */
  location?: string;
  status?: number;
  /** totals_cent: which total. */
  field?: string;
  /** missing_field, number_for_string, settled_by_invo_true, nan, big_id: dotted path, `*` for every element. */
  path?: string;
  /** bomb: how many megabytes it inflates to. */
  megabytes?: number;
}
