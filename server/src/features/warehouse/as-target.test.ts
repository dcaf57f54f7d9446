/** The product's own warehouse, made by the server, before the suite of every target: written by its writer, looked into by its reader. */
import { postgresBench } from '@tributary/testing/engine/databases/postgres-bench.ts'
import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import type { TargetUnderTest } from '@tributary/testing/conformance/target/target-bench.ts'
import { testTarget } from '@tributary/testing/conformance/target/target-suite.ts'
import { Client } from 'pg'
import { warehouseKind } from '../../connections/connectors/connector-types.ts'
import { testApp } from '@tributary/testing/server/app/test-app.ts'
import { setReaderPassword } from '../../access/warehouse/warehouse-database.ts'
import { ensureWarehouse, warehouseTarget } from '../../access/warehouse/warehouse.ts'

const schema = 'own_shop'
const readerPassword = 'canary-reader-password'

testTarget('The warehouse as a target', async (): Promise<TargetUnderTest> => {
  const app = await testApp()
  const { row, writerPassword } = await ensureWarehouse(app.services, app.harbour.id)
  await setReaderPassword(app.services.warehouse, row, readerPassword)
  const { host, port } = app.services.warehouse
  const place = { host, port, database: row.databaseName }
  const reader = new Client({ ...place, user: row.readerName, password: readerPassword })
  const writer = new Client({ ...place, user: row.writerName, password: writerPassword })
  await Promise.all([reader.connect(), writer.connect()])
  await reader.query(`SET TimeZone = 'UTC'; SET extra_float_digits = 1`)
  const open: TargetUnderTest['open'] = async (signal) => {
    const { settings, network } = await warehouseTarget(app.services, app.harbour.id, schema)
    return warehouseKind.open(warehouseKind.parse(settings), { ...connectionContext(signal), network })
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
