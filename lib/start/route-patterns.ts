import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** The page or route that a path belongs to, without the ids in it. */
export interface RoutePattern {
  route: string;
  kind: 'page' | 'route' | 'other';
}

const entry = z.object({ page: z.string(), regex: z.string() });
const manifestSchema = z.object({ staticRoutes: z.array(entry), dynamicRoutes: z.array(entry) });
const OTHER: RoutePattern = { route: 'other', kind: 'other' };

/** Reads from a build which paths belong to which route; `folder` is the build's. */
export function readRoutePatterns(folder: string): (pathname: string) => RoutePattern {
  const read = (name: string): unknown => JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'));
  const { staticRoutes, dynamicRoutes } = manifestSchema.parse(read('routes-manifest.json'));
  const files = z.record(z.string(), z.string()).parse(read('app-path-routes-manifest.json'));
  const kinds = new Map(Object.entries(files).map(([file, page]) => [page, file.endsWith('/route') ? 'route' : 'page'] as const));
  const patterns = [...staticRoutes, ...dynamicRoutes].map(({ page, regex }) => ({ page, regex: new RegExp(regex) }));
  return (pathname) => {
    const found = patterns.find(({ regex }) => regex.test(pathname));
    return found === undefined ? OTHER : { route: found.page, kind: kinds.get(found.page) ?? 'other' };
  };
}
