/** Validates the base address of an API, which an administrator may override. */
import { Fault } from '../../ports/faults.ts'

const loopback = new Set(['127.0.0.1', '[::1]', 'localhost'])

/**
 * Returns the base URL, with a trailing slash. Plain HTTP is allowed only on loopback, because credentials travel
 * with every call.
 * Throws a `settings` Fault that names the field.
 * @param field the setting that holds the address; also the fault's code
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
