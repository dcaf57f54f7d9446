import type { TriedStream } from '@tributary/contract/workbench'
import { Callout } from '../../ui/feedback/callout.tsx'
import { formatCount } from '../../ui/formats.ts'
import { DataTable, type TableColumn } from '../../ui/tables/data-table.tsx'
import { ExchangeList } from './exchange-list.tsx'
import { TriedRows } from './tried-rows.tsx'
import css from './workbench.module.css'

export function TriedResult({ result }: { readonly result: TriedStream }) {
  return (
    <div className={css.result}>
      <Outcome result={result} />
      <Misfits misfits={result.Misfits} />
      <div className={css.sides}>
        <section className={css.side} aria-label="Requests and replies">
          <h3>Requests and replies</h3>
          <ExchangeList exchanges={result.Exchanges} opened={result.Problem === null ? 'first' : 'last'} />
        </section>
        <section className={css.side} aria-label="Rows and types">
          <h3>Rows and types</h3>
          {result.Tables.map((table) => (
            <TriedRows key={table.Name} table={table} />
          ))}
        </section>
      </div>
      {result.Log.length === 0 ? null : (
        <details>
          <summary>Log</summary>
          <ul className={css.notes}>
            {result.Log.map((line, index) => (
              <li key={`${index} ${line}`}>{line}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

function Outcome({ result }: { readonly result: TriedStream }) {
  const { Stream, Problem, Misfits, HasMore, Tables, Exchanges } = result
  if (Problem !== null)
    return (
      <Callout tone="error" title="Reading ended before it was complete">
        <p>{Problem}</p>
        <p>
          {Exchanges.length === 0
            ? 'Nothing was sent. Correct the settings or the description, and try again.'
            : 'Look at the last request and its reply below, correct the settings or the description, and try again.'}
        </p>
      </Callout>
    )
  const rows = Tables.find(({ Name }) => Name === Stream)?.RowsRead ?? 0
  const more = HasMore ? 'The list has more pages.' : 'That is the whole list.'
  const read = `${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'} of ${Stream}. ${more}`
  if (Misfits.length > 0)
    return (
      <Callout tone="warn" title="Some values do not fit their type">
        <p>{`${read} A target would reject the rows below. Correct the type or the pointer of the column.`}</p>
      </Callout>
    )
  if (rows === 0)
    return (
      <Callout tone="warn" title="No rows were read">
        <p>
          Compare the pointer of the records with the reply below. If the account has no rows, enter some there first.
        </p>
      </Callout>
    )
  return <Callout tone="ok" title={read} />
}

function Misfits({ misfits }: { readonly misfits: TriedStream['Misfits'] }) {
  if (misfits.length === 0) return null
  return (
    <DataTable
      caption="Values that do not fit"
      rows={misfits}
      rowKey={({ Table, Column, Row }) => `${Table} ${Column} ${Row}`}
      columns={misfitColumns}
    />
  )
}

const misfitColumns: readonly TableColumn<TriedStream['Misfits'][number]>[] = [
  { title: 'Column', cell: ({ Table, Column }) => `${Table}.${Column}` },
  { title: 'Row', isNumber: true, cell: ({ Row }) => formatCount(Row) },
  { title: 'Pointer', cell: ({ Pointer }) => <code>{Pointer}</code> },
  { title: 'Value', cell: ({ Value }) => <code>{Value}</code> },
  { title: 'Must be', cell: ({ Wanted }) => Wanted },
]
