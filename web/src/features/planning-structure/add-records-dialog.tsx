/** Adding several at once, a name a line. */
import { useRef } from 'react'
import { tell } from '../../ui/feedback/toasts.tsx'
import { BulkDialog } from '../../domain/records/bulk-add-dialog.tsx'
import { type BulkLine, countNames, parseNames } from '../../domain/records/bulk-add-lines.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import type { AnyRecord, Kind } from './record-kind.ts'
import { TablePreview } from './table-names.tsx'
import { useRefresh } from './use-records.ts'

const words = { submit: 'Add', done: 'added', summary: countNames }
const field = { label: 'Names', help: 'One a line. Ctrl+Enter adds them.' }

interface AddDialogProps<Row extends AnyRecord> {
  kind: Kind<Row>
  onClose: () => void
  /** When all of them are. */
  onAdded?: (rows: readonly Row[]) => void
}

export function AddDialog<Row extends AnyRecord>({ kind, onClose, onAdded }: AddDialogProps<Row>) {
  const organisationId = useWorkspace().organisation.Id
  const refresh = useRefresh()
  const added = useRef<Row[]>([])
  const { tablesOf } = kind

  async function onSent(sent: readonly BulkLine[]) {
    await refresh()
    const [first] = sent
    if (first !== undefined)
      tell(sent.length === 1 ? `${first.line} is added.` : `${sent.length} ${kind.many} are added.`)
  }
  return (
    <BulkDialog
      title={kind.adding}
      field={field}
      words={words}
      parse={parseNames}
      send={async ({ line }) => {
        added.current.push(await kind.add(line, organisationId))
      }}
      onSent={onSent}
      onAllSent={() => {
        onAdded?.(added.current)
        onClose()
      }}
      onClose={onClose}
      {...(tablesOf && {
        renderPreview: (lines: readonly BulkLine[]) => <TablePreview names={namesOf(lines)} tablesOf={tablesOf} />,
      })}
    />
  )
}

function namesOf(lines: readonly BulkLine[]): readonly string[] {
  return lines.filter(({ flaw }) => flaw === null).map(({ line }) => line)
}
