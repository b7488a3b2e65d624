import { isDocumentedCode, leavesUnknown, type UnknownOutcomeCode } from './refusal-codes.ts';
import { waitOf } from './refusal-figures.ts';
import { type Refusal, sayRefusal } from './refusal-sentences.ts';
import { withReference } from './with-reference.ts';

/** A refusal of a change of a subscription as Invo gave it. */
export interface ChangeRefusal extends Refusal {
  status: number;
  retryAfterMs: number | null;
  facts: Readonly<Record<string, string>>;
}

/** Whether nothing was carried out for certain: a status that ends a request at the door, or a code the contract names. */
export function isCertain({ status, ...said }: Pick<ChangeRefusal, 'status' | 'errorCode' | 'facts'>): boolean {
  const code = tellingCode(said);
  if (code !== null && leavesUnknown(code)) return false;
  return [401, 403, 429].includes(status) || (code !== null && isDocumentedCode(code));
}

/** A refusal of a change in a plain sentence: what happened, what is safe, what to do. */
export function sayChangeRefusal(refusal: ChangeRefusal): string {
  const { status, errorId, retryAfterMs, facts } = refusal;
  const code = tellingCode(refusal);
  if (isCertain(refusal) && status === 429)
    return withReference(
      `Invo was asked too often and did not make the change. Ask again in ${waitOf((retryAfterMs ?? 0) / 1000) ?? 'a minute'}.`,
      errorId,
    );
  if (isCertain(refusal) && status === 403)
    return withReference(
      `Invo does not let this game in${code === null ? '' : ` (${code})`}: its answer to one that is neither live nor in testing. The subscription stays as it was. Look at the game’s status in the Invo console.`,
      errorId,
    );
  return sayByCode({ errorCode: code, facts, errorId });
}

/** What is said of a change nobody knows the outcome of. A refusal's own words are not: under the status of a failure they prove nothing. */
export function sayUnknownChange({ errorCode, errorId }: Pick<Refusal, 'errorCode' | 'errorId'>): string {
  const isRefusal = errorCode !== null && isDocumentedCode(errorCode) && !leavesUnknown(errorCode);
  return sayByCode({ errorCode: isRefusal ? null : errorCode, facts: {}, errorId });
}

// Refunds are repeated by Sharebook, changes of a subscription by the person.
const AGAIN = 'Read the subscription again; if it stands as before, ask for the change once more, which is harmless.';
const openSentences: Record<UnknownOutcomeCode, string> = {
  REFUND_LOOKUP_FAILED: 'Invo could not find out whether the change was made.',
  REFUND_MISMATCH: 'What the card processor says does not match Invo’s record, and whether the change was made is not known.',
  PROCESSOR_ERROR: 'The card processor refused or failed, and whether the change was made is not known.',
  PROCESSOR_UNAVAILABLE:
    'Invo cannot reach the card processor with its own credentials, and did not say whether the change was made. Tell Invo if it stays so.',
  PROCESSOR_NOT_CONFIGURED: 'Card payments are not set up at Invo for this game and environment, so the change was hardly made. Tell Invo.',
  PAYMENT_OUTCOME_UNKNOWN: 'The card processor did not answer Invo, and whether the change was made is not known.',
  service_unavailable: 'Invo is unavailable for a moment and did not say whether the change was made.',
  FLOW_PAUSED: 'Invo has paused changes for maintenance.',
  paused: 'Invo has paused changes of price and card, and did not say for how long.',
  INTERNAL_ERROR: 'Invo failed on its side and did not say whether the change was made.',
};

function sayByCode(refusal: Refusal): string {
  const { errorCode, errorId } = refusal;
  if (errorCode !== null && !leavesUnknown(errorCode)) return sayRefusal(refusal, 'change');
  const said = errorCode === null ? 'Invo did not say whether the change was made.' : openSentences[errorCode];
  return withReference(`${said} ${AGAIN}`, errorId);
}

// A refusal may carry two codes, the public one and an older one: what leaves the outcome open counts, then what the contract names.
function tellingCode({ errorCode, facts }: Pick<ChangeRefusal, 'errorCode' | 'facts'>): string | null {
  const codes = [errorCode, facts['error_code'] ?? null].filter((code) => code !== null);
  return codes.find(leavesUnknown) ?? codes.find(isDocumentedCode) ?? errorCode;
}
