/** What there is to grant, as the lists have it. */
import type { Area, Subarea, Version } from '@tributary/contract/planning-records'
import type { LinkItem } from '../../domain/link-editor/links.ts'
import type { Plane } from './grant-keys.ts'

export function areaPlane(areas: readonly Area[], subareas: readonly Subarea[]): Plane {
  return {
    outer: areas.map(itemOf),
    inner: subareas.map(itemOf),
    linked: new Map(areas.map(({ Id, Subareas }) => [Id, new Set(Subareas.map((subarea) => subarea.Id))])),
  }
}

export function versionPlane(versions: readonly Version[]): Plane {
  return {
    outer: versions.map(itemOf),
    inner: versions.flatMap(({ Milestones }) => Milestones.map(itemOf)),
    linked: new Map(versions.map(({ Id, Milestones }) => [Id, new Set(Milestones.map((milestone) => milestone.Id))])),
  }
}

function itemOf({ Id, Name, Status }: { Id: string; Name: string; Status: { Name: string } }): LinkItem {
  return { id: Id, name: Name, ...(Status.Name === 'locked' && { detail: 'Locked: can be read, not written' }) }
}
