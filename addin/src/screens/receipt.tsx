/** What was loaded, by whom, in place of what; and the way to take it back. */
import { Button } from '@fluentui/react-button'
import type { Load } from '@tributary/contract/loads'
import { useState } from 'react'
import { undoLoad } from '../load/commit-load.ts'
import { Failure, Note, Waiting } from '../ui/message-bars.tsx'
import { Screen } from '../ui/screen.tsx'
import { Facts, Slices, Totals } from '../ui/tables.tsx'
import { type Act, useAct } from '../ui/use-request.ts'
import { count, rowsWord, statusWords, timeWord } from '../ui/load-wording.ts'

interface ReceiptProps {
  load: Load
  onBack?: (() => void) | undefined
  onUndone: (undoing: Load) => void
  onAnother: () => void
}

export function Receipt({ load, onBack, onUndone, onAnother }: ReceiptProps) {
  const undoing = useAct()
  const undo = () => undoing.run(async (signal) => onUndone(await undoLoad(load.Id, signal)))
  return (
    <Screen
      title={`Receipt for ${load.RecordName}`}
      onBack={onBack}
      actions={
        <Button appearance="primary" onClick={onAnother}>
          Load another sheet
        </Button>
      }
    >
      <Standing load={load} />
      <Facts facts={factsOf(load)} />
      <Totals totals={load.Totals} />
      <Slices slices={load.Slices} replaces="Replaced" />
      {load.MayUndo ? <Undo load={load} undoing={undoing} onUndo={undo} /> : null}
      <Failure error={undoing.error} onRetry={undo} />
    </Screen>
  )
}

/** Whether it counts, and what it has to do with another load. */
function Standing({ load }: { load: Load }) {
  if (load.Status === 'UNDONE')
    return <Note intent="warning" title="This load was undone.">{`Its rows have left ${load.RecordName}.`}</Note>
  if (load.Status === 'COMMITTING')
    return (
      <Note intent="info" title="It is being loaded.">
        Look again in a minute.
      </Note>
    )
  if (load.Status !== 'LOADED')
    return <Note intent="info" title={`${statusWords[load.Status]}.`}>{`Nothing of it is in ${load.RecordName}.`}</Note>
  if (load.Undoes !== null)
    return <Note intent="success" title="Undone.">{`${load.RecordName} is as it was before that load.`}</Note>
  return (
    <Note intent="success" title={`${rowsWord(load.Rows)} ${load.Rows === 1 ? 'is' : 'are'} in ${load.RecordName}.`} />
  )
}

function factsOf(load: Load): readonly (readonly [string, string])[] {
  return [
    ['Table', load.TableName],
    ['Sheet', `${load.Sheet} of ${load.Workbook}`],
    ['Loaded by', load.By],
    ['Loaded at', load.CommittedAtUtc === null ? '–' : timeWord(load.CommittedAtUtc)],
    ['Rows', `${count(load.Rows)}, in place of ${count(load.RowsBefore)}`],
    ['Receipt', load.Id],
  ]
}

/** Asks once more, in place. */
function Undo({ load, undoing, onUndo }: { load: Load; undoing: Act; onUndo: () => void }) {
  const [isAsking, setAsking] = useState(false)
  if (undoing.isBusy) return <Waiting>Bringing the former rows back…</Waiting>
  if (!isAsking)
    return (
      <div>
        <Button onClick={() => setAsking(true)}>Undo</Button>
      </div>
    )
  return (
    <Note
      intent="warning"
      title="Undo this load?"
      actions={
        <>
          <Button onClick={onUndo}>Undo the load</Button>
          <Button onClick={() => setAsking(false)}>Keep it</Button>
        </>
      }
    >
      {undoWords(load)}
    </Note>
  )
}

function undoWords({ Rows, RowsBefore, RecordName }: Load): string {
  const leaving = `${rowsWord(Rows)} ${Rows === 1 ? 'leaves' : 'leave'} ${RecordName}`
  if (RowsBefore === 0) return `${leaving}. Nothing stood there before.`
  return `${leaving}, and ${rowsWord(RowsBefore)} that stood there before ${RowsBefore === 1 ? 'comes' : 'come'} back.`
}
