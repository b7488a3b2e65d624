import { isDocumentedCode } from '../../invo/refusals/refusal-codes.ts';
import { sayRefusal } from '../../invo/refusals/refusal-sentences.ts';

/** A refusal of a change as Invo gave it. */
export interface ChangeRefusal {
  status: number;
  errorCode: string | null;
  errorId: string | null;
  retryAfterMs: number | null;
  facts: Readonly<Record<string, string>>;
}

/** Whether nothing was carried out for certain: a code the contract names, or a status that ends a request at the door. */
export function isCertain({ status, errorCode }: Pick<ChangeRefusal, 'status' | 'errorCode'>): boolean {
  return [401, 403, 429].includes(status) || (errorCode !== null && isDocumentedCode(errorCode));
}

/** A refusal of a change in a plain sentence: what happened, what is safe, what to do. */
export function sayChangeRefusal({ status, errorCode, errorId, retryAfterMs, facts }: ChangeRefusal): string {
  const quote = errorId === null ? '' : ` Quote ${errorId} to Invo.`;
  if (status === 429) return `Invo was asked too often and did not make the change. Ask again ${waitOf(retryAfterMs)}.${quote}`;
  if (status === 403)
    return `Invo says that this game is neither live nor in testing. ${STAYS} Have the game’s status mended in the Invo console.${quote}`;
  if (errorCode === 'INVALID_BODY') return `Invo could not read the request. ${STAYS} This is a fault of Sharebook; report it.${quote}`;
  return sayRefusal({ errorCode, facts, errorId }, 'change');
}

const STAYS = 'The subscription stays as it was.';

function waitOf(ms: number | null): string {
  return ms === null ? 'in a minute' : `in ${Math.ceil(ms / 1000)} s`;
}
