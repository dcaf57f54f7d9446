/** An alert rig with simulated chat services, whose alerts several workers send. */
import { randomBytes } from 'node:crypto'
import { alertChannels, type AlertChannelInput, ownAlertChannels } from '@tributary/contract/alert-channels'
import { mailFailingChannels } from '../../../server/src/features/alerts/mail-failing-channels.ts'
import { sendDueDigests } from '../../../server/src/features/alerts/send-digests.ts'
import { deliverAlerts } from '../../../server/src/messaging/alert-channels/deliver-alerts.ts'
import { AlertRig, type AlertRigParts } from '../connectors/alert-rig.ts'
import { startWebhookReceiver } from '../connectors/webhook-receiver.ts'
import { testApp } from '../app/test-app.ts'
import type { TestClient } from '../app/client.ts'
import { type SimulatedSlack, startSlack } from './simulated-slack.ts'
import { type SimulatedTeams, startTeams } from './simulated-teams.ts'

interface ChannelRigParts extends AlertRigParts {
  readonly slack: SimulatedSlack
  readonly teams: SimulatedTeams
}

export async function openChannelRig(): Promise<ChannelRig> {
  const receiver = await startWebhookReceiver()
  const [slack, teams] = [await startSlack(), await startTeams()]
  const masterKey = randomBytes(32)
  const hosts = [receiver.url, slack.url, teams.url].map((url) => new URL(url).host)
  const env = { TRIBUTARY_ALLOW_HOSTS: hosts.join(',') }
  const app = await testApp({ env, keys: { current: masterKey, old: [] } })
  return new ChannelRig({ app, receiver, masterKey, slack, teams })
}

export class ChannelRig extends AlertRig {
  readonly slack: SimulatedSlack
  readonly teams: SimulatedTeams

  constructor({ slack, teams, ...parts }: ChannelRigParts) {
    super(parts)
    this.slack = slack
    this.teams = teams
  }

  get clientId() {
    return { clientId: this.app.harbour.id }
  }

  /** A new connector without webhook, and no channels, alerts and mails. */
  override async begin(): Promise<void> {
    await super.begin()
    this.slack.clear()
    this.teams.clear()
    // Across organisations, because mail belongs to none.
    await this.app.store.across(async (db) => {
      await db.updateTable('connector').set({ webhookUrl: null, webhookSecret: null }).execute()
      await db.deleteFrom('alert').execute()
      await db.deleteFrom('alertChannel').execute()
      await db.deleteFrom('mail').execute()
    })
  }

  /** Adds a channel of the organisation and returns its id. */
  async addChannel(input: Partial<AlertChannelInput> = {}): Promise<string> {
    const { status, body } = await this.app.as.admin.call(alertChannels.create, {
      params: this.clientId,
      body: { ...this.slackInput, ...input },
    })
    if (status !== 201) throw new Error(`The channel was answered with ${status}: ${JSON.stringify(body)}`)
    return body.Id
  }

  /** Adds a channel of a person and returns its id. */
  async addOwnChannel(as: TestClient, input: Partial<AlertChannelInput> = {}): Promise<string> {
    const { status, body } = await as.call(ownAlertChannels.create, {
      params: this.clientId,
      body: { ...this.slackInput, ...input },
    })
    if (status !== 201) throw new Error(`The channel was answered with ${status}: ${JSON.stringify(body)}`)
    return body.Id
  }

  get slackInput(): AlertChannelInput {
    return { service: 'slack', name: 'Data team', address: this.slack.url, ...allAtOnce }
  }

  get teamsInput(): AlertChannelInput {
    return { service: 'teams', name: 'Finance', address: this.teams.url, ...allAtOnce }
  }

  /** Assigns the connector to a person. */
  async assign(role: 'user' | 'guest'): Promise<void> {
    const { app, connectorId } = this
    const assignment = { organisationId: app.harbour.id, connectorId, userId: app.idOf(role) }
    await app.store.within(app.harbour.id, (db) => db.insertInto('connectorUser').values(assignment).execute())
  }

  async failAndRecover(): Promise<void> {
    await this.fail()
    await this.poll()
    await this.run({ status: 'COMPLETED' })
    await this.poll()
    await this.poll()
  }

  /** Does once what four workers do at the same moment. */
  async poll(): Promise<void> {
    const { services } = this.app
    await this.watchConnectors()
    const each = (work: () => Promise<void>) => Promise.all(Array.from({ length: 4 }, work))
    await each(() => sendDueDigests(services))
    await each(() => deliverAlerts(services))
    await each(() => mailFailingChannels(services))
  }

  /** Makes waiting alerts older, so that the hour of their digest has passed. */
  async ageAlerts(hours: number): Promise<void> {
    const createdAt = new Date(Date.now() - hours * 3_600_000)
    await this.app.store.across((db) =>
      db.updateTable('alert').set({ createdAt }).where('sentAt', 'is', null).execute(),
    )
  }

  /** Makes every pending message due. */
  override async makeDue(): Promise<void> {
    await super.makeDue()
    const dueAt = new Date(0)
    await this.app.store.across((db) =>
      db.updateTable('alertDelivery').set({ dueAt }).where('dueAt', 'is not', null).execute(),
    )
  }

  /** All rows of the store that may hold a secret, and the log. */
  async everythingStored(): Promise<string> {
    const rows = await this.app.store.across(async (db) => [
      await db.selectFrom('alertChannel').selectAll().execute(),
      await db.selectFrom('alertDelivery').selectAll().execute(),
      await db.selectFrom('auditEvent').selectAll().execute(),
      await db.selectFrom('auditPersonal').selectAll().execute(),
    ])
    return JSON.stringify([rows, this.app.logLines])
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]()
    await this.slack[Symbol.asyncDispose]()
    await this.teams[Symbol.asyncDispose]()
  }
}

export const allAtOnce = { kinds: null, connectors: null, frequency: 'immediately', hour: 8 } as const
export const daily = { ...allAtOnce, frequency: 'daily' } as const
