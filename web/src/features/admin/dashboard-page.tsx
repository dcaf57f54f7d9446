import type { Insight } from '@tributary/contract/connectors'
import { pollMs } from '@tributary/contract/limits'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { messageOf } from '../../api/call-error.ts'
import { useMay, useWorkspace } from '../../api/workspace.ts'
import { LoadFailure } from '../../ui/empty-state.tsx'
import { Facts, Panel } from '../../ui/panel.tsx'
import { Allowed } from '../../ui/refused.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import css from './admin.module.css'
import { AdminPage } from './admin-page.tsx'

const insightList = queryOptions({
  queryKey: ['insights'],
  queryFn: ({ signal }) => call('GET /tributary/connectors/insights', { signal }),
  refetchInterval: pollMs,
})

export function AdminDashboardPage() {
  const may = useMay()
  return (
    <Allowed when={may('seeAdminDashboard')} title="Dashboard">
      <AdminPage title="Dashboard">
        <OrganisationPanel />
        <InsightsPanel />
      </AdminPage>
    </Allowed>
  )
}

function OrganisationPanel() {
  const { organisation } = useWorkspace()
  return (
    <Panel title="Organisation">
      <Facts
        facts={[
          { label: 'Name', value: organisation.CompanyName },
          { label: 'Organisation id', value: organisation.Id, isCode: true },
          { label: 'Time zone', value: organisation.TimeZone },
        ]}
      />
    </Panel>
  )
}

function InsightsPanel() {
  const { data, error, refetch } = useQuery(insightList)
  return (
    <Panel title="Running connectors">
      {data === undefined && error === null ? <SkeletonLines count={2} /> : null}
      {data === undefined && error !== null ? <LoadFailure message={messageOf(error)} onRetry={() => void refetch()} /> : null}
      {data?.length === 0 ? <p className="muted">No connectors are running at the moment.</p> : null}
      {Object.entries(Object.groupBy(data ?? [], ({ ClientName }) => ClientName)).map(([client, insights = []]) => (
        <div key={client} className={css.client}>
          <h3>{client}</h3>
          <ul>
            {insights.map((insight) => (
              <li key={insight.ClientConnectorId} className={css.insight}>
                <span>{insight.ClientConnectorName}</span>
                <span className="small subtle">
                  Started <Start insight={insight} />
                </span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Panel>
  )
}

function Start({ insight }: { insight: Insight }) {
  const at = insight.ManuallyTriggeredAtUtc ?? insight.AutomaticallyTriggeredAtUtc
  return at === null ? 'just now' : <RelativeTime at={at} />
}
