/** Settings that several APIs have: the base address, which an administrator may override, and the rate limit. */
import { Fault } from '../../ports/faults.ts'
import type { ConnectorSettingsField } from '../../ports/settings.ts'
import type { ConnectorProperties } from '../../ports/source.ts'

/** An API and the values of its settings that are empty. */
export interface ApiDefaults {
  readonly title: string
  /** Prefix of its properties and fault codes: `cin7`. */
  readonly code: string
  readonly address: string
}

export interface PacedApi extends ApiDefaults {
  readonly callsPerMinute: number
}

export function addressField({ title, code, address }: ApiDefaults): ConnectorSettingsField {
  return {
    key: `${code}.address`,
    label: 'Address',
    kind: 'text',
    required: false,
    bindsSecret: true,
    hidden: true,
    placeholder: address,
    help: `Only if ${title} is reached at an address other than its own.`,
  }
}

const loopback = new Set(['127.0.0.1', '[::1]', 'localhost'])

/**
 * Returns the base URL, with a trailing slash. Plain HTTP is allowed only on loopback, because credentials travel
 * with every call.
 * Throws a `settings` Fault that names the field.
 */
export function baseAddress(
  properties: ConnectorProperties,
  { code, address: standard }: Pick<ApiDefaults, 'code' | 'address'>,
): URL {
  const field = `${code}.address`
  const address = properties[field]
  if (isEmpty(address)) return new URL(standard)
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

const callsMax = 6_000

/** @param whose limit may differ from the usual one: `this application` */
export function callsPerMinuteField(
  { title, code, callsPerMinute: standard }: PacedApi,
  whose: string,
): ConnectorSettingsField {
  return {
    key: `${code}.callsPerMinute`,
    label: 'Calls a minute',
    kind: 'number',
    required: false,
    hidden: true,
    placeholder: String(standard),
    help: `Only if ${title} allows ${whose} a number of calls other than the usual 60.`,
  }
}

/** Throws a `settings` Fault for anything but a whole number. */
export function callsPerMinute(
  properties: ConnectorProperties,
  { title, code, callsPerMinute: standard }: PacedApi,
): number {
  const field = `${code}.callsPerMinute`
  const value = properties[field]
  if (isEmpty(value)) return standard
  const calls = Number(value)
  if (Number.isInteger(calls) && calls >= 1 && calls <= callsMax) return calls
  throw new Fault('settings', {
    code: `${code}.calls`,
    field,
    notice: `Calls a minute must be a whole number from 1 to ${callsMax}. Leave it empty for ${title}’s usual limit.`,
  })
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}
