import { describe, expect, test } from 'vitest';
import { parseCommand } from './parse-command.ts';

describe('a command line that can be read', () => {
  test.each<[string, object, string]>([
    [
      'pull --game aurora --month 2026-10',
      { name: 'pull', game: 'aurora', asked: { month: '2026-10' }, isFresh: false, isJson: false },
      'database+invo',
    ],
    [
      'pull --fresh --json --month=2026-10 --game=aurora',
      { name: 'pull', game: 'aurora', asked: { month: '2026-10' }, isFresh: true, isJson: true },
      'database+invo',
    ],
    [
      'pull --game aurora --from 2026-10-01 --to 2026-10-02T00:00:00+02:00',
      {
        name: 'pull',
        game: 'aurora',
        asked: { window: { start: '2026-10-01T00:00:00Z', end: '2026-10-01T22:00:00Z' } },
        isFresh: false,
        isJson: false,
      },
      'database+invo',
    ],
    [
      'pull --game aurora --from 2026-10-01T00:00:00.000Z --to 2026-10-01T00:00:00.1234567Z',
      {
        name: 'pull',
        game: 'aurora',
        asked: { window: { start: '2026-10-01T00:00:00Z', end: '2026-10-01T00:00:00.123456Z' } },
        isFresh: false,
        isJson: false,
      },
      'database+invo',
    ],
    [
      'export --game aurora --month 2026-10 --sheet renewals',
      { name: 'export', game: 'aurora', asked: { month: '2026-10' }, sheet: 'renewals', out: null, mayBeIncomplete: false, isJson: false },
      'database',
    ],
    [
      'export --game aurora --month 2026-10 --sheet recipients --out - --incomplete-ok',
      { name: 'export', game: 'aurora', asked: { month: '2026-10' }, sheet: 'recipients', out: '-', mayBeIncomplete: true, isJson: false },
      'database',
    ],
    ['verify', { name: 'verify', game: null, isJson: false }, 'database'],
    ['verify --game aurora --json', { name: 'verify', game: 'aurora', isJson: true }, 'database'],
    ['migrate', { name: 'migrate', isJson: false }, 'database'],
    ['doctor --json', { name: 'doctor', isJson: true }, 'database+invo'],
  ])('%s', (line, command, needs) => {
    expect(parseCommand(line.split(' '))).toEqual({ ok: true, command, needs });
  });
});

describe('a command line that cannot be read is answered with what is wrong, and the usage', () => {
  test.each<[string, RegExp]>([
    ['', /^Which command\?/],
    ['push', /^There is no command "push"\./],
    ['constructor', /^There is no command/],
    ['--json', /^There is no command/],
    ['pull', /^Which game\?/],
    ['pull --game aurora', /^Which window\?/],
    ['pull --game aurora --from 2026-10-01', /^Which window\?/],
    ['pull --game aurora --to 2026-10-01', /^Which window\?/],
    ['pull --game aurora --month 2026-10 --from 2026-10-01 --to 2026-10-02', /^Which window\?/],
    ['pull --game aurora --month 2026-10 --to 2026-10-02', /^Which window\?/],
    ['pull --game aurora --month 2026-13', /^"2026-13" is no month/],
    ['pull --game aurora --month October', /^"October" is no month/],
    ['pull --game aurora --month=', /^--month is empty/],
    ['verify --game=', /^--game is empty/],
    ['export --game aurora --month 2026-10 --sheet renewals --out=', /^--out is empty/],
    ['pull --game aurora --from 2026-10-01T00:00:00.0000001Z --to 2026-10-01T00:00:00.0000002Z', /ends before it begins/],
    ['pull --game aurora --month', /--month/],
    ['pull --game aurora --from yesterday --to 2026-10-02', /^"yesterday" is no ISO 8601 instant/],
    ['pull --game aurora --from 2026-10-01 --to tomorrow', /^"tomorrow" is no ISO 8601 instant/],
    ['pull --game aurora --from 2026-10-02 --to 2026-10-01', /^The window ends before it begins/],
    ['pull --game aurora --from 2026-10-01 --to 2026-10-01T02:00:00+02:00', /^The window ends before it begins/],
    ['pull --game aurora --month 2026-10 --sheet renewals', /sheet/],
    ['pull --game aurora --month 2026-10 --frehs', /frehs/],
    ['pull aurora --month 2026-10', /aurora/],
    ['export --game aurora --month 2026-10', /^Which sheet\?/],
    ['export --game aurora --month 2026-10 --sheet lines', /^Which sheet\? --sheet is one of recipients, renewals, reversals/],
    ['export --game aurora --month 2026-10 --sheet renewals --fresh', /fresh/],
    ['export --game aurora --month 2026-10 --sheet renewals --out - --json', /both want stdout/],
    ['verify aurora', /aurora/],
    ['migrate --game aurora', /game/],
    ['doctor now', /now/],
  ])('%s', (line, sentence) => {
    const parsed = parseCommand(line === '' ? [] : line.split(' '));
    expect(parsed.ok).toBe(false);
    const usage = parsed.ok ? '' : parsed.usage;
    expect(usage).toMatch(sentence);
    expect(usage).toContain('Usage: npm run --silent sharebook --');
  });
});
