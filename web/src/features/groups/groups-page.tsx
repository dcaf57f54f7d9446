/** The list of security groups, or the wizard if the URL opens it. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { linkedAreas, linkedSubareas } from '../../api/queries/planning-structure.ts'
import { useMay, useOrganisationId } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { Breadcrumb } from '../../ui/layout/breadcrumb.tsx'
import { QueryPlaceholder } from '../../domain/requests/query-placeholder.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { type StartedDraft, startCopy, startEdit, startNew } from './group-draft.ts'
import { GroupList } from './group-list.tsx'
import { grantableVersions, groupQuery } from './api.ts'
import { GroupWizard } from './group-wizard.tsx'
import { newGroup, useWizardSearchParams } from './wizard-search-params.ts'
import type { Area, Subarea, PlanVersion } from '@tributary/contract/planning-records'
import type { LinkItem } from '../../domain/link-editor/links.ts'
import type { ScopeDimension } from './grant-keys.ts'

export function SecurityGroupsPage() {
  const { of } = useWizardSearchParams()
  const mayEdit = useMay()('editStructure')
  const isWizard = of !== null && mayEdit
  return (
    <Page>
      <Breadcrumb
        items={
          isWizard
            ? [
                { label: 'Security Groups', to: paths.securityGroups },
                { label: of === newGroup || of.startsWith('copy-') ? 'New' : 'Edit' },
              ]
            : [{ label: 'Security Groups' }]
        }
      />
      {isWizard ? <WizardLoader key={of} of={of} /> : <GroupList />}
    </Page>
  )
}

function WizardLoader({ of }: { of: string }) {
  const orgId = useOrganisationId()
  const isCopy = of.startsWith('copy-')
  const sourceId = of === newGroup ? null : of.replace(/^copy-/, '')
  const areas = useQuery(linkedAreas(orgId))
  const subareas = useQuery(linkedSubareas(orgId))
  const versions = useQuery(grantableVersions(orgId))
  const source = useQuery({ ...groupQuery(orgId, sourceId ?? ''), enabled: sourceId !== null })
  const areaDimensionData = useMemo(
    () => areas.data && subareas.data && areaDimension(areas.data, subareas.data),
    [areas.data, subareas.data],
  )
  const milestones = useMemo(() => versions.data && versionDimension(versions.data), [versions.data])
  const fresh = useMemo<StartedDraft | undefined>(() => {
    if (sourceId === null) return startNew()
    return source.data && (isCopy ? startCopy(source.data) : startEdit(source.data))
  }, [sourceId, isCopy, source.data])

  if (areaDimensionData === undefined || milestones === undefined || fresh === undefined)
    return (
      <QueryPlaceholder of={[areas, subareas, versions, source]}>
        <SkeletonLines count={8} height={44} />
      </QueryPlaceholder>
    )
  return (
    <GroupWizard
      of={of}
      groupId={isCopy ? null : sourceId}
      fresh={fresh}
      areas={areaDimensionData}
      versions={milestones}
    />
  )
}

function areaDimension(areas: readonly Area[], subareas: readonly Subarea[]): ScopeDimension {
  return {
    outer: areas.map(toScopeItem),
    inner: subareas.map(toScopeItem),
    linked: new Map(areas.map(({ Id, Subareas }) => [Id, new Set(Subareas.map((subarea) => subarea.Id))])),
  }
}

function versionDimension(versions: readonly PlanVersion[]): ScopeDimension {
  return {
    outer: versions.map(toScopeItem),
    inner: versions.flatMap(({ Milestones }) => Milestones.map(toScopeItem)),
    linked: new Map(versions.map(({ Id, Milestones }) => [Id, new Set(Milestones.map((milestone) => milestone.Id))])),
  }
}

function toScopeItem({ Id, Name, Status }: { Id: string; Name: string; Status: { Name: string } }): LinkItem {
  return { id: Id, name: Name, ...(Status.Name === 'locked' && { detail: 'Locked: can be read, not written' }) }
}
