'use client';

import { usePathname } from 'next/navigation';
import type { ReactElement } from 'react';
import { LinkButton } from '../controls/button.tsx';
import { EmptyState } from './empty-state.tsx';

/** Says what an address asked for that is not there, and the way back. */
export function LookedFor(): ReactElement {
  const { title, text, href, back } = describe(usePathname());
  return (
    <>
      <title>{`${title} · Sharebook`}</title>
      <EmptyState isPage title={title} action={<LinkButton href={href}>{back}</LinkButton>}>
        {text}
      </EmptyState>
    </>
  );
}

interface Missing {
  title: string;
  text: string;
  href: string;
  back: string;
}

function describe(pathname: string): Missing {
  const [game = '', part, name, ...rest] = pathname.split('/').filter(Boolean).map(readable);
  if (part === 'months' && name !== undefined) {
    return {
      title: `There is no month “${name}”`,
      text: 'A month is written as year and month, for example 2026-10. Nothing was changed.',
      href: `/${encodeURIComponent(game)}/months`,
      back: 'All months',
    };
  }
  if (part === 'recipients' && name !== undefined) {
    return {
      title: `No recipient “${name}” in what Sharebook holds`,
      text: 'Recipients are known once a month in which they earned something was pulled.',
      href: `/${encodeURIComponent(game)}/recipients`,
      back: 'All recipients',
    };
  }
  if (part === 'refunds' && name !== undefined) {
    return {
      title: `There is no refund “${name}” in this game`,
      text: 'A refund is found in the register by its number, its period, its subscription or its key.',
      href: `/${encodeURIComponent(game)}/refunds`,
      back: 'All refunds',
    };
  }
  if (name !== undefined && Object.hasOwn(IDS, part ?? '')) {
    return {
      title: rest.length > 0 ? `There is nothing at “${pathname}”` : `“${name}” is no ${IDS[part ?? '']} id`,
      text: 'Press Ctrl and K to look it up: the box takes an e-mail and every id of Invo.',
      href: `/${encodeURIComponent(game)}/months`,
      back: 'To the months',
    };
  }
  return {
    title: `There is nothing at “${pathname}”`,
    text: `No game or page is called “${game}” here.`,
    href: '/',
    back: 'To the months',
  };
}

const IDS: Record<string, string> = { periods: 'period', players: 'player', subscriptions: 'subscription' };

function readable(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
