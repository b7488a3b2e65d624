import { expect, test } from 'vitest';
import { send, visit } from '../pages/visit.ts';

const PAGE = '/demo/payouts/payees/9009';
const DETAILS = { method: 'paypal', holder_name: 'Sable Quill', holder_kind: 'person', country: 'DE', email: 'sable@creators.example' };

test('what waits for a person names the recipient', async () => {
  const form = { game: 'demo', recipientId: '9009', ...DETAILS, reason: 'From the contract' };
  expect((await send('proposeDetailsAction', PAGE, form, 'finance')).result).toMatchObject({ kind: 'done' });
  const waiting = (await visit('/demo/payouts', 'admin')).region('Waiting for you').text;
  expect(waiting).toContain('Confirm payment details of Halcyon Drift');
  expect(waiting).not.toMatch(/player \d/i);
  const detailNo = (await visit(PAGE, 'finance')).hidden('detailNo');
  expect((await send('withdrawDetailsAction', PAGE, { game: 'demo', recipientId: '9009', detailNo }, 'finance')).result).toMatchObject({
    kind: 'done',
  });
});
