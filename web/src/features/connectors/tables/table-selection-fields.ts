/** The settings that the table tree writes: the tables to move, and the columns to leave out. */
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import { type ConnectorFormField, sourceFields } from '../form/settings-form.ts'

/** Form-only field: `every` or `some`. */
export const tablesScope = 'tables.scope'

export function findTablesField(type: ConnectorType): ConnectorFormField | undefined {
  return findTreeField(type, 'tables')
}

/** Undefined if the source can only move whole tables. */
export function findLeftOutField(type: ConnectorType): ConnectorFormField | undefined {
  return findTreeField(type, 'leftOut')
}

function findTreeField(type: ConnectorType, key: string): ConnectorFormField | undefined {
  return sourceFields(type).find((field) => field.key === key && isTreeField(field))
}

export function isTreeField({ key, field }: ConnectorFormField): boolean {
  return field.Kind === 'list' && (key === 'tables' || key === 'leftOut')
}
