/** Validates the setting for an API's rate limit, for accounts whose limit differs from the usual one. */
import { Fault } from '../../ports/faults.ts'

const callsMax = 6_000

/**
 * Throws a `settings` Fault for anything but a whole number.
 * @param standard the limit if the setting is empty
 */
export function callsPerMinute(
  value: unknown,
  { code, title, standard }: { readonly code: string; readonly title: string; readonly standard: number },
): number {
  if (value === undefined || value === null || value === '') return standard
  const calls = Number(value)
  if (Number.isInteger(calls) && calls >= 1 && calls <= callsMax) return calls
  throw new Fault('settings', {
    code: `${code}.calls`,
    field: `${code}.callsPerMinute`,
    notice: `Calls a minute must be a whole number from 1 to ${callsMax}. Leave it empty for ${title}’s usual limit.`,
  })
}
