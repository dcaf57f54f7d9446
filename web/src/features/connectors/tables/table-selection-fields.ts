/** The settings that a tree of tables writes: which tables are moved, and which of their columns are left out. */
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import { type FormField, sourceFields } from '../form/settings-form.ts'

/** Held by the form alone: `every` or `some`. */
export const tablesScope = 'tables.scope'

export function tablesFieldOf(type: ConnectorType): FormField | undefined {
  return sourceFields(type).find(({ key, field }) => key === 'tables' && field.Kind === 'list')
}

/** Undefined where a source moves whole tables only. */
export function leftOutFieldOf(type: ConnectorType): FormField | undefined {
  return sourceFields(type).find(({ key, field }) => key === 'leftOut' && field.Kind === 'list')
}

export function isTreeField({ key, field }: FormField): boolean {
  return field.Kind === 'list' && (key === 'tables' || key === 'leftOut')
}
