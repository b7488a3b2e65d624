'use client';

import { type ReactElement, useEffect, useState } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import type { Passing } from '#lib/actions/rules/protocol.ts';
import styles from './actions.module.css';

const SHOWN_FOR_MS = 10 * 60_000;

/** How each is shown, and what still works when it is gone. */
const TEXT: Readonly<Record<Passing['what'], { noun: string; title: string; sentence: string; after: string }>> = {
  payment_link: {
    noun: 'link',
    title: 'The link is ready.',
    sentence: 'Send it to the player yourself. Anyone who has it can pay, and it expires 15 minutes after it was made.',
    after: 'If the player still needs a link, make a new one. An earlier one may still be paid until it expires.',
  },
  rewards_page: {
    noun: 'link',
    title: 'The link to the rewards page is ready.',
    sentence:
      'Anyone who has it can redeem this player’s rewards, and it expires within minutes. Redeeming there isn’t recorded in Sharebook.',
    after: 'Get a new link if you still need the page.',
  },
  claim_code: {
    noun: 'code',
    title: 'The transfer is approved, and Invo issued a claim code.',
    sentence: 'Give it to the player yourself. Anyone who has it can collect the coins, and Sharebook doesn’t store it.',
    after: 'The player still collects with the phone in the other game.',
  },
  reward_code: {
    noun: 'code',
    title: 'The reward is redeemed, and Invo issued its code.',
    sentence: 'Give it to the player yourself. Anyone who has it can use it, and Sharebook doesn’t store it.',
    after: 'While Invo still shows the code, redeem the reward once more to see it again. The player can do that in the game too.',
  },
};

/** What an answer passes once: veiled until it is shown, gone after ten minutes, on leaving the page, and in print. */
export function OneTimeBox({ passed: { what, text } }: { passed: Passing }): ReactElement {
  const { noun, title, sentence, after } = TEXT[what];
  const [held, setHeld] = useState<string | null>(text);
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const end = (): void => setHeld(null);
    const timer = setTimeout(end, SHOWN_FOR_MS);
    window.addEventListener('pagehide', end);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('pagehide', end);
    };
  }, []);
  if (held === null)
    return (
      <Notice voice="note" title="This was shown once and can’t be shown again">
        {after}
      </Notice>
    );
  return (
    <section className={styles.once} aria-label={`The ${noun}, shown once`}>
      <p className={styles.onceTitle}>
        {title} {isShown ? 'Copy it now. It disappears when you leave, or after ten minutes.' : 'You can show it once, here only.'}
      </p>
      <p>{sentence}</p>
      {isShown ? (
        <CopyButton text={held} what={noun} />
      ) : (
        <div className={styles.onceButtons}>
          <code className={styles.veil} aria-hidden="true">
            {'•'.repeat(24)}
          </code>
          <Button kind="main" onPress={() => setShown(true)}>
            Show once
          </Button>
        </div>
      )}
    </section>
  );
}
