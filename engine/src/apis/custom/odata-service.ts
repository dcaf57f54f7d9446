/** Any OData service, as a customer fills in its form. The form makes the description; columns and types come from `$metadata`. */
import { stringify } from 'yaml'
import { Fault } from '../../ports/faults.ts'
import type { ConnectorProperties } from '../../ports/source.ts'
import { parseNameList } from '../../ports/table-selection.ts'
import { baseAddress } from '../http/api-settings.ts'
import { parseSettings } from '../described/settings.ts'
import { parseCustomerDescription } from './customer-rules.ts'
import { customerSource } from './customer-source.ts'
import { signInFields, withRequiredFields } from './sign-in-fields.ts'

const type = 'odata-service'
const title = 'OData service'
const example = 'https://services.example.com/odata/v4/'

const signIns = [
  { value: 'basic', label: 'User and password' },
  { value: 'bearer', label: 'Bearer token' },
  { value: 'apiKey', label: 'Key in a header' },
  { value: 'oauthClient', label: 'Client credentials (OAuth 2)' },
] as const

const helpOf = {
  user: 'With a password.',
  password: 'Of the user.',
  key: 'The bearer token, or the key of the header.',
  client: 'For client credentials.',
  secret: 'For client credentials.',
}

export const odataServiceSource = customerSource(
  {
    type,
    title,
    needs: 'The address of an OData service, and credentials that may read.',
    description:
      'Any service of OData v4. Columns and types come from its metadata; the provider of Tributary approves its hosts.',
    guide: [
      'Find the address of the service: its $metadata is below it.',
      'Choose how programs sign in, and enter the credentials.',
      'Name the tables, or leave the list empty to move all that the credentials may read.',
      'Save. The connector moves rows as soon as the provider has approved the host.',
    ],
    sections: [
      {
        property: type,
        shape: 'plain',
        title,
        help: 'Nothing is sent to the service before the provider has approved its host.',
        fields: [
          {
            key: `${type}.address`,
            label: 'Address of the service',
            kind: 'text',
            required: true,
            bindsSecret: true,
            placeholder: example,
          },
          {
            key: `${type}.signIn`,
            label: 'Sign-in',
            kind: 'choice',
            required: false,
            initial: 'basic',
            choices: signIns,
          },
          ...signInFields(type, helpOf),
          {
            key: `${type}.header`,
            label: 'Header of the key',
            kind: 'text',
            required: false,
            placeholder: 'x-api-key',
            help: 'For a key in a header.',
          },
          {
            key: `${type}.tokenAddress`,
            label: 'Address of tokens',
            kind: 'text',
            required: false,
            bindsSecret: true,
            placeholder: 'https://login.example.com/oauth2/token',
            help: 'For client credentials.',
          },
          { key: `${type}.scope`, label: 'Scope', kind: 'text', required: false, help: 'For client credentials.' },
          {
            key: `${type}.tables`,
            label: 'Tables',
            kind: 'list',
            required: false,
            help: 'Names of entity sets. Empty: all that the credentials may read.',
          },
          {
            key: `${type}.changedAt`,
            label: 'Property with the moment of the last change',
            kind: 'text',
            required: false,
            placeholder: 'ModifiedAt',
            help: 'Every named table must have it. Without it, each run reads the whole tables.',
          },
        ],
      },
    ],
  },
  (properties) => {
    const text = describe(properties)
    const { description, problems } = parseCustomerDescription(text, { type, engine: 'odata', title })
    if (description === null) throw misfit(problems[0]?.message ?? 'The form does not describe a service')
    const complete = withRequiredFields(description)
    // The address is in the description.
    const { [`${type}.address`]: _, ...others } = properties
    return { description: complete, text, values: parseSettings(complete, others) }
  },
)

function describe(properties: ConnectorProperties): string {
  const base = addressOf(properties)
  const signIn = signInOf(properties)
  const tables = parseNameList(properties[`${type}.tables`])
  const property = textOf(properties, 'changedAt')
  if (property !== '' && tables.length === 0)
    throw fieldFault('tables', 'Name the tables that have the property with the moment of the last change.')
  const tokenHost = signIn.kind === 'oauthClient' ? URL.parse(signIn.token)?.hostname : undefined
  const set = property === '' ? {} : { changes: { kind: 'cursor', property }, deletes: { kind: 'keys' } }
  return stringify(
    {
      engine: 'odata',
      title: `OData service at ${base.hostname}`,
      base: base.href,
      hosts: [...new Set([base.hostname, ...(tokenHost === undefined ? [] : [tokenHost])])],
      signIn,
      pace: { calls: 60, seconds: 60, atOnce: 4 },
      sets: Object.fromEntries(tables.map((table) => [table, set])),
      others: { read: tables.length === 0 ? 'always' : 'never' },
    },
    { aliasDuplicateObjects: false },
  )
}

/** As it is called, so that the description shows the person who approves where requests arrive. */
function addressOf(properties: ConnectorProperties): URL {
  const written = textOf(properties, 'address')
  if (written === '') throw fieldFault('address', `Enter the address of the service, such as ${example}.`)
  return baseAddress({ [`${type}.address`]: written }, { code: type, address: example })
}

type ServiceSignIn =
  | { readonly kind: 'basic' | 'bearer' | 'apiKey'; readonly [part: string]: unknown }
  | { readonly kind: 'oauthClient'; readonly token: string; readonly [part: string]: unknown }

function signInOf(properties: ConnectorProperties): ServiceSignIn {
  switch (textOf(properties, 'signIn') || 'basic') {
    case 'basic':
      return { kind: 'basic', user: 'user', password: 'password' }
    case 'bearer':
      return { kind: 'bearer', token: 'key' }
    case 'apiKey': {
      const name = textOf(properties, 'header')
      if (name === '') throw fieldFault('header', 'Enter the name of the header that has the key.')
      return { kind: 'apiKey', keys: [{ in: 'header', name, setting: 'key' }] }
    }
    case 'oauthClient': {
      const token = textOf(properties, 'tokenAddress')
      if (token === '') throw fieldFault('tokenAddress', 'Enter the address at which the service gives tokens.')
      const scope = textOf(properties, 'scope')
      const scopes = scope === '' ? [] : scope.split(/\s+/u)
      return { kind: 'oauthClient', token, client: 'client', secret: 'secret', scopes }
    }
    default:
      throw fieldFault('signIn', `Choose ${signIns.map(({ label }) => label).join(', ')}.`)
  }
}

function textOf(properties: ConnectorProperties, name: string): string {
  const value = properties[`${type}.${name}`]
  return typeof value === 'string' ? value.trim() : ''
}

function fieldFault(name: string, notice: string): Fault {
  return new Fault('settings', { code: `${type}.${name}`, field: `${type}.${name}`, notice })
}

/** A problem of the description names a part of it, which has a field. */
function misfit(message: string): Fault {
  const [part = '', ...rest] = message.split(': ')
  const reason = rest.join(': ')
  if (part.startsWith('signIn.token')) return fieldFault('tokenAddress', `The address of tokens ${reason}.`)
  if (part.startsWith('signIn.keys')) return fieldFault('header', `The header of the key ${reason}.`)
  if (part.startsWith('sets.') && part.endsWith('.property'))
    return fieldFault('changedAt', `The property with the moment of the last change ${reason}.`)
  if (part.startsWith('sets')) return fieldFault('tables', `The list of tables ${reason}.`)
  return fieldFault('address', `The address of the service ${reason || message}.`)
}
