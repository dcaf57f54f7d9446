/** Finds the companies and tables that a login can read, and selects the configured ones. */
import { Fault } from '../../ports/faults.ts'
import type { RetryMode } from '../http/client.ts'
import { asText } from '../http/canonical-text.ts'
import type { JsonObject } from '../http/exact-json.ts'
import { readMember } from '../http/fields.ts'
import { noAccessCode, notFoundCode, type UnicontaApi } from './api.ts'
import { type EdmEntitySet, type EdmProperty, parseMetadata } from './edmx.ts'
import { defaultSets } from './known-entity-sets.ts'
import type { UnicontaSettings } from './settings.ts'
import { companySet, type MergedEntitySet, tableName, tableOf, type UnicontaTable } from './tables.ts'

export interface UnicontaCompany {
  readonly id: string
  readonly name: string
}

/** An accountant's login may see hundreds of companies, which should not be moved by accident. */
const companiesMax = 25
const atOnce = 3

/** The configured companies, or all that the login sees. */
export async function listCompanies(
  api: UnicontaApi,
  { companies: chosen }: UnicontaSettings,
  patience?: RetryMode,
): Promise<UnicontaCompany[]> {
  const seen = await readCompanies(api, patience)
  const unknown = chosen.find((requestedName) => !seen.some((company) => matchesCompany(company, requestedName)))
  if (unknown !== undefined)
    throw companyFault(
      `The login sees no company ‘${unknown}’ in Uniconta. Enter the id or the name of one that it may read.`,
    )
  const selected =
    chosen.length === 0 ? seen : seen.filter((company) => chosen.some((choice) => matchesCompany(company, choice)))
  if (selected.length === 0)
    throw companyFault('The login sees no company in Uniconta. Give the user the right to read one.')
  if (chosen.length === 0 && selected.length > companiesMax)
    throw companyFault(
      `The login sees ${selected.length} companies in Uniconta. Enter those to be moved, by id or name.`,
    )
  return selected
}

async function readCompanies(api: UnicontaApi, patience: RetryMode = 'patient'): Promise<UnicontaCompany[]> {
  const companies: UnicontaCompany[] = []
  try {
    for await (const page of api.pages({ company: null, set: companySet, patience }))
      companies.push(...page.flatMap(parseCompany))
    return companies
  } catch (error) {
    // A login that cannot even list its companies has no access at all.
    if (error instanceof Fault && error.code === noAccessCode)
      throw new Fault('signIn', {
        code: noAccessCode,
        notice:
          'Uniconta knows the user but lets it read nothing. Ask your Uniconta administrator for a server user that may read the company.',
        cause: error,
      })
    throw error
  }
}

function parseCompany(row: JsonObject): UnicontaCompany[] {
  const id = asText(readMember(row, 'PrimaryKeyId'))
  return id !== null && /^\d+$/.test(id) ? [{ id, name: asText(readMember(row, 'CompanyName')) ?? '' }] : []
}

function matchesCompany({ id, name }: UnicontaCompany, requestedName: string): boolean {
  return id === requestedName.replace(/^0+/, '') || name.trim().toLowerCase() === requestedName.trim().toLowerCase()
}

function companyFault(notice: string): Fault {
  return new Fault('settings', { code: 'uniconta.companies', field: 'uniconta.companies', notice })
}

export interface UnicontaCatalogue {
  readonly tables: readonly UnicontaTable[]
  /** Tables that the login may not read in some company, reported once: `GLTransClient in 4415`. */
  readonly leftOut: readonly string[]
}

export async function readCatalogue(
  api: UnicontaApi,
  companies: readonly UnicontaCompany[],
  chosen: readonly string[],
): Promise<UnicontaCatalogue> {
  const offered = await offeredSets(api, companies)
  if (chosen.length === 0)
    return await readableOnly(
      api,
      defaultSets.flatMap((name) => offered.find((set) => set.name === name) ?? []),
    )
  if (chosen.includes('*')) return await readableOnly(api, offered)
  const unknown = chosen.filter((requestedName) => !offered.some((set) => matchesSet(set, requestedName)))
  if (unknown.length > 0)
    throw new Fault('settings', {
      code: 'uniconta.tables',
      field: 'uniconta.tables',
      notice: `Uniconta offers no table ${unknown.map((name) => `‘${name}’`).join(', ')} to this login. Correct the list of tables; names are those of Uniconta, such as GLTransClient.`,
    })
  return {
    tables: offered.filter((set) => chosen.some((requestedName) => matchesSet(set, requestedName))).map(tableOf),
    leftOut: [],
  }
}

function matchesSet({ name }: MergedEntitySet, requestedName: string): boolean {
  const word = requestedName.toLowerCase()
  return [name, `${name}User`, tableName(name)].some((called) => called.toLowerCase() === word)
}

async function offeredSets(api: UnicontaApi, companies: readonly UnicontaCompany[]): Promise<MergedEntitySet[]> {
  const offered = new Map<string, MergedEntitySet>()
  for (const { id } of companies)
    for (const { called, set } of withOwnFields(parseMetadata(await api.metadata(id))))
      offered.set(called, mergeSet(offered.get(called), called, id, set))
  return [...offered.values()]
}

/** If two sets differ only in the customer's own fields, keeps the fuller one under the other's name. */
function withOwnFields(sets: readonly EdmEntitySet[]): { called: string; set: EdmEntitySet }[] {
  const names = new Set(sets.map(({ name }) => name))
  return sets
    .filter(({ name }) => !names.has(`${name}User`))
    .map((set) => ({
      called: set.name.endsWith('User') && names.has(set.name.slice(0, -4)) ? set.name.slice(0, -4) : set.name,
      set,
    }))
}

function mergeSet(
  before: MergedEntitySet | undefined,
  name: string,
  company: string,
  set: EdmEntitySet,
): MergedEntitySet {
  const setNames = new Map([...(before?.setNames ?? []), [company, set.name]])
  return {
    name,
    setNames,
    properties: mergeProperties(before?.properties ?? [], set.properties),
    declaredKey: before?.declaredKey ?? set.key,
  }
}

/** Customers' own fields differ between companies. A field whose types differ becomes text. */
function mergeProperties(before: readonly EdmProperty[], more: readonly EdmProperty[]): EdmProperty[] {
  const met = before.map((property) => {
    const other = more.find(({ name }) => name === property.name)
    return other === undefined || isSameType(property, other) ? property : { ...plainText, name: property.name }
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

function isSameType(one: EdmProperty, other: EdmProperty): boolean {
  return (
    one.type === other.type &&
    one.isList === other.isList &&
    one.maxLength === other.maxLength &&
    one.scale === other.scale
  )
}

/** Requests one row of each set. Unreadable sets are left out, instead of failing every run. */
async function readableOnly(api: UnicontaApi, sets: readonly MergedEntitySet[]): Promise<UnicontaCatalogue> {
  const leftOut: string[] = []
  const waiting = sets.flatMap((set) => [...set.setNames].map(([company, setName]) => ({ set, company, setName })))
  const readable = new Map<string, Map<string, string>>()
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { set, company, setName } = next
      if (await isReadable(api, company, setName))
        readable.set(set.name, new Map([...(readable.get(set.name) ?? []), [company, setName]]))
      else leftOut.push(`${set.name} in company ${company}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  const tables = sets.flatMap((set) => {
    const allowed = readable.get(set.name)
    const setNames = new Map([...set.setNames].filter(([company]) => allowed?.has(company)))
    return setNames.size === 0 ? [] : [tableOf({ ...set, setNames })]
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
