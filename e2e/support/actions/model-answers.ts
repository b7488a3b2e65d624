import type { ActionAnswer } from '#lib/actions/rules/action-ports.ts';
import type { ActionKind } from '#lib/actions/rules/kinds.ts';

/** What goes wrong while Invo answers. */
export type Mishap = 'none' | 'fails_before' | 'fails_after' | 'limited' | 'secret_refused' | 'page' | 'other_subject' | 'early_refusal';

/** The fields of a body by which the model knows its route. */
export interface Body {
  order_id?: string;
  setup_intent_id?: string;
  metadata?: { sharebook_link: string };
  event_id?: string;
  client_request_id?: string;
  purchase_reference?: string;
  setup_reference?: string;
  claim_code?: string;
}

/** An exchange without an answer. */
export const SILENT: ActionAnswer = {
  phase: 'sent',
  status: null,
  codes: [],
  json: null,
  errorId: null,
  retryAfterMs: null,
  transportError: null,
  body: null,
};

/** The answer to a call that isn't executed. */
export function answerBefore(mishap: Mishap, kind: ActionKind): ActionAnswer | null {
  switch (mishap) {
    case 'fails_before':
      return refused(500, 'INTERNAL_ERROR');
    case 'limited':
      return refused(429, 'rate_limit_exceeded');
    case 'secret_refused':
      return refused(401, 'INVALID_GAME_SECRET');
    case 'other_subject':
      // The documents show no body of a send's approval: only another transaction says that it is about something else.
      if (kind === 'send_approve') return answered(200, { transaction_id: 'another' });
      // Of steps they show none that names anything.
      if (kind === 'owner_text' || kind === 'phone_enrolment') return refused(500, 'INTERNAL_ERROR');
      return answered(200, { status: 'success', order_id: 'another', setup_intent_id: 'another', item_id: 'another', event_id: 'another' });
    case 'early_refusal':
      return answered(404, { error: 'not found' });
    case 'fails_after':
    case 'none':
    case 'page':
      return null;
  }
}

/** A whole answer. */
export function answered(status: number, json: Record<string, unknown>, ...codes: string[]): ActionAnswer {
  return { ...SILENT, phase: 'answered', status, json, codes };
}

/** A refusal with its code. */
export function refused(status: number, code: string): ActionAnswer {
  return answered(status, { error_code: code }, code);
}
