/** What a schema cannot say about a description: that its parts fit together. */
import type { Paging } from './schema-paging.ts'
import { placeholdersIn } from './placeholders.ts'
import type { ColumnDescription, SourceDescription, StreamDescription } from './schema.ts'
import { parseColumnType } from './column-type.ts'

export type DescriptionPath = readonly (string | number)[]
export interface Contradiction {
  readonly path: DescriptionPath
  readonly message: string
}

type Report = (path: DescriptionPath, message: string) => void

export function checkDescription(description: SourceDescription): readonly Contradiction[] {
  const found: Contradiction[] = []
  const report: Report = (path, message) => void found.push({ path, message })
  checkHosts(description, report)
  checkSettings(description, report)
  if (description.paging !== undefined) checkPaging(['paging'], description.paging, report)
  const tables = new Map<string, DescriptionPath>()
  for (const [name, stream] of Object.entries(description.streams))
    for (const [table, path] of tablesOf(name, stream)) {
      if (tables.has(table)) report(path, `the name of the table is taken by ${String(tables.get(table)?.join('.'))}`)
      tables.set(table, path)
    }
  for (const [name, stream] of Object.entries(description.streams)) checkStream(description, name, stream, report)
  return found
}

function tablesOf(name: string, { children = {} }: StreamDescription): readonly (readonly [string, DescriptionPath])[] {
  const path = ['streams', name]
  return [[name, path], ...Object.keys(children).map((child) => [child, [...path, 'children', child]] as const)]
}

const hostPattern = /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$|^localhost$|^127\.0\.0\.1$/u

function checkHosts({ base, hosts, settings }: SourceDescription, report: Report): void {
  for (const [index, host] of hosts.entries()) {
    if (!hostPattern.test(host))
      report(['hosts', index], 'is not the name of a host, such as api.example.com or *.example.com')
    else if (host.startsWith('*.') && host.split('.').length < 4)
      report(['hosts', index], 'would allow every host below a public ending: name more of it')
  }
  const isSecret = placeholdersIn(base).some((name) => settings[name]?.kind === 'secret')
  if (isSecret) report(['base'], 'must not have a secret in it')
  const url = URL.parse(base.replaceAll(/\{[^}]*\}/gu, 'x'))
  if (url === null || (url.protocol !== 'https:' && url.hostname !== 'localhost' && url.hostname !== '127.0.0.1'))
    return report(['base'], 'must begin with https://')
  if (url.username !== '' || url.search !== '' || url.hash !== '') report(['base'], 'must have nothing after the path')
  if (!base.endsWith('/')) report(['base'], 'must end with /')
  const host = /^[a-z]+:\/\/([^/:]*)/u.exec(base)?.[1] ?? ''
  if (!host.includes('{') && !hosts.some((allowed) => isHostAllowed(host, allowed)))
    report(['base'], `its host ${host} is not one of hosts`)
}

/** @param allowed `api.example.com`, or `*.example.com` for one more label */
export function isHostAllowed(host: string, allowed: string): boolean {
  if (!allowed.startsWith('*.')) return host === allowed
  const label = host.endsWith(allowed.slice(1)) ? host.slice(0, -allowed.length + 1) : ''
  return label !== '' && !label.includes('.')
}

function checkSettings({ base, headers = {}, signIn, settings }: SourceDescription, report: Report): void {
  const known = (path: DescriptionPath, names: readonly string[]): void => {
    for (const name of names) if (settings[name] === undefined) report(path, `there is no setting ${name}`)
  }
  const secret = (path: DescriptionPath, name: string): void => {
    known(path, [name])
    if (settings[name]?.kind === 'text') report(path, `the setting ${name} must have the kind secret`)
  }
  known(['base'], placeholdersIn(base))
  for (const [name, value] of Object.entries(headers)) known(['headers', name], placeholdersIn(String(value)))
  for (const [name, { pattern }] of Object.entries(settings))
    if (pattern !== undefined && !isRegExp(pattern))
      report(['settings', name, 'pattern'], 'is not a regular expression')
  switch (signIn.kind) {
    case 'basic':
      known(['signIn', 'user'], [signIn.user])
      if (signIn.password !== undefined) secret(['signIn', 'password'], signIn.password)
      break
    case 'bearer':
      secret(['signIn', 'token'], signIn.token)
      break
    case 'apiKey':
      for (const [index, { setting }] of signIn.keys.entries()) secret(['signIn', 'keys', index, 'setting'], setting)
      break
    case 'oauthClient':
      known(['signIn', 'client'], [signIn.client])
      secret(['signIn', 'secret'], signIn.secret)
      break
    case 'oauthCode':
      break
  }
}

function isRegExp(pattern: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})$`, 'u').source !== ''
  } catch {
    return false
  }
}

function checkStream(description: SourceDescription, name: string, stream: StreamDescription, report: Report): void {
  const path = ['streams', name]
  const { columns, key, rest, changes, deletes, bundle, children = {} } = stream
  for (const [index, part] of key.entries())
    if (columns[part] === undefined) report([...path, 'key', index], `there is no column ${part}`)
  if (rest !== undefined && columns[rest] !== undefined)
    report([...path, 'rest'], `the column ${rest} is declared, too`)
  if (bundle !== undefined && description.bundles?.[bundle] === undefined)
    report([...path, 'bundle'], `there is no bundle ${bundle}`)
  if (stream.paging === undefined && description.paging === undefined)
    report(path, 'has no paging, and neither has the source: write paging: { kind: none } if the API has no pages')
  if (stream.paging !== undefined) checkPaging([...path, 'paging'], stream.paging, report)
  checkFormats([...path, 'columns'], columns, report)
  for (const [child, { key: childKey = [], columns: childColumns }] of Object.entries(children)) {
    if (key.length === 0) report([...path, 'children', child], 'needs a key of the stream')
    for (const [index, part] of childKey.entries())
      if (childColumns[part] === undefined)
        report([...path, 'children', child, 'key', index], `there is no column ${part}`)
    checkFormats([...path, 'children', child, 'columns'], childColumns, report)
  }
  checkPlaceholders(description, [...path, 'path'], stream.path, report)
  if (stream.detail !== undefined) {
    for (const part of placeholdersIn(stream.detail.path))
      if (columns[part] === undefined && description.settings[part] === undefined)
        report([...path, 'detail', 'path'], `there is no column or setting ${part}`)
    if (key.length === 0) report([...path, 'detail'], 'needs a key of the stream')
  }
  if (changes !== undefined) {
    if (key.length === 0) report([...path, 'changes'], 'needs a key of the stream')
    if (deletes === undefined)
      report([...path, 'changes'], 'needs deletes: without it, deleted rows would stay unnoticed')
    if (changes.kind !== 'feed') checkMoment([...path, 'changes', 'column'], stream, changes.column, report)
  } else if (deletes !== undefined && deletes.kind !== 'status')
    report([...path, 'deletes'], 'is not needed without changes: each run reads the whole list')
}

function checkMoment(path: DescriptionPath, { columns }: StreamDescription, name: string, report: Report): void {
  const column = columns[name]
  if (column === undefined) return report(path, `there is no column ${name}`)
  const kind = parseColumnType(typeof column === 'string' ? column : column.type)?.kind
  if (kind !== 'instant' && kind !== 'localTimestamp' && kind !== 'date')
    report(path, `the column ${name} must be a date, timestamp or instant`)
}

function checkFormats(path: DescriptionPath, columns: StreamDescription['columns'], report: Report): void {
  for (const [name, column] of Object.entries(columns)) {
    if (typeof column === 'string') continue
    const kind = parseColumnType(column.type)?.kind
    const isMoment = kind === 'instant' || kind === 'localTimestamp' || kind === 'date'
    if (column.format !== undefined && !isMoment) report([...path, name, 'format'], 'is only for dates and moments')
    if (column.zone !== undefined && !isZone(column, kind))
      report([...path, name, 'zone'], 'must be a time zone such as Europe/Copenhagen, and only an instant has one')
  }
}

function isZone({ zone }: ColumnDescription, kind: string | undefined): boolean {
  if (kind !== 'instant') return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

function checkPlaceholders(description: SourceDescription, path: DescriptionPath, text: string, report: Report): void {
  for (const name of placeholdersIn(text)) {
    const setting = description.settings[name]
    if (setting === undefined) report(path, `there is no setting ${name}`)
    else if (setting.kind === 'secret')
      report(path, `must not have the secret ${name} in it: addresses are written into logs`)
  }
}

/** With pages of one size, records that move to another page while the list is read would stay unnoticed. */
function checkPaging(path: DescriptionPath, paging: Paging, report: Report): void {
  if (paging.kind === 'pageNumber' && paging.size === undefined && paging.stable === undefined)
    report(path, 'needs size, so that records that move between pages are noticed; or stable, which says why none can')
}
