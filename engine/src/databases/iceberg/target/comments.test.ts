import { commentCases } from '@tributary/testing/conformance/target/comment-cases.ts'
import { LakeUnderTest } from '@tributary/testing/engine/iceberg/lake-under-test.ts'
import type { LoadedTable } from '../catalog/catalog.ts'
import { schemaOf } from '../table/snapshot-writer.ts'
import { tableName } from './facts.ts'

commentCases(async () => {
  const lake = await LakeUnderTest.make()
  const identify = (name: string) => ({ namespace: ['sales'], name: tableName(name) })
  const find = async (name: string): Promise<LoadedTable> => {
    const table = await lake.catalog.loadTable(identify(name))
    if (table === null) throw new Error(`There is no table ${name}.`)
    return table
  }
  return {
    longest: 255,
    open: (signal) => lake.open(signal),
    rows: (table) => lake.rows(table),
    report: async () => [],
    drop: (table) => lake.drop(table),
    secrets: [],
    async comments(name) {
      const { metadata } = await find(name)
      const about = metadata.properties?.['comment'] ?? ''
      const columns = schemaOf(metadata).fields.map((field) => [field.name, field.doc ?? ''])
      return Object.fromEntries([['', about], ...columns].filter(([, text]) => text !== ''))
    },
    async comment(name, column, text) {
      const { metadata } = await find(name)
      const before = schemaOf(metadata)
      const fields = before.fields.map((field) => (field.name === column ? { ...field, doc: text } : field))
      await lake.catalog.commitTable({
        identifier: identify(name),
        requirements: [],
        updates:
          column === ''
            ? [{ action: 'set-properties', updates: { comment: text } }]
            : [
                { action: 'add-schema', schema: { ...before, fields } },
                { action: 'set-current-schema', 'schema-id': -1 },
              ],
      })
    },
    [Symbol.asyncDispose]: () => lake[Symbol.asyncDispose](),
  }
})
