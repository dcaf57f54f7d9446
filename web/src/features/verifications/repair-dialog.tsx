/** Confirms a repair: what it changes, and what stays. */
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'
import { useStartVerification, type VerificationTarget } from './use-start-verification.ts'
import css from './verifications.module.css'

interface RepairDialogProps extends VerificationTarget {
  /** The table to repair; null for all. */
  readonly table: { readonly name: string; readonly label: string } | null
  readonly onStarted: (runId: string) => void
  readonly onClose: () => void
}

export function RepairDialog({ ids, title, table, onStarted, onClose }: RepairDialogProps) {
  const start = useStartVerification({ ids, title }, onStarted)
  return (
    <MutationDialog
      mutation={start}
      title={table === null ? `Repair ${title}` : `Repair ${table.label}`}
      onClose={onClose}
      onSubmit={() => start.mutate({ repair: true, ...(table !== null && { streams: [table.name] }) })}
      submitLabel="Repair"
    >
      <p>
        {table === null ? 'All tables are' : 'The table is'} compared with the source again. Every row that still
        differs is then read from the source and written into the target.
      </p>
      <ul className={css.effects}>
        <li>Rows that are missing in the target are added.</li>
        <li>Rows that differ get the values of the source. Changes made in the target are lost.</li>
        <li>Rows that only the target has are deleted.</li>
      </ul>
      <p>The source is only read. Tables without differences stay as they are.</p>
    </MutationDialog>
  )
}
