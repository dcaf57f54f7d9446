/** Liveness, readiness and metrics of the process for monitoring, outside `/api` and without a session. */
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

  const expectedMigrations = readMigrations().map(({ name }) => name)
  let pendingCheck: Promise<Readiness> | null = null
  http.get('/readyz', async (_request, reply) => {
    // Concurrent requests share one check.
    pendingCheck ??= checkReadiness(services, expectedMigrations).finally(() => (pendingCheck = null))
    const status = await pendingCheck
    if (status !== 'ready') reply.code(503).header('retry-after', '5')
    return { status }
  })
}

/** For `tributary doctor`, which checks that the public address reaches this installation and that the proxy forwards addresses. */
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

/** Returns the first problem found, or `ready`. */
async function checkReadiness(
  { isDiskFull, lifecycle, store, queue }: AppServices,
  expectedMigrations: readonly string[],
): Promise<Readiness> {
  if (lifecycle.isStopping) return 'draining'
  try {
    // Across: this only checks that the database responds. A database restored from an older backup lacks migrations.
    const { rows } = await store.across((db) => sql<{ name: string }>`select name from migration`.execute(db))
    const applied = new Set(rows.map(({ name }) => name))
    if (expectedMigrations.some((name) => !applied.has(name))) return 'migrations'
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
    if (!hasToken(request.headers.authorization, token)) throw new ApiFault('notSignedIn')
    return reply.type(metricsType).send(await metrics.text())
  })
}

function hasToken(authorization: string | undefined, token: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer')
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`))
}
