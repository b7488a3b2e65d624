import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { deserialize, serialize } from 'node:v8';
import { openWithPool } from '#e2e/support/db/open-with-pool.ts';
import type { SentQuery } from './statement-recorder.ts';

/** What a bare server answers: at each path the rows of these statements as JSON. */
export interface BareRoutes {
  databaseUrl: string;
  routes: Record<string, SentQuery[]>;
}

export interface BareServer {
  origin: string;
  stop(): Promise<void>;
}

/** Starts a server of plain node:http in a process of its own, which sends the same statements as the product and nothing else. */
export async function startBareServer(routes: BareRoutes): Promise<BareServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sharebook-bare-'));
  const file = path.join(folder, 'routes');
  writeFileSync(file, serialize(routes));
  const child: ChildProcess = spawn(process.execPath, [import.meta.filename, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const stop = async (): Promise<void> => {
    rmSync(folder, { recursive: true, force: true });
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  };
  if (!child.stdout) throw new Error('the bare server has no output');
  const gone = once(child, 'exit').then(() => Promise.reject(new Error('the bare server ended')));
  const [origin] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), gone])) as [string];
  gone.catch(() => undefined);
  return { origin, stop };
}

if (process.argv[1] === import.meta.filename) await serve(process.argv[2] ?? '');

async function serve(file: string): Promise<void> {
  process.stdin.resume().on('end', () => process.exit());
  const { databaseUrl, routes } = deserialize(readFileSync(file)) as BareRoutes;
  const { pool } = openWithPool(databaseUrl);
  const server = http.createServer((request, response) => {
    answer(routes[request.url ?? ''] ?? []).then(
      (body) => response.setHeader('content-type', 'application/json').end(body),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  async function answer(statements: SentQuery[]): Promise<string> {
    const rows: unknown[] = [];
    for (const { text, values } of statements) rows.push((await pool.query(text, values)).rows);
    return JSON.stringify(rows);
  }
  server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${(server.address() as { port: number }).port}\n`));
}
