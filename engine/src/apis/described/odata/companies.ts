/** The companies of a login, and the ones that its settings choose. */
import { Fault } from '../../../ports/faults.ts'
import { asText } from '../../http/canonical-text.ts'
import type { RetryMode } from '../../http/client.ts'
import type { JsonObject } from '../../http/exact-json.ts'
import { readMember } from '../../http/fields.ts'
import { parseColumnType } from '../description/column-type.ts'
import type { ODataDescription } from '../description/schema-odata.ts'
import type { DescribedSettings } from '../settings.ts'
import type { ODataApi } from './api.ts'
import { hasCode, noAccess } from './faults.ts'

export interface ODataCompany {
  /** Empty if the service has no companies. */
  readonly id: string
  readonly name: string
}

type Companies = NonNullable<ODataDescription['companies']>

/** The configured companies, or all that the login sees. */
export async function listCompanies(
  api: ODataApi,
  settings: DescribedSettings,
  patience: RetryMode = 'patient',
): Promise<readonly ODataCompany[]> {
  const { companies } = api.description
  if (companies === undefined) return [{ id: '', name: '' }]
  const chosen = chosenCompanies(companies, settings)
  const seen = await readCompanies(api, companies, patience)
  const { title } = api.described
  const fault = (notice: string): Fault => companyFault(api, companies, notice)
  const unknown = chosen.find((requestedName) => !seen.some((company) => matchesCompany(company, requestedName)))
  if (unknown !== undefined)
    throw fault(`The login sees no company ‘${unknown}’ in ${title}. Enter the id or the name of one that it may read.`)
  const selected =
    chosen.length === 0 ? seen : seen.filter((company) => chosen.some((choice) => matchesCompany(company, choice)))
  if (selected.length === 0) throw fault(`The login sees no company in ${title}. Give the user the right to read one.`)
  // An accountant's login may see hundreds of companies, which should not be moved by accident.
  if (chosen.length === 0 && selected.length > companies.most)
    throw fault(`The login sees ${selected.length} companies in ${title}. Enter those to be moved, by id or name.`)
  return selected
}

/** Ids or names; empty: all companies that the login sees. */
function chosenCompanies({ setting, inUser }: Companies, { lists, values }: DescribedSettings): readonly string[] {
  const chosen = setting === undefined ? [] : (lists[setting] ?? [])
  if (chosen.length > 0 || inUser === undefined) return chosen
  const [, id] = new RegExp(inUser.pattern, 'u').exec(values[inUser.setting] ?? '') ?? []
  return id === undefined ? [] : [id]
}

async function readCompanies(api: ODataApi, companies: Companies, patience: RetryMode): Promise<ODataCompany[]> {
  const found: ODataCompany[] = []
  try {
    for await (const { rows, isRestart } of api.pages({ company: null, set: companies.set, patience, key: [] })) {
      if (isRestart) found.length = 0
      found.push(...rows.flatMap((row) => companyOf(companies, row)))
    }
    return found
  } catch (error) {
    // A login that cannot even list its companies has no access at all.
    const { described } = api
    if (!hasCode(error, described, ['no_access'])) throw error
    throw noAccess(
      described,
      `${described.title} knows the user but lets it read nothing. Ask your ${described.title} administrator for a server user that may read the company.`,
      error,
    )
  }
}

function companyOf({ id: idProperty, name, type }: Companies, row: JsonObject): ODataCompany[] {
  const id = asText(readMember(row, idProperty))
  const isNumber = parseColumnType(type)?.kind === 'integer'
  const fits = id !== null && (isNumber ? /^\d+$/.test(id) : id !== '')
  return fits ? [{ id, name: asText(readMember(row, name)) ?? '' }] : []
}

function matchesCompany({ id, name }: ODataCompany, requestedName: string): boolean {
  const wanted = requestedName.trim().toLowerCase()
  return id.toLowerCase() === wanted || id === requestedName.replace(/^0+/, '') || name.trim().toLowerCase() === wanted
}

function companyFault({ described: { code } }: ODataApi, { setting }: Companies, notice: string): Fault {
  const field = `${code}.${setting ?? 'address'}`
  return new Fault('settings', { code: `${code}.companies`, field, notice })
}
