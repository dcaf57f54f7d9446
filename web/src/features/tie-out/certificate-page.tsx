/** A month's tie-out on paper: for whoever has to vouch for the books, and for whoever checks that. */
import { Button, NativeSelect } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { connectorList } from '../../api/queries/common-queries.ts'
import type { ConnectorParams } from '../../api/queries/runs.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { withConnector, paths } from '../../paths.ts'
import { useAddress, useChangeAddress } from '../../ui/hooks/search-params.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Loaded } from '../../domain/requests/query-result.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { latestTieOut, linesOf } from './api.ts'
import { Certificate, type Certified } from './certificate.tsx'
import css from './certificate.module.css'
import { monthName } from './tie-out-wording.ts'

export function CertificatePage() {
  const { organisation } = useWorkspace()
  const params = useAddress()
  const connectorId = params.get('of') ?? ''
  const connectors = useQuery(connectorList(organisation.Id))
  return (
    <Page title="Tie-out certificate">
      <Loaded query={connectors}>
        {(all) => {
          const connector = all.find(({ Id }) => Id === connectorId)
          return connector === undefined ? (
            <EmptyState kind="noMatch" title="There is no such connector.">
              The link may be incomplete, or the connector is another organisation’s.
            </EmptyState>
          ) : (
            <OfConnector place={{ clientId: organisation.Id, connectorId }} connectorName={connector.Name} />
          )
        }}
      </Loaded>
    </Page>
  )
}

function OfConnector({ place, connectorName }: { place: ConnectorParams; connectorName: string }) {
  const query = useQuery(latestTieOut(place))
  const params = useAddress()
  return (
    <Loaded query={query}>
      {(tieOut) => {
        const period = params.get('period') ?? tieOut?.Periods[0]?.Period ?? ''
        const month = tieOut?.Periods.find(({ Period }) => Period === period)
        return tieOut === null || month === undefined ? (
          <EmptyState kind="noMatch" title="Nothing was compared for this month.">
            A certificate can be made of every month that the latest tie-out went over.
          </EmptyState>
        ) : (
          <OfMonth place={place} certified={{ tieOut, month, connectorName }} />
        )
      }}
    </Loaded>
  )
}

function OfMonth({ place, certified }: { place: ConnectorParams; certified: Omit<Certified, 'lines'> }) {
  const { tieOut, month } = certified
  const query = useQuery(linesOf(place, { period: month.Period, runId: tieOut.RunId }))
  const { type = '' } = useParams()
  const changeAddress = useChangeAddress()
  const figures = withConnector(new URLSearchParams(), place.connectorId, { view: 'tieOut' })
  return (
    <>
      <div className={css.tools} data-no-print>
        <NativeSelect
          aria-label="Month"
          value={month.Period}
          data={tieOut.Periods.map(({ Period }) => ({ value: Period, label: monthName(Period) }))}
          onChange={(event) => changeAddress({ period: event.currentTarget.value }, { replace: true })}
        />
        <Button
          leftSection={<IconPrinter size={16} aria-hidden />}
          disabled={query.data === undefined}
          onClick={() => window.print()}
        >
          Print
        </Button>
        <Link to={`${paths.refresh(type)}?${figures}&period=${month.Period}`}>See the figures</Link>
      </div>
      <Loaded query={query}>{(lines) => <Certificate {...certified} lines={lines} />}</Loaded>
    </>
  )
}
