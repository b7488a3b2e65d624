import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  digestShape,
  type Gates,
  INCOMPLETE_FORM,
  idShape,
  isOwnOrigin,
  type Passed,
  passGates,
  slugShape,
  subscriptionIdShape,
} from './receive-form.ts';

const WHOLE = { game: 'demo', why: 'a reason' };
const schema = z.object({ game: z.string().max(40), why: z.string().max(20) });

interface Case {
  given?: Record<string, string>;
  closed?: 'origin' | 'person' | 'game';
}

/** Sends a form; returns its outcome and the gates it reached, in order. */
async function send({ given = WHOLE, closed }: Case): Promise<{
  passed: Passed<z.infer<typeof schema>, string, string>;
  gates: string[];
}> {
  const gates: string[] = [];
  const form = new FormData();
  for (const [name, value] of Object.entries(given)) form.set(name, value);
  const gatesInOrder: Gates<z.infer<typeof schema>, string, string> = {
    checkOrigin: async () => {
      gates.push('origin');
      return closed === 'origin' ? { kind: 'refused', sentence: 'From elsewhere.' } : null;
    },
    requirePerson: async () => {
      gates.push('person');
      if (closed === 'person') throw new Error(`forbidden, before ${gates.join()}`);
      return 'ines';
    },
    requireGame: async ({ game }) => {
      gates.push(game);
      if (closed === 'game') throw new Error(`not found, before ${gates.join()}`);
      return `game ${game}`;
    },
  };
  return { passed: await passGates(gatesInOrder, { schema, input: form }), gates };
}

describe('passGates', () => {
  test('a form that passes every gate in order keeps only the fields of the schema', async () => {
    const { passed, gates } = await send({ given: { ...WHOLE, isAdmin: 'yes' } });
    expect(passed).toEqual({ kind: 'received', person: 'ines', game: 'game demo', given: WHOLE });
    expect(gates).toEqual(['origin', 'person', 'demo']);
  });

  test('a form from another site reaches no other gate', async () => {
    expect(await send({ closed: 'origin' })).toEqual({ passed: { kind: 'refused', sentence: 'From elsewhere.' }, gates: ['origin'] });
  });

  test('a form from a person without the capability is not read', async () => {
    await expect(send({ closed: 'person', given: {} })).rejects.toThrow('forbidden, before origin,person');
  });

  test.each([{}, { game: 'demo' }, { ...WHOLE, why: 'x'.repeat(21) }, { ...WHOLE, game: 'x'.repeat(41) }])(
    'an incomplete form %j is refused before its game is looked up',
    async (given) => {
      expect(await send({ given })).toEqual({ passed: INCOMPLETE_FORM, gates: ['origin', 'person'] });
    },
  );

  test('a form about an unknown game ends on the not-found page', async () => {
    await expect(send({ closed: 'game' })).rejects.toThrow('not found');
  });
});

function ask(headers: Record<string, string>, publicOrigin: string): boolean {
  return isOwnOrigin(new Headers(headers), publicOrigin);
}

const PUBLIC = 'https://book.studio.example';
const LOCAL = 'http://127.0.0.1:3000';

test.each([
  [{ origin: PUBLIC }, PUBLIC],
  [{ origin: PUBLIC, 'sec-fetch-site': 'same-origin' }, PUBLIC],
  [{ origin: LOCAL, 'sec-fetch-site': 'same-origin' }, LOCAL],
  [{ origin: 'http://localhost:3000' }, LOCAL],
  [{ origin: 'http://[::1]:3000' }, LOCAL],
  [{ origin: 'http://127.0.0.1:3000' }, 'http://localhost:3000'],
])('a request with %j comes from a page of %s', (headers, publicOrigin) => {
  expect(ask(headers, publicOrigin)).toBe(true);
});

test.each([
  [{}, PUBLIC],
  [{ origin: '' }, PUBLIC],
  [{ origin: 'null' }, PUBLIC],
  [{ origin: 'https://elsewhere.example' }, PUBLIC],
  [{ origin: 'https://elsewhere.example', 'x-forwarded-host': 'elsewhere.example', host: 'elsewhere.example' }, PUBLIC],
  [{ origin: 'http://book.studio.example' }, PUBLIC],
  [{ origin: 'https://book.studio.example:8443' }, PUBLIC],
  [{ origin: 'https://book.studio.example.elsewhere.example' }, PUBLIC],
  [{ origin: 'https://book.studio.example/path' }, PUBLIC],
  [{ origin: 'https://user@book.studio.example' }, PUBLIC],
  [{ origin: PUBLIC, 'sec-fetch-site': 'cross-site' }, PUBLIC],
  [{ origin: PUBLIC, 'sec-fetch-site': 'same-site' }, PUBLIC],
  [{ origin: PUBLIC, 'sec-fetch-site': 'none' }, PUBLIC],
  [{ origin: 'http://localhost:3001' }, LOCAL],
  [{ origin: 'https://localhost:3000' }, LOCAL],
  [{ origin: 'http://localhost.elsewhere.example:3000' }, LOCAL],
  [{ origin: 'http://localhost:3000' }, PUBLIC],
  [{ origin: 'https://localhost' }, PUBLIC],
])('a request with %j does not come from a page of %s', (headers, publicOrigin) => {
  expect(ask(headers as Record<string, string>, publicOrigin)).toBe(false);
});

test.each([
  ['1', 1],
  ['2026100004', 2_026_100_004],
  ['9007199254740991', 9_007_199_254_740_991],
])('%s is the id %d', (text, id) => {
  expect(idShape.parse(text)).toBe(id);
});

test.each(['', '0', '-1', '1.5', '1e3', ' 1', '1\n', '9007199254740992', '٣'])('%j is no id', (text) => {
  expect(idShape.safeParse(text).success).toBe(false);
});

test.each(['.', '..', '...', '', 'a/b', 'a?b', '%2e%2e', 'SUB_1\n', 'x'.repeat(51)])('%j is no subscription id', (text) => {
  expect(subscriptionIdShape.safeParse(text).success).toBe(false);
});

test('what Invo and the pages give is taken as it is', () => {
  expect(subscriptionIdShape.parse('SUB_1733392800_DESKMIRA')).toBe('SUB_1733392800_DESKMIRA');
  expect(digestShape.parse('0f'.repeat(32))).toBe('0f'.repeat(32));
  expect(slugShape.parse('demo')).toBe('demo');
});

test.each(['0F'.repeat(32), '0f'.repeat(31), `${'0f'.repeat(32)}\n`])('%j is no digest', (text) => {
  expect(digestShape.safeParse(text).success).toBe(false);
});
