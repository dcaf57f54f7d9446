/** Iceberg as a target, as data. */
import type { TargetFacts } from '../../../ports/target.ts'
import { fitName, fitNames } from '../../sql-target/names.ts'
import { columnType } from '../format/column-types.ts'

export const facts: TargetFacts = {
  kind: 'iceberg',
  identifierMax: { count: 120, unit: 'characters' },
  columnsMax: 5_000,
  storesTablesOnly: true,
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  columnType,
  takesBinary: () => false,
}

/** Lower-case letters, digits and underscores: Glue, Hive and Unity Catalog accept no other names of tables. */
export function tableName(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9_]+/u)
  const plain = words.filter((word) => word !== '').join('_')
  return fitName(plain === '' ? 'unnamed' : plain, facts.identifierMax)
}

/** Columns keep their names. Readers ignore the case, so names that differ only in it become distinct. */
export function columnNames(columns: readonly { readonly name: string }[]): ReadonlyMap<string, string> {
  return fitNames(
    columns.map(({ name }) => name),
    facts.identifierMax,
  )
}
