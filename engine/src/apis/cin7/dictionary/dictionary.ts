/** What the tables and columns of Cin7 Core mean, in our words, from the public reference of its API. */
import type { SourceDictionary } from '../../http/dictionary.ts'
import { cin7Columns, cin7References } from './columns.ts'
import { ledgerTables } from './ledger.ts'
import { operationTables } from './operations.ts'
import { masterTables } from './products.ts'
import { relationTables } from './relations.ts'
import { tradeDocumentTables } from './trade.ts'

export const cin7Dictionary: SourceDictionary = {
  title: 'Cin7 Core',
  tables: { ...masterTables, ...tradeDocumentTables, ...relationTables, ...operationTables, ...ledgerTables },
  columns: cin7Columns,
  references: cin7References,
}
