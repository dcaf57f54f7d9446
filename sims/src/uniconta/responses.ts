/** Answers requests to the simulated API: checks the sign-in, then permissions, then reads rows. */
import type { IncomingHttpHeaders } from 'node:http'
import { rowsOf } from './company.ts'
import type { SimulatedUnicontaCompany } from './company.ts'
import type { UnicontaEntitySet } from './entity-sets.ts'
import { writeMetadata } from './metadata.ts'
import { countOf, filterOf, orderOf, QueryError } from './query.ts'
import { writeJson } from './rows.ts'
import type { UnicontaRow } from './rows.ts'

export interface UnicontaWorld {
  readonly companies: readonly SimulatedUnicontaCompany[]
  readonly login: { readonly username: string; password: string }
  readonly forbidden: ReadonlySet<string>
  readonly pageSize: number
}

export interface UnicontaRequest {
  /** Null outside the API. */
  readonly path: string | null
  readonly url: URL
  readonly headers: IncomingHttpHeaders
}

export interface UnicontaResponse {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export function respondTo(world: UnicontaWorld, { path, url, headers }: UnicontaRequest): UnicontaResponse {
  if (path === null) return { status: 404, body: '<!DOCTYPE html><html><body>Not found</body></html>' }
  const user = authenticate(world, headers.authorization)
  if (user === null) return { status: 401, body: '', headers: { 'www-authenticate': 'Basic realm="Uniconta"' } }
  const [, id = user.company ?? world.companies[0]?.id, name = ''] = /^(?:(\d+)(?:\/|$))?(.*)$/.exec(path) ?? []
  const company = world.companies.find((each) => each.id === Number(id))
  if (company === undefined) return failure(404, 'The company is unknown.')
  const isJson = headers.accept?.includes('application/json') === true
  const isEvery = name === path && name === 'CompanyClient'
  return namedAnswer(world, { companies: isEvery ? world.companies : [company], name, url }, isJson)
}

interface SetRequest {
  readonly companies: readonly SimulatedUnicontaCompany[]
  readonly name: string
  readonly url: URL
}

function namedAnswer(world: UnicontaWorld, setRequest: SetRequest, isJson: boolean): UnicontaResponse {
  const sets = [...(setRequest.companies[0]?.sets.values() ?? [])]
  if (setRequest.name === '$metadata') return { status: 200, body: writeMetadata(sets) }
  if (!isJson) return { status: 200, body: '<?xml version="1.0"?><feed/>' }
  if (setRequest.name !== '') return setAnswer(world, setRequest)
  return json({ value: sets.map(({ name }) => ({ name, kind: 'EntitySet', url: name })) })
}

function setAnswer({ forbidden, pageSize }: UnicontaWorld, { companies, name, url }: SetRequest): UnicontaResponse {
  const set = companies[0]?.sets.get(name)
  if (set === undefined) return failure(404, `There is no entity set ${name}.`)
  if (forbidden.has(name.replace(/User$/, ''))) return failure(403, 'No access.')
  const rows = companies.flatMap((company) => rowsOf(company, name))
  return listAnswer(set, rows, url, pageSize)
}

/** Basic authentication, with or without the company before the user name. */
function authenticate({ login }: UnicontaWorld, authorization: string | undefined): { company: number | null } | null {
  const [scheme, encoded = ''] = (authorization ?? '').split(' ')
  const [given = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  const [, company, username] = /^(?:00(\d+)\/)?(.*)$/.exec(given) ?? []
  const isRight = scheme === 'Basic' && username === login.username && rest.join(':') === login.password
  return isRight ? { company: company === undefined ? null : Number(company) } : null
}

function listAnswer(set: UnicontaEntitySet, all: readonly UnicontaRow[], url: URL, pageSize: number): UnicontaResponse {
  const parameters = url.searchParams
  const option = (name: string): string | undefined => parameters.get(name) ?? undefined
  try {
    const filtered = all.filter(filterOf(option('$filter')))
    const order = orderOf(option('$orderby'))
    const ordered = order === null ? filtered : filtered.toSorted(order)
    const from = countOf(option('$skip'), 0)
    const until = Math.min(countOf(option('$top'), Infinity), ordered.length)
    const page = ordered.slice(from, Math.min(until, from + pageSize))
    const shown = shownProperties(set, option('$select'))
    const rows = page.map((row) => Object.fromEntries(shown.map((name) => [name, row[name] ?? null])))
    return json({ value: rows, ...(from + pageSize < until && { '@odata.nextLink': linkTo(url, from + pageSize) }) })
  } catch (error) {
    if (error instanceof QueryError) return failure(400, error.message)
    throw error
  }
}

function shownProperties({ name, properties }: UnicontaEntitySet, select: string | undefined): string[] {
  const names = properties.map((property) => property.name)
  if (select === undefined) return names
  const unknown = select.split(',').find((wanted) => !names.includes(wanted))
  if (unknown !== undefined) throw new QueryError(`${name} has no property ${unknown}.`)
  return select.split(',')
}

/** Uses another host than the request's, like a proxy that hides its own. */
function linkTo(url: URL, skip: number): string {
  const next = new URL(url.pathname + url.search, 'http://inside.uniconta.example')
  next.searchParams.set('$skip', String(skip))
  return next.href
}

function json(value: unknown): UnicontaResponse {
  return { status: 200, body: writeJson(value) }
}

function failure(status: number, message: string): UnicontaResponse {
  return { status, body: writeJson({ error: { code: String(status), message } }) }
}
