/** Assigns security groups, helper tables and entities to users; for administrators. */
import type { LinkReplacement } from '@tributary/contract/assignments'
import { IconEye } from '@tabler/icons-react'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { useUrlParams, useUpdateUrlParams } from '../../ui/hooks/search-params.ts'
import { LinkPage } from '../../domain/link-editor/link-page.tsx'
import type { LinkSubject } from '../../domain/link-editor/links.ts'
import { lazyDialog } from '../../ui/lazy.tsx'
import {
  type AssignmentKind,
  entityUsers,
  helperTableUsers,
  userEntities,
  userGroups,
  userHelperTables,
} from './assignment-kinds.ts'
import { useRefreshStructure } from '../../api/queries/planning-structure.ts'
import { useAssignments } from './use-assignments.ts'

const LazyEntitlementsDrawer = lazyDialog(() => import('./entitlements-drawer.tsx'), 'EntitlementsDrawer')

export function UserGroupsPage() {
  return <AssignmentPage kind={userGroups} />
}

export function UserHelperTablesPage() {
  return <AssignmentPage kind={userHelperTables} />
}

export function HelperTableUsersPage() {
  return <AssignmentPage kind={helperTableUsers} />
}

export function UserEntitiesPage() {
  return <AssignmentPage kind={userEntities} />
}

export function EntityUsersPage() {
  return <AssignmentPage kind={entityUsers} />
}

function AssignmentPage({ kind }: { kind: AssignmentKind }) {
  const orgId = useOrganisationId()
  const refresh = useRefreshStructure()
  const lists = useAssignments(kind)
  // The user whose entitlements are shown.
  const seenAs = useUrlParams().get('as')
  const changeAddress = useUpdateUrlParams()
  async function save(id: string, whole: LinkReplacement) {
    await kind.put(id, whole, orgId)
    await refresh()
  }
  const menu = ({ id, name }: LinkSubject) => [
    { label: `See as ${name}`, icon: <IconEye />, onSelect: () => changeAddress({ as: id }) },
  ]
  const seenUser = kind.isByUser ? lists.subjects?.find(({ id }) => id === seenAs) : undefined
  return (
    <>
      <LinkPage kind={kind} lists={lists} save={save} mayEdit {...(kind.isByUser && { menu })} />
      {seenUser === undefined ? null : (
        <LazyEntitlementsDrawer userId={seenUser.id} name={seenUser.name} onClose={() => changeAddress({ as: null })} />
      )}
    </>
  )
}
