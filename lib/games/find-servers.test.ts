import { expect, test } from 'vitest';
import { formatServers } from './find-servers.ts';

test('the servers of a cluster are named with their games', () => {
  const demo = { slug: 'demo', environment: 'production' };
  const sandbox = { slug: 'demo', environment: 'sandbox' };
  expect(
    formatServers([
      { server: 'one:5432', games: [demo, sandbox] },
      { server: 'two:5432', games: [] },
    ]),
  ).toBe('one:5432: demo (production), demo (sandbox). two:5432: no game.');
  expect(formatServers([{ server: 'one:5432', games: [] }])).toBe(
    'Citus is installed, and every table is on one server: run sharebook distribute.',
  );
});
