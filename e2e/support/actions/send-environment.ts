import { randomUUID } from 'node:crypto';
import { seedPerson } from '#e2e/support/people/seed-people.ts';
import { approveAction } from '#lib/actions/approve-action.ts';
import { askPhone, type Holder, watchPhone } from '#lib/actions/ask-phone.ts';
import { addHouseAccount, confirmHouseAccount } from '#lib/actions/house-accounts.ts';
import { moveCoins } from '#lib/actions/move-coins.ts';
import { pressAction } from '#lib/actions/press-action.ts';
import { digestShown, readActionFacts } from '#lib/actions/read-action-facts.ts';
import type { ActionDetails } from '#lib/actions/reads/find-action.ts';
import { listHouseAccounts } from '#lib/actions/reads/list-house-accounts.ts';
import { type RequestResult, requestAction } from '#lib/actions/request-action.ts';
import { protocolOf } from '#lib/actions/rules/protocols.ts';
import type { SendResult } from '#lib/actions/send-approved.ts';
import { search } from '#lib/search/search.ts';
import { type ActionEnvironment, openActionEnvironment, PLAYERS, SENDER } from './action-environment.ts';

/** The house account of the demo, with its phone, and the phone of Asa Venn. */
export const HOUSE = { playerId: 910_031, phone: '+4915100910031' } as const;
const ASA_PHONE = '+4915112345678';
export const HOLDER: Holder = { ...SENDER, sealKey: Buffer.alloc(32, 7) };

/** What a transfer is requested with. */
interface TypedTransfer {
  amount?: string;
  phone?: string;
  gameId?: string;
  playerId?: number;
}

/** A game in which people send coins of a house account, and transfer those of players. */
export interface SendEnvironment extends ActionEnvironment {
  /** Requests a send to Asa Venn as support does; `typed`: what differs. */
  requestSend(typed?: { amount?: string; phone?: string; gameId?: string; house?: number }): Promise<RequestResult>;
  /** Requests a transfer of Asa Venn's coins to Emberfall as support does; `typed`: what differs. */
  requestTransfer(typed?: TypedTransfer): Promise<RequestResult>;
  /** A send that a second person approved. */
  approved(amount?: string): Promise<number>;
  /** A transfer that a second person approved. */
  transferApproved(typed?: TypedTransfer): Promise<number>;
  /** Its requester sends it, with the receiver's number. */
  start(actionId: number, phone?: string): Promise<SendResult>;
  ask(actionId: number): ReturnType<typeof askPhone>;
  /** What a screen that waits sees, once the next poll is due. */
  watch(actionId: number): ReturnType<typeof watchPhone>;
  move(actionId: number): ReturnType<typeof moveCoins>;
  /** What the phone does. */
  phone(outcome: 'approve' | 'deny' | 'enrol'): Promise<unknown>;
  /** The whole way to an approved phone. */
  approvedOnPhone(amount?: string): Promise<number>;
  transferApprovedOnPhone(typed?: TypedTransfer): Promise<number>;
  /** Forgets what Invo has, ends what is open, and puts what was sent a day back, so that its IDs and its limits begin again. */
  startOver(): Promise<void>;
  /** Arms a fault for the next call of a route. */
  fail(kind: string, route: string, more?: object): Promise<unknown>;
  /** The newest step of a start; null: it has none. */
  findStep(startId: number): Promise<ActionDetails | null>;
  stateOf(actionId: number): Promise<string>;
  /** Invo's transaction that a start made. */
  transactionOf(actionId: number): Promise<string>;
  /** How often a route was called. */
  callCount(route: string): Promise<number>;
  wallet(email: string, environment?: string): Promise<{ coins: string; reserved: string }>;
}

/** Opens a game whose admin turned sends on, with one house account that two people stand behind. */
export async function openSendEnvironment(): Promise<SendEnvironment> {
  const testEnv = await openActionEnvironment();
  const { pool, people, control } = testEnv;
  // A pull pins Invo's ID of the game; sends aren't offered before.
  const game = { ...testEnv.context.game, invoGameId: '41207' };
  const context = { ...testEnv.context, game };
  await pool.query(
    `insert into action_switch (game_id, action_group, is_on) select game_id, each, true from game, unnest(array['sends', 'transfers']) each`,
  );
  for (const name of ['house.account', 'cato.lind', 'dara.finch', 'eli.moss', 'fay+rook/1'])
    await search(context, `${name}@players.example`, { scope: 'invo', canSeeEmails: true, canReadDesk: true });
  const email = 'ada.house@studio.example';
  const ada = { id: await seedPerson(testEnv.db, email, 'admin'), email, roles: ['admin'] as const };
  await addHouseAccount(
    game,
    ada,
    { playerId: HOUSE.playerId, label: 'House', phone: HOUSE.phone, phoneAgain: HOUSE.phone },
    HOLDER.sealKey,
  );
  const [account] = await listHouseAccounts(testEnv.db, game.gameId);
  await confirmHouseAccount(game, people.fiona, { houseAccountId: account?.houseAccountId ?? 0, requestedBy: ada.id });
  const requestSend: SendEnvironment['requestSend'] = async ({
    amount = '25.00',
    phone = ASA_PHONE,
    gameId = '41207',
    house = HOUSE.playerId,
  } = {}) => {
    const target = { kind: 'send_start', playerId: PLAYERS.asa, housePlayerId: null, gameId: null, phone: null, startId: null } as const;
    const facts = await readActionFacts(context, target);
    return await requestAction(context, people.sam, {
      draftId: randomUUID(),
      target: { ...target, housePlayerId: house, gameId, phone },
      typed: { amount },
      entered: phone,
      shown: facts.kind === 'facts' ? digestShown(facts.facts, protocolOf('send_start').decidingOf) : '',
      reasonCode: 'prize',
      reasonText: '',
      ticket: 'T-1',
      isAlikeConfirmed: true,
      sealKey: HOLDER.sealKey,
    });
  };
  const requestTransfer: SendEnvironment['requestTransfer'] = async ({
    amount = '100.00',
    phone = ASA_PHONE,
    gameId = '41300',
    playerId = PLAYERS.asa,
  } = {}) =>
    await testEnv.request(
      people.sam,
      { kind: 'transfer_start', playerId, gameId: null, phone: null, startId: null },
      {
        target: { kind: 'transfer_start', playerId, gameId, phone, startId: null },
        typed: { amount },
        entered: phone,
        isAlikeConfirmed: true,
      },
      context,
    );
  const approve = async (requested: RequestResult): Promise<number> => {
    if (!requested.ok) throw new Error(JSON.stringify(requested));
    const { contentDigest } = await testEnv.find(requested.actionId);
    const decided = await approveAction(context, people.fiona, { actionId: requested.actionId, contentDigest });
    if (!decided.ok) throw new Error(JSON.stringify(decided));
    return requested.actionId;
  };
  const approved = async (amount?: string): Promise<number> => await approve(await requestSend(amount === undefined ? {} : { amount }));
  const transferApproved = async (typed: TypedTransfer = {}): Promise<number> => await approve(await requestTransfer(typed));
  const start: SendEnvironment['start'] = async (actionId, phone = ASA_PHONE) =>
    await pressAction(context, people.sam, actionId, HOLDER, phone);
  const ask: SendEnvironment['ask'] = async (actionId) => await askPhone(context, people.sam, actionId, HOLDER);
  const watch: SendEnvironment['watch'] = async (actionId) => {
    await pool.query(`update device_grant set next_poll_at = clock_now() where next_poll_at is not null`);
    return await watchPhone(context, people.sam, actionId, HOLDER);
  };
  const transactionOf = async (): Promise<string> => {
    const { rows } = await pool.query(`select transaction_id from device_grant order by grant_id desc limit 1`);
    return rows[0]?.transaction_id;
  };
  const phone: SendEnvironment['phone'] = async (outcome) =>
    await control('POST', 'phone', { transaction_id: await transactionOf(), outcome });
  const approveOnPhone = async (actionId: number, number?: string): Promise<number> => {
    await start(actionId, number);
    await ask(actionId);
    await phone('approve');
    await watch(actionId);
    return actionId;
  };
  return {
    ...testEnv,
    context,
    requestSend,
    requestTransfer,
    approved,
    transferApproved,
    start,
    ask,
    watch,
    phone,
    move: async (startId) => await moveCoins(context, people.sam, { startId, draftId: randomUUID() }, HOLDER),
    approvedOnPhone: async (amount) => await approveOnPhone(await approved(amount)),
    transferApprovedOnPhone: async (typed = {}) => await approveOnPhone(await transferApproved(typed), typed.phone),
    startOver: async () => {
      testEnv.upstream.reset();
      await control('POST', 'game', { rateLimit: false });
      await pool.query(`alter table desk_action disable trigger desk_action_kept;
        update desk_action set state = 'lapsed', ended_at = clock_now(), waits_for = null, waits_until = null, attention_reason = null, next_look_at = null
          where ended_at is null;
        update desk_action set next_look_at = null where next_look_at is not null;
        update desk_action set first_sent_at = first_sent_at - interval '25 hours' where kind in ('send_start', 'transfer_start');
        update desk_action set transaction_id = transaction_id || '-' || action_id::text where transaction_id not like '%-%';
        alter table desk_action enable trigger desk_action_kept;
        alter table desk_action_attempt disable trigger all;
        update desk_action_attempt set committed_at = committed_at - interval '25 hours' where committed_at > clock_now() - interval '1 hour';
        alter table desk_action_attempt enable trigger all`);
    },
    fail: async (kind, route, more = {}) => await control('POST', 'faults', [{ kind, match: { route }, ...more }]),
    findStep: async (startId) => {
      const newest = 'select action_id from desk_action where parent_id = $1 order by action_id desc limit 1';
      const { rows } = await pool.query(newest, [startId]);
      return rows[0] === undefined ? null : await testEnv.find(Number(rows[0].action_id));
    },
    stateOf: async (actionId) => (await testEnv.find(actionId)).state,
    transactionOf: async (actionId) => String((await testEnv.find(actionId)).result?.['transaction_id']),
    callCount: async (route) => (await testEnv.executed(route)).reduce((sum, { calls }) => sum + calls, 0),
    wallet: async (player_email, environment = 'production') =>
      (await control('POST', 'wallet', { player_email, environment })) as { coins: string; reserved: string },
  };
}
