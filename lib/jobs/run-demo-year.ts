import { setTimeout as sleep } from 'node:timers/promises';
import { openDb } from '#db/kit/open.ts';
import type { logEvent } from '#lib/observability/log.ts';
import { type Config, clockOf, type GameConfig } from '../config.ts';
import { type DemoYear, takeYearStep, type YearStep } from '../demo/close-demo-year.ts';
import { openDemoPeople } from '../demo/open-demo-people.ts';
import { openGame } from '../games/open-game.ts';

/** A step that is refused this often in a row is left to people: the plan doesn't fit what exists. */
const REFUSALS_MAX = 5;

interface YearOptions {
  signal: AbortSignal;
  log: (event: string, fields: Parameters<typeof logEvent>[2]) => void;
}

/**
 * Runs the demo's year, one step at a time: after each step it rests as long as the step took, so that half of the time is left to what people do. Returns when a pull has
 * to end first, when everything is done, and when people decide what comes next.
 */
export function createDemoYear(
  config: Pick<Config, 'databaseUrl' | 'payeeKey' | 'settleLag_minutes' | 'isSimulated' | 'fixedNow' | 'port'>,
  { signal, log }: YearOptions,
): (gameConfig: GameConfig) => Promise<void> {
  // A tick each minute finds the same: it is logged once, and a finished year isn't read again.
  let logged = '';
  let isFinished = false;
  return async (gameConfig) => {
    const { payeeKey: key, settleLag_minutes, isSimulated } = config;
    if (isFinished || key === null) return;
    await untilServed(config.port, signal);
    const now = clockOf(config);
    const { db, close } = openDb(config.databaseUrl, { poolSize: 2 });
    try {
      const game = await openGame(db, gameConfig, { settleLag_minutes, isSimulated, now });
      const people = await openDemoPeople(db, { now, authSecret: process.env['SHAREBOOK_AUTH_SECRET'] ?? '' });
      if (people === null) return;
      const report = (step: YearStep & { ms?: number }): void => log('demo year', { game: game.slug, ...step });
      const ended = await takeSteps({ game, config: gameConfig, key, people }, signal, report).finally(() => people.close());
      if (ended === null || ended.outcome === 'waiting') return;
      isFinished = ended.outcome === 'finished';
      if (logged !== JSON.stringify(ended)) report(ended);
      logged = JSON.stringify(ended);
    } finally {
      await close();
    }
  };
}

const SERVED_WITHIN_MS = 120_000;
const ASKED_EVERY_MS = 1_000;

/** Waits until the pages of this machine are served: on a first start they are still being built. Where none are, not for longer than a start takes. */
async function untilServed(port: number, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + SERVED_WITHIN_MS;
  while (!signal.aborted && performance.now() < deadline) {
    const isServed = await fetch(`http://127.0.0.1:${port}/readyz`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isServed) return;
    await sleep(ASKED_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Takes steps until one has to wait, none is left or `signal` stops the process (null). */
async function takeSteps(
  year: DemoYear,
  signal: AbortSignal,
  report: (step: YearStep & { ms: number }) => void,
): Promise<Exclude<YearStep, { outcome: 'taken' }> | null> {
  let refusals = 0;
  while (!signal.aborted) {
    const started_at = performance.now();
    const step = await takeYearStep(year);
    if (step.outcome !== 'taken') return step;
    const ms = Math.round(performance.now() - started_at);
    report({ ...step, ms });
    refusals = step.because === undefined ? 0 : refusals + 1;
    if (refusals >= REFUSALS_MAX) return { outcome: 'stopped', month: step.month, because: `${step.kind} was refused: ${step.because}` };
    await sleep(ms, undefined, { signal }).catch(() => undefined);
  }
  return null;
}
