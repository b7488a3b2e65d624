import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const FILE = pathToFileURL(path.join(import.meta.dirname, 'log.ts')).href;

/** Runs code in a process whose errors are logged; `row` is an error of PostgreSQL that quotes a row. */
function run(code: string): { status: number | null; stdout: string; text: string; lines: Record<string, unknown>[] } {
  const before = `
    import pg from 'pg';
    import { exitOnUncaught, logConsole } from ${JSON.stringify(FILE)};
    logConsole('worker');
    exitOnUncaught('worker');
    const row = Object.assign(new pg.DatabaseError('duplicate key value violates unique constraint', 1, 'error'), {
      detail: 'Key (name, email)=(Canary Fan, canary@players.example) already exists.',
      where: 'COPY person, line 1: "Canary Fan"',
    });`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', `${before}\n${code}`], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  const lines = stderr.trim().split('\n');
  return { status, stdout, text: stderr, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

test.each([
  ['printed', `console.error('\\u001b[31m⨯\\u001b[39m', row)`, 0],
  ['printed in an object', `console.warn('failed', { row }, [row])`, 0],
  ['printed as a cause', `console.error(new Error('not saved', { cause: row }))`, 0],
  ['thrown', `setTimeout(() => { throw row; })`, 1],
  ['thrown at the start', `throw row`, 1],
  ['a rejection that nothing handles', `void Promise.reject(row)`, 1],
])('an error that is %s is one line without the row it quotes', (_, code, status) => {
  const ran = run(code);
  expect(ran.text).not.toMatch(/canary/i);
  expect(ran).toMatchObject({ status, stdout: '', lines: [{ process: 'worker', event: expect.stringMatching(/^(error|warning)$/) }] });
});

test('the line has the message, the stack and the cause', () => {
  const { lines } = run(`console.error('⨯', new Error('not saved', { cause: row }))`);
  expect(lines[0]?.['message']).toMatch(
    /^⨯ Error: not saved\n +at .*\n?[^]*caused by error: duplicate key value violates unique constraint\n +at /,
  );
});
