/** Preview of a load: what it would change, and the errors that prevent it. */
import type { Load, LoadCheck } from '@tributary/contract/loads'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { messageOf } from '@tributary/client/call-error'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { LoadFailure } from '../../ui/feedback/empty-state.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { type CancelReason, loadCheckQuery, useCancelLoad, useCommitLoad } from './api.ts'
import { CellErrors } from './cell-errors.tsx'
import { ColumnTable } from './column-table.tsx'
import css from './loads.module.css'
import { ReplacedSlicesTable } from './replaced-slices-table.tsx'
import { TotalsTable } from './totals-table.tsx'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { ProgressNote } from './progress-note.tsx'
import { formatCount, formatRowCount } from '../../ui/formats.ts'

export interface LoadCheckViewProps {
  load: Load
  /** The file is still in memory, so the user can return to the options. */
  hasFile: boolean
  onLoaded: () => void
  /** Discards the file and the options. */
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
    announceToScreenReader(`${formatRowCount(Rows)} ${Rows === 1 ? 'is' : 'are'} in ${load.RecordName}.`)
    onLoaded()
  })
  function checkAgain() {
    commit.reset()
    cancel.reset()
    void check.refetch()
  }
  const cancelButton = (label: string, reason: CancelReason) => (
    <Button
      variant="default"
      disabled={commit.isPending}
      loading={cancel.isPending}
      onClick={() => cancel.mutate(reason)}
    >
      {label}
    </Button>
  )
  const found = check.isFetching ? undefined : check.data
  return (
    <>
      <MutationError of={[commit, cancel]} action={<CheckAgainButton onClick={checkAgain} />} />
      <Panel title={`${load.Sheet} into ${load.RecordName}`}>
        <p className="small subtle">{`From ${load.Workbook} into the table ${load.TableName}`}</p>
        {check.isFetching ? <ProgressNote>Checking every cell…</ProgressNote> : null}
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
          {hasFile ? cancelButton('Back to the choices', 'choices') : null}
          {cancelButton('Cancel', 'good')}
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
