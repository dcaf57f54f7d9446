/** The rows that differ, with both values, their cause, and whether they are repaired. */
import type { RowDifference, VerifiedTable } from '@tributary/contract/verifications'
import { verificationLimits } from '@tributary/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConnectorParams } from '../../api/queries/runs.ts'
import { ConnectorLink } from '../../domain/connectors/connector-link.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { formatCount } from '../../ui/formats.ts'
import { DrawerSection } from '../../ui/layout/drawer-section.tsx'
import { DataTable, type TableColumn } from '../../ui/tables/data-table.tsx'
import { Pager } from '../../ui/tables/pager.tsx'
import { differencesOf, differencesPageSize } from './api.ts'
import { causeWords, describeKey, kindWords } from './difference-words.ts'
import css from './verifications.module.css'

interface DifferencesListProps {
  readonly ids: ConnectorParams
  readonly tables: readonly VerifiedTable[]
  /** Only of this stream; null for all. */
  readonly stream: string | null
}

/** Renders nothing if no row differs, and none was repaired. */
export function DifferencesList({ ids, tables, stream }: DifferencesListProps) {
  const [page, setPage] = useState(1)
  const hasAny = tables.some(({ Differences, Repaired }) => Differences > 0 || Repaired > 0)
  const query = useQuery({ ...differencesOf(ids, stream, page), enabled: hasAny })
  if (!hasAny) return null
  const shown = stream === null ? undefined : tables.find(({ Name }) => Name === stream)
  const differ = (shown === undefined ? tables : [shown]).some(({ Differences }) => Differences > 0)
    ? 'that differ'
    : 'that were repaired'
  const isCut = tables.some(({ Differences }) => Differences > verificationLimits.differencesMax)
  return (
    <DrawerSection title={shown === undefined ? `Rows ${differ}` : `Rows of ${shown.Table} ${differ}`}>
      {shown === undefined ? null : (
        <p className="small">
          <ConnectorLink connectorId={ids.connectorId} view="verification">
            Show all tables
          </ConnectorLink>
        </p>
      )}
      {isCut ? (
        <p className="small muted">
          {`At most ${formatCount(verificationLimits.differencesMax)} rows of each table are listed.`}
        </p>
      ) : null}
      <QueryResult query={query}>
        {({ rows, total }) =>
          rows.length === 0 ? (
            <p className="small muted">The rows are no longer stored. Verify again to list what still differs.</p>
          ) : (
            <>
              <DataTable
                caption="Rows that differ from the source"
                columns={differenceColumns}
                rows={rows}
                rowKey={({ Id }) => String(Id)}
              />
              <Pager
                label="Pages of rows that differ"
                page={page}
                pages={Math.ceil(total / differencesPageSize)}
                onPage={setPage}
              />
            </>
          )
        }
      </QueryResult>
    </DrawerSection>
  )
}

const differenceColumns: readonly TableColumn<RowDifference>[] = [
  {
    title: 'Row',
    cell: ({ Table, Key }) => (
      <>
        <span className={css.key}>{describeKey(Key)}</span>
        <span className={css.notice}>{Table}</span>
      </>
    ),
  },
  { title: 'Difference', cell: (difference) => <Values difference={difference} /> },
  {
    title: 'Cause',
    cell: ({ Cause, IsRepaired }) => (
      <>
        {causeWords[Cause]}
        <span className={css.notice}>{IsRepaired ? 'Repaired' : 'Not repaired'}</span>
      </>
    ),
  },
]

function Values({ difference: { Kind, Columns } }: { difference: RowDifference }) {
  if (Columns.length === 0) return kindWords[Kind]
  return (
    <dl className={css.values}>
      {Columns.map(({ Name, Source, Target }) => (
        <div key={Name}>
          <dt>{Name}</dt>
          <dd>
            <span className={css.side}>source</span> <Value text={Source} />
          </dd>
          <dd>
            <span className={css.side}>target</span> <Value text={Target} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** An empty text and trailing blanks must be visible. */
function Value({ text }: { text: string | null }) {
  if (text === null) return <em>NULL</em>
  return (
    <code className={css.value}>
      {text === '' ? '(empty)' : text.replace(/ +$/u, (blanks) => '␣'.repeat(blanks.length))}
    </code>
  )
}
