/** A REST API and an OData service that a customer describes, simulated, and the settings that connect to them. */
import { connectors } from '@tributary/contract/connectors'
import { approvals } from '@tributary/contract/approvals'
import { type HostileApi, startHostileApi } from '@tributary/sims/hostile/server'
import { type HostileOData, type HostileODataOptions, startHostileOData } from '@tributary/sims/hostile/odata/server'
import { systemClock } from '../../../server/src/kernel/clock.ts'
import { testApp, type TestApp } from '../app/test-app.ts'
import { type ConnectorSetting, expectStatus } from './run-driver.ts'

export interface CustomerSources extends AsyncDisposable {
  readonly app: TestApp
  readonly rest: HostileApi
  readonly odata: HostileOData
  /** Adds a connector of Harbour Trading, and returns its id. */
  add(type: 'rest-api' | 'odata-service', name: string, properties?: readonly ConnectorSetting[]): Promise<string>
  decide(connectorId: string, decision: 'APPROVED' | 'REFUSED' | 'WITHDRAWN', reason?: string): Promise<number>
}

const quiet = { clock: systemClock, seed: 5, documents: 30, pageSize: 10 } as const

/** @param how rows of the service have a member that its metadata do not declare */
export async function openCustomerSources(how: Pick<HostileODataOptions, 'undeclared'> = {}): Promise<CustomerSources> {
  const rest = await startHostileApi({ ...quiet, paging: 'keyset' })
  const odata = await startHostileOData({ ...quiet, ...how, links: 'byKey' })
  const hosts = [rest, odata].map(({ url }) => new URL(url).host).join(',')
  const app = await testApp({ env: { TRIBUTARY_LIMITS: 'off', TRIBUTARY_ALLOW_HOSTS: hosts } })
  const clientId = app.harbour.id
  return {
    app,
    rest,
    odata,
    async add(type, name, properties = type === 'rest-api' ? restSettings(rest) : odataSettings(odata)) {
      const body = { type, name, properties: [...properties] }
      return expectStatus(await app.as.admin.call(connectors.create, { params: { clientId }, body }), 201).Id
    },
    async decide(connectorId, decision, reason) {
      const waiting = (await app.as.superadmin.call(approvals.hosts)).body
      const hosts = waiting.find((one) => one.ConnectorId === connectorId)?.Hosts ?? []
      const body = { decision, hosts, ...(reason !== undefined && { reason }) }
      return (await app.as.superadmin.call(approvals.decideHosts, { params: { connectorId }, body })).status
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await rest[Symbol.asyncDispose]()
      await odata[Symbol.asyncDispose]()
    },
  }
}

/** @param base the address, which has another port in tests of other hosts */
export function restText(base: string, more = ''): string {
  return `engine: rest
title: Documents
base: ${base}
hosts: [${new URL(base).hostname}]
signIn: { kind: bearer, token: key }
pace: { calls: 1000, seconds: 1 }
check: { path: documents }
${more}streams:
  document:
    path: documents
    records: /data
    paging: { kind: keyset, parameter: after, at: /id, more: /more, size: { parameter: size, rows: 10 } }
    key: [id]
    columns:
      id: bigint
      name: text
      amount: decimal
      changed: instant(3)
`
}

export function restSettings({ url, token }: HostileApi): readonly ConnectorSetting[] {
  return [
    { name: 'rest-api.description', value: restText(url) },
    { name: 'rest-api.key', value: token },
  ]
}

export function odataSettings({ url, token }: HostileOData): readonly ConnectorSetting[] {
  return [
    { name: 'odata-service.address', value: url },
    { name: 'odata-service.signIn', value: 'bearer' },
    { name: 'odata-service.key', value: token },
    { name: 'odata-service.tables', value: ['Documents'] },
    { name: 'odata-service.changedAt', value: 'Modified' },
  ]
}

/** The host and port as an approval names them. */
export function hostOf({ url }: { readonly url: string }): string {
  return new URL(url).host
}
