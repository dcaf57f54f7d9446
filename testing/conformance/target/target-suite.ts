/** Conformance suite of targets, the same for every database. The test next to a target calls `testTarget`. */
import { afterAll, beforeAll, describe } from 'vitest'
import type { TargetBench, LacksFeature, TargetUnderTest } from './target-bench.ts'
import { asOfCases, retentionCases } from './target-suite-as-of.ts'
import { erasureCases, refusedErasureCases } from './target-suite-erase.ts'
import { failureCases } from './target-suite-failures.ts'
import { historyCases } from './target-suite-history.ts'
import { loadCases } from './target-suite-loads.ts'
import { partCases } from './target-suite-parts.ts'
import { publicationCases } from './target-suite-publication.ts'
import { randomHistoryCases } from './target-suite-random-history.ts'
import { renameCases } from './target-suite-renames.ts'
import { reportCases } from './target-suite-reports.ts'
import { shapeCases } from './target-suite-shapes.ts'
import { sweepCases } from './target-suite-sweeps.ts'
import { valueCases } from './target-suite-values.ts'
import { ownedViewCases, selectCases, viewCases } from './target-suite-views.ts'

/** @param lacks features that a substitute server may lack */
export function testTarget(
  name: string,
  make: () => Promise<TargetUnderTest>,
  lacks: LacksFeature = () => false,
): void {
  describe(name, () => {
    let made: TargetUnderTest | undefined
    const there = (): TargetUnderTest => {
      if (made === undefined) throw new Error('The target is opened before the first test, and there only.')
      return made
    }
    const bench: TargetBench = {
      open: (signal) => there().open(signal),
      rows: (table) => there().rows(table),
      report: (which, connectorId) => there().report(which, connectorId),
      drop: (table) => there().drop(table),
      asOf: (table, moment) => there().asOf(table, moment),
      get secrets() {
        return there().secrets
      },
    }
    beforeAll(async () => {
      made = await make()
    })
    afterAll(() => made?.[Symbol.asyncDispose]())
    valueCases(bench, lacks)
    loadCases(bench)
    shapeCases(bench, lacks)
    failureCases(bench, lacks)
    sweepCases(bench)
    partCases(bench)
    reportCases(bench, lacks)
    renameCases(bench, lacks)
    if (!lacks('sql')) sqlCases(bench, lacks)
  })
}

/** What needs views, histories or statements in the target. */
function sqlCases(bench: TargetBench, lacks: LacksFeature): void {
  selectCases(bench)
  if (!lacks('alterView')) {
    viewCases(bench)
    ownedViewCases(bench)
  }
  historyCases(bench)
  asOfCases(bench)
  retentionCases(bench)
  erasureCases(bench)
  refusedErasureCases(bench)
  randomHistoryCases(bench)
  if (!lacks('alterView')) publicationCases(bench)
}
