/** Incidents in a store with many connectors. */
import { type LargeStore, openLargeStore } from '@tributary/testing/server/connectors/large-store.ts'
import { countRowsRead } from '@tributary/testing/server/app/rows-read.ts'
import type { TestApp } from '@tributary/testing/server/app/test-app.ts'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { IncidentWatch } from './open-and-close-incidents.ts'

/** So many that polls check them in slices. */
const connectors = 12_000
const slicesMax = 3

let store: LargeStore
let app: TestApp
let superuser: Client
beforeAll(async () => {
  store = await openLargeStore({ connectors, organisations: 100 })
  ;({ app, superuser } = store)
  // Before the time that counts as a change. Their incidents were closed before they failed.
  await superuser.query(`UPDATE run SET queued_at = queued_at - interval '1 hour', completed_at = completed_at - interval '1 hour';
    DELETE FROM incident`)
  await superuser.query('VACUUM (ANALYZE)')
  // As on a solid-state disk. By default a slice of a table this small is read by a scan of all of it, which one of a large table is not.
  await superuser.query(`ALTER DATABASE "${app.connection.database}" SET random_page_cost = 1.1`)
}, 120_000)
afterAll(() => store[Symbol.asyncDispose]())

async function count(statement: string): Promise<number> {
  const { rows } = await superuser.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${statement}`)
  return rows[0]?.count ?? 0
}

test('[SCALE-4] a poll for incidents reads the connectors that may have changed, and a slice of all; the polls of all slices find every failure', async () => {
  const watch = new IncidentWatch()
  await superuser.query(
    `UPDATE run SET completed_at = now() WHERE status = 'FAILED' AND connector_id = (SELECT max(connector_id::text)::uuid FROM run JOIN organisation ON organisation.id = run.organisation_id WHERE status = 'FAILED' AND archived_at IS NULL)`,
  )
  const read = await countRowsRead(app, (store) => watch.poll({ ...app.services, store }))
  expect(read.get('connector')).toBeLessThan(connectors / 2)
  expect(read.get('run')).toBeLessThan(connectors / 2)
  // Its id is the last one, so that it is in the slice that is checked last.
  expect(
    await count(`incident JOIN run ON run.id = incident.run_id WHERE completed_at > now() - interval '1 minute'`),
  ).toBe(1)
  for (let poll = 1; poll < slicesMax; poll += 1) await watch.poll(app.services)
  const failed = `run JOIN organisation ON organisation.id = run.organisation_id WHERE status = 'FAILED' AND archived_at IS NULL`
  expect(await count('incident WHERE closed_at IS NULL')).toBe(await count(failed))
}, 120_000)
