// @module-tag no-retry
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureDatabase } from '#db/kit/administer.ts';
import { makeStoppedServer, type StoppedServer } from '#e2e/support/start/stopped-server.ts';
import { identifyProcess } from '../file-lock.mjs';
import { type EmbeddedPostgres, startPostgres } from './embedded-postgres.ts';
import { chooseRunAs, findBinaries } from './programs.ts';
import { readPostmaster, whenGone } from './running-server.ts';

const MODULE = path.join(import.meta.dirname, 'embedded-postgres.ts');
let stopped: StoppedServer;
let folder: string;
let started: EmbeddedPostgres[];

beforeAll(async () => {
  stopped = await makeStoppedServer();
});
afterAll(() => stopped.remove());

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-postgres-'));
  fs.chmodSync(folder, 0o711);
  started = [];
});

afterEach(async () => {
  for (const server of started) await server.stop();
  const outside = started.map((server) => path.dirname(server.dataFolder)).filter((used) => used !== folder);
  for (const used of [...outside, folder]) fs.rmSync(used, { recursive: true, force: true });
});

async function start(options: { runAs?: 'nobody' } = {}): Promise<EmbeddedPostgres> {
  const server = await startPostgres({ folder, flags: ['fsync=off'], ...options });
  started.push(server);
  return server;
}

async function startOverCopy(): Promise<EmbeddedPostgres> {
  stopped.copyTo(folder);
  return await start();
}

async function ask(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  const answer = await client.query<Record<string, unknown>>(sql).finally(() => client.end());
  return Object.values(answer.rows[0] ?? {})[0];
}

function pidOf(server: EmbeddedPostgres): number {
  return readPostmaster(server.dataFolder)?.pid ?? 0;
}

async function waitUntilGone(pid: number): Promise<void> {
  while (identifyProcess(pid) !== null) await sleep(20);
}

describe('the embedded PostgreSQL', () => {
  it('starting an embedded PostgreSQL several times at once in an empty folder starts one server with UTF-8 and UTC, gone after the last stop', {
    tags: ['proof'],
  }, async () => {
    const all = await Promise.all([start(), start(), start()]);
    expect(new Set(all.map(({ url }) => url)).size).toBe(1);
    const [server, ...joined] = all.toSorted((one, other) => Number(one.isReused) - Number(other.isReused));
    if (server === undefined) throw new Error('no server');
    expect([server, ...joined].map(({ isReused }) => isReused)).toEqual([false, true, true]);
    const pid = pidOf(server);
    expect(await ask(server.url, 'show server_encoding')).toBe('UTF8');
    expect(await ask(server.url, 'show timezone')).toBe('UTC');
    expect(await ask(server.url, 'show listen_addresses')).toBe('127.0.0.1');
    expect(await ask(server.url, 'show unix_socket_directories')).toBe('');
    await server.stop();
    await joined[0]?.stop();
    expect(identifyProcess(pid)).not.toBeNull();
    await joined[1]?.stop();
    expect(identifyProcess(pid)).toBeNull();
  });

  it('an embedded PostgreSQL accepts only its own password, which only its user can read', { tags: ['proof'] }, async () => {
    const server = await startOverCopy();
    expect(fs.statSync(path.join(folder, 'password')).mode & 0o777).toBe(0o600);
    await expect(ask(server.url.replace(/:[0-9a-f]{48}@/, ':guess@'), 'select 1')).rejects.toThrow('password authentication failed');
  });

  it('a second process joins the running PostgreSQL, which stays until the last process stops it', { tags: ['proof'] }, async () => {
    const [mine, other] = [await startOverCopy(), startElsewhere('await new Promise(() => setInterval(() => {}, 1000))')];
    const joined = await other.joined;
    expect(joined).toEqual({ isReused: true, url: mine.url });
    await mine.stop();
    expect(await ask(mine.url, 'select 1')).toBe(1);
    other.process.kill('SIGKILL');
    await waitUntilGone(other.process.pid ?? 0);
    const again = await start();
    expect(again.isReused).toBe(true);
  });

  it('PostgreSQL starts again with its data after it was killed', { tags: ['proof'] }, async () => {
    const first = await startOverCopy();
    await ensureDatabase(first.url, 'kept');
    await ask(first.databaseUrl('kept'), 'create table kept as select 42 as n');
    process.kill(pidOf(first), 'SIGKILL');
    const second = await start();
    expect(second.isReused).toBe(false);
    expect(await ask(second.databaseUrl('kept'), 'select n from kept')).toBe(42);
  });

  it('whenGone resolves when another process stops PostgreSQL, and not before', { tags: ['proof'] }, async () => {
    const server = await startOverCopy();
    let isGone = false;
    const gone = whenGone(server.dataFolder).then(() => {
      isGone = true;
    });
    await sleep(1_500);
    expect(isGone).toBe(false);
    process.kill(pidOf(server), 'SIGINT');
    await expect.poll(() => isGone).toBe(true);
    await gone;
  });

  it('a program of PostgreSQL that fails is reported with what it printed', async () => {
    const as = chooseRunAs(findBinaries(), folder);
    await expect(as.run('initdb', ['--no-such-option'])).rejects.toThrow(/initdb failed \(1\): .*no-such-option/s);
  });

  it('a postmaster.pid whose process id belongs to another program now is ignored', { tags: ['proof'] }, async () => {
    const first = await startOverCopy();
    const note = fs.readFileSync(path.join(first.dataFolder, 'postmaster.pid'), 'utf8').split('\n');
    await first.stop();
    fs.writeFileSync(path.join(first.dataFolder, 'postmaster.pid'), [String(process.ppid), ...note.slice(1)].join('\n'));
    expect((await start()).isReused).toBe(false);
  });

  it('an incomplete data directory is renamed, not deleted, and a new one is created', { tags: ['proof'] }, async () => {
    fs.mkdirSync(path.join(folder, 'data'));
    fs.writeFileSync(path.join(folder, 'data', 'PG_VERSION'), '18\n');
    const server = await start();
    expect(await ask(server.url, 'select 1')).toBe(1);
    expect(fs.readdirSync(folder).some((name) => name.startsWith('data.incomplete'))).toBe(true);
  });

  it('a database is created once, and an invalid database name is rejected', { tags: ['proof'] }, async () => {
    const server = await startOverCopy();
    await Promise.all([ensureDatabase(server.url, 'twice'), ensureDatabase(server.url, 'twice')]);
    await expect(ensureDatabase(server.url, 'a; drop')).rejects.toThrow('not a valid database name');
  });

  it.runIf(process.getuid?.() === 0)(
    'PostgreSQL runs as nobody where root has no user namespaces, also below a private folder',
    { tags: ['proof'] },
    async () => {
      fs.chmodSync(folder, 0o700);
      const server = await start({ runAs: 'nobody' });
      expect(await ask(server.url, 'select 1')).toBe(1);
      expect(server.dataFolder.startsWith(folder)).toBe(false);
      expect(fs.statSync(server.dataFolder).uid).toBe(65_534);
    },
  );
});

function startElsewhere(then: string): { process: ReturnType<typeof spawn>; joined: Promise<unknown> } {
  const code = `import { startPostgres } from ${JSON.stringify(MODULE)};
    const server = await startPostgres({ folder: ${JSON.stringify(folder)} });
    console.log(JSON.stringify({ isReused: server.isReused, url: server.url })); ${then}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const joined = new Promise((resolve) => child.stdout.once('data', (line: Buffer) => resolve(JSON.parse(line.toString()))));
  return { process: child, joined };
}
