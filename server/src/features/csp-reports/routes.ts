/** Where browsers tell that a page tried what its policy forbids. Only which rule it was is kept: the rest may hold secrets. */
import * as z from 'zod'
import { addressBlock } from '../../security/throttling/network-prefix.ts'
import type { AppRoutes } from '../../app-services.ts'
import { reportPath } from '../../kernel/pages/page-headers.ts'
import type { ThrottleLimit } from '../../security/throttling/throttle.ts'

const perAddress: ThrottleLimit = {
  kind: 'policy report',
  free: 60,
  waitMs: 600_000,
  waitMaxMs: 600_000,
  windowMs: 600_000,
  isShared: true,
}
const bodyLimit = 65_536

const Rule = z.string().regex(/^[a-z-]{1,40}$/u)
/** The one shape is of `report-uri`, the other of the Reporting API. */
const Reports = z.union([
  z
    .object({ 'csp-report': z.object({ 'effective-directive': Rule }) })
    .transform((one) => [one['csp-report']['effective-directive']]),
  z
    .array(z.object({ type: z.literal('csp-violation'), body: z.object({ effectiveDirective: Rule }) }))
    .max(20)
    .transform((many) => many.map(({ body }) => body.effectiveDirective)),
])

export async function policyReportRoutes({ http, services }: AppRoutes): Promise<void> {
  // In a scope of its own: no other call may be sent as these types.
  await http.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      ['application/csp-report', 'application/reports+json'],
      { parseAs: 'string', bodyLimit },
      (_, text, done) => done(null, parseOrNothing(String(text))),
    )
    scope.post(reportPath, async (request, reply) => {
      await services.throttle.attempt(perAddress, addressBlock(request.ip))
      const reports = Reports.safeParse(request.body)
      for (const code of new Set(reports.data))
        services.log.warn('a page tried what its policy forbids', { code, reference: request.id })
      return reply.code(204).send()
    })
  })
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
