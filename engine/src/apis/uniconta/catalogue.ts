/** Which companies and which tables there are for this login, and which of them are wanted. */
import { Fault } from '../../ports/faults.ts'
import type { Patience } from '../http/client.ts'
import { asText } from '../http/canonical.ts'
import type { JsonObject } from '../http/exact-json.ts'
import { member } from '../http/fields.ts'
import { noAccessCode, notFoundCode } from './api.ts'
import type { UnicontaApi } from './api.ts'
import { parseMetadata } from './edmx.ts'
import type { EntitySet, Property } from './edmx.ts'
import { usualSets } from './known-sets.ts'
import type { UnicontaSettings } from './settings.ts'
import { companySet, tableName, tableOf } from './tables.ts'
import type { OfferedSet, UnicontaTable } from './tables.ts'

export interface Company {
  readonly id: string
  readonly name: string
}

/** An accountant's login may see hundreds: nobody wants those by accident. */
const companiesMax = 25
const atOnce = 3

/** The companies chosen, or all that the login sees. */
export async function listCompanies(
  api: UnicontaApi,
  { companies: chosen }: UnicontaSettings,
  patience?: Patience,
): Promise<Company[]> {
  const seen = await seenCompanies(api, patience)
  const unknown = chosen.find((wanted) => !seen.some((company) => isMeant(company, wanted)))
  if (unknown !== undefined)
    throw companyFault(
      `The login sees no company ‘${unknown}’ in Uniconta. Enter the id or the name of one that it may read.`,
    )
  const wanted =
    chosen.length === 0 ? seen : seen.filter((company) => chosen.some((choice) => isMeant(company, choice)))
  if (wanted.length === 0)
    throw companyFault('The login sees no company in Uniconta. Give the user the right to read one.')
  if (chosen.length === 0 && wanted.length > companiesMax)
    throw companyFault(`The login sees ${wanted.length} companies in Uniconta. Enter those to be moved, by id or name.`)
  return wanted
}

async function seenCompanies(api: UnicontaApi, patience: Patience = 'patient'): Promise<Company[]> {
  const companies: Company[] = []
  try {
    for await (const page of api.pages({ company: null, set: companySet, patience }))
      companies.push(...page.flatMap(companyIn))
    return companies
  } catch (error) {
    // A login that may not even list its companies is refused as a whole.
    if (error instanceof Fault && error.code === noAccessCode)
      throw new Fault('signIn', {
        code: noAccessCode,
        notice:
          'Uniconta knows the user but lets it read nothing. Ask whoever manages Uniconta for a server user that may read the company.',
        cause: error,
      })
    throw error
  }
}

function companyIn(row: JsonObject): Company[] {
  const id = asText(member(row, 'PrimaryKeyId'))
  return id !== null && /^\d+$/.test(id) ? [{ id, name: asText(member(row, 'CompanyName')) ?? '' }] : []
}

function isMeant({ id, name }: Company, wanted: string): boolean {
  return id === wanted.replace(/^0+/, '') || name.trim().toLowerCase() === wanted.trim().toLowerCase()
}

function companyFault(notice: string): Fault {
  return new Fault('settings', { code: 'uniconta.companies', field: 'uniconta.companies', notice })
}

export interface Catalogue {
  readonly tables: readonly UnicontaTable[]
  /** Tables that the login may not read in some company, told once: `GLTransClient in 4415`. */
  readonly leftOut: readonly string[]
}

export async function readCatalogue(
  api: UnicontaApi,
  companies: readonly Company[],
  chosen: readonly string[],
): Promise<Catalogue> {
  const offered = await offeredSets(api, companies)
  if (chosen.length === 0)
    return await readableOnly(
      api,
      usualSets.flatMap((name) => offered.find((set) => set.name === name) ?? []),
    )
  if (chosen.includes('*')) return await readableOnly(api, offered)
  const unknown = chosen.filter((wanted) => !offered.some((set) => isCalled(set, wanted)))
  if (unknown.length > 0)
    throw new Fault('settings', {
      code: 'uniconta.tables',
      field: 'uniconta.tables',
      notice: `Uniconta offers no table ${unknown.map((name) => `‘${name}’`).join(', ')} to this login. Correct the list of tables; names are those of Uniconta, such as GLTransClient.`,
    })
  return { tables: offered.filter((set) => chosen.some((wanted) => isCalled(set, wanted))).map(tableOf), leftOut: [] }
}

function isCalled({ name }: OfferedSet, wanted: string): boolean {
  const word = wanted.toLowerCase()
  return [name, `${name}User`, tableName(name)].some((called) => called.toLowerCase() === word)
}

async function offeredSets(api: UnicontaApi, companies: readonly Company[]): Promise<OfferedSet[]> {
  const offered = new Map<string, OfferedSet>()
  for (const { id } of companies)
    for (const { called, set } of withOwnFields(parseMetadata(await api.metadata(id))))
      offered.set(called, joined(offered.get(called), called, id, set))
  return [...offered.values()]
}

/** Of two sets that differ in the customer's own fields the fuller one, under the name of the other. */
function withOwnFields(sets: readonly EntitySet[]): { called: string; set: EntitySet }[] {
  const names = new Set(sets.map(({ name }) => name))
  return sets
    .filter(({ name }) => !names.has(`${name}User`))
    .map((set) => ({
      called: set.name.endsWith('User') && names.has(set.name.slice(0, -4)) ? set.name.slice(0, -4) : set.name,
      set,
    }))
}

function joined(before: OfferedSet | undefined, name: string, company: string, set: EntitySet): OfferedSet {
  const places = new Map([...(before?.places ?? []), [company, set.name]])
  return {
    name,
    places,
    properties: joinProperties(before?.properties ?? [], set.properties),
    declaredKey: before?.declaredKey ?? set.key,
  }
}

/** Own fields differ from company to company; one of the same name and another type holds text. */
function joinProperties(before: readonly Property[], more: readonly Property[]): Property[] {
  const met = before.map((property) => {
    const other = more.find(({ name }) => name === property.name)
    return other === undefined || isAlike(property, other) ? property : { ...plainText, name: property.name }
  })
  return [...met, ...more.filter(({ name }) => !before.some((property) => property.name === name))]
}

const plainText = {
  type: 'Edm.String',
  isList: false,
  maxLength: null,
  precision: null,
  scale: null,
  parts: [],
} as const

function isAlike(one: Property, other: Property): boolean {
  return (
    one.type === other.type &&
    one.isList === other.isList &&
    one.maxLength === other.maxLength &&
    one.scale === other.scale
  )
}

/** Asks for one row of each: what the login may not read is left out instead of failing run after run. */
async function readableOnly(api: UnicontaApi, sets: readonly OfferedSet[]): Promise<Catalogue> {
  const leftOut: string[] = []
  const waiting = sets.flatMap((set) => [...set.places].map(([company, place]) => ({ set, company, place })))
  const readable = new Map<string, Map<string, string>>()
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { set, company, place } = next
      if (await isReadable(api, company, place))
        readable.set(set.name, new Map([...(readable.get(set.name) ?? []), [company, place]]))
      else leftOut.push(`${set.name} in company ${company}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  const tables = sets.flatMap((set) => {
    const allowed = readable.get(set.name)
    const places = new Map([...set.places].filter(([company]) => allowed?.has(company)))
    return places.size === 0 ? [] : [tableOf({ ...set, places })]
  })
  if (tables.length > 0 || sets.length === 0) return { tables, leftOut: leftOut.toSorted() }
  throw new Fault('signIn', {
    code: noAccessCode,
    notice: 'The user may read none of the tables in Uniconta. Grant it the right to read them, or enter another user.',
  })
}

async function isReadable(api: UnicontaApi, company: string, set: string): Promise<boolean> {
  try {
    await api.pages({ company, set, query: { $top: '1' } }).next()
    return true
  } catch (error) {
    if (error instanceof Fault && (error.code === noAccessCode || error.code === notFoundCode)) return false
    throw error
  }
}
