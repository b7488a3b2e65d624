import { clsx } from 'clsx';
import { Circle, CircleCheck, Lock } from 'lucide-react';
import type { ReactElement } from 'react';
import { ListRow, RowList } from '#app/_ui/figures/facts.tsx';
import { showControls } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { AllFields, FirstOf } from '#app/[game]/_desk/answer-tree.tsx';
import type { LoyaltyReward, LoyaltyStep, LoyaltyCard as Program, RawCard } from '#lib/invo/routes/loyalty.ts';
import { cardStatusText, rewardStateText, stepStateText } from '#lib/players/text.ts';
import styles from './loyalty.module.css';
import { RedeemLink } from './vault.tsx';

// Steps, and rewards, of one card that a page shows at most.
const PARTS_SHOWN = 100;

interface LoyaltyCardProps {
  card: Program;
  unreadable: ('steps' | 'rewards')[];
  timeZone: string;
  /** The address of the tab for those who may redeem; null: for the others. */
  redeemHref: string | null;
}

/** One program: its status, steps and rewards as Invo reports them. Nothing is counted, and no picture is loaded. */
export function LoyaltyCard({ card, unreadable, timeZone, redeemHref }: LoyaltyCardProps): ReactElement {
  const status = cardStatusText(card.status);
  const title = showControls(card.title ?? 'Program without a title');
  return (
    <Card title={title} aside={<Status tone={status.tone} word={showControls(status.label)} />}>
      {card.description !== null && <p className={styles.quiet}>{showControls(card.description)}</p>}
      <Progress card={card} />
      <p className={styles.quiet}>
        <Deadline card={card} timeZone={timeZone} />
      </p>
      <ul className={styles.steps} aria-label={`Steps of ${title}`}>
        {(card.steps ?? []).slice(0, PARTS_SHOWN).map((step, index) => (
          <Step key={`${index} ${step?.step_id}`} step={step} />
        ))}
      </ul>
      {unreadable.includes('steps') && <p className={styles.quiet}>The steps aren’t readable.</p>}
      <FirstOf shown={PARTS_SHOWN} count={card.steps?.length ?? 0} noun="steps" />
      <RowList>
        <ListRow label="Reward">{showControls(card.reward?.name ?? 'not reported')}</ListRow>
        {card.rewards?.length === 0 && <ListRow label="Unlocked rewards">none</ListRow>}
        <ListRow label="Brand">{showControls(card.brand?.name ?? 'not reported')}</ListRow>
        <ListRow label="Picture">{hostOf(card.art_url) ?? 'not reported'}</ListRow>
        {card.mode !== 'live' && <ListRow label="Mode">{showControls(card.mode ?? 'not reported')}</ListRow>}
      </RowList>
      <ul className={styles.rewards} aria-label={`Rewards of ${title}`}>
        {(card.rewards ?? []).slice(0, PARTS_SHOWN).map((reward, index) => (
          <Reward key={`${index} ${reward?.vault_entry_id}`} reward={reward} timeZone={timeZone} redeemHref={redeemHref} />
        ))}
      </ul>
      {unreadable.includes('rewards') && <p className={styles.quiet}>The rewards aren’t readable.</p>}
      <FirstOf shown={PARTS_SHOWN} count={card.rewards?.length ?? 0} noun="rewards" />
    </Card>
  );
}

function Progress({ card }: { card: Program }): ReactElement | null {
  const { steps_complete: done, steps_required: needed } = card;
  if (done === null || needed === null) return <p className={styles.quiet}>Steps not reported.</p>;
  const order = card.order_mode === 'ordered' ? 'in order' : card.order_mode === 'any_order' ? 'in any order' : null;
  return (
    <>
      {needed > 0 && <progress className={styles.bar} max={needed} value={Math.min(done, needed)} aria-label="Steps complete" />}
      <p className={styles.quiet}>
        {done} of {needed} steps complete{order !== null && `, ${order}`}
      </p>
    </>
  );
}

// A card without a fixed limit brings its own sentence; hours are never counted from today.
function Deadline({ card, timeZone }: { card: Program; timeZone: string }): ReactElement {
  const date = card.completed_at ?? card.window_ends_at;
  if (date !== null)
    return (
      <>
        {card.completed_at === null ? 'Complete by' : 'Completed'} <Instant at={date} timeZone={timeZone} />
      </>
    );
  if (card.completion_note !== null) return <>{showControls(card.completion_note)}</>;
  if (card.completion_hours !== null) return <>{card.completion_hours} hours to finish once started</>;
  return <>Time limit not reported</>;
}

const STEP_ICONS = { complete: CircleCheck, open: Circle, locked: Lock };

function Step({ step }: { step: LoyaltyStep | null }): ReactElement {
  if (step === null)
    return (
      <li className={styles.step}>
        <span aria-hidden="true" />
        <span>This step isn’t readable.</span>
      </li>
    );
  const { label: word } = stepStateText(step.state);
  const Icon = Object.hasOwn(STEP_ICONS, step.state ?? '') ? STEP_ICONS[step.state as keyof typeof STEP_ICONS] : null;
  return (
    <li className={styles.step}>
      {Icon === null ? (
        <span aria-hidden="true" />
      ) : (
        <Icon size={16} aria-hidden="true" className={clsx(step.state === 'complete' && styles.complete)} />
      )}
      <span>{showControls(step.label ?? step.action ?? 'Step without a name')}</span>
      <span className={styles.quiet}>
        {showControls(word)}
        {step.progress !== null && ` · ${step.progress.current} of ${step.progress.target}`}
      </span>
    </li>
  );
}

function Reward({
  reward,
  timeZone,
  redeemHref,
}: Pick<LoyaltyCardProps, 'timeZone' | 'redeemHref'> & { reward: LoyaltyReward | null }): ReactElement {
  if (reward === null) return <li className={styles.reward}>This reward isn’t readable.</li>;
  const { label, tone } = rewardStateText(reward.state);
  const dates = [
    ['Redeemed', reward.redeemed_at],
    ['Expires', reward.expires_at],
    ['Code available until', reward.can_reveal_again === true ? reward.reveal_until : null],
  ] as const;
  return (
    <li className={styles.reward}>
      <Status tone={tone} word={showControls(label)} />
      <RowList>
        {reward.code_masked !== null && <ListRow label="Code">{reward.code_masked}</ListRow>}
        {dates.map(
          ([dateLabel, date]) =>
            date !== null && (
              <ListRow key={dateLabel} label={dateLabel}>
                <Instant at={date} timeZone={timeZone} />
              </ListRow>
            ),
        )}
      </RowList>
      {redeemHref !== null && (reward.can_redeem === true || reward.can_reveal_again === true) && (
        <RedeemLink href={redeemHref} entryId={reward.vault_entry_id} state={reward.state} />
      )}
    </li>
  );
}

/** A card of a version Sharebook doesn't know: its title and its fields, and no state read from them. */
export function OtherVersionCard({ raw }: { raw: RawCard }): ReactElement {
  return (
    <Card title={showControls(raw.title ?? 'Program without a title')}>
      <p className={styles.quiet}>
        {raw.card_version === null
          ? 'Sharebook couldn’t read this card.'
          : `Sharebook doesn’t know version ${raw.card_version} of this card.`}{' '}
        Its fields are shown unchanged.
      </p>
      <AllFields tree={raw.fields} />
    </Card>
  );
}

function hostOf(url: string | null): string | null {
  return url === null || !URL.canParse(url) ? null : `${new URL(url).host} (not loaded)`;
}
