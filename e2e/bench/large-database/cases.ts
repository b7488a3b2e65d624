import type { Db, OpenDb } from '#db/kit/open.ts';
import { findStoredPlayer, listPlayerRecords } from '#lib/players/reads.ts';
import { findRefund } from '#lib/refunds/reads/find-refund.ts';
import { listRefunds } from '#lib/refunds/reads/list-refunds.ts';
import { listRefundTimeline } from '#lib/refunds/reads/refund-history.ts';
import { findOpenRefund, listRefundsOf } from '#lib/refunds/reads/refund-preconditions.ts';
import { findRegister } from '#lib/refunds/reads/refunds-needing-action.ts';
import { flagReported, matchReversals } from '#lib/refunds/writes/match-reversals.ts';
import { findLocalMatches, type Hit } from '#lib/search/reads.ts';
import { parseSearch } from '#lib/search/rules/parse-search.ts';
import { findDetail, listLineEvidence } from '#lib/subscriptions/reads.ts';
import { listTasks } from '#lib/tasks/reads.ts';

const GAME_ID = 1;
const GAME = { gameId: GAME_ID, slug: 'bench', environment: 'production', timeZone: 'UTC' } as const;

/** One case to measure: `sample` is SQL that gives the subject from the number of a line, `run` reads it. */
export interface Case {
  name: string;
  group: 'search' | 'page' | 'register';
  sample: string;
  run(open: OpenDb, sample: string): Promise<unknown>;
}

const READ_BEFORE = 'g % subscriptions / 10 * 10';
const OUR_REFUND = 'g % (refunds * 9 / 10) + 1';

export const CASES: Case[] = [
  searchOf('email, player', `bench.email(bench.player(${READ_BEFORE}))`, 'player'),
  searchOf('email, recipient', `'creator.' || 500000 + g % recipients || '@creators.example'`, 'player'),
  searchOf('player id', `bench.player(${READ_BEFORE})::text`, 'player'),
  searchOf('player id, recipient', `(500000 + g % recipients)::text`, 'player'),
  searchOf('subscription id', `bench.subscription(${READ_BEFORE})`, 'subscription'),
  searchOf('subscription id, in months only', `bench.subscription(${READ_BEFORE} + 1)`, 'subscription'),
  searchOf('period id', `bench.period(g)::text`, 'period'),
  searchOf('transaction id', `bench.transaction(g)`, 'period'),
  searchOf('order id', `bench.mint_order(g / 5 * 5 + 1)`, 'period'),
  searchOf('client_request_id', `bench.request(${READ_BEFORE})`, 'subscription'),
  searchOf(
    'transaction id of a refund of ours',
    `(select transaction_id from refund where refund_id >= ${OUR_REFUND} and state = 'landed' order by refund_id limit 1)`,
    'refund',
  ),
  searchOf('client_request_id of a refund of ours', `(select client_request_id from refund where refund_id = ${OUR_REFUND})`, 'refund'),
  searchOf('email, none', `'nobody.' || g || '@players.example'`, null),
  searchOf('number, none', `(900000000000 + g)::text`, null),
  searchOf('subscription id, none', `'SUB_1767225600_' || g`, null),
  searchOf('other text, none', `'TXN_NONE_' || g`, null),
  pageOf('period page', `bench.period(g)::text`, ({ db }, id) =>
    Promise.all([
      findDetail(db, GAME_ID, 'period', id),
      listLineEvidence(db, GAME, { periodId: Number(id) }),
      listRefundsOf(db, GAME_ID, { periodId: Number(id) }),
    ]),
  ),
  pageOf('subscription page', `bench.subscription(${READ_BEFORE})`, ({ db }, id) =>
    Promise.all([
      findDetail(db, GAME_ID, 'subscription', id),
      findDetail(db, GAME_ID, 'cycles', `${id} 0`),
      listLineEvidence(db, GAME, { subscriptionId: id }),
      listRefundsOf(db, GAME_ID, { subscriptionId: id }),
    ]),
  ),
  pageOf('player page, identity', `(500000 + g % recipients)::text`, ({ db }, id) => findStoredPlayer(db, GAME_ID, Number(id))),
  pageOf('player page, stored subscriptions and refunds', `bench.player(${READ_BEFORE})::text`, ({ db }, id) =>
    listPlayerRecords(db, GAME_ID, Number(id)),
  ),
  refundsOf('register above its table', (db) => findRegister(db, GAME_ID, { waitingMax: 25 })),
  refundsOf('counts of the badges', (db) =>
    listTasks(db, { gameId: GAME_ID, timeZone: GAME.timeZone, personId: 'nobody', now: new Date().toISOString(), scope: 'badges' }),
  ),
  ...(['all', 'for_people', 'under_way', 'landed', 'not_carried_out', 'mine'] as const).map((chip) =>
    refundsOf(`first rows and total, ${chip}`, (db) => firstRows(db, chip, '')),
  ),
  refundsOf('first rows and total, find an item', (db) => firstRows(db, 'all', 'pass 7')),
  { ...refundsOf('one refund', (db, id) => findRefund(db, GAME_ID, Number(id))), sample: `(${OUR_REFUND})::text` },
  {
    ...refundsOf('its timeline', (db, id) => listRefundTimeline(db, GAME_ID, Number(id), { canSeeEmails: true })),
    sample: `(${OUR_REFUND})::text`,
  },
  { ...refundsOf('open refund of a period', (db, id) => findOpenRefund(db, GAME_ID, Number(id))), sample: `bench.period(g)::text` },
  workOf('match reversals', (db) => matchReversals(db, GAME_ID)),
  workOf('check unexpected reports', (db) => flagReported(db, GAME_ID)),
];

function searchOf(name: string, sample: string, kind: Hit['kind'] | null): Case {
  return {
    name,
    group: 'search',
    sample,
    async run({ db }, text) {
      const read = parseSearch(text);
      if (!read.ok) throw new Error(`${text} can't be searched for`);
      const hits = await findLocalMatches(db, GAME_ID, read.query);
      if (kind === null ? hits.length > 0 : !hits.some((hit) => hit.kind === kind))
        throw new Error(`${name}: ${text} found ${JSON.stringify(hits)}`);
    },
  };
}

function pageOf(name: string, sample: string, run: Case['run']): Case {
  return { name, group: 'page', sample, run };
}

function refundsOf(name: string, run: (db: Db, sample: string) => Promise<unknown>): Case {
  return { name, group: 'register', sample: `'-'`, run: ({ db }, sample) => run(db, sample) };
}

function workOf(name: string, run: (db: Db) => Promise<unknown>): Case {
  return { name, group: 'register', sample: `'-'`, run: ({ db }) => run(db) };
}

function firstRows(db: Db, chip: string, find: string): Promise<unknown> {
  return listRefunds(
    db,
    GAME_ID,
    { chip, find, personId: 'p7' },
    { sort: 'refund_id', dir: 'desc', after: null, limit: 100, withTotal: true },
  );
}
