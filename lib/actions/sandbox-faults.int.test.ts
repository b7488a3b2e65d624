// @module-tag no-retry
// @module-tag proof
import { afterAll, expect, test } from 'vitest';
import { type ActionEnvironment, SENDER } from '#e2e/support/actions/action-environment.ts';
import { findViolations, ROUTE_OF } from '#e2e/support/actions/find-violations.ts';
import { endByPeople, openForForm, PRESSED_FORMS, passDay, requestAnew } from '#e2e/support/actions/sandbox-forms.ts';
import { recordFigure } from '#e2e/support/proof.ts';
import { anyOf, listTablesHolding } from '#e2e/support/test-environment.ts';
import { Findings } from '../evidence/rules/findings.ts';
import { verifyActions } from './verify-actions.ts';

const opened: ActionEnvironment[] = [];
afterAll(async () => void (await Promise.all(opened.map((each) => each.close()))));

const FAULTS = [
  'none',
  'landed_then_reset',
  'made_then_500',
  'torn_after',
  'html_after',
  'reset',
  '500',
  '503',
  'player_429',
  'test_code_in_production',
];

test.each(PRESSED_FORMS)(
  'any fault of $target.kind with “$entered” and phone “$phone” leaves it executed once at most, claims nothing else, and leaves no secret in a table',
  { timeout: 600_000 },
  async (form) => {
    const { target, entered, phone } = form;
    const testEnv = await openForForm(form);
    opened.push(testEnv);
    const { pool, people } = testEnv;
    const given = new Set<string>([entered, phone.slice(1)].filter((text) => text !== ''));
    const broken: string[] = [];
    for (const fault of FAULTS) {
      const actionId = await requestAnew(testEnv, form);
      if (fault !== 'none') await testEnv.control('POST', 'faults', [{ kind: fault, match: { route: ROUTE_OF[target.kind] } }]);
      const sent = await testEnv.press(people.sam, actionId, SENDER, entered, phone);
      const wasShown = sent.ok && sent.passes !== null;
      broken.push(...(await findViolations(testEnv, actionId, { wasShown })).map((each) => `${fault}: ${each}`));
      // The same again where that is safe, then time ends what no reading settles.
      await testEnv.press(people.sam, actionId, SENDER, entered, phone);
      await passDay(testEnv);
      broken.push(...(await findViolations(testEnv, actionId, { wasShown, isAtRest: true })).map((each) => `${fault}, at rest: ${each}`));
      await endByPeople(testEnv, actionId);
      for (const value of await testEnv.secretsGiven()) given.add(value);
    }
    expect(broken).toEqual([]);
    expect(await listTablesHolding(pool, anyOf(given))).toEqual([]);
    const findings = new Findings();
    await verifyActions(testEnv.db, testEnv.context.game.gameId, findings);
    expect(findings.violations).toEqual([]);
    recordFigure(
      `faults of ${target.kind}${phone === '' ? '' : ' with a phone'}`,
      `${FAULTS.length} faults, ${broken.length} violations, ${given.size} secrets searched for, none found`,
    );
  },
);
