/** The setting of a database source that names the tables to move. */
import type { SettingsField } from './settings.ts'

export const tablesField: SettingsField = {
  key: 'tables',
  label: 'Tables',
  kind: 'list',
  required: false,
  help: 'One a line. Leave it empty to move every table that the user may read.',
}

/** The names in `tables` of a section's value, given as a list or as text with one a line. */
export function tableList(section: unknown): readonly string[] {
  const value = (section as { readonly tables?: unknown } | null | undefined)?.tables
  const names = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(/[\n,]/u) : []
  return names.map((name) => name.trim()).filter((name) => name !== '')
}
