import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Exchange, Invo, StreamLimits } from '../invo.ts';
import { type Evidence, InvoError } from '../invo-error.ts';
import { requireEmail } from '../request-path.ts';
import type { Reader } from '../shapes/fields.ts';
import { type StreamRecord, splitRecords } from './balance-stream.ts';
import { type BatchAnswer, parseBatchAnswer } from './wallets.ts';

/** Addresses of one call. Document 2 allows 100,000; with fewer, memory and progress stay small and a lost answer costs little. */
export const BATCH_MAX = 5_000;

/** The two reads of withdrawals; the contract shows no answer of either, so each is handed over as Invo wrote it. */
export type WithdrawalRead = 'available-balance' | 'history';

interface BalanceStream {
  /** The records as they arrive. It ends only when the whole answer came and its last record was read; else it throws InvoError. */
  records: AsyncGenerator<StreamRecord>;
  receivedBytes(): number;
}

const NOT_A_BATCH = 'expected wallets by email, as a list or an object';
const readBatch: Reader<BatchAnswer> = (json) => {
  const value = parseBatchAnswer(json);
  return value === null ? { isSound: false, path: 'body', reason: NOT_A_BATCH } : { isSound: true, value };
};
const readNothing: Reader<null> = () => ({ isSound: true, value: null });

/** Where Invo refused `emails` and named `player_emails`. */
const takesPlayerEmails = new WeakSet<Invo>();

/** Reads what at most `BATCH_MAX` players hold. A read by POST: it changes nothing, and is repeated like any read. */
export async function readBalanceBatch(invo: Invo, emails: readonly string[], signal?: AbortSignal): Promise<Exchange<BatchAnswer>> {
  if (emails.length === 0 || emails.length > BATCH_MAX) throw new Error(`a batch of ${emails.length} addresses`);
  const ask = (field: 'emails' | 'player_emails'): Promise<Exchange<BatchAnswer>> => {
    const post = Buffer.from(JSON.stringify({ [field]: emails.map(requireEmail) }));
    return invo.ask({ route: { kind: 'balance' }, path: '/api/player-balances/batch', post, read: readBatch, signal });
  };
  if (takesPlayerEmails.has(invo)) return await ask('player_emails');
  try {
    return await ask('emails');
  } catch (error) {
    if (!(await namesOtherField(error))) throw error;
    takesPlayerEmails.add(invo);
    return await ask('player_emails');
  }
}

/** Reads the balances of all players, once, while they arrive. The stream's errors come from `records`. */
export async function streamBalances(
  { stream }: Invo,
  { signal, limits }: { signal?: AbortSignal | undefined; limits?: Partial<StreamLimits> } = {},
): Promise<BalanceStream> {
  const answer = await stream({ route: { kind: 'balance' }, path: '/api/player-balances/stream-all', signal, limits });
  return { records: splitRecords(answer.contentType, answer.pieces), receivedBytes: answer.receivedBytes };
}

/** Reads what the studio can withdraw, or has withdrawn; the value is in the evidence only. Requested by GET and nothing else. */
export function readRawWithdrawals({ ask }: Invo, read: WithdrawalRead, signal?: AbortSignal): Promise<Exchange<null>> {
  return ask({ route: { kind: 'other' }, path: `/api/withdrawals/${read}`, read: readNothing, signal });
}

/** Document 2 doesn't show the request of a batch: a 400 that names `player_emails` says what the list is called. */
async function namesOtherField(error: unknown): Promise<boolean> {
  if (!(error instanceof InvoError) || error.status !== 400 || error.evidence === null) return false;
  return (await bodyText(error.evidence)).includes('player_emails');
}

/** The text of an answer as it came; none of a refusal whose compressed body was cut off or longer than accepted. */
export async function bodyText({ contentEncoding, received, inflatedBytes }: Evidence): Promise<string> {
  if (contentEncoding === 'identity') return received.toString('utf8');
  // What was inflated within the bound when it came is inflated again, and nothing else.
  return inflatedBytes === 0 ? '' : (await inflate(received, { maxOutputLength: inflatedBytes })).toString('utf8');
}

const inflate = promisify(gunzip);
