/** What was loaded, by whom, and what it replaced; with the button to undo it. */
import { Button } from '@fluentui/react-button'
import type { Load } from '@tributary/contract/loads'
import { useState } from 'react'
import { useScreenMutation } from '../api/use-screen-mutation.ts'
import { undoLoad } from '../load/commit-load.ts'
import { Failure, Message, Waiting } from '../ui/message-bars.tsx'
import { Screen } from '../ui/screen.tsx'
import { Facts, Slices, Totals } from '../ui/tables.tsx'
import { formatCount, formatRowCount, formatTime, statusWords } from '../ui/load-wording.ts'

interface ReceiptProps {
  load: Load
  onBack?: (() => void) | undefined
  onUndone: (undoing: Load) => void
  onAnother: () => void
}

export function Receipt({ load, onBack, onUndone, onAnother }: ReceiptProps) {
  const undo = useScreenMutation(async (_, signal) => onUndone(await undoLoad(load.Id, signal)))
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
      <LoadStatus load={load} />
      <Facts facts={listFacts(load)} />
      <Totals totals={load.Totals} />
      <Slices slices={load.Slices} replaces="Replaced" />
      {load.MayUndo ? <UndoLoad load={load} isUndoing={undo.isPending} onUndo={undo.mutate} /> : null}
      <Failure error={undo.error} onRetry={undo.mutate} />
    </Screen>
  )
}

function LoadStatus({ load }: { load: Load }) {
  if (load.Status === 'UNDONE')
    return <Message intent="warning" title="This load was undone.">{`Its rows have left ${load.RecordName}.`}</Message>
  if (load.Status === 'COMMITTING')
    return (
      <Message intent="info" title="This load is in progress.">
        Open it again in a minute.
      </Message>
    )
  if (load.Status !== 'LOADED')
    return (
      <Message
        intent="info"
        title={`${statusWords[load.Status]}.`}
      >{`${load.RecordName} holds none of its rows.`}</Message>
    )
  if (load.Undoes !== null)
    return <Message intent="success" title="Undone.">{`${load.RecordName} is as it was before that load.`}</Message>
  return (
    <Message
      intent="success"
      title={`${formatRowCount(load.Rows)} ${load.Rows === 1 ? 'is' : 'are'} in ${load.RecordName}.`}
    />
  )
}

function listFacts(load: Load): readonly (readonly [string, string])[] {
  return [
    ['Table', load.TableName],
    ['Sheet', `${load.Sheet} of ${load.Workbook}`],
    ['Loaded by', load.By],
    ['Loaded at', load.CommittedAtUtc === null ? '–' : formatTime(load.CommittedAtUtc)],
    ['Rows', `${formatCount(load.Rows)}, in place of ${formatCount(load.RowsBefore)}`],
    ['Receipt', load.Id],
  ]
}

/** Asks for confirmation in place. */
function UndoLoad({ load, isUndoing, onUndo }: { load: Load; isUndoing: boolean; onUndo: () => void }) {
  const [isConfirming, setConfirming] = useState(false)
  if (isUndoing) return <Waiting>Restoring the former rows…</Waiting>
  if (!isConfirming)
    return (
      <div>
        <Button onClick={() => setConfirming(true)}>Undo</Button>
      </div>
    )
  return (
    <Message
      intent="warning"
      title="Undo this load?"
      actions={
        <>
          <Button onClick={() => onUndo()}>Undo the load</Button>
          <Button onClick={() => setConfirming(false)}>Keep it</Button>
        </>
      }
    >
      {describeUndo(load)}
    </Message>
  )
}

function describeUndo({ Rows, RowsBefore, RecordName }: Load): string {
  const leaving = `${formatRowCount(Rows)} ${Rows === 1 ? 'leaves' : 'leave'} ${RecordName}`
  if (RowsBefore === 0) return `${leaving}. There were no rows before.`
  return `${leaving}, and the former ${formatRowCount(RowsBefore)} ${RowsBefore === 1 ? 'comes' : 'come'} back.`
}
