/** What the interface answers to a question: sign-in first, then rights, then rows. */
import type { IncomingHttpHeaders } from 'node:http'
import { rowsOf } from './company.ts'
import type { Company } from './company.ts'
import type { EntitySet } from './entity-sets.ts'
import { writeMetadata } from './metadata.ts'
import { countOf, filterOf, orderOf, QueryError } from './query.ts'
import { writeJson } from './rows.ts'
import type { Row } from './rows.ts'

export interface World {
  readonly companies: readonly Company[]
  readonly login: { readonly username: string; password: string }
  readonly forbidden: ReadonlySet<string>
  readonly pageSize: number
}

export interface Question {
  /** Null outside the interface. */
  readonly path: string | null
  readonly url: URL
  readonly headers: IncomingHttpHeaders
}

export interface Answer {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export function answerTo(world: World, { path, url, headers }: Question): Answer {
  if (path === null) return { status: 404, body: '<!DOCTYPE html><html><body>Not found</body></html>' }
  const user = signedIn(world, headers.authorization)
  if (user === null) return { status: 401, body: '', headers: { 'www-authenticate': 'Basic realm="Uniconta"' } }
  const [, id = user.company ?? world.companies[0]?.id, name = ''] = /^(?:(\d+)(?:\/|$))?(.*)$/.exec(path) ?? []
  const company = world.companies.find((each) => each.id === Number(id))
  if (company === undefined) return failure(404, 'The company is unknown.')
  const isJson = headers.accept?.includes('application/json') === true
  const isEvery = name === path && name === 'CompanyClient'
  return namedAnswer(world, { companies: isEvery ? world.companies : [company], name, url }, isJson)
}

interface Asked {
  readonly companies: readonly Company[]
  readonly name: string
  readonly url: URL
}

function namedAnswer(world: World, asked: Asked, isJson: boolean): Answer {
  const sets = [...(asked.companies[0]?.sets.values() ?? [])]
  if (asked.name === '$metadata') return { status: 200, body: writeMetadata(sets) }
  if (!isJson) return { status: 200, body: '<?xml version="1.0"?><feed/>' }
  if (asked.name !== '') return setAnswer(world, asked)
  return json({ value: sets.map(({ name }) => ({ name, kind: 'EntitySet', url: name })) })
}

function setAnswer({ forbidden, pageSize }: World, { companies, name, url }: Asked): Answer {
  const set = companies[0]?.sets.get(name)
  if (set === undefined) return failure(404, `There is no entity set ${name}.`)
  if (forbidden.has(name.replace(/User$/, ''))) return failure(403, 'No access.')
  const rows = companies.flatMap((company) => rowsOf(company, name))
  return listAnswer(set, rows, url, pageSize)
}

/** Basic, with the company in front of the user name or without. */
function signedIn({ login }: World, authorization: string | undefined): { company: number | null } | null {
  const [scheme, coded = ''] = (authorization ?? '').split(' ')
  const [given = '', ...rest] = Buffer.from(coded, 'base64').toString('utf8').split(':')
  const [, company, username] = /^(?:00(\d+)\/)?(.*)$/.exec(given) ?? []
  const isRight = scheme === 'Basic' && username === login.username && rest.join(':') === login.password
  return isRight ? { company: company === undefined ? null : Number(company) } : null
}

function listAnswer(set: EntitySet, all: readonly Row[], url: URL, pageSize: number): Answer {
  const asked = url.searchParams
  const option = (name: string): string | undefined => asked.get(name) ?? undefined
  try {
    const kept = all.filter(filterOf(option('$filter')))
    const order = orderOf(option('$orderby'))
    const ordered = order === null ? kept : kept.toSorted(order)
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

function shownProperties({ name, properties }: EntitySet, select: string | undefined): string[] {
  const names = properties.map((property) => property.name)
  if (select === undefined) return names
  const unknown = select.split(',').find((wanted) => !names.includes(wanted))
  if (unknown !== undefined) throw new QueryError(`${name} has no property ${unknown}.`)
  return select.split(',')
}

/** Under another host than was asked, as behind a proxy that does not tell its own. */
function linkTo(url: URL, skip: number): string {
  const next = new URL(url.pathname + url.search, 'http://inside.uniconta.example')
  next.searchParams.set('$skip', String(skip))
  return next.href
}

function json(value: unknown): Answer {
  return { status: 200, body: writeJson(value) }
}

function failure(status: number, message: string): Answer {
  return { status, body: writeJson({ error: { code: String(status), message } }) }
}
