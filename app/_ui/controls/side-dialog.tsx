'use client';

import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { type ReactElement, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import styles from './side-dialog.module.css';

export interface SideDialogProps {
  /** The content of the button that opens it. */
  opener: ReactNode;
  /** The button's accessible name, where its text alone is unclear. */
  label?: string;
  /** `main`: the page's main action; `quiet`: a line of text; `menu`: the menu of a narrow screen, an icon whose dialog lists pages. */
  kind?: 'main' | 'plain' | 'quiet' | 'menu';
  /** The key that opens it, while single keys are on. */
  shortcut?: string;
  title: string;
  children: ReactNode;
}

/** A button and the side dialog it opens. */
export function SideDialog({ opener, label, kind = 'plain', shortcut, title, children }: SideDialogProps): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <button
        type="button"
        className={styles[kind === 'menu' ? 'icon' : kind]}
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        data-key={shortcut}
        onClick={() => setOpen(true)}
      >
        {opener}
      </button>
      {isOpen && (
        <Modal
          className={clsx(styles.side, kind === 'menu' && styles.menu)}
          titleId={id}
          isMenu={kind === 'menu'}
          onClose={() => setOpen(false)}
        >
          <div className={styles.sheet}>
            <div className={styles.head}>
              <h2 id={id} className={styles.title}>
                {title}
              </h2>
              <CloseButton />
            </div>
            {children}
          </div>
        </Modal>
      )}
    </>
  );
}

/** Closes the dialog it is in, without code of ours. */
export function CloseButton(): ReactElement {
  return (
    <form method="dialog">
      <button className={styles.close} aria-label="Close">
        <X size={18} aria-hidden="true" />
      </button>
    </form>
  );
}

interface ModalProps {
  className: string | undefined;
  titleId: string;
  /** It lists pages: a press on a link closes it. */
  isMenu?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog of the browser in front of the page, as long as it is drawn. Its first field has the focus as soon as it is there, so no key is lost. */
export function Modal({ className, titleId, isMenu = false, onClose, children }: ModalProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    element?.querySelector<HTMLElement>('input:not([type="hidden"], [readonly]), textarea, select')?.focus();
    // Closing gives the focus back to where it was.
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={className}
      aria-labelledby={titleId}
      // React may run effects twice in development, so a close may be an earlier one.
      onClose={({ currentTarget }) => currentTarget.open || onClose()}
      data-menu={isMenu ? '' : undefined}
    >
      {children}
    </dialog>
  );
}
