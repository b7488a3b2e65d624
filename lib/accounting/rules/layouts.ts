import { type CellKind, type SheetColumn, writeHeader, writeRow } from '#lib/core/csv.ts';
import type { Window } from '#lib/core/window.ts';
import { type AccountMap, type AccountMapping, type MappingField, NO_NAMES } from './account-map.ts';
import { ACCOUNT_LABELS, type Account, type JournalLine } from './journal.ts';

/** The programs a journal is written for; `generic`: any other. */
export const LAYOUTS = ['xero', 'quickbooks', 'generic'] as const;
export type Layout = (typeof LAYOUTS)[number];

/** Parses the name of a layout; null when there is none of that name. */
export function parseLayout(text: string): Layout | null {
  return LAYOUTS.find((layout) => layout === text) ?? null;
}

/** What each layout needs of every account that a journal posts to. */
export const NEEDED_FIELDS: Readonly<Record<Layout, readonly MappingField[]>> = {
  xero: ['xero_code', 'xero_tax_rate'],
  quickbooks: ['quickbooks_name'],
  generic: ['code', 'name'],
};

/** The accounts of a map that a layout needs of these journals, without what no line of it shows. */
export function pickAccounts(
  layouts: readonly Layout[],
  journals: readonly Pick<PostedJournal, 'lines'>[],
  { mapNo, accounts }: AccountMap,
): AccountMap {
  const used = new Set(journals.flatMap(({ lines }) => lines.map(({ account }) => account)));
  const fields = new Set(layouts.flatMap((layout) => NEEDED_FIELDS[layout]));
  const pick = (names: AccountMapping): AccountMapping => ({
    ...NO_NAMES,
    ...Object.fromEntries([...fields].map((field) => [field, names[field]])),
  });
  return { mapNo, accounts: Object.fromEntries([...used].map((account) => [account, pick(accounts[account] ?? NO_NAMES)])) };
}

/** A journal as a file has it. */
export interface PostedJournal {
  journalNo: string;
  /** A date, YYYY-MM-DD. */
  postedOn: string;
  runId: number;
  runNo: number;
  /** Hex content digest of the run. */
  runDigest: string;
  snapshotId: number;
  window: Window;
  lines: JournalLine[];
}

export type JournalText =
  | { ok: true; text: string }
  /** Accounts whose names this layout needs are missing. */
  | { ok: false; reason: 'unmapped'; accounts: Account[] }
  | { ok: false; reason: 'too_long' };

/** The most lines Xero takes in one file; none of the layouts has more. */
const LINES_MAX = 300;

/** Writes journals in one layout, as bytes that depend on nothing but these, the game and the map. Cells can't start a formula: see `readTypedAccounts`. */
export function writeJournals(
  layout: Layout,
  game: { slug: string; environment: string },
  journals: readonly PostedJournal[],
  { accounts }: AccountMap,
): JournalText {
  const unmapped = listUnmapped(layout, journals, accounts);
  if (unmapped.length > 0) return { ok: false, reason: 'unmapped', accounts: unmapped };
  const { columns, write } = WRITERS[layout];
  const rows = journals.flatMap((journal) =>
    journal.lines.map((line, index) => {
      const description = describeLine(game, journal, line);
      return write({ ...line, journal, description, game, lineNo: index + 1, names: accounts[line.account] ?? NO_NAMES });
    }),
  );
  if (rows.length > LINES_MAX) return { ok: false, reason: 'too_long' };
  return { ok: true, text: writeHeader(columns) + rows.map((row) => writeRow(columns, row)).join('') };
}

/** Lists the accounts these journals post to that lack a name the layout needs. */
export function listUnmapped(
  layout: Layout,
  journals: readonly Pick<PostedJournal, 'lines'>[],
  accounts: AccountMap['accounts'],
): Account[] {
  const used = new Set(journals.flatMap(({ lines }) => lines.map(({ account }) => account)));
  return [...used].filter((account) => NEEDED_FIELDS[layout].some((field) => (accounts[account]?.[field] ?? '') === ''));
}

function describeLine({ environment }: { environment: string }, { journalNo, runNo }: PostedJournal, { account }: JournalLine): string {
  const month = `${journalNo.slice(0, 4)}-${journalNo.slice(4, 6)}`;
  return `${ACCOUNT_LABELS[account]}, ${month}, run ${runNo}${environment === 'sandbox' ? ', sandbox' : ''}`;
}

interface WrittenLine extends JournalLine {
  journal: PostedJournal;
  game: { slug: string; environment: string };
  lineNo: number;
  names: AccountMapping;
  description: string;
}

interface Writer {
  columns: SheetColumn[];
  write: (line: WrittenLine) => Record<string, unknown>;
}

function columnsOf(keys: string, moneyKeys: readonly string[]): SheetColumn[] {
  const kindOf = (key: string): CellKind => (moneyKeys.includes(key) ? 'money' : 'text');
  return keys.split(',').map((key) => ({ key, label: key, kind: kindOf(key) }));
}

const WRITERS: Readonly<Record<Layout, Writer>> = {
  // Xero, manual journals: debits above zero, credits below.
  xero: {
    columns: columnsOf(
      '*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount,TrackingName1,TrackingOption1,TrackingName2,TrackingOption2',
      ['*Amount'],
    ),
    write: ({ journal, game, names, description, debit_usd, credit_usd }) => ({
      '*Narration': `Sharebook ${journal.journalNo} ${game.slug} ${game.environment}`,
      '*Date': journal.postedOn.replace(/^(\d+)-(\d+)-(\d+)$/, '$3/$2/$1'),
      Description: description,
      '*AccountCode': names.xero_code,
      '*TaxRate': names.xero_tax_rate,
      '*Amount': debit_usd ?? `-${credit_usd}`,
    }),
  },
  quickbooks: {
    columns: columnsOf('*JournalNo,*JournalDate,*AccountName,*Debits,*Credits,Description,Name,Currency,Location,Class', [
      '*Debits',
      '*Credits',
    ]),
    write: ({ journal, names, description, debit_usd, credit_usd }) => ({
      '*JournalNo': journal.journalNo,
      '*JournalDate': journal.postedOn.replace(/^(\d+)-(\d+)-(\d+)$/, '$2/$3/$1'),
      '*AccountName': names.quickbooks_name,
      '*Debits': debit_usd,
      '*Credits': credit_usd,
      Description: description,
      Currency: 'USD',
    }),
  },
  generic: {
    columns: columnsOf(
      'journal_no,posted_on,line_no,account_key,account_code,account_name,debit_usd,credit_usd,description,run_id,window_start,window_end,snapshot_id,run_digest',
      ['debit_usd', 'credit_usd'],
    ),
    write: ({ journal, lineNo, account, names, debit_usd, credit_usd, description }) => ({
      journal_no: journal.journalNo,
      posted_on: journal.postedOn,
      line_no: lineNo,
      account_key: account,
      account_code: names.code,
      account_name: names.name,
      debit_usd,
      credit_usd,
      description,
      run_id: journal.runId,
      window_start: journal.window.start,
      window_end: journal.window.end,
      snapshot_id: journal.snapshotId,
      run_digest: journal.runDigest,
    }),
  },
};
