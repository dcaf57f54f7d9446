/** The address of an API, where somebody may name another than its own. */
import { Fault } from '../../ports/faults.ts'

const loopback = new Set(['127.0.0.1', '[::1]', 'localhost'])

/**
 * Ends with a slash. Credentials travel with every call, so they leave the machine only encrypted; else a `settings` Fault names the field.
 * @param field the setting that holds the address; its name is also the fault's code
 */
export function baseAddress(
  address: unknown,
  { field, standard }: { readonly field: string; readonly standard: string },
): URL {
  if (address === undefined || address === null || address === '') return new URL(standard)
  const base = typeof address === 'string' ? URL.parse(address.trim()) : null
  if (base === null || !isSafe(base) || base.username !== '' || base.search !== '')
    throw new Fault('settings', {
      code: field,
      field,
      notice: `The address must begin with https:// and hold nothing after the path, like ${standard}.`,
    })
  if (!base.pathname.endsWith('/')) base.pathname += '/'
  return base
}

function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname))
}
