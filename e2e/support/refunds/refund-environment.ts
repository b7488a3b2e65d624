import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { inUtc } from '#e2e/citus/test-cluster.ts';
import type { UpstreamOptions } from '#e2e/upstream/server.ts';
import type { Actor, Role } from '#lib/core/roles.ts';
import { toInvoFailure } from '#lib/games/game-context.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import type { Invo } from '#lib/invo/invo.ts';
import { openInvo } from '#lib/invo/open-invo.ts';
import { readPeriodReport, reshapePeriodFacts } from '#lib/invo/routes/period-report.ts';
import { advanceRefund } from '#lib/refunds/advance-refund.ts';
import { type Approval, type ApprovalResult, approveRefund } from '#lib/refunds/approve-refund.ts';
import { digestBaseline, type RefundFactsReader, readRefundFacts } from '#lib/refunds/read-refund-facts.ts';
import { findRefundToApprove } from '#lib/refunds/reads/find-refund.ts';
import { refundWire } from '#lib/refunds/refund-wire.ts';
import { type RequestResult, requestRefund } from '#lib/refunds/request-refund.ts';
import type { RefundPorts } from '#lib/refunds/rules/ports.ts';
import type { RefundForm } from '#lib/refunds/rules/refund.ts';
import { openRefundStore } from '#lib/refunds/writes/refund-store.ts';
import { seedPerson } from '../people/seed-people.ts';
import { openTestEnvironment, type TestEnvironment, type TestGame } from '../test-environment.ts';
import { listSettledRefunds, type SettledRefund } from './find-violations.ts';

/** A period of the simulated Invo that cost 20.00, charged to a card, never refunded. */
export const PERIOD_ID = 2_026_100_001;
/** Another period of the same subscription. */
export const SECOND_PERIOD_ID = 2_026_090_001;

/** What a person confirms before a refund that completes a period charged to a card; without that risk it changes nothing. */
export const MINTED_COINS = 'wallet unknown';

/** A test environment for refunds: a real Postgres, a simulated Invo and people. */
export interface RefundEnvironment extends TestEnvironment {
  people: Record<'support' | 'finance' | 'otherFinance' | 'admin', Actor>;
  /** Creates a game in the database, at the same Invo as all others, and resets Invo. */
  newGame(slug?: string): Promise<RefundGame>;
  /** Faults for the next answers to refund calls. */
  spoil(...faults: (string | Record<string, unknown>)[]): Promise<void>;
}

/** One game, with one client that waits for no budget. */
export interface RefundGame extends TestGame {
  invo: Invo;
  /** The form of a period as it is now, ready to submit. */
  form(filled?: Partial<RefundForm>): Promise<RefundForm>;
  /** Submits a form; without one, the period is read and its form submitted. */
  request(actor: Actor, filled?: Partial<RefundForm>): Promise<RequestResult>;
  /** Submits a form that must create a refund; returns its id. */
  ask(actor: Actor, filled?: Partial<RefundForm>): Promise<number>;
  /** Approves the shown content, by default the stored one. */
  approve(actor: Actor, refundId: number, approval?: Partial<Approval>): Promise<ApprovalResult>;
  /** The ports of one process; `writeMs`: how long it waits for the answer to a write. */
  process(owner?: string, writeMs?: number): RefundPorts;
  /** Its only refund, as stored. */
  row(): Promise<SettledRefund>;
  /** Changes its refunds without the database's triggers. */
  tamper(set: string, values?: unknown[]): Promise<void>;
  /** Ends every current wait. */
  hurry(): Promise<void>;
  /** Takes steps until no refund of the game is due, without ending waits. Returns how many. */
  settleDue(owner?: string, writeMs?: number): Promise<number>;
  /** Takes steps, ending every wait, until all refunds of the game are at rest. */
  settleToRest(owner?: string): Promise<void>;
}

/** Opens the environment; `isMetered` applies the rate budget. */
export async function openRefundEnvironment({
  isMetered = false,
  ...options
}: UpstreamOptions & { isMetered?: boolean } = {}): Promise<RefundEnvironment> {
  const testEnv = await openTestEnvironment(options);
  if (isMetered) await testEnv.pool.query('drop rule unmetered on rate_call');
  const person = async (name: string, ...roles: Role[]): Promise<Actor> => {
    const email = `${name}@studio.example`;
    return { id: await seedPerson(testEnv.db, email, roles), email, roles };
  };
  const [support, finance, otherFinance, admin] = await Promise.all([
    person('sol', 'support'),
    person('fin', 'finance'),
    person('fay', 'finance'),
    person('ada', 'finance', 'admin'),
  ]);
  return {
    ...testEnv,
    people: { support, finance, otherFinance, admin },
    newGame: async (slug = `g-${randomUUID().slice(0, 8)}`) => {
      testEnv.upstream.reset();
      await testEnv.control('POST', 'game', { rateLimit: false });
      return openRefundGame(testEnv, await testEnv.game({ slug }));
    },
    spoil: async (...faults) => {
      const armed = faults.map((fault) => ({ match: { route: 'refund' }, ...(typeof fault === 'string' ? { kind: fault } : fault) }));
      await testEnv.control('POST', 'faults', armed);
    },
  };
}

/** Sharebook works with `own`, by its own rights; the game of a test is opened by the administrator, who may tamper. */
function openRefundGame(testEnv: TestEnvironment, own: TestGame): RefundGame {
  const game: TestGame = { ...own, db: testEnv.db, pool: testEnv.pool };
  const invo = openTestInvo(testEnv.upstream.url);
  const form = async (filled: Partial<RefundForm> = {}): Promise<RefundForm> => {
    const { value } = await readPeriodReport(invo, filled.periodId ?? PERIOD_ID);
    return {
      draftId: randomUUID(),
      periodId: PERIOD_ID,
      amountText: '5.00',
      reason_code: 'goodwill',
      reason_text: null,
      baseline: digestBaseline(reshapePeriodFacts(value)).toString('hex'),
      confirmedRisk: MINTED_COINS,
      ...filled,
    };
  };
  const request: RefundGame['request'] = async (actor, filled) =>
    requestRefund({ game: own, config: testEnv.config }, actor, await form(filled), readingOf(invo));
  const process = (owner = 'process 1', writeMs?: number): RefundPorts =>
    processOf(own, writeMs === undefined ? invo : openTestInvo(testEnv.upstream.url, writeMs), owner);
  const opened: RefundGame = {
    ...game,
    invo,
    form,
    request,
    ask: async (actor, filled) => {
      const requested = await request(actor, filled);
      if (!requested.ok) throw new Error(`no refund was made: ${requested.reason}`);
      return requested.refundId;
    },
    approve: async (actor, refundId, approval) => {
      const { contentDigest = '' } = (await findRefundToApprove(game.db, game.gameId, refundId)) ?? {};
      const context = { game: own, config: testEnv.config };
      return approveRefund(context, actor, refundId, { contentDigest, confirmedRisk: MINTED_COINS, ...approval }, readingOf(invo));
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

// Triggers don't fire in the replica role; column checks still do.
async function tamper({ pool, gameId }: TestGame, set: string, values: unknown[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`set local session_replication_role = replica`);
    await client.query(`update refund set ${inUtc(set)} where game_id = $1`, [gameId, ...values]);
  } finally {
    await client.query('commit');
    client.release();
  }
}

/** The secret and the fixed clock of the simulated Invo in tests. */
const SECRET = 'upstream-secret';
export const NOW = '2026-11-21T12:00:00Z';

/** Longer than any write of a test takes on a busy machine. */
const PATIENT_MS = 120_000;

/** A write without an answer in this time counts as unanswered: long enough to arrive on a busy machine, short enough to wait for. */
export const SILENT_MS = 5_000;

/** A client without a budget that tries reads twice without waiting. */
export function openTestInvo(baseUrl: string, writeMs = PATIENT_MS): Invo {
  return openInvo({
    access: { baseUrl, secret: SECRET, environment: 'production' },
    budget: { take: async () => undefined, blockUntil: async () => undefined },
    sleep: async () => undefined,
    limits: { tries: 2, writeMs, detailMs: PATIENT_MS, firstByteMs: PATIENT_MS, idleMs: PATIENT_MS },
  });
}

/** Reads the facts of a refund with the given client. */
export function readingOf(invo: Invo): RefundFactsReader {
  return async (_, periodId) => await readRefundFacts(invo, periodId, NOW).catch(toInvoFailure);
}

/** The ports of one process, at the fixed clock of the simulated Invo. */
export function processOf(game: OpenGame, invo: Invo, owner: string): RefundPorts {
  return {
    store: openRefundStore(game.db, owner, game.gameId),
    wire: refundWire(game, invo),
    jitter: () => 0,
    businessNow: () => NOW,
    timeZone: 'UTC',
  };
}

const STEPS_MAX = 200;

/** Takes steps until nothing is due and nothing will be, ending every wait. */
export async function settleToRest(ports: RefundPorts, pool: Pick<pg.Pool, 'query'>, gameId: number): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step++) {
    if (!(await advanceRefund(ports)) && !(await hurry(pool, gameId))) return;
  }
  throw new Error(`the refunds of game ${gameId} do not come to rest`);
}

/**
 * Makes every waiting refund due, as if its time had passed; false when none waits. When the wait is for half an hour after the last
 * attempt, that attempt is dated back.
 */
async function hurry(pool: Pick<pg.Pool, 'query'>, gameId: number): Promise<boolean> {
  await pool.query(
    `update refund set last_sent_at = ${inUtc(`last_sent_at - interval '31 minutes'`)}
     where game_id = $1 and state = 'verifying' and next_look_at > clock_now() + interval '2 minutes'`,
    [gameId],
  );
  const { rowCount } = await pool.query('update refund set next_look_at = clock_now() where game_id = $1 and next_look_at is not null', [
    gameId,
  ]);
  return (rowCount ?? 0) > 0;
}
