/** Both ends of a PostgreSQL sync, opened through their front doors. */
import type { OpenSource, Properties } from '../ports/source.ts'
import { postgresSource } from '../databases/postgres/source/source.ts'
import type { OpenTarget } from '../ports/target.ts'
import { postgresTarget } from '../databases/postgres/target/target.ts'
import { surroundings } from './surroundings.ts'

export interface Ends extends AsyncDisposable {
  readonly source: OpenSource
  readonly target: OpenTarget
}

export async function openEnds(properties: Properties, signal: AbortSignal): Promise<Ends> {
  const source = await postgresSource.open(postgresSource.parse(properties), surroundings(signal))
  const target = await postgresTarget.open(postgresTarget.parse(properties), surroundings(signal))
  return {
    source,
    target,
    async [Symbol.asyncDispose]() {
      await source[Symbol.asyncDispose]()
      await target[Symbol.asyncDispose]()
    },
  }
}
