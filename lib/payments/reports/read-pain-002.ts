import { mapInSteps, type Steps } from '#lib/core/steps.ts';
import { type ParsedReport, refuse } from '../rules/report-row.ts';
import { stateOfIsoCode } from '../rules/report-words.ts';
import { buildRows, type FoundRow } from './build-row.ts';
import { nodesAt, textAt, textsOf, type XmlNode } from './parse-xml.ts';

/** Reads a bank's answer to a payment file (pain.002): for each payment, or for a batch or the message as a whole. It carries no amount. Throws `RefusedReport`. */
export function* readPain002(document: XmlNode): Steps<ParsedReport> {
  const report = nodesAt(document, 'CstmrPmtStsRpt')[0];
  const message = nodesAt(report, 'OrgnlGrpInfAndSts')[0];
  if (message === undefined) refuse('truncated');
  const batches = nodesAt(report, 'OrgnlPmtInfAndSts');
  const occurredOn = textAt(report, 'GrpHdr/CreDtTm').slice(0, 10) || null;
  const rows: FoundRow[] = [];
  for (const batch of batches) {
    const payments = yield* mapInSteps(nodesAt(batch, 'TxInfAndSts'), (payment) => rowOf(payment, 'TxSts', '', occurredOn));
    const { TxInfAndSts: _, ...head } = batch;
    const whole = rowOf(head, 'PmtInfSts', textAt(batch, 'OrgnlPmtInfId'), occurredOn);
    // A rejection of the whole holds for payments that aren't listed too.
    if (whole.state === 'failed' || (payments.length === 0 && whole.word !== '')) payments.push(whole);
    for (const payment of payments) rows.push(payment);
  }
  const whole = rowOf(message, 'GrpSts', textAt(message, 'OrgnlMsgId'), occurredOn);
  if (whole.state === 'failed' || rows.length === 0) rows.push(whole);
  return { kind: 'pain_002', account: null, feeRows: 0, rows: yield* buildRows(rows.map((row, index) => ({ ...row, rowNo: index + 1 }))) };
}

function rowOf(node: XmlNode, status: string, batchId: string, occurredOn: string | null): FoundRow {
  const word = textAt(node, status);
  return {
    rowNo: 0,
    state: stateOfIsoCode(word),
    word,
    hasAmount: false,
    // The bank’s reference of an answer isn’t that of the movement, which a statement reports.
    providerId: null,
    batchId: batchId || null,
    occurredOn,
    reasonCode: textAt(node, 'StsRsnInf/Rsn/Cd') || textAt(node, 'StsRsnInf/Rsn/Prtry') || null,
    cells: textsOf(node),
  };
}
