import { type AnswerFields, type AnswerTree, idOf, isFields } from '../shapes/answer-tree.ts';

// This folder holds every route and shape that Invo's documents name and don't show: orders and item purchases, the batch and the stream of balances,
// withdrawals, and the transfers that wait to be collected. Nobody has seen these answers, so each is read in all the forms it may have, by the
// names that other answers and webhooks use, and what can't be found counts as not reported. It is a defence, not an example: to learn how
// Invo is read, or to add a route that is documented, see `routes/` and `shapes/`. When Invo shows one of these shapes, its route moves there.

/** A record that names the requested ID. */
export interface FoundRecord {
  /** Its fields, and those of an `order` or `data` in it: nothing else that it contains is about it. */
  own: AnswerFields[];
  /** What holds it and nothing beside it, the nearest first. */
  around: AnswerFields[];
  /** Its `id`, where the answer holds it as the record itself. */
  id: string | null;
}

// Where an answer holds its record: itself (the empty name), or in one of these. Only there `id` is the id of the record.
const HOLDERS = new Set(['', 'data', 'order', 'orders']);
const RECORD_ID = 'order_id';

/**
 * The first record, from the outside in, in which one of the `names`, or `id`, holds the requested ID. Nothing inside a record of another id counts:
 * an order may name the one it replaces.
 */
export function findRecord(tree: AnswerTree, names: readonly string[], wantedId: string): FoundRecord | null {
  let level: { name: string; value: AnswerTree; around: AnswerFields[] }[] = [{ name: '', value: tree, around: [] }];
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { name, value, around } of level) {
      // What holds a list of several is about all of them.
      if (Array.isArray(value)) next.push(...value.map((each) => ({ name, value: each, around: value.length === 1 ? around : [] })));
      else if (isFields(value)) {
        const id = HOLDERS.has(name) ? idOf(value['id']) : null;
        if (id === wantedId || names.some((each) => idOf(value[each]) === wantedId)) return { own: ownOf(value), around, id };
        next.push(...insideOf(value, names).map(([inner, each]) => ({ name: inner, value: each, around: [value, ...around] })));
      }
    }
    level = next;
  }
  return null;
}

function ownOf(record: AnswerFields): AnswerFields[] {
  const own = idOf(record[RECORD_ID]);
  const isSame = (part: AnswerFields): boolean => own === null || [null, own].includes(idOf(part[RECORD_ID]) ?? idOf(part['id']));
  return [
    record,
    ...[...HOLDERS]
      .map((name) => record[name])
      .filter(isFields)
      .filter(isSame),
  ];
}

/** The fields of a record of another id in which the requested one may be. */
function insideOf(record: AnswerFields, names: readonly string[]): [string, AnswerTree][] {
  if (idOf(record[RECORD_ID]) !== null) return [];
  const isNamed = [...names, 'id'].some((name) => idOf(record[name]) !== null);
  return Object.entries(record).filter(([name]) => !isNamed || HOLDERS.has(name));
}

/** The first value under one of the names, in the first record that has it. */
export function firstOf(records: readonly AnswerFields[], names: readonly string[]): AnswerTree | undefined {
  for (const name of names) {
    const holder = records.find((record) => record[name] !== undefined && record[name] !== null);
    if (holder !== undefined) return holder[name];
  }
  return undefined;
}

/**
 * Whether an answer says that there are more rows than the `count` it holds: `has_more`, a `next_cursor`, or a greater `total_count`, in whatever
 * holds the rows. What rows contain says nothing of the list.
 */
export function hasMoreRows(tree: AnswerTree, count: number): boolean {
  if (!isFields(tree)) return false;
  const { has_more, next_cursor, total_count } = tree;
  return (
    has_more === true ||
    idOf(next_cursor) !== null ||
    (typeof total_count === 'number' && total_count > count) ||
    Object.values(tree).some((each) => hasMoreRows(each, count))
  );
}

/** The first list of objects, from the outside in; an empty list where the answer has only empty ones; null where it has none. */
export function firstList(tree: AnswerTree): AnswerFields[] | null {
  let level: AnswerTree[] = [tree];
  let hasEmpty = false;
  while (level.length > 0) {
    for (const value of level) {
      if (!Array.isArray(value)) continue;
      if (value.length === 0) hasEmpty = true;
      else if (value.every(isFields)) return value;
    }
    level = level.flatMap((value) => (Array.isArray(value) ? value : isFields(value) ? Object.values(value) : []));
  }
  return hasEmpty ? [] : null;
}
