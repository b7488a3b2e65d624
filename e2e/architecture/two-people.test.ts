import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readSources } from './read-sources.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
// What decides in a statement, or under a lock, whether an account counts as one of two people; and what runs work under it.
const CALL =
  /\b(mayPrepareNow|mayApproveNow|mayActAloneNow|mayActAloneIn|accountStatus|countsNow|lockPreparer|lockDecider|asPreparer|withRun|decideRun|changeAsAdmin)(?:<[^(]*>)?\(|\bawait change\(game/g;
// The functions themselves, and what only shows whether an account counts.
const DEFINITIONS = ['lib/approvals/reads.ts', 'lib/people/reads.ts', 'lib/people/writes/people.ts'];
const WRAPPERS = ['lockPreparer', 'lockDecider', 'asPreparer', 'withRun', 'decideRun', 'changeAsAdmin', 'change'];

/** Each function that decides by it, with the acts of the table tests that go through it. */
const ACTS: Readonly<Record<string, readonly string[]>> = {
  'lib/accounting/post-journals.ts postCardFees': ['card fees'],
  'lib/accounting/set-accounts.ts setAccounts': ['journal accounts'],
  'lib/actions/writes/action-decisions.ts confirmDecision': ['confirmed outcome of a desk action'],
  'lib/actions/writes/action-decisions.ts discardDecision': ['discarded outcome of a desk action'],
  'lib/actions/writes/action-decisions.ts insertDecision': ['outcome of a desk action'],
  'lib/actions/writes/action-requests.ts recordApproval': ['approval of a desk action'],
  'lib/actions/writes/action-requests.ts recordDecline': ['rejection of a desk action'],
  'lib/actions/writes/action-requests.ts tryInsert': ['request of a desk action'],
  'lib/actions/writes/action-store.ts begin': ['sending of a desk action'],
  'lib/actions/writes/house-account-rows.ts confirmHouseAccount': ['confirmed house account'],
  'lib/actions/writes/house-account-rows.ts insertHouseAccount': ['request of a house account'],
  'lib/actions/writes/switches.ts recordOnApproval': ['desk actions turned on'],
  'lib/actions/writes/switches.ts recordOnDeclined': ['rejected request to turn on desk actions'],
  'lib/actions/writes/switches.ts recordOnRequest': ['request to turn on desk actions'],
  'lib/approvals/writes.ts recordLimit': ['request of a higher limit'],
  'lib/approvals/writes.ts recordRaise': ['approved limit'],
  'lib/approvals/writes.ts recordRaiseDeclined': ['rejected limit'],
  'lib/approvals/writes.ts recordResume': ['request to resume', 'resuming', 'request to resume payouts', 'resuming payouts'],
  'lib/payees/decide-details.ts decideDetails': ['confirmed payment details'],
  'lib/payees/import-details.ts importDetails': ['import of payment details'],
  'lib/payees/propose-details.ts proposeDetails': ['payment details'],
  'lib/payees/writes.ts isOtherPerson': ['confirmed payment details'],
  'lib/payments/change-sender.ts decideSender': ['confirmed sender account'],
  'lib/payments/change-sender.ts proposeSender': ['sender account'],
  'lib/payments/close-run.ts closeRun': ['closing'],
  'lib/payments/decide-row.ts decideRow': ['decision about a report row'],
  'lib/payments/decide-row.ts setForeignRowsAside': ['rows set aside at once'],
  'lib/payments/hand-over.ts decideCancel': ['cancelled payment file', 'discarded request to cancel a payment file'],
  'lib/payments/hand-over.ts withFile': ['hand-over of a payment file', 'request to cancel a payment file'],
  'lib/payments/make-files.ts makeFiles': ['payment files'],
  'lib/payments/pay-elsewhere.ts decideElsewhere': ['confirmed payments as paid elsewhere'],
  'lib/payments/pay-elsewhere.ts proposeElsewhere': ['payments as paid elsewhere'],
  'lib/payments/record-report.ts recordReport': ['bank report'],
  'lib/payments/reissue.ts decideReissue': ['confirmed re-issue', 'withdrawal of a re-issue'],
  'lib/payments/reissue.ts proposeReissue': ['re-issue'],
  'lib/payouts/adjust-balance.ts decide': ['confirmed adjustment', 'confirmed policy'],
  'lib/payouts/adjust-balance.ts proposeAdjustment': ['adjustment'],
  'lib/payouts/adjust-balance.ts proposePolicy': ['policy'],
  'lib/payouts/decide-run.ts confirmVoid': ['voiding', 'discarded request to void'],
  'lib/payouts/decide-run.ts rejectRun': ['sending back'],
  'lib/payouts/decide-run.ts requestVoid': ['request to void'],
  'lib/payouts/decide-run.ts returnChangedRun': ['return of a changed run'],
  'lib/payouts/decide-run.ts voidRun': ['voiding a draft'],
  'lib/payouts/draft-run.ts draftRun': ['draft'],
  'lib/payouts/draft-run.ts recomposeRun': ['recalculation'],
  'lib/payouts/draft-run.ts returnToDraft': ['return to draft'],
  'lib/payouts/hold-payment.ts excludeRecipients': ['exclusion from a run'],
  'lib/payouts/hold-payment.ts placeHold': ['hold'],
  'lib/payouts/hold-payment.ts releaseHold': ['released hold'],
  'lib/payouts/hold-payment.ts setMinimum': ['minimum'],
  'lib/payouts/set-rate.ts setEurRate': ['EUR rate'],
  'lib/payouts/submit-run.ts noteCheck': ['note'],
  'lib/payouts/submit-run.ts recordFinding': ['finding'],
  'lib/payouts/submit-run.ts submitRun': ['submission'],
  'lib/payouts/writes/balances.ts isSecondPerson': ['confirmed adjustment', 'confirmed policy'],
  'lib/payouts/writes/run-states.ts insertApproval': ['approval'],
  'lib/payouts/writes/run-states.ts setApproved': ['approval'],
  'lib/people/manage-people.ts addPerson': ['invitation'],
  'lib/people/manage-people.ts changeRoles': ['request of roles'],
  'lib/people/manage-people.ts disablePerson': ['disabling'],
  'lib/people/manage-people.ts enablePerson': ['enabling'],
  'lib/people/manage-people.ts resetPasswordLink': ['password link'],
  'lib/refunds/writes/refund-decisions.ts confirmDecision': ['confirmed outcome'],
  'lib/refunds/writes/refund-decisions.ts discardDecision': ['discarded outcome'],
  'lib/refunds/writes/refund-decisions.ts insertDecision': ['outcome'],
  'lib/refunds/writes/refund-requests.ts recordApproval': ['approval of a refund'],
  'lib/refunds/writes/refund-requests.ts recordDecline': ['rejection of a refund'],
  'lib/refunds/writes/refund-requests.ts recordWithdrawal': ['withdrawal of an approved refund'],
  'lib/refunds/writes/refund-requests.ts tryInsert': ['request of a refund'],
  'lib/two-factor/manage-factors.ts requireFactor': ['required second factor'],
  'lib/two-factor/manage-factors.ts resetFactor': ['reset of a second factor'],
};

test('each function that decides whether an account counts as one of two people has its acts in the table tests', () => {
  const found = readSources()
    .filter(({ path: file, isTest }) => !isTest && /^(app|lib|db)\//.test(file) && !DEFINITIONS.includes(file))
    .flatMap(({ path: file, text }) =>
      [...text.matchAll(CALL)]
        .filter(({ index }) => !text.slice(0, index).endsWith('function '))
        .map(({ index }) => enclosing(text.slice(0, index)))
        .filter((name) => !WRAPPERS.includes(name))
        .map((name) => `${file} ${name}`),
    );
  expect([...new Set(found)].toSorted()).toEqual(Object.keys(ACTS));
});

test('the table tests do each of these acts', () => {
  const tables = ['two-people', 'two-people-actions', 'two-people-payouts', 'two-people-payments', 'two-people-reports'].map((name) =>
    readFileSync(path.join(ROOT, `lib/approvals/${name}.int.test.ts`), 'utf8'),
  );
  const missing = Object.values(ACTS)
    .flat()
    .filter((act) => !tables.some((text) => text.includes(`name: '${act}'`)));
  expect(missing).toEqual([]);
});

/** The name of the function that a position is in, by the text before it. */
function enclosing(before: string): string {
  return [...before.matchAll(/^(?:export )?(?:(?:async )?function|const) (\w+)/gm)].at(-1)?.[1] ?? '';
}
