import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import type { Person } from '#app/_server/session.ts';
import { type Fact, Facts } from '#app/_ui/figures/facts.tsx';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { type AccountStatus, approverRefusalOf } from '#lib/approvals/rules/approval.ts';
import { APPROVER_TEXT } from '#lib/approvals/text.ts';
import { formatUsd } from '#lib/core/money.ts';
import type { StoredPolicy } from '#lib/games/reads/game-settings.ts';
import { DEFAULT_POLICY, type PayoutPolicy } from '#lib/payouts/rules/policy.ts';
import type { PersonRow } from '#lib/people/reads.ts';
import styles from '../settings.module.css';
import { confirmPolicyAction, withdrawPolicyAction } from './actions.ts';
import { PolicyForm } from './policy-form.tsx';
import { POLICY_TEXT } from './text.ts';

interface PolicySectionProps {
  games: { game: Game; policies: StoredPolicy[] }[];
  person: Person;
  /** Everyone, to tell whose account counts; empty: the person decides nothing. */
  people: readonly PersonRow[];
}

/** The payout policy of each game: what is in force, and what waits for a second person. */
export function PolicySection({ games, person, people }: PolicySectionProps): ReactElement | null {
  if (games.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="payout-policy">
      <div className={styles.head}>
        <h2 id="payout-policy">Payout policy</h2>
      </div>
      <p className={styles.text}>
        Every run stores the policy it was composed under. A second person confirms a change; a draft is then recalculated, and a run in
        review that it changes returns to draft.
      </p>
      <div className={styles.games}>
        {games.map(({ game, policies }) => (
          <GamePolicy key={game.gameId} game={game} policies={policies} person={person} people={people} />
        ))}
      </div>
    </section>
  );
}

interface GamePolicyProps extends Pick<PolicySectionProps, 'person' | 'people'> {
  game: Game;
  policies: StoredPolicy[];
}

function GamePolicy({ game, policies, person, people }: GamePolicyProps): ReactElement {
  const current = policies.find(({ isWaiting }) => !isWaiting) ?? DEFAULT_POLICY;
  const waiting = policies.find(({ isWaiting }) => isWaiting);
  const title = game.environment === 'sandbox' ? `${game.name}, sandbox` : game.name;
  const statusOf = (personId: string | undefined): AccountStatus => people.find(({ id }) => id === personId)?.status ?? 'disabled';
  const refusal = approverRefusalOf({ own: statusOf(person.id), preparer: statusOf(waiting?.proposedBy?.id) });
  const mayConfirm = person.may('payouts.approve') && waiting?.proposedBy?.id !== person.id;
  const about = { game: game.slug, policyNo: waiting?.policyNo ?? 0 };
  return (
    <Card title={`Payout policy of ${title}`}>
      <Facts columns={4} facts={factsOf(current)} />
      {waiting !== undefined && (
        <section className={styles.proposed} aria-label="Proposed policy">
          <h3>Proposed by {waiting.proposedBy?.name}</h3>
          <Facts columns={4} facts={factsOf(waiting)} />
          <div className={styles.decision}>
            {mayConfirm && refusal === null && (
              <ActionForm action={confirmPolicyAction} about={about} label="Confirm policy" pendingLabel="Confirming…" />
            )}
            {person.may('payouts.prepare') && (
              <ActionForm action={withdrawPolicyAction} about={about} label="Withdraw policy" pendingLabel="Withdrawing…" kind="quiet" />
            )}
            {mayConfirm && refusal !== null && <p className={styles.text}>{APPROVER_TEXT[refusal]}</p>}
          </div>
        </section>
      )}
      {waiting === undefined && person.may('payouts.prepare') && (
        <details className={styles.policy}>
          <summary>Propose another policy</summary>
          <PolicyForm game={game.slug} policy={current} />
        </details>
      )}
    </Card>
  );
}

function factsOf(policy: PayoutPolicy): Fact[] {
  const { secondApprovalFrom_usd: second, recheckHours, changePercent } = policy;
  return [
    { label: POLICY_TEXT.minimum, value: formatUsd(policy.minimum_usd) },
    { label: POLICY_TEXT.secondApprovalFrom, value: second === null ? 'never' : formatUsd(second) },
    { label: POLICY_TEXT.firstPaymentFrom, value: formatUsd(policy.firstPaymentFrom_usd) },
    { label: POLICY_TEXT.changePercent, value: `${changePercent}%` },
    { label: POLICY_TEXT.recheckHours, value: recheckHours === 1 ? '1 hour' : `${recheckHours} hours` },
    { label: POLICY_TEXT.holdsBaseMismatch, value: policy.holdsBaseMismatch ? 'yes' : 'no' },
  ];
}
