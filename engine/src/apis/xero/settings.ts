/** The settings of a Xero connection. Apart from the pace, they come from the sign-in. */
import { Fault } from '../../ports/faults.ts'
import { baseAddress } from '../http/base-address.ts'
import { callsPerMinute } from '../http/calls-per-minute.ts'
import type { ConnectorSettingsSection } from '../../ports/settings.ts'
import type { ConnectorProperties } from '../../ports/source.ts'

export interface XeroSettings {
  readonly tenantId: string
  readonly base: URL
  readonly callsPerMinute: number
}

/** Xero allows 60 calls a minute per company. The margin allows for clock differences and restarts. */
const standardCalls = 55

export const standardAddress = 'https://api.xero.com/api.xro/2.0/'

export const xeroSection: ConnectorSettingsSection = {
  property: 'xero',
  shape: 'plain',
  title: 'Xero',
  help: 'Which company is read is chosen by signing in to Xero, under Authorisation.',
  fields: [
    {
      key: 'xero.callsPerMinute',
      label: 'Calls a minute',
      kind: 'number',
      required: false,
      hidden: true,
      placeholder: String(standardCalls),
      help: 'Only if Xero allows this company a number of calls other than the usual 60.',
    },
  ],
}

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function parseXero(properties: ConnectorProperties): XeroSettings {
  const tenantId = properties['xero.tenantId']
  if (typeof tenantId !== 'string' || !guid.test(tenantId))
    throw new Fault('settings', {
      code: 'xero.not_connected',
      field: 'xero.tenantId',
      notice: 'No company of Xero is connected yet. Connect it, and choose the company in Xero.',
    })
  return {
    tenantId: tenantId.toLowerCase(),
    base: baseAddress(properties['xero.address'], { field: 'xero.address', standard: standardAddress }),
    callsPerMinute: callsPerMinute(properties['xero.callsPerMinute'], {
      code: 'xero',
      title: 'Xero',
      standard: standardCalls,
    }),
  }
}
