/**
 * The OData feed of an organisation: `/odata/{organisation}/`, with the id of the organisation. It is read-only, and it reads the warehouse
 * under the login of the person who calls, so that PostgreSQL decides which tables and rows they get.
 */
import type { FastifyCompressOptions } from '@fastify/compress'
import { route } from '@tributary/contract/route'
import { pathParam } from '@tributary/contract/scope'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { describeTables } from '../../access/dictionary/describe-tables.ts'
import { tableAsOf } from '../../access/query/as-of.ts'
import type { TableModel } from '../../access/query/table-model.ts'
import { findWarehouse } from '../../access/warehouse/queries.ts'
import { readHistory } from '../../access/warehouse/read-history.ts'
import { withPersonConnection } from '../../access/query/person-connection.ts'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import { createCallGuard } from '../../identity/authorization/call-guard.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { createDisconnectSignal } from '../../kernel/http/bind.ts'
import { ownOrigin } from '../../kernel/http/own-origin.ts'
import { withinCall, withinOrganisation } from '../../kernel/http/call-span.ts'
import { answer, readRequest } from './answer.ts'
import { notImplemented } from './odata-error.ts'
import { replyWithError } from './reply/errors.ts'
import { negotiateVersion } from './reply/negotiate.ts'

/** Only what authorisation reads: the replies follow OData and not the contract. */
const feedRoute = route({
  method: 'GET',
  path: '/odata/:organisation',
  summary: 'Reads the OData feed of an organisation.',
  allow: 'signedIn',
  scope: pathParam('organisation', 'organisation'),
  tokenScopes: ['data.read'],
  takesBasic: true,
})

/** Fast rather than small: feeds are long, and their rows compress well at any level. */
const feedCompression: FastifyCompressOptions = { encodings: ['gzip'], threshold: 2_048, zlibOptions: { level: 1 } }

type FeedCall = FastifyRequest<{ Params: { readonly organisation: string } }>

export async function odataRoutes({ http, services }: AppRoutes): Promise<void> {
  await http.register(async (feed) => {
    feed.removeAllContentTypeParsers()
    // Bodies are never read: the feed only reads.
    feed.addContentTypeParser('*', (_request, body, done) => {
      body.resume()
      done(null)
    })
    feed.addHook('onRequest', async (_request, reply) => void reply.header('odata-version', '4.01'))
    feed.setErrorHandler<FastifyError>((error, _request, reply) => replyWithError(services, error, reply))
    for (const url of ['/odata/:organisation', '/odata/:organisation/*']) {
      feed.get(url, { exposeHeadRoute: false, compress: feedCompression }, (request: FeedCall, reply) =>
        withinCall(request, () => read(services, request, reply)),
      )
      feed.route({
        method: ['POST', 'PUT', 'PATCH', 'DELETE'],
        url,
        handler: (request, reply) => refuseChange(request, reply),
      })
    }
  })
}

async function read(services: AppServices, request: FeedCall, reply: FastifyReply): Promise<FastifyReply> {
  const { actor, organisationId } = await authorise(services, request)
  reply.header('odata-version', negotiateVersion(request.headers))
  const feedRequest = readRequest(request, ownOrigin(services.config, request), `/odata/${request.params.organisation}`)
  const stop = new AbortController()
  const disconnected = createDisconnectSignal(reply)
  disconnected.addEventListener('abort', () => stop.abort(disconnected.reason), { once: true })
  const reader = { organisationId, actor, signal: stop.signal }
  await withinOrganisation(request, organisationId, () =>
    withPersonConnection(services, reader, (client) =>
      answer(
        client,
        feedRequest,
        { reply, stop },
        {
          describe: (models) => describeTables(services, reader, models),
          readAsOf: (table, moment) => readTableAsOf(services, organisationId, table, moment),
        },
      ),
    ),
  ).catch((error: unknown) => {
    // What was begun has been cut off.
    if (!reply.sent) throw error
  })
  return reply
}

async function readTableAsOf(
  services: AppServices,
  organisationId: string,
  table: TableModel,
  moment: string,
): Promise<TableModel> {
  const warehouse = await services.store.within(organisationId, (db) => findWarehouse(db, organisationId))
  const history = warehouse === undefined ? undefined : await readHistory(services, warehouse, table)
  return tableAsOf(table, history, moment, services.clock)
}

/** Refuses a caller who is not a member of the organisation in the same way as an organisation that does not exist. */
async function authorise(
  services: AppServices,
  request: FeedCall,
): Promise<{ readonly actor: Actor; readonly organisationId: string }> {
  const guard = createCallGuard(services)
  const person = await guard.identify(feedRoute, request)
  await guard.requireOpen(feedRoute, person)
  const { params } = request
  const from = { address: request.ip, reference: request.id }
  const { actor, organisationId } = await guard.authorise(feedRoute, {
    person,
    params,
    query: {},
    body: undefined,
    from,
  })
  if (actor === null) throw new ApiFault('notSignedIn')
  // Without an id, a call is about the organisation of the session; a feed is always about the one in its address.
  if (organisationId === null || organisationId !== params.organisation.toLowerCase()) throw new ApiFault('notFound')
  return { actor, organisationId }
}

async function refuseChange(request: FastifyRequest, reply: FastifyReply): Promise<never> {
  const [path = ''] = request.url.split('?')
  const operation = /\/(\$batch|[^/]*\/?\$query)$/.exec(path)?.[1]
  if (operation !== undefined) throw notImplemented(operation, { target: operation })
  const allow = 'GET'
  reply.header('allow', allow)
  throw new ApiFault('methodNotAllowed', { values: { method: request.method, allow } })
}
