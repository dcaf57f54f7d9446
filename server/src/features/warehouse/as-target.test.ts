/** The product's own warehouse, made by the server, before the suite of every target: written by its writer, looked into by its reader. */
import { postgresBench } from '@tributary/engine/testing/postgres-bench'
import { surroundings } from '@tributary/engine/testing/surroundings'
import type { TargetUnderTest } from '@tributary/engine/testing/target-bench'
import { testTarget } from '@tributary/engine/testing/target-suite'
import { Client } from 'pg'
import { warehouseKind } from '../../platform/connector-kinds.ts'
import { testApp } from '../../platform/testing/test-app.ts'
import { setReaderPassword } from './database.ts'
import { ensureWarehouse, warehouseTarget } from './warehouse.ts'

const schema = 'own_shop'
const readerPassword = 'canary-reader-password'

testTarget('The warehouse as a target', async (): Promise<TargetUnderTest> => {
  const app = await testApp()
  const { row, writerPassword } = await ensureWarehouse(app.parts, app.harbour.id)
  await setReaderPassword(app.parts.warehouse, row, readerPassword)
  const { host, port } = app.parts.warehouse
  const place = { host, port, database: row.databaseName }
  const reader = new Client({ ...place, user: row.readerName, password: readerPassword })
  const writer = new Client({ ...place, user: row.writerName, password: writerPassword })
  await Promise.all([reader.connect(), writer.connect()])
  await reader.query(`SET TimeZone = 'UTC'; SET extra_float_digits = 1`)
  const open: TargetUnderTest['open'] = async (signal) => {
    const { settings, network } = await warehouseTarget(app.parts, app.harbour.id, schema)
    return warehouseKind.open(warehouseKind.parse(settings), { ...surroundings(signal), network })
  }
  const bench = postgresBench({ client: reader, schema, open, secrets: [writerPassword, readerPassword] })
  return {
    ...bench,
    drop: async (table) => void (await writer.query(`DROP TABLE ${await bench.find(table)}`)),
    async [Symbol.asyncDispose]() {
      await Promise.all([reader.end(), writer.end()])
      await app[Symbol.asyncDispose]()
    },
  }
})
