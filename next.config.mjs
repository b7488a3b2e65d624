import { existsSync } from 'node:fs';

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  // `npm test` and `npm run check` check the types of everything; checking them in each build again took 11 s of a first start.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  experimental: {
    // Without it `forbidden()` answers 500 instead of 403 with its page.
    authInterrupts: true,
    // A larger body is cut without an error: 1 MiB above the largest file that a route reads, which refuses more by itself.
    proxyClientMaxBodySize: 33 * 1024 * 1024,
    // Writing the cache takes a third of a first build; only the builds after it read the cache.
    turbopackFileSystemCacheForBuild: existsSync(`${import.meta.dirname}/.next/BUILD_ID`),
  },
  // A lock file in a folder above must not move the root.
  turbopack: {
    root: import.meta.dirname,
    // A pseudo-class that its parser of styles doesn't know yet, and passes on.
    ignoreIssue: [{ path: 'app/settings/settings.module.css', description: /'target-current' is not recognized/ }],
  },
  outputFileTracingRoot: import.meta.dirname,
  // pdfkit and the fonts read files beside their code.
  serverExternalPackages: [
    'dejavu-fonts-ttf',
    'fontkit',
    'kysely',
    'pdfkit',
    'pg',
    'pg-copy-streams',
    'pg-cursor',
    'prom-client',
    'yazl',
    'zod',
  ],
  async headers() {
    return [{ source: '/:path*', headers: SECURITY_HEADERS }];
  },
};

const SECURITY_HEADERS = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=(), payment=(), usb=()' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'X-Frame-Options', value: 'DENY' },
];

export default config;
