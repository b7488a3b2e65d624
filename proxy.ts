import { type NextRequest, NextResponse } from 'next/server';

/**
 * Gives every page its own content security policy and passes it its path. It authorises nothing: each page, action and route
 * checks the person itself.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(18))).toString('base64');
  const policy = contentSecurityPolicy(nonce, process.env.NODE_ENV === 'development');
  const headers = new Headers(request.headers);
  headers.set('x-nonce', nonce);
  headers.set('content-security-policy', policy);
  headers.set('x-sharebook-path', `${request.nextUrl.pathname}${request.nextUrl.search}`);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  response.headers.set('cache-control', 'no-store');
  if (process.env.SHAREBOOK_URL?.startsWith('https:')) response.headers.set('strict-transport-security', 'max-age=31536000');
  return response;
}

// Files and probes end with `$`: without it a page such as /healthz/months would have no policy.
export const config = { matcher: ['/((?!_next/static/|_next/image$|favicon\\.ico$|icon\\.svg$|healthz$|readyz$|metrics$).*)'] };

/** In development Next evaluates code, adds its own styles and reports changes over a web socket. */
function contentSecurityPolicy(nonce: string, isDevelopment: boolean): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    `style-src 'self' ${isDevelopment ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    // Charts and virtual rows use style attributes, which can't carry a nonce.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${isDevelopment ? ' ws:' : ''}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
