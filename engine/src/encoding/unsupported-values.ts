/** Values that PostgreSQL knows and other databases do not: NaN, infinity, days before the year 1 or after 9999. */
import type { LogicalType } from '../ports/model.ts'
import type { ConnectorSettingsField } from '../ports/settings.ts'

/** What becomes of a row that has one: it goes aside with its reason, or it is stored without the value, and that is counted. */
export type UnknownValues = 'reject' | 'null'

export const unknownValuesField: ConnectorSettingsField = {
  key: 'unknownValues',
  label: 'Values that the target lacks',
  kind: 'choice',
  required: false,
  initial: 'reject',
  choices: [
    { value: 'reject', label: 'Reject the row and say why' },
    { value: 'null', label: 'Store the row without the value, and count it' },
  ],
  help: 'NaN, infinity and dates before the year 1 or after 9999, which only PostgreSQL has.',
}

/** @param section the settings of the target, as stored */
export function parseUnknownValues(section: unknown): UnknownValues {
  return (section as { readonly unknownValues?: unknown } | null | undefined)?.unknownValues === 'null'
    ? 'null'
    : 'reject'
}

const noDate = /^-?infinity$| BC$|^\d{5,}-/
const noNumber = /^(?:NaN|-?Infinity)$/
const unknown: { readonly [kind in LogicalType['kind']]?: RegExp } = {
  date: noDate,
  localTimestamp: noDate,
  instant: noDate,
  double: noNumber,
  decimal: noNumber,
}

/** Whether this canonical text is a value that only PostgreSQL has. */
export function isUnknown(value: string | null, { kind }: LogicalType): boolean {
  return value !== null && unknown[kind]?.test(value) === true
}

export function unknownReason(value: string): string {
  return `The target has no value for ‘${value}’. Correct it in the source, or let such rows be stored without the value (‘${unknownValuesField.label}’ in the settings of the target).`
}

export function nulledWords(count: number): string {
  const values = count === 1 ? 'one value was' : `${count} values were`
  return `${values} left empty, for the target does not know them (NaN, infinity, years before 1 or after 9999).`
}
