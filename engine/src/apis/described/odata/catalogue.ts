/** Finds the tables that a login can read, and selects the described or configured ones. */
import { Fault } from '../../../ports/faults.ts'
import type { DescribedSettings } from '../settings.ts'
import type { ODataApi } from './api.ts'
import type { ODataCompany } from './companies.ts'
import { parseMetadata } from './metadata/edmx.ts'
import { hasCode, noAccess } from './faults.ts'
import { mergeSets } from './metadata/merge-sets.ts'
import { type MergedEntitySet, type ODataTable, tableName, tableOf } from './metadata/tables.ts'

const atOnce = 3

export interface ODataCatalogue {
  readonly tables: readonly ODataTable[]
  /** Tables that the login may not read in some company, reported once: `GLTransClient in company 4415`. */
  readonly leftOut: readonly string[]
}

export async function readCatalogue(
  api: ODataApi,
  companies: readonly ODataCompany[],
  { lists }: DescribedSettings,
): Promise<ODataCatalogue> {
  const { description, described } = api
  const { tables: choice, sets, others } = description
  const excepted = new Set(others.except)
  const offered = (await offeredSets(api, companies)).filter(({ name }) => !excepted.has(name))
  const named = Object.keys(sets).flatMap((name) => offered.find((set) => set.name === name) ?? [])
  const undescribed = offered.filter(({ name }) => sets[name] === undefined)
  const chosen = choice === undefined ? [] : (lists[choice.setting] ?? [])
  if (chosen.length === 0) return await readableOnly(api, others.read === 'always' ? [...named, ...undescribed] : named)
  const choosable = others.read === 'never' ? named : offered
  if (chosen.includes('*')) return await readableOnly(api, choosable)
  const matches = matcherOf(api)
  const unknown = chosen.filter((requestedName) => !choosable.some((set) => matches(set, requestedName)))
  if (unknown.length > 0) {
    const { title, code } = described
    const field = `${code}.${choice?.setting ?? ''}`
    const example = choosable[0]?.name ?? ''
    throw new Fault('settings', {
      code: field,
      field,
      notice: `${title} offers no table ${unknown.map((name) => `‘${name}’`).join(', ')} to this login. Correct the list of tables; names are those of ${title}, such as ${example}.`,
    })
  }
  const selected = choosable.filter((set) => chosen.some((requestedName) => matches(set, requestedName)))
  return { tables: selected.map((set) => tableOf(description, set)), leftOut: [] }
}

/** By the name of the set, with or without the suffix of own fields, or by that of the table. */
function matcherOf({ description }: ODataApi): (set: MergedEntitySet, requestedName: string) => boolean {
  const { ownFields = '' } = description.names
  return ({ name }, requestedName) =>
    [name, `${name}${ownFields}`, tableName(description, name)].some(
      (called) => called.toLowerCase() === requestedName.toLowerCase(),
    )
}

async function offeredSets(api: ODataApi, companies: readonly ODataCompany[]): Promise<MergedEntitySet[]> {
  const { description, described } = api
  const ids = companies.map(({ id }) => id)
  if (description.service.metadata.includes('{company}')) {
    const found = []
    for (const company of ids) found.push({ company, sets: parseMetadata(described, await api.metadata(company)) })
    return mergeSets(description, found)
  }
  const sets = parseMetadata(described, await api.metadata(null))
  return mergeSets(
    description,
    ids.map((company) => ({ company, sets })),
  )
}

/** Requests one row of each set. Unreadable sets are left out, instead of failing every run. */
async function readableOnly(api: ODataApi, sets: readonly MergedEntitySet[]): Promise<ODataCatalogue> {
  const leftOut: string[] = []
  const waiting = sets.flatMap((set) => [...set.setNames].map(([company, setName]) => ({ set, company, setName })))
  const readable = new Map<string, Map<string, string>>()
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { set, company, setName } = next
      if (await isReadable(api, company, setName))
        readable.set(set.name, new Map([...(readable.get(set.name) ?? []), [company, setName]]))
      else leftOut.push(company === '' ? set.name : `${set.name} in company ${company}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  const tables = sets.flatMap((set) => {
    const allowed = readable.get(set.name)
    const setNames = new Map([...set.setNames].filter(([company]) => allowed?.has(company)))
    return setNames.size === 0 ? [] : [tableOf(api.description, { ...set, setNames })]
  })
  if (tables.length > 0 || sets.length === 0) return { tables, leftOut: leftOut.toSorted() }
  const { described } = api
  throw noAccess(
    described,
    `The user may read none of the tables in ${described.title}. Grant it the right to read them, or enter another user.`,
  )
}

async function isReadable(api: ODataApi, company: string, set: string): Promise<boolean> {
  try {
    await api.firstPage({ company, set, query: { $top: '1' } })
    return true
  } catch (error) {
    if (hasCode(error, api.described, ['no_access', 'not_found'])) return false
    throw error
  }
}
