import type { ReactElement, ReactNode } from 'react';
import { TabCount } from '../_ui/layout/tabs.tsx';
import styles from './settings.module.css';

export interface IndexGroup {
  label: string;
  links: {
    /** Id of the section’s heading. */
    id: string;
    label: string;
    /** How many wait for a person. */
    count?: number;
    isShown: boolean;
  }[];
}

/** The sections of a page with an index beside them, which stays in view; on a narrow screen it is a line above them. */
export function SettingsIndex({ groups, children }: { groups: IndexGroup[]; children: ReactNode }): ReactElement {
  const shown = groups.map(({ label, links }) => ({ label, links: links.filter(({ isShown }) => isShown) }));
  return (
    <div className={styles.frame}>
      <nav className={styles.index} aria-label="Sections of settings" data-print="no">
        {shown
          .filter(({ links }) => links.length > 0)
          .map(({ label, links }) => (
            <div key={label} className={styles.group}>
              <p className={styles.label}>{label}</p>
              <ul className={styles.links}>
                {links.map(({ id, label: name, count = 0 }) => (
                  <li key={id}>
                    <a className={styles.link} href={`#${id}`}>
                      {name} {count > 0 && <TabCount tone="wait">{count}</TabCount>}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
      </nav>
      <div className={styles.sections}>{children}</div>
    </div>
  );
}

interface SettingsSectionProps {
  /** The id of its heading, to which the index leads. */
  id: string;
  title: string;
  action?: ReactElement;
  children: ReactNode;
}

/** One section of the settings. */
export function SettingsSection({ id, title, action, children }: SettingsSectionProps): ReactElement {
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}

/** The name of a game, marked when it is a sandbox. */
export function formatGameName({ name, environment }: { name: string; environment: string }): string {
  return environment === 'sandbox' ? `${name}, sandbox` : name;
}
