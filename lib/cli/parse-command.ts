import { parseArgs } from 'node:util';
import { compareInstants, fromMicroseconds, parseInstant, toMicroseconds } from '../core/instant.ts';
import { parseMonth } from '../core/month.ts';
import type { Window } from '../core/window.ts';
import { parseSheet, parseSheetFormat, SHEET_FORMATS, SHEETS, type SheetFormat, type SheetName } from '../evidence/rules/sheets.ts';
import { LAYOUTS, type Layout, parseLayout } from '../journals/rules/layouts.ts';
import { STATEMENT_FORMATS, type StatementFormat } from '../payouts/rules/statement.ts';
import { parseRecordId } from '../search/rules/parse-search.ts';

/** The window of a command: a month in the game's time zone, or two instants. */
export type AskedWindow = { month: string } | { window: Window };

export type Command =
  | { name: 'pull'; game: string; asked: AskedWindow; isFresh: boolean; isJson: boolean }
  | {
      name: 'export';
      game: string;
      asked: AskedWindow;
      sheet: SheetName;
      format: SheetFormat;
      out: string | null;
      snapshotId?: number;
      mayBeIncomplete: boolean;
      isJson: boolean;
    }
  | { name: 'payout'; game: string; month: string; isPreview: boolean; isJson: boolean }
  | { name: 'statement'; game: string; month: string; recipient: number; format: StatementFormat; out: string | null; isJson: boolean }
  | { name: 'close-check'; game: string; month: string; isJson: boolean }
  | { name: 'journal'; game: string; month: string; layout: Layout; journalNo: string | null; out: string | null; isJson: boolean }
  | { name: 'verify'; game: string | null; head: string | null; isJson: boolean }
  | { name: 'verify-coverage'; isJson: boolean }
  | { name: 'chain-head'; game: string | null; out: string | null; isJson: boolean }
  | { name: 'balances'; game: string; from: string | null; format: SheetFormat; out: string | null; isJson: boolean }
  | { name: 'erase'; game: string; recipient: number; reason: string; isJson: boolean }
  | { name: 'deliveries'; game: string; since: string | null; isJson: boolean }
  | { name: 'player'; game: string; isJson: boolean }
  | { name: 'order' | 'transfer'; game: string; id: string; isJson: boolean }
  | { name: 'restore-check'; wasRestored: boolean; isJson: boolean }
  | { name: 'migrate' | 'doctor' | 'confirm-person'; isJson: boolean }
  | { name: 'routes'; isJson: boolean };

export type ParsedCommand =
  | { ok: true; command: Command; needs: 'nothing' | 'database' | 'database+invo' }
  | { ok: false; reason: string; usage: string };

/** A line before its usage is known. */
type Parsed = Extract<ParsedCommand, { ok: true }> | { ok: false; reason: string };

const CALL = 'npm run --silent sharebook --';
/** What a person types; `verify --coverage` is a command of its own that starts nothing. */
type CommandName = Exclude<Command['name'], 'verify-coverage'>;

const USAGE: Record<CommandName, string> = {
  pull: '--game G (--month YYYY-MM | --from ISO --to ISO) [--fresh]',
  export: `--game G (--month YYYY-MM | --from ISO --to ISO) --sheet ${SHEETS.join('|')} [--format ${SHEET_FORMATS.join('|')}] [--snapshot ID] [--out FILE | --out -] [--incomplete-ok]`,
  payout: '--game G --month YYYY-MM [--preview]',
  statement: '--game G --month YYYY-MM --recipient ID --format pdf|csv [--out FILE | --out -]',
  'close-check': '--game G --month YYYY-MM',
  journal: `--game G --month YYYY-MM --layout ${LAYOUTS.join('|')} [--journal NO] [--out FILE | --out -]`,
  verify: '[--game G] [--head FILE] | --coverage',
  'chain-head': '[--game G] [--out FILE]',
  balances: `--game G (--in FILE | --in - | --all) [--format ${SHEET_FORMATS.join('|')}] [--out FILE | --out -]`,
  erase: '--game G --recipient ID --reason TEXT',
  routes: '',
  deliveries: '--game G [--since ISO]',
  player: '--game G  (the email on stdin)',
  order: '--game G --id ID',
  transfer: '--game G --id ID',
  migrate: '',
  doctor: '',
  'confirm-person': '  (the email on stdin)',
  'restore-check': '[--restored]',
};
const EXITS = "Exit: 0 done, 1 failed, 2 usage, 3 the evidence doesn't reconcile.";

const STRING = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;
const WINDOW_OPTIONS = { game: STRING, month: STRING, from: STRING, to: STRING };
const OPTIONS = {
  pull: { ...WINDOW_OPTIONS, fresh: FLAG, json: FLAG },
  export: { ...WINDOW_OPTIONS, sheet: STRING, format: STRING, snapshot: STRING, out: STRING, 'incomplete-ok': FLAG, json: FLAG },
  payout: { game: STRING, month: STRING, preview: FLAG, json: FLAG },
  statement: { game: STRING, month: STRING, recipient: STRING, format: STRING, out: STRING, json: FLAG },
  'close-check': { game: STRING, month: STRING, json: FLAG },
  journal: { game: STRING, month: STRING, layout: STRING, journal: STRING, out: STRING, json: FLAG },
  verify: { game: STRING, head: STRING, coverage: FLAG, json: FLAG },
  'chain-head': { game: STRING, out: STRING, json: FLAG },
  balances: { game: STRING, in: STRING, all: FLAG, format: STRING, out: STRING, json: FLAG },
  erase: { game: STRING, recipient: STRING, reason: STRING, json: FLAG },
  routes: { json: FLAG },
  deliveries: { game: STRING, since: STRING, json: FLAG },
  player: { game: STRING, json: FLAG },
  order: { game: STRING, id: STRING, json: FLAG },
  transfer: { game: STRING, id: STRING, json: FLAG },
  migrate: { json: FLAG },
  doctor: { json: FLAG },
  'confirm-person': { json: FLAG },
  'restore-check': { restored: FLAG, json: FLAG },
};

/** Parses a command line and starts nothing. A line that can't be parsed is answered with the reason and the usage, of its command where it names one. */
export function parseCommand(argv: string[]): ParsedCommand {
  const name = argv[0] ?? '';
  const isCommand = Object.hasOwn(OPTIONS, name);
  const parsed = isCommand
    ? parseLine(name as CommandName, argv.slice(1))
    : wrong(name === '' ? 'Give a command.' : `There is no command "${name}".`);
  return parsed.ok ? parsed : { ...parsed, usage: isCommand ? usageOf(name as CommandName) : usageOfAll() };
}

function usageOf(name: CommandName): string {
  return `Usage: ${CALL} ${name} ${USAGE[name]} [--json]`.replace('  ', ' ');
}

function usageOfAll(): string {
  const commands = Object.entries(USAGE).map(([name, usage]) => `  ${name.padEnd(13)} ${usage}`.trimEnd());
  return [`Usage: ${CALL} COMMAND [--json]`, ...commands, EXITS].join('\n');
}

function parseLine(name: CommandName, args: string[]): Parsed {
  try {
    const { values } = parseArgs({
      args,
      options: OPTIONS[name],
      strict: true,
      allowPositionals: false,
    });
    const empty = Object.entries(values).find(([, value]) => value === '')?.[0];
    return empty === undefined ? readCommand(name, values as Values) : wrong(`--${empty} is empty.`);
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error));
  }
}

interface Values {
  game?: string;
  month?: string;
  from?: string;
  to?: string;
  sheet?: string;
  format?: string;
  snapshot?: string;
  out?: string;
  head?: string;
  coverage?: boolean;
  recipient?: string;
  reason?: string;
  fresh?: boolean;
  json?: boolean;
  'incomplete-ok'?: boolean;
  restored?: boolean;
  preview?: boolean;
  layout?: string;
  journal?: string;
  since?: string;
  id?: string;
  in?: string;
  all?: boolean;
}

function readCommand(name: CommandName, values: Values): Parsed {
  const isJson = values.json === true;
  if (name === 'routes') return { ok: true, command: { name, isJson }, needs: 'nothing' };
  if (name === 'migrate' || name === 'confirm-person') return { ok: true, command: { name, isJson }, needs: 'database' };
  if (name === 'doctor') return { ok: true, command: { name, isJson }, needs: 'database+invo' };
  if (name === 'restore-check') return { ok: true, command: { name, wasRestored: values.restored === true, isJson }, needs: 'database' };
  if (name === 'verify' && values.coverage === true) return { ok: true, command: { name: 'verify-coverage', isJson }, needs: 'nothing' };
  if (name === 'verify')
    return { ok: true, command: { name, game: values.game ?? null, head: values.head ?? null, isJson }, needs: 'database' };
  if (name === 'chain-head')
    return { ok: true, command: { name, game: values.game ?? null, out: values.out ?? null, isJson }, needs: 'database' };
  if (!values.game) return wrong('Give a game with --game.');
  if (name === 'erase') return readErase(values.game, values);
  if (name === 'balances') return readBalances(values.game, values);
  if (name === 'journal') return readJournal(values.game, values);
  if (name === 'deliveries') return readDeliveries(values.game, values);
  if (name === 'player') return { ok: true, command: { name, game: values.game, isJson }, needs: 'database+invo' };
  if (name === 'order' || name === 'transfer') {
    const id = parseRecordId(values.id ?? '');
    if (id === null)
      return wrong(
        values.id === undefined
          ? `Give the ID of the ${name} with --id.`
          : `"${values.id}" can't be the ID of ${name === 'order' ? 'an order' : 'a transfer'}: an ID has up to 100 letters, digits and the characters _ . : -`,
      );
    return { ok: true, command: { name, game: values.game, id, isJson }, needs: 'database+invo' };
  }
  const asked = readWindow(values);
  if (typeof asked === 'string') return wrong(asked);
  if (name === 'statement') return 'month' in asked ? readStatement(values.game, asked.month, values) : wrong('Give a month with --month.');
  if (name === 'payout' || name === 'close-check') {
    if (!('month' in asked)) return wrong('Give a month with --month.');
    const about = { game: values.game, month: asked.month, isJson };
    const command = name === 'payout' ? { name, ...about, isPreview: values.preview === true } : { name, ...about };
    return { ok: true, command, needs: 'database' };
  }
  if (name === 'pull')
    return { ok: true, command: { name, game: values.game, asked, isFresh: values.fresh === true, isJson }, needs: 'database+invo' };
  const sheet = parseSheet(values.sheet ?? '');
  if (sheet === null) return wrong(`Give a sheet: --sheet is one of ${SHEETS.join(', ')}.`);
  const format = parseSheetFormat(values.format ?? 'csv');
  if (format === null) return wrong(`There is no format "${values.format}": --format is ${SHEET_FORMATS.join(' or ')}.`);
  const snapshotId = values.snapshot === undefined ? undefined : Number(values.snapshot);
  if (snapshotId !== undefined && !/^[1-9]\d{0,14}$/.test(values.snapshot ?? ''))
    return wrong(`"${values.snapshot}" isn't the number of a snapshot. The manifest of a file names it as snapshot_id.`);
  if (isJson && values.out === '-') return wrong(BOTH_TO_STDOUT);
  return {
    ok: true,
    command: {
      name,
      game: values.game,
      asked,
      sheet,
      format,
      out: values.out ?? null,
      ...(snapshotId === undefined ? {} : { snapshotId }),
      mayBeIncomplete: values['incomplete-ok'] === true,
      isJson,
    },
    needs: 'database',
  };
}

const BOTH_TO_STDOUT = '--json and --out - both write to stdout. Choose one.';

function readJournal(game: string, { month, layout: named = '', journal, out, json }: Values): Parsed {
  const parsed = parseMonth(month ?? '');
  if (parsed === null) return wrong(month === undefined ? 'Give a month with --month.' : `"${month}" isn't a month. Write it as YYYY-MM.`);
  const layout = parseLayout(named);
  if (layout === null) return wrong(`Give a layout: --layout is one of ${LAYOUTS.join(', ')}.`);
  if (json === true && out === '-') return wrong(BOTH_TO_STDOUT);
  return {
    ok: true,
    command: { name: 'journal', game, month: parsed, layout, journalNo: journal ?? null, out: out ?? null, isJson: json === true },
    needs: 'database',
  };
}

function readDeliveries(game: string, { since, json }: Values): Parsed {
  const from = since === undefined ? null : parseInstant(since);
  if (since !== undefined && from === null) return wrong(`"${since}" isn't an instant. Write it as 2026-11-01T00:00:00Z.`);
  return { ok: true, command: { name: 'deliveries', game, since: from, isJson: json === true }, needs: 'database' };
}

const REASON_LENGTH_MAX = 500;

function readStatement(game: string, month: string, { recipient = '', format: text, out, json }: Values): Parsed {
  if (!/^\d{1,15}$/.test(recipient)) return wrong("Give the recipient's player ID with --recipient.");
  const format = STATEMENT_FORMATS.find((each) => each === text);
  if (format === undefined) return wrong(`Give a format: --format is one of ${STATEMENT_FORMATS.join(', ')}.`);
  if (json && out === '-') return wrong(BOTH_TO_STDOUT);
  return {
    ok: true,
    command: { name: 'statement', game, month, recipient: Number(recipient), format, out: out ?? null, isJson: json === true },
    needs: 'database',
  };
}

function readBalances(game: string, { in: from, all, format: named = 'csv', out, json }: Values): Parsed {
  if (from !== undefined && all === true)
    return wrong("--in and --all can't be combined: --in reads a list of emails, --all every player.");
  if (from === undefined && all !== true) return wrong('Give the emails with --in FILE, or --all for all players.');
  const format = parseSheetFormat(named);
  if (format === null) return wrong(`There is no format "${named}": --format is ${SHEET_FORMATS.join(' or ')}.`);
  if (json === true && out === '-') return wrong(BOTH_TO_STDOUT);
  return {
    ok: true,
    command: { name: 'balances', game, from: from ?? null, format, out: out ?? null, isJson: json === true },
    needs: 'database+invo',
  };
}

function readErase(game: string, { recipient = '', reason = '', json }: Values): Parsed {
  if (!/^\d{1,15}$/.test(recipient)) return wrong("Give the recipient's player ID with --recipient.");
  if (reason.trim() === '' || reason.length > REASON_LENGTH_MAX)
    return wrong(`Give a reason of up to ${REASON_LENGTH_MAX} characters with --reason.`);
  return { ok: true, command: { name: 'erase', game, recipient: Number(recipient), reason, isJson: json === true }, needs: 'database' };
}

function readWindow({ month, from, to }: Values): AskedWindow | string {
  if (month !== undefined && from === undefined && to === undefined) {
    const parsed = parseMonth(month);
    return parsed === null ? `"${month}" isn't a month. Write it as YYYY-MM.` : { month: parsed };
  }
  if (month !== undefined || from === undefined || to === undefined) return 'Give a window: --month, or --from and --to.';
  const [start, end] = [parseInstant(from), parseInstant(to)];
  if (start === null || end === null) return `"${start === null ? from : to}" isn't an ISO 8601 instant, such as 2026-10-01T00:00:00Z.`;
  const window = { start: fromMicroseconds(toMicroseconds(start)), end: fromMicroseconds(toMicroseconds(end)) };
  if (compareInstants(window.start, window.end) >= 0)
    return 'The window ends before it starts: --to must be after --from, and is not included.';
  return { window };
}

function wrong(sentence: string): Parsed {
  return { ok: false, reason: sentence };
}
