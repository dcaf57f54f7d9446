/** What is the same in every database that can undo DDL: tables are changed, and replaced, in a transaction. */
import type { SqlDialect } from './dialect.ts'
import { shadowTableName } from './shadow-name.ts'

export const transactionalDdl = {
  whileNaming: (_session, work) => work(),
  beforeDdl: async () => {},
  discardRefresh: async () => {},
  shadowName: (table, { fence }) => shadowTableName(table, fence),
} satisfies Partial<SqlDialect>
