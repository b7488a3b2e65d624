import type { ReactElement } from 'react';
import { Menu, type MenuEntry } from '#app/_ui/controls/menu.tsx';
import { SHEETS, type SheetName } from '#lib/evidence/rules/sheets.ts';
import styles from './export-menu.module.css';

export interface ExportMenuProps {
  game: string;
  month: string;
  snapshotId: number;
  /** `complete`, `open` or `inconsistent`. */
  status: string;
  mayExport: boolean;
}

const LABELS: Record<SheetName, string> = { recipients: 'Recipients', renewals: 'Lines (renewals)', reversals: 'Reversals' };

/** The files of a month: each sheet and the manifest beside it; or in one sentence why there are none. */
export function ExportMenu({ game, month, snapshotId, status, mayExport }: ExportMenuProps): ReactElement {
  if (!mayExport) return <Refused reason="Your role takes no files" />;
  const isComplete = status === 'complete';
  const address = (file: string): string => `/${game}/months/${month}/export/${file}${isComplete ? '' : '?incomplete=1'}`;
  const entries = SHEETS.flatMap((sheet): MenuEntry[] => [
    {
      label: LABELS[sheet],
      note: isComplete ? `CSV of snapshot ${snapshotId}` : 'CSV, named and marked incomplete',
      href: address(sheet),
      isFile: true,
    },
    { label: `${LABELS[sheet]}: manifest`, note: 'Rows, sums and SHA-256', href: address(`${sheet}.manifest.json`), isFile: true },
  ]);
  if (!isComplete) {
    return (
      <span className={styles.refused}>
        <span className={styles.reason}>
          {status === 'open' ? 'The month is not over: no complete file yet' : 'Does not tie: cannot be exported as complete'}
        </span>
        <Menu label="Export as incomplete" entries={entries} />
      </span>
    );
  }
  return <Menu label="Export" entries={entries} />;
}

function Refused({ reason }: { reason: string }): ReactElement {
  return (
    <span className={styles.refused}>
      <button type="button" disabled className={styles.button}>
        Export
      </button>
      <span className={styles.reason}>{reason}</span>
    </span>
  );
}
