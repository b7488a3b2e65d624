import { formatInstant } from '../instant.ts';
import { type Call, countExecution, type Route } from '../route.ts';
import { type Json, type Refusal, sdkRefusal } from '../wire/answer.ts';
import { isSetUp, notSetUp, unauthorized } from './loyalty.ts';
import { cardsOfPlayer } from './loyalty-data.ts';
import { REVEAL_MS, type VaultEntry, vaultOf } from './vault-data.ts';

const COMMON = { credential: 'token', codeField: 'code', meter: 'none', unauthorized } as const;

/** The programs that the token's player can do or is doing. */
export const offersRoute: Route = {
  ...COMMON,
  name: 'me-offers',
  method: 'GET',
  pattern: /^\/api\/sdk\/loyalty\/me\/offers$/,
  answer: (call) => ({ items: cardsOfPlayer(call.view, playerOf(call)).map(offerOf) }),
};

/** Every reward of the token's player, those of programs that are over too, newest first. */
export const vaultRoute: Route = {
  ...COMMON,
  name: 'me-vault',
  method: 'GET',
  pattern: /^\/api\/sdk\/loyalty\/me\/vault$/,
  answer: (call) => ({ items: vaultOf(call.view, playerOf(call)).map(itemOf) }),
};

/** Redeems a reward and shows its code, again for a while. */
export const redeemRoute: Route = {
  ...COMMON,
  name: 'redeem',
  method: 'POST',
  pattern: /^\/api\/sdk\/loyalty\/me\/vault\/([^/]+)\/redeem$/,
  subject: (_body, [id]) => id ?? null,
  answer: answerRedeem,
};

function playerOf({ state, environment, token }: Call): number {
  if (!isSetUp(state, environment)) throw notSetUp();
  return token?.player.playerId ?? 0;
}

function offerOf(card: Json): Json {
  const reward = card['reward'] as Json;
  return {
    quest_id: card['quest_id'],
    quest_version: card['quest_version'],
    program_id: card['program_id'],
    campaign: true,
    title: card['title'],
    reward_ref: `ref_${String(reward['reward_id'])}`,
    xp_award: 50,
    objectives_required: card['steps_required'],
    objectives_complete: card['steps_complete'],
    progress_state: card['status'],
    window_ends_at: card['window_ends_at'],
    completed_at: card['completed_at'],
  };
}

function itemOf(entry: VaultEntry): Json {
  return {
    vault_entry_id: entry.id,
    reward_ref: refOf(entry),
    program_id: `prg_${entry.program}`,
    quest_id: `qst_${entry.program}`,
    units: '1',
    state: entry.state,
    unlocked_at: entry.unlockedAt,
    expires_at: entry.expiresAt,
    redeemed_at: entry.redeemedAt,
    code_masked: entry.codeMask,
  };
}

function refOf({ number }: VaultEntry): string {
  return `ref_rwd_${number}`;
}

/** The code of the reward that the world redeemed. */
const WORLD_CODE = 'CANARY-REWARD-CODE-7K2Q';

function answerRedeem(call: Call): Json {
  const { view, state, params } = call;
  const entry = vaultOf(view, playerOf(call)).find(({ id }) => id === params[0]);
  if (entry === undefined || entry.state === 'reserved' || entry.state === 'revoked')
    throw refused(call, 404, 'vault_entry_not_found', 'No such reward of this player.');
  if (entry.state === 'expired' || (entry.state === 'unlocked' && Date.parse(entry.expiresAt) <= view.nowMs))
    throw refused(call, 410, 'vault_entry_expired', 'The reward expired before it was redeemed.');
  if (entry.state === 'redeemed') {
    if (entry.revealUntil === null) throw refused(call, 409, 'already_redeemed', 'The code can’t be shown any more.');
    call.outcome = 'revealed_again';
    return redeemed(call, entry, { code: view.desk.vault.get(entry.id)?.code ?? WORLD_CODE, isAgain: true });
  }
  const code = state.secrets.make('code', 'RWD-');
  view.desk.vault.set(entry.id, { state: 'redeemed', redeemedMs: view.nowMs, code });
  countExecution(call);
  call.outcome = 'executed';
  const redeemedAt = formatInstant(view.nowMs);
  const revealUntil = formatInstant(view.nowMs + REVEAL_MS);
  return redeemed(call, { ...entry, redeemedAt, revealUntil, codeMask: `••••••••${code.slice(-4)}` }, { code, isAgain: false });
}

function redeemed({ state }: Call, entry: VaultEntry, { code, isAgain }: { code: string; isAgain: boolean }): Json {
  return {
    vault_entry_id: entry.id,
    reward_ref: refOf(entry),
    state: 'redeemed',
    redeemed_at: entry.redeemedAt,
    ...(state.shapes.has('redeem', 'no_code') ? {} : { code }),
    code_masked: entry.codeMask,
    revealed_again: isAgain,
    reveal_until: entry.revealUntil,
  };
}

// The documents name these refusals without a status.
function refused({ state }: Call, status: number, code: string, words: string): Refusal {
  const chosen = (['404', '409', '410', '422'] as const).find((each) => state.shapes.has('redeem', each));
  return sdkRefusal(chosen === undefined ? status : Number(chosen), code, words);
}
