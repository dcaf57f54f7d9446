/** What loading a sheet would do, and what stands in the way. */
import type { Load, LoadCheck } from '@tributary/contract/loads'
import { Button, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { messageOf } from '@tributary/client/call-error'
import { useWorkspace } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { tell } from '../../ui/feedback/toasts.tsx'
import { count } from '../../ui/tables/data-table.tsx'
import { LoadFailure } from '../../ui/feedback/empty-state.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { Note } from '../../ui/feedback/callout.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { type CancelledFor, checkOf, useCancel, useCommit } from './api.ts'
import { CellErrors } from './cell-errors.tsx'
import { ColumnTable } from './column-table.tsx'
import css from './loads.module.css'
import { SliceTable } from './replaced-slices-table.tsx'
import { TotalTable } from './totals-table.tsx'
import { rowsWord } from './load-wording.ts'

interface CheckViewProps {
  load: Load
  hasFile: boolean
  onLoaded: () => void
  onStartAnew: () => void
}

export function CheckView({ load, hasFile, onLoaded, onStartAnew }: CheckViewProps) {
  const orgId = useWorkspace().organisation.Id
  const check = useQuery(checkOf(orgId, load.Id))
  const navigate = useNavigate()
  const cancel = useCancel(load.Id, (wanted) => {
    if (wanted === 'good') onStartAnew()
    void navigate(paths.loads)
  })
  const commit = useCommit(load.Id, ({ Rows }) => {
    tell(`${rowsWord(Rows)} ${Rows === 1 ? 'is' : 'are'} in ${load.RecordName}.`)
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
        action={<CheckAgain onClick={checkAgain} />}
      />
      <Panel title={`${load.Sheet} into ${load.RecordName}`}>
        <p className="small subtle">{`From ${load.Workbook} into the table ${load.TableName}`}</p>
        {check.isFetching ? <Checking /> : null}
        {check.isFetching || check.error === null ? null : (
          <LoadFailure message={messageOf(check.error)} onRetry={checkAgain} />
        )}
        {found === undefined ? null : <Verdict check={found} />}
        <div className={css.actions}>
          {found === undefined || found.ErrorCount > 0 ? null : (
            <Button loading={commit.isPending} onClick={() => commit.mutate(found.Seen)}>
              {`Load ${rowsWord(found.Rows)}`}
            </Button>
          )}
          <WaysBack
            hasFile={hasFile}
            isLoading={commit.isPending}
            isPending={cancel.isPending}
            onCancel={cancel.mutate}
          />
        </div>
        {commit.isPending ? (
          <output className="small subtle">Loading. Nobody sees any of it before all of it is there.</output>
        ) : null}
      </Panel>
      {found === undefined ? null : <Findings load={load} check={found} />}
    </>
  )
}

/** What it would replace may be different by now. */
function CheckAgain({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="default" size="compact-sm" onClick={onClick}>
      Check again
    </Button>
  )
}

interface WaysBackProps {
  hasFile: boolean
  isLoading: boolean
  isPending: boolean
  onCancel: (wanted: CancelledFor) => void
}

function WaysBack({ hasFile, isLoading, isPending, onCancel }: WaysBackProps) {
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

function Checking() {
  return (
    <output className={css.busy}>
      <Loader size={18} aria-hidden />
      Checking every cell…
    </output>
  )
}

function Verdict({ check }: { check: LoadCheck }) {
  return (
    <>
      <Outcome check={check} />
      {check.Notices.map((notice) => (
        <Note key={notice} tone="info">
          {notice}
        </Note>
      ))}
    </>
  )
}

function Outcome({ check: { ErrorCount, Rows, Slices } }: { check: LoadCheck }) {
  if (ErrorCount > 0)
    return (
      <Note
        tone="error"
        title={ErrorCount === 1 ? 'One thing stands in the way.' : `${count(ErrorCount)} things stand in the way.`}
      >
        Nothing was loaded. Mend the cells below in the sheet, save it, and choose the file again.
      </Note>
    )
  const replaced = Slices.reduce((sum, { FormerRows }) => sum + FormerRows, 0)
  return (
    <Note tone="ok" title={`${rowsWord(Rows)} can be loaded.`}>
      {`${Rows === 1 ? 'It replaces' : 'They replace'} ${replaced === 0 ? 'nothing' : `${rowsWord(replaced)}, and that can be undone`}.`}
    </Note>
  )
}

function Findings({ load, check: { Slices, Totals, Columns, Errors, ErrorCount } }: { load: Load; check: LoadCheck }) {
  return (
    <>
      {/* Without the rows that are wrong, the sums would mislead. */}
      {ErrorCount === 0 ? (
        <>
          <SliceTable slices={Slices} replaces="Replaces" />
          <TotalTable totals={Totals} />
        </>
      ) : (
        <CellErrors load={load} errors={Errors} total={ErrorCount} />
      )}
      <ColumnTable columns={Columns} />
    </>
  )
}
