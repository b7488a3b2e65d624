import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** How the code says that a second person approves or confirms, and that rights, links, limits and second factors change. */
const APPROVING =
  /\b(?:(?:approveRefund|confirmOutcome|resumeRefunds|resumePayouts|changeLimit|approveRaise|declineRaise|addPerson|changeRoles|resetPasswordLink|confirmPerson|disablePerson|enablePerson|approveRoles|declineRoles|resetFactor|requireFactor|approveRun)\(|confirmVoid\(.*true\)|decision: 'confirmed')/;

test('every action that approves, or changes rights, links, limits or second factors, asks for a fresh password first', () => {
  const app = path.join(import.meta.dirname, '..');
  const files = fs.globSync('**/actions.ts', { cwd: app }).map((name) => fs.readFileSync(path.join(app, name), 'utf8'));
  const actions = files.flatMap((code) => code.split(/^export async function /m).slice(1));
  const approving = actions.filter((code) => APPROVING.test(code));
  expect(approving.map((code) => code.slice(0, code.indexOf('('))).toSorted()).toEqual([
    'addPersonAction',
    'approveAction',
    'approveAction',
    'approveRaiseAction',
    'approveRolesAction',
    'changeLimitsAction',
    'changeRolesAction',
    'confirmAction',
    'confirmOutcomeAction',
    'confirmPersonAction',
    'confirmPolicyAction',
    'confirmVoidAction',
    'declineRaiseAction',
    'declineRolesAction',
    'disablePersonAction',
    'enablePersonAction',
    'newLinkAction',
    'requireFactorAction',
    'resetFactorAction',
    'resumePayoutsAction',
    'resumeRefundsAction',
  ]);
  expect(approving.filter((code) => !/\b(onApproval|receiveGameApproval|receivePersonApproval|withPassword)\(/.test(code))).toEqual([]);
});
