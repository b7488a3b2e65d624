import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { PaymentStory, StoryReissue } from '#lib/payments/reads/payment-story.ts';
import type { Run } from '#lib/payouts/reads/find-run.ts';
import { eventsOf } from './payment-events.tsx';

const RUN = { runNo: 3, approvedAt: '2026-11-05T10:00:00Z', draftedAt: '2026-11-04T10:00:00Z', approvals: [], voidedBy: null };
const STORY = { recipientId: 1, replaces: null, confirmations: [], returnedInRunNo: null };
const PROPOSED = {
  proposedBy: 'Fiona Hale',
  proposedAt: '2026-11-20T10:00:00Z',
  decidedBy: 'Ada Quill',
  decidedAt: '2026-11-21T10:00:00Z',
};

/** Guarantee of the casts: the events read nothing else of a run and a payment in no file. */
function draw(reissues: StoryReissue[], facts: Partial<PaymentStory> = {}): string[] {
  const source = {
    slug: 'demo',
    run: RUN as unknown as Run,
    story: { ...STORY, ...facts, reissues } as unknown as PaymentStory,
    batch: null,
  };
  return eventsOf({ ...source, payments: '/demo/payouts/3/payments' }).map(({ children }) => renderToStaticMarkup(children));
}

test('what happened to a payment has each proposal to pay it again, with its reason and what became of it', () => {
  const [, withdrawn, confirmed, open] = draw([
    { ...PROPOSED, reference: 'A100C002FK', reason: 'A typo', outcome: 'withdrawn' },
    { ...PROPOSED, reference: 'A100C002GG', reason: 'They moved', outcome: 'confirmed' },
    { ...PROPOSED, reference: 'A100C002HE', reason: 'Again', outcome: 'proposed', decidedBy: null, decidedAt: null },
  ]);
  expect(withdrawn).toMatch(/^Fiona Hale proposed .*A100C002FK<\/a>\. Withdrawn by Ada Quill on 21 Nov 2026 10:00 UTC\..*“A typo”/);
  expect(confirmed).toMatch(/A100C002GG<\/a>\. Confirmed by Ada Quill on .*“They moved”/);
  expect(open).toMatch(/A100C002HE<\/a>\.<span[^>]*>“Again”/);
});

test('a payment in place of another one says who requested and confirmed it, and why', () => {
  const [, replacing] = draw([], { ...PROPOSED, replaces: 'A100C001F0', state: 'waiting', reason: 'The account was closed' });
  expect(replacing).toMatch(
    /^Fiona Hale requested this payment to replace <a [^>]*>A100C001F0<\/a>\. Confirmed by Ada Quill on .*“The account was closed”/,
  );
});
