import type { ReactElement } from 'react';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { showControls } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import type { LoyaltyOffer, VaultEntry } from '#lib/invo/routes/loyalty-of-player.ts';
import { cardStatusText, rewardStateText } from '#lib/players/text.ts';
import styles from './loyalty.module.css';

// Rewards and programs that are shown at most.
const SHOWN_MAX = 100;

interface VaultProps {
  /** The address of the loyalty tab. */
  href: string;
  timeZone: string;
  offers: (LoyaltyOffer | null)[];
  vault: (VaultEntry | null)[];
}

/** Every reward that the player holds or held, and every program they can do, as Invo reports them to the player. */
export function drawVault({ href, timeZone, offers, vault }: VaultProps): ReactElement {
  return (
    <div className={styles.cards}>
      <Card title="Vault">
        {vault.length === 0 && <p className={styles.quiet}>The player holds no reward.</p>}
        <ul className={styles.rewards} aria-label="Rewards in the vault">
          {vault.slice(0, SHOWN_MAX).map((entry, index) => (
            <li key={`${index} ${entry?.vault_entry_id}`} className={styles.reward}>
              {entry === null ? (
                'This reward isn’t readable.'
              ) : (
                <Reward entry={entry} program={titleOf(entry, offers)} href={href} timeZone={timeZone} />
              )}
            </li>
          ))}
        </ul>
      </Card>
      <Card title="Offers">
        {offers.length === 0 && <p className={styles.quiet}>Invo offers this player no program.</p>}
        <ul className={styles.rewards} aria-label="Programs offered">
          {offers.slice(0, SHOWN_MAX).map((offer, index) => (
            <li key={`${index} ${offer?.program_id}`} className={styles.reward}>
              {offer === null ? 'This program isn’t readable.' : <Offer offer={offer} timeZone={timeZone} />}
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}

/** The title of the program that a reward belongs to; null: Invo offers it no more. */
function titleOf({ program_id, quest_id }: VaultEntry, offers: (LoyaltyOffer | null)[]): string | null {
  const isOf = (offer: LoyaltyOffer | null): boolean =>
    offer !== null && (program_id === null ? quest_id !== null && offer.quest_id === quest_id : offer.program_id === program_id);
  return offers.find(isOf)?.title ?? null;
}

interface RewardProps extends Pick<VaultProps, 'href' | 'timeZone'> {
  entry: VaultEntry;
  program: string | null;
}

function Reward({ entry, program, href, timeZone }: RewardProps): ReactElement {
  const { vault_entry_id, reward_ref, state, units, redeemed_at, expires_at, code_masked } = entry;
  const { label, tone } = rewardStateText(state);
  return (
    <>
      <p className={styles.line}>
        <span>
          {showControls(program === null ? 'Reward' : `Reward of ${program}`)}
          {units !== null && ` × ${showControls(units)}`}
        </span>
        <Status tone={tone} word={showControls(label)} />
      </p>
      <p className={styles.quiet}>{reward_ref === null ? 'Reference not reported' : `Reference ${showControls(reward_ref)}`}</p>
      <p className={styles.quiet}>
        {redeemed_at !== null ? (
          <>
            Redeemed <Instant at={redeemed_at} timeZone={timeZone} />
            {code_masked !== null && `, code ${code_masked}`}
          </>
        ) : expires_at !== null ? (
          <>
            Expires <Instant at={expires_at} timeZone={timeZone} />
          </>
        ) : (
          'Expiry not reported'
        )}
      </p>
      <RedeemLink href={href} entryId={vault_entry_id} state={state} />
    </>
  );
}

/** Leads to the form that redeems a reward, or shows its code again. */
export function RedeemLink({ href, entryId, state }: { href: string; entryId: string | null; state: string | null }): ReactElement | null {
  if (entryId === null || (state !== 'unlocked' && state !== 'redeemed')) return null;
  return (
    <LinkButton href={`${href}/redeem/${encodeURIComponent(entryId)}`}>
      {state === 'unlocked' ? 'Redeem…' : 'Show the code again…'}
    </LinkButton>
  );
}

function Offer({ offer, timeZone }: { offer: LoyaltyOffer; timeZone: string }): ReactElement {
  const { title, progress_state, objectives_complete, objectives_required, window_ends_at, completed_at } = offer;
  const date = completed_at ?? window_ends_at;
  const state = cardStatusText(progress_state);
  return (
    <>
      <p className={styles.line}>
        <span>{showControls(title ?? 'Program without a title')}</span>
        <Status tone={state.tone} word={showControls(state.label)} />
      </p>
      <p className={styles.quiet}>
        {objectives_complete !== null && objectives_required !== null
          ? `${objectives_complete} of ${objectives_required} objectives complete`
          : 'Objectives not reported'}
        {date !== null && (
          <>
            , {completed_at === null ? 'to complete by' : 'completed'} <Instant at={date} timeZone={timeZone} />
          </>
        )}
      </p>
    </>
  );
}
