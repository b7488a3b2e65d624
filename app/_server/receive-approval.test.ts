import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** How the code says that a second person approves or confirms, and that an admin decides about second factors. */
const APPROVING =
  /\b(?:(?:approveRefund|confirmOutcome|resumeRefunds|resumePayouts|approveRaise|approveRoles|resetFactor|requireFactor|approveRun)\(|confirmVoid\(.*true\)|decision: 'confirmed')/;

test('every action that approves or decides about second factors asks for a fresh password first', () => {
  const app = path.join(import.meta.dirname, '..');
  const files = fs.globSync('**/actions.ts', { cwd: app }).map((name) => fs.readFileSync(path.join(app, name), 'utf8'));
  const actions = files.flatMap((code) => code.split(/^export async function /m).slice(1));
  const approving = actions.filter((code) => APPROVING.test(code));
  expect(approving.map((code) => code.slice(0, code.indexOf('('))).toSorted()).toEqual([
    'approveAction',
    'approveAction',
    'approveRaiseAction',
    'approveRolesAction',
    'confirmAction',
    'confirmOutcomeAction',
    'confirmPolicyAction',
    'confirmVoidAction',
    'requireFactorAction',
    'resetFactorAction',
    'resumePayoutsAction',
    'resumeRefundsAction',
  ]);
  expect(approving.filter((code) => !/\b(onApproval|receiveGameApproval|receivePersonApproval)\(/.test(code))).toEqual([]);
});
