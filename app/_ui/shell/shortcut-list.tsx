import Link from 'next/link';
import type { ReactElement } from 'react';
import type { NavGroup } from './navigation.tsx';
import styles from './shortcut-list.module.css';

type Shortcut = readonly [keys: readonly string[], effect: string];

/** Every key of Sharebook and its effect. */
export function ShortcutList({ groups, hasShortcuts }: { groups: NavGroup[]; hasShortcuts: boolean }): ReactElement {
  const pages = groups.flatMap(({ links }) => links).filter(({ shortcut }) => shortcut !== undefined);
  return (
    <>
      <Section
        title="Anywhere"
        shortcuts={[
          [['Ctrl K'], 'Search'],
          ...(hasShortcuts
            ? ([
                [['/'], 'Search; in a table, search the table'],
                [['?'], 'Keyboard shortcuts'],
              ] as const)
            : []),
          [['Esc'], 'Close a dialog or a menu'],
        ]}
      />
      {hasShortcuts && (
        <Section
          title="Go to"
          shortcuts={[...pages.map(({ label, shortcut = '' }): Shortcut => [['g', shortcut], label]), [['g', 'n'], 'Notices']]}
        />
      )}
      <Section
        title="Lists"
        shortcuts={[
          ...(hasShortcuts ? ([[['j', 'k'], 'Next or previous row']] as const) : []),
          [['↑', '↓'], 'Next or previous row of a table'],
          [['PgUp', 'PgDn'], 'One screen'],
          [['Home', 'End'], 'First or last row'],
          [['Enter'], 'Open the row'],
          [['Space'], 'Select the row, where rows can be selected'],
          ...(hasShortcuts ? ([[['e'], 'Other end of the list']] as const) : []),
        ]}
      />
      <p className={styles.note}>
        {hasShortcuts ? 'Single keys can be switched off in ' : 'Single keys are off. Switch them on in '}
        <Link href="/settings/account#single-keys">your account</Link>.
      </p>
    </>
  );
}

function Section({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }): ReactElement {
  return (
    <section>
      <h3 className={styles.title}>{title}</h3>
      <dl className={styles.keys}>
        {shortcuts.map(([keys, effect]) => (
          <div key={effect}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
