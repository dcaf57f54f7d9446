/** Opens source and target of a sync by type, through the registry. */
import { sources, targets } from '@tributary/engine/registry'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import type { Ends } from './postgres-ends.ts'
import { connectionContext } from '../sync/source-context.ts'

export interface EndsToOpen {
  readonly from: string
  readonly to: string
  readonly properties: ConnectorProperties
}

export async function openBoth({ from, to, properties }: EndsToOpen, signal: AbortSignal): Promise<Ends> {
  const sourceKind = sources.find(({ type }) => type === from)
  const targetKind = targets.find(({ kind }) => kind === to)
  if (sourceKind === undefined || targetKind === undefined)
    throw new Error(`There is no source ${from} or no target ${to}.`)
  const source = await sourceKind.open(sourceKind.parse(properties), connectionContext(signal))
  const target = await targetKind.open(targetKind.parse(properties), connectionContext(signal))
  return {
    source,
    target,
    async [Symbol.asyncDispose]() {
      await source[Symbol.asyncDispose]()
      await target[Symbol.asyncDispose]()
    },
  }
}
