/** The settings of a described source: the fields of its form, and the address that they lead to. */
import { Fault } from '../../ports/faults.ts'
import type { ConnectorSettingsField, ConnectorSettingsSection } from '../../ports/settings.ts'
import type { ConnectorProperties } from '../../ports/source.ts'
import { parseNameList } from '../../ports/table-selection.ts'
import { addressField, baseAddress } from '../http/api-settings.ts'
import { isHostAllowed } from './description/check-hosts.ts'
import { fillPlaceholders, placeholdersIn } from './description/placeholders.ts'
import type { DescriptionParts, SettingDescription } from './description/schema.ts'

export interface DescribedSettings {
  /** Values by the name of the setting; missing if it is empty. */
  readonly values: Readonly<Record<string, string>>
  /** Values of the settings that are lists. */
  readonly lists: Readonly<Record<string, readonly string[]>>
  readonly base: URL
}

export function sectionOf(description: DescriptionParts): ConnectorSettingsSection {
  const { type, title, help: about, settings, base } = description
  const inAddress = new Set(placeholdersIn(base))
  const fields = Object.entries(settings).map(
    ([name, { label, kind, required, help, placeholder }]): ConnectorSettingsField => ({
      key: `${type}.${name}`,
      label,
      kind,
      required,
      ...(help !== undefined && { help }),
      ...(placeholder !== undefined && { placeholder }),
      // Whatever decides where secrets are sent, or as whom.
      ...(kind === 'text' && { bindsSecret: inAddress.has(name) || isUser(description, name) }),
    }),
  )
  const isAuthorised = description.signIn.kind === 'oauthCode'
  const help =
    about ??
    (isAuthorised ? `Which company is read is chosen by signing in to ${title}, under Authorisation.` : undefined)
  return {
    property: type,
    shape: 'plain',
    title,
    ...(help !== undefined && { help }),
    // The operator sets the addresses of a source at which people sign in.
    fields: isAuthorised ? fields : [...fields, addressField({ title, code: type, address: base })],
  }
}

function isUser({ signIn }: DescriptionParts, name: string): boolean {
  return (signIn.kind === 'basic' && signIn.user === name) || (signIn.kind === 'oauthClient' && signIn.client === name)
}

/** @throws Fault `settings` that names the field */
export function parseSettings(description: DescriptionParts, properties: ConnectorProperties): DescribedSettings {
  const { type, title, settings } = description
  const values: Record<string, string> = {}
  const lists: Record<string, readonly string[]> = {}
  for (const [name, setting] of Object.entries(settings)) {
    if (setting.kind === 'list') {
      lists[name] = readList({ type, name, setting }, properties)
      continue
    }
    const value = readSetting({ type, name, setting }, properties)
    if (value !== null) values[name] = value
  }
  if (description.signIn.kind === 'oauthCode') values['company'] = readCompany(description, properties)
  const address = fillPlaceholders(description.base, (name) => encodeURIComponent(values[name] ?? ''))
  const base = baseAddress(properties, { code: type, address })
  if (description.otherHost === undefined && !isPinned(base, description))
    throw new Fault('settings', {
      code: `${type}.host`,
      field: fieldOfHost(description),
      notice: `${base.hostname} is not a host of ${title}, and nothing is sent there. Its hosts are ${description.hosts.join(', ')}.`,
    })
  return { values, lists, base }
}

/** The id of the company that a person has chosen; the server adds it. */
function readCompany({ type, title }: DescriptionParts, properties: ConnectorProperties): string {
  const field = `${type}.tenantId`
  const company = properties[field]
  if (typeof company === 'string' && company !== '') return company
  throw new Fault('settings', {
    code: `${type}.not_connected`,
    field,
    notice: `No company of ${title} is connected yet. Connect it, and choose the company in ${title}.`,
  })
}

/** Simulators run on this computer, which the network of a production does not reach. */
const loopback = new Set(['127.0.0.1', '[::1]', 'localhost'])

export function isLoopback({ hostname }: URL): boolean {
  return loopback.has(hostname)
}

export function isPinned(address: URL, { hosts }: DescriptionParts): boolean {
  const { hostname } = address
  return isLoopback(address) || hosts.some((allowed) => isHostAllowed(hostname, allowed))
}

function fieldOfHost({ type, base }: DescriptionParts): string {
  const [first] = placeholdersIn(base)
  return `${type}.${first ?? 'address'}`
}

interface OneSetting {
  readonly type: string
  readonly name: string
  readonly setting: SettingDescription
}

function readList(one: OneSetting, properties: ConnectorProperties): readonly string[] {
  const names = parseNameList(properties[`${one.type}.${one.name}`])
  if (names.length === 0 && one.setting.required) throw missingSetting(one)
  return names
}

function missingSetting({ type, name, setting }: OneSetting): Fault {
  return new Fault('settings', {
    code: `${type}.missing`,
    field: `${type}.${name}`,
    notice: setting.missing ?? `Enter ${setting.label}.`,
  })
}

function readSetting({ type, name, setting }: OneSetting, properties: ConnectorProperties): string | null {
  const field = `${type}.${name}`
  const stored = properties[field]
  const value = typeof stored === 'string' ? stored.trim() : ''
  if (value === '') {
    if (!setting.required) return null
    throw missingSetting({ type, name, setting })
  }
  if (setting.pattern !== undefined && !new RegExp(`^(?:${setting.pattern})$`, 'u').test(value))
    throw new Fault('settings', {
      code: `${type}.setting`,
      field,
      notice:
        setting.misfit ??
        `${setting.label} does not have the form that ${setting.placeholder === undefined ? 'is expected' : `${setting.placeholder} has`}. ${setting.help ?? ''}`.trim(),
    })
  return value
}
