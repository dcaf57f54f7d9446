/** Opens the source of a connector: one, or those of several companies as one. */
import { combineCompanies } from '@tributary/engine/companies/combine-companies'
import type { OpenSource, ConnectorProperties, ConnectionContext } from '@tributary/engine/ports/source'
import type { SourceCredentials } from '../oauth/oauth.ts'
import { requireSource } from './connector-types.ts'

interface ConnectorSource {
  readonly type: string
  readonly settings: ConnectorProperties
  readonly lent: SourceCredentials
  readonly log: (line: string) => void
}

export async function openSource(
  { type, settings, lent, log }: ConnectorSource,
  around: ConnectionContext,
): Promise<OpenSource> {
  const source = requireSource(type)
  const open = async ({ properties, context }: SourceCredentials): Promise<OpenSource> =>
    source.open(source.parse({ ...settings, ...properties }), { ...around, ...context })
  if (lent.companies === undefined) return open(lent)
  const { chosen, kept } = lent.companies
  return await combineCompanies({
    companies: chosen.map(({ provide, ...company }) => ({ ...company, open: async () => open(provide()) })),
    kept,
    log,
    signal: around.signal,
  })
}
