import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { GameContext } from '#lib/games/open-game.ts';
import {
  digestShape,
  type Gates,
  INCOMPLETE_FORM,
  idShape,
  isOwnOrigin,
  type PasswordGate,
  slugShape,
  subscriptionIdShape,
  wrapActions,
} from './form-action.ts';

const WHOLE = { game: 'demo', why: 'a reason' };
const schema = z.object({ game: z.string().max(40), why: z.string().max(20) });
const INES = { id: 'i', email: 'ines@studio.example', roles: ['support' as const] };
const PASSWORD_NEEDED = { kind: 'password' as const, sentence: 'Enter your password.', asksCode: false, wrong: null };

type Closed = 'origin' | 'person' | 'game' | 'proof';

/** Gates that record in which order they are passed, one of them closed. */
function openGates(closed?: Closed): { gates: Gates; password: PasswordGate; passed: string[] } {
  const passed: string[] = [];
  const gates: Gates = {
    checkOrigin: async () => {
      passed.push('origin');
      return closed === 'origin' ? { kind: 'refused', sentence: 'From elsewhere.' } : null;
    },
    requireActor: async (who) => {
      passed.push(who);
      if (closed === 'person') throw new Error('forbidden');
      return { actor: INES, tokenDigest: 'her session' };
    },
    requireGame: async (slug) => {
      passed.push(slug);
      if (closed === 'game') throw new Error('not found');
      return { game: { slug } } as GameContext;
    },
    refresh: () => passed.push('refreshed'),
    end: () => passed.push('ended'),
  };
  const password: PasswordGate = async (_, typed) => {
    passed.push(`proof by ${(typed as { password?: string }).password ?? 'nothing'}`);
    return closed === 'proof' ? PASSWORD_NEEDED : { kind: 'proved', tokenDigest: 'her session, proved' };
  };
  return { gates, password, passed };
}

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

/** Sends a form to an action on a game that requires a password; returns its answer, what it received and the gates it reached. */
async function send(fields: Record<string, string> = WHOLE, closed?: Closed, canSucceed?: boolean) {
  const { gates, password, passed } = openGates(closed);
  const received: unknown[] = [];
  const action = wrapActions(gates)(
    { schema, who: 'refunds.approve', game: true, password },
    async (each) => {
      passed.push('run');
      received.push(each);
      return { kind: 'done' as const, sentence: 'Approved.' };
    },
    canSucceed === undefined ? undefined : async () => canSucceed,
  );
  const answer = await action({ kind: 'idle' }, formOf(fields)).catch((error: unknown) => String(error));
  return { answer, received, passed };
}

describe('an action', () => {
  test('passes its gates in order, gets the fields of its schema only, and answers what it returns', async () => {
    const { answer, received, passed } = await send({ ...WHOLE, isAdmin: 'yes', password: 'p' });
    expect(answer).toEqual({ kind: 'done', sentence: 'Approved.' });
    expect(passed).toEqual(['origin', 'refunds.approve', 'demo', 'proof by p', 'run', 'refreshed', 'ended']);
    expect(received).toEqual([
      { form: WHOLE, actor: INES, tokenDigest: 'her session, proved', game: { slug: 'demo' }, context: { game: { slug: 'demo' } } },
    ]);
  });

  test('from another site reaches no other gate', async () => {
    const { answer, passed } = await send(WHOLE, 'origin');
    expect(answer).toEqual({ kind: 'refused', sentence: 'From elsewhere.' });
    expect(passed).toEqual(['origin', 'ended']);
  });

  test('of a person without the right is not read', async () => {
    expect(await send({}, 'person')).toEqual({ answer: 'Error: forbidden', received: [], passed: ['origin', 'refunds.approve', 'ended'] });
  });

  test.each([{}, { game: 'demo' }, { ...WHOLE, why: 'x'.repeat(21) }, { ...WHOLE, game: 'x'.repeat(41) }])(
    'with an incomplete form %j is refused before its game is looked up',
    async (fields) => {
      const { answer, passed } = await send(fields);
      expect(answer).toEqual(INCOMPLETE_FORM);
      expect(passed).toEqual(['origin', 'refunds.approve', 'ended']);
    },
  );

  test('about an unknown game requires no password', async () => {
    expect(await send(WHOLE, 'game')).toMatchObject({ answer: 'Error: not found', passed: ['origin', 'refunds.approve', 'demo', 'ended'] });
  });

  test('that approves doesn’t run before the password is given', async () => {
    const { answer, passed } = await send(WHOLE, 'proof');
    expect(answer).toEqual(PASSWORD_NEEDED);
    expect(passed).not.toContain('run');
  });

  test('that is refused whatever the password requires none, and runs to say why', async () => {
    const { received, passed } = await send(WHOLE, 'proof', false);
    expect(passed).toEqual(['origin', 'refunds.approve', 'demo', 'run', 'refreshed', 'ended']);
    expect(received).toMatchObject([{ tokenDigest: 'her session' }]);
  });

  test('for anyone checks where it comes from and nothing else', async () => {
    const { gates, passed } = openGates();
    const action = wrapActions(gates)({ schema: z.object({ why: z.string() }), who: 'anyone' }, async (received) => received);
    expect(await action(formOf(WHOLE))).toEqual({ form: { why: 'a reason' } });
    expect(passed).toEqual(['origin', 'ended']);
  });

  test.each([
    [{ kind: 'refused', sentence: 'Already paused.' }, undefined, true],
    [{ kind: 'invalid', fields: {} }, undefined, false],
    [{ rows: [] }, undefined, false],
    [{ kind: 'refused', sentence: 'Already paused.' }, 'done', false],
    [{ kind: 'done', sentence: 'Saved.' }, 'done', true],
    [{ kind: 'done', sentence: 'Saved.' }, 'never', false],
  ] as const)('with the result %j, where pages are drawn again %s, draws them again: %s', async (result, refreshes, isRefreshed) => {
    const { gates, passed } = openGates();
    const asks = { schema, who: 'figures.read', ...(refreshes === undefined ? {} : { refreshes }) } as const;
    expect(await wrapActions(gates)(asks, async () => result)(formOf(WHOLE))).toBe(result);
    expect(passed.includes('refreshed')).toBe(isRefreshed);
  });

  test('that isn’t sent as a form gets everything that was sent', async () => {
    const { gates } = openGates();
    const tuple = z.tuple([slugShape, z.string()]).transform(([game, text]) => ({ game, text }));
    const action = wrapActions(gates)({ schema: tuple, who: 'figures.read', game: true }, async ({ form, game }) => [form.text, game.slug]);
    expect(await action('demo', 'Ada')).toEqual(['Ada', 'demo']);
    // A component that sends something else isn't compiled, and a browser that does is refused.
    // @ts-expect-error: its schema takes a text, not a number
    expect(await action('demo', 7)).toEqual(INCOMPLETE_FORM);
    // @ts-expect-error: one of two
    expect(await action('demo')).toEqual(INCOMPLETE_FORM);
  });

  test('that is sent as a form isn’t called with anything else', async () => {
    const action = wrapActions(openGates().gates)({ schema, who: 'figures.read' }, async () => ({
      kind: 'done' as const,
      sentence: 'Saved.',
    }));
    // @ts-expect-error: the last thing sent is the form
    expect(await action('demo')).toEqual(INCOMPLETE_FORM);
    expect(await action({ kind: 'idle' }, formOf(WHOLE))).toMatchObject({ kind: 'done' });
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
