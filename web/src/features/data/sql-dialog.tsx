import { CopyButton } from '../../ui/display/copy-button.tsx'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import css from './data.module.css'

/** The query of the rows that are shown, to copy into a program that reads the warehouse. Null: an Iceberg table, which the portal reads without SQL. */
export function SqlDialog({ sql, onClose }: { sql: string | null; onClose: () => void }) {
  if (sql === null)
    return (
      <Dialog title="SQL of these rows" onClose={onClose} footer={<CancelButton hasFocus>Close</CancelButton>}>
        <p>
          These rows are in an Iceberg table, which the portal reads without SQL. Open the table in Spark, Trino, DuckDB
          or another engine to query it with SQL.
        </p>
      </Dialog>
    )
  return (
    <Dialog
      title="SQL of these rows"
      subtitle="It returns all rows that match, in this order, with your own rights."
      onClose={onClose}
      footer={<CancelButton hasFocus>Close</CancelButton>}
    >
      <div className={css.sql}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls it */}
        <pre tabIndex={0} aria-label="SQL">
          <code>{sql}</code>
        </pre>
        <CopyButton text={sql} what="SQL" />
      </div>
    </Dialog>
  )
}
