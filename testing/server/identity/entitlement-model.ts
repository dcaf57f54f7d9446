/** Finds what a member of a small organisation may use by testing each record against every possible reason. */
import type { ModelOrganisation, ModelGrant, ModelMember } from './arbitrary-organisation.ts'

/** Reasons as `group: because`, sorted. */
export interface ModelUse {
  readonly ids: readonly string[]
  readonly mayWrite?: boolean
  readonly why: readonly string[]
}

export function modelUse(
  made: ModelOrganisation,
  member: ModelMember,
): Record<'pairs' | 'milestones' | 'helperTables' | 'entities', ModelUse[]> {
  return {
    pairs: pairs(made, member),
    milestones: milestones(made, member),
    helperTables: shown(made.helperTables).flatMap((table) =>
      because(
        [table.id],
        assigned(member.helperTableIds, table, member.allHelperTables && 'all helper tables, current and future'),
        {
          mayWrite: table.status === 'active',
        },
      ),
    ),
    entities: shown(made.entities).flatMap((entity) =>
      because(
        [entity.id],
        assigned(member.entityIds, entity, member.allEntities && 'all entities, current and future'),
      ),
    ),
  }
}

function pairs(made: ModelOrganisation, member: ModelMember): ModelUse[] {
  const found: ModelUse[] = []
  for (const area of shown(made.areas)) {
    for (const subarea of shown(made.subareas)) {
      const isLinked = made.links.some(([one, other]) => one === area.id && other === subarea.id)
      if (!isLinked && !area.all && !subarea.all) continue
      const why = groupsOf(made, member).flatMap(({ name, areas }) => [
        ...(has(areas, area.id, subarea.id) ? [`${name}: granted one by one`] : []),
        ...(has(areas, area.id, null) ? [`${name}: all subareas of ${area.name}, current and future`] : []),
        ...(has(areas, null, subarea.id) ? [`${name}: all areas of ${subarea.name}, current and future`] : []),
        ...(has(areas, null, null) ? [`${name}: all areas and subareas, current and future`] : []),
      ])
      found.push(...because([area.id, subarea.id], why))
    }
  }
  return found
}

function milestones(made: ModelOrganisation, member: ModelMember): ModelUse[] {
  const found: ModelUse[] = []
  for (const version of shown(made.versions)) {
    for (const milestone of shown(made.milestones)) {
      if (milestone.versionId !== version.id) continue
      const why = groupsOf(made, member).flatMap(({ name, versions }) => [
        ...(has(versions, version.id, milestone.id) ? [`${name}: granted one by one`] : []),
        ...(has(versions, version.id, null) ? [`${name}: all milestones of ${version.name}, current and future`] : []),
        ...(has(versions, null, null) ? [`${name}: all versions and milestones, current and future`] : []),
      ])
      const mayWrite = version.status === 'active' && milestone.status === 'active'
      found.push(...because([version.id, milestone.id], why, { mayWrite }))
    }
  }
  return found
}

function shown<T extends { readonly status: string }>(things: readonly T[]): T[] {
  return things.filter((thing) => thing.status !== 'archived')
}

function groupsOf(made: ModelOrganisation, member: ModelMember) {
  return made.groups.filter((group) => group.status === 'active' && member.groupIds.includes(group.id))
}

function has(grants: readonly ModelGrant[], outerId: string | null, innerId: string | null): boolean {
  return grants.some(([outer, inner]) => outer === outerId && inner === innerId)
}

function assigned(
  ids: readonly string[],
  thing: { readonly id: string; readonly name: string; readonly all: boolean },
  all: string | false,
): string[] {
  return [
    ...(ids.includes(thing.id) ? [': assigned'] : []),
    ...(all === false ? [] : [`: ${all}`]),
    ...(thing.all ? [`: all users of ${thing.name}, current and future`] : []),
  ]
}

function because(
  ids: readonly string[],
  why: readonly string[],
  more: { readonly mayWrite?: boolean } = {},
): ModelUse[] {
  return why.length === 0 ? [] : [{ ids, ...more, why: why.toSorted() }]
}
