import { describe, expect, test } from 'vitest';
import { parseCommand } from './main.ts';

describe('a command line that parses', () => {
  test.each<[string, object, string]>([
    [
      'pull --game aurora --month 2026-10',
      { name: 'pull', game: 'aurora', requested: { month: '2026-10' }, isFresh: false, isJson: false },
      'database+invo',
    ],
    [
      'pull --fresh --json --month=2026-10 --game=aurora',
      { name: 'pull', game: 'aurora', requested: { month: '2026-10' }, isFresh: true, isJson: true },
      'database+invo',
    ],
    [
      'pull --game aurora --from 2026-10-01 --to 2026-10-02T00:00:00+02:00',
      {
        name: 'pull',
        game: 'aurora',
        requested: { window: { start: '2026-10-01T00:00:00Z', end: '2026-10-01T22:00:00Z' } },
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
        requested: { window: { start: '2026-10-01T00:00:00Z', end: '2026-10-01T00:00:00.123456Z' } },
        isFresh: false,
        isJson: false,
      },
      'database+invo',
    ],
    ['routes --json', { name: 'routes', isJson: true }, 'nothing'],
    [
      'pack --game aurora --month 2026-10',
      { name: 'pack', game: 'aurora', month: '2026-10', out: null, withAccounts: false, isJson: false },
      'database',
    ],
    ['verify --pack one.zip two.zip --json', { name: 'verify --pack', files: ['one.zip', 'two.zip'], isJson: true }, 'nothing'],
    [
      'export --game aurora --month 2026-10 --sheet renewals',
      {
        name: 'export',
        game: 'aurora',
        requested: { month: '2026-10' },
        sheet: 'renewals',
        format: 'csv',
        out: null,
        mayBeIncomplete: false,
        isJson: false,
      },
      'database',
    ],
    [
      'export --game aurora --month 2026-10 --sheet recipients --out - --incomplete-ok',
      {
        name: 'export',
        game: 'aurora',
        requested: { month: '2026-10' },
        sheet: 'recipients',
        format: 'csv',
        out: '-',
        mayBeIncomplete: true,
        isJson: false,
      },
      'database',
    ],
    [
      'export --game aurora --month 2026-10 --sheet reversals --format xlsx',
      {
        name: 'export',
        game: 'aurora',
        requested: { month: '2026-10' },
        sheet: 'reversals',
        format: 'xlsx',
        out: null,
        mayBeIncomplete: false,
        isJson: false,
      },
      'database',
    ],
    [
      'journal --game aurora --month 2026-10 --layout xero',
      { name: 'journal', game: 'aurora', month: '2026-10', layout: 'xero', journalNo: null, out: null, isJson: false },
      'database',
    ],
    [
      'journal --game aurora --month 2026-10 --layout generic --journal 202610-C --out -',
      { name: 'journal', game: 'aurora', month: '2026-10', layout: 'generic', journalNo: '202610-C', out: '-', isJson: false },
      'database',
    ],
    [
      'payout --game aurora --month 2026-10 --preview',
      { name: 'payout', game: 'aurora', month: '2026-10', isPreview: true, isJson: false },
      'database',
    ],
    [
      'export --game aurora --month 2026-10 --sheet recipients --snapshot 7',
      {
        name: 'export',
        game: 'aurora',
        requested: { month: '2026-10' },
        sheet: 'recipients',
        format: 'csv',
        out: null,
        snapshotId: 7,
        mayBeIncomplete: false,
        isJson: false,
      },
      'database',
    ],
    ['verify', { name: 'verify', game: null, head: null, isJson: false }, 'database'],
    ['verify --game aurora --json', { name: 'verify', game: 'aurora', head: null, isJson: true }, 'database'],
    ['verify --head heads.json', { name: 'verify', game: null, head: 'heads.json', isJson: false }, 'database'],
    [
      'erase --game aurora --recipient 9010 --reason request-7',
      { name: 'erase', game: 'aurora', recipient: 9010, reason: 'request-7', isJson: false },
      'database',
    ],
    ['payees --game aurora --in details.csv --preview', { name: 'payees', game: 'aurora', from: 'details.csv', isJson: false }, 'database'],
    [
      'bank-report --game aurora --in camt.xml --dates day-first --preview',
      { name: 'bank-report', game: 'aurora', from: 'camt.xml', dateOrder: 'day_first', isJson: false },
      'database',
    ],
    ['chain-head', { name: 'chain-head', game: null, out: null, isJson: false }, 'database'],
    ['chain-head --game aurora --out heads.json', { name: 'chain-head', game: 'aurora', out: 'heads.json', isJson: false }, 'database'],
    ['migrate', { name: 'migrate', isJson: false }, 'database'],
    ['distribute --check', { name: 'distribute --check', isJson: false }, 'nothing'],
    ['distribute --json', { name: 'distribute', isJson: true }, 'database'],
    ['doctor --json', { name: 'doctor', isJson: true }, 'database+invo'],
  ])('%s', (line, command, needs) => {
    expect(parseCommand(line.split(' '))).toEqual({ ok: true, command, needs });
  });
});

describe('a command line that does not parse is answered with the reason and the usage of its command', () => {
  test.each<[string, RegExp]>([
    ['', /^Give a command\./],
    ['erase --game aurora --reason x', /^Give the recipient's player ID with --recipient\./],
    ['erase --game aurora --recipient a@b.example --reason x', /^Give the recipient's player ID with --recipient\./],
    ['erase --game aurora --recipient 9010', /^Give a reason of up to 500 characters with --reason\./],
    ['verify --pack', /^Give the files of evidence packs\./],
    ['verify one.zip', /positional/],
    ['pack --game aurora --month 2026-10 --out - --json', /^--json and --out - both write to stdout\./],
    ['payees --game aurora --preview', /^Give a CSV file with --in\./],
    ['bank-report --game aurora --preview', /^Give the report with --in\./],
    ['bank-report --game aurora --in camt.xml', /^bank-report needs --preview/],
    ['bank-report --game aurora --in camt.xml --dates year-first --preview', /^--dates is day-first or month-first/],
    ['payees --game aurora --in details.csv', /^payees needs --preview/],
    ['push', /^There is no command "push"\./],
    ['constructor', /^There is no command/],
    ['--json', /^There is no command/],
    ['pull', /^Give a game/],
    ['pull --game aurora', /^Give a window/],
    ['pull --game aurora --from 2026-10-01', /^Give a window/],
    ['pull --game aurora --to 2026-10-01', /^Give a window/],
    ['pull --game aurora --month 2026-10 --from 2026-10-01 --to 2026-10-02', /^Give a window/],
    ['pull --game aurora --month 2026-10 --to 2026-10-02', /^Give a window/],
    ['pull --game aurora --month 2026-13', /^"2026-13" isn't a month/],
    ['pull --game aurora --month October', /^"October" isn't a month/],
    ['pull --game aurora --month=', /^--month is empty/],
    ['verify --game=', /^--game is empty/],
    ['journal --game aurora --layout xero', /^Give a month/],
    ['journal --game aurora --month 2026-13 --layout xero', /isn't a month/],
    ['journal --game aurora --month 2026-10', /^Give a layout: --layout is one of xero, quickbooks, generic/],
    ['journal --game aurora --month 2026-10 --layout sage', /^Give a layout/],
    ['journal --game aurora --month 2026-10 --layout xero --json --out -', /both write to stdout/],
    ['payout --game aurora', /^Give a window/],
    ['payout --game aurora --from 2026-10-01T00:00:00Z --to 2026-10-02T00:00:00Z', /from/],
    ['export --game aurora --month 2026-10 --sheet renewals --out=', /^--out is empty/],
    ['pull --game aurora --from 2026-10-01T00:00:00.0000001Z --to 2026-10-01T00:00:00.0000002Z', /ends before it starts/],
    ['pull --game aurora --month', /--month/],
    ['pull --game aurora --from yesterday --to 2026-10-02', /^"yesterday" isn't an ISO 8601 instant/],
    ['pull --game aurora --from 2026-10-01 --to tomorrow', /^"tomorrow" isn't an ISO 8601 instant/],
    ['pull --game aurora --from 2026-10-02 --to 2026-10-01', /^The window ends before it starts/],
    ['pull --game aurora --from 2026-10-01 --to 2026-10-01T02:00:00+02:00', /^The window ends before it starts/],
    ['pull --game aurora --month 2026-10 --sheet renewals', /sheet/],
    ['pull --game aurora --month 2026-10 --frehs', /frehs/],
    ['pull aurora --month 2026-10', /aurora/],
    ['export --game aurora --month 2026-10', /^Give a sheet: /],
    ['export --game aurora --month 2026-10 --sheet lines', /^Give a sheet: --sheet is one of recipients, renewals, reversals/],
    ['export --game aurora --month 2026-10 --sheet renewals --fresh', /fresh/],
    ['export --game aurora --month 2026-10 --sheet renewals --out - --json', /both write to stdout/],
    ['verify aurora', /aurora/],
    ['migrate --game aurora', /game/],
    ['doctor now', /now/],
    ['order --game aurora', /^Give the ID of the order with --id/],
    ['transfer --game aurora --id ../x', /^"..\/x" can't be the ID of a transfer/],
    ['player', /^Give a game/],
    ['player --game aurora --email a@b.example', /email/],
  ])('%s', (line, sentence) => {
    const parsed = parseCommand(line === '' ? [] : line.split(' '));
    expect(parsed.ok).toBe(false);
    const { reason, usage } = parsed.ok ? { reason: '', usage: '' } : parsed;
    expect(reason).toMatch(sentence);
    expect(reason).not.toContain('Usage');
    const [command = ''] = line.split(' ');
    const isKnown = ['pull', 'export', 'order'].includes(command);
    expect(usage).toContain('Usage: npm run --silent sharebook --');
    if (isKnown) expect(usage.split('\n')).toEqual([expect.stringMatching(new RegExp(`^Usage: .* -- ${command} `))]);
  });

  test('a missing or unknown command is answered with the usage of all', () => {
    for (const argv of [[], ['push']]) {
      const parsed = parseCommand(argv);
      for (const command of ['pull', 'balances', 'restore-check']) expect(parsed.ok ? '' : parsed.usage).toContain(`\n  ${command} `);
    }
  });

  test.each([
    [['--in', 'x', '--all'], /^--in and --all can't be combined/],
    [[], /^Give the emails with --in FILE, or --all for all players\.$/],
  ])('balances with %j says what is wrong', (more, sentence) => {
    const parsed = parseCommand(['balances', '--game', 'aurora', ...more]);
    expect(parsed.ok ? '' : parsed.reason).toMatch(sentence);
  });
});
