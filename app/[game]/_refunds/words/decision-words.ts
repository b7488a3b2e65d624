import { OUTCOME_LENGTH_MAX, WHY_LENGTH_MAX } from '#lib/core/typed-text.ts';
import type { Approved, Decided, Resolved } from '#lib/refunds/approve-refund.ts';

type Refusal = Exclude<Extract<Approved | Decided | Resolved, { ok: false }>['reason'], 'no_answer'>;

/** Why a decision about a refund was not taken, for whoever pressed the button. */
export const DECISION_REFUSALS: Record<Refusal, string> = {
  not_allowed: 'Your role may not do this. Nothing was changed.',
  own_request: 'You asked for it yourself, and it is above your limit: somebody else has to approve it.',
  moved_on: 'The refund has moved on meanwhile, so nothing was changed. The page shows where it is now.',
  changed:
    'What it asks for changed since you looked, so it was not approved. The page shows the new figures: check them and approve again.',
  impossible:
    'At Invo the period is not what was asked about any more, and with that this refund can no longer be done. Say no to it or withdraw it, and ask anew for what is left.',
  wallet: 'Tick that you know what it does to the player’s wallet. Nothing was approved.',
  why_missing: 'Say why: whoever asked for it has to know.',
  why_too_long: `Say it in ${WHY_LENGTH_MAX} characters at most. Nothing was changed.`,
  text_missing: 'Say what you looked at and what you saw. The second person decides on it.',
  text_too_long: `Say it in ${OUTCOME_LENGTH_MAX} characters at most. Nothing was changed.`,
  already_proposed: 'Somebody has said already what happened. Agree with them, or say no first.',
  reading_too_old:
    'That it did not happen can be said only on a reading of the period taken half an hour or more after the last try; that it did, only on one taken after the last try, if there was any. Read the period again then.',
  too_late_to_send:
    'It was sent first more than a day ago. Invo may have forgotten the key by now, and a partial refund could then happen twice, so it is not sent again.',
  same_person: 'You said so yourself. A second person has to agree.',
};
