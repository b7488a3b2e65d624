import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ArmedFaults, createArmedFaults } from '../faults/armed-faults.ts';
import { type GameView, openGameView } from '../game-view.ts';
import { readInstant } from '../instant.ts';
import type { Environment, PartnerBasis, ReversalBasis, World } from '../model.ts';
import { createOutbox, type Outbox, type StoredOutbox } from '../webhooks/outbox.ts';
import { openWorlds } from '../world/worlds.ts';
import { type CallLog, createCallLog, createHeldCalls, createRateLimiter, type HeldCalls, type RateLimiter } from './calls.ts';
import { clearDesk, createDesk, type Desk, type StoredDesk, storedDesk } from './desk.ts';
import { createExecutions, type Executions } from './executions.ts';
import { freshGames, type GameSecrets, type GameSettings } from './games.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { createShapes, type Shapes } from './shapes.ts';
import {
  createRefundStore,
  createSupportStore,
  type RecordedRefund,
  type RefundStore,
  type StoredSupport,
  type SupportStore,
} from './stores.ts';

export interface StateOptions extends GameSecrets {
  /** A fixed clock. Absent: the machine's clock, until control sets another. */
  now?: string | undefined;
  stateFolder?: string | undefined;
  world?: string | undefined;
  /** The clock of the rate limits; default: the machine's. */
  meterNowMs?: (() => number) | undefined;
}

/** Everything the service stores between calls. */
export interface State {
  worlds: Record<Environment, World>;
  games: Record<Environment, GameSettings>;
  faults: ArmedFaults;
  calls: CallLog;
  held: HeldCalls;
  limiter: RateLimiter;
  /** How routes without a documented shape answer. */
  shapes: Shapes;
  nowMs(): number;
  /** The clock of the rate limits, whatever the simulated one says. */
  meterNowMs(): number;
  setClock(ms: number | null): void;
  view(environment: Environment): GameView;
  refundStore(environment: Environment): RefundStore;
  addRefund(environment: Environment, refund: RecordedRefund): void;
  support(environment: Environment): SupportStore;
  /** What a game's players and partners changed. */
  desk(environment: Environment): Desk;
  /** How often each write was called and executed. */
  executions: Executions;
  /** Every secret that an answer carried. */
  secrets: Secrets;
  /** What is delivered to the title's webhook. */
  outbox(environment: Environment): Outbox;
  /** Whether the clock is stopped until control moves it. */
  isFixed(): boolean;
  /** Writes everything that survives a restart to one file. */
  save(): void;
  reset(): void;
}

/** Opens the state, with what an earlier run left in the folder. A given `now` takes precedence over a stored clock. */
export function openState(options: StateOptions): State {
  const file = openStateFile(options.stateFolder);
  const givenMs = options.now === undefined ? null : readClock(options.now);
  const refunds: Record<Environment, RefundStore> = {
    production: createRefundStore(),
    sandbox: createRefundStore(),
    emberfall: createRefundStore(),
  };
  const games = freshGames(options);
  const faults = createArmedFaults();
  const calls = createCallLog();
  const held = createHeldCalls();
  const meterNowMs = options.meterNowMs ?? (() => performance.now());
  const limiter = createRateLimiter(meterNowMs);
  const stored = file.read();
  let clockMs = givenMs ?? stored.clockMs;
  const supportStores: Record<Environment, SupportStore> = {
    production: createSupportStore(stored.desks?.production),
    sandbox: createSupportStore(stored.desks?.sandbox),
    emberfall: createSupportStore(stored.desks?.emberfall),
  };
  const shapes = createShapes();
  const executions = createExecutions(stored.executions);
  const secrets = createSecrets(stored.secrets);
  for (const { environment, amount, ...rest } of stored.refunds) refunds[environment].add({ ...rest, amount: BigInt(amount) });
  const desks: Record<Environment, Desk> = {
    production: createDesk(stored.actions?.production),
    sandbox: createDesk(stored.actions?.sandbox),
    emberfall: createDesk(stored.actions?.emberfall),
  };
  const outboxes: Record<Environment, Outbox> = {
    production: createOutbox(stored.webhooks?.production),
    sandbox: createOutbox(stored.webhooks?.sandbox),
    emberfall: createOutbox(stored.webhooks?.emberfall),
  };
  const worlds = openWorlds(options.world ?? 'demo');

  function nowMs(): number {
    return clockMs ?? Date.now();
  }
  function write(): void {
    file.write(() => ({
      clockMs: clockMs === givenMs ? null : clockMs,
      refunds: (['production', 'sandbox', 'emberfall'] as const).flatMap((environment) =>
        refunds[environment].all().map((refund) => ({ ...refund, environment, amount: refund.amount.toString() })),
      ),
      desks: {
        production: supportStores.production.stored(),
        sandbox: supportStores.sandbox.stored(),
        emberfall: supportStores.emberfall.stored(),
      },
      actions: {
        production: storedDesk(desks.production),
        sandbox: storedDesk(desks.sandbox),
        emberfall: storedDesk(desks.emberfall),
      },
      executions: executions.list(),
      secrets: secrets.stored(),
      webhooks: {
        production: outboxes.production.stored(),
        sandbox: outboxes.sandbox.stored(),
        emberfall: outboxes.emberfall.stored(),
      },
    }));
  }
  return {
    worlds,
    games,
    faults,
    calls,
    held,
    limiter,
    shapes,
    executions,
    secrets,
    nowMs,
    meterNowMs,
    setClock(ms): void {
      clockMs = ms ?? givenMs;
      write();
    },
    view: (environment) =>
      openGameView({
        world: worlds[environment],
        recorded: refunds[environment],
        support: supportStores[environment],
        desk: desks[environment],
        nowMs: nowMs(),
        lineOrder: games[environment].lineOrder,
      }),
    support: (environment) => supportStores[environment],
    desk: (environment) => desks[environment],
    outbox: (environment) => outboxes[environment],
    isFixed: () => clockMs !== null,
    save: write,
    refundStore: (environment) => refunds[environment],
    addRefund(environment, refund): void {
      refunds[environment].add(refund);
      write();
    },
    reset(): void {
      for (const store of [...Object.values(refunds), ...Object.values(supportStores), ...Object.values(outboxes)]) store.clear();
      for (const desk of Object.values(desks)) clearDesk(desk);
      Object.assign(games, freshGames(options));
      faults.clear();
      held.cut();
      calls.clear();
      limiter.clear();
      shapes.clear();
      executions.clear();
      secrets.clear();
      clockMs = givenMs;
      file.forget();
    },
  };
}

/** Parses a clock setting. Throws when it isn't an instant. */
export function readClock(text: string): number {
  const instant = readInstant(text);
  if (instant === null) throw new Error(`not an instant: ${text}`);
  return instant.ceilMs;
}

interface StoredRefund {
  environment: Environment;
  periodId: number;
  atMs: number;
  /** Ten-thousandths of a dollar. */
  amount: string;
  basis: ReversalBasis;
  partnerBasis: PartnerBasis;
  transactionId?: string;
  clientRequestId?: string;
}

interface StoredState {
  clockMs: number | null;
  refunds: StoredRefund[];
  /** What the write routes changed. Absent in files written before those routes existed; the key has its old name for the same reason. */
  desks?: Partial<Record<Environment, StoredSupport>>;
  /** Absent in files written before orders, cards and transfers could change. */
  actions?: Partial<Record<Environment, StoredDesk>>;
  executions?: ReturnType<Executions['list']>;
  secrets?: ReturnType<Secrets['stored']>;
  /** Absent in files written before webhooks existed. */
  webhooks?: Partial<Record<Environment, StoredOutbox>>;
}

interface StateFile {
  read(): StoredState;
  /** Calls `make` only when there is a file. */
  write(make: () => StoredState): void;
  forget(): void;
}

/** The file that survives a restart; without a folder nothing does. */
function openStateFile(folder: string | undefined): StateFile {
  const nothing: StoredState = { clockMs: null, refunds: [] };
  if (folder === undefined) return { read: () => nothing, write: () => undefined, forget: () => undefined };
  const path = join(folder, 'upstream-state.json');
  return {
    read(): StoredState {
      try {
        return JSON.parse(readFileSync(path, 'utf8')) as StoredState;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return nothing;
        throw error;
      }
    },
    write(make): void {
      mkdirSync(folder, { recursive: true });
      writeFileSync(`${path}.new`, JSON.stringify(make()));
      renameSync(`${path}.new`, path);
    },
    forget: () => rmSync(path, { force: true }),
  };
}
