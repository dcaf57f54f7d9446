/** A server whose actions after publications reach a webhook, a simulated Power BI and a simulated dbt. */
import { randomUUID } from 'node:crypto'
import { publicationActions, type PublicationActionInput } from '@tributary/contract/publication-actions'
import { afterPublishing } from '../../../server/src/connections/publications/after-publishing.ts'
import type { MasterKeys } from '../../../server/src/kernel/config/master-keys.ts'
import { watchActions } from '../../../server/src/features/alerts/action-incidents.ts'
import { sendDueDigests } from '../../../server/src/features/alerts/send-digests.ts'
import { runDueActions } from '../../../server/src/features/publication-actions/run-due-actions.ts'
import { deliverAlerts } from '../../../server/src/messaging/alert-channels/deliver-alerts.ts'
import { testApp, type TestApp } from '../app/test-app.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../connectors/webhook-receiver.ts'
import { type SimulatedDbt, startDbt } from './simulated-dbt.ts'
import { type SimulatedPowerBi, startPowerBi } from './simulated-power-bi.ts'

interface ActionRigParts {
  readonly app: TestApp
  readonly receiver: WebhookReceiver
  readonly powerBi: SimulatedPowerBi
  readonly dbt: SimulatedDbt
}

interface PublishOptions {
  readonly setId?: string
  /** Whose actions follow. */
  readonly organisationId?: string
}

export async function openActionRig(keys?: MasterKeys): Promise<ActionRig> {
  const [receiver, powerBi, dbt] = [await startWebhookReceiver(), await startPowerBi(), await startDbt()]
  const hosts = [receiver.url, powerBi.origin, dbt.origin].map((url) => new URL(url).host)
  const env = {
    TRIBUTARY_ALLOW_HOSTS: hosts.join(','),
    TRIBUTARY_POWERBI_TOKEN_URL: powerBi.origin,
    TRIBUTARY_POWERBI_API_URL: powerBi.origin,
    TRIBUTARY_DBT_API_URL: dbt.origin,
  }
  return new ActionRig({ app: await testApp({ env, ...(keys !== undefined && { keys }) }), receiver, powerBi, dbt })
}

export class ActionRig {
  readonly app: TestApp
  readonly receiver: WebhookReceiver
  readonly powerBi: SimulatedPowerBi
  readonly dbt: SimulatedDbt
  readonly setId = randomUUID()
  connectorId = ''
  #number = 0

  constructor({ app, receiver, powerBi, dbt }: ActionRigParts) {
    this.app = app
    this.receiver = receiver
    this.powerBi = powerBi
    this.dbt = dbt
  }

  get clientId() {
    return { clientId: this.app.harbour.id }
  }

  /** Removes all actions, alerts and mails. */
  async begin(): Promise<void> {
    const { app, receiver } = this
    receiver.received.length = 0
    receiver.respond = () => ({ status: 204 })
    this.powerBi.clear()
    this.dbt.clear()
    // Across organisations, because mail belongs to none.
    await app.store.across(async (db) => {
      await db.deleteFrom('publicationAction').execute()
      await db.deleteFrom('mail').execute()
      await db.deleteFrom('throttle').execute()
      if (this.connectorId !== '') return
      const connector = { key: 'shop', type: 'postgres', name: 'Web shop', originalName: 'Web shop' }
      const { id } = await db
        .insertInto('connector')
        .values({ organisationId: app.harbour.id, ...connector })
        .returning('id')
        .executeTakeFirstOrThrow()
      this.connectorId = id
    })
  }

  get webhookInput() {
    return { name: 'Our program', isOn: true, setId: null, webhook: { address: this.receiver.url } }
  }

  get powerBiInput() {
    const { tenantId, applicationId, workspaceId, datasetId, clientSecret } = this.powerBi
    const powerBi = { tenantId, applicationId, workspaceId, datasetId, clientSecret, capacity: 'shared' as const }
    return { name: 'Sales report', isOn: true, setId: null, powerBi }
  }

  get dbtInput() {
    const { accountId, jobId, token } = this.dbt
    return {
      name: 'Nightly models',
      isOn: true,
      setId: null,
      dbt: { host: 'cloud.getdbt.com', accountId, jobId, token },
    }
  }

  /** Adds an action and returns its id and the secret that signs its messages. */
  async add(body: PublicationActionInput): Promise<{ readonly id: string; readonly secret: string }> {
    const { status, body: added } = await this.app.as.admin.call(publicationActions.create, {
      params: this.clientId,
      body,
    })
    if (status !== 201) throw new Error(`The action was answered with ${status}: ${JSON.stringify(added)}`)
    return { id: added.Id, secret: added.SigningSecret ?? '' }
  }

  /** Records a publication of the set, and returns its number. */
  async publish({ setId = this.setId, organisationId = this.app.harbour.id }: PublishOptions = {}): Promise<number> {
    this.#number += 1
    const number = this.#number
    const runs = [{ connectorId: this.connectorId, runId: randomUUID(), moment: '2026-06-30T06:00:00.123456Z' }]
    await this.app.store.within(organisationId, (db) =>
      afterPublishing(db, { organisationId, setId, name: 'Tributary’s own warehouse', number, runs }),
    )
    return number
  }

  /** Does once what four workers do at the same moment. */
  async work(): Promise<void> {
    await Promise.all(Array.from({ length: 4 }, () => runDueActions(this.app.services)))
    await Promise.all(Array.from({ length: 4 }, () => watchActions(this.app.services)))
  }

  /** Lets all waits pass, then works. */
  async workLater(): Promise<void> {
    await this.makeDue()
    await this.work()
  }

  /** Sends due digests and the messages to channels. */
  async sendAlerts(): Promise<void> {
    await sendDueDigests(this.app.services)
    await deliverAlerts(this.app.services)
  }

  async makeDue(): Promise<void> {
    await this.app.store.across((db) =>
      db
        .updateTable('publicationActionRun')
        .set({ dueAt: new Date(0) })
        .where('dueAt', 'is not', null)
        .execute(),
    )
  }

  /** Latest first. */
  async runs(actionId: string) {
    const { status, body } = await this.app.as.admin.call(publicationActions.runs, {
      params: { ...this.clientId, actionId },
    })
    if (status !== 200) throw new Error(`The log was answered with ${status}.`)
    return body
  }

  async latestRun(actionId: string) {
    return (await this.runs(actionId))[0]
  }

  async test(actionId: string) {
    return (await this.app.as.admin.call(publicationActions.test, { params: { ...this.clientId, actionId } })).body
  }

  /** All rows of the store that may hold a secret or an answer of a service, and the log. */
  async everythingStored(): Promise<string> {
    const rows = await this.app.store.across(async (db) => [
      await db.selectFrom('publicationAction').selectAll().execute(),
      await db.selectFrom('publicationActionRun').selectAll().execute(),
      await db.selectFrom('auditEvent').selectAll().execute(),
      await db.selectFrom('auditPersonal').selectAll().execute(),
    ])
    return JSON.stringify([rows, this.app.logLines])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app[Symbol.asyncDispose]()
    await this.receiver[Symbol.asyncDispose]()
    await this.powerBi[Symbol.asyncDispose]()
    await this.dbt[Symbol.asyncDispose]()
  }
}
