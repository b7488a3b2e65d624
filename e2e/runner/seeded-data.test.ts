import { expect, test } from 'vitest';
import { listShapingFiles } from './seeded-data.ts';

test('the seeded data are made again when the pull, a migration or the simulated Invo changes, and not for a page', () => {
  const files = listShapingFiles();
  expect(files).toEqual(
    expect.arrayContaining([
      'lib/evidence/pull/pull-window.ts',
      'db/migrations/0001_evidence.sql',
      'e2e/upstream/server.ts',
      expect.stringMatching(/^e2e\/upstream\/world\//),
    ]),
  );
  expect(files.filter((file) => /^app\/|\.test\.ts$|^lib\/cli\//.test(file))).toEqual([]);
});
