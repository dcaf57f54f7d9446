/** What a schema cannot say about a description of an OData service: that its parts fit together. */
import type { DescriptionPath, Report } from './check-hosts.ts'
import { checkMonthlySet } from './check-months.ts'
import { parseColumnType } from './column-type.ts'
import type { EntitySetDescription, ODataDescription } from './schema-odata.ts'
import { isTimeZone } from './time-zone.ts'

export function checkEntitySets(description: ODataDescription, report: Report): void {
  const { sets, others } = description
  if (Object.keys(sets).length === 0 && others.read !== 'always')
    report(['sets'], 'has no set: name some, or write others: { read: always }')
  if (others.read === 'chosen' && description.tables === undefined)
    report(['others', 'read'], 'needs tables, with the setting that names them')
  checkBundle(description, ['others', 'bundle'], others.bundle, report)
  checkTypes(description, report)
  checkCompanies(description, report)
  checkList(description, ['tables', 'setting'], description.tables?.setting, report)
  for (const [name, set] of Object.entries(sets)) {
    checkBundle(description, ['sets', name, 'bundle'], set.bundle, report)
    checkSet(description, ['sets', name], set, report)
  }
}

function checkBundle(
  { bundles = {} }: ODataDescription,
  path: DescriptionPath,
  bundle: string | undefined,
  report: Report,
): void {
  if (bundle !== undefined && bundles[bundle] === undefined) report(path, `there is no bundle ${bundle}`)
}

function checkTypes({ types: { zone, moments } }: ODataDescription, report: Report): void {
  if (zone === undefined) return
  if (!isTimeZone(zone)) report(['types', 'zone'], 'is not a time zone')
  if (moments === 'local') report(['types', 'zone'], 'is not for moments that are moved as they are written')
}

function checkCompanies(description: ODataDescription, report: Report): void {
  const { companies, service, settings } = description
  if (companies === undefined) {
    if (service.metadata.includes('{company}'))
      report(['service', 'metadata'], 'has {company}, but there is no companies')
    return
  }
  const kind = parseColumnType(companies.type)?.kind
  if (kind !== 'text' && kind !== 'guid' && kind !== 'integer')
    report(['companies', 'type'], 'must be text, guid or a whole number')
  checkList(description, ['companies', 'setting'], companies.setting, report)
  const { inUser } = companies
  if (inUser === undefined) return
  if (settings[inUser.setting]?.kind !== 'text')
    report(['companies', 'inUser', 'setting'], `there is no setting ${inUser.setting} of the kind text`)
  if (!hasGroup(inUser.pattern))
    report(['companies', 'inUser', 'pattern'], 'is not a regular expression with a group in parentheses')
}

function checkList(
  { settings }: ODataDescription,
  path: DescriptionPath,
  setting: string | undefined,
  report: Report,
): void {
  if (setting !== undefined && settings[setting]?.kind !== 'list')
    report(path, `there is no setting ${setting} of the kind list`)
}

function hasGroup(pattern: string): boolean {
  try {
    return (new RegExp(`${pattern}|`, 'u').exec('')?.length ?? 0) > 1
  } catch {
    return false
  }
}

function checkSet({ keys }: ODataDescription, path: DescriptionPath, set: EntitySetDescription, report: Report): void {
  const { changes, deletes, select, rest } = set
  checkMonthlySet(path, set, report)
  if (changes?.kind === 'months') return
  if (select && rest !== undefined) report([...path, 'rest'], 'has no values with select: true')
  if (!keys.areUnique && (changes?.kind === 'cursor' || changes?.kind === 'feed'))
    report([...path, 'changes'], 'needs unique keys: only a read of all rows can number those with the same key')
  checkDeletes([...path, 'deletes'], { changes, deletes }, report)
}

function checkDeletes(
  path: DescriptionPath,
  { changes, deletes }: Pick<EntitySetDescription, 'changes' | 'deletes'>,
  report: Report,
): void {
  if (deletes === undefined || deletes.kind === 'status') return
  if (changes === undefined) report(path, 'is not needed without changes: each run reads the whole set')
  if (changes?.kind === 'feed') report(path, 'is not needed: the feed has the rows that were deleted')
}
