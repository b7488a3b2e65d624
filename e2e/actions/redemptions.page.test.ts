import { beforeAll, expect, test } from 'vitest';
import { PASSWORD, turnOnGroup } from '../pages/turn-on-group.ts';
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
  const about = { game: 'demo', kind: 'redeem', playerId: '910023', vaultEntryId: ENTRY };
  const typed = {
    draftId: form.hidden('draftId'),
    shown: form.hidden('shown'),
    reason: 'requested_by_player',
    ticket: 'T-8',
    description: '',
  };
  const { target } = await send('requestActionAction', path, { ...about, ...typed });
  const waiting = await visit(target ?? '', 'finance');
  expect(waiting.text).toContain('Only Sami Okafor sends it and sees what Invo answers.');
  const actionId = (target ?? '').split('/').at(-1) ?? '';
  const approval = { game: 'demo', actionId, contentDigest: waiting.hidden('contentDigest'), ...PASSWORD };
  expect((await send('approveActionAction', target ?? '', approval, 'finance')).result).toMatchObject({ kind: 'done' });
  const { result } = await send('pressActionAction', target ?? '', { game: 'demo', actionId });
  expect(result).toMatchObject({ kind: 'passed', passed: { what: 'reward_code', text: expect.stringMatching(/^RWD-/) } });
  const after = await visit(target ?? '', 'support');
  expect(after.text).toContain('The reward is redeemed.');
  expect(after.text).not.toContain('RWD-');
});
