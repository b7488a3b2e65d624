import type { TimelineAct } from '#db/refunds/reads/refund-history.ts';
import { formatRefundAction } from '#lib/refunds/rules/audit-actions.ts';
import { parseRefundState } from '#lib/refunds/rules/state.ts';
import { REFUND_STATE_TEXTS } from '#lib/refunds/text.ts';

const DECISIONS: Readonly<Record<string, string>> = {
  landed: 'it was refunded',
  not_landed: 'it did not happen',
  send_again: 'send it once more',
};

/** What somebody did, in a sentence, with the words they gave. */
export function sayAct({ actor, act, detail }: Pick<TimelineAct, 'actor' | 'act' | 'detail'>): { what: string; quote: string | null } {
  const who = actor === 'worker' ? 'Sharebook' : actor;
  return { what: `${who} ${formatRefundAction(act)}${sayDetail(detail)}.`, quote: textOf(detail['why']) ?? textOf(detail['text']) };
}

function sayDetail(detail: Record<string, unknown>): string {
  const decision = textOf(detail['decision']);
  if (decision !== null) return `: ${DECISIONS[decision] ?? decision}`;
  if (detail['approval'] === 'policy') return ', approved by policy: it is within the limit of who asked';
  const to = parseRefundState(detail['to']);
  return to === null ? '' : `, now: ${REFUND_STATE_TEXTS[to].label.toLowerCase()}`;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
