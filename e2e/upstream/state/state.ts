import { type ArmedFaults, createArmedFaults } from '../faults/armed-faults.ts';
import { readInstant } from '../instant.ts';
import type { Environment, World } from '../model.ts';
import { type Book, openBook } from '../report/book.ts';
import { openWorlds } from '../world/open-worlds.ts';
import { type CallLog, createCallLog } from './call-log.ts';
import { createDeskStore, type DeskStore } from './desk-store.ts';
import { freshGames, type GameSecrets, type GameSettings } from './games.ts';
import { createHeldCalls, type HeldCalls } from './held-calls.ts';
import { openMemoryFile } from './memory-file.ts';
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts';
import { createRefundStore, type KeptRefund, type RefundStore } from './refund-store.ts';

export interface StateOptions extends GameSecrets {
  /** A fixed clock; absent, the clock is the machine's until a control call sets it. */
  now?: string | undefined;
  stateFolder?: string | undefined;
  world?: string | undefined;
  /** The time the meters go by; default the machine's. */
  meterNowMs?: (() => number) | undefined;
}

/** Everything the service remembers between calls. */
export interface State {
  worlds: Record<Environment, World>;
  games: Record<Environment, GameSettings>;
  faults: ArmedFaults;
  calls: CallLog;
  held: HeldCalls;
  limiter: RateLimiter;
  nowMs(): number;
  setClock(ms: number | null): void;
  book(environment: Environment): Book;
  refundStore(environment: Environment): RefundStore;
  addRefund(environment: Environment, refund: KeptRefund): void;
  desk(environment: Environment): DeskStore;
  /** Writes everything that survives a restart, in one file at once. */
  save(): void;
  reset(): void;
}

/** Opens the service's memory, with what an earlier run left in the folder. A given `now` wins over a remembered clock. */
export function openState(options: StateOptions): State {
  const file = openMemoryFile(options.stateFolder);
  const givenMs = options.now === undefined ? null : readClock(options.now);
  const refunds: Record<Environment, RefundStore> = { production: createRefundStore(), sandbox: createRefundStore() };
  const games = freshGames(options);
  const faults = createArmedFaults();
  const calls = createCallLog();
  const held = createHeldCalls();
  const limiter = createRateLimiter(options.meterNowMs ?? (() => performance.now()));
  const written = file.read();
  let clockMs = givenMs ?? written.clockMs;
  const desks = { production: createDeskStore(written.desks?.production), sandbox: createDeskStore(written.desks?.sandbox) };
  for (const { environment, amount, ...rest } of written.refunds) refunds[environment].add({ ...rest, amount: BigInt(amount) });
  const worlds = openWorlds(options.world ?? 'demo');

  function nowMs(): number {
    return clockMs ?? Date.now();
  }
  function write(): void {
    file.write(() => ({
      clockMs: clockMs === givenMs ? null : clockMs,
      refunds: (['production', 'sandbox'] as const).flatMap((environment) =>
        refunds[environment].all().map((refund) => ({ ...refund, environment, amount: refund.amount.toString() })),
      ),
      desks: { production: desks.production.written(), sandbox: desks.sandbox.written() },
    }));
  }
  return {
    worlds,
    games,
    faults,
    calls,
    held,
    limiter,
    nowMs,
    setClock(ms): void {
      clockMs = ms ?? givenMs;
      write();
    },
    book: (environment) =>
      openBook({
        world: worlds[environment],
        remembered: refunds[environment],
        desk: desks[environment],
        nowMs: nowMs(),
        lineOrder: games[environment].lineOrder,
      }),
    desk: (environment) => desks[environment],
    save: write,
    refundStore: (environment) => refunds[environment],
    addRefund(environment, refund): void {
      refunds[environment].add(refund);
      write();
    },
    reset(): void {
      for (const store of [...Object.values(refunds), ...Object.values(desks)]) store.clear();
      Object.assign(games, freshGames(options));
      faults.clear();
      held.cut();
      calls.clear();
      limiter.clear();
      clockMs = givenMs;
      file.forget();
    },
  };
}

/** Reads a clock setting; a setting that is no instant is a mistake of whoever starts the service. */
export function readClock(text: string): number {
  const instant = readInstant(text);
  if (instant === null) throw new Error(`not an instant: ${text}`);
  return instant.ceilMs;
}
