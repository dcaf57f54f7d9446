import type { AuditLogEvent } from '@tributary/contract/audit-log'
import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useWorkspace } from '../../api/session/workspace.ts'
import { sentenceText } from '../../domain/audit-log/sentences/wording.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { formatMoment } from '../../ui/formats.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import { DataTable, type TableColumn } from '../../ui/tables/data-table.tsx'
import { coveredEvents } from './room-queries.ts'

const shownFirst = 20

/** What people did to the covered connectors, marks and certificates. */
export function EventsSection() {
  const { organisation } = useWorkspace()
  const events = useQuery(coveredEvents(organisation.Id))
  const [isWhole, setWhole] = useState(false)
  return (
    <Panel title="Audit log">
      <QueryResult query={events}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState kind="first" title="Nothing is recorded yet.">
              What people do to the covered connectors and marks appears here.
            </EmptyState>
          ) : (
            <>
              <DataTable
                caption="Events, latest first"
                columns={columnsIn(organisation.TimeZone)}
                rows={isWhole ? list : list.slice(0, shownFirst)}
                rowKey={({ Id }) => String(Id)}
              />
              {isWhole || list.length <= shownFirst ? null : (
                <Button variant="default" size="compact-md" onClick={() => setWhole(true)}>
                  Show all {list.length}
                </Button>
              )}
            </>
          )
        }
      </QueryResult>
    </Panel>
  )
}

function columnsIn(timeZone: string): TableColumn<AuditLogEvent>[] {
  return [
    { title: 'When', cell: ({ AtUtc }) => formatMoment(AtUtc, 'dateTime') },
    { title: 'What', cell: (event) => sentenceText(event, timeZone) },
  ]
}
