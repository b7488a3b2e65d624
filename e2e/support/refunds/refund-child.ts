import pg from 'pg';
import { openDb } from '#db/kit/open.ts';
import type { GameConfig } from '#lib/config.ts';
import type { Actor } from '#lib/core/roles.ts';
import { messageOf } from '#lib/core/strings.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import { requestRefund } from '#lib/refunds/request-refund.ts';
import type { RefundForm } from '#lib/refunds/rules/refund.ts';
import { type Failure, failAtStep } from './fail-at-step.ts';
import { NOW, openTestInvo, processOf, readingOf, settleToRest } from './refund-environment.ts';

/** The task of the child process, as JSON in `REFUND_CHILD`. */
export interface RefundChild {
  databaseUrl: string;
  config: GameConfig;
  gameId: number;
  actor: Actor;
  form: RefundForm;
  failure: Failure;
}

/** Its report at the end, as JSON on stdout. */
export interface ChildReport {
  steps: string[];
  hasFailed: boolean;
  troubles: string[];
}

const TRIES_MAX = 4;

await refund(JSON.parse(process.env['REFUND_CHILD'] ?? '{}') as RefundChild);

/** Requests a refund and settles it until it is at rest, while one step fails. Errors are logged and the work is repeated, as a person and a worker would. */
async function refund({ databaseUrl, config, gameId, actor, form, failure }: RefundChild): Promise<void> {
  const side = new pg.Client({ connectionString: databaseUrl });
  await side.connect();
  const arm = async (fault: object): Promise<void> => {
    await fetch(`${config.baseUrl}/__control/faults`, { method: 'POST', body: JSON.stringify(fault) });
  };
  const steps = failAtStep(failure, { side, arm });
  const { db, close } = openDb(databaseUrl, { poolSize: 4 });
  const invo = openTestInvo(config.baseUrl);
  const about = {
    gameId,
    invoGameId: null,
    slug: 'child',
    name: 'Child',
    environment: 'production',
    timeZone: 'UTC',
    settleLag_minutes: 15,
  } as const;
  const game: OpenGame = { db, ...about, now: () => NOW };
  const troubles: string[] = [];
  const again = async (work: () => Promise<void>): Promise<void> => {
    for (let tries = 1; tries <= TRIES_MAX; tries++) {
      try {
        return await work();
      } catch (error) {
        troubles.push(messageOf(error));
      }
    }
    throw new Error(`it does not come to an end: ${troubles.join('; ')}`);
  };
  await again(async () => {
    const requested = await requestRefund({ game, config }, actor, form, readingOf(invo));
    if (!requested.ok) throw new Error(`refused: ${requested.reason}`);
  });
  await again(() => settleToRest(processOf(game, invo, `child ${process.pid}`), side, gameId));
  await close();
  await side.end();
  const report: ChildReport = { steps: steps.names, hasFailed: steps.hasFailed, troubles };
  process.stdout.write(JSON.stringify(report));
}
