import type { A_Expr, Alias, FuncCall, Node, RangeVar, SelectStmt, TypeCast } from 'libpg-query';

// What the rules ask of a parsed statement.

export function listTables(items: Node[]): string[] {
  return items.flatMap((item) => {
    if ('RangeVar' in item) return [item.RangeVar.relname ?? ''];
    if (!('JoinExpr' in item)) return [];
    const { larg, rarg } = item.JoinExpr;
    return listTables([larg, rarg].filter((side) => side !== undefined));
  });
}

/** Whether a query, or one within it, reads a column of a table that none of them names. */
export function readsOutside(query: SelectStmt): boolean {
  const names = new Set([
    ...listParts(query, 'RangeVar').map((part) => aliasOf(part as RangeVar)),
    ...listParts(query, 'alias').map((part) => (part as Alias).aliasname ?? ''),
  ]);
  return listParts(query, 'ColumnRef')
    .map((part) => columnOf({ ColumnRef: part } as Node)?.alias ?? '')
    .some((alias) => alias !== '' && !names.has(alias));
}

/** The parts of that kind, those in subqueries too. */
function listParts(node: unknown, wanted: string): unknown[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([kind, part]) => [...(kind === wanted ? [part] : []), ...listParts(part, wanted)]);
}

/** The tables that a text changes, those in WITH included. */
export function listChanged(node: unknown): string[] {
  const changes = ['InsertStmt', 'UpdateStmt', 'DeleteStmt'].flatMap((kind) => listParts(node, kind));
  return changes.map((part) => (part as { relation?: RangeVar }).relation?.relname ?? '');
}

/** The tables that a text reads, wherever. */
export function listRead(node: unknown): string[] {
  return listParts(node, 'RangeVar').map((part) => (part as RangeVar).relname ?? '');
}

export function hasSubquery(node: unknown): boolean {
  return listParts(node, 'SubLink').length > 0;
}

/** Whether a node, or one within it, is wanted; subqueries are levels of their own. */
function hasNode(node: unknown, isWanted: (kind: string, part: unknown) => boolean): boolean {
  if (typeof node !== 'object' || node === null) return false;
  return Object.entries(node).some(([kind, part]) => kind !== 'SubLink' && (isWanted(kind, part) || hasNode(part, isWanted)));
}

export function hasInterval(node: unknown): boolean {
  return hasNode(node, (kind, part) => {
    if (kind === 'FuncCall') return ['make_interval', 'clock_now'].includes(textOf((part as FuncCall).funcname?.at(-1)));
    return kind === 'TypeCast' && textOf((part as TypeCast).typeName?.names?.at(-1)) === 'interval';
  });
}

export function hasColumn(node: unknown): boolean {
  return hasNode(node, (kind) => kind === 'ColumnRef');
}

export function isEquation({ kind, name = [] }: A_Expr): boolean {
  return kind === 'AEXPR_OP' && textOf(name[0]) === '=';
}

export function membersOf(side: Node | undefined): (Node | undefined)[] {
  return side !== undefined && 'RowExpr' in side ? (side.RowExpr.args ?? []) : [side];
}

export function isFixed(value: Node | undefined): boolean {
  if (value === undefined) return false;
  return 'ParamRef' in value || 'A_Const' in value || ('TypeCast' in value && isFixed(value.TypeCast.arg));
}

export function columnOf(node: Node | undefined): { alias: string; name: string } | null {
  if (node === undefined || !('ColumnRef' in node)) return null;
  const [name = '', alias = ''] = (node.ColumnRef.fields ?? []).map(textOf).toReversed();
  return { alias, name };
}

export function textOf(node: Node | undefined): string {
  return node !== undefined && 'String' in node ? (node.String.sval ?? '') : '';
}

export function nameOf(node: Node): string {
  return 'RangeVar' in node ? (node.RangeVar.relname ?? '') : '';
}

export function aliasOf({ alias, relname = '' }: RangeVar): string {
  return alias?.aliasname ?? relname;
}

export function describe(reference: RangeVar): string {
  const [table = '', alias] = [reference.relname, aliasOf(reference)];
  return `${table === alias ? table : `${table} ${alias}`} has no game_id by parameter`;
}

/** Whether the column at this index is one game's: a parameter in each row, or the game of a table, whose own level is checked by itself. */
export function isOfOneGame({ valuesLists, targetList = [], larg, rarg, fromClause = [] }: SelectStmt, index: number): boolean {
  if (larg !== undefined && rarg !== undefined) return isOfOneGame(larg, index) && isOfOneGame(rarg, index);
  if (valuesLists !== undefined) return valuesLists.every((row) => 'List' in row && isFixed(row.List.items?.[index]));
  const target = targetList[index];
  const value = target !== undefined && 'ResTarget' in target ? target.ResTarget.val : undefined;
  const column = columnOf(value);
  return isFixed(value) || (column?.name === 'game_id' && !fromClause.some((item) => 'RangeFunction' in item));
}

/** Whether a WITH query changes rows. */
export function changesRows(query: Node): boolean {
  const text = 'CommonTableExpr' in query ? query.CommonTableExpr.ctequery : undefined;
  return text !== undefined && ('InsertStmt' in text || 'UpdateStmt' in text || 'DeleteStmt' in text);
}
