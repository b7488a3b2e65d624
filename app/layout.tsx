import type { Metadata, Viewport } from 'next';
import { cookies, headers } from 'next/headers';
import { connection } from 'next/server';
import type { ReactElement, ReactNode } from 'react';
import { listenForKeys } from './_ui/shell/page-keys.ts';
import './globals.css';

export const metadata: Metadata = {
  title: { default: 'Sharebook', template: '%s · Sharebook' },
  description: 'A game studio’s record of what it owes its revenue-share recipients.',
  robots: { index: false, follow: false },
};

export const viewport: Viewport = { width: 'device-width', initialScale: 1, colorScheme: 'light dark' };

export default async function RootLayout({ children }: { children: ReactNode }): Promise<ReactElement> {
  // A page rendered at build time would have no nonce, and the browser would block its scripts.
  await connection();
  const nonce = (await headers()).get('x-nonce');
  const theme = (await cookies()).get('theme')?.value;
  return (
    // The script changes attributes before React compares them.
    <html lang="en" suppressHydrationWarning {...(theme === 'light' || theme === 'dark' ? { 'data-theme': theme } : {})}>
      <head>
        {/* An asynchronous module doesn't wait for the style sheets, which Next writes before it. */}
        <script type="module" async nonce={nonce ?? undefined} suppressHydrationWarning>{`(${listenForKeys})()`}</script>
      </head>
      <body>{children}</body>
    </html>
  );
}
