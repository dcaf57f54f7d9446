/** The sign-in of people at a described source by OAuth 2: who they are, and which companies they reach. */
import type { AuthorisingPerson, OAuthProvider, Tenant, TenantRequest } from '../../ports/oauth.ts'
import { asText } from '../http/canonical-text.ts'
import type { ExactJson, JsonObject } from '../http/exact-json.ts'
import { OriginAgent } from '../http/exchange.ts'
import { isObject } from '../http/fields.ts'
import { companiesUnreachable, getWithToken } from '../http/token-json.ts'
import { fillPlaceholders, placeholdersIn } from './description/placeholders.ts'
import type { DescriptionParts } from './description/schema.ts'
import type { CodeSignIn } from './description/schema-sign-in.ts'
import { pointerReader } from './pointer.ts'

const dayMs = 86_400_000

/** Undefined if connectors of the source have credentials instead. */
export function oauthOf(description: DescriptionParts): OAuthProvider | undefined {
  const { signIn, title, base } = description
  if (signIn.kind !== 'oauthCode') return undefined
  return {
    title,
    addresses: { authorise: signIn.authorise, token: signIn.token, api: base },
    scopes: signIn.scopes,
    machineScopes: [],
    refreshTokenMs: signIn.refreshTokenDays * dayMs,
    refreshTokenReuseMs: signIn.refreshTokenReuseSeconds * 1_000,
    ...(signIn.renewSecondsBefore !== undefined && { renewBeforeMs: signIn.renewSecondsBefore * 1_000 }),
    clientIn: signIn.clientIn,
    ...(signIn.parameters !== undefined && { parameters: signIn.parameters }),
    ...(signIn.companyParameter !== undefined && { companyParameter: signIn.companyParameter }),
    person: { read: (request) => readPerson(description, signIn, request) },
    tenants: async (request) => (await listCompanies(description, signIn, request)).map(({ tenant }) => tenant),
    consentIdOf: () => null,
  }
}

/** @throws Fault `signIn` if the sign-in is not for the company that the callback names */
async function readPerson(
  description: DescriptionParts,
  signIn: CodeSignIn,
  request: TenantRequest,
): Promise<AuthorisingPerson> {
  const { id, name, email } = signIn.person
  const reply = await getReply(description, ofCompany(signIn, signIn.person, request), request)
  const person = signIn.companyParameter === undefined ? textAt(reply, id) : request.consentId
  if (person === null) throw companiesUnreachable(namesOf(description), new Error(`${id} does not name the person.`))
  return { id: person, name: textAt(reply, name), emailAddress: textAt(reply, email) }
}

/** The call with the company of the sign-in, if it is for one. */
function ofCompany<DescribedCall extends { readonly path: string }>(
  { companyParameter }: CodeSignIn,
  call: DescribedCall,
  { consentId }: Pick<TenantRequest, 'consentId'>,
): DescribedCall {
  if (companyParameter === undefined || consentId === null) return call
  const fill = (name: string): string | undefined => (name === 'company' ? encodeURIComponent(consentId) : undefined)
  return { ...call, path: fillPlaceholders(call.path, fill) }
}

export interface DescribedCompany {
  readonly tenant: Tenant
  /** The base address of the company, if each has its own. */
  readonly address: string | null
}

/** @throws Fault `signIn` or `passing` */
export async function listCompanies(
  description: DescriptionParts,
  signIn: CodeSignIn,
  request: TenantRequest,
): Promise<readonly DescribedCompany[]> {
  const { companyParameter, person } = signIn
  // Only a sign-in that has just ended knows its company.
  if (companyParameter !== undefined && request.consentId === null) return []
  const companies = ofCompany(signIn, signIn.companies, request)
  const values = placeholdersIn(companies.path).length === 0 ? {} : await personValues(description, person, request)
  const path = fillPlaceholders(companies.path, (name) =>
    values[name] === undefined ? undefined : encodeURIComponent(values[name]),
  )
  const reply = await getReply(description, { ...companies, path }, request)
  const list = pointerReader(companies.records)(reply)
  const records = Array.isArray(list) ? (list as readonly ExactJson[]).filter(isObject) : isObject(list) ? [list] : null
  if (records === null)
    throw companiesUnreachable(namesOf(description), new Error(`${companies.records} has no list of companies.`))
  const known = companyParameter === undefined ? null : request.consentId
  return records.flatMap((record) => companyOf(companies, record, known))
}

function companyOf(
  companies: CodeSignIn['companies'],
  record: JsonObject,
  known: string | null,
): readonly DescribedCompany[] {
  const id = known ?? textAt(record, companies.id)
  if (id === null || id === '') return []
  const tenant = {
    id,
    name: textAt(record, companies.name) ?? id,
    country: textAt(record, companies.country),
    currency: textAt(record, companies.currency),
    connectionId: null,
  }
  return [{ tenant, address: textAt(record, companies.address) }]
}

async function personValues(
  description: DescriptionParts,
  person: CodeSignIn['person'],
  request: TenantRequest,
): Promise<Readonly<Record<string, string>>> {
  const reply = await getReply(description, person, request)
  const values = Object.entries(person.values ?? {}).flatMap(([name, pointer]) => {
    const value = textAt(reply, pointer)
    return value === null ? [] : [[name, value] as const]
  })
  return Object.fromEntries(values)
}

async function getReply(
  description: DescriptionParts,
  { path, query = {} }: Pick<CodeSignIn['companies'], 'path' | 'query'>,
  request: TenantRequest,
): Promise<ExactJson> {
  const base = new URL(request.addresses.api)
  const url = new URL(path, base)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
  const agent = new OriginAgent(base, request.network, request.signal)
  try {
    return await getWithToken(agent, request, { ...namesOf(description), url })
  } finally {
    agent.destroy()
  }
}

function namesOf({ title, type }: DescriptionParts): { readonly title: string; readonly code: string } {
  return { title, code: type }
}

function textAt(node: ExactJson, pointer: string | undefined): string | null {
  const value = pointer === undefined ? null : (pointerReader(pointer)(node) ?? null)
  return value === null ? null : asText(value)
}
