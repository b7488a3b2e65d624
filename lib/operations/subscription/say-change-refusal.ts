import { isDocumentedCode, leavesUnknown } from '../../invo/refusals/refusal-codes.ts';
import { sayRefusal } from '../../invo/refusals/refusal-sentences.ts';

/** A refusal of a change as Invo gave it. */
export interface ChangeRefusal {
  status: number;
  errorCode: string | null;
  errorId: string | null;
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
  const quote = errorId === null ? '' : ` Quote ${errorId} to Invo.`;
  if (isCertain(refusal)) {
    if (status === 429) return `Invo was asked too often and did not make the change. Ask again ${waitOf(retryAfterMs)}.${quote}`;
    if (status === 403)
      return `Invo says that this game is neither live nor in testing. ${STAYS} Have the game’s status mended in the Invo console.${quote}`;
  }
  return sayRefusal({ errorCode: tellingCode(refusal), facts, errorId }, 'change');
}

/** What is said of a change nobody knows the outcome of. A refusal's own words are not: under the status of a failure they prove nothing. */
export function sayUnknownChange({ errorCode, errorId }: Pick<ChangeRefusal, 'errorCode' | 'errorId'>): string {
  const isRefusal = errorCode !== null && isDocumentedCode(errorCode) && !leavesUnknown(errorCode);
  return sayRefusal({ errorCode: isRefusal ? null : errorCode, facts: {}, errorId }, 'change');
}

// A refusal may carry two codes, the public one and an older one: what leaves the outcome open counts, then what the contract names.
function tellingCode({ errorCode, facts }: Pick<ChangeRefusal, 'errorCode' | 'facts'>): string | null {
  const codes = [errorCode, facts['error_code'] ?? null].filter((code) => code !== null);
  return codes.find(leavesUnknown) ?? codes.find(isDocumentedCode) ?? errorCode;
}

const STAYS = 'The subscription stays as it was.';

function waitOf(ms: number | null): string {
  return ms === null ? 'in a minute' : `in ${Math.ceil(ms / 1000)} s`;
}
