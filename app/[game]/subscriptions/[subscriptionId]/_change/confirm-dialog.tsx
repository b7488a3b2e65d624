import { type ReactElement, useId } from 'react';
import { Button, type ButtonKind } from '#app/_ui/controls/button.tsx';
import { Modal } from '#app/_ui/controls/side-dialog.tsx';
import { ListRow, RowList } from '#app/_ui/figures/facts.tsx';
import { HiddenFields, SubmitButton } from '#app/_ui/forms/form.tsx';
import styles from './change.module.css';
import type { Change, FormTarget } from './change-state.ts';

interface ConfirmDialogProps {
  change: Change;
  target: FormTarget;
  /** A question that names the change and the subscription. */
  title: string;
  /** Everything that will be sent, and its effect. */
  lines: { label: string; value: string }[];
  /** Further fields of the form. */
  fields: Record<string, string>;
  /** The label of the button, which names the change. */
  word: string;
  pendingWord: string;
  kind?: ButtonKind;
}

/** The confirmation of every change: restates the facts; Escape and the first button lead back to the form. */
export function ConfirmDialog({
  change,
  target,
  title,
  lines,
  fields,
  word,
  pendingWord,
  kind = 'main',
}: ConfirmDialogProps): ReactElement | null {
  const id = useId();
  if (!change.isOpen) return null;
  return (
    <Modal className={styles.dialog} titleId={id} onClose={() => change.setOpen(false)}>
      <div className={styles.confirmation}>
        <h2 id={id} className={styles.dialogTitle}>
          {title}
        </h2>
        <RowList>
          {lines.map(({ label, value }) => (
            <ListRow key={label} label={label}>
              {value}
            </ListRow>
          ))}
        </RowList>
        <form action={change.submit} className={styles.buttons}>
          <HiddenFields about={{ ...target, ...fields }} />
          <Button onPress={() => change.setOpen(false)}>Back</Button>
          <SubmitButton kind={kind} pendingWord={pendingWord}>
            {word}
          </SubmitButton>
        </form>
      </div>
    </Modal>
  );
}
