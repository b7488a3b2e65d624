import type { LeftOut } from './rules/pack-index.ts';

/** The first line of a pack: no real money moved. */
export const BANNERS = {
  simulated: 'SIMULATED DATA. No real money moved.',
  sandbox: 'SANDBOX. No real money moved.',
} as const;

export const VERIFY_COMMAND = 'npm run --silent sharebook -- verify --pack FILE';

/** What a pack doesn't have, and why. */
export const LEFT_OUT = {
  payment_details: {
    what: 'payment_details',
    why: 'Accounts of recipients stay in Sharebook. A line names its payment details by their number.',
  },
  payment_files: {
    what: 'payment_files',
    why: 'Payment files and bank reports name accounts. Their totals and SHA-256 are here; `pack --with-accounts` adds their bytes.',
  },
  salts: {
    what: 'identity_salts',
    why: 'Without them nobody can find a person by trying names. The digests of identities are in the chain.',
  },
  earlier_months: {
    what: 'earlier_months',
    why: 'What earlier runs carried forward and deducted is stated, not proven. Their own packs prove it: verify them in sequence.',
  },
  erased_people: (count: number): LeftOut => ({
    what: 'names_of_erased_people',
    why: `People were erased. Their names are left out of ${count} ${count === 1 ? 'response' : 'responses'}, whose bytes can’t be compared with their SHA-256. Their figures are.`,
  }),
  audit_links: (count: number): LeftOut => ({
    what: 'audit_links',
    why: `${count} ${count === 1 ? 'row' : 'rows'} of the audit weren’t linked to its chain yet.`,
  }),
  file_of_erased: (path: string): LeftOut => ({
    what: path,
    why: 'It pays a person who was erased. Its total and SHA-256 are in payments/batches.json.',
  }),
  report_of_erased: (path: string): LeftOut => ({
    what: path,
    why: 'It names a payment to a person who was erased, or can’t be searched for one. Its SHA-256 is in payments/reports.json.',
  }),
  report_with_unmatched: (path: string): LeftOut => ({
    what: path,
    why: 'It has rows that name no known payment, which may be about a person who was erased. Its SHA-256 is in payments/reports.json.',
  }),
  journal_file: (layout: string): LeftOut => ({
    what: `journal/${layout}.csv`,
    why: 'The journal accounts have no names for this layout.',
  }),
} as const;

/** Why a run has no pack. */
export const PACK_REFUSALS = {
  not_approved: 'Evidence packs are available once the run is approved.',
  voided: 'This run was voided, so it has no evidence pack. What bank reports state about it is in the pack of the run that replaced it.',
} as const;

export const NO_PACK_RIGHT = 'Your role can’t download evidence packs. An admin can change your role in Settings.';
