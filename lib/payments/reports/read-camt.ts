import { absoluteMoney } from '#lib/core/money.ts';
import { mapInSteps, type Steps } from '#lib/core/steps.ts';
import { parseCurrency, parseReportedAmount } from '../rules/report-cells.ts';
import { type ParsedReport, type ReportedAmount, refuse } from '../rules/report-row.ts';
import type { ReportedState } from '../rules/reported-states.ts';
import { buildRows, type FoundRow } from './build-row.ts';
import { attributeAt, nodesAt, textAt, textsOf, type XmlNode } from './parse-xml.ts';

/** Reads a statement (camt.053) or a notification (camt.054) of a bank, of version 02 to 08 and later. Throws `RefusedReport`. */
export function* readCamt(document: XmlNode, kind: 'camt_053' | 'camt_054'): Steps<ParsedReport> {
  const statements = nodesAt(document, kind === 'camt_053' ? 'BkToCstmrStmt/Stmt' : 'BkToCstmrDbtCdtNtfctn/Ntfctn');
  if (statements.length === 0) refuse('truncated');
  const accounts = new Set(statements.map(accountOf));
  if (accounts.size > 1) refuse('several_accounts', null, [...accounts].join(', '));
  for (const statement of statements) {
    const [stated, found] = [textAt(statement, 'TxsSummry/TtlNtries/NbOfNtries'), nodesAt(statement, 'Ntry').length];
    if (stated !== '' && Number(stated) !== found) refuse('count_differs', null, `${found} of ${stated}`);
  }
  const entries = statements.flatMap((statement) => nodesAt(statement, 'Ntry'));
  const payments = yield* mapInSteps(entries, paymentsOf);
  const rows = yield* mapInSteps(payments.flat(), readPayment);
  return {
    kind,
    account: [...accounts][0] || null,
    feeRows: 0,
    rows: yield* buildRows(rows.map((row, index) => ({ ...row, rowNo: index + 1 }))),
  };
}

function accountOf(statement: XmlNode): string {
  return (textAt(statement, 'Acct/Id/IBAN') || textAt(statement, 'Acct/Id/Othr/Id')).replaceAll(/\s/g, '');
}

/** A payment of an entry; null: the entry has none, because it is the total of a batch or a payment itself. */
interface EntryPayment {
  entry: XmlNode;
  payment: XmlNode | null;
  /** How many payments the entry has. */
  count: number;
  /** What the entry has besides: it distinguishes a payment from an equal one of another day, by date, amount and the bank's reference. */
  head: readonly string[];
}

/** An entry has its payments one by one, or is the total of a batch. */
function paymentsOf(entry: XmlNode): EntryPayment[] {
  const payments = nodesAt(entry, 'NtryDtls/TxDtls');
  if (payments.length === 0) return [{ entry, payment: null, count: 0, head: [] }];
  const { NtryDtls: _, ...rest } = entry;
  const head = textsOf(rest);
  return payments.map((payment) => ({ entry, payment, count: payments.length, head }));
}

function readPayment({ entry, payment, count, head }: EntryPayment): FoundRow {
  if (payment === null) {
    const batch = nodesAt(entry, 'NtryDtls/Btch')[0];
    const batchId = textAt(batch, 'PmtInfId') || textAt(batch, 'MsgId');
    return { ...facts(entry, entry), amounts: amountsOf(entry, 'Amt'), batchId: batchId || null, cells: textsOf(entry) };
  }
  // The amount of the entry is that of its only payment; the total of several is none of theirs.
  const own = [...amountsOf(payment, 'Amt'), ...amountsOf(payment, 'AmtDtls/TxAmt/Amt')];
  const amounts = own.length > 0 || count > 1 ? own : amountsOf(entry, 'Amt');
  const reference = textAt(payment, 'Refs/EndToEndId');
  return {
    ...facts(entry, payment),
    // A wire in USD may be booked in EUR: what was instructed is the amount of the payment.
    amounts: [...amounts, ...amountsOf(payment, 'AmtDtls/InstdAmt/Amt')],
    batchId: reference === '' && count === 1 ? textAt(payment, 'Refs/PmtInfId') || textAt(payment, 'Refs/MsgId') || null : null,
    cells: [...head, ...textsOf(payment)],
  };
}

type Facts = Pick<FoundRow, 'rowNo' | 'state' | 'word' | 'hasAmount' | 'providerId' | 'occurredOn' | 'reasonCode'>;

function facts(entry: XmlNode, payment: XmlNode): Facts {
  const word = textAt(entry, 'Sts/Cd') || textAt(entry, 'Sts');
  const reasonCode = textAt(payment, 'RtrInf/Rsn/Cd') || textAt(payment, 'RtrInf/Rsn/Prtry') || null;
  const booked = textAt(entry, 'BookgDt/Dt') || textAt(entry, 'BookgDt/DtTm');
  return {
    rowNo: 0,
    state: stateOf(entry, payment, word, reasonCode !== null),
    word,
    hasAmount: true,
    providerId: textAt(payment, 'Refs/AcctSvcrRef') || textAt(payment, 'Refs/TxId') || textAt(entry, 'AcctSvcrRef') || null,
    occurredOn: booked.slice(0, 10) || null,
    reasonCode,
  };
}

/** Money that comes in is a return. Money that leaves as the reversal or return of something else isn't a payment of ours; what isn't booked yet is pending. */
function stateOf(entry: XmlNode, payment: XmlNode, word: string, hasReturnReason: boolean): ReportedState | null {
  const direction = textAt(payment, 'CdtDbtInd') || textAt(entry, 'CdtDbtInd');
  if (direction === 'CRDT') return word === 'BOOK' ? 'returned' : null;
  if (direction !== 'DBIT' || hasReturnReason || textAt(entry, 'RvslInd') === 'true') return null;
  return word === 'BOOK' ? 'paid' : word === 'PDNG' ? 'pending' : null;
}

function amountsOf(node: XmlNode, path: string): ReportedAmount[] {
  const [amount, currency] = [parseReportedAmount(textAt(node, path)), parseCurrency(attributeAt(node, path, 'Ccy'))];
  return amount === null || currency === null ? [] : [{ amount: absoluteMoney(amount), currency }];
}
