/** OpenAPI 3.1, drawn from the contract, so that it cannot say anything else. */
import { capabilities, roleLevels, type Capability } from '@tributary/contract/capabilities'
import { FaultReply, faults, type FaultCode } from '@tributary/contract/faults'
import { queryOf, type Route, workbookType } from '@tributary/contract/route'
import { routes } from '@tributary/contract/routes'
import * as z from 'zod'

type OpenApiSchema = z.core.JSONSchema.BaseSchema

export interface OpenApiOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security: readonly Record<string, readonly string[]>[]
  readonly parameters: readonly {
    readonly name: string
    readonly in: 'path' | 'query'
    readonly required: boolean
    readonly schema: OpenApiSchema
  }[]
  readonly requestBody?: { readonly required: boolean; readonly content: JsonContent | FileContent }
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: JsonContent | TextContent }>
  >
}
type JsonContent = { readonly 'application/json': { readonly schema: OpenApiSchema } }
type FileContent = { readonly [type in NonNullable<Route['takes']>]: { readonly schema: OpenApiSchema } }
type TextContent = { readonly [type in NonNullable<Route['produces']>]?: { readonly schema: OpenApiSchema } }

export interface ApiDescription {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, OpenApiSchema>>; readonly securitySchemes: unknown }
}

export function describeApi(publicUrl: string): ApiDescription {
  const paths: Record<string, Record<string, OpenApiOperation>> = {}
  for (const [noun, ofNoun] of Object.entries(routes)) {
    for (const [name, route] of Object.entries<Route>(ofNoun)) {
      const path = templateOf(route)
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(`${noun}.${name}`, noun, route) }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Tributary', version: '1', description: introduction },
    servers: [{ url: `${publicUrl}/api` }],
    tags: Object.keys(routes).map((name) => ({ name })),
    paths,
    components: {
      schemas: { Fault: schemaOf(FaultReply, 'output') },
      securitySchemes: {
        session: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The accessToken that POST /auth/signin answers; it lasts fifteen minutes.',
        },
      },
    },
  }
}

const everyPath = Object.values(routes).flatMap((ofNoun) => Object.values<Route>(ofNoun).map(({ path }) => path))

/** OpenAPI takes two paths that differ only in what they call a parameter for one; there both call it `id`. */
function nameOf(parameter: string, { path }: Pick<Route, 'path'>): string {
  const shape = path.replaceAll(/:\w+/gu, ':')
  const isShared = everyPath.some(
    (other) => other.replaceAll(/:\w+/gu, ':') === shape && !other.includes(`:${parameter}`),
  )
  return isShared ? 'id' : parameter
}

/** The path as OpenAPI writes it. */
export function templateOf(route: Pick<Route, 'path'>): string {
  return route.path.replaceAll(/:(\w+)/gu, (_, parameter: string) => `{${nameOf(parameter, route)}}`)
}

const introduction =
  'Every call takes and gives JSON. A path answers OPTIONS with the methods that it takes in `Allow`, another method with 405; HEAD answers as GET, unless the call changes something. Sign in with POST /auth/signin and send the access token as `Authorization: Bearer …`. ' +
  'Lists that take page and pageSize tell the total in the header X-Total-Count. Every failure has the shape Fault: message is for people, code for programs, reference leads to the server’s log. ' +
  'While the provider maintains Tributary, or its database cannot be reached, every call answers 503.'

const freshProof =
  'Asks for a proof of who one is that is at most fifteen minutes old: signing in is one, and POST /me/proof gives another. Without it the call answers proofNeeded and changes nothing.'

function describeRoute(operationId: string, tag: string, route: Route): OpenApiOperation {
  return {
    operationId,
    tags: [tag],
    summary: route.summary,
    description: [whoMay(route), ...(route.needsFreshProof === true ? [freshProof] : [])].join(' '),
    security: route.allow === 'visitor' ? [] : [{ session: [] }],
    parameters: [
      ...parametersOf(route.params, 'path').map(({ name, ...one }) => ({ ...one, name: nameOf(name, route) })),
      ...parametersOf(queryOf(route), 'query'),
    ],
    ...requestBodyOf(route),
    responses: { ...successOf(route), ...faultsOf(route) },
  }
}

function requestBodyOf({ body, takes }: Route): Pick<OpenApiOperation, 'requestBody'> {
  if (body !== undefined)
    return { requestBody: { required: !body.safeParse(undefined).success, content: json(schemaOf(body, 'input')) } }
  if (takes === undefined) return {}
  // OpenAPI 3.1: bytes as they are have no schema to tell.
  return { requestBody: { required: true, content: { [takes]: { schema: {} } } } }
}

function whoMay({ allow }: Route): string {
  if (allow === 'visitor') return 'Open to everybody.'
  if (allow === 'signedIn') return 'For everybody who is signed in.'
  const level = capabilities[allow satisfies Capability]
  const names = Object.entries(roleLevels).filter(([, roleLevel]) => roleLevel <= level)
  return `For the roles ${names.map(([name]) => name).join(', ')}.`
}

function parametersOf(schema: z.ZodObject | undefined, where: 'path' | 'query'): OpenApiOperation['parameters'] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input')
  return Object.entries(properties).map(([name, one]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: one as OpenApiSchema,
  }))
}

/** OpenAPI 3.1 has no schema for events, nor for bytes as they are. */
const described = {
  'text/csv': 'Done, as a file.',
  'text/event-stream': 'Server-sent events, as things happen.',
  [workbookType]: 'Done, as a workbook of Excel.',
} as const

function successOf({ produces, reply, status = 200 }: Route): OpenApiOperation['responses'] {
  if (produces !== undefined)
    return {
      [status]: {
        description: described[produces],
        content: { [produces]: { schema: produces === 'text/csv' ? { type: 'string' } : {} } },
      },
    }
  if (reply === undefined) return { 204: { description: 'Done; no body.' } }
  return { [status]: { description: 'Done.', content: json(schemaOf(reply, 'output')) } }
}

/** Several faults may share a status: their codes and sentences are told together. */
function faultsOf(route: Route): OpenApiOperation['responses'] {
  const codes = new Set<FaultCode>([...(route.faults ?? []), ...faultsOfItsKind(route)])
  const byStatus = Object.groupBy(codes, (code) => String(faults[code][0]))
  const told = Object.entries(byStatus).map(([status, some = []]) => {
    const description = some.map((code) => `${code}: ${faults[code][1]}`).join('\n')
    return [status, { description, content: json({ $ref: '#/components/schemas/Fault' }) }] as const
  })
  return Object.fromEntries(told)
}

/** What it can answer by who may, by what it takes and by what it is about. */
function faultsOfItsKind(route: Route): FaultCode[] {
  const { allow, allowsTemporaryPassword, body, changes, method, needsFreshProof, params, scope } = route
  const isRead = method === 'GET'
  const kinds: readonly (readonly [FaultCode, boolean])[] = [
    ['badInput', body !== undefined || queryOf(route) !== undefined || params !== undefined],
    // A body may come along where none is taken.
    ['malformed', !isRead],
    ['tooDeep', !isRead],
    ['tooLarge', !isRead],
    ['notSignedIn', allow !== 'visitor'],
    ['otherSite', !isRead],
    ['passwordTemporary', allow !== 'visitor' && allowsTemporaryPassword !== true],
    ['notAllowed', allow !== 'visitor' && allow !== 'signedIn'],
    ['proofNeeded', needsFreshProof === true],
    ['notFound', scope !== 'none' || params !== undefined],
    ['organisationArchived', scope !== 'none' && (!isRead || changes === true)],
    ['tooMany', true],
    ['maintained', true],
    ['storeFull', true],
    ['unavailable', true],
  ]
  return kinds.flatMap(([code, isPossible]) => (isPossible ? [code] : []))
}

function json(schema: OpenApiSchema): JsonContent {
  return { 'application/json': { schema } }
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): OpenApiSchema {
  const override = io === 'input' ? describeText : () => undefined
  const described = z.toJSONSchema(schema, { io, unrepresentable: 'any', override })
  delete described.$schema
  return described
}

/** What holds of every text that is sent: none has U+0000, and one that is trimmed and must not be empty has more than blanks. */
function describeText({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: OpenApiSchema }): void {
  const {
    _zod: {
      def: { checks },
    },
  } = zodSchema
  if (
    jsonSchema.type !== 'string' ||
    jsonSchema.pattern !== undefined ||
    jsonSchema.enum !== undefined ||
    jsonSchema.const !== undefined
  )
    return
  const isTrimmed = (checks ?? []).some(({ _zod: { def } }) => trims(def))
  jsonSchema.pattern =
    isTrimmed && (jsonSchema.minLength ?? 0) > 0 ? `^[^\\u0000]*[^\\u0000${blanks}][^\\u0000]*$` : '^[^\\u0000]*$'
}

/** What JavaScript trims. */
const blanks = String.raw`\t\n\u000B\f\r \u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF`

function trims(def: z.core.$ZodCheckDef): boolean {
  return 'tx' in def && typeof def.tx === 'function' && (def.tx as (text: string) => string)(' ') === ''
}
