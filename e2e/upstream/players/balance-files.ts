import type { Player } from '../model.ts';
import { formatCoins } from '../refunds/plan-refund.ts';
import type { Call, Route } from '../route.ts';
import { SHAPES } from '../state/shapes.ts';
import type { Json } from '../wire/answer.ts';
import { Refusal } from '../wire/answer.ts';
import { readObject, readQuery } from '../wire/read-request.ts';
import { StreamedBody } from '../wire/send-stream.ts';
import { walletObject } from './player.ts';
import { findPlayer } from './player-data.ts';

const EMAILS_MAX = 100_000;
const JOINED_MS = Date.UTC(2023, 10, 6, 15, 30);

/** Many players' balances by email. */
export const balanceBatchRoute: Route = {
  name: 'balance-batch',
  method: 'POST',
  pattern: /^\/api\/player-balances\/batch$/,
  credential: 'secret',
  meter: 'balance',
  bodyBytes_max: 32 * 1024 * 1024,
  answer(call) {
    const shape = shapeOf(call, 'balance-batch');
    const name = shape === 'player_emails' ? 'player_emails' : 'emails';
    const emails = readObject(call.bytes)[name];
    if (!Array.isArray(emails) || !emails.every((email) => typeof email === 'string'))
      throw new Refusal(400, 'INVALID_FIELD_VALUE', `${name} must be a list of strings.`);
    if (emails.length > EMAILS_MAX) throw new Refusal(400, 'INVALID_FIELD_VALUE', `At most ${EMAILS_MAX} emails.`);
    return shapeBatch(
      shape,
      faulty(
        call,
        emails.map((email) => readEntry(call, email)),
      ),
    );
  },
};

const STRANGERS = ['load-011999@players.example', 'mira.holt@players.example'];

interface Entry {
  email: string;
  /** Null: no such player. */
  wallet: ReturnType<typeof walletObject> | null;
}

function readEntry({ view, support }: Call, email: string): Entry {
  const known = findPlayer(view, email.trim().toLowerCase());
  return { email, wallet: known === null ? null : walletObject(view, support, known) };
}

function faulty(call: Call, entries: Entry[]): Entry[] {
  const [first] = entries;
  const kind: string = call.fault?.kind ?? '';
  switch (kind) {
    case 'batch_drop':
      return entries.slice(1);
    case 'batch_stranger':
      return [...entries, readEntry(call, STRANGERS.find((email) => findPlayer(call.view, email) !== null) ?? '')];
    case 'batch_twice':
      return first === undefined ? entries : [...entries, first];
    default:
      return entries;
  }
}

function shapeBatch(shape: string, entries: Entry[]): Json | Json[] {
  const found = entries.filter(({ wallet }) => wallet !== null);
  const unknown = entries.filter(({ wallet }) => wallet === null).map(({ email }) => email);
  switch (shape) {
    case 'by_email':
      return Object.fromEntries(entries.map(({ email, wallet }) => [email, wallet]));
    case 'results':
      return { results: found.map(({ wallet }) => wallet), not_found: unknown };
    case 'flat':
      return {
        balances: found.flatMap(({ wallet }) =>
          (wallet?.balances ?? []).map((held) => ({ ...wallet?.player, ...held, last_updated: wallet?.last_updated })),
        ),
        errors: unknown.map((email) => ({ player_email: email, error_code: 'PLAYER_NOT_FOUND' })),
      };
    case 'errors':
      return {
        players: Object.fromEntries(found.map(({ email, wallet }) => [email, wallet])),
        errors: Object.fromEntries(unknown.map((email) => [email, { error_code: 'PLAYER_NOT_FOUND' }])),
      };
    case 'missing':
      return found.map(({ wallet }) => wallet ?? {});
    default:
      return entries.map(({ email, wallet }) => wallet ?? { player_email: email, found: false });
  }
}

/** The balances of every player. */
export const balanceStreamRoute: Route = {
  name: 'balance-stream',
  method: 'GET',
  pattern: /^\/api\/player-balances\/stream-all$/,
  credential: 'secret',
  meter: 'balance',
  answer(call) {
    readQuery(call.search, []);
    const shape = shapeOf(call, 'balance-stream');
    const players = [...(call.view.world.players?.(call.view.nowMs) ?? [])];
    const json = { contentType: 'application/json', between: ',' };
    const lines = { contentType: 'application/x-ndjson', before: '', between: '\n' };
    switch (shape) {
      case 'results':
        return new StreamedBody({
          ...json,
          before: '{"results":[',
          records: records(call, players),
          after: `],"count":${players.length}}`,
        });
      case 'ndjson':
        return new StreamedBody({ ...lines, records: records(call, players), after: '\n' });
      case 'trailer':
        return new StreamedBody({ ...lines, records: records(call, players), after: `\n{"count":${players.length}}\n` });
      case 'wrong_count':
        return new StreamedBody({ ...lines, records: records(call, players), after: `\n{"count":${players.length + 1}}\n` });
      case 'heartbeat':
        return new StreamedBody({
          ...lines,
          between: '\n\n# still here\n{"type":"heartbeat"}\n',
          records: records(call, players),
          after: '',
        });
      case 'sse':
        return new StreamedBody({
          contentType: 'text/event-stream',
          before: ': all balances\n\ndata: ',
          between: '\n\n: still here\n\nevent: wallet\ndata: ',
          records: records(call, players),
          after: '\n\n',
        });
      case 'twice':
        return new StreamedBody({ ...lines, records: twice(call, players), after: '\n' });
      case 'flat':
        return new StreamedBody({ ...lines, records: flat(call, players), after: '\n' });
      case 'gzip':
        return new StreamedBody({ ...lines, records: records(call, players), after: '\n', isGzip: true });
      case 'unmarked':
        return new StreamedBody({ ...lines, records: records(call, players), after: '\n', isMarked: false });
      default:
        return new StreamedBody({ ...json, before: '[', records: records(call, players), after: ']' });
    }
  },
};

function* records({ view, support }: Call, players: Player[]): Iterable<string> {
  for (const player of players) yield JSON.stringify(walletObject(view, support, { player, joinedMs: JOINED_MS }));
}

/** The first player again at the end, with other coins. */
function* twice(call: Call, players: Player[]): Iterable<string> {
  yield* records(call, players);
  const [first] = players;
  if (first === undefined) return;
  const wallet = walletObject(call.view, call.support, { player: first, joinedMs: JOINED_MS });
  yield JSON.stringify({ ...wallet, balances: wallet.balances.map((held) => ({ ...held, available_balance: formatCoins(777n) })) });
}

/** A record for each currency; the first player's second currency comes at the end. */
function* flat({ view, support }: Call, players: Player[]): Iterable<string> {
  let late: object | null = null;
  for (const player of players) {
    const { player: fields, balances } = walletObject(view, support, { player, joinedMs: JOINED_MS });
    for (const held of balances) yield JSON.stringify({ ...fields, ...held });
    late ??= { ...fields, ...balances[0], currency_id: 318, currency_name: 'Embers', available_balance: formatCoins(1250n) };
  }
  if (late !== null) yield JSON.stringify(late);
}

/** What the studio can withdraw, and has withdrawn. */
export const withdrawalsRoute: Route = {
  name: 'withdrawals',
  method: 'GET',
  pattern: /^\/api\/withdrawals\/(available-balance|history)$/,
  credential: 'secret',
  meter: 'none',
  answer(call) {
    const shape = shapeOf(call, 'withdrawals');
    if (shape === '405') throw new Refusal(405, 'METHOD_NOT_ALLOWED', 'Use POST.');
    if (shape === '404') throw new Refusal(404, 'NOT_FOUND', 'No such route.');
    if (shape === '400') throw new Refusal(400, 'INVALID_FIELD_VALUE', 'currency is required.');
    if (shape === 'empty') return call.params[0] === 'history' ? [] : {};
    const balance = { available_balance: '18250.40', pending_balance: '1200.00', currency: 'USD', minimum_withdrawal: 50.0 };
    const history = [
      { withdrawal_id: 'WDR_1', amount: '5000.00', currency: 'USD', status: 'completed', requested_at: '2026-10-02T09:00:00Z' },
    ];
    if (call.params[0] === 'history') return shape === 'list' ? history : { withdrawals: history, has_more: false };
    return shape === 'list' ? [balance] : balance;
  },
};

function shapeOf(call: Call, route: 'balance-batch' | 'balance-stream' | 'withdrawals'): string {
  return SHAPES[route].find((variant) => call.state.shapes.has(route, variant)) ?? SHAPES[route][0];
}
