import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from './data-folder.ts';
import { withFileLock } from './file-lock.mjs';

const SOURCES = [
  'app',
  'lib',
  'db',
  'proxy.ts',
  'instrumentation.ts',
  'next.config.mjs',
  'postcss.config.mjs',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
];
const STAMP = path.join(ROOT, '.next', 'source-stamp');
const EXIT_WITH_PARENT = path.join(import.meta.dirname, 'exit-with-parent.ts');
/** How long another process may take for the same build. */
const WAITS_MS = 600_000;
const NOT_SHIPPED = /\.test\.tsx?$|\.md$/;

export type BuildOptions = { show: (line: string) => void; signal?: AbortSignal };

/** Builds the pages unless there is a build of exactly these files. Throws when the build fails or `signal` is aborted. */
export async function buildWhenChanged({ show, signal }: BuildOptions): Promise<{ isBuilt: boolean }> {
  if (isCurrent()) return { isBuilt: false };
  fs.mkdirSync(path.join(ROOT, '.data'), { recursive: true });
  return withFileLock(
    path.join(ROOT, '.data', 'build.lock'),
    async () => {
      if (isCurrent()) return { isBuilt: false };
      signal?.throwIfAborted();
      fs.rmSync(STAMP, { force: true });
      const stamp = stampSources();
      await build(show, signal);
      fs.writeFileSync(STAMP, stamp);
      return { isBuilt: true };
    },
    WAITS_MS,
    signal,
  );
}

function isCurrent(): boolean {
  return fs.existsSync(STAMP) && fs.readFileSync(STAMP, 'utf8') === stampSources();
}

function stampSources(): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of SOURCES.flatMap((source) => listFiles(path.join(ROOT, source)))) {
    hash.update(`\0${path.relative(ROOT, file)}\0`).update(fs.readFileSync(file));
  }
  return hash.digest('hex');
}

function listFiles(folder: string): string[] {
  const found = fs.statSync(folder, { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) return NOT_SHIPPED.test(folder) ? [] : [folder];
  const names = fs.readdirSync(folder).toSorted();
  return names.flatMap((name) => listFiles(path.join(folder, name)));
}

async function build(show: (line: string) => void, signal?: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, ['--import', EXIT_WITH_PARENT, path.join(ROOT, 'node_modules/next/dist/bin/next'), 'build'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
  });
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => line.trim() && show(`build | ${line}`));
  }
  signal?.addEventListener('abort', () => child.kill('SIGTERM'));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error("The pages couldn't be built. The lines above say why.");
}
