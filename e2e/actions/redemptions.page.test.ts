import { beforeAll, expect, test } from 'vitest';
import { approveAction, requestAction } from '../pages/request-action.ts';
import { turnOnGroup } from '../pages/turn-on-group.ts';
import { search, send, visit } from '../pages/visit.ts';

const LOYALTY = '/demo/players/910023/loyalty';
const ENTRY = '00000000-0000-4000-8000-000000000001';

beforeAll(async () => {
  await search('asa.venn@players.example');
  await turnOnGroup('rewards');
});

test('a reward is found in the vault, redeemed after a second person approved, and its code is on no page afterwards', async () => {
  expect((await visit(LOYALTY, 'auditor')).text).not.toContain('Show offers and vault');
  expect((await visit(LOYALTY, 'support')).text).toContain('Show offers and vault');
  const shown = await send('showVaultAction', LOYALTY, { game: 'demo', playerId: '910023' });
  expect(JSON.stringify(shown)).toContain('ref_rwd_01');
  const path = `${LOYALTY}/redeem/${ENTRY}`;
  const form = await visit(path, 'support');
  expect(form.text).toContain('The code is shown once, to you alone.');
  expect(form.text).toContain('ref_rwd_01');
  const { target, about } = await requestAction(path, 'redeem', { playerId: '910023', vaultEntryId: ENTRY });
  const second = await visit(path, 'support');
  expect(second.text).toContain('Only one redemption of a reward is open at a time');
  expect(second.links).toContain(`action ${about.actionId}`);
  expect((await approveAction(target)).text).toContain('Only Sami Okafor sends it and sees what Invo answers.');
  const { result } = await send('pressActionAction', target, about);
  expect(result).toMatchObject({ kind: 'passed', passed: { what: 'reward_code', text: expect.stringMatching(/^RWD-/) } });
  const after = await visit(target, 'support');
  expect(after.text).toContain('The reward is redeemed.');
  expect(after.text).not.toContain('RWD-');
});
