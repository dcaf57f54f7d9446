/** Opens source and target of a sync between PostgreSQL databases. */
import type { OpenSource, ConnectorProperties } from '@tributary/engine/ports/source'
import { postgresSource } from '@tributary/engine/databases/postgres/source/source'
import type { OpenTarget } from '@tributary/engine/ports/target'
import { postgresTarget } from '@tributary/engine/databases/postgres/target'
import { connectionContext } from '../sync/source-context.ts'

export interface Ends extends AsyncDisposable {
  readonly source: OpenSource
  readonly target: OpenTarget
}

export async function openEnds(properties: ConnectorProperties, signal: AbortSignal): Promise<Ends> {
  const source = await postgresSource.open(postgresSource.parse(properties), connectionContext(signal))
  const target = await postgresTarget.open(postgresTarget.parse(properties), connectionContext(signal))
  return {
    source,
    target,
    async [Symbol.asyncDispose]() {
      await source[Symbol.asyncDispose]()
      await target[Symbol.asyncDispose]()
    },
  }
}
