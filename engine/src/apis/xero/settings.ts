/** The settings of a Xero connection. Apart from the pace, they come from the sign-in. */
import { Fault } from '../../ports/faults.ts'
import { guidForm } from '../../encoding/guid.ts'
import { baseAddress, callsPerMinute, callsPerMinuteField } from '../http/api-settings.ts'
import type { ConnectorSettingsSection } from '../../ports/settings.ts'
import type { ConnectorProperties } from '../../ports/source.ts'

export interface XeroSettings {
  readonly tenantId: string
  readonly base: URL
  readonly callsPerMinute: number
}

export const standardAddress = 'https://api.xero.com/api.xro/2.0/'

const api = {
  title: 'Xero',
  code: 'xero',
  address: standardAddress,
  /** Xero allows 60 calls a minute per company. The margin allows for clock differences and restarts. */
  callsPerMinute: 55,
}

export const xeroSection: ConnectorSettingsSection = {
  property: 'xero',
  shape: 'plain',
  title: 'Xero',
  help: 'Which company is read is chosen by signing in to Xero, under Authorisation.',
  fields: [callsPerMinuteField(api, 'this company')],
}

export function parseXero(properties: ConnectorProperties): XeroSettings {
  const tenantId = properties['xero.tenantId']
  if (typeof tenantId !== 'string' || !guidForm.test(tenantId))
    throw new Fault('settings', {
      code: 'xero.not_connected',
      field: 'xero.tenantId',
      notice: 'No company of Xero is connected yet. Connect it, and choose the company in Xero.',
    })
  return {
    tenantId: tenantId.toLowerCase(),
    base: baseAddress(properties, api),
    callsPerMinute: callsPerMinute(properties, api),
  }
}
