/** A table of the warehouse: its rows in a grid that is read by key, with filters, order, the SQL, and what each column holds. */
import type { DataTable } from '@tributary/contract/data'
import { CallError, messageOf } from '@tributary/client/call-error'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { paths } from '../../paths.ts'
import { Callout } from '../../ui/feedback/callout.tsx'
import { LoadFailure } from '../../ui/feedback/empty-state.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { dataTable, type TableLocation } from './api.ts'
import css from './data.module.css'
import { formatSize } from '../../ui/formats.ts'
import { describeRows } from './data-words.ts'
import { MissingTable } from './missing-table.tsx'
import { TableRows } from './table-rows.tsx'
import { useTableRows } from './use-table-rows.ts'

export function TablePage() {
  const { schema = '', table = '' } = useParams()
  const location = { clientId: useOrganisationId(), schema, table }
  return (
    <Page kind="editor" title={table}>
      <TableContent key={JSON.stringify(location)} location={location} />
    </Page>
  )
}

function TableContent({ location }: { location: TableLocation }) {
  const { data, error, refetch } = useQuery({ ...dataTable(location), retry: isWorthRetry })
  // At once, next to the call about the table.
  useTableRows(location)
  if (data !== undefined)
    return (
      <>
        <TableFacts table={data} />
        <TableRows location={location} table={data} />
      </>
    )
  if (error === null) return <SkeletonLines count={12} height={32} />
  if (error instanceof CallError && error.statusCode === 404) return <MissingTable />
  return <LoadFailure message={messageOf(error)} onRetry={() => void refetch()} />
}

/** A table that is not there does not appear by asking again. */
function isWorthRetry(failures: number, error: Error): boolean {
  return failures < 2 && error instanceof CallError && error.isTransient
}

function TableFacts({ table }: { table: DataTable }) {
  const { Bytes, Description, Fault, FreshAtUtc, Lake, Schema } = table
  const place = Lake === null ? `schema ${Schema}` : `Iceberg, namespace ${Lake}`
  return (
    <div className={css.facts}>
      <p className="subtle">
        <Link to={paths.data}>{table.Source.Name}</Link>
        {' · '}
        {[describeRows(table), ...(Bytes === null ? [] : [formatSize(Bytes)]), place].join(' · ')}
        {FreshAtUtc === null ? null : (
          <>
            {' · fresh as of '}
            <RelativeTime at={FreshAtUtc} />
          </>
        )}
      </p>
      {Description === null ? null : <p>{Description}</p>}
      {Fault === null ? null : (
        <Callout tone="warn" title="The latest run had a problem with this table.">
          {Fault}
        </Callout>
      )}
    </div>
  )
}
