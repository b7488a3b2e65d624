import type { Capability } from '#lib/core/roles.ts';
import { firstPathOf } from '#lib/tasks/rules/task.ts';
import type { Person } from '../_server/session.ts';
import type { NavGroup } from '../_ui/shell/navigation.tsx';

/** A page of the navigation, with its key after `g` and what its badge counts. */
interface NavPage {
  label: string;
  /** Below the game, or from the root for a page of no game. */
  path: string;
  shortcut: string;
  asking?: string;
  /** Who may open it; absent: everyone. */
  needs?: Capability;
}

const GROUPS = {
  Close: {
    overview: { label: 'Overview', path: '', shortcut: 'o' },
    months: { label: 'Months', path: 'months', shortcut: 'm' },
    payouts: { label: 'Payouts', path: 'payouts', shortcut: 'p', asking: 'waiting for you' },
    recipients: { label: 'Recipients', path: 'recipients', shortcut: 'r' },
  },
  Desk: {
    players: { label: 'Players', path: 'players', shortcut: 'l', needs: 'desk.read' },
    refunds: { label: 'Refunds', path: 'refunds', shortcut: 'f', asking: 'need action' },
    actions: { label: 'Actions', path: 'actions', shortcut: 'd', asking: 'need action', needs: 'desk.read' },
    transfers: { label: 'Transfers', path: 'transfers', shortcut: 't', needs: 'desk.read' },
    balances: { label: 'Balances', path: 'balances', shortcut: 'b', needs: 'balances.read' },
  },
  System: {
    webhooks: { label: 'Webhooks', path: 'webhooks', shortcut: 'w', asking: 'need attention', needs: 'deliveries.read' },
    exceptions: { label: 'Exceptions', path: 'exceptions', shortcut: 'e', needs: 'audit.read' },
    audit: { label: 'Audit', path: '/audit', shortcut: 'a', needs: 'audit.read' },
    settings: { label: 'Settings', path: '/settings', shortcut: 's' },
  },
} as const satisfies Record<string, Record<string, NavPage>>;

type Groups = typeof GROUPS;
/** How many items of a page need the person; a page that is left out has no badge. */
export type NavCounts = Partial<Record<keyof (Groups['Close'] & Groups['Desk'] & Groups['System']), number>>;

/** The pages that a person may open, by group: those of a game, and those of none. Groups without a page are left out. */
export function listNavigation(slug: string | null, person: Person, counts: NavCounts): NavGroup[] {
  return Object.entries(GROUPS)
    .map(([label, pages]) => ({ label, links: linksOf(pages, slug, person, counts) }))
    .filter(({ links }) => links.length > 0);
}

function linksOf(
  pages: Record<string, NavPage>,
  slug: string | null,
  person: Person,
  counts: Partial<Record<string, number>>,
): NavGroup['links'] {
  return Object.entries(pages)
    .filter(([, page]) => isOpenTo(page, slug, person))
    .map(([page, { label, path, shortcut, asking }]) => ({
      label,
      href: addressOf(path, slug),
      // Every page of a game lies below its own address.
      isAlone: path === '',
      shortcut,
      asking: asking === undefined ? undefined : { count: counts[page] ?? 0, label: asking },
    }));
}

function addressOf(path: string, slug: string | null): string {
  if (path.startsWith('/')) return path;
  return path === '' ? `/${slug}` : `/${slug}/${path}`;
}

/** The game's own address is the first page of some roles, and leads the others to theirs. */
function isOpenTo({ path, needs }: NavPage, slug: string | null, { may, roles }: Person): boolean {
  if (slug === null && !path.startsWith('/')) return false;
  if (slug !== null && path === '' && firstPathOf(slug, roles) !== `/${slug}`) return false;
  return needs === undefined || may(needs);
}
