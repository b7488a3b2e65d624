import type { Screen } from '../pages/screen-check.ts';
import type { Counted } from '../pages/statement-counts.ts';

// Where payouts are in the world of two-people.spec.ts: run 2 of September is approved, and its files are made; run 3 of October is a draft.

/** Each screen about payouts with its title. */
export const SCREENS: Record<string, Screen> = {
  'the close of a month with a draft': { address: '/demo/months/2026-10/close', title: 'October 2026' },
  'the close of a month with an approved run': { address: '/demo/months/2026-09/close', title: 'September 2026' },
  'the list of runs': { address: '/demo/payouts', title: 'Payouts' },
  'the lines of an approved run': { address: '/demo/payouts/2', title: 'Run 2 · September 2026' },
  'the lines of a draft': { address: '/demo/payouts/3', title: 'Run 3 · October 2026' },
  'the holds of a draft': { address: '/demo/payouts/3/holds', title: 'Run 3 · October 2026' },
  'the journal of a run': { address: '/demo/payouts/2/journal', title: 'Run 2 · September 2026' },
  'the journal of a draft': { address: '/demo/payouts/3/journal', title: 'Run 3 · October 2026' },
  'the statements of a run': { address: '/demo/payouts/2/statements', title: 'Run 2 · September 2026' },
  'the statements of a draft': { address: '/demo/payouts/3/statements', title: 'Run 3 · October 2026' },
  'one statement': { address: '/demo/payouts/2/statements/9019', title: 'Statement, September 2026' },
  'the list of payment details': { address: '/demo/payouts/payees', title: 'Payouts' },
  'the payment details of a recipient': { address: '/demo/payouts/payees/9019', title: 'Payment details of Sable Quill' },
  'the payments of a run': { address: '/demo/payouts/2/payments', title: 'Run 2 · September 2026' },
  'the payments of a draft': { address: '/demo/payouts/3/payments', title: 'Run 3 · October 2026' },
  'the bank reports': { address: '/demo/payouts/reports', title: 'Payouts' },
  'one bank report': { address: '/demo/payouts/reports/1', title: 'Report 1' },
  'the sender accounts': { address: '/demo/payouts/senders', title: 'Payouts' },
  'a recipient with payouts': { address: '/demo/recipients/9019', title: 'Sable Quill' },
  notices: { address: '/notices', title: 'Notices' },
};

/** As in `observability/statements.page.test.ts`. The close of a draft is judged again each time it is opened, one fact after another. */
export const STATEMENTS_MAX: Record<string, Counted> = {
  '/[game]/payouts': { path: '/demo/payouts', max: 4 },
  '/[game]/payouts/adjustments': { path: '/demo/payouts/adjustments', max: 4 },
  '/[game]/payouts/payees': { path: '/demo/payouts/payees', max: 6 },
  '/[game]/payouts/payees/[playerId]': { path: '/demo/payouts/payees/9019', max: 7 },
  '/[game]/payouts/[runNo]': { path: '/demo/payouts/2', max: 8 },
  '/[game]/payouts/[runNo]/holds': { path: '/demo/payouts/2/holds', max: 5 },
  '/[game]/payouts/[runNo]/journal': { path: '/demo/payouts/2/journal', max: 4 },
  '/[game]/payouts/[runNo]/statements': { path: '/demo/payouts/2/statements', max: 5 },
  '/[game]/payouts/[runNo]/statements/[playerId]': { path: '/demo/payouts/2/statements/9019', max: 3 },
  '/[game]/payouts/[runNo]/payments': { path: '/demo/payouts/2/payments', max: 12 },
  '/[game]/payouts/reports': { path: '/demo/payouts/reports', max: 6 },
  '/[game]/payouts/reports/[reportNo]': { path: '/demo/payouts/reports/1', max: 4 },
  '/[game]/payouts/senders': { path: '/demo/payouts/senders', max: 6 },
  '/[game]/lists/[list]/rows': { path: '/demo/lists/run-lines/rows?run=2&sort=due_usd&dir=desc&chip=all&limit=200', max: 3 },
  '/[game]/recipients/[playerId]': { path: '/demo/recipients/9019', max: 4 },
  '/[game]/months/[month]/close': { path: '/demo/months/2026-10/close', max: 33 },
};

/** Files of each route that answers with one: every list and every format. */
export const FILES: Record<string, string[]> = {
  'audit/export': ['/audit/export'],
  '[game]/lists/[list]/file': [
    ...['refunds', 'deliveries', 'payees'].map((list) => `/demo/lists/${list}/file`),
    '/demo/lists/payments/file?run=2',
  ],
  '[game]/months/[month]/export/[sheet]': ['recipients', 'renewals', 'reversals'].flatMap((sheet) =>
    [sheet, `${sheet}?find=juno`, `${sheet}.xlsx`, `${sheet}.gz`].map((file) => `/demo/months/2026-09/export/${file}`),
  ),
  '[game]/payouts/[runNo]/journal/[layout]': ['/demo/payouts/2/journal/generic'],
  '[game]/payouts/[runNo]/payments/files/[file]': ['/demo/payouts/2/payments/files/3'],
  '[game]/payouts/reports/[reportNo]/file': ['/demo/payouts/reports/1/file'],
  '[game]/payouts/[runNo]/export/[format]': ['/demo/payouts/2/export/csv', '/demo/payouts/2/export/xlsx'],
  '[game]/payouts/[runNo]/statements/[playerId]/[format]': ['pdf', 'csv'].map((format) => `/demo/payouts/2/statements/9019/${format}`),
  '[game]/payouts/[runNo]/statements/zip': ['/demo/payouts/2/statements/zip'],
  '[game]/payouts/[runNo]/pack': ['/demo/payouts/2/pack'],
};

/** What the form of the adjustment for a changed period of September is filled with. */
export const DRIFT_FORM = {
  Kind: 'drift',
  Recipient: '9004',
  'Amount (USD)': '-2.70',
  'Run it corrects': '2',
  'Period it corrects': '2026090014',
};
