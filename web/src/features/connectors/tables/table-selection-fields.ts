/** The settings that the table tree writes: the tables to move, and the columns to leave out. */
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import { type ConnectorFormField, sourceFields } from '../form/settings-form.ts'

/** Form-only field: `every` or `some`. */
export const tablesScope = 'tables.scope'

export function findTablesField(type: ConnectorType): ConnectorFormField | undefined {
  return sourceFields(type).find(({ key, field }) => key === 'tables' && field.Kind === 'list')
}

/** Undefined if the source can only move whole tables. */
export function findLeftOutField(type: ConnectorType): ConnectorFormField | undefined {
  return sourceFields(type).find(({ key, field }) => key === 'leftOut' && field.Kind === 'list')
}

export function isTreeField({ key, field }: ConnectorFormField): boolean {
  return field.Kind === 'list' && (key === 'tables' || key === 'leftOut')
}
