import { expect, test } from 'vitest';
import { formatLogLine } from './log.ts';

const line = (fields: Parameters<typeof formatLogLine>[3]): unknown =>
  JSON.parse(formatLogLine('2026-11-21T12:00:00.000Z', 'web', 'request', fields));

test('an event is one JSON line, and a line break in a text breaks no line', () => {
  const text = formatLogLine('2026-11-21T12:00:00.000Z', 'worker', 'job', {
    game: 'demo',
    message: 'first\nsecond',
    ms: 12,
    none: null,
    left: undefined,
  });
  expect(text).not.toContain('\n');
  expect(JSON.parse(text)).toEqual({
    time: '2026-11-21T12:00:00.000Z',
    process: 'worker',
    event: 'job',
    game: 'demo',
    message: 'first\nsecond',
    ms: 12,
    none: null,
  });
});

test.each([
  ['connect postgres://sharebook:hunter2hunter2@db.example:5432/x failed', 'hunter2'],
  ['refused for fan@players.example', 'fan@players'],
  ['header authorization: Bearer 0123456789abcdef0123', '0123456789abcdef'],
  ['{"secret":"0123456789abcdef0123"}', '0123456789abcdef'],
  ['INVO_GAME_SECRET=0123456789abcdef0123', '0123456789abcdef'],
])('%s is written without what must not be read', (message, secret) => {
  expect(JSON.stringify(line({ message }))).not.toContain(secret);
});

test('a long text is cut', () => {
  expect(JSON.stringify(line({ message: 'x '.repeat(10_000) })).length).toBeLessThan(4_200);
});
