/** Addresses one file may hold: what Invo takes in a batch (document 2, limits). */
export const ADDRESSES_MAX = 100_000;
/** The largest file. */
export const FILE_BYTES_MAX = 8 * 1024 * 1024;
/** Lines that a refusal names; a file with more of them is of another kind, and the rest is counted. */
export const LINES_NAMED_MAX = 20;

/** One address to ask for, once, with every line that has it, each in its own spelling. */
export interface ListedAddress {
  /** Trimmed, as it is first spelled. */
  email: string;
  /** Line numbers in the file, from 1. */
  lines: number[];
  /** As spelled on each of the lines. */
  spellings: string[];
}

export interface AddressList {
  addresses: ListedAddress[];
  /** Lines with an address. */
  lineCount: number;
  /** Lines whose address an earlier line has. */
  repeated: NamedLines;
}

/** Lines of a file by their numbers, in order: at most `LINES_NAMED_MAX` of `count`. */
export interface NamedLines {
  lines: number[];
  count: number;
}

/** Why a file is refused. */
export type AddressError =
  | { kind: 'empty' | 'too_large' | 'not_utf8' }
  /** `line`: the first one too many. */
  | { kind: 'too_many'; line: number }
  /** `openQuote`: the line of a quote that isn't closed, after which nothing can be read; null: there is none. */
  | { kind: 'lines'; notEmails: NamedLines; secondEmails: NamedLines; openQuote: number | null };

/** What two spellings of one address have in common. */
export function addressKey(email: string): string {
  return email.trim().toLowerCase();
}
