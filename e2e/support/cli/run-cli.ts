import { Readable, Writable } from 'node:stream';
import { main } from '#lib/cli/main.ts';
import { NOW, SECRET, type TestEnvironment } from '../test-environment.ts';

export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** For tests: runs one command against a test environment, with other variables and input if given, and returns what it printed. */
export async function runCli(
  testEnv: TestEnvironment,
  argv: string[],
  changed: Record<string, string | undefined> = {},
  stdin = '',
): Promise<Ran> {
  const texts = { out: '', err: '' };
  const into = (name: keyof typeof texts): Writable =>
    new Writable({
      write: (chunk, _, done) => {
        texts[name] += String(chunk);
        done();
      },
    });
  const env = {
    NODE_ENV: 'test',
    DATABASE_URL: testEnv.logins.web,
    DATABASE_WORKER_URL: testEnv.logins.worker,
    DATABASE_MIGRATE_URL: testEnv.logins.migrate,
    INVO_GAME: 'demo',
    INVO_BASE_URL: testEnv.upstream.url,
    INVO_GAME_SECRET: SECRET,
    SHAREBOOK_NOW: NOW,
    ...changed,
  };
  const code = await main(argv, env, { stdin: Readable.from([stdin]), stdout: into('out'), stderr: into('err') });
  return { code, ...texts };
}
