/** A worker process for the store and the warehouses of an app. */
import { inject } from 'vitest'
import type { TestApp } from '../app/test-app.ts'
import { type SpawnedWorker, spawnWorker } from './spawn-worker.ts'

/** It loses a run soon after it is killed. */
export function spawnWorkerOf(app: TestApp, masterKey: Buffer): Promise<SpawnedWorker> {
  const { host, port } = inject('postgres')
  return spawnWorker({
    connection: app.connection,
    warehouse: app.services.warehouse,
    masterKey: masterKey.toString('base64'),
    allowHosts: [`${host}:${port}`],
    options: { leaseMs: 8_000, pollMs: 300 },
  })
}
