/** Generates the OpenAPI 3.1 description from the contract, so that the two cannot differ. */
import { capabilities, roleLevels, type Capability } from '@tributary/contract/capabilities'
import { FaultReply, faults, type FaultCode } from '@tributary/contract/faults'
import { parquetType, queryOf, type Route, workbookType, zipType } from '@tributary/contract/route'
import { routes } from '@tributary/contract/routes'
import { tokenPrefixes, tokenScopes } from '@tributary/contract/token-scopes'
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
type JsonContent = {
  readonly 'application/json': { readonly schema: OpenApiSchema }
  readonly 'text/html'?: { readonly schema: OpenApiSchema }
}
type FileContent = { readonly [type in NonNullable<Route['takes']>]: { readonly schema: OpenApiSchema } }
type TextContent = { readonly [type in NonNullable<Route['produces']>]?: { readonly schema: OpenApiSchema } }

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, OpenApiSchema>>; readonly securitySchemes: unknown }
}

export function describeApi(publicUrl: string): OpenApiDocument {
  const paths: Record<string, Record<string, OpenApiOperation>> = {}
  for (const [noun, ofNoun] of Object.entries(routes)) {
    for (const [name, route] of Object.entries<Route>(ofNoun)) {
      const path = pathTemplate(route)
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
      schemas: { Fault: toSchema(FaultReply, 'output') },
      securitySchemes: {
        session: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The accessToken that POST /auth/signin returns. It is valid for fifteen minutes.',
        },
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          description: `An access token for programs, made in the portal. It begins with ${Object.values(tokenPrefixes).join(' or ')}. Scopes: ${Object.entries(
            tokenScopes,
          )
            .map(([scope, what]) => `${scope}: ${what}`)
            .join(' ')}`,
        },
      },
    },
  }
}

const allPaths = Object.values(routes).flatMap((ofNoun) => Object.values<Route>(ofNoun).map(({ path }) => path))

/** OpenAPI treats paths that differ only in parameter names as identical. Such paths both name the parameter `id`. */
function parameterName(parameter: string, { path }: Pick<Route, 'path'>): string {
  const shape = path.replaceAll(/:\w+/gu, ':')
  const isShared = allPaths.some(
    (other) => other.replaceAll(/:\w+/gu, ':') === shape && !other.includes(`:${parameter}`),
  )
  return isShared ? 'id' : parameter
}

/** The path in OpenAPI's syntax, for example `/areas/{areaId}`. */
export function pathTemplate(route: Pick<Route, 'path'>): string {
  return route.path.replaceAll(/:(\w+)/gu, (_, parameter: string) => `{${parameterName(parameter, route)}}`)
}

const introduction =
  'Requests and responses are JSON. OPTIONS returns the methods of a path in `Allow`, an unsupported method gets 405, and HEAD works like GET unless the call changes something. Sign in with POST /auth/signin and send the access token as `Authorization: Bearer …`. ' +
  'Lists with page and pageSize return the total in the header X-Total-Count. Every error has the shape Fault: message is for people, code for programs, and reference identifies the entry in the server’s log. ' +
  'In maintenance mode, or while the database is unreachable, every call returns 503. ' +
  'The rows of an organisation’s warehouse are an OData feed at /odata/{organisation}/, outside this description: its $metadata describes it.'

const reauthentication =
  'Requires re-authentication within the last fifteen minutes: sign in, or call POST /me/proof. Otherwise the call returns proofNeeded and changes nothing.'

const secondFactor =
  'Requires a second factor that was confirmed in this session within the last fifteen minutes. Otherwise the call returns factorNeeded and changes nothing.'

function describeRoute(operationId: string, tag: string, route: Route): OpenApiOperation {
  return {
    operationId,
    tags: [tag],
    summary: route.summary,
    description: [
      describeAccess(route),
      ...(route.needsFreshProof === true ? [reauthentication] : []),
      ...(route.needsSecondFactor === true ? [secondFactor] : []),
      ...(route.allow === 'visitor' ? [] : [describeTokens(route)]),
    ].join(' '),
    security: describeSecurity(route),
    parameters: [
      ...describeParameters(route.params, 'path').map(({ name, ...one }) => ({
        ...one,
        name: parameterName(name, route),
      })),
      ...describeParameters(queryOf(route), 'query'),
    ],
    ...describeRequestBody(route),
    responses: { ...describeSuccess(route), ...describeFaults(route) },
  }
}

/** A session, or an access token with one of the scopes. */
function describeSecurity({ allow, tokenScopes: scopes = [] }: Route): OpenApiOperation['security'] {
  if (allow === 'visitor') return []
  return [{ session: [] }, ...scopes.map((scope) => ({ accessToken: [scope] }))]
}

function describeTokens({ tokenScopes: scopes }: Route): string {
  if (scopes === undefined) return 'Takes no access token.'
  return `Takes an access token with the scope ${scopes.join(' or ')}.`
}

function describeRequestBody({ body, takes }: Route): Pick<OpenApiOperation, 'requestBody'> {
  if (body !== undefined)
    return {
      requestBody: { required: !body.safeParse(undefined).success, content: jsonContent(toSchema(body, 'input')) },
    }
  if (takes === undefined) return {}
  // In OpenAPI 3.1 raw bytes have an empty schema.
  return { requestBody: { required: true, content: { [takes]: { schema: {} } } } }
}

function describeAccess({ allow }: Route): string {
  if (allow === 'visitor') return 'Public.'
  if (allow === 'signedIn') return 'For all signed-in users.'
  const level = capabilities[allow satisfies Capability]
  const names = Object.entries(roleLevels).filter(([, roleLevel]) => roleLevel <= level)
  return `For the roles ${names.map(([name]) => name).join(', ')}.`
}

function describeParameters(schema: z.ZodObject | undefined, where: 'path' | 'query'): OpenApiOperation['parameters'] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = toSchema(schema, 'input')
  return Object.entries(properties).map(([name, one]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: one as OpenApiSchema,
  }))
}

/** Descriptions of responses that are not JSON, for which OpenAPI 3.1 has no schema. */
const mediaTypeDescriptions = {
  'text/csv': 'A CSV file.',
  'text/event-stream': 'Server-sent events.',
  [workbookType]: 'An Excel workbook.',
  [parquetType]: 'A Parquet file.',
  [zipType]: 'A ZIP file.',
} as const

function describeSuccess({ hasPage, produces, reply, status = 200 }: Route): OpenApiOperation['responses'] {
  if (produces !== undefined)
    return {
      [status]: {
        description: mediaTypeDescriptions[produces],
        content: { [produces]: { schema: produces === 'text/csv' ? { type: 'string' } : {} } },
      },
    }
  if (reply === undefined) return { 204: { description: 'Done; no body.' } }
  const page = hasPage === true ? { 'text/html': { schema: { type: 'string' as const } } } : {}
  return { [status]: { description: 'Done.', content: { ...jsonContent(toSchema(reply, 'output')), ...page } } }
}

/** Combines the codes and messages of faults with the same status. */
function describeFaults(route: Route): OpenApiOperation['responses'] {
  const codes = new Set<FaultCode>([...(route.faults ?? []), ...listImpliedFaults(route)])
  const byStatus = Object.groupBy(codes, (code) => String(faults[code][0]))
  const entries = Object.entries(byStatus).map(([status, some = []]) => {
    const description = some.map((code) => `${code}: ${faults[code][1]}`).join('\n')
    return [status, { description, content: jsonContent({ $ref: '#/components/schemas/Fault' }) }] as const
  })
  return Object.fromEntries(entries)
}

/** The faults implied by a route's access, parameters, body and scope. */
function listImpliedFaults(route: Route): FaultCode[] {
  const { allow, allowsTemporaryPassword, body, changes, method, needsFreshProof, needsSecondFactor, params, scope } =
    route
  const isRead = method === 'GET'
  const kinds: readonly (readonly [FaultCode, boolean])[] = [
    ['badInput', body !== undefined || queryOf(route) !== undefined || params !== undefined],
    // Callers may send a body to a route that takes none.
    ['malformed', !isRead],
    ['tooDeep', !isRead],
    ['tooLarge', !isRead],
    ['notSignedIn', allow !== 'visitor'],
    ['otherSite', !isRead],
    ['passwordTemporary', allow !== 'visitor' && allowsTemporaryPassword !== true],
    ['notAllowed', allow !== 'visitor' && allow !== 'signedIn'],
    ['proofNeeded', needsFreshProof === true],
    ['factorNeeded', needsSecondFactor === true],
    ['tokenRefused', allow !== 'visitor' && route.tokenScopes === undefined],
    ['tokenScope', route.tokenScopes !== undefined],
    ['tokenExpired', allow !== 'visitor'],
    ['tokensOff', allow !== 'visitor'],
    ['notFound', scope !== 'none' || params !== undefined],
    ['organisationArchived', scope !== 'none' && (!isRead || changes === true)],
    ['tooMany', true],
    ['maintained', true],
    ['storeFull', true],
    ['unavailable', true],
  ]
  return kinds.flatMap(([code, isPossible]) => (isPossible ? [code] : []))
}

function jsonContent(schema: OpenApiSchema): JsonContent {
  return { 'application/json': { schema } }
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): OpenApiSchema {
  const override = io === 'input' ? addTextPattern : () => undefined
  const described = z.toJSONSchema(schema, { io, unrepresentable: 'any', override })
  delete described.$schema
  return described
}

/** Adds the rules for all texts that are sent: no U+0000, and not only whitespace if the text is trimmed and required. */
function addTextPattern({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: OpenApiSchema }): void {
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
  const isTrimmed = (checks ?? []).some(({ _zod: { def } }) => isTrimCheck(def))
  jsonSchema.pattern =
    isTrimmed && (jsonSchema.minLength ?? 0) > 0
      ? `^[^\\u0000]*[^\\u0000${trimmedCharacters}][^\\u0000]*$`
      : '^[^\\u0000]*$'
}

/** The characters that JavaScript's `trim` removes. */
const trimmedCharacters = String.raw`\t\n\u000B\f\r \u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF`

function isTrimCheck(def: z.core.$ZodCheckDef): boolean {
  return 'tx' in def && typeof def.tx === 'function' && (def.tx as (text: string) => string)(' ') === ''
}
