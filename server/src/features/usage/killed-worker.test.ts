import { randomBytes } from 'node:crypto'
import { connectors } from '@tributary/contract/connectors'
import { usage } from '@tributary/contract/usage'
import { startUniconta } from '@tributary/sims/uniconta/server'
import { tinySize } from '@tributary/testing/engine/apis/simulated-uniconta.ts'
import { RunDriver, until } from '@tributary/testing/server/connectors/run-driver.ts'
import { sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { spawnWorker } from '@tributary/testing/server/processes/spawn-worker.ts'
import { testApp } from '@tributary/testing/server/app/test-app.ts'
import { expect, inject, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { startWorker } from '../../worker.ts'

const options = { leaseMs: 2_000, pollMs: 200 }

test('[SRC-6] the calls of a worker that is killed stay counted, and the next one adds its calls to them', async () => {
  const uniconta = await startUniconta({ clock: systemClock, seed: 31, size: tinySize })
  const masterKey = randomBytes(32)
  const allowed = new URL(uniconta.url).host
  await using app = await testApp({
    keys: { current: masterKey, old: [] },
    env: { TRIBUTARY_LIMITS: 'off', TRIBUTARY_ALLOW_HOSTS: allowed },
  })
  const target = await sourceDatabase('SELECT 1')
  const driver = new RunDriver(app.as.admin, app.harbour.id, target)
  const properties = [
    { name: 'uniconta.username', value: uniconta.username },
    { name: 'uniconta.password', value: uniconta.password },
    { name: 'uniconta.address', value: uniconta.url },
    { name: 'target.connectionString', value: { connector: 'postgres', ...target.settings } },
    { name: 'target.schema', value: 'ledger' },
  ]
  const params = { clientId: app.harbour.id }
  const body = { type: 'uniconta', name: 'Ledger', properties }
  const connectorId = (await app.as.admin.call(connectors.create, { params, body })).body.Id
  const before = uniconta.requests.length
  const made = () => uniconta.requests.length - before
  const counted = async () =>
    (await app.as.admin.call(usage.read, { params: { ...params, connectorId } })).body.Today.Calls

  const { host, port } = inject('postgres')
  await using doomed = await spawnWorker({
    connection: app.connection,
    warehouse: app.services.warehouse,
    masterKey: masterKey.toString('base64'),
    allowHosts: [`${host}:${port}`, allowed],
    options,
  })
  // The source never answers this call, so the run is still under way when its worker is killed.
  uniconta.injectFaults({ kind: 'hang', at: 'CreditorClient' })
  const run = await driver.start(connectorId)
  await until(counted, (calls) => calls === made() && uniconta.requests.some(({ status }) => status === 0))
  await doomed.kill('SIGKILL')
  const kept = await counted()
  // Only what the worker has sent since the store was read last.
  const lost = made() - kept
  expect(lost).toBeLessThanOrEqual(8)

  const worker = await startWorker({ ...app.services, clock: systemClock }, options)
  expect((await driver.until(run, ({ Status }) => Status === 'COMPLETED')).Status).toBe('COMPLETED')
  await worker.stop()
  expect(made()).toBeGreaterThan(kept + lost)
  expect(await counted()).toBe(made() - lost)
  await uniconta.close()
})
