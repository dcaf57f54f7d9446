/** Receives content security policy reports of browsers. Logs only the violated directive, because the rest may hold secrets. */
import * as z from 'zod'
import { addressBlock } from '../../security/throttling/network-prefix.ts'
import type { AppRoutes } from '../../app-services.ts'
import { reportPath } from '../../kernel/pages/page-headers.ts'
import type { ThrottleLimit } from '../../security/throttling/throttle.ts'

const addressLimit: ThrottleLimit = { kind: 'policy report', free: 60, waitMs: 600_000, isShared: true }
const bodyLimit = 65_536

const Directive = z.string().regex(/^[a-z-]{1,40}$/u)
/** The formats of `report-uri` and of the Reporting API. */
const Reports = z.union([
  z
    .object({ 'csp-report': z.object({ 'effective-directive': Directive }) })
    .transform((one) => [one['csp-report']['effective-directive']]),
  z
    .array(z.object({ type: z.literal('csp-violation'), body: z.object({ effectiveDirective: Directive }) }))
    .max(20)
    .transform((many) => many.map(({ body }) => body.effectiveDirective)),
])

export async function cspReportRoutes({ http, services }: AppRoutes): Promise<void> {
  // Encapsulated, so that no other route accepts these content types.
  await http.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      ['application/csp-report', 'application/reports+json'],
      { parseAs: 'string', bodyLimit },
      (_, text, done) => done(null, parseJsonOrNull(String(text))),
    )
    scope.post(reportPath, async (request, reply) => {
      await services.throttle.attempt(addressLimit, addressBlock(request.ip))
      const reports = Reports.safeParse(request.body)
      for (const code of new Set(reports.data))
        services.log.warn('content security policy violation', { code, reference: request.id })
      return reply.code(204).send()
    })
  })
}

function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
