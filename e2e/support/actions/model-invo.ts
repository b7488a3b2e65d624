import type { ActionAnswer } from '#lib/actions/rules/action-ports.ts';
import type { ActionKind } from '#lib/actions/rules/kinds.ts';
import { answerBefore, answered, type Body, type Mishap, refused, SILENT } from './model-answers.ts';

/** What was executed, by the action whose call did it; null: the game's client or the player did. */
interface Execution {
  subject: string;
  actionId: number | null;
  at: number;
}

/** A model of what Invo has of one player: an order that waits for the bank, card set-ups, payment links, and a reward. */
export class ModelInvo {
  readonly executions: Execution[] = [];
  readonly calls: { actionId: number; bytes: string }[] = [];
  orderStatus: 'requires_action' | 'completed' | 'failed' | 'cancelled' = 'requires_action';
  /** The bank's check, of the order or of the set-up. */
  check: 'open' | 'done' | 'failed' = 'open';
  /** Of the one transfer into the game. */
  transferState: 'approved' | 'completed' | 'expired' = 'approved';
  /** Of the player of the form. */
  readonly cards: number[] = [1];
  reward: 'unlocked' | 'redeemed' | 'revoked' = 'unlocked';
  readonly #setUp: { isKnown: boolean; isOwn: boolean };
  /** An Invo with the defect that it executes every call, for a test of the rules themselves. */
  readonly #executesAlways: boolean;
  readonly #now: () => number;
  #windowEndsAt: number | null = null;
  readonly #starts = new Map<string, { actionId: number; endsAt: number }>();
  readonly #purchases = new Map<string, { actionId: number; isLost: boolean; settlesAt: number }>();

  constructor(
    now: () => number,
    setUp: { isKnown: boolean; isOwn: boolean },
    { executesAlways = false }: { executesAlways?: boolean } = {},
  ) {
    this.#now = now;
    this.#setUp = setUp;
    this.#executesAlways = executesAlways;
  }

  /** Handles one call by the rules of the documents. */
  receive(call: { actionId: number; bytes: Buffer; inPath: string | null; kind: ActionKind }, mishap: Mishap): ActionAnswer {
    const bytes = call.bytes.toString('utf8');
    this.calls.push({ actionId: call.actionId, bytes });
    const before = answerBefore(mishap, call.kind);
    if (before !== null) return before;
    const answer = this.#answer(bytes, call);
    if (mishap === 'fails_after') return refused(500, 'INTERNAL_ERROR');
    return mishap === 'page' ? { ...SILENT, status: 200, transportError: 'malformed' } : answer;
  }

  #answer(bytes: string, { inPath, actionId, kind }: { inPath: string | null; actionId: number; kind: ActionKind }): ActionAnswer {
    if (kind === 'receipt') return this.#collect(actionId);
    if (kind === 'send_approve' || kind === 'transfer_approve') return this.#approve(actionId);
    if (kind === 'owner_text') return this.#text(actionId);
    if (kind === 'phone_enrolment') return this.#answerPhone(actionId);
    if (kind === 'send_start' || kind === 'transfer_start')
      return this.#start((JSON.parse(bytes) as Body).client_request_id ?? '', actionId);
    if (inPath !== null) return this.redeem(inPath, actionId);
    return bytes === '' ? this.#makeLink(linkOf(actionId), actionId) : this.#execute(JSON.parse(bytes) as Body, actionId);
  }

  #execute(body: Body, actionId: number): ActionAnswer {
    const { order_id, setup_intent_id, metadata, event_id, client_request_id, purchase_reference, setup_reference, claim_code } = body;
    if (order_id !== undefined) return this.#confirmOrder(order_id, actionId);
    if (setup_intent_id !== undefined) return this.#confirmSetUp(setup_intent_id, actionId);
    if (event_id !== undefined) return this.#record(event_id, actionId);
    if (claim_code !== undefined) return this.#collect(actionId);
    if (purchase_reference !== undefined) return this.#buy(purchase_reference, actionId);
    if (setup_reference !== undefined) return this.#setUpCard(setup_reference, actionId);
    return client_request_id === undefined
      ? this.#makeLink(metadata?.sharebook_link ?? '', actionId)
      : this.#sell(client_request_id, actionId);
  }

  executedBy(actionId: number): number {
    return this.executions.filter((each) => each.actionId === actionId).length;
  }

  executedOn(subject: string): number {
    return this.executions.filter((each) => each.subject === subject).length;
  }

  /** The game's client confirms the payment, or the player saves another card. */
  complete(orderId: string): void {
    if (this.orderStatus !== 'requires_action' || this.check !== 'done') return;
    this.orderStatus = 'completed';
    this.#executed(orderId, null);
  }

  /** Redeems the reward once, and shows its code again; without an action the player does, in the game. */
  redeem(entryId: string, actionId: number | null): ActionAnswer {
    if (this.reward === 'revoked') return refused(404, 'vault_entry_not_found');
    const isBefore = this.reward === 'redeemed';
    if (!isBefore || this.#executesAlways) this.#executed(entryId, actionId);
    this.reward = 'redeemed';
    return answered(200, { vault_entry_id: entryId, state: 'redeemed', code: 'RWD-1', revealed_again: isBefore });
  }

  #confirmOrder(orderId: string, actionId: number): ActionAnswer {
    const done = (already_processed: boolean): ActionAnswer =>
      answered(200, { status: 'success', order_id: orderId, transaction_id: 'T1', already_processed });
    if (this.orderStatus === 'completed' && !this.#executesAlways) return done(true);
    if (this.orderStatus === 'failed' || this.orderStatus === 'cancelled') return answered(409, { order_status: this.orderStatus });
    if (this.check === 'open') return answered(400, { error: 'not finished' });
    if (this.check === 'failed') {
      this.orderStatus = 'failed';
      return answered(402, { order_status: 'failed' });
    }
    this.orderStatus = 'completed';
    this.#executed(orderId, actionId);
    return done(false);
  }

  #confirmSetUp(setup_intent_id: string, actionId: number): ActionAnswer {
    const isBefore = this.executedOn(setup_intent_id) > 0;
    if (!this.#setUp.isKnown) return answered(404, { error: 'no such set-up' });
    if (!isBefore && this.check !== 'done') return refused(400, 'still_requires_action');
    if (!isBefore || this.#executesAlways) {
      this.#executed(setup_intent_id, actionId);
      if (this.#setUp.isOwn) this.addCard();
    }
    return answered(200, { status: 'success', setup_intent_id, card: { id: 2 }, already_saved: isBefore });
  }

  addCard(): void {
    this.cards.unshift(Math.max(...this.cards) + 1);
  }

  #record(event_id: string, actionId: number): ActionAnswer {
    if (!this.#setUp.isKnown) return refused(404, 'PLAYER_NOT_FOUND');
    if (!this.#remembers(event_id)) this.#executed(event_id, actionId);
    return answered(202, { status: 'recorded' });
  }

  #sell(key: string, actionId: number): ActionAnswer {
    if (!this.#setUp.isKnown) return answered(400, { error: 'no such item' });
    const ids = { transaction_id: `T_${key}`, order_id: `O_${key}` };
    if (this.#remembers(key)) return answered(409, ids);
    this.#executed(key, actionId);
    return answered(200, { status: 'success', ...ids });
  }

  /** A payment that isn't clear at once lands within 15 minutes, or its order fails after a day. */
  #buy(reference: string, actionId: number): ActionAnswer {
    if (!this.#setUp.isKnown) return refused(403, 'RAIL_DISABLED');
    const isNew = !this.#purchases.has(reference);
    if (isNew) {
      const isLost = this.check !== 'done' && !this.#setUp.isOwn;
      const settles_ms = this.check === 'done' ? 0 : isLost ? KEY_LIVES_MS : LANDS_MS;
      this.#purchases.set(reference, { actionId, isLost, settlesAt: this.#now() + settles_ms });
    }
    const status = this.purchaseStatus(reference);
    const order_id = `O_${reference}`;
    if (status === 'completed')
      return answered(200, { status: 'success', order_id, transaction_id: 'T1', ...(isNew ? {} : { duplicate: true }) });
    if (status === 'failed') return answered(409, { status: 'failed', order_status: status, order_id }, 'failed');
    return isNew
      ? answered(502, { order_id }, 'PAYMENT_OUTCOME_UNKNOWN')
      : answered(409, { status: 'pending', duplicate: true }, 'pending');
  }

  /** What the order of a reference is now; null: there is none. */
  purchaseStatus(reference: string): 'pending_payment' | 'completed' | 'failed' | null {
    const purchase = this.#purchases.get(reference);
    if (purchase === undefined) return null;
    if (this.#now() < purchase.settlesAt) return 'pending_payment';
    if (purchase.isLost) return 'failed';
    if (this.executedOn(reference) === 0) this.#executed(reference, purchase.actionId);
    return 'completed';
  }

  /** The one transfer waits until a code, the player's phone or time ends it. */
  #collect(actionId: number): ActionAnswer {
    if (!this.#setUp.isOwn) return answered(400, { error: 'The claim code is not valid.' });
    if (this.transferState !== 'approved' && !this.#executesAlways) return answered(409, { current_status: this.transferState });
    this.transferState = 'completed';
    this.#executed(TRANSFER_ID, actionId);
    return answered(200, { status: 'success', transaction_id: TRANSFER_ID });
  }

  /** The player's phone collects it, or its time is over. */
  endTransfer(state: 'completed' | 'expired'): void {
    if (this.transferState !== 'approved') return;
    this.transferState = state;
    if (state === 'completed') this.#executed(TRANSFER_ID, null);
  }

  /** Opens the window in which the phone's approval moves the coins of the one transaction. */
  openWindow(): number {
    this.#windowEndsAt ??= this.#now() + WINDOW_MS;
    return this.#windowEndsAt;
  }

  /** What became of the transaction that an approval moves. */
  approvalState(): 'awaiting' | 'moved' | 'expired' {
    if (this.executedOn(TRANSFER_ID) > 0) return 'moved';
    return this.#now() < (this.#windowEndsAt ?? 0) ? 'awaiting' : 'expired';
  }

  /** Moves the coins once, within the window; without an action the player's own game does. */
  #approve(actionId: number | null): ActionAnswer {
    if (!this.#setUp.isKnown) return refused(403, 'not_transfer_sender');
    if (this.approvalState() !== 'awaiting' && !this.#executesAlways) return refused(400, 'TRANSACTION_NOT_PENDING');
    this.#executed(TRANSFER_ID, actionId);
    return answered(200, { status: 'approved', transaction_id: TRANSFER_ID, claim_code: 'CLM-1' });
  }

  /** Texts the owner of the phone that a start is held for, each time. */
  #text(actionId: number): ActionAnswer {
    if (!this.#setUp.isKnown) return refused(400, 'INVALID_FIELD_VALUE');
    this.#executed(START_ID, actionId);
    return answered(200, { status: 'success', code_sent: true, already_approved: false });
  }

  /** A new phone waits for one answer, within the window of its code. */
  #answerPhone(actionId: number): ActionAnswer {
    if (this.approvalState() !== 'awaiting' && !this.#executesAlways) return refused(400, 'ENROLLMENT_NOT_PENDING');
    this.#executed(TRANSFER_ID, actionId);
    return answered(200, { status: 'success' });
  }

  /** Reserves coins once for each key, and opens a window. */
  #start(key: string, actionId: number): ActionAnswer {
    if (!this.#setUp.isKnown) return refused(403, 'GUARDIAN_REQUIRED');
    const isBefore = this.#starts.has(key);
    if (!isBefore) this.#starts.set(key, { actionId, endsAt: this.#now() + WINDOW_MS });
    if (isBefore) return answered(409, { transaction_id: `T_${key}` });
    const verification_expires_at = new Date(this.#now() + WINDOW_MS).toISOString();
    return answered(201, { status: 'success', transaction_id: `T_${key}`, verification_expires_at });
  }

  /** What became of the coins that a start of a key reserved; null: it reserved none. */
  stateOfStart(key: string): 'awaiting' | 'moved' | 'expired' | null {
    const start = this.#starts.get(key);
    if (start === undefined) return null;
    if (this.executedOn(key) > 0) return 'moved';
    return this.#now() < start.endsAt ? 'awaiting' : 'expired';
  }

  /** The player approves what waits, in the game and without Sharebook. */
  approveElsewhere(): void {
    for (const [key, { actionId }] of this.#starts) if (this.stateOfStart(key) === 'awaiting') this.#executed(key, actionId);
    if (this.#windowEndsAt !== null && this.approvalState() === 'awaiting') this.#executed(TRANSFER_ID, null);
  }

  #setUpCard(reference: string, actionId: number): ActionAnswer {
    if (!this.#setUp.isKnown) return refused(404, 'PLAYER_NOT_FOUND');
    const isBefore = this.executedOn(reference) > 0;
    if (!isBefore && this.check !== 'done')
      return answered(200, { status: 'requires_action', setup_intent_id: 'seti_1' }, 'requires_action');
    if (!isBefore || this.#executesAlways) {
      this.#executed(reference, actionId);
      this.addCard();
    }
    return answered(200, { status: 'succeeded', setup_intent_id: 'seti_1', card: { id: 2 }, already_saved: isBefore });
  }

  #remembers(key: string): boolean {
    return !this.#executesAlways && this.executions.some(({ subject, at }) => subject === key && at > this.#now() - KEY_LIVES_MS);
  }

  #executed(subject: string, actionId: number | null): void {
    this.executions.push({ subject, actionId, at: this.#now() });
  }

  #makeLink(link: string, actionId: number): ActionAnswer {
    this.#executed(link, actionId);
    const number = this.executions.length;
    const checkout_url = `https://pay.example/checkout?token=${number}`;
    return answered(201, { session_id: `cs_${number}`, checkout_url, url: checkout_url, expires_at: null, expires_in_seconds: 900 });
  }
}

/** The link of the action of this number in a history, and its idempotency key. */
export function linkOf(number: number): string {
  return `2f1f6a0e-6a53-4d3c-9df5-${String(number).padStart(12, '0')}`;
}

/** The transfer of every history. */
export const TRANSFER_ID = 'TRF_1';

/** The start whose steps are played. */
export const START_ID = '99';

/** How long the model remembers a key. */
const KEY_LIVES_MS = 24 * 3_600_000;
const LANDS_MS = 15 * 60_000;
/** How long a phone may approve. */
const WINDOW_MS = 10 * 60_000;
