import { ArrowDownUp, Columns3, Download, Keyboard, Search, X } from 'lucide-react';
import { type ReactElement, type Ref, useEffect, useRef, useState } from 'react';
import { Button, LinkButton } from '../controls/button.tsx';
import { WantedMenu } from '../controls/menu.tsx';
import { useCode } from '../controls/use-code.ts';
import { formatCount } from '../figures/format.ts';
import type { ColumnMenuProps } from './table-popups.tsx';
import type { TableSpec } from './table-spec.ts';
import styles from './table-tools.module.css';
import { cleanFind, fileAddress, type TableView } from './table-view.ts';
import type { TableState } from './use-table-state.ts';

interface TableToolsProps {
  spec: TableSpec;
  view: TableView;
  onView: (change: Partial<TableView>) => void;
  state: TableState;
  onJump: () => void;
  /** The current row is nearer to the end, so the other end is the first row. */
  isInLastHalf: boolean;
}

/** The tools above a table: search, filters, the other end, columns and keys. */
export function TableTools({ spec, view, onView, state, onJump, isInLastHalf }: TableToolsProps): ReactElement {
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
          Export these rows
        </LinkButton>
      )}
      <ColumnMenu state={state} />
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
              {chip.label} {chip.count !== undefined && <span className={styles.count}>{formatCount(chip.count)}</span>}
              {chip.sum !== undefined && <span className={styles.count}> {chip.sum}</span>}
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

const PAUSE_MS = 200;

interface FindBoxProps {
  ref: Ref<HTMLInputElement>;
  label: string;
  find: string;
  onFind: (text: string) => void;
}

/** The search box; it applies after a short pause in typing, immediately on Enter, and Escape clears it. */
function FindBox({ ref, label, find, onFind }: FindBoxProps): ReactElement {
  const [typed, setTyped] = useState(find);
  const acted = useRef(find);
  const act = (text: string): void => {
    acted.current = cleanFind(text);
    onFind(acted.current);
  };
  useEffect(() => {
    // Cleared or changed elsewhere: the box follows, unless the change is its own.
    if (find !== acted.current) {
      acted.current = find;
      setTyped(find);
    }
  }, [find]);
  useEffect(() => {
    if (cleanFind(typed) === acted.current) return;
    const timer = setTimeout(() => act(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  });
  const clear = (): void => {
    setTyped('');
    act('');
  };
  return (
    <div className={styles.find}>
      <Search size={14} aria-hidden="true" className={styles.icon} />
      <input
        ref={ref}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={label}
        placeholder={label}
        value={typed}
        maxLength={200}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') act(typed);
          if (event.key === 'Escape') clear();
        }}
      />
      {typed === '' ? (
        <kbd className={styles.key}>/</kbd>
      ) : (
        <button type="button" className={styles.clear} aria-label="Clear search" onClick={clear}>
          <X size={14} aria-hidden="true" />
        </button>
      )}
    </div>
  );
}

/** Which columns are shown; the first always is. */
function ColumnMenu({ state }: ColumnMenuProps): ReactElement {
  const content = (
    <>
      <Columns3 size={14} aria-hidden="true" />
      Columns
    </>
  );
  return (
    <WantedMenu
      className={styles.columnsTrigger}
      importCode={() => import('./table-popups.tsx')}
      list={({ ColumnList }) => <ColumnList state={state}>{content}</ColumnList>}
    >
      {content}
    </WantedMenu>
  );
}

/** The button of the keyboard shortcuts, and their dialog once it is wanted. */
function KeyHelp({ isOpen, onOpen }: { isOpen: boolean; onOpen: (isOpen: boolean) => void }): ReactElement {
  const { code, warm } = useCode(() => import('./table-popups.tsx'), isOpen);
  return (
    <>
      <button
        type="button"
        className={styles.keysTrigger}
        aria-label="Keyboard shortcuts"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        {...warm}
        onClick={() => onOpen(true)}
      >
        <Keyboard size={16} aria-hidden="true" />
      </button>
      {code !== null && <code.KeyList isOpen={isOpen} onOpen={onOpen} />}
    </>
  );
}
