import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { FIXED_NOW } from '#e2e/runner/seeded-data.ts';
import { ROOT } from '#lib/start/data-folder.ts';
import { type Environment, prepareEnvironment } from '#lib/start/environment.ts';
import type { ProcessPlan } from '#lib/start/processes.ts';

/** The environment of a Sharebook that already runs over that data folder. */
export async function join(data: string, settings: Record<string, string> = {}): Promise<Environment> {
  const env = {
    ...settings,
    NODE_ENV: 'production',
    PATH: process.env['PATH'],
    SHAREBOOK_DATA: data,
    SHAREBOOK_NOW: FIXED_NOW,
    SHAREBOOK_DEMO_REFUNDS: 'off',
    SHAREBOOK_DEMO_YEAR: 'off',
  } as const;
  return await prepareEnvironment(env, { needs: 'database+invo', show: () => undefined });
}

/** Starts one more process of a Sharebook. */
export function launch({ run, env }: ProcessPlan): ChildProcess {
  const withParent = path.join(ROOT, 'lib/start/exit-with-parent.ts');
  return spawn(process.execPath, ['--import', withParent, ...run], { cwd: ROOT, env, stdio: 'ignore' });
}

/** Stops it as an operator would, and waits until it is gone. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
