import { describe, expect, test } from 'vitest';
import { InvoError } from '../invo-error.ts';
import { openRecordSplitter } from './balance-stream.ts';

/** The records of a text that arrives in pieces of so many characters. */
function split(text: string, size = text.length, type = 'application/json'): unknown[] {
  const splitter = openRecordSplitter(type);
  const records: unknown[] = [];
  for (let index = 0; index < text.length; index += Math.max(1, size))
    records.push(...splitter.push(text.slice(index, index + Math.max(1, size))));
  return [...records, ...splitter.end()];
}

const ANA = '{"player":{"player_email":"a]n\\"a{@x.example"},"balances":[{"available_balance":"1.00"}]}';
const BEN = '{"player":{"player_email":"ben@x.example"},"balances":[]}';
const BOTH = [JSON.parse(ANA), JSON.parse(BEN)] as unknown[];

describe('records are found whatever the pieces', () => {
  test.each<[string, string, string, unknown[]]>([
    ['a list', `[${ANA},${BEN}]`, 'application/json', BOTH],
    ['a list with white space', ` [\n ${ANA} ,\r\n ${BEN} \n]\n`, 'application/json', BOTH],
    ['an empty list', '[]', 'application/json', []],
    ['one object for each line', `${ANA}\n${BEN}\n`, 'application/x-ndjson', BOTH],
    ['lines without a last end', `${ANA}\n${BEN}`, 'application/x-ndjson', BOTH],
    ['lines with a BOM, blank and comment lines', `\ufeff\n\n${ANA}\n# here\n: there\n\n${BEN}\n`, 'text/plain', BOTH],
    ['server-sent events', `: hello\n\ndata: ${ANA}\n\nevent: wallet\nid: 2\ndata: ${BEN}\n\ndata: [DONE]\n\n`, 'text/event-stream', BOTH],
    ['server-sent events by their first line', `data: ${ANA}\r\n\r\ndata: ${BEN}\r\n\r\n`, 'text/plain', BOTH],
    ['an event in two data lines', `data: {"a":\ndata: 1}\n\n`, 'text/event-stream', [{ a: 1 }]],
    [
      'an object around a list',
      `{"at":"now","results":[${ANA},${BEN}],"count":2}`,
      'application/json',
      [...BOTH, { at: 'now', results: null, count: 2 }],
    ],
    ['values that are no objects', '[1,null,"a,b",[2]]', 'application/json', [1, null, 'a,b', [2]]],
  ])('%s', (_, text, type, records) => {
    for (const size of [text.length, 1, 2, 7, 64]) expect(split(text, size, type), `pieces of ${size}`).toEqual(records);
  });
});

describe('an answer that ends too early, or is something else, is refused', () => {
  test.each([
    ['nothing', ''],
    ['a list without its end', `[${ANA},${BEN}`],
    ['a list that ends after a comma', `[${ANA},`],
    ['half a record of a list', `[${ANA},${BEN.slice(0, 20)}`],
    ['half a line', `${ANA}\n${BEN.slice(0, 20)}`],
    ['an object without the end of its list', `{"results":[${ANA}`],
    ['an object without its end', `{"results":[${ANA}]`],
    ['text after a list', `[${ANA}] and more`],
    ['HTML', '<!doctype html><p>Hello</p>'],
    ['a record that is no JSON', '[{"a":tru}]'],
    ['a record that never ends', `["${'x'.repeat(1_100_000)}`],
  ])('%s', (_, text) => {
    for (const size of [text.length, 9]) {
      const caught = catchError(() => split(text, size));
      expect(caught).toBeInstanceOf(InvoError);
      expect(caught).toMatchObject({ code: 'malformed' });
      expect(String(caught)).not.toContain('x.example');
    }
  });
});

function catchError(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
