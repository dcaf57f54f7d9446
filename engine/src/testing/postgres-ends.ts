/** Both ends of a PostgreSQL sync, opened through their front doors. */
import type { OpenSource, Properties } from '../source.ts'
import { postgresSource } from '../sources/postgres/source.ts'
import type { OpenTarget } from '../target.ts'
import { postgresTarget } from '../targets/postgres/target.ts'
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
