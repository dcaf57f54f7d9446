import type { Insight } from '@tributary/contract/insights'
import { pollMs } from '@tributary/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { connectorActivity, lastGoodRunAt, isActive, lastTriggeredAt } from '../../domain/connectors/connector-state.ts'
import { connectorList, waitingApprovals } from '../../api/queries/common-queries.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../ui/layout/page.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { DescriptionList, Panel } from '../../ui/layout/panel.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { useNow } from '../../domain/time/use-now.ts'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import css from '../../domain/admin/admin.module.css'
import { OrganisationsPanel } from './organisations-panel.tsx'
import { callQuery } from '../../api/call-query.ts'

const insightList = { ...callQuery(['insights'], 'GET /tributary/connectors/insights'), refetchInterval: pollMs }

export function InsightsPage() {
  return (
    <Page kind="board">
      <OrganisationPanel />
      <NumbersPanel />
      <InsightsPanel />
      <OrganisationsPanel />
    </Page>
  )
}

function OrganisationPanel() {
  const { organisation } = useWorkspace()
  return (
    <Panel title="Organisation">
      <DescriptionList
        items={[
          { label: 'Name', value: organisation.CompanyName },
          { label: 'Organisation id', value: organisation.Id, isCode: true },
          { label: 'Time zone', value: organisation.TimeZone },
        ]}
      />
    </Panel>
  )
}

const dayMs = 86_400_000

/** Four counts of the selected organisation, each linked to what it counts. */
function NumbersPanel() {
  const { organisation } = useWorkspace()
  const connectors = useQuery(connectorList(organisation.Id)).data?.filter(isActive)
  const waiting = useQuery(waitingApprovals(organisation.Id)).data
  const time = useNow(15_000)
  const activities = connectors?.map(({ Log }) => ({
    activity: connectorActivity(Log, time),
    at: Log === null ? null : lastTriggeredAt(Log),
  }))
  const isOlderThanDay = (at: string | null) => at === null || time - Date.parse(at) > dayMs
  const numbers = [
    {
      label: 'Running',
      count: activities?.filter(({ activity }) => activity === 'running').length,
    },
    {
      label: 'Failed within 24 hours',
      count: activities?.filter(({ activity, at }) => activity === 'failed' && !isOlderThanDay(at)).length,
    },
    {
      label: 'Not refreshed for 24 hours',
      count: connectors?.filter((one) => isOlderThanDay(lastGoodRunAt(one))).length,
    },
    {
      label: 'Approvals waiting',
      count: waiting?.total,
      to: paths.adminApprovals,
    },
  ]
  return (
    <Panel title={`${organisation.CompanyName} now`}>
      <ul className={css.numbers}>
        {numbers.map(({ label, count, to = paths.home }) => (
          <li key={label}>
            <Link to={to} className={css.number}>
              <span className={css.figure}>{count ?? '–'}</span> <span className="small">{label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function InsightsPanel() {
  const query = useQuery(insightList)
  return (
    <Panel title="Running connectors">
      <QueryResult query={query} loading={<SkeletonLines count={2} />}>
        {(insights) =>
          insights.length === 0 ? (
            <p className="muted">No connectors are running at the moment.</p>
          ) : (
            Object.entries(Object.groupBy(insights, ({ ClientName }) => ClientName)).map(([client, ofClient = []]) => (
              <RunningConnectors key={client} client={client} insights={ofClient} />
            ))
          )
        }
      </QueryResult>
    </Panel>
  )
}

function RunningConnectors({ client, insights }: { client: string; insights: readonly Insight[] }) {
  return (
    <div className={css.client}>
      <h3>{client}</h3>
      <ul>
        {insights.map((insight) => (
          <li key={insight.ClientConnectorId} className={css.insight}>
            <span>{insight.ClientConnectorName}</span>
            <span className="small subtle">
              Started <RunStart insight={insight} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function RunStart({ insight }: { insight: Insight }) {
  const at = insight.ManuallyTriggeredAtUtc ?? insight.AutomaticallyTriggeredAtUtc
  return at === null ? 'just now' : <RelativeTime at={at} />
}
