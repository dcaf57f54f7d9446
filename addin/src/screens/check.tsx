/** The effect of loading the sheet, and the errors, cell by cell. */
import { Button } from '@fluentui/react-button'
import { makeStyles } from '@griffel/react'
import { messageOf } from '@tributary/client/call-error'
import type { Load, LoadCheck, LoadError } from '@tributary/contract/loads'
import { call } from '../api/call.ts'
import { useScreenMutation } from '../api/use-screen-mutation.ts'
import { useScreenQuery } from '../api/use-screen-query.ts'
import { clearHighlights, highlightCells } from '../host/cell-highlights.ts'
import { selectCell } from '../host/sheet.ts'
import { commitLoad, findLoadedResult } from '../load/commit-load.ts'
import { cancelLoad, type LoadPlan } from '../load/load-plan.ts'
import { Failure, Message, Waiting } from '../ui/message-bars.tsx'
import { Screen } from '../ui/screen.tsx'
import { Section, Slices, Totals, useTableStyles } from '../ui/tables.tsx'
import { formatCount, formatRowCount } from '../ui/load-wording.ts'

interface CheckProps {
  plan: LoadPlan
  load: Load
  onLoaded: (load: Load) => void
  /** The user has corrected the sheet: all of it is read again. */
  onReread: () => void
  onCancelled: () => void
}

interface CheckOutcome {
  readonly check: LoadCheck
  /** Why the cells could not be highlighted in the sheet. */
  readonly highlightFailure: string | null
}

export function Check({ plan, load, onLoaded, onReread, onCancelled }: CheckProps) {
  const { worksheetId } = plan.preview.range
  const query = useScreenQuery({
    queryKey: ['load-check', load.Id],
    async queryFn(signal) {
      try {
        return await checkAndHighlight(load.Id, worksheetId, signal)
      } catch (error) {
        const loaded = await findLoadedResult(error, load.Id, signal)
        if (loaded === undefined) throw error
        onLoaded(loaded)
        return null
      }
    },
  })
  const commit = useScreenMutation(async (seen: string, signal) => onLoaded(await commitLoad(load.Id, seen, signal)))
  const outcome = query.isFetching ? null : (query.data ?? null)
  const isValid = outcome?.check.ErrorCount === 0
  function checkAgain() {
    commit.reset()
    query.refetch()
  }
  function cancel() {
    void cancelLoad(load.Id)
    void clearHighlights().catch(() => undefined)
    onCancelled()
  }
  return (
    <Screen
      title="The check"
      actions={
        <>
          {isValid ? (
            <Button appearance="primary" disabled={commit.isPending} onClick={() => commit.mutate(outcome.check.Seen)}>
              {`Load ${formatRowCount(outcome.check.Rows)}`}
            </Button>
          ) : null}
          {outcome === null || isValid ? null : (
            <Button appearance="primary" onClick={onReread}>
              Read the sheet again
            </Button>
          )}
          <Button disabled={commit.isPending} onClick={cancel}>
            Cancel
          </Button>
        </>
      }
    >
      {query.isFetching ? <Waiting>Checking every cell…</Waiting> : null}
      <Failure error={query.error} onRetry={query.refetch} />
      {outcome === null ? null : <CheckResult outcome={outcome} worksheetId={worksheetId} />}
      {commit.isPending ? <Waiting>Loading. All rows become visible at once when the load is complete.</Waiting> : null}
      <Failure error={commit.error} onRetry={checkAgain} retryLabel="Check again" />
    </Screen>
  )
}

async function checkAndHighlight(loadId: string, worksheetId: string, signal: AbortSignal): Promise<CheckOutcome> {
  const check = await call('POST /loads/:loadId/check', { params: { loadId }, signal })
  const highlights = check.Errors.flatMap(({ Cell, Message: message }) =>
    Cell === null ? [] : [{ cell: Cell, message }],
  )
  try {
    await highlightCells(worksheetId, highlights)
    return { check, highlightFailure: null }
  } catch (error) {
    return { check, highlightFailure: messageOf(error) }
  }
}

function CheckResult({
  outcome: { check, highlightFailure },
  worksheetId,
}: {
  outcome: CheckOutcome
  worksheetId: string
}) {
  const { ErrorCount, Rows, Slices: slices } = check
  const replaced = slices.reduce((sum, { FormerRows }) => sum + FormerRows, 0)
  const areHighlighted = highlightFailure === null && check.Errors.some(({ Cell }) => Cell !== null)
  return (
    <>
      {ErrorCount === 0 ? (
        <Message intent="success" title={`${formatRowCount(Rows)} can be loaded.`}>
          {`${Rows === 1 ? 'It replaces' : 'They replace'} ${replaced === 0 ? 'nothing' : `${formatRowCount(replaced)}, and that can be undone`}.`}
        </Message>
      ) : (
        <Message
          intent="error"
          title={`${formatCount(ErrorCount)} ${ErrorCount === 1 ? 'problem' : 'problems'} to fix.`}
        >
          {`Nothing was loaded. ${areHighlighted ? 'The cells are highlighted in the sheet: fix them' : 'Fix the problems below'}, and read the sheet again.`}
        </Message>
      )}
      {highlightFailure === null ? null : (
        <Message intent="warning" title="The cells could not be highlighted.">
          {highlightFailure}
        </Message>
      )}
      {/* Without the rows that have errors, the totals would mislead. */}
      {ErrorCount === 0 ? (
        <>
          <Totals totals={check.Totals} />
          <Slices slices={slices} replaces="Replaces" />
        </>
      ) : (
        <CellErrors check={check} worksheetId={worksheetId} />
      )}
    </>
  )
}

const errorsShown = 200

function CellErrors({ check: { Errors: errors, ErrorCount }, worksheetId }: { check: LoadCheck; worksheetId: string }) {
  const styles = useTableStyles()
  const clear = useScreenMutation(clearHighlights)
  const select = useScreenMutation((cell: string) => selectCell(worksheetId, cell))
  const shown = errors.slice(0, errorsShown)
  return (
    <Section title="Cells to fix">
      {shown.length < ErrorCount ? (
        <span className={styles.quiet}>{`The first ${shown.length} of ${formatCount(ErrorCount)}.`}</span>
      ) : null}
      <ul className={styles.list}>
        {shown.map((error, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- A cell can have the same message twice.
          <CellError key={at} error={error} onSelect={select.mutate} />
        ))}
      </ul>
      <Failure error={select.error} onRetry={select.reset} retryLabel="Close" />
      <div>
        <Button size="small" disabled={clear.isPending} onClick={() => clear.mutate()}>
          Clear the highlights in the sheet
        </Button>
      </div>
      <Failure error={clear.error} onRetry={clear.mutate} />
    </Section>
  )
}

const useStyles = makeStyles({ cell: { minWidth: 0, padding: '0 4px', marginRight: '4px' } })

interface CellErrorProps {
  error: LoadError
  onSelect: (cell: string) => void
}

function CellError({ error: { Cell, Column, Value, Message: message }, onSelect }: CellErrorProps) {
  const tableStyles = useTableStyles()
  const styles = useStyles()
  const context = [Column, Value === null ? null : `‘${Value}’`].filter((text) => text !== null).join(': ')
  return (
    <li>
      {Cell === null ? null : (
        <Button className={styles.cell} size="small" aria-label={`Go to ${Cell}`} onClick={() => onSelect(Cell)}>
          {Cell}
        </Button>
      )}
      {message}
      {context === '' ? null : <div className={tableStyles.quiet}>{context}</div>}
    </li>
  )
}
