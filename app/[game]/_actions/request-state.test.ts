import { expect, test } from 'vitest';
import { formatRequestRefusal } from './request-state.ts';

test('a refusal of a form names what is off or paused, and what must happen before the same can be requested', () => {
  expect(formatRequestRefusal({ ok: false, reason: 'switched_off' }, 'item_sale')).toEqual({
    kind: 'refused',
    sentence: 'Item sales are turned off for this game. Nothing was saved.',
    next: 'turn_on',
  });
  expect(formatRequestRefusal({ ok: false, reason: 'paused' }, 'item_sale')).toMatchObject({ next: 'resume' });
  // A sandbox tool has no switch.
  expect(formatRequestRefusal({ ok: false, reason: 'switched_off' }, 'purchase')).not.toHaveProperty('next');
});
