import type { AuditLogEvent } from '@tributary/contract/audit-log'

export interface ChangedField {
  readonly name: string
  readonly before: string
  readonly after: string
}

const stateNames = ['before', 'after']

/** The fields of the state before and after a change. A state that is a single value counts as one field. */
export function listChangedFields({ Detail }: AuditLogEvent): readonly ChangedField[] {
  const [before, after] = stateNames.map((state) => fieldsOf(Detail[state]))
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names.map((name) => ({ name, before: formatValue(before?.[name]), after: formatValue(after?.[name]) }))
}

export function listOtherDetails({ Detail }: AuditLogEvent): readonly { label: string; value: string }[] {
  return Object.entries(Detail)
    .filter(([name]) => !stateNames.includes(name))
    .map(([name, value]) => ({ label: name, value: formatValue(value) }))
}

function fieldsOf(state: unknown): Readonly<Record<string, unknown>> {
  if (state === undefined) return {}
  return typeof state === 'object' && state !== null && !Array.isArray(state)
    ? (state as Readonly<Record<string, unknown>>)
    : { value: state }
}

function formatValue(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–'
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(formatValue).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
