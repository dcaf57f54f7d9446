/** The calls of a connector in a store with many connectors. */
import { type LargeStore, openLargeStore } from '@tributary/testing/server/connectors/large-store.ts'
import { countRowsRead } from '@tributary/testing/server/app/rows-read.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readFigures, readTodayEverywhere } from './read-usage.ts'

const organisations = 1_000
const connectors = 10_000
/** Of 2,500 connectors with calls today; four of them share the key. */
const readMax = 100

let large: LargeStore
let connector: { readonly organisationId: string; readonly connectorId: string }
beforeAll(async () => {
  large = await openLargeStore({ connectors, organisations })
  const { superuser } = large
  await superuser.query(
    `UPDATE daily_calls SET limit_key = 'key-' || place / 4
     FROM (SELECT connector_id AS id, row_number() OVER (ORDER BY connector_id) - 1 AS place FROM daily_calls) AS placed WHERE id = connector_id`,
  )
  await superuser.query('VACUUM (ANALYZE) daily_calls, connector, organisation')
  const { rows } = await superuser.query<typeof connector>(
    `SELECT organisation_id AS "organisationId", connector_id AS "connectorId" FROM daily_calls WHERE limit_key = 'key-7' LIMIT 1`,
  )
  if (rows[0] === undefined) throw new Error('No connector has calls.')
  connector = rows[0]
}, 120_000)
afterAll(() => large[Symbol.asyncDispose]())

test('[SCALE-4] the calls of a connector are read by the indexes of connectors and keys, not with those of all others', async () => {
  let shown: unknown
  const read = await countRowsRead(large.app, (store) =>
    store.across(async (db) => {
      await readFigures(db, connector, { type: 'xero', days: 30 })
      shown = await readTodayEverywhere(db, connector.connectorId, { type: 'xero', showsConnectors: true })
    }),
  )
  expect(shown).toMatchObject({ connectors: { length: 4 } })
  for (const table of ['daily_calls', 'connector', 'organisation'])
    expect([table, read.get(table)]).toEqual([table, expect.toSatisfy((rows: number) => rows < readMax)])
})
