import type pg from 'pg';
import type { Db } from '#db/kit/open.ts';
import { chainAudit } from '#lib/audit/chain-audit.ts';
import { UNCOVERED, VERIFIED_TABLES } from '#lib/evidence/verify/coverage.ts';
import { rewriteChain } from './rewrite-chain.ts';

/** The ways stored rows are tampered with. */
export const TAMPER_KINDS = ['changed', 'swapped', 'deleted', 'inserted', 'truncated', 'renumbered', 'rechained'] as const;
export type TamperKind = (typeof TAMPER_KINDS)[number];

export interface Tamper {
  kind: TamperKind;
  /** What was done, to be read by a person. */
  what: string;
}

type Table = (typeof VERIFIED_TABLES)[number];

/** A row whose change means something; tables without a condition: any row. */
const ROWS: Partial<Record<Table, string>> = {
  // Responses that a link of version 2 binds: of its slices, and the control answers of its own pull.
  response: `(exists (select from snapshot_slice b where b.game_id = t.game_id and b.slice_id = t.slice_id)
    or exists (select from snapshot s where s.game_id = t.game_id and s.snapshot_id = t.snapshot_id and s.pull_id = t.pull_id))`,
  audit: `audit_id in (select audit_id from audit_link)`,
};

const OTHER_PERSON = (column: string, other: string): string =>
  `(select p.id from person p where p.id is distinct from t.${column} and p.id is distinct from t.${other} order by p.id limit 1)`;

/** Columns that constraints bind: what they are set to, and of which rows. */
const CHANGES: Readonly<Record<string, { set: string; where?: string }>> = {
  'snapshot.status': { set: `status = case status when 'inconsistent' then 'open' else 'inconsistent' end` },
  'snapshot.digest_version': { set: 'digest_version = 1, facts_digest = null', where: 'chain_no > 1' },
  'snapshot_check.severity': { set: `severity = case severity when 'hard' then 'warning' else 'hard' end` },
  'snapshot_recipient.identity_digest': { set: `identity_digest = sha256(identity_digest)`, where: 'identity_digest is not null' },
  'response.purpose': { set: `purpose = case purpose when 'page' then 'fill' else 'page' end` },
  'response.body': { set: 'body = set_byte(body, length(body) / 2, get_byte(body, length(body) / 2) # 1)' },
  'detail_month.snapshot_id': { set: 'snapshot_id = (select max(s.snapshot_id) from snapshot s where s.game_id = t.game_id and s.snapshot_id <> t.snapshot_id)' },
  'recipient_erasure.recipient_player_id': { set: 'recipient_player_id = 9010' },
  'refund.state': { set: `state = 'not_landed', outcome_source = null`, where: `state = 'landed'` },
  'refund.outcome_source': {
    set: `outcome_source = case outcome_source when 'receipt' then 'replay' else 'receipt' end`,
    where: `state = 'landed'`,
  },
  'refund.content_digest': { set: `content_digest = sha256(content_digest), approved_digest = sha256(content_digest)` },
  'refund.approved_digest': { set: `content_digest = sha256(content_digest), approved_digest = sha256(content_digest)` },
  'refund.needs_second_approver': { set: 'needs_second_approver = false', where: 'needs_second_approver' },
  'refund.approved_by': { set: `approved_by = ${OTHER_PERSON('approved_by', 'requested_by')}`, where: 'approved_by is not null' },
  'refund.requested_by': { set: `requested_by = ${OTHER_PERSON('requested_by', 'approved_by')}` },
  'refund.receipt': { set: `receipt = receipt || '{"card_refunded_usd": "0.07"}'`, where: 'receipt is not null' },
  'refund.transaction_id': { set: `transaction_id = transaction_id || 'x'`, where: `state = 'landed'` },
  'refund.total_refunded_amount_usd': { set: 'total_refunded_amount_usd = total_refunded_amount_usd + 0.01', where: `state = 'landed'` },
  'refund.attempt_count': { set: 'attempt_count = attempt_count + 1', where: 'attempt_count > 0' },
  'refund_attempt.class': { set: `class = case class when 'landed' then 'replayed' else 'landed' end` },
  'refund_attempt.phase': { set: `phase = case phase when 'answered' then 'sent' else 'answered' end` },
  'refund_attempt.body': {
    set: 'body = set_byte(body, length(body) / 2, get_byte(body, length(body) / 2) # 1)',
    where: 'body is not null',
  },
  'refund_decision.decision': { set: `decision = case decision when 'landed' then 'not_landed' else 'landed' end` },
  'refund_decision.proposed_by': { set: `proposed_by = ${OTHER_PERSON('proposed_by', 'confirmed_by')}` },
  'refund_decision.confirmed_by': {
    set: `confirmed_by = ${OTHER_PERSON('confirmed_by', 'proposed_by')}`,
    where: 'confirmed_by is not null',
  },
};

const CHANGE_OF_TYPE: Readonly<Record<string, (column: string) => string>> = {
  integer: (column) => `coalesce(${column}, 0) + 100003`,
  bigint: (column) => `coalesce(${column}, 0) + 100003`,
  numeric: (column) => `coalesce(${column}, 0) + 0.01`,
  boolean: (column) => `not coalesce(${column}, false)`,
  text: (column) => `coalesce(${column}, '') || 'x'`,
  'timestamp with time zone': (column) => `coalesce(${column}, '2026-01-01Z') + interval '1 hour'`,
  bytea: (column) => `sha256(coalesce(${column}, '') || 'x'::bytea)`,
  jsonb: (column) => `coalesce(${column}, '{}') || '{"tampered": 1}'`,
};

export interface Column {
  table: Table;
  name: string;
  type: string;
  isKey: boolean;
}

const COLUMNS = `
  select c.table_name as "table", c.column_name as name, c.data_type as type, exists (
    select from pg_index i where i.indrelid = c.table_name::regclass and i.indisunique
      and (select attnum from pg_attribute where attrelid = i.indrelid and attname = c.column_name) = any(i.indkey)) as "isKey"
  from information_schema.columns c where c.table_schema = 'public' and c.table_name = any($1) and c.column_name <> 'game_id'
  order by 1, 2`;

/** Not all kinds make sense of all tables: `.github/docs/verify.md` states what is left out here. */
const DELETED = VERIFIED_TABLES.filter((table) => table !== 'recheck' && table !== 'detail_month');
const INSERTED: Partial<Record<Table, string>> = {
  slice: 'version = t.version + 100',
  slice_recipient: 'recipient_player_id = 77',
  renewal_line: 'period_id = 77',
  reversal_line: 'period_id = 77',
  refund_event: 'event_no = 77',
  snapshot_slice: 'slice_no = 77, slice_id = 77',
  snapshot_check: 'check_no = 77',
  snapshot_recipient: 'recipient_player_id = 77',
  response: 'purpose = purpose',
  refund_attempt: 'attempt_no = 77',
  refund_decision: 'decision_no = 77',
  recipient_erasure: 'recipient_player_id = 9010',
  audit_link: 'position = 100077, audit_id = 100077',
};
const RENUMBERED = [
  'update snapshot set chain_no = chain_no + 1000 where chain_no > 1',
  'update snapshot set snapshot_id = snapshot_id + 1000 where chain_no > 2',
  'update slice set slice_id = slice_id + 1000 where slice_id > 2',
  'update refund set refund_id = refund_id + 1000',
  'update audit_link set position = position + 1000 where position > 5',
  'update audit set audit_id = audit_id + 1000 where audit_id > 5',
  'update snapshot_slice set slice_no = slice_no + 1000 where slice_no > 1',
  'update snapshot_check set check_no = check_no + 1000 where check_no > 4',
  'update refund_event set event_no = event_no + 1000 where event_no > 1',
  'update refund_attempt set attempt_no = attempt_no + 1000 where attempt_no > 1',
];

/** A source of numbers from 0 up to 1, the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export type Draw = <T>(list: readonly T[]) => T;

/** Draws an element of a list by a source of numbers from 0 up to 1. Throws when the list is empty. */
export function drawBy(random: () => number): Draw {
  return (list) => {
    const picked = list[Math.floor(random() * list.length)];
    if (picked === undefined) throw new Error('nothing to draw from');
    return picked;
  };
}

/** Lists the columns that tampers are drawn from: those of the verified tables, without the uncovered ones. */
export async function listCoveredColumns(client: pg.ClientBase | pg.Pool): Promise<Column[]> {
  const { rows } = await client.query<Column>(COLUMNS, [VERIFIED_TABLES]);
  return rows.filter(({ table, name }) => !Object.hasOwn(UNCOVERED, `${table}.${name}`));
}

/** Draws one tamper of a kind and carries it out; null when what was drawn changes nothing, or a constraint refuses it even so. */
export async function drawTamper(
  client: pg.PoolClient,
  view: Db,
  { kind, random, columns, gameId }: { kind: TamperKind; random: () => number; columns: Column[]; gameId: number },
): Promise<Tamper | null> {
  const pick = drawBy(random);
  const statement = await writeStatement(client, kind, { pick, columns });
  if (statement === null) return null;
  await client.query('savepoint drawn');
  try {
    const { rowCount } = await client.query(statement);
    if (kind === 'rechained') {
      await rewriteChain(view, client, gameId);
      await relinkAudit(view);
    }
    return kind === 'truncated' || (rowCount ?? 0) > 0 ? { kind, what: statement.replace(/\s+/g, ' ') } : null;
  } catch (error) {
    // A check or a unique index refuses it for every login: drawn again.
    if (!String((error as { code?: unknown }).code).startsWith('23')) throw error;
    await client.query('rollback to savepoint drawn');
    return null;
  }
}

async function writeStatement(
  client: pg.PoolClient,
  kind: TamperKind,
  { pick, columns }: { pick: Draw; columns: Column[] },
): Promise<string | null> {
  switch (kind) {
    case 'changed': {
      const column = pick(columns);
      const { set, where = 'true' } = CHANGES[`${column.table}.${column.name}`] ?? { set: `${column.name} = ${changeOf(column)}` };
      const row = await pickRow(client, pick, column.table, where);
      return row === null ? null : `update ${column.table} t set ${set} where ctid = '${row}'`;
    }
    case 'swapped': {
      const { table, name } = pick(
        columns.filter((column) => !column.isKey && !/^(refund|refund_.*|snapshot|recipient_.*)$/.test(column.table)),
      );
      const [one, other] = [await pickRow(client, pick, table, 'true'), await pickRow(client, pick, table, 'true')];
      if (one === null || other === null) return null;
      return `update ${table} t set ${name} = o.${name} from ${table} o
        where t.ctid in ('${one}', '${other}') and o.ctid in ('${one}', '${other}') and o.ctid <> t.ctid and o.${name} is distinct from t.${name}`;
    }
    case 'deleted': {
      const table = pick(DELETED);
      // Without its newest link a chain is a shorter one: only an exported head shows that.
      const row = await pickRow(client, pick, table, table === 'audit_link' ? 'position < (select max(position) from audit_link)' : 'true');
      return row === null ? null : `delete from ${table} where ctid = '${row}'`;
    }
    case 'inserted': {
      const table = pick(Object.keys(INSERTED) as Table[]);
      const row = await pickRow(client, pick, table, 'true');
      return row === null ? null : copyRow(client, table, row, INSERTED[table] ?? '');
    }
    case 'truncated':
      return `truncate ${pick(VERIFIED_TABLES.filter((table) => !['recheck', 'detail_month', 'audit_link'].includes(table)))} cascade`;
    case 'renumbered':
      return pick(RENUMBERED);
    case 'rechained':
      return pick([
        `update snapshot set created_at = created_at - interval '30 days' where chain_no = 2`,
        `update response set received_at = received_at - interval '30 days' where slice_id = 1`,
        `update snapshot_recipient set identity_digest = sha256(identity_digest) where recipient_player_id = 9010`,
        `update audit set actor = 'nobody' where audit_id = 3`,
        `delete from audit where audit_id = 4`,
      ]);
  }
}

/** Another value of a column of a row `t`, and the rows whose change means something; null: others change with it. */
export function changeAlone(column: Column): { value: string; where: string } | null {
  const ofTable = ROWS[column.table] ?? 'true';
  const bound = CHANGES[`${column.table}.${column.name}`];
  if (bound === undefined) return { value: changeOf(column), where: ofTable };
  const [, value = '', ...others] = bound.set.split(/(?:^|, )\w+ = /);
  return others.length > 0 ? null : { value, where: `${bound.where ?? 'true'} and ${ofTable}` };
}

function changeOf({ type, name }: Column): string {
  const change = CHANGE_OF_TYPE[type];
  if (!change) throw new Error(`no change for the type ${type}`);
  return change(`t.${name}`);
}

async function pickRow(client: pg.PoolClient, pick: Draw, table: Table, where: string): Promise<string | null> {
  const { rows } = await client.query<{ at: string }>(
    `select ctid::text as at from ${table} t where ${where} and ${ROWS[table] ?? 'true'} order by ctid`,
  );
  return rows.length === 0 ? null : pick(rows).at;
}

/** The statement that adds a row like another one under another key. */
async function copyRow(client: pg.PoolClient, table: Table, row: string, change: string): Promise<string> {
  const { rows } = await client.query<{ name: string; identity: boolean }>(
    `select column_name as name, is_identity = 'YES' as identity from information_schema.columns where table_name = $1 and table_schema = 'public' order by ordinal_position`,
    [table],
  );
  const changed = new Map(change.split(', ').map((part) => part.split(' = ') as [string, string]));
  const names = rows.filter(({ identity }) => !identity).map(({ name }) => name);
  return `insert into ${table} (${names.join(', ')}) select ${names.map((name) => changed.get(name) ?? `t.${name}`).join(', ')} from ${table} t where ctid = '${row}'`;
}

/** The audit chained again as it is now, as a person could do to hide a change. */
async function relinkAudit(view: Db): Promise<void> {
  await view.deleteFrom('audit_link').execute();
  await chainAudit(view);
}
