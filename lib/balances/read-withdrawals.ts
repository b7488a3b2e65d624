import { askWithin, type GameContext, type InvoFailure, toInvoFailure } from '../games/game-context.ts';
import { InvoError } from '../invo/invo-error.ts';
import { bodyText, readRawWithdrawals, type WithdrawalRead } from '../invo/undocumented/player-balances.ts';

/** What Invo answered to one read of withdrawals, as it wrote it, and when. `raw` null: there is no answer to show. */
export interface WithdrawalAnswer {
  read: WithdrawalRead;
  status: number | null;
  receivedAt: string | null;
  raw: string | null;
  /** Null: Invo answered the read. */
  failure: InvoFailure | null;
}

export const WITHDRAWAL_READS: readonly WithdrawalRead[] = ['available-balance', 'history'];

/**
 * Requests one of the two reads of withdrawals from Invo while a person waits. The documents show neither answer (document 2, withdrawals): it is shown
 * raw, nothing of it becomes money, nothing is stored, and a refusal is never tried again by POST.
 */
export async function readWithdrawals(context: GameContext, read: WithdrawalRead): Promise<WithdrawalAnswer> {
  try {
    const { evidence } = await askWithin(context, {}, (invo, signal) => readRawWithdrawals(invo, read, signal));
    return { read, status: evidence.status, receivedAt: evidence.receivedAt, raw: indentJson(await bodyText(evidence)), failure: null };
  } catch (error) {
    const failure = toInvoFailure(error, { isUnstored: true, isList: true });
    const evidence = error instanceof InvoError ? error.evidence : null;
    const status = error instanceof InvoError ? error.status : null;
    const raw = evidence === null ? null : indentJson(await bodyText(evidence));
    return { read, status, receivedAt: evidence?.receivedAt ?? null, raw, failure };
  }
}

const SHOWN_MAX = 200_000;

/** A text, an empty object or list, a mark, or a gap. */
const TOKEN = /"(?:\\.|[^"\\])*"?|([{[])\s{0,198}([}\]])|[{}[\],:]|\s+/gs;

/** JSON with line breaks and indents added, and every other character as it came: parsing it would change numbers. Long texts are cut, and say so. */
export function indentJson(text: string): string {
  const source = text.slice(0, SHOWN_MAX);
  let depth = 0;
  const line = (): string => `\n${'  '.repeat(Math.min(40, Math.max(0, depth)))}`;
  const out = source.replace(TOKEN, (token: string, open?: string, close?: string) => {
    if (open !== undefined) return `${open}${close}`;
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    if (token === '{' || token === '[' || token === ',') return `${token}${line()}`;
    if (token === '}' || token === ']') return `${line()}${token}`;
    if (token === ':') return ': ';
    return token.startsWith('"') ? token : '';
  });
  return text.length > SHOWN_MAX ? `${out}\n… ${text.length - SHOWN_MAX} more characters` : out;
}
