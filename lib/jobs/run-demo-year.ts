import { setTimeout as sleep } from 'node:timers/promises';
import { type OpenDb, openDb } from '#db/kit/open.ts';
import type { logEvent } from '#lib/observability/log.ts';
import { type Config, clockOf, type GameConfig } from '../config.ts';
import { takeYearStep, type YearStep } from '../demo/close-demo-year.ts';
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
  config: Pick<Config, 'databaseUrl' | 'payeeKey' | 'settleLag_minutes' | 'isSimulated' | 'fixedNow' | 'hasDemoYear'>,
  options: YearOptions,
) {
  const { signal, log } = options;
  // Logged when it changes: a tick each minute finds the same.
  let lastLogged = '';
  return async function runDemoYear(gameConfig: GameConfig): Promise<void> {
    const { payeeKey: key, settleLag_minutes, isSimulated } = config;
    const authSecret = process.env['SHAREBOOK_AUTH_SECRET'] ?? '';
    if (!config.hasDemoYear || key === null) return;
    const own: OpenDb = openDb(config.databaseUrl, { poolSize: 2 });
    const now = clockOf(config);
    try {
      const game = await openGame(own.db, gameConfig, { settleLag_minutes, isSimulated, now });
      const people = await openDemoPeople(own.db, { now, authSecret });
      if (people === null) return;
      try {
        const ended = await takeSteps({ game, config: gameConfig, key, people }, signal, (step) =>
          log('demo year', { game: game.slug, ...step }),
        );
        const line = ended === null ? '' : JSON.stringify(ended);
        if (ended !== null && ended.outcome !== 'waiting' && line !== lastLogged) log('demo year', { game: game.slug, ...ended });
        lastLogged = line;
      } finally {
        await people.close();
      }
    } finally {
      await own.close();
    }
  };
}

/** Takes steps until one has to wait, none is left or `signal` stops the process (null). */
async function takeSteps(
  year: Parameters<typeof takeYearStep>[0],
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
