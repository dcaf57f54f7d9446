/** Printable certificates, for accountants and auditors: of a month's tie-out, or one that was issued, of whatever. Its hash can be checked by anyone. */
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { connectorList } from '../../api/queries/common-queries.ts'
import type { ConnectorParams } from '../../api/queries/runs.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { withConnector, paths } from '../../paths.ts'
import { useUrlParams, useUpdateUrlParams } from '../../ui/hooks/search-params.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { certificatesOf, latestTieOut, tieOutLines } from './api.ts'
import { Certificate, type CertificateData } from './certificate.tsx'
import { CertificateTools } from './certificate-tools.tsx'
import { IssuedCertificate } from './issued-certificate.tsx'
import css from './certificate.module.css'
import { formatMonth } from './tie-out-wording.ts'

export function CertificatePage() {
  const { organisation } = useWorkspace()
  const params = useUrlParams()
  const connectorId = params.get('of') ?? ''
  const certificateId = params.get('certificate')
  const connectors = useQuery(connectorList(organisation.Id))
  if (certificateId !== null)
    return (
      <Page kind="form" title="Certificate">
        <IssuedCertificate certificateId={certificateId} />
      </Page>
    )
  return (
    <Page kind="form" title="Tie-out certificate">
      <QueryResult query={connectors}>
        {(all) => {
          const connector = all.find(({ Id }) => Id === connectorId)
          return connector === undefined ? (
            <EmptyState kind="noMatch" title="There is no such connector.">
              The link may be incomplete, or the connector is another organisation’s.
            </EmptyState>
          ) : (
            <ConnectorCertificate ids={{ clientId: organisation.Id, connectorId }} connectorName={connector.Name} />
          )
        }}
      </QueryResult>
    </Page>
  )
}

function ConnectorCertificate({ ids, connectorName }: { ids: ConnectorParams; connectorName: string }) {
  const query = useQuery(latestTieOut(ids))
  const params = useUrlParams()
  return (
    <QueryResult query={query}>
      {(tieOut) => {
        const period = params.get('period') ?? tieOut?.Periods[0]?.Period ?? ''
        const month = tieOut?.Periods.find(({ Period }) => Period === period)
        return tieOut === null || month === undefined ? (
          <EmptyState kind="noMatch" title="Nothing was compared for this month.">
            Certificates exist for every month that the latest tie-out compared.
          </EmptyState>
        ) : (
          <MonthCertificate ids={ids} certified={{ tieOut, month, connectorName }} />
        )
      }}
    </QueryResult>
  )
}

function MonthCertificate({
  ids,
  certified,
}: {
  ids: ConnectorParams
  certified: Omit<CertificateData, 'issued' | 'lines'>
}) {
  const { tieOut, month } = certified
  const query = useQuery(tieOutLines(ids, { period: month.Period, runId: tieOut.RunId }))
  const certificates = useQuery(certificatesOf(ids))
  const subjectKey = `${tieOut.RunId}/${month.Period}`
  const issued = certificates.data?.find(({ SubjectKey }) => SubjectKey === subjectKey)
  const { type = '' } = useParams()
  const changeAddress = useUpdateUrlParams()
  const figures = withConnector(new URLSearchParams(), ids.connectorId, { view: 'tieOut' })
  return (
    <>
      <div className={css.tools} data-no-print>
        <NativeSelect
          aria-label="Month"
          value={month.Period}
          data={tieOut.Periods.map(({ Period }) => ({ value: Period, label: formatMonth(Period) }))}
          onChange={(event) => changeAddress({ period: event.currentTarget.value }, { replace: true })}
        />
        {certificates.data === undefined ? null : (
          <CertificateTools key={subjectKey} ids={ids} runId={tieOut.RunId} period={month.Period} issued={issued} />
        )}
        <Link to={`${paths.refresh(type)}?${figures}&period=${month.Period}`}>See the figures</Link>
      </div>
      <QueryResult query={query}>{(lines) => <Certificate {...certified} lines={lines} issued={issued} />}</QueryResult>
    </>
  )
}
