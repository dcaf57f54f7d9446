/** How often an API may be called, where its operator allows another number of calls than its usual one. */
import { Fault } from '../../ports/faults.ts'

const callsMax = 6_000

/** @param standard what holds where nothing is given. Throws a `settings` Fault for anything but a whole number. */
export function callsPerMinute(
  given: unknown,
  { code, title, standard }: { readonly code: string; readonly title: string; readonly standard: number },
): number {
  if (given === undefined || given === null || given === '') return standard
  const calls = Number(given)
  if (Number.isInteger(calls) && calls >= 1 && calls <= callsMax) return calls
  throw new Fault('settings', {
    code: `${code}.calls`,
    field: `${code}.callsPerMinute`,
    notice: `Calls a minute must be a whole number from 1 to ${callsMax}. Leave it empty for ${title}’s usual limit.`,
  })
}
