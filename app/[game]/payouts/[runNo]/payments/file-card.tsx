import type { ReactElement } from 'react';
import { PasswordForm } from '#app/_account/password-form.tsx';
import { findPasswordRequest } from '#app/_server/fresh-password.ts';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { SideDialog } from '#app/_ui/controls/side-dialog.tsx';
import { type Fact, Facts } from '#app/_ui/figures/facts.tsx';
import { countNoun, formatCount, formatDay, formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { TextField } from '#app/_ui/forms/field.tsx';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import type { PaymentRights } from '#app/[game]/_payouts/payout-notices.tsx';
import { formatMoney, formatUsd, normalizeMoney } from '#lib/core/money.ts';
import type { Tone } from '#lib/core/strings.ts';
import type { FileBatch } from '#lib/payments/reads/batches.ts';
import { ASK_IF_UPLOADED, FORMAT_TEXT, MAY_BE_UPLOADED, PAYMENT_METHOD_TEXT, UPLOAD_ONCE } from '#lib/payments/text.ts';
import { DownloadForm } from '../../_run/download-form.tsx';
import { NotUploaded } from '../../_run/not-uploaded.tsx';
import { confirmCancelAction, discardCancelAction, handOverAction, openFileAction, requestCancelAction } from './actions.ts';
import styles from './payments.module.css';

const STATES: Record<FileBatch['state'], { tone: Tone; word: string }> = {
  made: { tone: 'wait', word: 'Not handed over' },
  proposed: { tone: 'wait', word: 'Proposed' },
  handed_over: { tone: 'good', word: 'Handed over' },
  cancelled: { tone: 'quiet', word: 'Cancelled' },
  void: { tone: 'quiet', word: 'Voided' },
};

const CANCEL_REQUESTED = { tone: 'bad', word: 'Cancel requested' } as const;

interface FileCardProps {
  slug: string;
  file: FileBatch;
  may: PaymentRights;
  /** A person requested to void the run: nobody uploads its files. */
  isVoidRequested: boolean;
  /** Whether files open: the key of payment details is set. */
  canOpen: boolean;
}

/** One payment file: what it pays, what pins its bytes, who made it and handed it over, and what comes next. */
export async function FileCard({ slug, file, may, isVoidRequested, canOpen }: FileCardProps): Promise<ReactElement> {
  const { batchNo, fileName, handedOverBy, cancelRequestedBy, cancelledBy, cancelReason, state } = file;
  const isRestored = state === 'made' && file.isFromBackup;
  const isWaiting = state === 'made' && cancelRequestedBy === null && !isVoidRequested;
  const isOpen = state === 'handed_over' || (isWaiting && !isRestored);
  const href = `/${slug}/payouts/${file.runNo}/payments/files/${batchNo}`;
  const about = { game: slug, batchNo };
  return (
    <div id={`file-${batchNo}`} className={styles.file}>
      <Card
        title={`File ${batchNo}, ${PAYMENT_METHOD_TEXT[file.method]}${file.partCount > 1 ? `, part ${file.partNo} of ${file.partCount}` : ''}`}
        aside={<Status {...(state === 'made' && cancelRequestedBy !== null ? CANCEL_REQUESTED : STATES[state])} />}
      >
        <div className={styles.file}>
          <Facts columns="many" facts={factsOf(file)} />
          {cancelledBy !== null && (
            <p className={styles.hint}>
              Cancelled by {cancelledBy.name} on {formatUtc(cancelledBy.at)}: “{showControls(cancelReason ?? '')}”. Don’t upload a copy.
            </p>
          )}
          {isOpen && may.prepare && canOpen && (
            <DownloadForm
              action={openFileAction}
              about={about}
              href={href}
              label={`Download ${fileName}`}
              isMain={handedOverBy === null}
              password={handedOverBy === null ? await findPasswordRequest() : null}
            />
          )}
          {isRestored && <p className={styles.hint}>{isWaiting && may.prepare ? MAY_BE_UPLOADED : ASK_IF_UPLOADED}</p>}
          {isOpen && may.prepare && canOpen && <p className={styles.hint}>{UPLOAD_ONCE}</p>}
          {state === 'made' && cancelRequestedBy === null && may.prepare && (
            <div className={styles.handOver}>
              <ActionForm
                action={handOverAction}
                about={about}
                label="Record hand-over"
                buttonLabel={`Record hand-over of file ${batchNo}`}
                pendingLabel="Recording…"
              >
                <TextField
                  name="reference"
                  label="Reference of the bank or provider"
                  autoComplete="off"
                  hint="For example the number of the upload. Optional."
                  isOptional
                  lengthMax={100}
                />
                <p className={styles.hint}>
                  Record it once the bank or provider has the file. From then on it can’t be cancelled, and the run can’t be voided.
                </p>
              </ActionForm>
              {isWaiting && (
                <SideDialog
                  opener="Request to cancel"
                  kind="quiet"
                  label={`Request to cancel file ${batchNo}`}
                  title={`Cancel file ${batchNo}`}
                >
                  <ActionForm
                    action={requestCancelAction}
                    about={about}
                    label="Request to cancel"
                    pendingLabel="Requesting…"
                    kind="danger"
                    note={{ label: 'Reason', lengthMax: 500, isRequired: true }}
                  >
                    <p className={styles.hint}>
                      Only for a file that nobody uploaded. After a second person confirms, its {countNoun(file.itemCount, 'payment')} (
                      {formatUsd(normalizeMoney(file.total_usd))}) can enter a new file, under{' '}
                      {file.itemCount === 1 ? 'a new reference' : 'new references'}.
                    </p>
                    <NotUploaded what="this file" />
                  </ActionForm>
                </SideDialog>
              )}
            </div>
          )}
          {state === 'made' && cancelRequestedBy !== null && <CancelRequest slug={slug} file={file} may={may} />}
          {canOpen && isOpen && (
            <p className={styles.hint}>
              <a href={`${href}.manifest.json`} download>
                Manifest (JSON)
              </a>
            </p>
          )}
        </div>
      </Card>
    </div>
  );
}

function factsOf(file: FileBatch): Fact[] {
  const { batchNo, madeBy, handedOverBy, providerReference, executionDate, usd_per_eur, eurRateSource, sha256 } = file;
  const handedOver = [handedOverBy && formatUtc(handedOverBy.at), providerReference && `reference ${showControls(providerReference)}`];
  return [
    { label: 'Name', value: file.fileName, isWide: true },
    { label: 'Payments', value: formatCount(file.itemCount) },
    {
      label: 'Total',
      value: formatUsd(normalizeMoney(file.total_usd)),
      ...(file.currency === 'USD' ? {} : { note: `${formatMoney(normalizeMoney(file.total_file))} ${file.currency}` }),
    },
    { label: 'Format', value: FORMAT_TEXT[file.format] },
    ...(executionDate === null ? [] : [{ label: 'Execution date', value: formatDay(executionDate) }]),
    ...(usd_per_eur === null
      ? []
      : [{ label: 'EUR rate', value: `${normalizeMoney(usd_per_eur)} USD per EUR`, note: showControls(eurRateSource ?? '') }]),
    { label: 'Created', value: madeBy.name, note: formatUtc(madeBy.at) },
    ...(handedOverBy === null
      ? []
      : [
          {
            label: 'Handed over',
            value: handedOverBy.name,
            note: handedOver.filter((each) => each !== null).join(', '),
            isWide: true as const,
          },
        ]),
    {
      label: 'SHA-256',
      value: (
        <CopyButton text={sha256} what={`SHA-256 of file ${batchNo}`}>
          <code title={sha256}>{sha256.slice(0, 8)}</code>
        </CopyButton>
      ),
    },
  ];
}

function CancelRequest({ slug, file, may }: Pick<FileCardProps, 'slug' | 'file' | 'may'>): ReactElement | null {
  const { batchNo, cancelRequestedBy, cancelReason } = file;
  if (cancelRequestedBy === null) return null;
  const about = { game: slug, batchNo, requesterId: cancelRequestedBy.id, reason: cancelReason ?? '' };
  const isMine = cancelRequestedBy.id === may.personId;
  return (
    <div className={styles.request}>
      <strong>Don’t upload this file</strong>
      <p>
        {cancelRequestedBy.name} requested on {formatUtc(cancelRequestedBy.at)} to cancel it: “{showControls(cancelReason ?? '')}”.{' '}
        {isMine ? 'A second person must confirm.' : ''}
      </p>
      {may.approve && !isMine && (
        <PasswordForm
          action={confirmCancelAction}
          about={about}
          label={`Cancel file of ${countNoun(file.itemCount, 'payment')}`}
          pendingLabel="Cancelling…"
          kind="danger"
        >
          <NotUploaded what="this file" />
        </PasswordForm>
      )}
      {may.prepare && (
        <ActionForm action={discardCancelAction} about={about} label="Discard request" pendingLabel="Discarding…" kind="quiet" />
      )}
    </div>
  );
}
