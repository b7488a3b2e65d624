'use client';

import { Dialog } from '@base-ui/react/dialog';
import { Search } from 'lucide-react';
import { type ReactElement, useRef } from 'react';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { DialogClose } from '#app/_ui/controls/dialog-close.tsx';
import { Choices } from './box/choices.tsx';
import { useLookUp } from './box/use-look-up.ts';
import styles from './look-up-dialog.module.css';
import type { LookUpStart } from './look-up-start.ts';
import type { AskLookUp } from './look-up-words.ts';

interface LookUpDialogProps {
  ask: AskLookUp;
  games: { slug: string; label: string }[];
  /** The game it looks in first, and what is in the box already. */
  start: LookUpStart;
  canSeeEmails: boolean;
  onClose: () => void;
}

/** The box in which anything is looked up: what is held at once, Invo on Enter when nothing is, and the keys for all of it. */
export function LookUpDialog({ ask, games, start, canSeeEmails, onClose }: LookUpDialogProps): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  const box = useLookUp({ ask, games, start, onClose });
  return (
    <Dialog.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup} initialFocus={input}>
          <Dialog.Title className="sr-only">Look up</Dialog.Title>
          <div className={styles.line}>
            <Search size={18} aria-hidden="true" className={styles.icon} />
            <input
              ref={input}
              className={styles.input}
              type="text"
              role="combobox"
              aria-label={canSeeEmails ? 'E-mail or any id' : 'Any id'}
              aria-expanded={box.choices.length > 0}
              aria-controls="look-up-choices"
              aria-activedescendant={box.choices[box.current] && `look-up-${box.current}`}
              aria-describedby="look-up-answer"
              placeholder={canSeeEmails ? 'E-mail or any id of Invo' : 'Any id of Invo'}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              enterKeyHint="search"
              maxLength={1_000}
              value={box.text}
              onChange={(event) => box.type(event.target.value)}
              onKeyDown={box.onKey}
            />
            <DialogClose />
          </div>
          {games.length > 1 && (
            <label className={styles.game}>
              In{' '}
              <select value={box.slug} onChange={(event) => box.chooseGame(event.target.value)}>
                {games.map((game) => (
                  <option key={game.slug} value={game.slug}>
                    {game.label}
                  </option>
                ))}
              </select>
            </label>
          )}
          <div id="look-up-answer" role="status" className={box.reply?.isTrouble ? styles.trouble : styles.answer}>
            {box.told}
            {box.reply?.errorId && <CopyButton text={box.reply.errorId} what="reference" />}
          </div>
          <Choices choices={box.choices} current={box.current} onPoint={box.point} onChoose={box.choose} />
          <p className={styles.help}>
            Player, subscription, period, transaction and order ids, client_request_id{canSeeEmails ? ', and e-mails' : ''}.{' '}
            <span className={styles.keys}>
              <kbd>↑</kbd> <kbd>↓</kbd> choose, <kbd>Enter</kbd> opens, <kbd>Esc</kbd> closes.
            </span>
          </p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
