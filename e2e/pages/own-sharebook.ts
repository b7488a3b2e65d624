import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FAST = 'fsync=off,synchronous_commit=off,full_page_writes=off';
const READY = /^(Sign in with your e-mail|http\S+\/set-up\?token=)/;

export interface OwnSharebook {
  /** What it printed on its standard output until it was ready. */
  lines: string[];
  stop(): Promise<void>;
}

/** Starts a second Sharebook as `npm start` does, for a game of its own; resolves once it has said how to get in. */
export async function startSharebook(port: number, dataFolder: string, game: Record<string, string>): Promise<OwnSharebook> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(INVO_|SHAREBOOK_|DATABASE_URL$|PORT$|HOST$)/.test(name));
  const own = { ...game, PORT: String(port), SHAREBOOK_DATA: dataFolder, SHAREBOOK_POSTGRES_FLAGS: FAST };
  const env = Object.assign(Object.fromEntries(inherited) as NodeJS.ProcessEnv, own);
  const child = spawn(process.execPath, ['lib/start/start.ts'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (READY.test(line)) break;
  }
  if (!lines.some((line) => READY.test(line))) throw new Error(`It did not start:\n${said.join('\n')}`);
  return { lines, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** A port nobody listens on. */
export async function findPort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
