/** What loading the sheet would do, and what stands in the way, cell by cell. */
import { Button } from '@fluentui/react-button'
import { makeStyles } from '@griffel/react'
import type { Load, LoadCheck, LoadError } from '@tributary/contract/loads'
import { messageOf } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { clearMarks, markCells } from '../host/cell-highlights.ts'
import { goTo } from '../host/sheet.ts'
import { broughtIn, commitLoad } from '../load/commit-load.ts'
import { giveUp, type Plan } from '../load/load-plan.ts'
import { Failure, Note, Waiting } from '../ui/message-bars.tsx'
import { Screen } from '../ui/screen.tsx'
import { Section, Slices, Totals, useTableStyles } from '../ui/tables.tsx'
import { useAct, useAsk } from '../ui/use-request.ts'
import { count, rowsWord } from '../ui/load-wording.ts'

interface CheckProps {
  plan: Plan
  load: Load
  onLoaded: (load: Load) => void
  /** The sheet was mended: all of it is read anew. */
  onAgain: () => void
  onCancelled: () => void
}

interface Found {
  readonly check: LoadCheck
  /** Why the cells could not be marked in the sheet. */
  readonly markFailure: string | null
}

export function Check({ plan, load, onLoaded, onAgain, onCancelled }: CheckProps) {
  const { worksheetId } = plan.sight.place
  const asked = useAsk(load.Id, async (signal) => {
    try {
      return await checkAndMark(load.Id, worksheetId, signal)
    } catch (error) {
      const loaded = await broughtIn(error, load.Id, signal)
      if (loaded === undefined) throw error
      onLoaded(loaded)
      return undefined
    }
  })
  const committing = useAct()
  const found = asked.isWaiting ? undefined : asked.value
  const isRight = found?.check.ErrorCount === 0
  const commit = () => {
    if (found === undefined) return
    committing.run(async (signal) => onLoaded(await commitLoad(load.Id, found.check.Seen, signal)))
  }
  const checkAgain = () => {
    committing.dismiss()
    asked.again()
  }
  function cancel() {
    void giveUp(load.Id)
    void clearMarks().catch(() => undefined)
    onCancelled()
  }
  return (
    <Screen
      title="The check"
      actions={
        <>
          {isRight ? (
            <Button appearance="primary" disabled={committing.isBusy} onClick={commit}>
              {`Load ${rowsWord(found.check.Rows)}`}
            </Button>
          ) : null}
          {found === undefined || isRight ? null : (
            <Button appearance="primary" onClick={onAgain}>
              Read the sheet again
            </Button>
          )}
          <Button disabled={committing.isBusy} onClick={cancel}>
            Cancel
          </Button>
        </>
      }
    >
      {asked.isWaiting ? <Waiting>Checking every cell…</Waiting> : null}
      <Failure error={asked.error} onRetry={asked.again} />
      {found === undefined ? null : <Verdict found={found} worksheetId={worksheetId} />}
      {committing.isBusy ? <Waiting>Loading. Nobody sees any of it before all of it is there.</Waiting> : null}
      <Failure error={committing.error} onRetry={checkAgain} retryLabel="Check again" />
    </Screen>
  )
}

async function checkAndMark(loadId: string, worksheetId: string, signal: AbortSignal): Promise<Found> {
  const check = await call('POST /loads/:loadId/check', { params: { loadId }, signal })
  const marks = check.Errors.flatMap(({ Cell, Message }) => (Cell === null ? [] : [{ cell: Cell, message: Message }]))
  try {
    await markCells(worksheetId, marks)
    return { check, markFailure: null }
  } catch (error) {
    return { check, markFailure: messageOf(error) }
  }
}

function Verdict({ found: { check, markFailure }, worksheetId }: { found: Found; worksheetId: string }) {
  const { ErrorCount, Rows, Slices: slices } = check
  const replaced = slices.reduce((sum, { FormerRows }) => sum + FormerRows, 0)
  const areMarked = markFailure === null && check.Errors.some(({ Cell }) => Cell !== null)
  return (
    <>
      {ErrorCount === 0 ? (
        <Note intent="success" title={`${rowsWord(Rows)} can be loaded.`}>
          {`${Rows === 1 ? 'It replaces' : 'They replace'} ${replaced === 0 ? 'nothing' : `${rowsWord(replaced)}, and that can be undone`}.`}
        </Note>
      ) : (
        <Note
          intent="error"
          title={ErrorCount === 1 ? 'One thing stands in the way.' : `${count(ErrorCount)} things stand in the way.`}
        >
          {`Nothing was loaded. ${areMarked ? 'The cells are marked in the sheet: mend them' : 'Mend what is told below'}, and read the sheet again.`}
        </Note>
      )}
      {markFailure === null ? null : (
        <Note intent="warning" title="The cells could not be marked.">
          {markFailure}
        </Note>
      )}
      {/* Without the rows that are wrong, the sums would mislead. */}
      {ErrorCount === 0 ? (
        <>
          <Totals totals={check.Totals} />
          <Slices slices={slices} replaces="Replaces" />
        </>
      ) : (
        <Errors check={check} worksheetId={worksheetId} />
      )}
    </>
  )
}

const errorsShown = 200

function Errors({ check: { Errors: errors, ErrorCount }, worksheetId }: { check: LoadCheck; worksheetId: string }) {
  const styles = useTableStyles()
  const clearing = useAct()
  const going = useAct()
  const shown = errors.slice(0, errorsShown)
  const clear = () => clearing.run(clearMarks)
  return (
    <Section title="Cells to mend">
      {shown.length < ErrorCount ? (
        <span className={styles.quiet}>{`The first ${shown.length} of ${count(ErrorCount)}.`}</span>
      ) : null}
      <ul className={styles.list}>
        {shown.map((error, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- A cell may be told twice with the same words.
          <ErrorLine key={at} error={error} onGo={(cell) => going.run(() => goTo(worksheetId, cell))} />
        ))}
      </ul>
      <Failure error={going.error} onRetry={going.dismiss} retryLabel="Close" />
      <div>
        <Button size="small" disabled={clearing.isBusy} onClick={clear}>
          Clear the marks in the sheet
        </Button>
      </div>
      <Failure error={clearing.error} onRetry={clear} />
    </Section>
  )
}

const useStyles = makeStyles({ go: { minWidth: 0, padding: '0 4px', marginRight: '4px' } })

function ErrorLine({
  error: { Cell, Column, Value, Message },
  onGo,
}: {
  error: LoadError
  onGo: (cell: string) => void
}) {
  const styles = useTableStyles()
  const own = useStyles()
  const about = [Column, Value === null ? null : `‘${Value}’`].filter((part) => part !== null).join(': ')
  return (
    <li>
      {Cell === null ? null : (
        <Button className={own.go} size="small" aria-label={`Go to ${Cell}`} onClick={() => onGo(Cell)}>
          {Cell}
        </Button>
      )}
      {Message}
      {about === '' ? null : <div className={styles.quiet}>{about}</div>}
    </li>
  )
}
