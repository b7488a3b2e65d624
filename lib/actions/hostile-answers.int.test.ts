// @module-tag no-retry
// @module-tag proof
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PLAYERS } from '#e2e/support/actions/action-environment.ts';
import { findViolations, ROUTE_OF } from '#e2e/support/actions/find-violations.ts';
import { openPlayerEnvironment, type PlayerEnvironment, REWARDS, redemptionOf } from '#e2e/support/actions/player-environment.ts';
import { DYE, EVENT, LANTERN, SALE } from '#e2e/support/actions/worker-environment.ts';
import { recordFigure } from '#e2e/support/proof.ts';
import { anyOf, listTablesHolding } from '#e2e/support/test-environment.ts';
import { CODE_FIELDS } from '#e2e/upstream/wire/answer.ts';
import { ROUTE_CODES } from '../invo/rules/route-codes.ts';
import type { ActionTarget } from './read-action-facts.ts';
import type { AnswerClass } from './rules/protocol.ts';
import { protocolOf } from './rules/protocols.ts';

let testEnv: PlayerEnvironment;
const open = async (): Promise<void> => {
  testEnv = await openPlayerEnvironment();
};
const close = async (): Promise<void> => await testEnv.close();

type Form = [target: ActionTarget, typed: Record<string, string>];
const FORMS = {
  payment_confirm: [{ kind: 'payment_confirm', orderId: 'ORD_BREE_02' }, {}],
  card_setup: [{ kind: 'card_confirm', playerId: PLAYERS.asa }, { setup_intent_id: 'seti_asa_unchecked' }],
  checkout: [{ kind: 'payment_link', playerId: PLAYERS.asa }, { usd_amount: '1.00' }],
  loyalty_event: [EVENT, LANTERN],
  item: [SALE, DYE],
  redeem: [redemptionOf(REWARDS.unlocked), {}],
} as const satisfies Record<string, Form>;
type Family = keyof typeof FORMS;

const request = async ([target, typed]: Form): Promise<number> => await testEnv.ready(target, typed);
/** A press, or a turn of the worker, which sends what it repeats. Whether the screen received what the answer passes. */
const send = async (actionId: number): Promise<{ wasShown: boolean }> => {
  if (protocolOf((await testEnv.find(actionId)).kind).repeats === 'worker') {
    await testEnv.pool.query('update desk_action set next_look_at = clock_now() where action_id = $1 and next_look_at is not null', [
      actionId,
    ]);
    await testEnv.settle();
    return { wasShown: false };
  }
  const sent = await testEnv.press(testEnv.people.sam, actionId);
  return { wasShown: sent.ok && sent.passes !== null };
};
/** A kind that the worker repeats stays unknown until it is sent again: people end it, so that the next answer is the first of its action. */
const endUnknown = async (actionId: number): Promise<void> => {
  if ((await testEnv.find(actionId)).state !== 'unknown') return;
  await testEnv.alter(`state = 'lapsed', ended_at = clock_now(), next_look_at = null, unanswered_count = 0, request_bytes = null`);
};
const arm = async ([{ kind }]: Form, fault: object): Promise<unknown> =>
  await testEnv.control('POST', 'faults', { match: { route: ROUTE_OF[kind as keyof typeof ROUTE_OF] }, ...fault });

/** The status and the meaning of each code that isn't open on its route (document 2, Errors and Purchase and card errors; document 2, Authentication). */
const NOT_OPEN: Readonly<Record<Family, Readonly<Record<string, [status: number, AnswerClass]>>>> = {
  payment_confirm: { INVALID_GAME_SECRET: [401, 'not_now'] },
  card_setup: {
    INVALID_GAME_SECRET: [401, 'not_now'],
    still_requires_action: [400, 'not_now'],
    PLAYER_NOT_FOUND: [404, 'refused'],
  },
  redeem: {
    SDK_TOKEN_MALFORMED: [401, 'not_now'],
    already_redeemed: [409, 'refused'],
    vault_entry_not_found: [404, 'refused'],
    vault_entry_expired: [410, 'refused'],
  },
  checkout: {
    INVALID_GAME_SECRET: [401, 'not_now'],
    RAIL_DISABLED: [403, 'refused'],
    RAIL_CHANNEL_MISMATCH: [400, 'refused'],
    PCSTORE_RAIL_NOT_ENTITLED: [403, 'refused'],
    PCSTORE_PURCHASE_LAYER_REQUIRED: [409, 'refused'],
    RAIL_NOT_AVAILABLE_TO_PLATFORM: [403, 'refused'],
    PROCESSOR_UNAVAILABLE: [503, 'refused'],
    PROCESSOR_NOT_CONFIGURED: [503, 'refused'],
    service_unavailable: [503, 'refused'],
    spending_limit_exceeded: [429, 'not_now'],
    rate_limit_exceeded: [429, 'not_now'],
  },
  loyalty_event: {
    INVALID_GAME_SECRET: [401, 'not_now'],
    INVALID_BODY: [400, 'refused'],
    MISSING_PLAYER_EMAIL: [400, 'refused'],
    MISSING_EVENT_TYPE: [400, 'refused'],
    EVENT_TYPE_NOT_ALLOWED: [400, 'refused'],
    RESERVED_EVENT_TYPE: [400, 'refused'],
    INVALID_EVENT_ID: [400, 'refused'],
    INVALID_OCCURRED_AT: [400, 'refused'],
    INVALID_PAYLOAD: [400, 'refused'],
    INVALID_SURFACE_ID: [400, 'refused'],
    PLAYER_NOT_FOUND: [404, 'refused'],
    validation_failed: [422, 'refused'],
  },
  item: {
    INVALID_GAME_SECRET: [401, 'not_now'],
    CLIENT_REQUEST_ID_RESERVED: [400, 'refused'],
    rate_limit_exceeded: [429, 'not_now'],
  },
};
/** The status of a code that is open. */
const OPEN_STATUS = 409;

/** What an answer may carry beside its code, and nothing of an action may hold. */
const PRIVATE = {
  player_email: 'asa.venn@players.example',
  player_name: 'Asa Venn',
  phone: '+49 170 1234567',
  message: 'Ask asa.venn@players.example, or call +49 170 1234567.',
  checkout_url: 'https://pay.example/checkout?token=canary-token',
  client_secret: 'canary-client-secret',
  otp: 'canary-otp',
};
const PRIVATE_TEXT = /players\.example|Asa Venn|170 ?1234567|canary-/;

describe('A18: a code of the documents, in any of six fields', () => {
  beforeAll(open);
  afterAll(close);
  const FAMILIES = Object.keys(FORMS) as Family[];

  test.each(FAMILIES)(
    'on %s has the class of its kind, is no error, and stores nothing private',
    { timeout: 1_200_000 },
    async (family) => {
      const cases = Object.keys(ROUTE_CODES[family]).flatMap((code) => CODE_FIELDS.map((codeIn) => ({ code, codeIn })));
      const found: unknown[] = [];
      const expected: unknown[] = [];
      let actionId = 0;
      for (const { code, codeIn } of cases) {
        const [status, meaning] = NOT_OPEN[family][code] ?? [OPEN_STATUS, 'open'];
        const isOver = actionId === 0 || !['approved', 'checking', 'waiting'].includes((await testEnv.find(actionId)).state);
        if (isOver) actionId = await request([...FORMS[family]]);
        await arm([...FORMS[family]], { kind: 'refuse', status, code, codeIn, facts: PRIVATE });
        // A limit of Invo holds calls back for a second.
        await testEnv.pool.query('update rate_bucket set paused_until = null');
        const before = (await testEnv.find(actionId)).attempt_count;
        await send(actionId);
        const { attempts } = await testEnv.find(actionId);
        const attempt = attempts.at(-1);
        found.push([code, codeIn, attempts.length - before, attempt?.class, attempt?.error_code?.toLowerCase()]);
        expected.push([code, codeIn, 1, meaning, code.toLowerCase()]);
        await endUnknown(actionId);
      }
      expect(found).toEqual(expected);
      const counts = await testEnv.executed(ROUTE_OF[FORMS[family][0].kind]);
      expect(counts.filter(({ executions }) => executions > 0)).toEqual([]);
      const holding = await listTablesHolding(testEnv.pool, PRIVATE_TEXT);
      expect(holding.filter((table) => /desk_action|audit/.test(table))).toEqual([]);
      recordFigure(`codes on ${family}`, `${cases.length} answers, each of its class`);
    },
  );
});

describe('A20: a run of every kind, with faults', () => {
  beforeAll(open);
  afterAll(close);
  const FAULTS = [
    'none',
    'landed_then_reset',
    'made_then_500',
    'torn_after',
    'html_after',
    'test_code_in_production',
    'link_without_url',
    '500',
  ];

  test('leaves no secret of Invo in any table, and nobody’s email or phone in an action', { timeout: 600_000 }, async () => {
    const given = new Set<string>();
    let shownCount = 0;
    const broken: string[] = [];
    for (const fault of FAULTS) {
      for (const form of Object.values(FORMS)) {
        testEnv.upstream.reset();
        await testEnv.control('POST', 'game', { rateLimit: false });
        await testEnv.control('POST', 'challenge', { order_id: 'ORD_BREE_02', outcome: 'done' });
        await testEnv.control('POST', 'challenge', { setup_intent_id: 'seti_asa_unchecked', outcome: 'done' });
        const actionId = await request([...form]);
        if (fault !== 'none') await arm([...form], { kind: fault });
        const { wasShown } = await send(actionId);
        if (wasShown) shownCount++;
        // The same bytes again where that is safe, then the worker.
        await send(actionId);
        await testEnv.pool.query(
          `update desk_action set next_look_at = clock_now() where state <> 'approved' and next_look_at is not null`,
        );
        await testEnv.settle();
        broken.push(...(await findViolations(testEnv, actionId, { wasShown, isAtRest: true })));
        for (const value of await testEnv.secretsGiven()) given.add(value);
      }
    }
    expect(broken).toEqual([]);
    expect([shownCount, given.size >= 20, await testEnv.executed('forbidden')]).toEqual([5, true, []]);
    const secret = anyOf(given);
    expect(await listTablesHolding(testEnv.pool, secret)).toEqual([]);
    // The search finds what is there.
    await testEnv.pool.query('create table planted as select convert_to($1, $2) as bytes', [`x${[...given].at(-1)}x`, 'UTF8']);
    expect(await listTablesHolding(testEnv.pool, secret)).toEqual(['planted']);
    const holding = await listTablesHolding(testEnv.pool, /@players\.example|players\.example|\+49|\+1 ?\d{3}/);
    expect(holding.filter((table) => /desk_action/.test(table))).toEqual([]);
    recordFigure(
      'canaries of desk actions',
      `${given.size} secrets searched for after ${FAULTS.length} faults × ${Object.keys(FORMS).length} kinds, none found`,
    );
  });
});
