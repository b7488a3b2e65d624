// @module-tag no-retry
// @module-tag proof
import pg from 'pg';
import { expect, test } from 'vitest';
import { SENDER } from '#e2e/support/actions/action-environment.ts';
import { failPress } from '#e2e/support/actions/fail-press.ts';
import { countExecutions, findViolations } from '#e2e/support/actions/find-violations.ts';
import { endByPeople, openForForm, PRESSED_FORMS, passDay, requestAnew } from '#e2e/support/actions/sandbox-forms.ts';
import { recordFigure } from '#e2e/support/proof.ts';
import { WAYS } from '#e2e/support/refunds/fail-at-step.ts';
import { anyOf, listTablesHolding } from '#e2e/support/test-environment.ts';
import { Findings } from '../evidence/rules/findings.ts';
import { pressAction } from './press-action.ts';
import { verifyActions } from './verify-actions.ts';

test.each(PRESSED_FORMS)(
  'a press of $target.kind with “$entered” and phone “$phone” that fails at any step is executed once at most, and what is stored claims nothing else',
  { timeout: 1_800_000 },
  async (form) => {
    const testEnv = await openForForm(form);
    const side = new pg.Client({ connectionString: testEnv.url });
    await side.connect();
    const { entered, target, phone } = form;
    const press = async (actionId: number, step: number, way: (typeof WAYS)[number]) =>
      await failPress(testEnv, side, { step, way }, async (context) => {
        return await pressAction(context, testEnv.people.sam, actionId, { ...SENDER, owner: `web ${actionId}` }, entered, phone);
      });
    // The first press of a player stores what later ones only read.
    await press(await requestAnew(testEnv, form), 0, 'cut_off');
    await passDay(testEnv);
    const { steps } = await press(await requestAnew(testEnv, form), 0, 'cut_off');
    await passDay(testEnv);
    const given = new Set<string>([entered, phone.slice(1)].filter((text) => text !== ''));
    const reached = new Set<string>();
    const broken: string[] = [];
    let [failures, executions] = [0, 0];
    for (const [index, name] of steps.entries()) {
      const way = WAYS[index % WAYS.length] ?? 'killed_before';
      if (way === 'answer_lost' && /^(GET|POST) /.test(name)) continue;
      const actionId = await requestAnew(testEnv, form);
      const { result, hasFailed } = await press(actionId, index + 1, way);
      if (hasFailed) failures++;
      const wasShown = result?.ok === true && result.passes !== null;
      const violations = await findViolations(testEnv, actionId, { wasShown });
      await testEnv.makeDue();
      await testEnv.settle();
      const again = await testEnv.press(testEnv.people.sam, actionId, SENDER, entered, phone);
      await passDay(testEnv);
      const isShown = wasShown || (again.ok && again.passes !== null);
      violations.push(...(await findViolations(testEnv, actionId, { wasShown: isShown, isAtRest: true })));
      executions += await countExecutions(testEnv, target.kind);
      await endByPeople(testEnv, actionId);
      reached.add((await testEnv.find(actionId)).state);
      for (const value of await testEnv.secretsGiven()) given.add(value);
      broken.push(...violations.map((violation) => `step ${index + 1} (${name}) ${way}: ${violation}`));
    }
    expect(broken).toEqual([]);
    expect(steps.length).toBeGreaterThan(20);
    expect(await listTablesHolding(testEnv.pool, anyOf(given))).toEqual([]);
    const findings = new Findings();
    await verifyActions(testEnv.db, testEnv.context.game.gameId, findings);
    expect(findings.violations).toEqual([]);
    recordFigure(
      `kills of ${target.kind} with ${[entered, phone].filter((text) => text !== '').join(' and ') || 'nothing entered'}`,
      `${steps.length} steps, ${failures} failures, ${executions} executions, ${broken.length} violations, ${given.size} secrets searched for; ends: ${[...reached].join(', ')}`,
    );
    await side.end();
    await testEnv.close();
  },
);
