/** A server, a webhook receiver, and one connector at a time whose runs the test inserts. */
import { randomBytes, randomUUID } from 'node:crypto'
import { alerts } from '@tributary/contract/alerts'
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts'
import { testApp, type TestApp } from '../app/test-app.ts'
import { watchConnectors } from '../../../server/src/features/alerts/open-and-close-incidents.ts'

type AlertRunStatus = 'QUEUED' | 'RUNNING' | 'WAITING' | 'COMPLETED' | 'FAILED' | 'CANCELLED'
export interface AlertRun {
  readonly status: AlertRunStatus
  readonly agoMs?: number
  readonly retryInMs?: number
  readonly faultKind?: 'signIn' | 'busy'
  readonly notice?: string
  readonly onlyStreams?: string[]
}

const administrator = 'admin@demo.example'

export async function openAlertRig(): Promise<AlertRig> {
  const receiver = await startWebhookReceiver()
  const masterKey = randomBytes(32)
  const env = { TRIBUTARY_ALLOW_HOSTS: new URL(receiver.url).host }
  return new AlertRig({ app: await testApp({ env, keys: { current: masterKey, old: [] } }), receiver, masterKey })
}

export interface AlertRigParts {
  readonly app: TestApp
  readonly receiver: WebhookReceiver
  readonly masterKey: Buffer
}

export class AlertRig {
  readonly app: TestApp
  readonly receiver: WebhookReceiver
  readonly masterKey: Buffer
  connectorId = ''
  /** Secret of the webhook. */
  secret = ''

  constructor({ app, receiver, masterKey }: AlertRigParts) {
    this.app = app
    this.receiver = receiver
    this.masterKey = masterKey
  }

  get params() {
    return { clientId: this.app.harbour.id, connectorId: this.connectorId }
  }

  /** Creates a new connector with the receiver as webhook. Deletes earlier connectors, deliveries and emails. */
  async begin(): Promise<void> {
    const { app, receiver } = this
    receiver.received.length = 0
    receiver.respond = () => ({ status: 204 })
    // Across organisations, because mail belongs to none.
    await app.store.across(async (db) => {
      await db.deleteFrom('mail').execute()
      await db.updateTable('connector').set({ status: 'DELETED' }).execute()
      await db.updateTable('webhookDelivery').set({ dueAt: null }).execute()
    })
    await watchConnectors(app.services)
    const row = {
      organisationId: app.harbour.id,
      key: `shop-${randomUUID()}`,
      type: 'postgres',
      name: 'Web shop',
      originalName: 'Web shop',
    }
    this.connectorId = await app.store.within(app.harbour.id, async (db) => {
      const { id } = await db.insertInto('connector').values(row).returning('id').executeTakeFirstOrThrow()
      return id
    })
    const body = { users: null, webhook: { url: receiver.url } }
    this.secret = (await app.as.admin.call(alerts.save, { params: this.params, body })).body.Webhook?.Secret ?? ''
  }

  /** Inserts a run and returns its id. */
  async run({ status, agoMs = 0, retryInMs, faultKind, notice, onlyStreams }: AlertRun): Promise<string> {
    const { app, connectorId } = this
    const isOver = ['COMPLETED', 'FAILED', 'CANCELLED'].includes(status)
    const run = {
      organisationId: app.harbour.id,
      connectorId,
      mode: 'incremental',
      trigger: 'schedule',
      status,
    } as const
    const times = { queuedAt: new Date(Date.now() - agoMs), completedAt: isOver ? new Date() : null }
    const retryAt = retryInMs === undefined ? null : new Date(Date.now() + retryInMs)
    const { id } = await app.store.within(app.harbour.id, (db) =>
      db
        .insertInto('run')
        .values({
          ...run,
          ...times,
          retryAt,
          faultKind: faultKind ?? null,
          notice: notice ?? null,
          onlyStreams: onlyStreams ?? null,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    return id
  }

  fail(): Promise<string> {
    return this.run({ status: 'FAILED', faultKind: 'signIn', notice: 'The source refused the password.' })
  }

  async complete(runId: string): Promise<void> {
    const change = { status: 'COMPLETED', completedAt: new Date() } as const
    await this.app.store.within(this.app.harbour.id, (db) =>
      db.updateTable('run').set(change).where('id', '=', runId).execute(),
    )
  }

  async set(change: { readonly status?: 'CONNECTED'; readonly targetDownSince?: Date | null }): Promise<void> {
    const { app, connectorId } = this
    await app.store.within(app.harbour.id, (db) =>
      db.updateTable('connector').set(change).where('id', '=', connectorId).execute(),
    )
  }

  /** Checks the connectors like four workers at the same moment. */
  async watchConnectors(): Promise<void> {
    await Promise.all(Array.from({ length: 4 }, () => watchConnectors(this.app.services)))
  }

  /** Makes every pending delivery due. */
  async makeDue(): Promise<void> {
    const dueAt = new Date(0)
    await this.app.store.across((db) =>
      db.updateTable('webhookDelivery').set({ dueAt }).where('dueAt', 'is not', null).execute(),
    )
  }

  async incidents() {
    const { body } = await this.app.as.admin.call(alerts.incidents, { params: this.params })
    return body
  }

  /** Subjects of the emails to this address, oldest first. */
  async subjects(address = administrator): Promise<readonly string[]> {
    return (await this.app.emailsTo(address)).map(({ subject }) => subject)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app[Symbol.asyncDispose]()
    await this.receiver[Symbol.asyncDispose]()
  }
}
