import { DAY_MS, formatInstant } from '../instant.ts';
import { parseUsd } from '../money.ts';
import { checkPhone } from '../players/phone-share.ts';
import { formatCoins } from '../refunds/plan-refund.ts';
import type { Call } from '../route.ts';
import type { Transfer } from '../state/desk.ts';
import { Refusal, wordsOnly } from '../wire/answer.ts';
import { LINKED_GAME_IDS, type Tenant } from '../world/tenants.ts';
import { hundredths } from './ledger.ts';
import { sharedDesk } from './transfer-data.ts';

/** A start as its route read it. */
export interface StartRequest {
  kind: Transfer['kind'];
  key: string;
  senderEmail: string;
  senderPhone: string;
  toEmail: string | null;
  toPhone: string;
  toGame: string;
  amount: string;
}

const SAME_MS = 60_000;
const HOUR_MS = 3_600_000;
const SENDS_PER_HOUR = 25;
const STARTS_PER_HOUR = 100;
/** Hundredths of a coin. */
const SENT_PER_DAY = 100_000_000n;
const COOLDOWN_SECONDS = 600;

/** Refuses a key that was used, unless by a start that is held; returns that one. */
export function checkKey(call: Call, request: StartRequest, has: (variant: string) => boolean): Transfer | null {
  const { view } = call;
  const own = [...sharedDesk(call).transfers.values()].filter(({ fromGame }) => fromGame === view.world.gameId);
  const before = own.find(({ key, createdMs }) => key === request.key && !(has('forgets') && view.nowMs - createdMs >= DAY_MS));
  const isSpent = sharedDesk(call).counters.has(spentKey(request.key));
  if (before === undefined && !isSpent) return null;
  if (before?.isHeld === true && before.transactionStatus === 'pending_approval') return before;
  call.outcome = 'replayed';
  const ids = before === undefined || has('no_ids') ? {} : { transaction_id: before.transactionId, order_id: before.orderId };
  if (has('duplicate_code')) throw new Refusal(409, 'DUPLICATE_REQUEST', 'This request was made before.', ids);
  throw wordsOnly(409, 'This request was made before.', ids);
}

/** Refuses a receiver's number whose owner must agree first. In the shape spent, that uses the key up. */
export function checkShare(call: Call, request: StartRequest): void {
  if (request.toEmail === null) return;
  try {
    checkPhone(call, request.toPhone, request.toEmail);
  } catch (error) {
    if (call.state.shapes.has('starts', 'spent')) sharedDesk(call).counters.set(spentKey(request.key), 1);
    throw error;
  }
}

function spentKey(key: string): string {
  return `spent|${key}`;
}

/** Refuses a title to which these coins can't go. */
export function checkPolicy(call: Call, request: StartRequest, { gameId, type, status }: Tenant): void {
  const { view, state, environment } = call;
  const { transferMode, hasOutgoing, status: ownStatus } = state.games[environment];
  const own = view.world.gameId;
  const isSend = request.kind === 'send';
  if (ownStatus === 'testing' || status === 'testing') {
    if (isSend) throw wordsOnly(403, 'A title in testing neither sends nor receives coins.');
    throw new Refusal(403, ownStatus === 'testing' ? 'SOURCE_GAME_NOT_LIVE' : 'TARGET_GAME_NOT_LIVE', 'Both games must be live.');
  }
  if (gameId === own) return;
  const policyCode = isSend ? 'CURRENCY_SEND_POLICY_VIOLATION' : 'TRANSFER_POLICY_VIOLATION';
  if (!hasOutgoing) throw new Refusal(403, policyCode, 'Outgoing transfers are disabled for this game.');
  if (transferMode === 'linked' && !LINKED_GAME_IDS.includes(gameId))
    throw new Refusal(403, policyCode, 'The receiving game is not in the linked list.');
  if (type === 'pcstore') throw new Refusal(409, 'NON_PCSTORE_VALUE_INTO_PCSTORE_BLOCKED', 'This title takes coins of its own store only.');
  if (type === 'platform') throw new Refusal(409, 'GAME_TO_PLATFORM_BLOCKED', 'The destination is a platform, not a game.');
}

/** Refuses what is above a sender's limits of an hour and a day, and a start like the last. */
export function checkVelocity(call: Call, request: StartRequest, playerId: number, isRepeat409: boolean): void {
  const { nowMs, world } = call.view;
  const own = [...sharedDesk(call).transfers.values()].filter(
    ({ sender, fromGame }) => sender.playerId === playerId && fromGame === world.gameId,
  );
  const within = (ms: number): Transfer[] => own.filter(({ createdMs }) => createdMs > nowMs - ms);
  const isSend = ({ kind }: Transfer): boolean => kind === 'send';
  if (request.kind === 'send' && within(HOUR_MS).filter(isSend).length >= SENDS_PER_HOUR)
    throw new Refusal(429, 'velocity_limit_exceeded', 'The hourly send limit is reached.').under('error');
  if (within(HOUR_MS).length >= STARTS_PER_HOUR) throw wordsOnly(429, 'The hourly limit of starts is reached.');
  const sentToday = within(DAY_MS)
    .filter(isSend)
    .reduce((sum, { amount }) => sum + hundredths(amount), 0n);
  if (request.kind === 'send' && sentToday + hundredths(request.amount) > SENT_PER_DAY)
    throw wordsOnly(429, 'The daily send limit is reached.');
  const isAlike = ({ kind, amount, toPhone }: Transfer): boolean =>
    kind === request.kind && hundredths(amount) === hundredths(request.amount) && toPhone === request.toPhone;
  // The documents say that these are blocked, and not how.
  if (within(SAME_MS).some(isAlike)) throw wordsOnly(isRepeat409 ? 409 : 429, 'The same amount was just sent to this receiver.');
}

/** The refusal of coins that were bought in a store. */
export function originBlocked(): Refusal {
  return new Refusal(409, 'PCSTORE_VALUE_NON_TRANSFERABLE', 'Part of these coins was bought in a store and can’t leave the title.', {
    transferable_max: '40.00',
    pcstore_origin_amount: '60.00',
  });
}

/** The refusal of a player who has just recovered a passkey; `retry_after` is an instant, as text or in seconds. */
export function coolingDown({ view }: Pick<Call, 'view'>, isEpoch = false): Refusal {
  const untilMs = view.nowMs + COOLDOWN_SECONDS * 1000;
  return new Refusal(403, 'PASSKEY_RECOVERY_COOLDOWN', 'Money out is held after a passkey recovery.', {
    retry_after: isEpoch ? untilMs / 1000 : formatInstant(untilMs),
    retry_after_seconds: COOLDOWN_SECONDS,
  });
}

/** Reads an amount of coins as the routes take it; refuses anything but a decimal string above nought. */
export function readCoins(call: Call, value: unknown): string {
  const amount = typeof value === 'string' ? parseUsd(value) : null;
  if (amount === null || amount === 0n || amount % 100n !== 0n)
    throw invalid(call, 'amount must be a decimal string above 0.', 'INVALID_AMOUNT');
  return formatCoins(amount / 100n);
}

/** A refusal whose code the documents don't show. */
export function invalid({ state }: Call, words: string, code: string): Refusal {
  return state.shapes.has('starts', 'codes') ? new Refusal(400, code, words) : wordsOnly(400, words);
}
