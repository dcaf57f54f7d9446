/** The settings of a Cin7 Core connection, and their validation. */
import { Fault } from '../../ports/faults.ts'
import { guidForm } from '../../encoding/guid.ts'
import { addressField, baseAddress, callsPerMinute, callsPerMinuteField } from '../http/api-settings.ts'
import type { ConnectorProperties } from '../../ports/source.ts'
import type { ConnectorSettingsSection } from '../../ports/settings.ts'

export interface Cin7Settings {
  readonly accountId: string
  readonly applicationKey: string
  readonly base: URL
  readonly callsPerMinute: number
}

const api = {
  title: 'Cin7 Core',
  code: 'cin7',
  address: 'https://inventory.dearsystems.com/ExternalApi/v2/',
  /** Cin7 Core allows 60 calls in any 60 seconds. The margin allows for clock differences and restarts. */
  callsPerMinute: 55,
}

export const cin7Section: ConnectorSettingsSection = {
  property: 'cin7',
  shape: 'plain',
  title: 'Cin7 Core',
  help: 'In Cin7 Core, open Integrations → API and create an API application for Tributary alone: calls are counted for each application.',
  fields: [
    { key: 'cin7.accountId', label: 'Account Id', kind: 'text', required: true, bindsSecret: true },
    { key: 'cin7.applicationKey', label: 'Application Key', kind: 'secret', required: true },
    addressField(api),
    callsPerMinuteField(api, 'this application'),
  ],
}

export function parseCin7(properties: ConnectorProperties): Cin7Settings {
  return {
    accountId: guidOf(properties, 'cin7.accountId', 'Account Id'),
    applicationKey: guidOf(properties, 'cin7.applicationKey', 'Application Key'),
    base: baseAddress(properties, api),
    callsPerMinute: callsPerMinute(properties, api),
  }
}

function guidOf(properties: ConnectorProperties, field: string, label: string): string {
  const value = properties[field]
  const id = typeof value === 'string' ? value.trim() : ''
  if (id === '')
    throw new Fault('settings', {
      code: 'cin7.missing',
      field,
      notice: `Enter the ${label} that Cin7 Core shows under Integrations → API.`,
    })
  if (guidForm.test(id)) return id.toLowerCase()
  throw new Fault('settings', {
    code: 'cin7.omni_credentials',
    field,
    notice:
      `The ${label} has another form than Cin7 Core gives: these look like Cin7 Omni credentials. ` +
      'Tributary reads Cin7 Core; enter what Cin7 Core shows under Integrations → API.',
  })
}
