import { InvoError, malformed } from '../invo-error.ts';
import { isFields, parseWallet, type Wallet } from './wallets.ts';

/** Records one stream may have. */
const RECORDS_MAX = 5_000_000;

/** Reads the records of a streamed answer while it arrives. The players Invo says it sent have to be those that came, and no error may stand among them. */
export async function* splitRecords(contentType: string, pieces: AsyncGenerator<string>): AsyncGenerator<StreamRecord> {
  const splitter = openRecordSplitter(contentType);
  let players = 0;
  let total: number | null = null;
  let hasMore = false;
  const read = (value: unknown): StreamRecord => {
    const record = parseStreamRecord(value);
    if (record.kind !== 'aside') players += 1;
    else if (record.error !== null) throw new InvoError('upstream_fault', 'Invo ended the stream with an error', { status: 200 });
    else [total, hasMore] = [record.count ?? total, hasMore || record.hasMore];
    if (players > RECORDS_MAX) throw new InvoError('too_large', 'more records than accepted', { status: 200 });
    return record;
  };
  for await (const piece of pieces) for (const value of splitter.push(piece)) yield read(value);
  for (const value of splitter.end()) yield read(value);
  if (hasMore || (total !== null && total !== players))
    throw new InvoError('malformed', 'Invo says there are other records than came', { status: 200, facts: { stream: 'count' } });
}

/** One record; more is no wallet. */
const RECORD_CHARS_MAX = 1024 * 1024;
/** What surrounds the records of `{"results": […]}`. */
const AROUND_CHARS_MAX = 64 * 1024;

/** Splits a streamed answer into its records as it arrives. */
export interface RecordSplitter {
  /** The records that the next piece completes, parsed. Throws InvoError malformed for what is no JSON. */
  push(text: string): unknown[];
  /** The last records, once the answer has ended. Throws InvoError malformed when it ends within one. */
  end(): unknown[];
}

/**
 * Opens the splitter for an answer whose format document 2 doesn't show: server-sent events by their type or first line, a JSON list, a list
 * inside an object (`{"results": […]}`), or one JSON object after the other. Blank and comment lines are skipped.
 */
export function openRecordSplitter(contentType: string): RecordSplitter {
  let held = '';
  let chosen: RecordSplitter | null = /event-stream/i.test(contentType) ? splitEvents() : null;
  return {
    push(text) {
      if (chosen !== null) return chosen.push(text);
      held += text;
      if (held.length > AROUND_CHARS_MAX && held.trim() === '') throw malformed('body', 'expected JSON');
      const start = held.replace(/^[\s\ufeff]+/, '');
      // `event:` is the longest beginning to tell apart.
      if (start.length < 6 && !/^[[{]/.test(start)) return [];
      chosen = /^(data|event|id|retry|):/.test(start) ? splitEvents() : splitJson();
      return chosen.push(start);
    },
    end() {
      if (chosen !== null) return chosen.end();
      if (held.trim() === '') throw malformed('body', 'the stream is empty');
      chosen = splitJson();
      return [...chosen.push(held.trim()), ...chosen.end()];
    },
  };
}

/** Server-sent events: the `data:` lines of one event are one record. */
function splitEvents(): RecordSplitter {
  let held = '';
  let data: string[] = [];
  const take = (lines: string[]): unknown[] => {
    const records: unknown[] = [];
    for (const line of lines) {
      const [, value] = /^data: ?(.*)$/s.exec(line) ?? [];
      if (value !== undefined) data.push(value);
      else if (line === '') records.push(...flush());
      else if (!/^(:|event|id|retry)/.test(line)) throw malformed('body', 'expected server-sent events');
    }
    return records;
  };
  const flush = (): unknown[] => {
    const text = data.join('\n').trim();
    data = [];
    return text === '' || text === '[DONE]' ? [] : [parseRecord(text)];
  };
  return {
    push(text) {
      held += text;
      if (!text.includes('\n') && held.length <= RECORD_CHARS_MAX) return [];
      const lines = held.split(/\r\n|\n/);
      held = lines.pop() ?? '';
      if (held.length > RECORD_CHARS_MAX) throw malformed('body', 'a record longer than accepted');
      return take(lines);
    },
    end: () => [...take([...held.split(/\r\n|\n/), '']), ...flush()],
  };
}

/** The lists that records may stand in; `balances` is a wallet's own. */
const LIST_NAME = /"(results|players|data|items|records|wallets)"\s*:\s*$/;

/** JSON values one after the other, in a list, or in a list inside an object. Each piece is inspected once, however small the pieces are. */
function splitJson(): RecordSplitter {
  /** The current record as far as earlier pieces have it. */
  let carried = '';
  let isOpen = false;
  let [depth, isText, isEscaped, isComment] = [0, false, false, false];
  /** The depth at which records stand; null: not known yet. */
  let base: number | null = null;
  /** What precedes and follows the list inside an object; null: there is none. */
  let around: { before: string; after: string } | null = null;
  let isClosed = false;

  function scan(text: string): unknown[] {
    const records: unknown[] = [];
    let from = 0;
    for (let index = 0; index < text.length; index += 1) {
      const char = text.charAt(index);
      if (isComment) isComment = char !== '\n' && char !== '\r';
      else if (isText) {
        if (isEscaped) isEscaped = false;
        else if (char === '\\') isEscaped = true;
        else if (char === '"') isText = false;
      } else if (isClosed) addAfter(char);
      else if (char === '"') {
        isText = true;
        begin(index);
      } else if (char === '{' || char === '[') {
        if (depth === 0 && base === null && char === '[') base = 1;
        else if (depth === 1 && base === null && char === '[' && LIST_NAME.test(carried + text.slice(from, index))) {
          around = { before: carried + text.slice(from, index), after: '' };
          [base, carried, isOpen] = [2, '', false];
        } else begin(index);
        depth += 1;
      } else if (char === '}' || char === ']') {
        if (depth === base) finish(index);
        depth -= 1;
        if (depth < 0) throw malformed('body', 'expected JSON');
        if (base !== null && base > 0 && depth === base - 1) isClosed = true;
        else if (depth === (base ?? 0)) {
          base ??= 0;
          finish(index + 1);
        }
      } else if (isOpen) {
        if (char === ',' && depth === base) finish(index);
      } else if (!isBlank(char) && char !== ',') startOther(char, index);
    }
    if (isOpen) carried += text.slice(from);
    if (carried.length > RECORD_CHARS_MAX) throw malformed('body', 'a record longer than accepted');
    return records;

    function begin(index: number): void {
      if (isOpen) return;
      [isOpen, from] = [true, index];
    }
    function finish(end: number): void {
      if (!isOpen) return;
      records.push(parseRecord(carried + text.slice(from, end)));
      [isOpen, carried] = [false, ''];
    }
    /** Between values a comment line; inside a list a value that is neither object nor text. */
    function startOther(char: string, index: number): void {
      if (depth === 0 && (char === '#' || char === ':' || char === '/')) isComment = true;
      else if (depth === 0 || base === null) throw malformed('body', 'expected JSON');
      else begin(index);
    }
  }
  function addAfter(char: string): void {
    if (around !== null && around.after.length < AROUND_CHARS_MAX) around.after += char;
    else if (!isBlank(char)) throw malformed('body', 'more after the end of the list');
  }
  return {
    push: scan,
    end() {
      const isWhole = base === null || base === 0 ? depth === 0 && !isOpen : isClosed;
      if (!isWhole) throw malformed('body', 'the stream ends within a record or its list');
      return around === null ? [] : [parseRecord(`${around.before}null${around.after}`)];
    },
  };
}

function isBlank(char: string | undefined): boolean {
  return char === ' ' || char === '\n' || char === '\r' || char === '\t' || char === '\ufeff';
}

/** The text of a refused record stays out of the error: it names people. */
function parseRecord(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw malformed('body', 'a record is no JSON');
  }
}

/**
 * One record of the stream of all balances. `isFlat`: it holds one currency, and others of the player may follow. `aside`: no player: a heartbeat, or what surrounds the records; `count` is how many players Invo
 * says it sent, `error` the error it ended with.
 */
export type StreamRecord =
  | { kind: 'wallet'; wallet: Wallet; isFlat: boolean }
  | { kind: 'unreadable' }
  | { kind: 'aside'; count: number | null; hasMore: boolean; error: string | null };

const COUNT_NAMES = ['count', 'total_count', 'total', 'record_count', 'records', 'player_count', 'total_players'];
const LIST_NAMES = ['results', 'players', 'data', 'items', 'records', 'wallets'];
const HEARTBEAT_NAMES = ['heartbeat', 'ping', 'keepalive', 'keep_alive'];

/** Reads one record, leniently: document 2 doesn't show any. */
export function parseStreamRecord(value: unknown): StreamRecord {
  if (!isFields(value)) return { kind: 'unreadable' };
  const { email, answer, isFlat } = parseWallet(value);
  if (answer.kind === 'found')
    return email === null && answer.wallet.playerId === null ? { kind: 'unreadable' } : { kind: 'wallet', wallet: answer.wallet, isFlat };
  const isPlayer = email !== null || isFields(value['player']) || value['player_id'] !== undefined;
  return isPlayer ? { kind: 'unreadable' } : readAside(value);
}

function readAside(fields: Record<string, unknown>): StreamRecord {
  const around = [fields, ...Object.values(fields).filter(isFields)];
  const error = firstOf(around, ['error_code_public', 'error_code', 'error'], (each) => typeof each === 'string' && each !== '');
  const count = firstOf(around, COUNT_NAMES, (each) => Number.isSafeInteger(each));
  const hasMore = around.some((each) => each['has_more'] === true);
  const isHeartbeat =
    HEARTBEAT_NAMES.some((name) => name in fields) || HEARTBEAT_NAMES.some((name) => fields['type'] === name || fields['event'] === name);
  const isAround = LIST_NAMES.some((name) => fields[name] === null);
  if (error === null && count === null && !hasMore && !isHeartbeat && !isAround) return { kind: 'unreadable' };
  return {
    kind: 'aside',
    count: Number.isSafeInteger(count) ? Number(count) : null,
    hasMore,
    error: error === null ? null : String(error),
  };
}

function firstOf(records: Record<string, unknown>[], names: string[], fits: (value: unknown) => boolean): unknown {
  for (const record of records) for (const name of names) if (fits(record[name])) return record[name];
  return null;
}
