/** What a person enters for Cin7 Core, and what Tributary makes of it. */
import { Fault } from '../../faults.ts'
import type { Properties } from '../../source.ts'
import type { SettingsSection } from '../../settings.ts'

export interface Cin7Settings {
  readonly accountId: string
  readonly applicationKey: string
  readonly base: URL
}

export const standardAddress = 'https://inventory.dearsystems.com/ExternalApi/v2/'

export const cin7Section: SettingsSection = {
  property: 'cin7',
  shape: 'plain',
  title: 'Cin7 Core',
  help: 'In Cin7 Core, open Integrations → API and create an API application for Tributary alone: calls are counted for each application.',
  fields: [
    { key: 'cin7.accountId', label: 'Account Id', kind: 'text', required: true, bindsSecret: true },
    { key: 'cin7.applicationKey', label: 'Application Key', kind: 'secret', required: true },
    {
      key: 'cin7.address',
      label: 'Address',
      kind: 'text',
      required: false,
      bindsSecret: true,
      hidden: true,
      placeholder: standardAddress,
      help: 'Only where Cin7 Core is reached at another address than its own.',
    },
  ],
}

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const loopback = new Set(['127.0.0.1', '[::1]', 'localhost'])

export function parseCin7(properties: Properties): Cin7Settings {
  return {
    accountId: guidOf(properties, 'cin7.accountId', 'Account Id'),
    applicationKey: guidOf(properties, 'cin7.applicationKey', 'Application Key'),
    base: baseOf(properties['cin7.address']),
  }
}

function guidOf(properties: Properties, field: string, label: string): string {
  const value = properties[field]
  const given = typeof value === 'string' ? value.trim() : ''
  if (given === '')
    throw new Fault('settings', {
      code: 'cin7.missing',
      field,
      notice: `Enter the ${label} that Cin7 Core shows under Integrations → API.`,
    })
  if (guid.test(given)) return given.toLowerCase()
  throw new Fault('settings', {
    code: 'cin7.omni_credentials',
    field,
    notice:
      `The ${label} has another form than Cin7 Core gives: these look like Cin7 Omni credentials. ` +
      'Tributary reads Cin7 Core; enter what Cin7 Core shows under Integrations → API.',
  })
}

/** The key travels with every call, so it leaves the machine only encrypted. */
function baseOf(address: unknown): URL {
  if (address === undefined || address === null || address === '') return new URL(standardAddress)
  const base = typeof address === 'string' ? URL.parse(address.trim()) : null
  if (base === null || !isSafe(base) || base.username !== '' || base.search !== '') {
    throw new Fault('settings', {
      code: 'cin7.address',
      field: 'cin7.address',
      notice: `The address must begin with https:// and hold nothing after the path, like ${standardAddress}.`,
    })
  }
  if (!base.pathname.endsWith('/')) base.pathname += '/'
  return base
}

function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname))
}
