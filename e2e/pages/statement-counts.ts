import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** A page or route, and how many statements it may send to the database. */
export interface Counted {
  path: string;
  max: number;
  /** The route that answers, where several paths of one route are counted. */
  route?: string;
}

/** Requests an address with a session. */
type Read = (path: string) => Promise<{ status: number; text: string }>;

const COUNTED_WITHIN_MS = 30_000;

/** Requests each page once and expects that none sends more statements than it may. */
export async function expectFewStatements(read: Read, pages: Record<string, Counted>): Promise<void> {
  const counted: Record<string, number> = {};
  for (const [name, { path, route = name }] of Object.entries(pages)) {
    // Once before, for what only a first request of a process does.
    await read(path);
    counted[name] = await countStatements(read, route, path);
  }
  const tooMany = Object.entries(counted).filter(([name, count]) => count > (pages[name]?.max ?? 0));
  assert.deepEqual(tooMany, [], JSON.stringify(counted));
}

async function countStatements(read: Read, route: string, path: string): Promise<number> {
  const before = await readStatements(read, route);
  const { status } = await read(path);
  assert.ok(status < 400, `${path}: ${status}`);
  const deadline = performance.now() + COUNTED_WITHIN_MS;
  for (;;) {
    const after = await readStatements(read, route);
    if (after.requests === before.requests + 1) return after.statements - before.statements;
    assert.ok(performance.now() < deadline, `${after.requests - before.requests} requests of ${route} were counted`);
    await sleep(25);
  }
}

async function readStatements(read: Read, route: string): Promise<{ requests: number; statements: number }> {
  const { text } = await read('/metrics');
  const figure = (name: string): number => {
    const lines = text
      .split('\n')
      .filter((line) => line.startsWith(`sharebook_request_statements_${name}{`) && line.includes(`route="${route}"`));
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };
  return { requests: figure('count'), statements: figure('sum') };
}
