import { migrateDatabase } from '#db/kit/migrate.ts';
import { LAYOUTS } from '#lib/accounting/rules/layouts.ts';
import type { GameConfig } from '../config.ts';
import { parseInstant } from '../core/instant.ts';
import { monthWindow } from '../core/month.ts';
import { parseRecordId } from '../core/typed-input.ts';
import type { Window } from '../core/window.ts';
import { SHEET_FORMATS, SHEETS } from '../evidence/rules/sheets.ts';
import { ALL_VERIFIED_TABLES, formatVerifyCoverage, UNCOVERED } from '../evidence/verify/coverage.ts';
import { COVERED_ROUTES, formatCoverage, formatRoute, USE_LABELS } from '../invo/rules/covered-routes.ts';
import { DATE_ORDERS } from '../payments/rules/report-row.ts';
import { STATEMENT_FORMATS } from '../payouts/rules/statement.ts';
import { balancesCommand } from './balances-command.ts';
import { bankReportCommand } from './bank-report-command.ts';
import { EXIT } from './command-context.ts';
import {
  type CommandDefinition,
  defineCommand,
  defineGameCommand,
  files,
  flag,
  month,
  NO_WINDOW,
  OUT,
  oneOf,
  optional,
  type RequestedWindow,
  readWindow,
  required,
  UsageError,
  WINDOW,
} from './define-command.ts';
import { checkDistributeCommand, distributeCommand } from './distribute-command.ts';
import { doctorCommand } from './doctor-command.ts';
import { exportCommand } from './export-command.ts';
import { packCommand, verifyPackCommand } from './pack-command.ts';
import { payeesCommand } from './payees-command.ts';
import { paymentFilesCommand } from './payment-files-command.ts';
import { closeCheckCommand, journalCommand, payoutCommand, statementCommand } from './payout-command.ts';
import { confirmPersonCommand, eraseCommand } from './person-commands.ts';
import { playerCommand } from './player-command.ts';
import { pullCommand } from './pull-command.ts';
import { deliveriesCommand, orderCommand, transferCommand } from './record-commands.ts';
import { resealCommand } from './reseal-command.ts';
import { chainHeadCommand, restoreCheckCommand, verifyCommand } from './verify-command.ts';

const REASON_LENGTH_MAX = 500;
const REASON_MISSING = `Give a reason of up to ${REASON_LENGTH_MAX} characters with --reason.`;
const NO_MONTH = 'Give a month with --month.';

const RECIPIENT = required('--recipient ID', (text) => (/^\d{1,15}$/.test(text) ? Number(text) : null), {
  missing: "Give the recipient's player ID with --recipient.",
});

const SHEET_FORMAT = oneOf(`[--format ${SHEET_FORMATS.join('|')}]`, SHEET_FORMATS, {
  otherwise: 'csv',
  wrong: (text) => `There is no format "${String(text)}": --format is ${SHEET_FORMATS.join(' or ')}.`,
});

/** The commands, in the order of the help. */
export const COMMANDS: readonly CommandDefinition[] = [
  defineGameCommand({
    name: 'pull',
    needs: 'database+invo',
    options: { ...WINDOW, fresh: flag('[--fresh]') },
    read: ({ fresh, ...window }) => ({ requested: readWindow(window), isFresh: fresh }),
    run: (context, game, { requested, isFresh, isJson }, config) =>
      pullCommand(context, game, config, { window: windowOf(requested, config), isFresh, isJson }),
  }),
  defineGameCommand({
    name: 'export',
    needs: 'database',
    options: {
      ...WINDOW,
      sheet: oneOf(`--sheet ${SHEETS.join('|')}`, SHEETS, { wrong: () => `Give a sheet: --sheet is one of ${SHEETS.join(', ')}.` }),
      format: SHEET_FORMAT,
      snapshot: optional('[--snapshot ID]'),
      out: OUT,
      'incomplete-ok': flag('[--incomplete-ok]'),
    },
    read: ({ month: named, from, to, snapshot, 'incomplete-ok': mayBeIncomplete, ...file }) => ({
      requested: readWindow({ month: named, from, to }),
      ...file,
      ...(snapshot === null ? {} : { snapshotId: readSnapshotId(snapshot) }),
      mayBeIncomplete,
    }),
    run: (context, game, { requested, ...given }, config) =>
      exportCommand(context, game, { ...given, window: windowOf(requested, config) }),
  }),
  defineGameCommand({
    name: 'payout',
    needs: 'database',
    options: { month: month(NO_WINDOW), preview: flag('[--preview]') },
    read: ({ preview, ...given }) => ({ ...given, isPreview: preview }),
    run: payoutCommand,
  }),
  defineGameCommand({
    name: 'statement',
    needs: 'database',
    options: {
      month: month(NO_WINDOW),
      recipient: RECIPIENT,
      format: oneOf(`--format ${STATEMENT_FORMATS.join('|')}`, STATEMENT_FORMATS, {
        wrong: () => `Give a format: --format is one of ${STATEMENT_FORMATS.join(', ')}.`,
      }),
      out: OUT,
    },
    run: statementCommand,
  }),
  defineGameCommand({ name: 'close-check', needs: 'database', options: { month: month(NO_WINDOW) }, run: closeCheckCommand }),
  defineGameCommand({
    name: 'journal',
    needs: 'database',
    options: {
      month: month(NO_MONTH),
      layout: oneOf(`--layout ${LAYOUTS.join('|')}`, LAYOUTS, { wrong: () => `Give a layout: --layout is one of ${LAYOUTS.join(', ')}.` }),
      journal: optional('[--journal NO]'),
      out: OUT,
    },
    read: ({ journal, ...given }) => ({ ...given, journalNo: journal }),
    run: journalCommand,
  }),
  defineGameCommand({
    name: 'pack',
    needs: 'database',
    options: { month: month(NO_MONTH), 'with-accounts': flag('[--with-accounts]'), out: OUT },
    read: ({ 'with-accounts': withAccounts, ...given }) => ({ ...given, withAccounts }),
    run: packCommand,
  }),
  defineCommand({
    name: 'verify',
    needs: 'database',
    options: { game: optional('[--game G]'), head: optional('[--head FILE]') },
    run: verifyCommand,
  }),
  defineCommand({
    name: 'verify --pack',
    needs: 'nothing',
    options: { files: files('FILE …', 'Give the files of evidence packs.') },
    run: verifyPackCommand,
  }),
  defineCommand({
    name: 'verify --coverage',
    needs: 'nothing',
    options: {},
    run: async ({ print }, { isJson }) => {
      const covered = { tables: ALL_VERIFIED_TABLES, not_covered: UNCOVERED };
      print(isJson ? JSON.stringify(covered) : formatVerifyCoverage());
      return EXIT.done;
    },
  }),
  defineCommand({
    name: 'chain-head',
    needs: 'database',
    options: { game: optional('[--game G]'), out: optional('[--out FILE]') },
    run: chainHeadCommand,
  }),
  defineGameCommand({
    name: 'balances',
    needs: 'database+invo',
    options: { in: optional('(--in FILE | --in - | --all)'), all: flag(''), format: SHEET_FORMAT, out: OUT },
    read: ({ in: source, all, ...given }) => ({ ...given, from: readAddressSource(source, all) }),
    run: balancesCommand,
  }),
  defineGameCommand({
    name: 'payees',
    needs: 'database',
    options: { in: required('--in FILE', (text) => text || null, { missing: 'Give a CSV file with --in.' }), preview: flag('--preview') },
    read: ({ in: from, preview }) => {
      if (!preview) throw new UsageError('payees needs --preview: payment details are imported on their page, by two people.');
      return { from };
    },
    run: payeesCommand,
  }),
  defineGameCommand({
    name: 'bank-report',
    needs: 'database',
    options: {
      in: required('--in FILE', (text) => text || null, { missing: 'Give the report with --in.' }),
      dates: optional(`[--dates ${DATE_ORDERS.map((order) => order.replace('_', '-')).join('|')}]`),
      preview: flag('--preview'),
    },
    read: ({ in: from, dates, preview }) => {
      if (!preview) throw new UsageError('bank-report needs --preview: reports are recorded on the page of bank reports.');
      const dateOrder = DATE_ORDERS.find((order) => order.replace('_', '-') === dates) ?? null;
      if (dates !== null && dateOrder === null) throw new UsageError(`--dates is day-first or month-first, not "${dates}".`);
      return { from, dateOrder };
    },
    run: bankReportCommand,
  }),
  defineGameCommand({
    name: 'payment-files',
    needs: 'database',
    options: { month: month('Give a month with --month, such as 2026-10.'), out: optional('[--out FOLDER]') },
    run: paymentFilesCommand,
  }),
  defineCommand({ name: 'reseal', needs: 'database', options: { game: optional('[--game G]') }, run: resealCommand }),
  defineGameCommand({
    name: 'erase',
    needs: 'database',
    options: {
      recipient: RECIPIENT,
      reason: required('--reason TEXT', (text) => (text.trim() === '' || text.length > REASON_LENGTH_MAX ? null : text), {
        missing: REASON_MISSING,
      }),
    },
    run: eraseCommand,
  }),
  defineCommand({
    name: 'routes',
    needs: 'nothing',
    options: {},
    run: async ({ print }, { isJson }) => {
      const lines = COVERED_ROUTES.map((route) => `${USE_LABELS[route.use].padEnd(9)} ${formatRoute(route).padEnd(78)} ${route.note}`);
      print(isJson ? JSON.stringify({ routes: COVERED_ROUTES }) : [...lines, formatCoverage(COVERED_ROUTES)].join('\n'));
      return EXIT.done;
    },
  }),
  defineGameCommand({
    name: 'deliveries',
    needs: 'database',
    options: { since: optional('[--since ISO]') },
    read: ({ since }) => ({ since: since === null ? null : readInstant(since) }),
    run: deliveriesCommand,
  }),
  defineGameCommand({
    name: 'player',
    needs: 'database+invo',
    options: {},
    stdin: 'the email on stdin',
    run: playerCommand,
  }),
  defineGameCommand({
    name: 'order',
    needs: 'database+invo',
    options: { id: recordId('order', 'an order') },
    run: orderCommand,
  }),
  defineGameCommand({
    name: 'transfer',
    needs: 'database+invo',
    options: { id: recordId('transfer', 'a transfer') },
    run: transferCommand,
  }),
  defineCommand({
    name: 'migrate',
    needs: 'database',
    options: {},
    run: async ({ config, print }, { isJson }) => {
      await migrateDatabase(config.databaseMigrateUrl);
      print(isJson ? '{"migrated":true}' : 'The database schema is up to date.');
      return EXIT.done;
    },
  }),
  defineCommand({ name: 'distribute', needs: 'database', options: {}, run: distributeCommand }),
  defineCommand({ name: 'distribute --check', needs: 'nothing', options: {}, run: checkDistributeCommand }),
  defineCommand({ name: 'doctor', needs: 'database+invo', options: {}, run: doctorCommand }),
  defineCommand({ name: 'confirm-person', needs: 'database', options: {}, stdin: 'the email on stdin', run: confirmPersonCommand }),
  defineCommand({
    name: 'restore-check',
    needs: 'database',
    options: { restored: flag('[--restored]') },
    read: ({ restored }) => ({ wasRestored: restored }),
    run: restoreCheckCommand,
  }),
];

function recordId(noun: string, withArticle: string): ReturnType<typeof required<string>> {
  return required('--id ID', parseRecordId, {
    missing: `Give the ID of the ${noun} with --id.`,
    wrong: (text) => `"${text}" can't be the ID of ${withArticle}: an ID has up to 100 letters, digits and the characters _ . : -`,
  });
}

function readSnapshotId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new UsageError(`"${text}" isn't the number of a snapshot. The manifest of a file names it as snapshot_id.`);
  return Number(text);
}

function readInstant(text: string): string {
  const instant = parseInstant(text);
  if (instant === null) throw new UsageError(`"${text}" isn't an instant. Write it as 2026-11-01T00:00:00Z.`);
  return instant;
}

/** The file of emails; null: all players. */
function readAddressSource(source: string | null, all: boolean): string | null {
  if (source !== null && all) throw new UsageError("--in and --all can't be combined: --in reads a list of emails, --all every player.");
  if (source === null && !all) throw new UsageError('Give the emails with --in FILE, or --all for all players.');
  return source;
}

function windowOf(requested: RequestedWindow, game: GameConfig): Window {
  return 'month' in requested ? monthWindow(requested.month, game.timeZone) : requested.window;
}
