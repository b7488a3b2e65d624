import { resumeAsShown } from '#e2e/support/refunds/resume-as-shown.ts';
import { approveRaise, changeLimit } from '#lib/approvals/change-limit.ts';
import { pause } from '#lib/approvals/pause.ts';
import type { Actor, Role } from '#lib/core/roles.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import { decideProposedPolicy, proposePolicy } from '#lib/payouts/adjust-balance.ts';
import { addPerson, changeRoles, disablePerson, enablePerson, resetPasswordLink } from '#lib/people/manage-people.ts';
import { approveRoles, confirmAsOperator, confirmPerson } from '#lib/people/second-person.ts';
import { createSetUpLink, useSetUpLink } from '#lib/people/set-up-link.ts';
import { listStoredPeople, type StoredPerson } from '#lib/people/writes/people.ts';
import { resetFactor } from '#lib/two-factor/manage-factors.ts';
import type { TestEnvironment } from '../test-environment.ts';

// Mallory is one dishonest person: the first admin, with the role finance. Fiona and Bob are honest, and so is the operator. An honest person uses links for
// their own account only, and confirms an account only when the person it names, or Mallory for Mallory's own, is the one who uses it. Whom honest people invite
// is Nora, who is honest too and whose email they know.
export type Someone = 'mallory' | 'fiona' | 'bob' | 'nora';
/** Instead of a number: the account that was added last, or the link that was made last. */
export const NEWEST = -1;
export const DAY = { accountWait_hours: 24 };
const POLICY = {
  minimum: '10.00',
  secondApprovalFrom: '',
  recheckHours: 24,
  changePercent: 50,
  firstPaymentFrom: '1.00',
  holdsBaseMismatch: true,
};

/** What is known of an account beside the database: who it names and who uses it. */
export interface Account {
  id: string;
  /** null: a person who doesn't exist, at an email of Mallory's. */
  names: Someone | null;
  /** null: nobody can sign in yet. */
  usedBy: Someone | null;
}

const CLEARED_EVERY = 100;
/** Histories started in each database. */
const started = new WeakMap<TestEnvironment, number>();

/** One history, in one database that it empties of people first. */
export class History {
  readonly testEnv: TestEnvironment;
  readonly game: OpenGame;

  constructor(testEnv: TestEnvironment, game: OpenGame) {
    this.testEnv = testEnv;
    this.game = game;
  }

  accounts: Account[] = [];
  /** Open links, with who holds them. */
  links: { token: string; accountId: string; holder: Someone }[] = [];
  /** First acts that wait for a second one, with who did them. */
  first: Record<'policy' | 'limit' | 'resume', Someone | null> = { policy: null, limit: null, resume: null };
  /** Pairs of acts that were completed, with who did both. */
  pairs: [Someone, Someone][] = [];

  static async start(testEnv: TestEnvironment, game: OpenGame): Promise<History> {
    const { pool } = testEnv;
    // Rows deleted and added by the thousand make every statement slower, and nothing reads the audit of earlier histories.
    const count = started.get(testEnv) ?? 0;
    started.set(testEnv, count + 1);
    if (count % CLEARED_EVERY === 0)
      await pool.query(
        `set session_replication_role = replica; truncate person, audit, notice, refund_limit, refund_pause, payout_policy cascade;
        set session_replication_role = origin`,
      );
    await pool.query(`set session_replication_role = replica;
      delete from audit; delete from person_confirmation; delete from second_factor; delete from set_up_link; delete from person_session; delete from person_password; delete from person;
      delete from notice_delivery; delete from notice; delete from notice_setting; delete from refund_limit; delete from refund_pause; delete from payout_policy;
      set session_replication_role = origin`);
    const history = new History(testEnv, game);
    const token = (await createSetUpLink(testEnv.db)) ?? '';
    await history.setPassword(token);
    await history.adopt('mallory', 'mallory');
    await changeRoles(
      testEnv.db,
      { actorId: history.of('mallory').id, personId: history.of('mallory').id, roles: ['finance', 'admin'] },
      DAY,
    );
    await confirmAsOperator(testEnv.db, emailOf('mallory'), DAY);
    for (const [name, roles] of [
      ['fiona', ['finance']],
      ['bob', ['finance', 'admin']],
    ] as const) {
      await history.invite('mallory', history.of('mallory'), name, [...roles]);
      await history.openLink(name, 0);
      await confirmAsOperator(testEnv.db, emailOf(name), DAY);
    }
    return history;
  }

  of(name: Someone): Account {
    const found = this.accounts.find(({ names }) => names === name);
    if (found === undefined) throw new Error(`no account of ${name}`);
    return found;
  }

  async stored(account: Account): Promise<StoredPerson> {
    const found = (await listStoredPeople(this.testEnv.db)).find(({ id }) => id === account.id);
    if (found === undefined) throw new Error('the account is gone');
    return found;
  }

  private async adopt(name: Someone | null, usedBy: Someone | null, email = emailOf(name ?? 'mallory')): Promise<Account> {
    const person = (await listStoredPeople(this.testEnv.db)).find((each) => each.email === email);
    if (person === undefined) throw new Error(`nobody has ${email}`);
    const account = { id: person.id, names: name, usedBy };
    this.accounts.push(account);
    return account;
  }

  /** Whether an honest person, or the operator, may confirm an account: the person it names uses it. */
  knows({ names, usedBy }: Account): boolean {
    return names !== null && names === usedBy;
  }

  async invite(who: Someone, by: Account, name: Someone | null, roles: Role[]): Promise<void> {
    const email = name === null ? `puppet-${this.accounts.length}@studio.example` : emailOf(name);
    const added = await addPerson(this.testEnv.db, { actorId: by.id, email, name: email, roles });
    if (!added.ok) return;
    const account = await this.adopt(name, null, email);
    this.links.push({ token: added.token, accountId: account.id, holder: name ?? who });
  }

  /** The holder of an open link uses it, and the account is theirs. */
  async openLink(who: Someone, index: number): Promise<void> {
    const held = this.links.filter(({ holder, accountId }) => holder === who && (who === 'mallory' || this.byId(accountId).names === who));
    const link = held.at(index === NEWEST ? NEWEST : index % Math.max(held.length, 1));
    if (link === undefined) return;
    this.links = this.links.filter((each) => each !== link);
    const account = this.byId(link.accountId);
    if ((await this.setPassword(link.token)).ok) {
      account.usedBy = who;
      await this.testEnv.pool.query(
        `insert into second_factor (person_id, sealed_secret, confirmed_at, last_step) values ($1, 'x', now(), 0) on conflict do nothing`,
        [account.id],
      );
    }
  }

  /** Someone confirms an account as they see it now. */
  async confirm(ids: { actorId: string; personId: string }): Promise<void> {
    const { confirmationVersion: version } = await this.stored(this.byId(ids.personId));
    await confirmPerson(this.testEnv.db, { ...ids, version });
  }

  byId(id: string): Account {
    const found = this.accounts.find((each) => each.id === id);
    if (found === undefined) throw new Error(`no account ${id}`);
    return found;
  }

  /** One step of a random history: who acts, as which of their accounts, what, about whom. */
  async step([kind = 0, actorNo = 0, targetNo = 0, more = 0]: number[]): Promise<void> {
    const used = this.accounts.filter(({ usedBy }) => usedBy !== null);
    const actor = used[actorNo % used.length];
    const target = this.accounts.at(targetNo === NEWEST ? NEWEST : targetNo % this.accounts.length);
    const who = actor?.usedBy ?? null;
    if (actor === undefined || target === undefined || who === null) return;
    const [ids, isHonest] = [{ actorId: actor.id, personId: target.id }, who !== 'mallory'];
    const roles = ROLE_SETS[more % ROLE_SETS.length] ?? ['viewer'];
    switch (kind % 16) {
      case 0:
        return await this.invite(who, actor, isHonest ? 'nora' : null, roles);
      case 1:
      case 2: {
        const isMailed = more % 3 === 0;
        const made = await resetPasswordLink(this.testEnv.db, ids, { isMailed });
        // What is shown to an honest admin they hand to the person; what is shown to Mallory, Mallory has too.
        const holder = isMailed || isHonest ? (target.names ?? 'mallory') : 'mallory';
        if (made.ok) this.links.push({ token: made.token, accountId: target.id, holder });
        return;
      }
      case 3:
      case 4:
        return await this.openLink(who, more);
      case 5: {
        // Without the second factor an account that Mallory has the password of is Mallory's: Mallory resets those.
        const done = await resetFactor(this.testEnv.db, ids, DAY);
        if (done.ok && !isHonest && target.usedBy !== null) target.usedBy = 'mallory';
        return;
      }
      case 6:
        if (isHonest && target.usedBy === 'mallory') return;
        await changeRoles(this.testEnv.db, { ...ids, roles }, DAY);
        return;
      case 7: {
        const { request } = await this.stored(target);
        if (request === null) return;
        const asker = this.byId(request.by).usedBy;
        const done = await approveRoles(this.testEnv.db, { ...ids, roles: request.roles }, DAY);
        if (done.ok && asker !== null) this.pairs.push([asker, who]);
        return;
      }
      case 8:
      case 9:
        if (isHonest && !this.knows(target)) return;
        await this.confirm(ids);
        return;
      case 10:
        if (this.knows(target)) await confirmAsOperator(this.testEnv.db, (await this.stored(target)).email, DAY);
        return;
      case 11:
        if (more % 2 === 0) await disablePerson(this.testEnv.db, ids);
        else await enablePerson(this.testEnv.db, ids, DAY);
        return;
      case 12:
        await this.passADay();
        return;
      default:
        await this.actInPair(kind % 16, actor, who);
    }
  }

  /** The first or the second act of something that takes two people. */
  async actInPair(kind: number, account: Account, who: Someone): Promise<boolean> {
    const stored = await this.stored(account);
    if (stored.isDisabled) return false;
    const actor: Actor = { id: account.id, email: stored.email, roles: stored.roles };
    if (kind === 13) {
      const { rows } = await this.testEnv.pool.query(
        'select policy_no from payout_policy where proposed_by is not null and confirmed_at is null and withdrawn_at is null',
      );
      const policyNo = rows[0]?.policy_no;
      if (policyNo === undefined) return this.started('policy', who, (await proposePolicy(this.game, actor, POLICY)).ok);
      return this.completed('policy', who, (await decideProposedPolicy(this.game, actor, { policyNo, decision: 'confirmed' })).ok);
    }
    if (kind === 14) {
      if (this.first.limit === null)
        return this.started('limit', who, (await changeLimit(this.game, actor, { what: 'refunds', name: 'support', typed: '5000' })).ok);
      const isDone = this.completed(
        'limit',
        who,
        (await approveRaise(this.game, actor, { what: 'refunds', name: 'support', amount: '5000.00' })).ok,
      );
      if (isDone) await this.testEnv.pool.query(`delete from refund_limit where name = 'support'`);
      return isDone;
    }
    await pause(this.game, actor, { what: 'refunds', why: 'A look first.' });
    const answer = await resumeAsShown(this.game, actor);
    if (!answer.ok) return false;
    return answer.is === 'resumed' ? this.completed('resume', who, true) : this.started('resume', who, true);
  }

  private started(what: keyof History['first'], who: Someone, isDone: boolean): boolean {
    if (isDone) this.first[what] = who;
    return isDone;
  }

  private completed(what: keyof History['first'], who: Someone, isDone: boolean): boolean {
    const { [what]: first } = this.first;
    if (!isDone || first === null) return false;
    this.pairs.push([first, who]);
    this.first[what] = null;
    return true;
  }

  /** As if a day had passed for every account. */
  async passADay(): Promise<void> {
    await this.testEnv.pool.query(`update person set counts_from = counts_from - interval '24 hours'`);
  }

  private async setPassword(token: string): Promise<{ ok: boolean }> {
    const typed = { token, name: token.slice(0, 20), email: emailOf('mallory'), password: 'a sentence of my own' };
    return await useSetUpLink(this.testEnv.db, typed, DAY, async () => 'argon2id$1$1$aa$bb');
  }
}

const ROLE_SETS: Role[][] = [['finance', 'admin'], ['admin'], ['finance'], ['support'], ['viewer']];
export const emailOf = (name: Someone): string => `${name}@studio.example`;
