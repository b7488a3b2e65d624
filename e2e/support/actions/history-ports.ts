import type { ActionFacts, Reading, ReadingKind } from '#lib/actions/rules/action-facts.ts';
import type { ActionAnswer, ActionContent, ActionJob, ActionPorts, ReadError } from '#lib/actions/rules/action-ports.ts';
import type { ActionKind } from '#lib/actions/rules/kinds.ts';
import { protocolOf } from '#lib/actions/rules/protocols.ts';
import { recordAnswer } from '#lib/actions/send-approved.ts';
import { type Chance, Killed, MINUTE, type VirtualTime } from '../refunds/world.ts';
import type { MemoryStore, StoredAction } from './memory-store.ts';
import { type Mishap, SILENT } from './model-answers.ts';
import { type ModelInvo, TRANSFER_ID } from './model-invo.ts';

/** The kinds whose histories are played. */
export const PLAYED_KINDS = [
  'payment_confirm',
  'card_confirm',
  'payment_link',
  'milestone',
  'item_sale',
  'redeem',
  'purchase',
  'card_setup',
  'client_event',
  'rewards_page',
  'claim',
  'receipt',
  'send_start',
  'send_approve',
  'transfer_start',
  'transfer_approve',
  'owner_text',
  'phone_enrolment',
] as const satisfies readonly ActionKind[];
export type PlayedKind = (typeof PLAYED_KINDS)[number];

/** How rough a history is, each between 0 and 1. */
export interface Weather {
  kill: number;
  lose: number;
  mishap: number;
  readFails: number;
}

/** The outcome of a history. */
export interface History {
  actions: StoredAction[];
  invo: ModelInvo;
  /** The actions whose link a screen received. */
  passed: number[];
  /** A hash over all events and their times; equal histories have equal ones. */
  trace: number;
  mishaps: number;
}

/** A defect of Sharebook or Invo that a history is played with, to show that the rules detect it. */
export interface Defect {
  /** Changes what the verbs work with. */
  ports?: (ports: ActionPorts) => ActionPorts;
  store?: { startsAlways: boolean };
  invo?: { executesAlways: boolean };
  /** How long after the last call people believe a reading that nothing was executed. */
  settledMs?: number;
}

/** Everything a history plays with. */
export interface World {
  kind: PlayedKind;
  chance: Chance;
  time: VirtualTime;
  invo: ModelInvo;
  store: MemoryStore;
  history: History;
  weather: Weather;
  defect: Defect;
}

/** The order of every history. */
export const ORDER_ID = 'ORD_1';

/** The reward of every history. */
export const REWARD_ID = '00000000-0000-4000-8000-000000000001';

/** Counts a killed process; rethrows anything else. */
export function afterDeath({ history }: World, error: unknown): void {
  if (!(error instanceof Killed)) throw error;
  history.mishaps++;
}

/** Adds an event to the trace. */
export function note({ history, time }: World, name: string): void {
  history.trace = Math.imul(history.trace ^ Math.floor(time.now % 1_000_000_007), 16_777_619) ^ name.length;
}

/** What the verbs work with in one process, which may be killed before or after each call. */
export function portsOf(world: World, owner: string): ActionPorts {
  const { time, chance, store, weather, invo, defect } = world;
  const around = async <T>(name: string, work: () => T): Promise<T> => {
    await time.sleep(Math.floor(chance.next() * 20));
    if (chance.happens(weather.kill / 6)) throw new Killed(`${owner} before ${name}`);
    const result = work();
    note(world, name);
    if (chance.happens(weather.kill / 6)) throw new Killed(`${owner} after ${name}`);
    return result;
  };
  const ports: ActionPorts = {
    store: store.as(owner, around),
    jitter: () => chance.next(),
    wire: {
      takeCall: async () => (chance.happens(0.02) ? 10_000 : 0),
      readFacts: async () => {
        await time.sleep(300);
        if (chance.happens(weather.readFails)) return { error: 'unreachable', errorId: null };
        const isBlocked =
          (world.kind === 'payment_confirm' && invo.orderStatus !== 'requires_action') ||
          (world.kind === 'redeem' && invo.reward === 'revoked') ||
          ((world.kind === 'claim' || world.kind === 'receipt') && invo.transferState !== 'approved');
        return isBlocked ? { blocked: true } : { facts: factsOf(world), email: 'mira@players.example', token: null };
      },
      read: async ({ content }, what) => {
        await time.sleep(200);
        if (chance.happens(weather.readFails)) return { error: 'unreachable', errorId: null };
        if (content.order_id !== null) store.followOrder(content.order_id, invo.orderStatus);
        return readingOf(world, content, what);
      },
      send: async (job, bytes) => {
        const answer = await sendThrough(world, owner, job, bytes);
        // The answer is processed a second time.
        if (chance.happens(weather.lose / 4)) void answerAgain(world, ports, job, answer);
        return answer;
      },
    },
  };
  return defect.ports?.(ports) ?? ports;
}

async function answerAgain(world: World, ports: ActionPorts, job: ActionJob, answer: ActionAnswer): Promise<void> {
  await world.time.sleep(Math.floor(world.chance.next() * 2 * MINUTE));
  await recordAnswer(ports, job, job.attempt_count + 1, answer).catch((error: unknown) => afterDeath(world, error));
}

const MISHAPS: readonly Mishap[] = ['fails_before', 'fails_after', 'limited', 'secret_refused', 'page', 'other_subject', 'early_refusal'];

// The network between us and Invo: a call may arrive never or late, its answer may be lost or come after minutes. A confirmation may arrive twice.
async function sendThrough(world: World, owner: string, job: ActionJob, bytes: Buffer): Promise<ActionAnswer> {
  const { time, chance, invo, weather, history } = world;
  const receive = (): ActionAnswer => {
    const isBad = chance.happens(weather.mishap);
    if (isBad) history.mishaps++;
    const inPath = protocolOf(job.content.kind).inPath(job.content.facts.request);
    return invo.receive({ actionId: job.actionId, bytes, inPath, kind: job.content.kind }, isBad ? chance.among(MISHAPS) : 'none');
  };
  const copies = protocolOf(job.content.kind).repeats === 'never' ? [0, 1] : [0, 1, 2];
  if (chance.happens(weather.kill / 4)) throw new Killed(`${owner} before the first byte`);
  if (chance.happens(weather.lose / 4)) return { ...SILENT, phase: 'not_sent', transportError: 'unreachable' };
  await time.sleep(Math.floor(chance.next() * 300));
  if (chance.happens(weather.lose)) {
    history.mishaps++;
    const late = chance.among(copies);
    for (let copy = 0; copy < late; copy++) void time.sleep(Math.floor(chance.next() * 14 * MINUTE)).then(receive);
    await time.sleep(20_000);
    if (chance.happens(weather.kill)) throw new Killed(`${owner} while it waits`);
    return { ...SILENT, transportError: 'timeout' };
  }
  const answer = receive();
  // A proxy repeats what failed; what Invo refused it passes on.
  const isRepeated = copies.includes(2) && answer.status !== null && (answer.status === 200 || answer.status >= 500);
  if (isRepeated && chance.happens(weather.lose / 2)) void time.sleep(Math.floor(chance.next() * MINUTE)).then(receive);
  if (chance.happens(weather.kill / 2)) throw new Killed(`${owner} with an answer on its way`);
  if (chance.happens(weather.lose)) return { ...SILENT, transportError: 'unreachable' };
  // A process that was suspended reads its answer after a worker has recorded silence.
  await time.sleep(Math.floor(chance.next() * (chance.happens(weather.lose / 2) ? 5 * MINUTE : 300)));
  return answer;
}

/** What a reading of this kind reports now. */
export function readingOf(world: World, content: ActionJob['content'], what: ReadingKind): { reading: Reading } | ReadError {
  const { order, cards, wallet, vault, status } = factsOf(world);
  const word = statusByKey(world, content);
  const byKey = word === null ? null : { ...orderOf(world), status: word };
  const moved = movedOf(world, content);
  const readings = { order: order ?? byKey, cards, wallet, vault: vault ?? null, status: status ?? moved, guardian: null };
  const reading: Reading | null = readings[what] ?? wallet;
  return reading === null ? { error: 'other_player', errorId: null } : { reading };
}

/** What Invo reports of the player now. */
export function factsOf(world: World): Omit<ActionFacts, 'request'> {
  const { kind, invo, time } = world;
  const coins = { currency_id: '1', currency_name: 'Lumens', available_balance: '100.00', reserved_balance: null, total_balance: null };
  return {
    version: 1,
    wallet: { kind: 'wallet', player_id: 1, balances: [coins] },
    order: kind === 'payment_confirm' ? orderOf(world) : null,
    cards:
      kind === 'card_confirm' || kind === 'card_setup'
        ? { kind: 'cards', player_id: 1, cards: invo.cards.map((id) => ({ id, brand: null, last_four: null })) }
        : null,
    ...(kind === 'redeem' ? { vault: vaultOf(invo) } : {}),
    ...(kind === 'claim' || kind === 'receipt' ? { status: transferOf(invo) } : {}),
    read_at: new Date(time.now).toISOString(),
  };
}

function orderOf({ invo }: World): NonNullable<ActionFacts['order']> {
  return {
    kind: 'order',
    order_id: ORDER_ID,
    status: invo.orderStatus,
    transaction_id: null,
    payment_intent_id: 'pi_1',
    player_id: 1,
    amounts: [],
    currency_name: null,
  };
}

function vaultOf({ reward: state }: ModelInvo): NonNullable<ActionFacts['vault']> {
  const unread = { reward_ref: null, expires_at: null, can_reveal_again: null, reveal_until: null };
  return { kind: 'vault', vault_entry_id: REWARD_ID, state, ...unread };
}

function transferOf({ transferState }: ModelInvo): NonNullable<ActionFacts['status']> {
  const isWaiting = transferState === 'approved';
  return {
    kind: 'status',
    transaction_id: 'TRF_1',
    transaction_status: isWaiting ? 'pending_claim' : transferState,
    verification_state: transferState,
    amount: '10.00',
    net_amount: '9.50',
    claim_expires_at: null,
  };
}

/** What the status of a start's transaction, or of the one that an approval moves, states now; null: neither. */
function movedOf({ invo }: World, { kind, reference }: ActionContent): NonNullable<ActionFacts['status']> | null {
  const isStart = kind === 'send_start' || kind === 'transfer_start';
  if (!isStart && kind !== 'send_approve' && kind !== 'transfer_approve') return null;
  const state = isStart ? invo.stateOfStart(reference ?? '') : invo.approvalState();
  return {
    kind: 'status',
    transaction_id: TRANSFER_ID,
    transaction_status: state === 'moved' ? 'pending_claim' : null,
    verification_state: state === 'moved' ? 'approved' : state,
    amount: null,
    net_amount: null,
    claim_expires_at: null,
  };
}

/** What Invo's order of a key states now; null: there is none. */
function statusByKey({ invo }: World, { kind, reference }: ActionContent): string | null {
  if (reference === null) return null;
  if (kind === 'purchase') return invo.purchaseStatus(reference);
  return kind === 'item_sale' && invo.executedOn(reference) > 0 ? 'completed' : null;
}
