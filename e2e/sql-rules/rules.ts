import {
  type A_Expr,
  type DeleteStmt,
  type FuncCall,
  type InsertStmt,
  type JoinExpr,
  type Node,
  parseSync,
  type RangeVar,
  type SelectStmt,
  type SQLValueFunction,
  type SubLink,
  type UpdateStmt,
  type WithClause,
} from 'libpg-query';
import type { Catalog } from './catalog.ts';
import {
  aliasOf,
  changesRows,
  columnOf,
  describe,
  hasColumn,
  hasInterval,
  hasSubquery,
  isEquation,
  isFixed,
  isOfOneGame,
  listChanged,
  listRead,
  listTables,
  membersOf,
  nameOf,
  readsOutside,
  textOf,
} from './parse-tree.ts';

/** What breaks each rule, one sentence per occurrence. */
export interface Breaches {
  /** References to a distributed table without their game. */
  games: string[];
  /** Volatile functions in what is updated or deleted, and other clocks than ours. */
  clocks: string[];
  /** Rows of several games locked at once, and locks that may take more rows than their limit. */
  locks: string[];
  /** What else a distributed database refuses, or does otherwise than one server. */
  refused: string[];
}

/** Volatile functions of PostgreSQL that a statement could come to use. */
const VOLATILE =
  /^(clock_timestamp|timeofday|random|random_normal|nextval|setval|gen_random_uuid|uuidv4|uuidv7|pg_notify|pg_sleep|set_config|pg_(try_)?advisory_\w+)$/;

/**
 * Holds a statement against the rules that let it run on a distributed PostgreSQL: each reference to a distributed table names its
 * game by a parameter or constant at its own query level, updates and deletes use no volatile function and compute no instant from a column, locks are of one
 * game, and IDs are drawn on the coordinator. Also: the time comes from one function.
 * The parser has to be loaded. Throws for a text that PostgreSQL's grammar refuses.
 */
export function findBreaches(text: string, catalog: Catalog): Breaches {
  const breaches: Breaches = { games: [], clocks: [], locks: [], refused: [] };
  const columnless: string[] = [];
  const { stmts } = parseSync(text);
  const changed = listChanged(stmts);
  if (changed.some((table) => catalog.copied.has(table)) && [...changed, ...listRead(stmts)].some((table) => catalog.local.has(table)))
    breaches.refused.push(
      'a table that every server has a copy of is changed beside one of the coordinator, in that copy alone: write two statements',
    );
  visit(stmts, {
    catalog,
    breaches,
    columnless,
    withNames: new Set(),
    isChange: false,
    isOfChangedRow: false,
    isClockless: false,
    isOfCopies: false,
    isPerRow: false,
  });
  if (breaches.games.length > 0) breaches.refused.push(...columnless);
  return breaches;
}

/** Clocks that stop at the start of a transaction or statement. */
const OTHER_CLOCK = /^(now|transaction_timestamp|statement_timestamp)$/;

interface Context {
  catalog: Catalog;
  breaches: Breaches;
  /** What is refused only in a statement that reads several games. */
  columnless: string[];
  /** Names of WITH queries, which hide tables of the same name. */
  withNames: ReadonlySet<string>;
  /** Whether this is part of an update or delete. */
  isChange: boolean;
  /** Whether this is of the changed row itself, outside any subquery. */
  isOfChangedRow: boolean;
  /** Whether this is part of a CASE or COALESCE, or of what a conflict sets, where a distributed database reads no clock. */
  isClockless: boolean;
  /** Whether the query level reads only tables that every server has a copy of. */
  isOfCopies: boolean;
  /** Whether this is a subquery that is run for each row of such a level. */
  isPerRow: boolean;
}

/** Checks for a kind of node; nodes of other kinds are passed through. */
const CHECKS: Record<string, (part: never, context: Context) => void> = {
  SelectStmt: checkSelect,
  InsertStmt: checkInsert,
  UpdateStmt: (part: UpdateStmt, context) => checkChange(part, part.fromClause, context),
  DeleteStmt: (part: DeleteStmt, context) => checkChange(part, part.usingClause, context),
  MergeStmt: (_, { breaches }) => void breaches.games.push('the rules are not written for MERGE'),
  FuncCall: checkFunction,
  A_Expr: checkOperator,
  SQLValueFunction: checkValueFunction,
  SubLink: checkSubquery,
  CaseExpr: checkCondition,
  CoalesceExpr: checkCondition,
};

function visit(node: unknown, context: Context): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [kind, part] of Object.entries(node)) {
    const check = CHECKS[kind];
    if (check === undefined) visit(part, context);
    // The key of a node is its kind.
    else check(part as never, context);
  }
}

function checkSelect(select: SelectStmt, outer: Context): void {
  const context = { ...inside(select.withClause, outer), isOfChangedRow: false };
  const { larg, rarg, ...parts } = select;
  for (const half of [larg, rarg]) if (half !== undefined) checkSelect(half, context);
  const without = listWithoutGame(select.fromClause ?? [], select.whereClause, context);
  context.breaches.games.push(...without.map(describe));
  if (context.isPerRow)
    context.breaches.refused.push(
      ...without.map((reference) => `${describe(reference)} and is read for each row of a table beside the games`),
    );
  const locks = select.lockingClause ?? [];
  const locked = locks.flatMap((lock) => ('LockingClause' in lock ? (lock.LockingClause.lockedRels ?? []) : [])).map(nameOf);
  if (locks.length > 0) {
    const open = without.filter((reference) => locked.length === 0 || locked.includes(aliasOf(reference)));
    context.breaches.locks.push(...open.map((reference) => `${describe(reference)} and is locked`));
  }
  const sources = listTables(select.fromClause ?? []).filter((name) => !context.withNames.has(name));
  visit(parts, { ...context, isOfCopies: sources.length > 0 && !sources.some((name) => context.catalog.distributed.has(name)) });
}

function checkChange(change: UpdateStmt | DeleteStmt, fromClause: Node[] = [], outer: Context): void {
  const context = { ...inside(change.withClause, outer), isChange: true, isOfChangedRow: true };
  const target: Node[] = change.relation === undefined ? [] : [{ RangeVar: change.relation }];
  context.breaches.games.push(...listWithoutGame([...target, ...fromClause], change.whereClause, context).map(describe));
  visit({ ...change }, context);
}

function checkInsert(insert: InsertStmt, outer: Context): void {
  const context = inside(insert.withClause, outer);
  const { onConflictClause, ...parts } = insert;
  const table = insert.relation?.relname ?? '';
  const rows = insert.selectStmt !== undefined && 'SelectStmt' in insert.selectStmt ? insert.selectStmt.SelectStmt : {};
  if (context.catalog.distributed.has(table)) {
    const index = (insert.cols ?? []).findIndex((column) => 'ResTarget' in column && column.ResTarget.name === 'game_id');
    if (index < 0 || !isOfOneGame(rows, index)) context.breaches.games.push(`what is inserted into ${table} has no game_id by parameter`);
    if (context.catalog.numbered.has(table) && listTables(rows.fromClause ?? []).some((name) => !context.withNames.has(name)))
      context.breaches.refused.push(
        `what is inserted into ${table} is selected from a table, so a worker draws its ID: read first, then insert VALUES`,
      );
    if (insert.returningClause !== undefined && insert.relation?.alias === undefined && listTables(rows.fromClause ?? []).includes(table))
      context.breaches.refused.push(`an insert into ${table} from its own rows returns columns: give the table another name, by AS`);
    if (onConflictClause !== undefined && insert.returningClause === undefined && ((rows.fromClause ?? []).length > 0 || hasSubquery(rows)))
      context.breaches.refused.push(
        `an insert into ${table} from a query counts rows that a conflict left out: return a column, and count those`,
      );
    if (hasSubquery(insert.returningClause))
      context.breaches.refused.push(`an insert into ${table} returns what a subquery finds: write two statements`);
    if ((insert.withClause?.ctes ?? []).some(changesRows))
      context.breaches.refused.push(`an insert into ${table} whose WITH changes rows: write two statements`);
  }
  visit(parts, context);
  visit(onConflictClause, { ...context, isChange: true, isOfChangedRow: true, isClockless: true });
}

/**
 * A join may run the subquery of an IN again for each row; what it locked and changed is skipped then, and more rows change than its limit says. One that
 * depends on no row outside it is a step of its own where a statement reads several games, and its result is stored by column.
 */
function checkSubquery(link: SubLink, context: Context): void {
  const select = link.subselect !== undefined && 'SelectStmt' in link.subselect ? link.subselect.SelectStmt : {};
  if (link.subLinkType === 'EXISTS_SUBLINK' && select.targetList === undefined && !readsOutside(select))
    context.columnless.push('EXISTS depends on no other row and has no column: write select 1');
  if (link.subLinkType === 'ANY_SUBLINK' && select.limitCount !== undefined && select.lockingClause !== undefined) {
    context.breaches.locks.push('IN over a subquery with LIMIT that locks may take more rows: write = ( … ) or = any(array( … ))');
  }
  visit({ ...link }, { ...context, isPerRow: context.isOfCopies, isOfCopies: false });
}

/** An instant plus an interval depends on the time zone of a session, so a server that changes rows computes none from their columns. */
function checkOperator(part: A_Expr, context: Context): void {
  const sides = [part.lexpr, part.rexpr];
  if (context.isOfChangedRow && ['+', '-'].includes(textOf(part.name?.[0])) && sides.some(hasInterval) && sides.some(hasColumn))
    context.breaches.refused.push('an instant is computed from a column of what is changed: read it first');
  if (context.isChange && part.lexpr !== undefined && 'RowExpr' in part.lexpr && part.rexpr !== undefined && 'SubLink' in part.rexpr)
    context.breaches.refused.push('several columns are compared with a subquery in a change: join it from a materialized WITH');
  visit({ ...part }, context);
}

function checkFunction(call: FuncCall, context: Context): void {
  const name = textOf(call.funcname?.at(-1));
  const isVolatile = VOLATILE.test(name) || context.catalog.volatile.has(name);
  if (context.isChange && isVolatile) context.breaches.clocks.push(`${name}() is volatile`);
  if (name === 'clock_now' && context.isChange && context.isClockless)
    context.breaches.clocks.push('clock_now() in CASE, COALESCE or DO UPDATE');
  if (OTHER_CLOCK.test(name)) context.breaches.clocks.push(`${name}() is another clock: use clock_now()`);
  visit({ ...call }, context);
}

function checkCondition(part: object, context: Context): void {
  visit({ ...part }, { ...context, isClockless: true });
}

/** CURRENT_TIMESTAMP and its relatives. */
function checkValueFunction({ op }: SQLValueFunction, { breaches }: Context): void {
  if (op !== undefined && /TIME|DATE/.test(op)) breaches.clocks.push(`${op.replace('SVFOP_', '')} is another clock: use clock_now()`);
}

/** A FROM clause and WHERE condition: the references to distributed tables, and the conditions that name the game of some of them. */
interface Level {
  references: RangeVar[];
  /** Aliases whose game a condition names; empty for a column without alias. */
  named: Set<string>;
  /** Aliases that are joined by USING (game_id, …). */
  ties: string[][];
}

function listWithoutGame(fromClause: Node[], where: Node | undefined, context: Context): RangeVar[] {
  const level: Level = { references: [], named: new Set(gamesNamedIn(where)), ties: [] };
  for (const item of fromClause) readItem(item, level, context);
  const { references, named, ties } = level;
  for (const tie of ties) if (tie.some((alias) => named.has(alias)) || named.has('')) for (const alias of tie) named.add(alias);
  if (references.length === 1 && named.has('')) return [];
  return references.filter((reference) => !named.has(aliasOf(reference)));
}

/** Adds an item of a FROM clause to its level; returns the aliases in it. */
function readItem(item: Node, level: Level, context: Context): string[] {
  if ('JoinExpr' in item) return readJoin(item.JoinExpr, level, context);
  if (!('RangeVar' in item)) return [];
  const { relname = '', schemaname } = item.RangeVar;
  const isTable = schemaname !== undefined || !context.withNames.has(relname);
  if (isTable && context.catalog.distributed.has(relname)) level.references.push(item.RangeVar);
  return [aliasOf(item.RangeVar)];
}

/** The condition of an outer join filters only the side that may be missing. */
function readJoin({ jointype, larg, rarg, quals, usingClause = [] }: JoinExpr, level: Level, context: Context): string[] {
  const left = larg === undefined ? [] : readItem(larg, level, context);
  const right = rarg === undefined ? [] : readItem(rarg, level, context);
  const filtered = [
    ...(jointype === 'JOIN_INNER' || jointype === 'JOIN_RIGHT' ? left : []),
    ...(jointype === 'JOIN_INNER' || jointype === 'JOIN_LEFT' ? right : []),
  ];
  for (const alias of gamesNamedIn(quals)) if (filtered.includes(alias)) level.named.add(alias);
  if (jointype === 'JOIN_LEFT' && level.references.length > 0 && hasParameter(quals))
    context.breaches.refused.push('an outer join that a parameter may turn off: leave the join out of the text instead');
  if (usingClause.some((column) => textOf(column) === 'game_id')) level.ties.push([...left, ...right]);
  return [...left, ...right];
}

/** The aliases whose game_id the condition sets equal to a parameter or constant. */
function gamesNamedIn(condition: Node | undefined): string[] {
  if (condition === undefined) return [];
  if ('BoolExpr' in condition) {
    return condition.BoolExpr.boolop === 'AND_EXPR' ? (condition.BoolExpr.args ?? []).flatMap(gamesNamedIn) : [];
  }
  if (!('A_Expr' in condition) || !isEquation(condition.A_Expr)) return [];
  const { lexpr, rexpr } = condition.A_Expr;
  const [left, right] = [membersOf(lexpr), membersOf(rexpr)];
  return left.flatMap((member, index) => [...gameOf(member, right[index]), ...gameOf(right[index], member)]);
}

/** Whether a condition, or one of those it ANDs, is a parameter by itself. */
function hasParameter(condition: Node | undefined): boolean {
  if (condition === undefined) return false;
  if ('BoolExpr' in condition) return condition.BoolExpr.boolop === 'AND_EXPR' && (condition.BoolExpr.args ?? []).some(hasParameter);
  return 'ParamRef' in condition || ('TypeCast' in condition && hasParameter(condition.TypeCast.arg));
}

function gameOf(column: Node | undefined, value: Node | undefined): string[] {
  const found = columnOf(column);
  return found?.name === 'game_id' && isFixed(value) ? [found.alias] : [];
}

function inside(withClause: WithClause | undefined, context: Context): Context {
  const names = (withClause?.ctes ?? []).map((query) => ('CommonTableExpr' in query ? (query.CommonTableExpr.ctename ?? '') : ''));
  return names.length === 0 ? context : { ...context, withNames: new Set([...context.withNames, ...names]) };
}
