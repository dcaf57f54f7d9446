/** How a person connects their own tools to the warehouse, with a database login of their own. */
import type { OwnLogin } from '@tributary/contract/logins'
import { useQuery } from '@tanstack/react-query'
import { useMay, useWorkspace } from '../../api/session/workspace.ts'
import { connectionQuery } from '../../domain/connecting/connection-query.ts'
import { ConnectionTools } from '../../domain/connecting/connection-tools.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { DescriptionList, Panel } from '../../ui/layout/panel.tsx'
import { ownLogin } from './login-queries.ts'
import { OrganisationLoginsPanel } from './organisation-logins-panel.tsx'
import { OwnLoginPanel } from './own-login-panel.tsx'
import { ReadableTablesPanel } from './readable-tables-panel.tsx'

export function ConnectPage() {
  const { organisation } = useWorkspace()
  const query = useQuery(ownLogin(organisation.Id))
  const may = useMay()
  return (
    <Page kind="form">
      <QueryResult query={query} loading={<SkeletonLines count={8} height={40} />}>
        {(login) => (login.MayRead ? <Connection login={login} /> : <NothingReadable />)}
      </QueryResult>
      {may('seeWarehouse') ? <OrganisationLoginsPanel /> : null}
    </Page>
  )
}

function NothingReadable() {
  return (
    <EmptyState kind="notAllowed" title="There is nothing here that you may read yet.">
      A database login is for people who are assigned to a connector, or have a group, an entity or a helper table. Ask
      an administrator of your organisation for one of these.
    </EmptyState>
  )
}

function Connection({ login }: { login: OwnLogin }) {
  const { organisation } = useWorkspace()
  return (
    <>
      <OwnLoginPanel login={login} />
      <ServerPanel login={login} />
      <ReadableTablesPanel login={login} />
      <Panel title="Open in another program">
        <ConnectionTools clientId={organisation.Id} />
      </Panel>
      <Panel title="Ask with an assistant">
        <p>
          Assistants such as Claude or ChatGPT connect at <code>{`${window.location.origin}/mcp`}</code>, if an
          administrator of your organisation allows assistants.
        </p>
      </Panel>
    </>
  )
}

const tlsModes = {
  require: 'Required. Programs encrypt the connection, and refuse one without encryption.',
  prefer:
    'The server does not offer it: passwords and rows cross the network in the clear. Connect only from a network that you trust.',
} as const

function ServerPanel({ login: { Host, Port, Database } }: { login: OwnLogin }) {
  const { organisation } = useWorkspace()
  const connection = useQuery(connectionQuery(organisation.Id))
  const sslMode = connection.data?.SslMode
  return (
    <Panel title="Server">
      <DescriptionList
        items={[
          { label: 'Host', value: Host, isCode: true },
          { label: 'Port', value: String(Port), isCode: true },
          ...(Database === null ? [] : [{ label: 'Database', value: Database, isCode: true }]),
          ...(sslMode === undefined ? [] : [{ label: 'TLS', value: tlsModes[sslMode] }]),
          {
            label: 'Addresses to allow',
            value: `${allowed(`${Host} on TCP port ${Port}`, connection.data?.Ranges ?? [])} If your program runs in a cloud, such as the Power BI service, ask the operator of Tributary to allow its public addresses, or run an on-premises data gateway.`,
          },
        ]}
      />
    </Panel>
  )
}

function allowed(server: string, ranges: readonly string[]): string {
  const connects = `Your program connects to ${server}: allow that in the firewall of its network.`
  return ranges.length === 0 ? connects : `${connects} This installation answers at ${ranges.join(', ')}.`
}
