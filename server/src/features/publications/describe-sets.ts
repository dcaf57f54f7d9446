/** What the page of publications shows: one set for each database that connectors load, whether it is published or not. */
import type { PublicationConnector, PublicationSet } from '@tributary/contract/publications'
import type { Camel } from '@tributary/contract/wire'
import type { AppServices } from '../../app-services.ts'
import type { TargetDatabase } from '../../connections/publications/target-database.ts'
import type { Db } from '../../kernel/store/store.ts'
import { listLoadingConnectors, type LoadingConnector } from './publishing-target.ts'
import { findPublication, listMembers, listSets, type ShownPublication, type StoredSet } from './queries.ts'

/** The warehouse first, then by name. */
export async function describeSets(
  db: Db,
  services: Pick<AppServices, 'secrets'>,
  organisationId: string,
): Promise<Camel<PublicationSet>[]> {
  const loading = await listLoadingConnectors(db, services, organisationId)
  const members = await listMembers(db, organisationId)
  const stored = new Map((await listSets(db, organisationId)).map((set) => [set.id, set]))
  const targets = new Map<string, Omit<TargetDatabase, 'id'>>()
  for (const { target } of loading) targets.set(target.id, target)
  // Also databases that no connector loads any more.
  for (const set of stored.values()) if (!targets.has(set.id)) targets.set(set.id, set)
  const described: Camel<PublicationSet>[] = []
  for (const [id, target] of targets) {
    const shown = await findPublication(db, organisationId, id, 'shown')
    const facts: SetFacts = {
      shown,
      loading: loading.filter((connector) => connector.target.id === id),
      members: members.filter(({ setId }) => setId === id),
    }
    described.push(describeSet({ id, ...target }, stored.get(id), facts))
  }
  return described.toSorted(
    (one, other) =>
      Number(isWarehouse(targets, other)) - Number(isWarehouse(targets, one)) || (one.target < other.target ? -1 : 1),
  )
}

function isWarehouse(
  targets: ReadonlyMap<string, Omit<TargetDatabase, 'id'>>,
  { id }: { readonly id: string },
): boolean {
  return targets.get(id)?.kind === 'warehouse'
}

interface SetFacts {
  readonly shown: ShownPublication | undefined
  readonly loading: readonly LoadingConnector[]
  readonly members: Awaited<ReturnType<typeof listMembers>>
}

function describeSet(target: TargetDatabase, set: StoredSet | undefined, facts: SetFacts): Camel<PublicationSet> {
  const { shown } = facts
  const isShown = shown !== undefined && shown.runs.length > 0
  return {
    id: target.id,
    target: target.name,
    schema: target.kind === 'mysql' ? null : 'published',
    state: stateOf(set, isShown),
    connectors: describeConnectors(facts),
    publishedAtUtc: isShown ? shown.publishedAt : null,
    ...describeStored(set),
  }
}

function describeStored(set: StoredSet | undefined) {
  if (set === undefined)
    return {
      rule: { tieOut: 'green', verifiedWithinDays: null } as const,
      incidentAfterHours: null,
      staysSinceUtc: null,
      notice: null,
    }
  const { tieOut, verifiedWithinDays, incidentAfterHours, staysSince: staysSinceUtc, notice } = set
  return { rule: { tieOut, verifiedWithinDays }, incidentAfterHours, staysSinceUtc, notice }
}

function stateOf(set: StoredSet | undefined, isShown: boolean): PublicationSet['State'] {
  if (set === undefined) return 'off'
  if (!set.isOn) return isShown ? 'ending' : 'off'
  if (!isShown) return 'waiting'
  return set.staysSince === null && set.notice === null ? 'current' : 'stays'
}

function describeConnectors({ shown, loading, members }: SetFacts): Camel<PublicationConnector>[] {
  const named = [
    ...members,
    ...loading.filter((one) => !members.some((member) => member.connectorId === one.connectorId)),
  ]
  return named
    .map(({ connectorId, name, type }): Camel<PublicationConnector> => {
      const member = members.find((one) => one.connectorId === connectorId)
      const run = shown?.runs.find((one) => one.connectorId === connectorId)
      return {
        connectorId,
        name,
        type,
        isInSet: member !== undefined,
        momentUtc: run === undefined ? null : new Date(run.moment).toISOString(),
        runId: run?.runId ?? null,
        heldBecause: member?.heldBecause ?? null,
        heldSinceUtc: member?.heldSince ?? null,
      }
    })
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
}
