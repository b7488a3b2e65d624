import { expect, test } from 'vitest';
import { sayAct } from './act-words.ts';

test.each([
  [
    { actor: 'Sami Okafor', act: 'asked for a refund', detail: { approval: 'policy', amount_usd: '5.00' } },
    'Sami Okafor requested a refund, approved by policy: it is within the limit of who asked.',
    null,
  ],
  [{ actor: 'Sami Okafor', act: 'asked for a refund', detail: { approval: null } }, 'Sami Okafor requested a refund.', null],
  [
    { actor: 'worker', act: 'let the approval lapse', detail: { from: 'waiting', to: 'awaiting_approval' } },
    'Sharebook voided a lapsed approval, now: awaiting approval.',
    null,
  ],
  [
    { actor: 'Fiona Hale', act: 'said what became of a refund', detail: { decision: 'not_landed', text: 'Nothing at Invo.' } },
    'Fiona Hale recorded an outcome: it did not happen.',
    'Nothing at Invo.',
  ],
  [{ actor: 'Ada Moreau', act: 'rejected a refund', detail: { why: 'Twice' } }, 'Ada Moreau rejected a refund.', 'Twice'],
])('%j', (entry, what, quote) => {
  expect(sayAct(entry)).toEqual({ what, quote });
});
