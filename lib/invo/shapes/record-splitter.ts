import { malformed } from '../invo-error.ts';

/** One record; more is no wallet. */
const RECORD_CHARS_MAX = 1024 * 1024;
/** What stands around the records of `{"results": […]}`. */
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

/** JSON values one after the other, in a list, or in a list inside an object. */
function splitJson(): RecordSplitter {
  let [held, at, from] = ['', 0, -1];
  let [depth, isText, isEscaped, isComment] = [0, false, false, false];
  /** The depth at which records stand; null: not known yet. */
  let base: number | null = null;
  /** What stood before the list inside an object; null: there is none. */
  let before: string | null = null;
  let after: string | null = null;
  let isClosed = false;

  function scan(): unknown[] {
    const records: unknown[] = [];
    for (; at < held.length; at += 1) {
      const char = held[at];
      if (isComment) isComment = char !== '\n' && char !== '\r';
      else if (isText) {
        if (isEscaped) isEscaped = false;
        else if (char === '\\') isEscaped = true;
        else if (char === '"') isText = false;
      } else if (isClosed) {
        if (before !== null && (after ?? '').length < AROUND_CHARS_MAX) after = `${after ?? ''}${char}`;
        else if (!isBlank(char)) throw malformed('body', 'more after the end of the list');
      } else if (char === '"') {
        isText = true;
        begin();
      } else if (char === '{' || char === '[') open(char);
      else if (char === '}' || char === ']') close(records);
      else if (from < 0 && !isBlank(char) && char !== ',') startOther(char);
      else if (from >= 0 && depth === base && char === ',') finish(records, at);
    }
    if (from < 0) [held, at] = ['', 0];
    else if (from > 0) [held, at, from] = [held.slice(from), at - from, 0];
    if (held.length > RECORD_CHARS_MAX) throw malformed('body', 'a record longer than accepted');
    return records;
  }
  function begin(): void {
    if (from < 0) from = at;
  }
  function open(char: string): void {
    if (depth === 0 && base === null && char === '[') base = 1;
    else if (depth === 1 && base === null && char === '[' && LIST_NAME.test(held.slice(from, at))) {
      before = held.slice(from, at);
      [base, from] = [2, -1];
      // What stood before is kept apart; records are cut from here on.
      [held, at] = [held.slice(at), 0];
    } else begin();
    depth += 1;
  }
  function close(records: unknown[]): void {
    if (from >= 0 && depth === base) finish(records, at);
    depth -= 1;
    if (depth < 0) throw malformed('body', 'expected JSON');
    if (base !== null && base > 0 && depth === base - 1) isClosed = true;
    else if (depth === (base ?? 0)) {
      base ??= 0;
      finish(records, at + 1);
    }
  }
  function finish(records: unknown[], end: number): void {
    if (from < 0) return;
    records.push(parseRecord(held.slice(from, end)));
    from = -1;
  }
  /** Between values a comment line; inside a list a value that is neither object nor text. */
  function startOther(char: string | undefined): void {
    if (depth === 0 && (char === '#' || char === ':' || char === '/')) isComment = true;
    else if (depth === 0 || base === null) throw malformed('body', 'expected JSON');
    else from = at;
  }
  return {
    push(text) {
      held += text;
      return scan();
    },
    end() {
      const isWhole = base === null || base === 0 ? depth === 0 && from < 0 && !isText : isClosed;
      if (!isWhole) throw malformed('body', 'the stream ends within a record or its list');
      return before === null ? [] : [parseRecord(`${before}null${after ?? ''}`)];
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
