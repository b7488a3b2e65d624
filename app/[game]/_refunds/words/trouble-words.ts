import type { InvoErrorCode } from '#lib/invo/invo-error.ts';
import { sayRefusal } from '#lib/invo/refusals/refusal-sentences.ts';
import { withReference } from '#lib/invo/refusals/with-reference.ts';

/** A code kept with a refund or one of its tries: Invo's, or ours for trouble on the road. */
export interface KeptTrouble {
  errorCode: string;
  facts: Readonly<Record<string, unknown>>;
  errorId: string | null;
}

// Ours. Whether a try may have been carried out is said beside it; here is only what was met.
const OWN: Readonly<Record<InvoErrorCode | 'sender_silent' | 'period_changed' | 'approval_lapsed', string>> = {
  unreachable: 'Invo could not be reached, or hung up in the middle of its answer.',
  timeout: 'Invo did not answer in time.',
  malformed: 'Invo’s answer could not be read.',
  redirected: 'Invo’s address sent us to another address, and nothing was sent there. Whoever runs Sharebook checks the base URL.',
  too_large: 'Invo’s answer was larger than Sharebook accepts.',
  aborted: 'The call was stopped before Invo answered.',
  unauthorized: 'Invo refused the game secret. Whoever runs Sharebook puts the right one into the configuration.',
  not_live: 'Invo says that this game is neither live nor in testing. Its status has to be mended in the Invo console.',
  rate_limited: 'Invo asked everybody of this game to wait.',
  not_found: 'Invo does not know this period in this game and environment.',
  rejected: 'Invo refused the request.',
  window_too_large: 'Invo’s answer would hold more than one report may carry.',
  upstream_fault: 'Invo failed on its side.',
  sender_silent: 'The process that was sending fell silent. Its call may have been carried out.',
  period_changed: 'The period changed at Invo after the refund was asked for, so no approval of it stands. Nothing was sent.',
  approval_lapsed: 'It could not be carried out within a day of its approval, so the approval lapsed. Nothing moved.',
};

/** What was met, in a sentence, with the reference to quote where Invo gave one. */
export function sayTrouble({ errorCode, facts, errorId }: KeptTrouble): string {
  return isOwn(errorCode) ? withReference(OWN[errorCode], errorId) : sayRefusal({ errorCode, facts, errorId });
}

function isOwn(code: string): code is keyof typeof OWN {
  return Object.hasOwn(OWN, code);
}
