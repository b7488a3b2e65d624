import { spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import type { ChildReport, RefundChild } from './refund-child.ts';
import type { RefundEnvironment, RefundGame } from './refund-environment.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** Compiled code is cached between the many starts. */
const COMPILED = path.join(os.tmpdir(), 'sharebook-refund-child');

/** Starts a process that requests and settles one refund, and waits for its end: its report, or the signal that killed it. */
export async function runRefundChild(
  testEnv: RefundEnvironment,
  game: RefundGame,
  { form, failure }: Pick<RefundChild, 'form' | 'failure'>,
): Promise<{ report: ChildReport | null; signal: string | null; log: string }> {
  const task: RefundChild = {
    databaseUrl: testEnv.url,
    config: testEnv.config,
    gameId: game.gameId,
    actor: testEnv.people.support,
    form,
    failure,
  };
  const child = spawn(process.execPath, ['e2e/support/refunds/refund-child.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], NODE_ENV: 'test', NODE_COMPILE_CACHE: COMPILED, REFUND_CHILD: JSON.stringify(task) },
  });
  const ended = once(child, 'close') as Promise<[number | null, string | null]>;
  const [out, log] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  const [code, signal] = await ended;
  return { report: code === 0 ? (JSON.parse(out) as ChildReport) : null, signal, log };
}
