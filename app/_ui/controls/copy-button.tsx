'use client';

import { Check, Copy } from 'lucide-react';
import { type ReactElement, type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import styles from './copy-button.module.css';

interface CopyButtonProps {
  text: string;
  /** What the text is, in a word. */
  what: string;
  /** How the text is shown; default: as a code. */
  children?: ReactNode;
}

/** A reference to quote, with a button that copies it. */
export function CopyButton({ text, what, children }: CopyButtonProps): ReactElement {
  const [isCopied, setIsCopied] = useState(false);
  return (
    <span className={styles.copy} data-copyable="">
      {children ?? <code className={styles.text}>{text}</code>}
      <Button
        kind="quiet"
        label={`Copy the ${what}`}
        onPress={() => void navigator.clipboard.writeText(text).then(() => setIsCopied(true))}
      >
        {isCopied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
        <span aria-live="polite">{isCopied ? 'Copied' : 'Copy'}</span>
      </Button>
    </span>
  );
}
