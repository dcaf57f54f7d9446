/** A shop whose tables keep history in the warehouse, with a worker that runs its connector. */
import { history } from '@tributary/contract/history'
import { systemClock } from '../../../server/src/kernel/clock.ts'
import { startWorker } from '../../../server/src/worker.ts'
import { testApp, type TestApp } from '../app/test-app.ts'
import { applyChanges } from '../access/warehouse-login.ts'
import { RunDriver } from './run-driver.ts'
import { type SourceDatabase, sourceDatabase } from './source-database.ts'

export interface HistoryRig extends AsyncDisposable {
  readonly app: TestApp
  readonly source: SourceDatabase
  readonly driver: RunDriver
  readonly connectorId: string
  readonly params: { readonly clientId: string; readonly connectorId: string }
  /** Runs the connector to its end and lets the people read who may. Returns the run's id. */
  run(): Promise<string>
  /** Stops the worker, so that nothing happens that the test does not do. */
  stop(): Promise<void>
  /** The cut-offs of the runs, the oldest first. */
  cutOffs(): Promise<readonly string[]>
}

/** The connector has not run yet, and its schema is called `shop`. */
export async function historyRig(options?: Parameters<typeof testApp>[0]): Promise<HistoryRig> {
  const app = await testApp(options)
  const source = await sourceDatabase(`
    CREATE TABLE customer (id int PRIMARY KEY, name text, city text);
    INSERT INTO customer VALUES (1, 'Ada', 'Leeds'), (2, 'Bob', 'York');
    CREATE TABLE note (words text);
    INSERT INTO note VALUES ('first')`)
  const driver = new RunDriver(app.as.admin, app.harbour.id, source)
  const worker = await startWorker({ ...app.services, clock: systemClock }, { leaseMs: 5_000, pollMs: 300 })
  const connectorId = await driver.add('Shop')
  return {
    app,
    source,
    driver,
    connectorId,
    params: { clientId: app.harbour.id, connectorId },
    async run() {
      const run = await driver.runToEnd(connectorId)
      if (run.Status !== 'COMPLETED') throw new Error(`The run ended as ${run.Status}: ${JSON.stringify(run.Card)}`)
      await applyChanges(app)
      return run.Id
    },
    stop: () => worker.stop(),
    async cutOffs() {
      const rows = await driver.inWarehouse<{ at: string }>(
        'SELECT cut_off AS at FROM shop.tributary_cut_off ORDER BY 1',
      )
      return rows.map(({ at }) => at)
    },
    async [Symbol.asyncDispose]() {
      await worker.stop()
      await app[Symbol.asyncDispose]()
    },
  }
}

/** Keeps history of all tables from the first run on, then changes a customer and runs again. */
export async function runWithHistory(rig: HistoryRig): Promise<void> {
  await rig.app.as.admin.call(history.save, { params: rig.params, body: { tables: 'all' } })
  await rig.run()
  await rig.source.query(`UPDATE customer SET city = 'Hull' WHERE id = 1; DELETE FROM customer WHERE id = 2;
    INSERT INTO customer VALUES (3, 'Cem', 'Bath'); INSERT INTO note VALUES ('second')`)
  await rig.run()
}
