/** The list of security groups, or the wizard if the URL opens it. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { linkedAreas, linkedSubareas } from '../../api/queries/planning-structure.ts'
import { useMay, useOrganisationId } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { QueryPlaceholder } from '../../domain/requests/query-placeholder.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { type StartedDraft, startCopy, startEdit, startNew } from './group-draft.ts'
import { GroupList } from './group-list.tsx'
import { grantableVersions, groupQuery } from './api.ts'
import { GroupWizard } from './group-wizard.tsx'
import { newGroup, useWizardSearchParams } from './wizard-search-params.ts'
import type { PlanVersion } from '@tributary/contract/planning-records'
import type { LinkItem } from '../../domain/link-editor/links.ts'
import type { ScopeDimension } from './grant-keys.ts'

export function SecurityGroupsPage() {
  const { of } = useWizardSearchParams()
  const mayEdit = useMay()('editStructure')
  const isWizard = of !== null && mayEdit
  return (
    <Page
      kind={isWizard ? 'editor' : 'list'}
      crumbs={
        isWizard
          ? [
              { label: 'Security Groups', to: paths.securityGroups },
              { label: of === newGroup || of.startsWith('copy-') ? 'New' : 'Edit' },
            ]
          : [{ label: 'Security Groups' }]
      }
    >
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
    () => areas.data && subareas.data && scopeDimension(areas.data, subareas.data, ({ Subareas }) => Subareas),
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

function scopeDimension<Outer extends ScopeRecord>(
  outer: readonly Outer[],
  inner: readonly ScopeRecord[],
  linkedOf: (record: Outer) => readonly { Id: string }[],
): ScopeDimension {
  return {
    outer: outer.map(toScopeItem),
    inner: inner.map(toScopeItem),
    linked: new Map(outer.map((record) => [record.Id, new Set(linkedOf(record).map(({ Id }) => Id))])),
  }
}

interface ScopeRecord {
  readonly Id: string
  readonly Name: string
  readonly Status: { readonly Name: string }
}

function versionDimension(versions: readonly PlanVersion[]): ScopeDimension {
  const milestonesOf = ({ Milestones }: PlanVersion) => Milestones
  return scopeDimension(versions, versions.flatMap(milestonesOf), milestonesOf)
}

function toScopeItem({ Id, Name, Status }: ScopeRecord): LinkItem {
  return { id: Id, name: Name, ...(Status.Name === 'locked' && { detail: 'Locked: can be read, not written' }) }
}
