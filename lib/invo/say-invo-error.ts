import type { InvoError, InvoErrorCode } from './invo-error.ts';
import { isDocumentedCode, leavesUnknown } from './refusals/refusal-codes.ts';
import { sizeOf, waitOf } from './refusals/refusal-figures.ts';
import { sayRefusal } from './refusals/refusal-sentences.ts';
import { withReference } from './refusals/with-reference.ts';

type Said = Pick<InvoError, 'code' | 'errorId' | 'path' | 'facts' | 'retryAfterMs' | 'errorCode'>;

const sentences: Record<InvoErrorCode, (error: Said) => string> = {
  unreachable: () =>
    'Invo could not be reached, or hung up in the middle of its answer. Nothing stored was changed. Try again; if it stays so, check the base URL and the network.',
  timeout: () => 'Invo did not answer in time. Nothing stored was changed. Try again in a few minutes.',
  unauthorized: () => 'Invo refused the game secret: it is wrong for this game and environment; put the right one into the configuration.',
  not_live: () =>
    'The secret was not the trouble: Invo says that this game is neither live nor in testing. Nothing stored was changed. Have the game’s status mended in the Invo console.',
  rate_limited: (error) =>
    `Invo asked everybody of this game to wait ${waitOf((error.retryAfterMs ?? 0) / 1000) ?? 'a while'}. Nothing stored was changed. Try again after that.`,
  not_found: () =>
    'Invo does not know it in this game and environment. Nothing stored was changed. Check the id, and whether it belongs to another game or environment.',
  rejected: (error) =>
    `Invo refused the request${error.errorCode === null ? '' : ` (${error.errorCode})`}. Nothing stored was changed. Asking the same again will not help.`,
  window_too_large: (error) =>
    `The window holds more than one report may carry${sizeOf(error.facts)}. Nothing stored was changed. Ask for a shorter window.`,
  upstream_fault: () => 'Invo failed on its side. Nothing stored was changed. Try again in a few minutes.',
  malformed: (error) =>
    `Invo’s answer breaks the contract${error.path === null ? '' : ` at ${error.path}`}. It was not used; figures stored earlier are untouched. Report it to Invo.`,
  redirected: () =>
    'Invo’s address sent us to another address. The secret was not sent there and nothing stored was changed. Check the base URL.',
  too_large: () =>
    'Invo’s answer is larger than Sharebook accepts. It was not used; figures stored earlier are untouched. Ask for a shorter window, or report it to Invo.',
  aborted: () => 'The call was stopped before Invo answered. Nothing stored was changed. Start it again when you like.',
};

/** What happened, what is safe and what to do next, for the person who must act, with Invo's error_id to quote where there is one. */
export function sayInvoError(error: Said): string {
  const { code, errorCode } = error;
  const isNamed = (code === 'rejected' || code === 'not_found') && errorCode !== null && isDocumentedCode(errorCode);
  if (isNamed && !leavesUnknown(errorCode)) return sayRefusal(error, 'read');
  return withReference(sentences[code](error), error.errorId);
}
