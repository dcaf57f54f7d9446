/** What the tables and columns of Xero mean, in our words, from Xero's public documentation of its Accounting API. */
import type { SourceDictionary } from '../../http/dictionary.ts'
import { bookTables } from './books.ts'
import { xeroColumns, xeroReferences } from './columns.ts'
import { companyTables } from './company.ts'
import { documentTables } from './documents.ts'

export const xeroDictionary: SourceDictionary = {
  title: 'Xero',
  tables: { ...companyTables, ...documentTables, ...bookTables },
  columns: xeroColumns,
  references: xeroReferences,
}
