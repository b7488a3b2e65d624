import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { NewPhone } from './_actions/new-phone-panel.tsx';
import { RequestForm, type RequestFormProps } from './_actions/request-form.tsx';
import { RequestNotice } from './_actions/request-notice.tsx';
import { formatRequestRefusal } from './_actions/request-state.ts';

const nowhere = (): void => {};
const ROUTER = { bfcacheId: '', back: nowhere, forward: nowhere, refresh: nowhere, push: nowhere, replace: nowhere, prefetch: nowhere };
const CLAIM: RequestFormProps = {
  slug: 'demo',
  about: {},
  entry: 'claim_code',
  milestones: [],
  houses: [],
  coins: 'Lumens',
  press: 'Collect the transfer',
  whom: 'for Asa Venn',
  player: 'Asa Venn',
  pending: 'Collecting at Invo…',
  consequences: [],
  needsTicket: true,
  limits: null,
  closed: null,
  unit: null,
  needsApproval: false,
  isSentByWorker: false,
  waitsForPhone: false,
  reason: 'technical_fault',
};

/** The words of a form and the names of its fields. */
function drawn(changed: Partial<RequestFormProps>): string {
  return renderToStaticMarkup(
    <AppRouterContext.Provider value={ROUTER}>
      <RequestForm {...CLAIM} {...changed} />
    </AppRouterContext.Provider>,
  );
}

test('the form of a claim has two fields for the phone only where Invo wants the phone, and none for another code', () => {
  expect([drawn({}).includes('name="phone"'), drawn({}).includes('name="phoneAgain"')]).toEqual([false, false]);
  const form = drawn({ entry: 'claim_phone' });
  for (const name of ['entered', 'phone', 'phoneAgain']) expect(form).toContain(`name="${name}"`);
  expect(form).not.toMatch(/name="(otp|sms_code|pin)"/);
});

test('a form whose sender reached a limit says so and has no button', () => {
  expect(drawn({})).toContain('type="submit"');
  const closed = drawn({ closed: 'Nothing more can be started before 14:32 UTC.' });
  expect(closed).toContain('Nothing more can be started before 14:32 UTC.');
  expect(closed).not.toContain('type="submit"');
});

test.each([
  [{ reason: 'changed' }, true],
  [{ reason: 'blocked', blocker: 'other_player' }, true],
  [{ reason: 'paused' }, false],
  [{ reason: 'switched_off' }, false],
  [{ reason: 'private_text' }, false],
] as const)('after the refusal %j the page is read again: %s, and otherwise the form and its sentence stay', (refused, expected) => {
  const state = formatRequestRefusal({ ok: false, ...refused }, 'payment_link');
  expect(state.kind).toBe('refused');
  expect('isStale' in state).toBe(expected);
});

test.each([
  ['changed', true],
  ['paused', true],
  ['not_a_request', true],
  ['not_allowed', false],
  ['unconfirmed', false],
  ['too_new', false],
] as const)('after the refusal “%s” the notice says to enter the card token again: %s', (reason, expected) => {
  const result = formatRequestRefusal({ ok: false, reason }, 'purchase');
  const notice = renderToStaticMarkup(
    <AppRouterContext.Provider value={ROUTER}>
      <RequestNotice slug="demo" result={result} entry="purchase" />
    </AppRouterContext.Provider>,
  );
  expect(notice).toContain('Nothing was requested');
  expect(notice.includes('Enter the card token again')).toBe(expected);
});

test('only a new phone of a house account in production needs a second person', () => {
  const shown = (isHouse: boolean, needsSecondPerson: boolean): string =>
    renderToStaticMarkup(
      <NewPhone phone={{ label: 'Pixel 9', matchCode: '42' }} isHouse={isHouse} needsSecondPerson={needsSecondPerson} />,
    );
  expect(shown(true, true)).toContain('A second person must approve it while the code is valid.');
  for (const text of [shown(true, false), shown(false, true)]) expect(text).not.toContain('second person');
});
