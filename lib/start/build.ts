import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from './data-folder.ts';
import { withFileLock } from './file-lock.ts';

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
const LEAVE_WITH_PARENT = path.join(import.meta.dirname, 'exit-with-parent.ts');
const NOT_SHIPPED = /\.test\.tsx?$|\.md$/;

export type BuildOptions = { show: (line: string) => void; signal?: AbortSignal; force?: boolean };

/** Builds the pages unless the build at hand was made from the very same files. Throws when the build fails. */
export async function buildWhenChanged({ show, signal, force = false }: BuildOptions): Promise<{ isBuilt: boolean }> {
  if (!force && isCurrent()) return { isBuilt: false };
  fs.mkdirSync(path.join(ROOT, '.data'), { recursive: true });
  return withFileLock(
    path.join(ROOT, '.data', 'build.lock'),
    async () => {
      if (!force && isCurrent()) return { isBuilt: false };
      fs.rmSync(STAMP, { force: true });
      const stamp = stampSources();
      await build(show, signal);
      fs.writeFileSync(STAMP, stamp);
      return { isBuilt: true };
    },
    600_000,
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

function listFiles(at: string): string[] {
  const found = fs.statSync(at, { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) return NOT_SHIPPED.test(at) ? [] : [at];
  const names = fs.readdirSync(at).toSorted();
  return names.flatMap((name) => listFiles(path.join(at, name)));
}

async function build(show: (line: string) => void, signal?: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, ['--import', LEAVE_WITH_PARENT, path.join(ROOT, 'node_modules/next/dist/bin/next'), 'build'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
  });
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => line.trim() && show(`build | ${line}`));
  }
  signal?.addEventListener('abort', () => child.kill('SIGTERM'));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error('The pages could not be built; the lines above say why.');
}
