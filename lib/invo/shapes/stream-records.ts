import { isFields, readWallet, type Wallet } from './wallets.ts';

/**
 * One record of the stream of all balances. `isFlat`: it holds one currency, and others of the player may follow. `aside`: no player: a heartbeat, or what surrounds the records; `count` is how many players Invo
 * says it sent, `error` the error it ended with.
 */
export type StreamRecord =
  | { kind: 'wallet'; wallet: Wallet; isFlat: boolean }
  | { kind: 'unreadable' }
  | { kind: 'aside'; count: number | null; hasMore: boolean; error: string | null };

const COUNT_NAMES = ['count', 'total_count', 'total', 'record_count', 'records', 'player_count', 'total_players'];
const LIST_NAMES = ['results', 'players', 'data', 'items', 'records', 'wallets'];
const HEARTBEAT_NAMES = ['heartbeat', 'ping', 'keepalive', 'keep_alive'];

/** Reads one record, leniently: document 2 doesn't show any. */
export function readStreamRecord(value: unknown): StreamRecord {
  if (!isFields(value)) return { kind: 'unreadable' };
  const { email, answer, isFlat } = readWallet(value);
  if (answer.kind === 'found')
    return email === null && answer.wallet.playerId === null ? { kind: 'unreadable' } : { kind: 'wallet', wallet: answer.wallet, isFlat };
  const isPlayer = email !== null || isFields(value['player']) || value['player_id'] !== undefined;
  return isPlayer ? { kind: 'unreadable' } : readAside(value);
}

function readAside(fields: Record<string, unknown>): StreamRecord {
  const around = [fields, ...Object.values(fields).filter(isFields)];
  const error = firstOf(around, ['error_code_public', 'error_code', 'error'], (each) => typeof each === 'string' && each !== '');
  const count = firstOf(around, COUNT_NAMES, (each) => Number.isSafeInteger(each));
  const hasMore = around.some((each) => each['has_more'] === true);
  const isHeartbeat =
    HEARTBEAT_NAMES.some((name) => name in fields) || HEARTBEAT_NAMES.some((name) => fields['type'] === name || fields['event'] === name);
  const isAround = LIST_NAMES.some((name) => fields[name] === null);
  if (error === null && count === null && !hasMore && !isHeartbeat && !isAround) return { kind: 'unreadable' };
  return {
    kind: 'aside',
    count: Number.isSafeInteger(count) ? Number(count) : null,
    hasMore,
    error: error === null ? null : String(error),
  };
}

function firstOf(records: Record<string, unknown>[], names: string[], fits: (value: unknown) => boolean): unknown {
  for (const record of records) for (const name of names) if (fits(record[name])) return record[name];
  return null;
}
