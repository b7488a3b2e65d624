import type { ReactElement, ReactNode } from 'react';
import type { PersonRow } from '#db/people/reads.ts';
import type { AskedRaise } from '#db/refunds/reads/refund-limits.ts';
import { formatUsd } from '#lib/core/money.ts';
import { formatRoles } from '#lib/core/roles.ts';
import { LIMIT_LABELS } from '#lib/refunds/text.ts';
import type { Game } from '../_server/game.ts';
import type { Person } from '../_server/session.ts';
import { Instant } from '../_ui/figures/instant.tsx';
import { ActionForm } from '../_ui/forms/action-form.tsx';
import { Card } from '../_ui/layout/card.tsx';
import { approveRolesAction, declineRolesAction } from './actions.ts';
import { approveRaiseAction, declineRaiseAction } from './limits/actions.ts';
import styles from './settings.module.css';

interface ApprovalsSectionProps {
  person: Person;
  people: PersonRow[];
  games: { game: Game; raises: AskedRaise[] }[];
}

/** Roles and limits that an admin asked for and a second person must approve; nothing where there are none. */
export function ApprovalsSection({ person, people, games }: ApprovalsSectionProps): ReactElement | null {
  const requests = people.flatMap((each) => (each.request === null || each.isDisabled ? [] : [{ ...each, request: each.request }]));
  const raises = games.flatMap(({ game, raises: asked }) => asked.map((raise) => ({ game, raise })));
  if (requests.length + raises.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="approvals">
      <div className={styles.head}>
        <h2 id="approvals">Waiting for approval</h2>
      </div>
      <div className={styles.games}>
        {requests.map((asked) => (
          <RolesCard key={asked.id} person={person} asked={asked} />
        ))}
        {raises.map(({ game, raise }) => (
          <RaiseCard key={`${game.slug} ${raise.name}`} person={person} game={game} raise={raise} />
        ))}
      </div>
    </section>
  );
}

function RolesCard({ person, asked }: { person: Person; asked: PersonRow & { request: NonNullable<PersonRow['request']> } }): ReactElement {
  const { id, name, email, roles, request } = asked;
  return (
    <Card title={`Roles of ${name}`}>
      <p className={styles.text}>
        {request.by.name} asked on <Instant at={request.at} /> to give {name} ({email}) the roles {formatRoles(request.roles)}. Now:{' '}
        {formatRoles(roles)}. Approving signs them out; they can approve refunds 24 hours later.
      </p>
      <Decision
        person={person}
        askedBy={request.by.id}
        isAboutSelf={id === person.id}
        about={{ personId: id, roles: request.roles.join(',') }}
        approve={approveRolesAction}
        decline={declineRolesAction}
        what={`roles of ${name}`}
      />
    </Card>
  );
}

function RaiseCard({ person, game, raise }: { person: Person; game: Game; raise: AskedRaise }): ReactElement {
  const amount = formatUsd(raise.raise_usd);
  return (
    <Card title={`${LIMIT_LABELS[raise.name]} of ${game.environment === 'sandbox' ? `${game.name}, sandbox` : game.name}`}>
      <p className={styles.text}>
        {raise.byName} asked to raise it to {amount}. It applies on <Instant at={raise.appliesFrom} />, or as soon as a second person
        approves it.
      </p>
      <Decision
        person={person}
        askedBy={raise.by}
        isAboutSelf={false}
        about={{ game: game.slug, name: raise.name, limit_usd: raise.raise_usd }}
        approve={approveRaiseAction}
        decline={declineRaiseAction}
        what={`limit of ${amount}`}
      />
    </Card>
  );
}

interface DecisionProps {
  person: Person;
  /** Id of the admin who asked. */
  askedBy: string;
  isAboutSelf: boolean;
  about: Readonly<Record<string, string>>;
  approve: typeof approveRolesAction;
  decline: typeof declineRolesAction;
  what: string;
}

function Decision({ person, askedBy, isAboutSelf, about, approve, decline, what }: DecisionProps): ReactNode {
  const isOwn = askedBy === person.id;
  const mayApprove = person.may('refunds.approve');
  return (
    <div className={styles.decision}>
      {mayApprove && !isOwn && !isAboutSelf && (
        <ActionForm action={approve} about={about} label={`Approve ${what}`} pendingLabel="Approving…" kind="main" />
      )}
      {(mayApprove || isOwn) && (
        <ActionForm
          action={decline}
          about={about}
          label={isOwn ? `Withdraw ${what}` : `Reject ${what}`}
          pendingLabel={isOwn ? 'Withdrawing…' : 'Rejecting…'}
          kind="danger"
        />
      )}
      {!mayApprove && !isOwn && <p className={styles.text}>Someone with the role finance must approve this.</p>}
    </div>
  );
}
