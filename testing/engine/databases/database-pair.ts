/** A source and a target of any database kinds, with one connector between them. */
import { randomUUID } from 'node:crypto'
import type { SyncOutcome, SyncRunRequest } from '@tributary/engine/sync/sync-request'
import { sync } from '@tributary/engine/sync/run'
import type { StreamVerification, VerifyRequest } from '@tributary/engine/ports/verification'
import { verify } from '@tributary/engine/verify/verify'
import type { TableRules } from '@tributary/engine/ports/table-rules'
import { applyTableRules } from '@tributary/engine/table-rules/ruled-source'
import { openBoth } from './both-ends.ts'
import { type DatabaseEnd, type EndKind, makeEnd } from './database-ends.ts'
import { realClock } from '../sync/source-context.ts'

/** Keys the hashes of masked columns. */
export const testSecret = Buffer.from('the secret of a test')

export interface DatabasePair extends AsyncDisposable {
  readonly source: DatabaseEnd
  readonly target: DatabaseEnd
  /** Log lines of all runs. */
  readonly logLines: string[]
  /** Rules of the tables, by name of the stream, for all runs and verifications from now on. */
  readonly rules: Map<string, TableRules>
  /** @param properties connection properties that replace the defaults */
  run(request?: Partial<SyncRunRequest>, properties?: Readonly<Record<string, unknown>>): Promise<SyncOutcome>
  /** Verifies the streams and returns what was reported, in that order. @param properties as for `run` */
  verify(
    request?: Partial<VerifyRequest>,
    properties?: Readonly<Record<string, unknown>>,
  ): Promise<readonly StreamVerification[]>
}

/** @param statements SQL that creates and fills the tables of the source */
export async function makeDatabasePair(
  from: EndKind,
  to: EndKind,
  statements: readonly string[],
): Promise<DatabasePair> {
  const source = await makeEnd(from, 'source')
  const target = await makeEnd(to, 'target')
  for (const statement of statements) await source.run(statement)
  await source.settle()
  const connectorId = randomUUID()
  const logLines: string[] = []
  let fence = 0
  const { signal } = new AbortController()
  const log = (line: string): void => void logLines.push(line)
  const newWriter = () => ({ connectorId, runId: randomUUID(), fence: ++fence })
  const rules = new Map<string, TableRules>()
  const open = async (properties: Readonly<Record<string, unknown>>) => {
    const all = { ...source.properties, ...target.properties, ...properties }
    const ends = await openBoth({ from, to, properties: all }, signal)
    return { ...ends, source: applyTableRules(ends.source, { rules, secret: testSecret, log }) }
  }
  return {
    source,
    target,
    logLines,
    rules,
    async run(request = {}, properties = {}) {
      await using ends = await open(properties)
      const writer = newWriter()
      const quiet = (): void => {}
      return await sync({
        ...ends,
        writer,
        syncMode: 'incremental',
        report: quiet,
        log,
        clock: realClock,
        signal,
        ...request,
      })
    },
    async verify(request = {}, properties = {}) {
      await using ends = await open(properties)
      const reported: StreamVerification[] = []
      const report = (verification: StreamVerification): void => void reported.push(verification)
      const writer = newWriter()
      await verify({ ...ends, writer, repair: false, report, log, clock: realClock, signal, ...request })
      return reported
    },
    async [Symbol.asyncDispose]() {
      await source[Symbol.asyncDispose]()
      await target[Symbol.asyncDispose]()
    },
  }
}

/** The fault code of each stream; null if it is done. */
export function faultsOf({ streams }: SyncOutcome): Record<string, string | null> {
  return Object.fromEntries(
    streams.map(({ progress, fault }) => [
      progress.stream,
      progress.phase === 'done' ? null : (fault?.code ?? progress.phase),
    ]),
  )
}

/** A table with the numbers 1 and 2. */
export function numbers(table: string): readonly string[] {
  return [`CREATE TABLE ${table} (id int PRIMARY KEY)`, `INSERT INTO ${table} VALUES (1), (2)`]
}
