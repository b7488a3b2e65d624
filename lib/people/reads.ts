import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { accountStatus, CONFIRMATION_VERSION } from '#lib/approvals/reads.ts';
import {
  type AccountRefusal,
  type AccountStatus,
  type ApproverAccounts,
  type ApproverRefusal,
  accountRefusalOf,
  approverRefusalOf,
} from '#lib/approvals/rules/approval.ts';
import type { Game } from '#lib/core/game.ts';
import { type Capability, may, orderRoles, ROLES, type Role } from '#lib/core/roles.ts';
import { parseEnum } from '#lib/core/strings.ts';
import { STORED_GAME } from '#lib/games/reads/stored-games.ts';
import { type ConfirmationBasis, IDLE_MINUTES, IDLE_ROLES } from './rules/person.ts';

/** A session that has not ended, with its person as they are now. */
export interface StoredSession {
  id: string;
  email: string;
  name: string;
  roles: Role[];
  /**
   * How long ago the password, and the code where the person has a second factor, was given in this session, by the database clock; null: not since they
   * signed in, or another token replaced this one. Unit: milliseconds.
   */
  proved_ms: number | null;
  /** Whether the account counts as one of two people. */
  account: AccountStatus;
  /** Approving needs a code of theirs besides the password. */
  hasFactor: boolean;
  /** One of their roles needs a second factor and they have none: they may set it up and nothing else. */
  mustSetUpFactor: boolean;
  /** Single keys act on pages. */
  hasShortcuts: boolean;
  /** Every stored game: each page shows them, so one statement reads both. */
  games: Game[];
}

// A session ends at its time, and for some roles when it wasn't used for a while.
const LEFT = sql`least(expires_at, case when person.roles && ${[...IDLE_ROLES]}::text[]
  then person_session.seen_at + make_interval(mins => ${IDLE_MINUTES}) end) - clock_now()`;
/** Whether a row of `person` has a second factor whose set-up is finished. */
export const HAS_FACTOR: RawBuilder<boolean> = sql<boolean>`exists (select from second_factor where person_id = person.id and confirmed_at is not null)`;
const NEEDS_FACTOR = sql<boolean>`person.roles && array(select role from second_factor_role)`;

/**
 * Finds a session that has not ended, by the digest of its token, with its person and the stored games; null: there is none, or the person is disabled.
 * Once a minute, the statement records that the session is in use.
 */
export async function findStoredSession(db: Db, tokenDigest: string): Promise<StoredSession | null> {
  const row = await db
    .with('found', (cte) =>
      cte
        .selectFrom('person_session')
        .innerJoin('person', 'person.id', 'person_session.person_id')
        .where('person_session.token_digest', '=', tokenDigest)
        .where(sql<boolean>`${LEFT} > interval '0'`)
        .where('person.disabled_at', 'is', null)
        .select([
          'person.id',
          'person.email',
          'person.name',
          'person.roles',
          'person.has_shortcuts as hasShortcuts',
          sql<number | null>`floor(extract(epoch from clock_now() - person_session.proved_at) * 1000)::int`.as('proved_ms'),
          statusOf('person').as('account'),
          HAS_FACTOR.as('hasFactor'),
          sql<boolean>`${NEEDS_FACTOR} and not ${HAS_FACTOR}`.as('mustSetUpFactor'),
        ]),
    )
    .with('seen', (cte) =>
      cte
        .updateTable('person_session')
        .from('found')
        .set({ seen_at: sql`clock_now()` })
        .where('person_session.token_digest', '=', tokenDigest)
        .where('person_session.seen_at', '<', sql<string>`clock_now() - interval '1 minute'`)
        .returning('person_session.token_digest'),
    )
    .selectFrom('found')
    .selectAll()
    .select(sql<Game[]>`(select coalesce(json_agg(${STORED_GAME}), '[]') from game)`.as('games'))
    .executeTakeFirst();
  return row === undefined ? null : { ...row, roles: rolesOf(row.roles) };
}

/** Whom a sign-in by email and password may be for. */
export interface SignInCandidate {
  id: string;
  email: string;
  /** Of their password; null: they have set none. */
  hash: string | null;
  isDisabled: boolean;
  hasFactor: boolean;
}

/** Finds whom an email, in lower case, belongs to; null: nobody has it. */
export async function findSignInCandidate(db: Db, email: string): Promise<SignInCandidate | null> {
  const found = await db
    .selectFrom('person')
    .leftJoin('person_password', 'person_password.person_id', 'person.id')
    .where('email', '=', email)
    .select(['person.id', 'email', 'hash', HAS_FACTOR.as('hasFactor'), sql<boolean>`disabled_at is not null`.as('isDisabled')])
    .executeTakeFirst();
  return found ?? null;
}

/** Parses roles as they are stored. Throws for one that is not on the list. */
export function rolesOf(stored: readonly string[]): Role[] {
  return orderRoles(stored.map((role) => parseEnum(ROLES, role)));
}

/** What decides now whether a person may approve what another one prepared. */
export interface Approver {
  /** None when they are disabled. */
  roles: Role[];
  accounts: ApproverAccounts;
}

/** Finds whether a person may approve what another one prepared, by what is stored now; null when there is no such person. */
export async function findApprover(db: Db, personId: string, preparerId: string): Promise<Approver | null> {
  const found = await accountsOf(db, personId, sql<string>`${preparerId}::text`)
    .select(['person.roles', 'person.disabled_at'])
    .executeTakeFirst();
  if (found === undefined) return null;
  const { roles, disabled_at, ...accounts } = found;
  return { roles: disabled_at === null ? rolesOf(roles) : [], accounts };
}

/** Selects whether the accounts of a person and of who prepared something count as two people, for a statement of its own or as a nested row. */
export function accountsOf(db: Db, personId: string, preparerId: RawBuilder<string>) {
  return db
    .selectFrom('person')
    .innerJoin('person as preparer', (join) => join.on('preparer.id', '=', preparerId))
    .where('person.id', '=', personId)
    .select([statusOf('person').as('own'), statusOf('preparer').as('preparer')]);
}

/** Finds whether a person's account counts as one of two people now; null when there is no such person. */
export async function findAccountStatus(db: Db, personId: string): Promise<AccountStatus | null> {
  const found = await db.selectFrom('person').select(statusOf('person').as('own')).where('id', '=', personId).executeTakeFirst();
  return found?.own ?? null;
}

/** Finds why a person can't decide now on what another one prepared, by their right and both accounts; null: they can. */
export async function findApproverRefusal(
  db: Db,
  personId: string,
  { right, preparerId }: { right: Capability; preparerId: string },
): Promise<'not_allowed' | ApproverRefusal | null> {
  const approver = await findApprover(db, personId, preparerId);
  return approver !== null && may(approver.roles, right) ? approverRefusalOf(approver.accounts) : 'not_allowed';
}

/** Finds why a person can't do now what takes a right and an account that counts as one of two people; null: they can. */
export async function findAccountRefusal(db: Db, personId: string, right: Capability): Promise<'not_allowed' | AccountRefusal | null> {
  const self = await findApprover(db, personId, personId);
  return self !== null && may(self.roles, right) ? accountRefusalOf(self.accounts.own) : 'not_allowed';
}

const statusOf = (person: 'person' | 'preparer'): RawBuilder<AccountStatus> => sql<AccountStatus>`(${accountStatus(person)})`;

/** The hash of a person's password; null when they have set none. */
export async function findPasswordHash(db: Db, personId: string): Promise<string | null> {
  return (await db.selectFrom('person_password').select('hash').where('person_id', '=', personId).executeTakeFirst())?.hash ?? null;
}

/** A person who confirmed an account. */
interface ConfirmationRow {
  basis: ConfirmationBasis;
  /** Name of the person; null: the operator, or nobody for an upgrade and simulated data. */
  by: string | null;
  byId: string | null;
}

/** A person as Settings shows them. */
export interface PersonRow {
  id: string;
  email: string;
  name: string;
  roles: Role[];
  /** Roles that wait for a second person, and the admin who requested them; null: none. */
  request: { roles: Role[]; by: { id: string; name: string }; at: string } | null;
  /** Whether the account counts as one of two people now. */
  status: AccountStatus;
  /** Until when a confirmed account doesn't count yet; null: it doesn't wait. */
  waitsUntil: string | null;
  /** Two stood behind the account, or the operator at the start. */
  isConfirmed: boolean;
  /** What a confirmation is bound to: the newest row about the account, and when its password was set. */
  confirmationVersion: string;
  /** Who confirmed the account, as it counts now, and what makes it doubtful, oldest first. */
  confirmations: ConfirmationRow[];
  isDisabled: boolean;
  /** Has set a password, so can sign in unless disabled. */
  hasPassword: boolean;
  /** Signing in needs a code of theirs. */
  hasFactor: boolean;
  /** When their open link expires; null: there is none. */
  linkUntil: string | null;
  /** Sessions that have not ended. */
  sessionCount: number;
  lastSignedInAt: string | null;
  /** The database's clock when this was read: ages are computed from it. */
  readAt: string;
}

/** Everyone who was ever added: those who can sign in first, then by name; and the roles that need a second factor. */
export async function listPeople(db: Db): Promise<{ people: PersonRow[]; requiredRoles: Role[] }> {
  const rows = await db
    .selectFrom('person')
    .leftJoin('person_password', 'person_password.person_id', 'person.id')
    .leftJoin('person as admin', 'admin.id', 'person.roles_requested_by')
    .select(['person.requested_roles as requested', 'person.roles_requested_at as at', 'admin.id as admin_id', 'admin.name as admin_name'])
    .select([
      'person.id',
      'person.email',
      'person.name',
      'person.roles',
      statusOf('person').as('status'),
      sql<string | null>`case when person.counts_from > clock_now() then person.counts_from end`.as('waitsUntil'),
      sql<boolean>`person.account_confirmed_at is not null`.as('isConfirmed'),
      sql<string>`${sql.raw(CONFIRMATION_VERSION)}`.as('confirmationVersion'),
      sql<
        ConfirmationRow[]
      >`coalesce((select json_agg(json_build_object('basis', c.basis, 'by', giver.name, 'byId', giver.id) order by c.confirmation_no)
        from person_confirmation c left join person giver on giver.id = c.given_by
        where c.person_id = person.id and c.ended_at is null), '[]')`.as('confirmations'),
      sql<boolean>`person.disabled_at is not null`.as('isDisabled'),
      sql<boolean>`person_password.person_id is not null`.as('hasPassword'),
      HAS_FACTOR.as('hasFactor'),
      sql<string[]>`array(select role from second_factor_role)`.as('required'),
      sql<string | null>`(select max(expires_at) from set_up_link link
        where link.person_id = person.id and used_at is null and withdrawn_at is null and expires_at > clock_now())`.as('linkUntil'),
      sql<number>`(select count(*) from person_session s where s.person_id = person.id and expires_at > clock_now())`.as('sessionCount'),
      sql<string | null>`(select max(at) from audit where audit.actor = person.email and act = 'signed in')`.as('lastSignedInAt'),
      sql<string>`(select clock_now())`.as('readAt'),
    ])
    .orderBy(sql`person.disabled_at is not null`)
    .orderBy('person.name')
    .orderBy('person.email')
    .execute();
  const people = rows.map(({ requested, at, admin_id: id, admin_name: name, required: _, ...person }) => ({
    ...person,
    roles: rolesOf(person.roles),
    request: requested === null || at === null || id === null ? null : { roles: rolesOf(requested), by: { id, name: name ?? id }, at },
  }));
  return { people, requiredRoles: rolesOf(rows[0]?.required ?? []) };
}
