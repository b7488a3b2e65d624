import { AsyncLocalStorage } from 'node:async_hooks';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from '#lib/start/data-folder.ts';
import { withoutSettings } from './run-sharebook.ts';

/** Takes what a check prints. */
export type Write = (text: string) => void;

export const TOOL = {
  tsc: 'node_modules/typescript/bin/tsc',
  next: 'node_modules/next/dist/bin/next',
  oxlint: 'node_modules/oxlint/bin/oxlint',
  knip: 'node_modules/knip/bin/knip.js',
  dependencyCruiser: 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
  vitest: 'node_modules/vitest/vitest.mjs',
  playwright: 'node_modules/playwright/cli.js',
};

const EXIT_WITH_PARENT = path.join(ROOT, 'lib/start/exit-with-parent.ts');

/** The priority of the tools that are run within it, and of what they start. */
export const priority = new AsyncLocalStorage<number | undefined>();

/**
 * Runs a tool on our Node and resolves with its exit code. The configuration of real games and of a real database does not reach it.
 * Its output goes to `write`, or unchanged to the terminal when there is none.
 */
export async function runTool(args: string[], write: Write | null, env: NodeJS.Dict<string> = {}): Promise<number> {
  const child = spawn(process.execPath, ['--import', EXIT_WITH_PARENT, ...args], {
    cwd: ROOT,
    stdio: write ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    env: { ...withoutSettings(process.env), ...env } as NodeJS.ProcessEnv,
  });
  const wanted = priority.getStore();
  if (child.pid !== undefined && wanted !== undefined) os.setPriority(child.pid, wanted);
  for (const output of [child.stdout, child.stderr]) output?.setEncoding('utf8').on('data', (text: string) => write?.(text));
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}
