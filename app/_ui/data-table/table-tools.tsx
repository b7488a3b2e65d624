import { ArrowDownUp, Columns3, Download, Search, X } from 'lucide-react';
import { type ReactElement, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button, LinkButton } from '../controls/button.tsx';
import { PopupButton } from '../controls/menu.tsx';
import { formatCount } from '../figures/format.ts';
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
  const isDefault = view.sort === spec.defaultSort.key;
  const file = fileAddress(spec, view);
  const end = (view.dir === spec.defaultSort.dir) === isInLastHalf ? spec.ends.first : spec.ends.last;
  return (
    <div className={styles.tools} data-print="no">
      <FindBox label={spec.findLabel} find={view.find} onFind={(text) => onView({ find: text })} />
      <span className={styles.grow} />
      <Button onPress={onJump} shortcut="e">
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

const PAUSE_MS = 200;

interface FindBoxProps {
  label: string;
  find: string;
  onFind: (text: string) => void;
}

/**
 * The search box; it applies after a short pause in typing, immediately on Enter, and Escape clears it. Its text is the field's own: what was typed
 * before the page's scripts had come is in it, and is searched for.
 */
function FindBox({ label, find, onFind }: FindBoxProps): ReactElement {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(find);
  const acted = useRef(find);
  const act = (text: string): void => {
    acted.current = cleanFind(text);
    onFind(acted.current);
  };
  const readField = useEffectEvent(() => setTyped(field.current?.value ?? ''));
  useEffect(() => readField(), []);
  useEffect(() => {
    // Cleared or changed elsewhere: the box follows, unless the change is its own.
    if (find === acted.current) return;
    acted.current = find;
    setTyped(find);
    if (field.current) field.current.value = find;
  }, [find]);
  useEffect(() => {
    if (cleanFind(typed) === acted.current) return;
    const timer = setTimeout(() => act(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  });
  const clear = (): void => {
    if (field.current) field.current.value = '';
    setTyped('');
    act('');
  };
  return (
    <div className={styles.find}>
      <Search size={14} aria-hidden="true" className={styles.icon} />
      <input
        ref={field}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={label}
        placeholder={label}
        defaultValue={find}
        maxLength={200}
        data-key="/"
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') act(currentTarget.value);
          if (key === 'Escape') clear();
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
function ColumnMenu({ state }: { state: TableState }): ReactElement {
  const columns = state.getAllLeafColumns().filter((column) => column.getCanHide());
  return (
    <PopupButton
      content={
        <>
          <Columns3 size={14} aria-hidden="true" />
          Columns
        </>
      }
    >
      <fieldset className={styles.columns}>
        <legend className="sr-only">Columns</legend>
        {columns.map((column) => (
          <label key={column.id} className={styles.entry}>
            <input type="checkbox" checked={column.getIsVisible()} onChange={({ target }) => column.toggleVisibility(target.checked)} />
            {String(column.columnDef.header)}
          </label>
        ))}
      </fieldset>
    </PopupButton>
  );
}
