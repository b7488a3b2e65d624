import { randomUUID } from 'node:crypto';
import { findRefundToApprove } from '#db/refunds/reads/find-refund-to-approve.ts';
import type { UpstreamOptions } from '#e2e/upstream/server.ts';
import type { Role } from '#lib/core/roles.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import type { InvoClient } from '#lib/invo/client.ts';
import { reshapePeriodFacts } from '#lib/invo/routes/period-report.ts';
import type { Actor } from '#lib/people/rules/person.ts';
import { seedPerson } from '#lib/people/testing/seed-people.ts';
import { openTestEnvironment, type TestEnvironment } from '#lib/testing/test-environment.ts';
import { type Approval, type Approved, approveRefund } from '../approve-refund.ts';
import { type RefundForm, type RefundRequested, requestRefund } from '../request-refund.ts';
import { digestBaseline } from '../rules/period-facts.ts';
import type { RefundPorts } from '../rules/refund-ports.ts';
import { settleRefund } from '../settle-refund.ts';
import { listSettledRefunds, type SettledRefund } from './find-violations.ts';
import { clientOfTests, hurry, processOf, readingOf, settleToRest } from './refund-process.ts';

/** A period of the simulated Invo that cost 20.00, charged to a card, never refunded. */
export const PERIOD_ID = 2_026_100_001;
/** Another one of the same subscription. */
export const SECOND_PERIOD_ID = 2_026_090_001;

/** Support's desk over a real Postgres and a simulated Invo, with people to sit at it. */
export interface RefundDesk extends TestEnvironment {
  people: Record<'support' | 'finance' | 'otherFinance' | 'admin', Actor>;
  /** A game of its own in the book, at the same Invo as all others of the ground; Invo forgets what was before. */
  newGame(slug?: string): Promise<DeskGame>;
  /** Faults for the next answers to refund calls. */
  spoil(...faults: (string | Record<string, unknown>)[]): Promise<void>;
}

/** One game, with one client that waits for no budget. */
export interface DeskGame extends OpenGame {
  client: InvoClient;
  /** The form of a period as it is now, ready to be sent. */
  form(filled?: Partial<RefundForm>): Promise<RefundForm>;
  /** Sends a form; the period of the form is read afresh when none is given. */
  request(actor: Actor, filled?: Partial<RefundForm>): Promise<RefundRequested>;
  /** Sends a form that must become a refund. */
  ask(actor: Actor, filled?: Partial<RefundForm>): Promise<number>;
  /** Approves what was shown, or what is stored now. */
  approve(actor: Actor, refundId: number, approval?: Partial<Approval>): Promise<Approved>;
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
  const ground = await openTestEnvironment(options);
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

function openDeskGame(ground: TestEnvironment, game: OpenGame): DeskGame {
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
      while (await settleRefund(ports)) steps++;
      return steps;
    },
    settleToRest: (owner) => settleToRest(process(owner), game.pool, game.gameId),
  };
  return opened;
}

// The triggers sleep for a replica; what the columns themselves check holds all the same.
async function tamper({ pool, gameId }: OpenGame, set: string, values: unknown[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`set session_replication_role = replica`);
    await client.query(`update refund set ${set} where game_id = $1`, [gameId, ...values]);
  } finally {
    await client.query(`set session_replication_role = origin`);
    client.release();
  }
}
