'use client';

import type { ReactElement } from 'react';
import './globals.css';
import ErrorPage from './error.tsx';

export default function GlobalError(props: { error: unknown; retry: () => void }): ReactElement {
  return (
    <html lang="en">
      <body>
        <ErrorPage {...props} />
      </body>
    </html>
  );
}
