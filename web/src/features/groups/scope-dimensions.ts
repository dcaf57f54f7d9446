/** Scope dimensions built from the lists. */
import type { Area, Subarea, PlanVersion } from '@tributary/contract/planning-records'
import type { LinkItem } from '../../domain/link-editor/links.ts'
import type { ScopeDimension } from './grant-keys.ts'

export function areaDimension(areas: readonly Area[], subareas: readonly Subarea[]): ScopeDimension {
  return {
    outer: areas.map(toScopeItem),
    inner: subareas.map(toScopeItem),
    linked: new Map(areas.map(({ Id, Subareas }) => [Id, new Set(Subareas.map((subarea) => subarea.Id))])),
  }
}

export function versionDimension(versions: readonly PlanVersion[]): ScopeDimension {
  return {
    outer: versions.map(toScopeItem),
    inner: versions.flatMap(({ Milestones }) => Milestones.map(toScopeItem)),
    linked: new Map(versions.map(({ Id, Milestones }) => [Id, new Set(Milestones.map((milestone) => milestone.Id))])),
  }
}

function toScopeItem({ Id, Name, Status }: { Id: string; Name: string; Status: { Name: string } }): LinkItem {
  return { id: Id, name: Name, ...(Status.Name === 'locked' && { detail: 'Locked: can be read, not written' }) }
}
