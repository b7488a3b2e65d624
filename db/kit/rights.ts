import { sql } from 'kysely';
import { type Db, inTransaction } from './open.ts';

/** The logins of the web processes, and of the workers and the commands, where `roles.sql` created them. */
const LOGINS = ['sharebook_web', 'sharebook_worker'] as const;
type Login = (typeof LOGINS)[number];

type Rights = Readonly<Record<'web' | 'worker', readonly string[]>>;

const READ = ['select'];
const ADD = ['select', 'insert'];
const CHANGE = [...ADD, 'update'];
const ALL = [...CHANGE, 'delete'];

const pulled: Rights = { web: READ, worker: ADD };
const derived: Rights = { web: READ, worker: ALL };
const added: Rights = { web: ADD, worker: ADD };
const changed: Rights = { web: CHANGE, worker: CHANGE };
const working: Rights = { web: ALL, worker: ALL };
/** An erasure removes what names a recipient. */
const named: Rights = { web: READ, worker: [...ADD, 'update (player_email)', 'update (player_name)', 'update (identity_id)'] };
const ERASED_DETAIL = ['identity_id', 'holder_kind', 'method', 'country', 'sealed', 'mask', 'fingerprint', 'salt', 'erased_at'].map(
  (column) => `update (${column})`,
);
const selectOf = (...columns: string[]): string[] => columns.map((column) => `select (${column})`);
const BYTES = ['update (body)', 'update (sha256)', 'update (is_redacted)'];
/** Payouts are decided by people; the lines of a draft are replaced each time it is composed. */
const payouts = (web: readonly string[]): Rights => ({ web, worker: READ });
const signIn: Rights = { web: ALL, worker: [] };

/**
 * What each login may do with each table of ours: no more than its code does. No login owns a table, so none truncates, drops or alters one, or
 * turns off a trigger. `migrate` applies the list; a test compares it with the tables and the triggers that keep evidence.
 */
export const RIGHTS: Readonly<Record<string, Rights>> = {
  slice: pulled,
  slice_recipient: named,
  renewal_line: pulled,
  reversal_line: pulled,
  refund_event: pulled,
  response: { web: READ, worker: [...ADD, ...BYTES, 'update (inflated_byte_count)'] },
  snapshot: pulled,
  snapshot_slice: pulled,
  snapshot_check: pulled,
  snapshot_recipient: named,
  recipient_salt: { web: READ, worker: [...ADD, 'delete'] },
  recipient_erasure: pulled,
  recheck: pulled,
  audit: added,
  audit_link: pulled,
  report_read: { web: ADD, worker: [...ADD, ...BYTES] },
  refund_read: added,
  // Web processes send desk actions, so they find a restore too.
  database_restore: added,
  // The commands record what `verify` found.
  verification: pulled,

  refund: changed,
  refund_attempt: changed,
  refund_decision: changed,
  refund_pause: changed,
  // People send from web processes; the worker settles.
  desk_action: changed,
  desk_action_attempt: changed,
  desk_action_read: added,
  desk_action_decision: changed,
  action_pause: changed,

  payout_policy: payouts(CHANGE),
  payout_minimum: payouts(ADD),
  payout_run: payouts(CHANGE),
  payout_hold: payouts(CHANGE),
  // An erasure empties the details of a recipient; the trigger allows the worker nothing else.
  payee_detail: { web: CHANGE, worker: [...READ, ...ERASED_DETAIL] },
  payout_adjustment: payouts(CHANGE),
  payout_reversal: payouts([...ADD, 'delete']),
  payout_line: payouts([...ADD, 'delete']),
  payout_note: payouts(ADD),
  payout_editor: payouts(ADD),
  payout_approval: payouts(ADD),
  unattributed_finding: payouts(ADD),
  payout_item: payouts(CHANGE),
  payout_sender: payouts(CHANGE),
  payout_batch: payouts(CHANGE),
  ach_file_id: payouts(ADD),
  payment_report: payouts(ADD),
  payment_confirmation: payouts(ADD),
  payment_report_row: payouts(CHANGE),
  account_map: payouts(ADD),
  journal_entry: payouts(ADD),
  journal_transfer: payouts(ADD),
  // Drawn on the first request; an erasure removes what names a recipient.
  recipient_statement: { web: ADD, worker: [...ADD, 'delete'] },
  statement_job: { web: ADD, worker: CHANGE },
  // Inserted when a restore is found, ended by two people.
  payout_pause: changed,

  // Requested on a page or by a command, read by the worker, deleted after a month.
  balance_job: changed,
  balance_entry: { web: ADD, worker: ALL },
  balance_held: { web: READ, worker: [...ADD, 'delete'] },

  notice: added,
  notice_delivery: changed,
  notice_setting: payouts(CHANGE),

  // Received by the pages' login; the worker reads what they open, moves their state on and removes bodies after 90 days.
  delivery: changed,
  delivery_subject: added,
  delivery_repeat: added,
  delivery_read: changed,
  delivery_refusal: { web: CHANGE, worker: READ },

  game_lock: changed,
  game: changed,
  refund_limit: changed,
  action_limit: payouts(CHANGE),
  action_switch: payouts(CHANGE),
  action_setting: payouts(CHANGE),
  milestone_name: payouts([...ADD, 'delete']),
  // Phones are opened by web processes alone; an erasure sees which players are house accounts, and a command what people call them.
  house_account: { web: CHANGE, worker: selectOf('game_id', 'house_account_id', 'player_id', 'label', 'removed_at') },
  // Device codes too; the worker ends the grants of what ended, and a command says what a phone answered.
  device_grant: {
    web: CHANGE,
    worker: [
      ...selectOf('game_id', 'action_id', 'grant_id', 'state', 'requested_at', 'expires_at'),
      'update (state)',
      'update (sealed_code)',
      'update (next_poll_at)',
    ],
  },
  // And the phones of starts that wait for an owner; what ended needs none.
  held_phone: { web: ALL, worker: ['select (game_id)', 'select (action_id)', 'delete'] },
  pull: changed,
  pull_schedule: changed,
  detail_job: changed,
  detail_setting: changed,
  unattributed_renewal: working,
  rate_bucket: working,
  rate_call: working,
  detail_read: working,
  known_id: working,
  known_order: working,
  known_player: working,
  known_subscription: working,
  known_transfer: working,
  rendition: working,
  rendition_part: working,
  month_comparison: { web: READ, worker: ALL },
  snapshot_day: { web: READ, worker: ADD },
  // A page records who a person looked up; an erasure removes it.
  look_up: { web: ALL, worker: [...READ, 'delete'] },
  current_window: derived,
  snapshot_drift: derived,
  repeated_reversal: derived,
  detail_month: derived,
  database_mark: changed,

  // What locks a row needs a column that may be updated; the worker locks the demo's people.
  person: { web: CHANGE, worker: [...READ, 'update (updated_at)'] },
  person_confirmation: { web: [...ADD, 'update (ended_at)'], worker: READ },
  person_password: { web: ALL, worker: ['select (person_id)', 'select (set_at)'] },
  person_session: signIn,
  set_up_link: signIn,
  sign_in_attempt: signIn,
  started_sign_in: { web: [...ADD, 'delete'], worker: [] },
  // The worker counts for doctor who has a second factor and reads no secret and no code.
  second_factor: {
    web: [...ADD, 'update (sealed_secret)', 'update (made_at)', 'update (confirmed_at)', 'update (last_step)', 'delete'],
    worker: ['select (person_id)', 'select (confirmed_at)'],
  },
  backup_code: { web: [...ADD, 'update (used_at)', 'delete'], worker: [] },
  second_factor_role: { web: [...ADD, 'delete'], worker: READ },

  kysely_migration: { web: READ, worker: READ },
  kysely_migration_lock: { web: READ, worker: READ },
};

/** Whether the login of a connection could change evidence or turn off what protects it: a superuser, or an owner of the tables. */
export async function canChangeEvidence(db: Db): Promise<boolean> {
  const { rows } = await sql<{ can: boolean }>`
    select bool_or(pg_has_role(relowner, 'member')) as can from pg_class
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`.execute(db);
  return rows[0]?.can ?? false;
}

/**
 * Gives each login exactly its listed rights, where the logins exist and the tables belong to the current role. `again`: also those it has, which another
 * server of the database may not know.
 */
export async function grantRights(db: Db, { again = false } = {}): Promise<void> {
  await inTransaction(db, async (transaction) => {
    // On a distributed database, shards that refer to another table are changed one after another.
    await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(transaction);
    // Two commands may migrate at once, and the catalog refuses two changes of one row.
    await sql`select pg_advisory_xact_lock(hashtext('sharebook roles'))`.execute(transaction);
    for (const login of await listLogins(transaction)) {
      const [given, listed] = [await listGiven(transaction, login), await listListed(transaction, login)];
      for (const right of listed.filter((each) => again || !given.includes(each)))
        await sql.raw(`grant ${right} to ${login}`).execute(transaction);
      for (const right of given.filter((each) => !listed.includes(each)))
        await sql.raw(`revoke ${right} from ${login}`).execute(transaction);
    }
  });
}

async function listLogins(db: Db): Promise<Login[]> {
  const { rows } = await sql<{ login: Login }>`
    select rolname as login from pg_roles where rolname in (${sql.join(LOGINS)})
      and (select pg_has_role(relowner, 'usage') from pg_class where oid = 'game'::regclass)`.execute(db);
  return rows.map(({ login }) => login);
}

/** The rights a login has in this database, as GRANT says them. */
async function listGiven(db: Db, login: Login): Promise<string[]> {
  const { rows } = await sql<{ given: string }>`
    select lower(privilege_type) || case when relkind = 'S' then ' on sequence ' else ' on ' end || oid::regclass as given
      from pg_class, aclexplode(relacl) where grantee = ${login}::regrole and ${OURS}
    union all
    select format('%s (%I) on %s', lower(privilege_type), attname, pg_class.oid::regclass)
      from pg_class join pg_attribute on attrelid = pg_class.oid, aclexplode(attacl) where grantee = ${login}::regrole and ${OURS}
    union all
    select lower(privilege_type) || ' on schema ' || nspname from pg_namespace, aclexplode(nspacl)
      where grantee = ${login}::regrole and nspname = 'pgboss'`.execute(db);
  return rows.map(({ given }) => given);
}

/** The rights a login should have: those of the list, all views, and for the worker the tables of the job engine. */
async function listListed(db: Db, login: Login): Promise<string[]> {
  const side = login === 'sharebook_web' ? 'web' : 'worker';
  const { rows } = await sql<{ name: string; kind: string; table: string | null }>`
    select oid::regclass::text as name, relkind as kind, refobjid::regclass::text as "table"
    from pg_class left join pg_depend on objid = oid and classid = 'pg_class'::regclass and deptype = 'i' and relkind = 'S'
    where ${OURS}`.execute(db);
  const listed = Object.entries(RIGHTS).flatMap(([table, rights]) => rights[side].map((right) => `${right} on ${table}`));
  const others = rows.flatMap(({ name, kind, table }) => {
    if (kind === 'v') return [`select on ${name}`];
    if (kind === 'S') return table !== null && RIGHTS[table]?.[side].includes('insert') ? [`usage on sequence ${name}`] : [];
    return side === 'worker' && name.startsWith('pgboss.') ? ALL.map((right) => `${right} on ${name}`) : [];
  });
  return [...listed, ...others, ...(side === 'worker' ? ['usage on schema pgboss'] : [])];
}

/** Tables, their partitions and numberings, and views, those of extensions apart. */
const OURS = sql`relkind in ('r', 'p', 'v', 'S') and relnamespace::regnamespace::text in ('public', 'pgboss')
  and not exists (select from pg_depend made where made.objid = pg_class.oid and made.classid = 'pg_class'::regclass and made.deptype = 'e')`;
