'use client';

import { usePathname } from 'next/navigation';
import type { ReactElement } from 'react';
import { LinkButton } from '../controls/button.tsx';
import { EmptyState } from './empty-state.tsx';

/** What an address names that doesn’t exist, and a link back. */
export function NotFoundPage(): ReactElement {
  const { title, text, href, back } = missingAt(usePathname());
  return (
    <>
      <title>{`${title} · Sharebook`}</title>
      <EmptyState isPage title={title} action={<LinkButton href={href}>{back}</LinkButton>}>
        {text}
      </EmptyState>
    </>
  );
}

function missingAt(pathname: string): { title: string; text: string; href: string; back: string } {
  const [game = '', part, name, ...rest] = pathname.split('/').filter(Boolean).map(readable);
  if (part === 'months' && name !== undefined) {
    return {
      title: `Month “${name}” not found`,
      text: 'Write a month as year and month, for example 2026-10.',
      href: `/${encodeURIComponent(game)}/months`,
      back: 'All months',
    };
  }
  if (part === 'recipients' && name !== undefined) {
    return {
      title: `Recipient “${name}” not found`,
      text: 'Recipients appear here after a month they have figures in is pulled.',
      href: `/${encodeURIComponent(game)}/recipients`,
      back: 'All recipients',
    };
  }
  if (part === 'refunds' && name !== undefined) {
    return {
      title: `Refund “${name}” not found`,
      text: 'Search the refunds by refund, period or subscription ID, or by idempotency key.',
      href: `/${encodeURIComponent(game)}/refunds`,
      back: 'All refunds',
    };
  }
  if (name !== undefined && rest.length === 0 && Object.hasOwn(IDS, part ?? '')) {
    return {
      title: `“${name}” isn’t a ${IDS[part ?? '']} ID`,
      text: 'Press Ctrl K to search by email or any Invo ID.',
      href: `/${encodeURIComponent(game)}/months`,
      back: 'Go to months',
    };
  }
  return { title: `Page “${pathname}” not found`, text: 'Check the address, or start from the months.', href: '/', back: 'Go to months' };
}

const IDS: Record<string, string> = { periods: 'period', players: 'player', subscriptions: 'subscription' };

function readable(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
