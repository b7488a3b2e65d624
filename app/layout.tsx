import { CSPProvider } from '@base-ui/react/csp-provider';
import type { Metadata, Viewport } from 'next';
import { cookies, headers } from 'next/headers';
import { connection } from 'next/server';
import type { ReactElement, ReactNode } from 'react';
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
    <html lang="en" {...(theme === 'light' || theme === 'dark' ? { 'data-theme': theme } : {})}>
      <body>
        <CSPProvider disableStyleElements {...(nonce === null ? {} : { nonce })}>
          {children}
        </CSPProvider>
      </body>
    </html>
  );
}
