import { ADDRESSES_MAX, type AddressError, type AddressList, FILE_BYTES_MAX, type NamedLines } from './rules/address-list.ts';

const COUNT = new Intl.NumberFormat('en-US');

/** Why a list of emails is refused, and on which lines. */
export function formatAddressError(error: AddressError): string {
  switch (error.kind) {
    case 'empty':
      return 'The list has no emails. No request was sent to Invo.';
    case 'too_large':
      return `The file is larger than ${FILE_BYTES_MAX / 1024 / 1024} MiB. Split it. No request was sent to Invo.`;
    case 'not_utf8':
      return 'The file isn’t UTF-8. Save it as “CSV UTF-8” and try again. No request was sent to Invo.';
    case 'too_many':
      return `The list has more than ${COUNT.format(ADDRESSES_MAX)} emails: line ${COUNT.format(error.line)} is the first one too many. Split it. No request was sent to Invo.`;
    case 'lines': {
      const { notEmails, secondEmails, openQuote } = error;
      const isOne = notEmails.count + secondEmails.count + (openQuote === null ? 0 : 1) === 1;
      return [
        ...namedLines(
          notEmails,
          (line) => `Line ${line} isn’t an email.`,
          (lines) => `These lines aren’t emails: ${lines}.`,
        ),
        ...namedLines(
          secondEmails,
          (line) => `Line ${line} has a second email in a column without a heading.`,
          (lines) => `These lines have a second email in a column without a heading: ${lines}.`,
        ),
        ...(secondEmails.count === 0 ? [] : ['Put one email on each line, or name the columns in the first line: player_email is read.']),
        ...(openQuote === null ? [] : [`A quote on line ${COUNT.format(openQuote)} isn’t closed, so nothing after it was checked.`]),
        `Correct ${isOne ? 'it' : 'them'} and try again. No request was sent to Invo.`,
      ].join(' ');
    }
  }
}

/** The contents of a list, with the lines that repeat an earlier email. */
export function formatAddressList({ lineCount, addresses, repeated }: AddressList): string {
  const count = (number: number, noun: string): string => `${COUNT.format(number)} ${noun}${number === 1 ? '' : 's'}`;
  return [
    `${count(lineCount, 'line')} with ${count(addresses.length, 'email')}.`,
    ...namedLines(
      repeated,
      (line) => `Line ${line} repeats an earlier email, which is read once and listed on each of its lines.`,
      (lines) => `These lines repeat earlier emails, which are read once and listed on each of their lines: ${lines}.`,
    ),
  ].join(' ');
}

function namedLines({ lines, count }: NamedLines, one: (line: string) => string, many: (lines: string) => string): string[] {
  // Without separators in them, so that the commas between them can't be misread.
  const named = lines.join(', ');
  const more = count - lines.length;
  if (count === 0) return [];
  return [count === 1 ? one(named) : many(more === 0 ? named : `${named} and ${COUNT.format(more)} more`)];
}

/** Why reading all balances ended early, in a sentence; `sentence` is the general one of the error. */
export function formatStreamCut(error: { code: string; message: string; facts: Record<string, unknown> }, sentence: string): string {
  if (error.facts['torn'] === true) return 'The connection closed before Invo had sent everything.';
  if (error.facts['deadline'] === 'the next byte') return 'Invo stopped sending before the end.';
  if (error.code === 'malformed' && error.message.includes('other records')) return 'Invo counted other records than it sent.';
  if (error.code === 'malformed') return 'The stream ends within a record, or holds something other than records.';
  return sentence;
}

/** Rows of people who were erased since their balances were read. */
export function formatErasedRows(count: number): string {
  return `${COUNT.format(count)} ${count === 1 ? 'row has' : 'rows have'} no email, name or identity, because the person was erased.`;
}

/** A job that was stopped. */
export const STOPPED = 'Stopped before it finished.';

/** A stream whose process ended. */
export const STREAM_LOST = 'The process that read the stream ended. A stream can’t be continued. Read all balances again.';

/** A job that started too often. */
export const GAVE_UP = 'Reading was started 20 times and never finished. Check the worker’s log, fix the cause, then start again.';

/** The label of each state; a job that ended whole is complete. */
export function labelJob({ state, isComplete, isStopping }: { state: string; isComplete: boolean | null; isStopping: boolean }): string {
  if (state === 'queued') return isStopping ? 'Stopping' : 'Queued';
  if (state === 'running') return isStopping ? 'Stopping' : 'Reading';
  if (isComplete === true) return 'Complete';
  return state === 'stopped' ? 'Stopped, incomplete' : 'Incomplete';
}

/** Another job of the same kind hasn't ended. */
export const ALREADY_RUNNING = 'Balances are already being read. Wait until that ends, or stop it. Nothing was started.';

/** Why there is no file. */
export const NO_FILE = {
  no_job: 'This balance file doesn’t exist.',
  running: 'These balances are still being read.',
  deleted: 'The files were deleted after 30 days. Read the balances again.',
  too_many_rows: 'A spreadsheet holds at most 100,000 rows. Download the CSV, which has them all.',
} as const;
