import Link from 'next/link';
import type { ReactElement } from 'react';
import { PasswordForm } from '#app/_account/password-form.tsx';
import type { Game } from '#app/_server/game.ts';
import { config } from '#app/_server/server-context.ts';
import type { Person } from '#app/_server/session.ts';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { type Fact, Facts } from '#app/_ui/figures/facts.tsx';
import { formatUtc } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { type AccountStatus, approverRefusalOf } from '#lib/approvals/rules/approval.ts';
import { APPROVER_TEXT } from '#lib/approvals/text.ts';
import { findGameConfig } from '#lib/config.ts';
import { formatZoneChange } from '#lib/core/game.ts';
import { formatUsd } from '#lib/core/money.ts';
import type { GameHealth, GameSettings, StoredPolicy } from '#lib/games/reads/game-settings.ts';
import { DEFAULT_POLICY, type PayoutPolicy } from '#lib/payouts/rules/policy.ts';
import type { PersonRow } from '#lib/people/reads.ts';
import { LimitCard } from '../_limits/limit-card.tsx';
import styles from '../settings.module.css';
import { formatGameName, SettingsSection } from '../settings-index.tsx';
import { confirmPolicyAction, withdrawPolicyAction } from './actions.ts';
import { PolicyForm } from './game-forms.tsx';
import { POLICY_TEXT } from './text.ts';

interface LimitsSectionProps {
  games: ({ game: Game } & Pick<GameSettings, 'limits'>)[];
  mayChange: boolean;
}

/** The auto-approval limits of each role, game by game; an admin changes them. */
export function LimitsSection({ games, mayChange }: LimitsSectionProps): ReactElement | null {
  if (games.length === 0) return null;
  return (
    <SettingsSection id="refund-limits" title="Auto-approval limits">
      <p className={styles.text}>
        A refund within the requester’s limits is approved automatically and sent immediately: one refund, and all of theirs within 24
        hours. Beyond either it needs a second approver. Set a limit to 0.00 to require approval for every refund. A lower limit applies at
        once; a higher one when a second person approves it, and it raises no other limit.
      </p>
      <div className={styles.games}>
        {games.map(({ game, limits }) => (
          <LimitCard
            key={game.gameId}
            game={game}
            what="refunds"
            title={`Limits for ${formatGameName(game)}`}
            name={formatGameName(game)}
            limits={limits.refunds.set}
            mayChange={mayChange}
          />
        ))}
      </div>
    </SettingsSection>
  );
}

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
    <SettingsSection id="payout-policy" title="Payout policy">
      <p className={styles.text}>
        Every run stores the policy it was composed under. A second person confirms a change; a draft is then recalculated, and a run in
        review that it changes returns to draft.
      </p>
      <div className={styles.games}>
        {games.map(({ game, policies }) => (
          <GamePolicy key={game.gameId} game={game} policies={policies} person={person} people={people} />
        ))}
      </div>
    </SettingsSection>
  );
}

interface GamePolicyProps extends Pick<PolicySectionProps, 'person' | 'people'> {
  game: Game;
  policies: StoredPolicy[];
}

function GamePolicy({ game, policies, person, people }: GamePolicyProps): ReactElement {
  const current = policies.find(({ isWaiting }) => !isWaiting) ?? DEFAULT_POLICY;
  const waiting = policies.find(({ isWaiting }) => isWaiting);
  const title = formatGameName(game);
  const statusOf = (personId: string | undefined): AccountStatus => people.find(({ id }) => id === personId)?.status ?? 'disabled';
  const refusal = approverRefusalOf({ own: statusOf(person.id), preparer: statusOf(waiting?.proposedBy?.id) });
  const mayConfirm = person.may('payouts.approve') && waiting?.proposedBy?.id !== person.id;
  const about = { game: game.slug, policyNo: waiting?.policyNo ?? 0 };
  return (
    <Card title={`Payout policy of ${title}`}>
      <Facts columns={4} facts={policyFactsOf(current)} />
      {waiting !== undefined && (
        <section className={styles.proposed} aria-label="Proposed policy">
          <h3>Proposed by {waiting.proposedBy?.name}</h3>
          <Facts columns={4} facts={policyFactsOf(waiting)} />
          <div className={styles.decision}>
            {mayConfirm && refusal === null && (
              <PasswordForm action={confirmPolicyAction} about={about} label="Confirm policy" pendingLabel="Confirming…" />
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

function policyFactsOf(policy: PayoutPolicy): Fact[] {
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

/** The configured games and the health of their connection to Invo. Secrets are never read here. */
export function GamesSection({ games }: { games: { game: Game; health: GameHealth; arePayoutsPaused: boolean }[] }): ReactElement {
  return (
    <SettingsSection id="games" title="Games">
      {games.length === 0 && <p className={styles.text}>No game is configured. Set the variables listed in .env.example.</p>}
      <div className={styles.games}>
        {games.map(({ game, health, arePayoutsPaused }) => (
          <GameCard key={game.gameId} game={game} health={health} isPaused={arePayoutsPaused} />
        ))}
      </div>
    </SettingsSection>
  );
}

function GameCard({ game, health, isPaused }: { game: Game; health: GameHealth; isPaused: boolean }): ReactElement {
  const { lastFailure, previousSecretUsedAt, isPreviousSecretInUse } = health;
  const configured = findGameConfig(config(), game.slug);
  const zoneChange = configured === null ? null : formatZoneChange(game, configured);
  return (
    <Card title={formatGameName(game)}>
      {lastFailure && (
        <Notice
          voice="bad"
          title="The last pull failed"
          actions={lastFailure.errorId !== null && <CopyButton text={lastFailure.errorId} what="error ID" />}
        >
          {lastFailure.sentence} It failed at <Instant at={lastFailure.at} />.
        </Notice>
      )}
      {isPaused && (
        <Notice voice="bad" title="Payouts are paused">
          The database was restored from a backup. No run can be started, submitted or approved until two approvers resume payouts. See{' '}
          <Link href={`/${game.slug}/payouts`}>Payouts</Link> for what may be missing.
        </Notice>
      )}
      {zoneChange !== null && (
        <Notice voice="bad" title="The configured time zone isn’t used">
          {zoneChange}
        </Notice>
      )}
      {isPreviousSecretInUse && previousSecretUsedAt !== null && configured?.gameSecretPrevious !== undefined && (
        <Notice voice="wait" title="The previous secret is in use">
          Invo last refused the current secret at <Instant at={previousSecretUsedAt} />. The previous secret works for seven days after a
          rotation. Check INVO_GAME_SECRET: it is tried again every hour.
        </Notice>
      )}
      <Facts columns={4} facts={factsOf(game, health)} />
    </Card>
  );
}

function factsOf(game: Game, { lastAnswer, invoGameId, previousSecretUsedAt }: GameHealth): Fact[] {
  const configured = findGameConfig(config(), game.slug);
  return [
    { label: 'Path', value: `/${game.slug}` },
    { label: 'Environment', value: game.environment === 'production' ? 'Production' : 'Sandbox' },
    { label: 'Invo host', value: configured ? new URL(configured.baseUrl).host : 'Not configured' },
    { label: 'Reporting time zone', value: game.timeZone },
    {
      label: 'Invo game ID',
      value: invoGameId ?? game.invoGameId ?? 'Set by the first report',
      ...(invoGameId === null ? {} : { note: 'Reports with another ID are refused.' }),
    },
    {
      label: 'Previous secret',
      value: configured?.gameSecretPrevious === undefined ? 'None' : 'Configured. Used when Invo refuses the current one',
      ...(previousSecretUsedAt === null ? {} : { note: `Last needed ${formatUtc(previousSecretUsedAt)}.` }),
    },
    {
      label: 'Last response stored',
      value: lastAnswer === null ? 'None' : <Instant at={lastAnswer.at} />,
      ...(lastAnswer ? { note: formatResponse(lastAnswer) } : {}),
    },
  ];
}

function formatResponse({ status, wasRefused }: { status: number; wasRefused: boolean }): string {
  if (status >= 400) return `HTTP ${status}, an error from Invo`;
  return wasRefused ? `HTTP ${status}, refused because it breaks the contract` : `HTTP ${status}`;
}
