/** Processes that carry out a run of the story in a lake, or die in it. */
import { expect } from 'vitest'
import type { OpenLakeTarget } from '@tributary/engine/databases/iceberg/target/open-target'
import { type Fault, faultyCatalog, FaultPlan, KilledError } from './faulty-catalog.ts'
import { finalDocuments, finalLines, type LakeStory } from './lake-story.ts'
import type { LakeUnderTest } from './lake-under-test.ts'

type RunKind = 'merge' | 'replace'

export function openFaulty(lake: LakeUnderTest, plan: FaultPlan): Promise<OpenLakeTarget> {
  return lake.open(undefined, (catalog) => faultyCatalog(catalog, plan))
}

export interface AttemptOptions {
  readonly kind: RunKind
  readonly fence: number
  readonly fault: Fault | null
}

export async function attempt(lake: LakeUnderTest, story: LakeStory, options: AttemptOptions): Promise<FaultPlan> {
  const { kind, fence, fault } = options
  const plan = new FaultPlan(fault)
  try {
    await using target = await openFaulty(lake, plan)
    await story[kind](target, story.writer(fence))
  } catch (error) {
    if (!(error instanceof KilledError)) throw error
  }
  return plan
}

/** @param when names the fault in the error */
export async function expectFinalRows(lake: LakeUnderTest, story: LakeStory, when: string): Promise<void> {
  const orphans = [...(await lake.findOrphans(story.documents)), ...(await lake.findOrphans(story.lines))]
  const end = { documents: finalDocuments, lines: finalLines, orphans: [] }
  expect({ ...(await story.rows(lake)), orphans, when }).toEqual({ ...end, when })
}
