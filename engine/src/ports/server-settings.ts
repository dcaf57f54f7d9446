/** Settings that the database servers have in common, for source and target. */
import type * as z from 'zod'
import { Fault } from './faults.ts'
import type { ConnectorSettingsField } from './settings.ts'

export const hostField: ConnectorSettingsField = {
  key: 'host',
  label: 'Host',
  kind: 'text',
  required: true,
  placeholder: 'db.example.com',
  bindsSecret: true,
}
export const databaseField: ConnectorSettingsField = {
  key: 'database',
  label: 'Database',
  kind: 'text',
  required: true,
}
export const passwordField: ConnectorSettingsField = {
  key: 'password',
  label: 'Password',
  kind: 'secret',
  required: true,
}

interface SettingsProperty {
  /** `source.connectionString` */
  readonly property: string
  /** What the property holds. */
  readonly fields: readonly ConnectorSettingsField[]
  /** The code of the fault. */
  readonly code: string
}

/** Throws a `settings` Fault that names the field. */
export function parseFields<T>(schema: z.ZodType<T>, value: unknown, { property, fields, code }: SettingsProperty): T {
  const parsed = schema.safeParse(dropEmpty(value))
  if (parsed.success) return parsed.data
  const key = String(parsed.error.issues[0]?.path[0] ?? '')
  const label = fields.find((field) => field.key === key)?.label ?? 'The connection'
  throw new Fault('settings', {
    code,
    notice: `${label} is missing or not right (${property}${key === '' ? '' : `, ${key}`}). Fill it in and save again.`,
    field: `${property}.${key}`,
  })
}

/** A form sends an empty field as empty text; that is the same as an absent one. */
function dropEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== '' && field !== null))
}
