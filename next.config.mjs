/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  images: { unoptimized: true },
  // `forbidden()` answers 403 with the page that says so; without it a role that may not is a 500.
  experimental: { authInterrupts: true },
  // A lock file in a folder above must not move the root.
  turbopack: { root: import.meta.dirname },
  outputFileTracingRoot: import.meta.dirname,
  serverExternalPackages: ['pg', 'pg-cursor', 'pg-copy-streams', 'prom-client'],
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
