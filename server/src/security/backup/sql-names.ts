/** Quotes names of tables and columns for SQL. */
import { escapeIdentifier } from 'pg'
import type { StoredTable } from './manifest.ts'

export const quote = (name: string): string => escapeIdentifier(name)

export function columnList({ columns }: StoredTable): string {
  return columns.map(quote).join(', ')
}
