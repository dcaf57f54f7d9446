/** The primitive types of OData for the types of columns. */
import { logicalType } from '@tributary/engine/databases/postgres/types'
import type { ColumnModel, ValueKind } from '../../../access/query/table-model.ts'

export interface EdmType {
  readonly name: string
  /** In the order in which CSDL lists them. `variable`: as many digits after the point as a value has. */
  readonly facets: Readonly<Partial<Record<'MaxLength' | 'Precision' | 'Scale', number | 'variable'>>>
}

const integerNames: Readonly<Record<string, string>> = { smallint: 'Edm.Int16', integer: 'Edm.Int32' }

const plainNames: Readonly<Record<Exclude<ValueKind, 'integer'>, string>> = {
  text: 'Edm.String',
  decimal: 'Edm.Decimal',
  double: 'Edm.Double',
  boolean: 'Edm.Boolean',
  date: 'Edm.Date',
  time: 'Edm.TimeOfDay',
  localTimestamp: 'Edm.DateTimeOffset',
  instant: 'Edm.DateTimeOffset',
  guid: 'Edm.Guid',
  json: 'Edm.String',
  bytes: 'Edm.Binary',
  other: 'Edm.String',
}

export function edmType({ kind, sqlType }: Pick<ColumnModel, 'kind' | 'sqlType'>): EdmType {
  const name = kind === 'integer' ? (integerNames[sqlType] ?? 'Edm.Int64') : plainNames[kind]
  return { name, facets: facetsOf(kind, sqlType) }
}

function facetsOf(kind: ValueKind, sqlType: string): EdmType['facets'] {
  const type = logicalType(sqlType)
  if (kind === 'text' && type?.kind === 'text' && type.maxLength !== undefined) return { MaxLength: type.maxLength }
  if (kind === 'decimal') return decimalFacets(type?.kind === 'decimal' ? type : {})
  return ['time', 'localTimestamp', 'instant'].includes(kind) ? { Precision: 6 } : {}
}

function decimalFacets({ precision, scale }: { readonly precision?: number; readonly scale?: number }) {
  return precision === undefined ? { Scale: 'variable' as const } : { Precision: precision, Scale: scale ?? 0 }
}
