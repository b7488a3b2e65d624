import { formatUsd, parseUsd } from '../money.ts';
import type { Json } from '../wire/answer.ts';
import type { BodyFault, Fault } from './fault.ts';

/** Placeholder for a number that JSON can write and a double can't hold. */
export const BIG_ID_MARK = '@@big-id@@';
const FIRST_LINE = 'recipients.0.periods.0';

/** Corrupts a body as the fault says; false when the body has no field for it. The route itself handles `shifted_page`. */
export function corruptBody(body: Json, fault: Fault): boolean {
  return SPOILERS[fault.kind as BodyFault](body, fault);
}

const SPOILERS: Record<BodyFault, (body: Json, fault: Fault) => boolean> = {
  shifted_page: () => true,
  wrong_game: (body) => set(body, 'report.game_id', '99999'),
  wrong_window: (body) => set(body, 'report.window.end', '2001-01-01T00:00:00Z'),
  totals_cent: (body, fault) => changeAt(body, `totals.${fault.field ?? 'net_attributed_usd'}`, addCent),
  unknown_fields: (body) =>
    ['', 'totals.', 'report.', 'recipients.*.', `${FIRST_LINE}.`].map((prefix) => add(body, `${prefix}x_added_later`)).some(Boolean),
  unknown_reason: corruptReason,
  missing_field: (body, fault) => changeAt(body, fault.path ?? 'totals.net_attributed_usd', (holder, key) => delete holder[key]),
  number_for_string: (body, fault) =>
    changeAt(body, fault.path ?? 'totals.net_attributed_usd', (holder, key) => {
      holder[key] = Number(holder[key]);
    }),
  settled_by_invo_true: (body, fault) => set(body, fault.path ?? 'totals.settled_by_invo', true),
  has_more_forever: (body) => set(body, 'pagination.has_more', true),
  recipient_twice: (body) => changeList(body, 'recipients', (list) => list.push(list[0])),
  early_generated_at: (body, fault) =>
    changeAt(body, 'report.generated_at', (holder) => {
      const end = (holder['window'] as Json)['end'] as string;
      holder['generated_at'] = new Date(Date.parse(end) - (fault.ms ?? 1)).toISOString();
    }),
  lost_line: (body) => changeList(body, 'recipients.0.periods', (list) => list.pop()),
  nan: (body, fault) => set(body, fault.path ?? 'totals.net_attributed_usd', 'NaN'),
  put: (body, fault) =>
    Object.entries(fault.puts ?? {})
      .map(([path, value]) => set(body, path, value))
      .some(Boolean),
  contradiction: (body, fault) => changeAt(body, fault.path ?? 'refunded_amount_usd', addCent),
  test_codes: (body) => {
    Object.assign(body, { test_code: 'canary-test-code', sms_pin: 'canary-pin' });
    return true;
  },
  big_id: (body, fault) => set(body, fault.path ?? `${FIRST_LINE}.period_id`, BIG_ID_MARK),
};

function set(body: Json, path: string, value: unknown): boolean {
  return changeAt(body, path, (holder, key) => {
    holder[key] = value;
  });
}

function add(body: Json, path: string): boolean {
  const steps = path.split('.');
  const name = steps.pop() ?? path;
  if (steps.length === 0) {
    body[name] = { since: 'next year' };
    return true;
  }
  return changeAt(body, steps.join('.'), (holder, key) => {
    (holder[key] as Json)[name] = { since: 'next year' };
  });
}

function changeList(body: Json, path: string, change: (list: unknown[]) => void): boolean {
  let isChanged = false;
  changeAt(body, path, (holder, key) => {
    const list = holder[key];
    if (!Array.isArray(list) || list.length === 0) return;
    change(list);
    isChanged = true;
  });
  return isChanged;
}

function addCent(holder: Json, key: string): void {
  const text = String(holder[key]);
  const size = parseUsd(text.replace('-', '')) ?? 0n;
  holder[key] = formatUsd((text.startsWith('-') ? -size : size) + 100n);
}

function corruptReason(body: Json): boolean {
  changeAt(body, 'totals.unattributed_reasons', (holder, key) => {
    const reasons = holder[key] as Record<string, number>;
    const counted = Object.keys(reasons).find((reason) => (reasons[reason] ?? 0) > 0);
    if (counted !== undefined) reasons[counted] = (reasons[counted] ?? 0) - 1;
    reasons['settlement_archived'] = counted === undefined ? 0 : 1;
  });
  return set(body, `${FIRST_LINE}.status`, 'under_review');
}

type Holder = Record<string, unknown>;

/** Calls `change` with the parent and key of every field that a dotted path names; `*` is every element. Returns whether there was one. */
function changeAt(root: unknown, path: string, change: (holder: Holder, key: string) => void): boolean {
  return walk(root, path.split('.'), change);
}

function walk(node: unknown, steps: string[], change: (holder: Holder, key: string) => void): boolean {
  const [step, ...rest] = steps;
  if (step === undefined || typeof node !== 'object' || node === null) return false;
  const holder = node as Holder;
  const keys = step === '*' ? Object.keys(holder) : step in holder ? [step] : [];
  let isFound = false;
  for (const key of keys) {
    if (rest.length > 0) {
      isFound = walk(holder[key], rest, change) || isFound;
    } else {
      change(holder, key);
      isFound = true;
    }
  }
  return isFound;
}
