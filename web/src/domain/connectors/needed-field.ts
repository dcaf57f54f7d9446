import type { SettingsField } from '@tributary/contract/connector-catalogue'
import type { FormValues } from '../../ui/forms/use-form.ts'

/**
 * Whether the other fields of its section need this field.
 * @param path name of the field in the form: that of its section, then its key
 */
export function isFieldNeeded(
  { Key, ShownFor, HiddenFor = [] }: SettingsField,
  path: string,
  values: FormValues,
): boolean {
  const section = path.slice(0, path.length - Key.length)
  const isSet = (other: { Key: string; Value: string }) => values[section + other.Key] === other.Value
  return (ShownFor?.some(isSet) ?? true) && !HiddenFor.some(isSet)
}
