/** Both ends of a sync of any kinds, opened through their front doors. */
import { sources, targets } from '@tributary/engine/registry'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import type { Ends } from './postgres-ends.ts'
import { surroundings } from '../sync/source-context.ts'

export interface Opening {
  readonly from: string
  readonly to: string
  readonly properties: ConnectorProperties
}

export async function openBoth({ from, to, properties }: Opening, signal: AbortSignal): Promise<Ends> {
  const sourceKind = sources.find(({ type }) => type === from)
  const targetKind = targets.find(({ kind }) => kind === to)
  if (sourceKind === undefined || targetKind === undefined) throw new Error(`There is no way from ${from} to ${to}.`)
  const source = await sourceKind.open(sourceKind.parse(properties), surroundings(signal))
  const target = await targetKind.open(targetKind.parse(properties), surroundings(signal))
  return {
    source,
    target,
    async [Symbol.asyncDispose]() {
      await source[Symbol.asyncDispose]()
      await target[Symbol.asyncDispose]()
    },
  }
}
