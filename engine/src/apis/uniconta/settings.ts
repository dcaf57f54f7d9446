/** The settings of a Uniconta connection, and their validation. */
import { Fault } from '../../ports/faults.ts'
import { addressField, baseAddress } from '../http/api-settings.ts'
import type { ConnectorSettingsSection } from '../../ports/settings.ts'
import type { ConnectorProperties } from '../../ports/source.ts'
import { parseNameList, tablesField } from '../../ports/table-selection.ts'

export interface UnicontaSettings {
  readonly username: string
  readonly password: string
  /** Ids or names; empty: all companies that the login sees. */
  readonly companies: readonly string[]
  /** Names of entity sets; empty: the default ones. */
  readonly tables: readonly string[]
  readonly base: URL
}

const api = { title: 'Uniconta', code: 'uniconta', address: 'https://odata.uniconta.com/odata/' }

export const unicontaSection: ConnectorSettingsSection = {
  property: 'uniconta',
  shape: 'plain',
  title: 'Uniconta',
  help: 'Use a separate server user for Tributary that may only read: its password does not change with a person’s.',
  fields: [
    { key: 'uniconta.username', label: 'Username', kind: 'text', required: true, bindsSecret: true },
    { key: 'uniconta.password', label: 'Password', kind: 'secret', required: true },
    {
      key: 'uniconta.companies',
      label: 'Companies',
      kind: 'list',
      required: false,
      help: 'Id or name, one a line. Leave it empty to move every company that the login sees.',
    },
    {
      ...tablesField,
      key: 'uniconta.tables',
      help: 'Names such as GLTransClient, one a line. Leave it empty to move the usual ones; * moves all tables that Uniconta offers.',
    },
    addressField(api),
  ],
}

export function parseUniconta(properties: ConnectorProperties): UnicontaSettings {
  const username = textOf(properties, 'uniconta.username').trim()
  const password = textOf(properties, 'uniconta.password')
  if (username.includes(':'))
    throw new Fault('settings', {
      code: 'uniconta.username',
      field: 'uniconta.username',
      notice: 'A Uniconta user name holds no colon. Enter the name that you sign in to Uniconta with.',
    })
  const chosen = parseNameList(properties['uniconta.companies'])
  return {
    username,
    password,
    companies: chosen.length > 0 ? chosen : companyIn(username),
    tables: parseNameList(properties['uniconta.tables']),
    base: baseAddress(properties, api),
  }
}

/** A Uniconta login may contain its company: `00`, the company id, a slash and the user name. */
function companyIn(username: string): readonly string[] {
  const [, id] = /^(\d+)\//.exec(username) ?? []
  return id === undefined ? [] : [id.replace(/^0+(?=\d)/, '')]
}

function textOf(properties: ConnectorProperties, field: string): string {
  const value = properties[field]
  if (typeof value === 'string' && value.trim() !== '') return value
  const what = field === 'uniconta.username' ? 'user name' : 'password'
  throw new Fault('settings', {
    code: 'uniconta.missing',
    field,
    notice: `Enter the ${what} of a Uniconta user that may read the company.`,
  })
}
