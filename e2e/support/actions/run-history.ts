import { digestContent } from '#lib/actions/action-digest.ts';
import { advanceAction } from '#lib/actions/advance-action.ts';
import type { ActionFacts } from '#lib/actions/rules/action-facts.ts';
import type { ActionContent } from '#lib/actions/rules/action-ports.ts';
import { isEnded } from '#lib/actions/rules/action-state.ts';
import { isReadAsPlayer, protocolOf } from '#lib/actions/rules/protocols.ts';
import { mayTextOwner } from '#lib/actions/rules/start-steps.ts';
import { sendAction } from '#lib/actions/send-approved.ts';
import { settleByReading } from '#lib/actions/settle-action.ts';
import { sha256Of } from '#lib/core/canonical-digest.ts';
import { HOUR, MINUTE, openChance, VirtualTime } from '../refunds/world.ts';
import {
  afterDeath,
  type Defect,
  factsOf,
  type History,
  note,
  ORDER_ID,
  type PlayedKind,
  portsOf,
  REWARD_ID,
  readingOf,
  type Weather,
  type World,
} from './history-ports.ts';
import { MemoryStore, type StoredAction } from './memory-store.ts';
import { linkOf, ModelInvo, START_ID, TRANSFER_ID } from './model-invo.ts';

const START = Date.parse('2026-11-21T12:00:00Z');
const SETTLED_MS = 30 * MINUTE;
const PEOPLE = ['sam', 'sara'] as const;

/**
 * Plays one history of a kind in virtual time: a few actions about one order, set-up or player, people who press again, one worker, a network
 * that loses, delays and repeats, and processes that are killed at any step. Same seed, same history.
 */
export async function runHistory(kind: PlayedKind, seed: number, defect: Defect = {}): Promise<History> {
  const chance = openChance(seed);
  const time = new VirtualTime(START);
  const invo = new ModelInvo(() => time.now, { isKnown: chance.happens(0.9), isOwn: chance.happens(0.7) }, defect.invo);
  const store = new MemoryStore(() => time.now, defect.store);
  const history: History = { actions: store.actions, invo, passed: [], trace: 0, mishaps: 0 };
  const rough = chance.among([0.05, 0.3, 0.6]);
  const [kill, lose, mishap, readFails] = [chance.next(), chance.next(), chance.next(), chance.next()].map((each) => each * rough);
  const weather: Weather = { kill: kill ?? 0, lose: lose ?? 0, mishap: mishap ?? 0, readFails: readFails ?? 0 };
  const world: World = { kind, chance, time, invo, store, history, weather, defect };
  const end = START + 30 * HOUR;
  void player(world);
  void people(world, end);
  void worker(world, 'worker', end);
  await time.runUntil(end);
  // What is open now settles without further kills or losses. People still approve for up to 44 hours, and an approval expires a day later.
  Object.assign(weather, { kill: 0, lose: 0, mishap: 0, readFails: 0 });
  store.isPaused = false;
  void worker(world, 'next worker', end + 72 * HOUR);
  await time.runUntil(end + 72 * HOUR);
  return history;
}

/** The bank, the game's client and the player, who may save another card meanwhile. */
async function player(world: World): Promise<void> {
  const { kind, chance, time, invo } = world;
  await time.sleep(chance.next() * chance.among([MINUTE, 4 * HOUR, 40 * HOUR]));
  invo.check = chance.among(['done', 'done', 'done', 'failed', 'open']);
  await time.sleep(chance.next() * chance.among([2 * HOUR, 30 * HOUR]));
  if (chance.happens(0.3)) invo.complete(ORDER_ID);
  if (chance.happens(0.3)) invo.addCard();
  if (kind.startsWith('send_') || kind.startsWith('transfer_')) void approver(world);
  if (chance.happens(0.4) && (kind === 'claim' || kind === 'receipt')) invo.endTransfer(chance.among(['completed', 'expired']));
  if (kind === 'redeem' && chance.happens(0.2) && invo.reward === 'unlocked') {
    if (chance.happens(0.5)) invo.redeem(REWARD_ID, null);
    else invo.reward = 'revoked';
  }
  if (chance.happens(0.2) && invo.orderStatus === 'requires_action') invo.orderStatus = chance.among(['failed', 'cancelled']);
}

/** The player's own game, where what waits for a phone is approved now and then. */
async function approver({ chance, time, invo }: World): Promise<void> {
  for (let turn = 0; turn < 500; turn++) {
    await time.sleep(Math.floor(chance.next() * 12 * MINUTE));
    if (chance.happens(0.3)) invo.approveElsewhere();
  }
}

async function worker(world: World, name: string, until: number): Promise<void> {
  const { time, chance, store } = world;
  for (let life = 1; time.now < until; life++) {
    try {
      const ports = portsOf(world, `${name} ${life}`);
      while (time.now < until) {
        const hasWorked = await advanceAction(ports);
        const due = Math.min(...store.actions.flatMap(({ checkAt }) => (checkAt === null ? [] : [checkAt])));
        // A worker that polls sees an action when it is due: polls that find nothing are left out.
        await time.sleep(hasWorked ? 10 : Math.min(HOUR, Math.max(500, due - time.now)));
      }
    } catch (error) {
      afterDeath(world, error);
      await time.sleep(chance.among([1_000, 10 * MINUTE, 2 * HOUR]));
    }
  }
}

/** People request actions, approve or decline them, press them more than once, pause them, and record what nothing settles. */
async function people(world: World, until: number): Promise<void> {
  const { time, chance, store } = world;
  const requests = chance.among([1, 1, 2, 3]);
  for (let requested = 0; time.now < until; ) {
    await time.sleep(Math.floor(chance.next() * chance.among([5_000, 5 * MINUTE, 4 * HOUR, 8 * HOUR])));
    if (requested < requests && request(world, requested + 1)) requested++;
    if (chance.happens(store.isPaused ? 0.5 : 0.03)) store.isPaused = !store.isPaused;
    for (const action of store.actions) {
      if (!isEnded(action.state) && chance.happens(0.4)) void press(world, action.actionId);
      decide(world, action);
    }
  }
  for (let round = 0; round < 12; round++) {
    await time.sleep(3 * HOUR);
    for (const action of store.actions) decide(world, action);
  }
}

/** A press, as `pressAction` makes it: what it read may have moved on by the time it sends. */
async function press(world: World, actionId: number): Promise<void> {
  const { time, chance, history, store } = world;
  const ports = portsOf(world, `web ${actionId} ${time.now} ${chance.next()}`);
  try {
    const job = await ports.store.find(actionId);
    if (job === null || (job.state !== 'approved' && job.state !== 'checking') || isSentByWorker(world)) return;
    if (job.state === 'checking' && isReadAsPlayer(job.content.kind))
      return await settleByReading(ports, job, readingOf(world, job.content, 'vault'));
    // The press may come long after the page was read.
    if (chance.happens(0.2)) await time.sleep(Math.floor(chance.next() * 5 * MINUTE));
    const id = chance.happens(0.8) ? store.get(actionId).requestedBy : chance.among(PEOPLE);
    const sent = await sendAction(ports, job, { presser: { id, email: `${id}@studio.example` }, entered: enteredAs(world.kind) });
    if (sent.ok && sent.passes !== null) history.passed.push(actionId);
    note(world, sent.ok ? sent.state : sent.reason);
    // They look at once into what needs them.
    await time.sleep(Math.floor(chance.next() * 5 * MINUTE));
    decide(world, store.get(actionId));
  } catch (error) {
    afterDeath(world, error);
  }
}

function decide(world: World, action: StoredAction): void {
  const { chance, time, store, invo, weather, defect } = world;
  if (action.state === 'awaiting_approval' && chance.happens(0.3)) {
    if (chance.happens(0.7)) store.approve(action, digestContent(action.content).toString('hex'));
    else store.move(action, { state: chance.among(['rejected', 'withdrawn']), checkAt: null });
  }
  if (action.state !== 'attention' || chance.happens(weather.readFails)) return;
  if (chance.happens(0.7)) action.lastReadAt = time.now;
  // They look at Invo's own console: what it shows now is true, and may still change.
  const { kind, order_id } = action.content;
  const isDone = kind === 'payment_confirm' ? invo.orderStatus === 'completed' : invo.executedOn(executedAs(action.content)) > 0;
  if (chance.happens(0.5)) store.decide(action, isDone ? 'done' : 'not_done', defect.settledMs ?? SETTLED_MS);
  if (order_id !== null) store.followOrder(order_id, invo.orderStatus);
}

const STEP = { start_id: Number(START_ID), transaction_id: TRANSFER_ID };

const REQUESTS: Readonly<Record<PlayedKind, (seed: number) => ActionFacts['request']>> = {
  payment_confirm: () => ({ order_id: ORDER_ID, payment_intent_id: 'pi_1' }),
  card_confirm: () => ({ setup_intent_id: 'seti_1' }),
  payment_link: (number) => ({ usd_amount: '20.00', link: linkOf(number) }),
  milestone: () => ({ event_type: 'game.milestone.reached', name: 'first_boss', value: 1, occurred_at: '2026-11-20T18:30:00Z' }),
  purchase: () => ({ usd_amount: '9.99', save_card: false }),
  card_setup: () => ({}),
  claim: () => ({ transaction_id: TRANSFER_ID, target_currency_id: 311 }),
  client_event: () => ({ event_type: 'game.milestone.reached', name: 'first_boss', value: 1, occurred_at: '2026-11-20T18:30:00Z' }),
  rewards_page: (number) => ({ link: linkOf(number) }),
  item_sale: () => ({ item_id: 'dye', item_name: 'Sail dye', item_quantity: 3, unit_price: '12.50' }),
  redeem: () => ({ vault_entry_id: REWARD_ID, reward_ref: null }),
  receipt: () => ({ transaction_id: TRANSFER_ID }),
  send_start: () => ({ house_player_id: 7, receiving_game_id: '41207', amount: '25.00', receiver_phone_end: '78' }),
  send_approve: () => ({ ...STEP, house_player_id: 7 }),
  transfer_start: () => ({ target_game_id: '41300', amount: '25.00', player_phone_end: '78' }),
  transfer_approve: () => STEP,
  owner_text: () => ({ start_id: STEP.start_id, start_kind: 'transfer_start' }),
  phone_enrolment: (number) => ({
    ...STEP,
    start_kind: 'send_start',
    house_player_id: 7,
    decision: number % 2 === 1 ? 'approve' : 'deny',
  }),
};

const NEEDS_NOBODY: ReadonlySet<PlayedKind> = new Set([
  'payment_confirm',
  'card_confirm',
  'purchase',
  'card_setup',
  'client_event',
  'rewards_page',
  'claim',
  'receipt',
  'send_approve',
  'transfer_approve',
  'owner_text',
]);

function enteredAs(kind: PlayedKind): string | null {
  return protocolOf(kind).enters === undefined ? null : 'pm_ok';
}

function isSentByWorker({ kind }: World): boolean {
  return protocolOf(kind).repeats === 'worker';
}

/** What Invo executes once of an action: its order, its set-up, its reward, its link, or what has its key. */
export function executedAs({ reference, facts: { request: wished } }: ActionContent): string {
  return String(
    reference ??
      wished['order_id'] ??
      wished['setup_intent_id'] ??
      wished['vault_entry_id'] ??
      wished['transaction_id'] ??
      wished['link'] ??
      wished['start_id'],
  );
}

/** Whether the owner of the phone wasn't texted since the start is held. */
function mayText({ store }: World): boolean {
  const instantOf = (time: number | null): string => new Date(time ?? START).toISOString();
  const steps = store.actions.map(({ state, approvedAt }) => ({ kind: 'owner_text' as const, state, requestedAt: instantOf(approvedAt) }));
  return mayTextOwner({ code_sent: false }, { heldAt: instantOf(null) }, steps);
}

function request(world: World, actionId: number): boolean {
  const { kind, chance, time, store, invo } = world;
  if (kind === 'payment_confirm' && invo.orderStatus !== 'requires_action') return false;
  if ((kind === 'claim' || kind === 'receipt') && invo.transferState !== 'approved') return false;
  if (kind === 'redeem' && invo.reward === 'revoked') return false;
  if (kind === 'owner_text' && !mayText(world)) return false;
  const protocol = protocolOf(kind);
  if (kind === 'phone_enrolment') invo.openWindow();
  const isApproval = kind === 'send_approve' || kind === 'transfer_approve';
  const window = isApproval ? { window_ends_at: new Date(invo.openWindow()).toISOString() } : {};
  const wished: ActionFacts['request'] = { ...REQUESTS[kind](actionId), ...window };
  const reference = protocol.key === null ? null : linkOf(actionId);
  const isApproved = kind === 'milestone' ? false : NEEDS_NOBODY.has(kind) || chance.happens(0.7);
  const body = protocol.writeDigested(wished, { reference, email: 'mira@players.example', entered: enteredAs(kind) });
  const content: ActionContent = {
    kind,
    player_id: 1,
    order_id: kind === 'payment_confirm' ? ORDER_ID : null,
    reference,
    amount: protocol.amountOf(wished),
    facts: { ...factsOf(world), request: wished },
    request_digest: sha256Of(body),
    reason_code: 'technical_fault',
    reason_text: null,
    ticket: 'T-1',
  };
  return store.insert({
    gameId: 1,
    actionId,
    subject: protocol.subjectOf(wished, content.player_id),
    version: 0,
    state: isApproved ? 'approved' : 'awaiting_approval',
    stateSince: time.now,
    content,
    requestBytes: isSentByWorker(world) ? Buffer.from(body) : null,
    approvedDigest: isApproved ? digestContent(content).toString('hex') : null,
    requestedBy: chance.among(PEOPLE),
    attempt_count: 0,
    unanswered_count: 0,
    firstSentAt: null,
    lastSentAt: null,
    approvedAt: isApproved ? time.now : null,
    settleUntil: null,
    waitsUntil: null,
    waitsFor: null,
    retryAt: null,
    parentId: null,
    result: null,
    lastClass: null,
    checkAt: isApproved ? time.now + (isSentByWorker(world) ? 0 : 24 * HOUR) : null,
    lease_owner: null,
    attention_reason: null,
    outcome_source: null,
    attempts: [],
    lastReadAt: null,
  });
}
