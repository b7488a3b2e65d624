import { expect, type Page } from 'playwright/test';

/** A page or route, and how many statements it may send to the database. */
export interface Counted {
  path: string;
  max: number;
  /** The route that answers, where several paths of one route are counted. */
  route?: string;
}

/** Asks for each page once and expects that none sends more statements than it may. */
export async function expectFewStatements(page: Page, pages: Record<string, Counted>): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const [name, { path, route = name }] of Object.entries(pages)) {
    // Once before, for what only a first request of a process does.
    await page.request.get(path);
    counted[name] = await countStatements(page, route, path);
  }
  const tooMany = Object.entries(counted).filter(([name, count]) => count > (pages[name]?.max ?? 0));
  expect(tooMany, JSON.stringify(counted)).toEqual([]);
  return counted;
}

async function countStatements(page: Page, route: string, path: string): Promise<number> {
  const before = await readStatements(page, route);
  const answer = await page.request.get(path);
  expect(answer.status(), path).toBeLessThan(400);
  await expect.poll(async () => (await readStatements(page, route)).requests).toBe(before.requests + 1);
  return (await readStatements(page, route)).statements - before.statements;
}

async function readStatements(page: Page, route: string): Promise<{ requests: number; statements: number }> {
  const text = await (await page.request.get('/metrics')).text();
  const figure = (name: string): number => {
    const lines = text
      .split('\n')
      .filter((line) => line.startsWith(`sharebook_request_statements_${name}{`) && line.includes(`route="${route}"`));
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };
  return { requests: figure('count'), statements: figure('sum') };
}
