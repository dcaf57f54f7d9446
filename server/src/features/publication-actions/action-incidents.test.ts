/** How failures of actions are reported, and that workers that are stopped repeat nothing. */
import { randomBytes } from 'node:crypto'
import { alertChannels } from '@tributary/contract/alert-channels'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'
import { spawnWorker } from '@tributary/testing/server/processes/spawn-worker.ts'
import { type ActionRig, openActionRig } from '@tributary/testing/server/publishing/action-rig.ts'
import { dbtStatus } from '@tributary/testing/server/publishing/simulated-dbt.ts'

const masterKey = randomBytes(32)
let rig: ActionRig
beforeAll(async () => {
  rig = await openActionRig({ current: masterKey, old: [] })
})
afterAll(() => rig[Symbol.asyncDispose]())
beforeEach(async () => {
  await rig.begin()
  await rig.app.store.across((db) => db.deleteFrom('alertChannel').execute())
})

const subjects = async () => (await rig.app.emailsTo('admin@demo.example')).map(({ subject }) => subject)

async function runJob(status: number): Promise<void> {
  await rig.publish()
  await rig.work()
  Object.assign(rig.dbt.runs.at(-1) ?? {}, { status })
  await rig.workLater()
}

const addChannel = (frequency: 'immediately' | 'daily', connectors: string[] | null = null) =>
  rig.app.as.admin.call(alertChannels.create, {
    params: rig.clientId,
    body: { service: 'webhook', name: 'Ops', address: rig.receiver.url, kinds: null, connectors, frequency, hour: 8 },
  })

const messages = () => rig.receiver.received.map(({ body }) => JSON.parse(body) as object)

test('[TRUST-13] a failure is an incident for the administrators, once, and is reported again when it works', async () => {
  await rig.add(rig.dbtInput)
  await runJob(dbtStatus.error)
  await runJob(dbtStatus.error)
  const failure = 'Nightly models did not follow the publication'
  expect(await subjects()).toEqual([failure])
  expect(await rig.app.emailsTo('user@demo.example')).toEqual([])
  await runJob(dbtStatus.success)
  expect(await subjects()).toEqual([failure, 'Nightly models works again'])
  await runJob(dbtStatus.error)
  expect(await subjects()).toHaveLength(3)
})

test('[TRUST-13] a failure reaches channels that are not limited to connectors, as an action', async () => {
  await addChannel('immediately')
  await addChannel('immediately', [rig.connectorId])
  const { id } = await rig.add(rig.dbtInput)
  await runJob(dbtStatus.error)
  await rig.sendAlerts()
  await runJob(dbtStatus.success)
  await rig.sendAlerts()
  const about = { Action: { Id: id, Name: 'Nightly models', Kind: 'dbt' } }
  expect(messages()).toMatchObject([
    { ...about, Event: 'opened', Incident: { Kind: 'afterPublishing', ClosedAtUtc: null } },
    { ...about, Event: 'recovered', Incident: { ClosedAtUtc: expect.any(String) } },
  ])
})

test('[TRUST-13] a failure is in the daily digest, too', async () => {
  await addChannel('daily')
  const { id } = await rig.add(rig.dbtInput)
  await runJob(dbtStatus.error)
  const createdAt = new Date(Date.now() - 25 * 3_600_000)
  await rig.app.store.across((db) => db.updateTable('alert').set({ createdAt }).where('sentAt', 'is', null).execute())
  await rig.sendAlerts()
  expect(messages()).toMatchObject([{ Event: 'digest', Alerts: [{ Event: 'opened', Action: { Id: id } }] }])
})

test('[TRUST-13] an action that is switched off or removed ends its incident without a message', async () => {
  const { id } = await rig.add(rig.dbtInput)
  await runJob(dbtStatus.error)
  const openIncidents = () =>
    rig.app.store.across((db) =>
      db.selectFrom('incident').select('id').where('actionId', '=', id).where('closedAt', 'is', null).execute(),
    )
  expect(await openIncidents()).toHaveLength(1)
  await rig.app.store.across((db) => db.updateTable('publicationAction').set({ isOn: false }).execute())
  await rig.work()
  expect([await openIncidents(), (await subjects()).length]).toEqual([[], 1])
})

test('[TRUST-13] a worker that is killed while a refresh is under way is replaced by another, which reports its result', async () => {
  const { host, port } = inject('postgres')
  const services = [rig.powerBi.origin, rig.dbt.origin].map((url) => new URL(url).host)
  const startWorker = () =>
    spawnWorker({
      connection: rig.app.connection,
      warehouse: rig.app.services.warehouse,
      masterKey: masterKey.toString('base64'),
      env: { TRIBUTARY_POWERBI_TOKEN_URL: rig.powerBi.origin, TRIBUTARY_POWERBI_API_URL: rig.powerBi.origin },
      allowHosts: [`${host}:${port}`, ...services],
      options: { pollMs: 100 },
    })
  const { id } = await rig.add(rig.powerBiInput)
  await using workers = new AsyncDisposableStack()
  const first = workers.use(await startWorker())
  await rig.publish()
  await until(
    () => rig.runs(id),
    ([run]) => run?.Status === 'RUNNING',
  )
  await first.kill('SIGKILL')
  workers.use(await startWorker())
  rig.powerBi.endRefresh('Completed')
  await rig.makeDue()
  await until(
    () => rig.runs(id),
    ([run]) => run?.Status === 'COMPLETED',
  )
  expect(rig.powerBi.refreshes).toHaveLength(1)
})
