/** Preview of a load: what it would change, and the errors that prevent it. */
import type { Load, LoadCheck } from '@tributary/contract/loads'
import { Button, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { messageOf } from '@tributary/client/call-error'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { showToast } from '../../ui/feedback/toasts.tsx'
import { formatCount } from '../../ui/tables/data-table.tsx'
import { LoadFailure } from '../../ui/feedback/empty-state.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { type CancelReason, loadCheckQuery, useCancelLoad, useCommitLoad } from './api.ts'
import { CellErrors } from './cell-errors.tsx'
import { ColumnTable } from './column-table.tsx'
import css from './loads.module.css'
import { ReplacedSlicesTable } from './replaced-slices-table.tsx'
import { TotalsTable } from './totals-table.tsx'
import { formatRowCount } from './load-wording.ts'

interface LoadCheckViewProps {
  load: Load
  hasFile: boolean
  onLoaded: () => void
  onStartOver: () => void
}

export function LoadCheckView({ load, hasFile, onLoaded, onStartOver }: LoadCheckViewProps) {
  const orgId = useOrganisationId()
  const check = useQuery(loadCheckQuery(orgId, load.Id))
  const navigate = useNavigate()
  const cancel = useCancelLoad(load.Id, (reason) => {
    if (reason === 'good') onStartOver()
    void navigate(paths.loads)
  })
  const commit = useCommitLoad(load.Id, ({ Rows }) => {
    showToast(`${formatRowCount(Rows)} ${Rows === 1 ? 'is' : 'are'} in ${load.RecordName}.`)
    onLoaded()
  })
  const failure = commit.error ?? cancel.error
  function dismiss() {
    commit.reset()
    cancel.reset()
  }
  function checkAgain() {
    dismiss()
    void check.refetch()
  }
  const found = check.isFetching ? undefined : check.data
  return (
    <>
      <ErrorBanner
        message={failure === null ? null : messageOf(failure)}
        onDismiss={dismiss}
        action={<CheckAgainButton onClick={checkAgain} />}
      />
      <Panel title={`${load.Sheet} into ${load.RecordName}`}>
        <p className="small subtle">{`From ${load.Workbook} into the table ${load.TableName}`}</p>
        {check.isFetching ? <CheckProgress /> : null}
        {check.isFetching || check.error === null ? null : (
          <LoadFailure message={messageOf(check.error)} onRetry={checkAgain} />
        )}
        {found === undefined ? null : <CheckResult check={found} />}
        <div className={css.actions}>
          {found === undefined || found.ErrorCount > 0 ? null : (
            <Button loading={commit.isPending} onClick={() => commit.mutate(found.Seen)}>
              {`Load ${formatRowCount(found.Rows)}`}
            </Button>
          )}
          <CancelButtons
            hasFile={hasFile}
            isLoading={commit.isPending}
            isPending={cancel.isPending}
            onCancel={cancel.mutate}
          />
        </div>
        {commit.isPending ? (
          <output className="small subtle">Loading. The rows become visible all at once.</output>
        ) : null}
      </Panel>
      {found === undefined ? null : <CheckDetails load={load} check={found} />}
    </>
  )
}

/** Repeats the check, because the rows to be replaced may have changed since. */
function CheckAgainButton({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="default" size="compact-sm" onClick={onClick}>
      Check again
    </Button>
  )
}

interface CancelButtonsProps {
  hasFile: boolean
  isLoading: boolean
  isPending: boolean
  onCancel: (reason: CancelReason) => void
}

function CancelButtons({ hasFile, isLoading, isPending, onCancel }: CancelButtonsProps) {
  return (
    <>
      {hasFile ? (
        <Button variant="default" disabled={isLoading} loading={isPending} onClick={() => onCancel('choices')}>
          Back to the choices
        </Button>
      ) : null}
      <Button variant="default" disabled={isLoading} loading={isPending} onClick={() => onCancel('good')}>
        Cancel
      </Button>
    </>
  )
}

function CheckProgress() {
  return (
    <output className={css.busy}>
      <Loader size={18} aria-hidden />
      Checking every cell…
    </output>
  )
}

function CheckResult({ check }: { check: LoadCheck }) {
  return (
    <>
      <CheckSummary check={check} />
      {check.Notices.map((notice) => (
        <Callout key={notice} tone="info">
          {notice}
        </Callout>
      ))}
    </>
  )
}

function CheckSummary({ check: { ErrorCount, Rows, Slices } }: { check: LoadCheck }) {
  if (ErrorCount > 0)
    return (
      <Callout
        tone="error"
        title={ErrorCount === 1 ? '1 error prevents loading.' : `${formatCount(ErrorCount)} errors prevent loading.`}
      >
        Nothing was loaded. Fix the cells below in the sheet, save it, and choose the file again.
      </Callout>
    )
  const replaced = Slices.reduce((sum, { FormerRows }) => sum + FormerRows, 0)
  return (
    <Callout tone="ok" title={`${formatRowCount(Rows)} can be loaded.`}>
      {`${Rows === 1 ? 'It replaces' : 'They replace'} ${replaced === 0 ? 'nothing' : `${formatRowCount(replaced)}, and that can be undone`}.`}
    </Callout>
  )
}

function CheckDetails({
  load,
  check: { Slices, Totals, Columns, Errors, ErrorCount },
}: {
  load: Load
  check: LoadCheck
}) {
  return (
    <>
      {/* Rows with errors are not part of the totals, which would be misleading. */}
      {ErrorCount === 0 ? (
        <>
          <ReplacedSlicesTable slices={Slices} replaces="Replaces" />
          <TotalsTable totals={Totals} />
        </>
      ) : (
        <CellErrors load={load} errors={Errors} total={ErrorCount} />
      )}
      <ColumnTable columns={Columns} />
    </>
  )
}
