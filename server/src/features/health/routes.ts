/** For whoever watches over the process: alive, and able to work. Outside `/api`, without a session, in one word. */
import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { proveInstallation, installationProofPath } from '../../security/keys/installation-proof.ts'
import { readMigrations } from '../../kernel/migrations/migrate.ts'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import { metricsType } from '../../kernel/telemetry/metrics-port.ts'

export function healthRoutes({ http, services }: AppRoutes): void {
  http.get('/healthz', async () => ({ status: 'alive' }))
  installationRoute(http, services)

  if (services.config.metricsToken !== null) metricsRoute(http, services, services.config.metricsToken)

  const ours = readMigrations().map(({ name }) => name)
  let looking: Promise<Readiness> | null = null
  http.get('/readyz', async (_request, reply) => {
    // However many ask at once, the database is asked once.
    looking ??= readiness(services, ours).finally(() => (looking = null))
    const status = await looking
    if (status !== 'ready') reply.code(503).header('retry-after', '5')
    return { status }
  })
}

/** For `tributary doctor`, which asks at the public address whether it leads here, and what the proxy on the way passes on. */
function installationRoute(http: FastifyInstance, { serverKeys }: Pick<AppServices, 'serverKeys'>): void {
  http.get<{ Querystring: { readonly challenge?: unknown } }>(
    installationProofPath,
    async ({ query: { challenge }, headers }) => {
      if (typeof challenge !== 'string' || !/^[\w-]{20,64}$/u.test(challenge)) throw new ApiFault('notFound')
      return {
        proof: await proveInstallation(serverKeys, challenge),
        isForwarded: headers['x-forwarded-for'] !== undefined,
      }
    },
  )
}

type Readiness = 'ready' | 'draining' | 'disk' | 'database' | 'migrations' | 'queue'

/** The first thing that is in the way. */
async function readiness(
  { isDiskFull, lifecycle, store, queue }: AppServices,
  ours: readonly string[],
): Promise<Readiness> {
  if (lifecycle.isStopping) return 'draining'
  try {
    // Across: the question is whether the database answers at all. One that was put back to an older state lacks some.
    const { rows } = await store.across((db) => sql<{ name: string }>`select name from migration`.execute(db))
    const done = new Set(rows.map(({ name }) => name))
    if (ours.some((name) => !done.has(name))) return 'migrations'
  } catch {
    return isDiskFull() ? 'disk' : 'database'
  }
  return queue.check().then(
    () => 'ready',
    () => 'queue',
  )
}

function metricsRoute(http: FastifyInstance, { metrics }: Pick<AppServices, 'metrics'>, token: string): void {
  http.get('/metrics', async (request, reply) => {
    if (!isTold(request.headers.authorization, token)) throw new ApiFault('notSignedIn')
    return reply.type(metricsType).send(await metrics.text())
  })
}

function isTold(authorization: string | undefined, token: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer')
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`))
}
