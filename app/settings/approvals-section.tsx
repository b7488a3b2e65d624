import type { ReactElement, ReactNode } from 'react';
import type { RequestedRaise } from '#lib/approvals/reads.ts';
import {
  type AccountRefusal,
  type AccountStatus,
  type ApproverRefusal,
  accountRefusalOf,
  approverRefusalOf,
  LIMITED_KEYS,
  type Limited,
} from '#lib/approvals/rules/approval.ts';
import { ACCOUNT_TEXT, APPROVER_TEXT, formatLimit, formatLimitName } from '#lib/approvals/text.ts';
import { formatRoles } from '#lib/core/roles.ts';
import type { GameSettings } from '#lib/games/reads/game-settings.ts';
import type { PersonRow } from '#lib/people/reads.ts';
import { isDoubt } from '#lib/people/rules/person.ts';
import { formatConfirmations, isConfirmedByUpgrade } from '#lib/people/text.ts';
import { PasswordForm } from '../_account/password-form.tsx';
import type { Game } from '../_server/game.ts';
import type { Person } from '../_server/session.ts';
import { Instant } from '../_ui/figures/instant.tsx';
import { ActionForm } from '../_ui/forms/form.tsx';
import { Card } from '../_ui/layout/card.tsx';
import { Notice } from '../_ui/words/notice.tsx';
import { approveRaiseAction, declineRaiseAction } from './_limits/actions.ts';
import { approveRolesAction, confirmPersonAction, declineRolesAction } from './actions.ts';
import styles from './settings.module.css';
import { formatGameName, SettingsSection } from './settings-index.tsx';

/** What waits for a second person, as one person sees it. */
export interface Waiting {
  /** Why the person's own account doesn't count; null: it does. */
  own: AccountRefusal | null;
  /** Accounts that aren't confirmed, or that two people never confirmed. */
  unconfirmed: PersonRow[];
  requests: (PersonRow & { request: NonNullable<PersonRow['request']> })[];
  raises: { game: Game; what: Limited; raise: RequestedRaise }[];
}

/** Lists the accounts to confirm, and the roles and limits that an admin requested. */
export function listWaiting(
  personId: string,
  people: readonly PersonRow[],
  games: readonly ({ game: Game } & Pick<GameSettings, 'limits'>)[],
): Waiting {
  const self = people.find(({ id }) => id === personId);
  return {
    own: self === undefined ? null : accountRefusalOf(self.status),
    unconfirmed: people.filter((each) => (!each.isConfirmed || isConfirmedByUpgrade(each)) && !each.isDisabled && each.hasPassword),
    requests: people.flatMap((each) => (each.request === null || each.isDisabled ? [] : [{ ...each, request: each.request }])),
    raises: games.flatMap(({ game, limits }) =>
      LIMITED_KEYS.flatMap((what) => limits[what].raises.map((raise) => ({ game, what, raise }))),
    ),
  };
}

interface ApprovalsSectionProps {
  person: Person;
  people: PersonRow[];
  waiting: Waiting;
}

/** Accounts to confirm, and roles and limits that an admin requested and a second person must approve. */
export function ApprovalsSection({ person, people, waiting: { own, unconfirmed, requests, raises } }: ApprovalsSectionProps): ReactElement {
  const statusOf = (personId: string): AccountStatus => people.find(({ id }) => id === personId)?.status ?? 'disabled';
  const refusalFor = (preparerId: string): ApproverRefusal | null =>
    approverRefusalOf({ own: statusOf(person.id), preparer: statusOf(preparerId) });
  return (
    <SettingsSection id="approvals" title="Waiting for approval">
      {own !== null && (
        <Notice voice="wait" title="Your account">
          {ACCOUNT_TEXT[own]}
        </Notice>
      )}
      <div className={styles.games}>
        {unconfirmed.map((each) => (
          <AccountCard key={`account ${each.id}`} person={person} unconfirmed={each} own={own} />
        ))}
        {requests.map((requester) => (
          <RolesCard key={requester.id} person={person} requester={requester} refusal={refusalFor(requester.request.by.id)} />
        ))}
        {raises.map(({ game, what, raise }) => (
          <RaiseCard
            key={`${game.slug} ${what} ${raise.name}`}
            person={person}
            game={game}
            what={what}
            raise={raise}
            refusal={refusalFor(raise.by)}
          />
        ))}
      </div>
    </SettingsSection>
  );
}

/** An account that doesn't count until two stand behind it, or counts since before accounts were confirmed. */
function AccountCard({ person, unconfirmed, own }: { person: Person; unconfirmed: PersonRow; own: AccountRefusal | null }): ReactElement {
  const { id, name, email, confirmations, confirmationVersion: version } = unconfirmed;
  const isSelf = id === person.id;
  const lastDoubt = confirmations.findLastIndex(({ basis }) => isDoubt(basis));
  const hasDoubted = confirmations.some(({ basis, byId }) => isDoubt(basis) && byId === person.id);
  const hasConfirmed = confirmations.some(({ basis, byId }, index) => index > lastDoubt && !isDoubt(basis) && byId === person.id);
  return (
    <Card title={`Account of ${name}`}>
      <p className={styles.text}>
        {unconfirmed.isConfirmed
          ? `${name} (${email}) was here before accounts were confirmed, so the account counts, but two people never confirmed it. If nobody knows them, disable it.`
          : `${name} (${email}) isn’t confirmed, so the account doesn’t count where two people are needed.`}{' '}
        History: {formatConfirmations(confirmations)}. Confirm only someone you know, after asking them in person whether they set this
        password themselves.
      </p>
      {isSelf || hasDoubted || hasConfirmed || own !== null ? (
        <p className={styles.text}>
          {isSelf
            ? 'Someone else must confirm your account.'
            : hasDoubted
              ? 'You created its link, reset or enabled it, so someone else must confirm it.'
              : hasConfirmed
                ? 'You stand behind this account already. Someone else must confirm it too.'
                : 'Your own account doesn’t count, so someone else must confirm this one.'}
        </p>
      ) : (
        <div className={styles.decision}>
          <PasswordForm
            action={confirmPersonAction}
            about={{ personId: id, version }}
            label={`Confirm this person: ${name}`}
            pendingLabel="Confirming…"
            kind="main"
          />
        </div>
      )}
    </Card>
  );
}

interface RolesCardProps extends Pick<DecisionProps, 'person' | 'refusal'> {
  requester: Waiting['requests'][number];
}

function RolesCard({ requester: { id, name, email, roles, request }, ...by }: RolesCardProps): ReactElement {
  return (
    <Card title={`Roles of ${name}`}>
      <p className={styles.text}>
        {request.by.name} asked on <Instant at={request.at} /> to give {name} ({email}) the roles {formatRoles(request.roles)}. Now:{' '}
        {formatRoles(roles)}. Approving signs them out; their account counts as one of two people 24 hours later.
      </p>
      <Decision
        {...by}
        requestedById={request.by.id}
        isAboutSelf={id === by.person.id}
        about={{ personId: id, roles: request.roles.join(',') }}
        approve={approveRolesAction}
        decline={declineRolesAction}
        what={`roles of ${name}`}
      />
    </Card>
  );
}

function RaiseCard({ game, what, raise, ...by }: Waiting['raises'][number] & Pick<DecisionProps, 'person' | 'refusal'>): ReactElement {
  const amount = formatLimit(what, raise.amount);
  return (
    <Card title={`${formatLimitName(what, raise.name)} of ${formatGameName(game)}`}>
      <p className={styles.text}>
        {raise.byName} asked on <Instant at={raise.requestedAt} /> to raise it to {amount}. It applies once a second person approves it.
      </p>
      <Decision
        {...by}
        requestedById={raise.by}
        isAboutSelf={false}
        about={{ game: game.slug, what, name: raise.name, amount: raise.amount }}
        approve={approveRaiseAction}
        decline={declineRaiseAction}
        what={`limit of ${amount}`}
      />
    </Card>
  );
}

interface DecisionProps {
  person: Person;
  /** ID of the admin who requested it. */
  requestedById: string;
  isAboutSelf: boolean;
  /** Why an approval by this person is certain to be refused; null: it isn't. */
  refusal: ApproverRefusal | null;
  about: Readonly<Record<string, string>>;
  approve: typeof approveRolesAction;
  decline: typeof declineRolesAction;
  what: string;
}

function Decision({ person, requestedById, isAboutSelf, refusal, about, approve, decline, what }: DecisionProps): ReactNode {
  const isOwn = requestedById === person.id;
  const mayApprove = person.may('refunds.approve');
  const mayReject = mayApprove && refusal !== 'unconfirmed' && refusal !== 'too_new';
  return (
    <div className={styles.decision}>
      {mayApprove && !isOwn && !isAboutSelf && refusal === null && (
        <PasswordForm action={approve} about={about} label={`Approve ${what}`} pendingLabel="Approving…" kind="main" />
      )}
      {(mayReject || isOwn) && (
        <ActionForm
          action={decline}
          about={about}
          label={isOwn ? `Withdraw ${what}` : `Reject ${what}`}
          pendingLabel={isOwn ? 'Withdrawing…' : 'Rejecting…'}
          kind="danger"
        />
      )}
      {isOwn && <p className={styles.text}>You asked for this. Someone else with the role finance must approve it.</p>}
      {!isOwn && isAboutSelf && <p className={styles.text}>This is about you. Someone else with the role finance must approve it.</p>}
      {!isOwn && !isAboutSelf && !mayApprove && <p className={styles.text}>Someone with the role finance must approve this.</p>}
      {!isOwn && !isAboutSelf && mayApprove && refusal !== null && <p className={styles.text}>{APPROVER_TEXT[refusal]}</p>}
    </div>
  );
}
