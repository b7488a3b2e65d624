import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Capability } from '#lib/core/roles.ts';
import { type Gates, NOT_WHOLE, type Passed, passGates } from './pass-gates.ts';

const WHOLE = { game: 'demo', why: 'a reason' };
const schema = z.object({ game: z.string().max(40), why: z.string().max(20) });

interface Scene {
  given?: Record<string, string>;
  closed?: 'origin' | 'person' | 'game';
}

/** What came of a form, and which gates it stood before, in order. */
async function send({ given = WHOLE, closed }: Scene): Promise<{
  passed: Passed<z.infer<typeof schema>, string, string>;
  gates: string[];
}> {
  const gates: string[] = [];
  const form = new FormData();
  for (const [name, value] of Object.entries(given)) form.set(name, value);
  const stand: Gates<string, string> = {
    checkOrigin: async () => {
      gates.push('origin');
      return closed === 'origin' ? { sentence: 'From elsewhere.' } : null;
    },
    requirePerson: async (capability: Capability) => {
      gates.push(capability);
      if (closed === 'person') throw new Error(`forbidden, before ${gates.join()}`);
      return 'ines';
    },
    requireGame: async (slug) => {
      gates.push(slug);
      if (closed === 'game') throw new Error(`not found, before ${gates.join()}`);
      return `game ${slug}`;
    },
  };
  return { passed: await passGates(stand, { schema, form, capability: 'refunds.request' }), gates };
}

describe('a form', () => {
  test('passes every gate in order, and gives what the schema knows', async () => {
    const { passed, gates } = await send({ given: { ...WHOLE, isAdmin: 'yes' } });
    expect(passed).toEqual({ kind: 'passed', person: 'ines', game: 'game demo', given: WHOLE });
    expect(gates).toEqual(['origin', 'refunds.request', 'demo']);
  });

  test('from elsewhere meets no other gate', async () => {
    expect(await send({ closed: 'origin' })).toEqual({ passed: { kind: 'refused', sentence: 'From elsewhere.' }, gates: ['origin'] });
  });

  test('of somebody who may not is not read', async () => {
    await expect(send({ closed: 'person', given: {} })).rejects.toThrow('forbidden, before origin,refunds.request');
  });

  test.each([{}, { game: 'demo' }, { ...WHOLE, why: 'x'.repeat(21) }, { ...WHOLE, game: 'x'.repeat(41) }])(
    'in pieces, %j, is refused before any game is looked for',
    async (given) => {
      expect(await send({ given })).toEqual({ passed: NOT_WHOLE, gates: ['origin', 'refunds.request'] });
    },
  );

  test('of a game that is not there goes nowhere', async () => {
    await expect(send({ closed: 'game' })).rejects.toThrow('not found');
  });
});
