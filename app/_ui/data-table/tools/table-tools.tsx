import { ArrowDownUp, Download } from 'lucide-react';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { Button, LinkButton } from '#app/_ui/controls/button.tsx';
import { fileAddress, type TableView } from '../table-view.ts';
import type { TableSpec } from '../table-words.ts';
import { ColumnMenu } from './column-menu.tsx';
import { FindBox } from './find-box.tsx';
import { KeyHelp } from './key-help.tsx';
import styles from './table-tools.module.css';

interface TableToolsProps {
  spec: TableSpec;
  view: TableView;
  onView: (change: Partial<TableView>) => void;
  onJump: () => void;
  /** The current row is nearer to the end, so the other end is the first. */
  isInLastHalf: boolean;
}

/** What stands above a table: the filter, ready-made choices, the way to the other end, columns, and the keys for all of it. */
export function TableTools({ spec, view, onView, onJump, isInLastHalf }: TableToolsProps): ReactElement {
  const find = useRef<HTMLInputElement>(null);
  const [isHelpOpen, setHelpOpen] = useState(false);
  useShortcuts({ '/': () => find.current?.focus(), e: onJump, '?': () => setHelpOpen(true) });
  const isDefault = view.sort === spec.defaultSort.key;
  const file = fileAddress(spec, view);
  const end = (view.dir === spec.defaultSort.dir) === isInLastHalf ? spec.ends.first : spec.ends.last;
  return (
    <div className={styles.tools} data-print="no">
      <FindBox ref={find} label={spec.findLabel} find={view.find} onFind={(text) => onView({ find: text })} />
      <span className={styles.grow} />
      <Button onPress={onJump}>
        <ArrowDownUp size={14} aria-hidden="true" />
        {isDefault ? end : 'Other end'}
        <kbd className={styles.key}>e</kbd>
      </Button>
      {file !== null && (
        <LinkButton href={file} isFile>
          <Download size={14} aria-hidden="true" />
          CSV of these rows
        </LinkButton>
      )}
      <ColumnMenu spec={spec} view={view} onView={onView} />
      <KeyHelp isOpen={isHelpOpen} onOpen={setHelpOpen} />
      {spec.chips.length > 1 && (
        <fieldset className={styles.chips}>
          <legend className="sr-only">Show</legend>
          {spec.chips.map((chip) => (
            <button
              key={chip.key}
              type="button"
              className={styles.chip}
              aria-pressed={view.chip === chip.key}
              onClick={() => onView({ chip: chip.key, ...(chip.sort === undefined ? {} : { sort: chip.sort, dir: 'desc' }) })}
            >
              {chip.label} {chip.count !== undefined && <span className={styles.count}>{chip.count.toLocaleString('en-US')}</span>}
            </button>
          ))}
        </fieldset>
      )}
    </div>
  );
}

function useShortcuts(shortcuts: Record<string, () => void>): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target instanceof HTMLElement ? event.target : null;
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
      if (target?.closest('input, textarea, select, [contenteditable], [role="menu"], [role="dialog"]')) return;
      const act = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined;
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
