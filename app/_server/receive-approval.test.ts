import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** Verbs by which a second person approves, and by which an admin decides about second factors. */
const APPROVING = ['approveRefund', 'confirmOutcome', 'resumeRefunds', 'approveRaise', 'approveRoles', 'resetFactor', 'requireFactor'];

test('every action that approves or decides about second factors asks for a fresh password first', () => {
  const app = path.join(import.meta.dirname, '..');
  const files = fs.globSync('**/actions.ts', { cwd: app }).map((name) => fs.readFileSync(path.join(app, name), 'utf8'));
  const actions = files.flatMap((code) => code.split(/^export async function /m).slice(1));
  const approving = actions.filter((code) => APPROVING.some((verb) => code.includes(`${verb}(`)));
  expect(approving.map((code) => code.slice(0, code.indexOf('('))).toSorted()).toEqual([
    'approveAction',
    'approveRaiseAction',
    'approveRolesAction',
    'confirmOutcomeAction',
    'requireFactorAction',
    'resetFactorAction',
    'resumeRefundsAction',
  ]);
  expect(approving.filter((code) => !/\b(onApproval|receiveGameApproval|receivePersonApproval)\(/.test(code))).toEqual([]);
});
