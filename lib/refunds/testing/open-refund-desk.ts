import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { findRefundToApprove } from '#db/refunds/reads/find-refund.ts';
import { openRefundStore } from '#db/refunds/writes/refund-store.ts';
import { type UpstreamOptions } from '#e2e/upstream/server.ts';
import { type Role } from '#lib/core/roles.ts';
import { type GameAtWork } from '#lib/games/game.ts';
import { troubleOf } from '#lib/games/trouble.ts';
import { createInvoClient, type InvoClient } from '#lib/invo/client.ts';
import { reshapePeriodFacts } from '#lib/invo/reports/reshape-period-facts.ts';
import { type Actor } from '#lib/people/rules/person.ts';
import { seedPerson } from '#lib/people/testing/seed-people.ts';
import { type Ground, openGround } from '#lib/testing/open-ground.ts';
import { advanceRefund } from '../advance-refund.ts';
import { type Approval, type ApprovalResult, approveRefund } from '../approve-refund.ts';
import { digestBaseline, type RefundFactsReader, readRefundFacts } from '../read-refund-facts.ts';
import { refundWire } from '../refund-wire.ts';
import { type RefundForm, type RequestResult, requestRefund } from '../request-refund.ts';
import { type RefundPorts } from '../rules/ports.ts';
import { listSettledRefunds, type SettledRefund } from './find-violations.ts';

/** A period of the simulated Invo that cost 20.00, charged to a card, never refunded. */
export const PERIOD_ID = 2_026_100_001;
/** Another one of the same subscription. */
export const SECOND_PERIOD_ID = 2_026_090_001;

/** Support's desk over a real Postgres and a simulated Invo, with people to sit at it. */
export interface RefundDesk extends Ground {
  people: Record<'support' | 'finance' | 'otherFinance' | 'admin', Actor>;
  /** A game of its own in the book, at the same Invo as all others of the ground; Invo forgets what was before. */
  newGame(slug?: string): Promise<DeskGame>;
  /** Faults for the next answers to refund calls. */
  spoil(...faults: (string | Record<string, unknown>)[]): Promise<void>;
}

/** One game, with one client that waits for no budget. */
export interface DeskGame extends GameAtWork {
  client: InvoClient;
  /** The form of a period as it is now, ready to be sent. */
  form(filled?: Partial<RefundForm>): Promise<RefundForm>;
  /** Sends a form; the period of the form is read afresh when none is given. */
  request(actor: Actor, filled?: Partial<RefundForm>): Promise<RequestResult>;
  /** Sends a form that must become a refund. */
  ask(actor: Actor, filled?: Partial<RefundForm>): Promise<number>;
  /** Approves what was shown, or what is stored now. */
  approve(actor: Actor, refundId: number, approval?: Partial<Approval>): Promise<ApprovalResult>;
  /** What a process of that name works with; `writeMs`: how long it waits for the answer of a write. */
  process(owner?: string, writeMs?: number): RefundPorts;
  /** Its only refund as it is stored. */
  row(): Promise<SettledRefund>;
  /** Changes its refunds behind the back of every rule the database keeps by itself. */
  tamper(set: string, values?: unknown[]): Promise<void>;
  /** Cuts every wait short once. */
  hurry(): Promise<void>;
  /** Takes steps until no refund of the game is due; nothing is hurried. Answers how many. */
  settleDue(owner?: string, writeMs?: number): Promise<number>;
  /** Takes steps, waiting for nothing, until every refund of the game rests. */
  settleToRest(owner?: string): Promise<void>;
}

/** Opens a desk; `isMetered` keeps the rate budget of the book. */
export async function openRefundDesk({
  isMetered = false,
  ...options
}: UpstreamOptions & { isMetered?: boolean } = {}): Promise<RefundDesk> {
  const ground = await openGround(options);
  if (isMetered) await ground.pool.query('drop rule unmetered on rate_call');
  const person = async (name: string, role: Role): Promise<Actor> => {
    const email = `${name}@studio.example`;
    return { id: await seedPerson(ground.db, email, role), email, role };
  };
  const [support, finance, otherFinance, admin] = await Promise.all([
    person('sol', 'support'),
    person('fin', 'finance'),
    person('fay', 'finance'),
    person('ada', 'admin'),
  ]);
  return {
    ...ground,
    people: { support, finance, otherFinance, admin },
    newGame: async (slug = `g-${randomUUID().slice(0, 8)}`) => {
      ground.upstream.reset();
      await ground.control('POST', 'game', { rateLimit: false });
      return openDeskGame(ground, await ground.game({ slug }));
    },
    spoil: async (...faults) => {
      const armed = faults.map((fault) => ({ match: { route: 'refund' }, ...(typeof fault === 'string' ? { kind: fault } : fault) }));
      await ground.control('POST', 'faults', armed);
    },
  };
}

function openDeskGame(ground: Ground, game: GameAtWork): DeskGame {
  const client = clientOfTests(ground.upstream.url);
  const form = async (filled: Partial<RefundForm> = {}): Promise<RefundForm> => {
    const { value } = await client.periodReport(filled.periodId ?? PERIOD_ID);
    return {
      draftId: randomUUID(),
      periodId: PERIOD_ID,
      amountText: '5.00',
      reason_code: 'goodwill',
      reason_text: null,
      baseline: digestBaseline(reshapePeriodFacts(value)).toString('hex'),
      confirmedWallet: null,
      ...filled,
    };
  };
  const request: DeskGame['request'] = async (actor, filled) =>
    requestRefund({ game, config: ground.config }, actor, await form(filled), readingOf(client));
  const process = (owner = 'process 1', writeMs?: number): RefundPorts =>
    processOf(game, writeMs === undefined ? client : clientOfTests(ground.upstream.url, writeMs), owner);
  const opened: DeskGame = {
    ...game,
    client,
    form,
    request,
    ask: async (actor, filled) => {
      const asked = await request(actor, filled);
      if (!asked.ok) throw new Error(`no refund was made: ${asked.reason}`);
      return asked.refundId;
    },
    approve: async (actor, refundId, approval) => {
      const { contentDigest = '' } = (await findRefundToApprove(game.db, game.gameId, refundId)) ?? {};
      const desk = { game, config: ground.config };
      return approveRefund(desk, actor, refundId, { contentDigest, confirmedWallet: null, ...approval }, readingOf(client));
    },
    process,
    row: async () => {
      const [row, ...others] = await listSettledRefunds(game.pool, game.gameId);
      if (row === undefined || others.length > 0) throw new Error(`the game has not one refund but ${others.length + (row ? 1 : 0)}`);
      return row;
    },
    tamper: (set, values = []) => tamper(game, set, values),
    hurry: async () => void (await hurry(game.pool, game.gameId)),
    settleDue: async (owner, writeMs) => {
      const ports = process(owner, writeMs);
      let steps = 0;
      while (await advanceRefund(ports)) steps++;
      return steps;
    },
    settleToRest: (owner) => settleToRest(process(owner), game.pool, game.gameId),
  };
  return opened;
}

// The triggers sleep for a replica; what the columns themselves check holds all the same.
async function tamper({ pool, gameId }: GameAtWork, set: string, values: unknown[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`set session_replication_role = replica`);
    await client.query(`update refund set ${set} where game_id = $1`, [gameId, ...values]);
  } finally {
    await client.query(`set session_replication_role = origin`);
    client.release();
  }
}

/** The secret and the fixed clock of the simulated Invo in tests. */
const SECRET = 'upstream-secret';
export const NOW = '2026-11-21T12:00:00Z';

/** Longer than any write of a test takes, however busy the machine. */
const PATIENT_MS = 120_000;

/** A write that is not answered within this is a write without an answer: long enough to arrive on a busy machine, short enough to wait for. */
export const SILENT_MS = 5_000;

/** A client over no budget that tries reads twice without waiting. */
export function clientOfTests(baseUrl: string, writeMs = PATIENT_MS): InvoClient {
  return createInvoClient({
    access: { baseUrl, secret: SECRET, environment: 'production' },
    budget: { take: async () => undefined, blockUntil: async () => undefined },
    sleep: async () => undefined,
    limits: { tries: 2, writeMs, detailMs: PATIENT_MS, firstByteMs: PATIENT_MS, idleMs: PATIENT_MS },
  });
}

/** Reads the facts of a refund with a client of the test's own. */
export function readingOf(client: InvoClient): RefundFactsReader {
  return async (_, periodId) => await readRefundFacts(client, periodId, NOW).catch(troubleOf);
}

/** What one process works with, at the fixed clock of the simulated Invo. */
export function processOf(game: GameAtWork, client: InvoClient, owner: string): RefundPorts {
  return {
    store: openRefundStore(game.pool, owner, [game.gameId]),
    wire: refundWire(game, client),
    jitter: () => 0,
    businessNow: () => NOW,
    timeZone: 'UTC',
  };
}

const STEPS_MAX = 200;

/** Settles until nothing is due and nothing will be; every wait between is cut short. */
export async function settleToRest(ports: RefundPorts, pool: Pick<pg.Pool, 'query'>, gameId: number): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step++) {
    if (!(await advanceRefund(ports)) && !(await hurry(pool, gameId))) return;
  }
  throw new Error(`the refunds of game ${gameId} do not come to rest`);
}

/**
 * Makes due at once what waits for a time, as if the time had passed; false when nothing waits. Where half an hour since the last attempt
 * is waited for, that attempt is put back.
 */
async function hurry(pool: Pick<pg.Pool, 'query'>, gameId: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update refund set next_look_at = clock_timestamp(),
       last_sent_at = case when state = 'verifying' and next_look_at > clock_timestamp() + interval '2 minutes'
         then last_sent_at - interval '31 minutes' else last_sent_at end
     where game_id = $1 and next_look_at is not null`,
    [gameId],
  );
  return (rowCount ?? 0) > 0;
}
