/** What a schema cannot say about a description: that its parts fit together. */
import type { Paging } from './schema-paging.ts'
import type { CodeSignIn } from './schema-sign-in.ts'
import { checkHosts, type DescriptionPath, type Report } from './check-hosts.ts'
import { checkMonths, monthlyTables } from './check-months.ts'
import { checkShared } from './check-shared.ts'
import { checkTieOut } from './check-tie-out.ts'
import { placeholdersIn } from './placeholders.ts'
import { checkEntitySets } from './check-odata.ts'
import type { ColumnDescription, DescriptionParts, RestDescription, StreamDescription } from './schema.ts'
import type { SourceDescription } from './source-description.ts'
import { parseColumnType } from './column-type.ts'
import { isTimeZone } from './time-zone.ts'

export interface Contradiction {
  readonly path: DescriptionPath
  readonly message: string
}

export function checkDescription(description: SourceDescription): readonly Contradiction[] {
  const found: Contradiction[] = []
  const report: Report = (path, message) => void found.push({ path, message })
  checkHosts(description, report)
  checkSettings(description, report)
  if (description.engine === 'odata') checkEntitySets(description, report)
  else checkStreams(description, report)
  checkTieOut(description, report)
  return found
}

function checkStreams(description: RestDescription, report: Report): void {
  if (description.paging !== undefined) checkPaging(['paging'], description.paging, report)
  const tables = new Map<string, DescriptionPath>()
  for (const [name, stream] of Object.entries(description.streams))
    for (const [table, path] of tablesOf(name, stream)) {
      if (tables.has(table)) report(path, `the name of the table is taken by ${String(tables.get(table)?.join('.'))}`)
      tables.set(table, path)
    }
  for (const [name, stream] of Object.entries(description.streams)) checkStream(description, name, stream, report)
  checkShared(description, report)
}

function tablesOf(name: string, stream: StreamDescription): readonly (readonly [string, DescriptionPath])[] {
  const path = ['streams', name]
  const children = Object.keys(stream.children ?? {}).map((child) => [child, [...path, 'children', child]] as const)
  return [[name, path], ...children, ...monthlyTables(name, stream).map((lines) => [lines, path] as const)]
}

function checkSettings({ base, headers = {}, signIn, settings, allowance }: DescriptionParts, report: Report): void {
  const known = (path: DescriptionPath, names: readonly string[]): void => {
    for (const name of names) if (settings[name] === undefined) report(path, `there is no setting ${name}`)
  }
  const secret = (path: DescriptionPath, name: string): void => {
    known(path, [name])
    if (settings[name] !== undefined && settings[name].kind !== 'secret')
      report(path, `the setting ${name} must have the kind secret`)
  }
  known(['base'], placeholdersIn(base))
  for (const [name, value] of Object.entries(headers)) known(['headers', name], placeholdersIn(String(value)))
  checkKinds({ base, headers, settings }, report)
  const zone = allowance?.warning?.zone
  if (zone !== undefined && !isTimeZone(zone)) report(['allowance', 'warning', 'zone'], 'is not a time zone')
  checkSignIn(signIn, { known, secret, report })
}

function checkKinds(
  { base, headers, settings }: Pick<DescriptionParts, 'base' | 'headers' | 'settings'>,
  report: Report,
): void {
  const inAddress = new Set(placeholdersIn(`${base}${JSON.stringify(headers)}`))
  for (const [name, { pattern, kind }] of Object.entries(settings)) {
    if (pattern !== undefined && !isRegExp(pattern))
      report(['settings', name, 'pattern'], 'is not a regular expression')
    if (kind === 'list' && inAddress.has(name))
      report(['settings', name, 'kind'], 'must not be list, because an address or header has its value')
  }
}

type RequireSetting = (path: DescriptionPath, name: string) => void

function checkSignIn(
  signIn: DescriptionParts['signIn'],
  {
    known,
    secret,
    report,
  }: {
    known: (path: DescriptionPath, names: readonly string[]) => void
    secret: RequireSetting
    report: Report
  },
): void {
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
      known(['signIn', 'token'], placeholdersIn(signIn.token))
      break
    case 'oauthCode':
      checkCompanies(signIn, report)
      break
  }
}

/** Whether the company is known from the callback, or from the list of companies. */
function checkCompanies({ companyParameter, person, companies }: CodeSignIn, report: Report): void {
  for (const [part, { id }] of Object.entries({ person, companies })) {
    if (companyParameter === undefined && id === undefined) report(['signIn', part], 'needs id')
    if (companyParameter !== undefined && id !== undefined)
      report(['signIn', part, 'id'], 'is not needed with companyParameter, which gives the id of the company')
  }
}

function isRegExp(pattern: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})$`, 'u').source !== ''
  } catch {
    return false
  }
}

function checkStream(description: RestDescription, name: string, stream: StreamDescription, report: Report): void {
  const path = ['streams', name]
  const { columns, key, rest, bundle } = stream
  requireColumns([...path, 'key'], key, columns, report)
  if (rest !== undefined && columns[rest] !== undefined)
    report([...path, 'rest'], `the column ${rest} is declared, too`)
  if (bundle !== undefined && description.bundles?.[bundle] === undefined)
    report([...path, 'bundle'], `there is no bundle ${bundle}`)
  if (stream.paging === undefined && description.paging === undefined)
    report(path, 'has no paging, and neither has the source: write paging: { kind: none } if the API has no pages')
  if (stream.paging !== undefined) checkPaging([...path, 'paging'], stream.paging, report)
  checkFormats([...path, 'columns'], columns, report)
  checkPlaceholders(description, [...path, 'path'], stream.path, report)
  checkChildren(path, stream, report)
  checkDetail(description, path, stream, report)
  checkChanges(path, stream, report)
  checkParts(path, stream, report)
}

/** A list in parts is read whole: an interrupted read could not say in which part it was. */
function checkParts(path: DescriptionPath, { follow, key, changes, detail }: StreamDescription, report: Report): void {
  if (follow === undefined) return
  if (key.length === 0) report([...path, 'follow'], 'needs a key of the stream')
  if (changes !== undefined) report([...path, 'changes'], 'is not possible with follow')
  if (detail !== undefined) report([...path, 'detail'], 'is not possible with follow')
}

function requireColumns(
  path: DescriptionPath,
  names: readonly string[],
  columns: StreamDescription['columns'],
  report: Report,
): void {
  for (const [index, name] of names.entries())
    if (columns[name] === undefined) report([...path, index], `there is no column ${name}`)
}

function checkChildren(path: DescriptionPath, { key, children = {} }: StreamDescription, report: Report): void {
  for (const [child, { key: childKey = [], columns }] of Object.entries(children)) {
    const at = [...path, 'children', child]
    if (key.length === 0) report(at, 'needs a key of the stream')
    requireColumns([...at, 'key'], childKey, columns, report)
    checkFormats([...at, 'columns'], columns, report)
  }
}

function checkDetail(
  { settings }: RestDescription,
  path: DescriptionPath,
  { detail, columns, key }: StreamDescription,
  report: Report,
): void {
  if (detail === undefined) return
  for (const part of placeholdersIn(detail.path))
    if (columns[part] === undefined && settings[part] === undefined)
      report([...path, 'detail', 'path'], `there is no column or setting ${part}`)
  if (key.length === 0) report([...path, 'detail'], 'needs a key of the stream')
}

function checkChanges(path: DescriptionPath, stream: StreamDescription, report: Report): void {
  const { changes, deletes } = stream
  checkMonths(path, stream, report)
  if (changes?.kind === 'months') return
  if (changes !== undefined) return checkFoundChanges(path, stream, changes, report)
  if (deletes !== undefined && deletes.kind !== 'status')
    report([...path, 'deletes'], 'is not needed without changes: each run reads the whole list')
}

function checkFoundChanges(
  path: DescriptionPath,
  stream: StreamDescription,
  changes: NonNullable<StreamDescription['changes']>,
  report: Report,
): void {
  const { deletes, key } = stream
  if (key.length === 0) report([...path, 'changes'], 'needs a key of the stream')
  if (deletes?.kind === 'events' && changes.kind !== 'events')
    report([...path, 'deletes'], 'needs changes of the kind events')
  if (deletes === undefined)
    report([...path, 'changes'], 'needs deletes: without it, deleted rows would stay unnoticed')
  if (changes.kind === 'cursor' || changes.kind === 'windows')
    checkMoment([...path, 'changes', 'column'], stream, changes.column, report)
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
  return kind === 'instant' && zone !== undefined && isTimeZone(zone)
}

function checkPlaceholders(description: RestDescription, path: DescriptionPath, text: string, report: Report): void {
  for (const name of placeholdersIn(text)) {
    if (name === 'company' && description.signIn.kind === 'oauthCode') continue
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
