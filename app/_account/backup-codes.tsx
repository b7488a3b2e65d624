'use client';

import type { ReactElement } from 'react';
import { Button } from '../_ui/controls/button.tsx';
import { CopyButton } from '../_ui/controls/copy-button.tsx';
import { Notice } from '../_ui/words/notice.tsx';
import styles from './account.module.css';

interface BackupCodesProps {
  codes: string[];
  /** They come with the set-up; otherwise they replace earlier ones. */
  isFirst: boolean;
  continueTo: { href: string; label: string };
}

/** The backup codes of a person, the only time they are shown. */
export function BackupCodes({ codes, isFirst, continueTo }: BackupCodesProps): ReactElement {
  return (
    <section className={styles.codes} aria-label="Backup codes">
      <Notice voice="good" title={isFirst ? 'Two-factor authentication is on' : 'New backup codes'}>
        {isFirst ? 'From now on, signing in needs a code from your app.' : 'Your earlier backup codes no longer work.'} Keep these backup
        codes where you can find them without your phone. Each one works once. They aren’t shown again.
      </Notice>
      <ul className={styles.list}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={styles.buttons} data-print="no">
        <CopyButton text={codes.join('\n')} what="backup codes">
          <span className={styles.text}>Ten codes</span>
        </CopyButton>
        <Button kind="plain" onPress={() => window.print()}>
          Print
        </Button>
        {/* A whole page load: the codes don't stay in this page. */}
        <Button kind="main" onPress={() => window.location.assign(continueTo.href)}>
          {continueTo.label}
        </Button>
      </div>
    </section>
  );
}
