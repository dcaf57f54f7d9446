/** Who is in which group and has which helper tables and entities; for administrators. */
import type { Whole } from '@tributary/contract/assignments'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { everyStructureList } from '../../api/queries/planning-structure.ts'
import { useMay, useWorkspace } from '../../api/session/workspace.ts'
import { useAddress, useChangeAddress } from '../../ui/hooks/search-params.ts'
import { LinkPage } from '../../domain/link-editor/link-page.tsx'
import type { LinkSubject } from '../../domain/link-editor/links.ts'
import { Allowed } from '../../domain/permissions/permission-gate.tsx'
import { laterDialog } from '../../ui/later.tsx'
import {
  type AssignmentKind,
  entityUsers,
  helperTableUsers,
  userEntities,
  userGroups,
  userHelperTables,
} from './assignment-kinds.ts'
import { useAssignments } from './use-assignments.ts'

const UseDrawer = laterDialog(async () => (await import('./entitlements-drawer.tsx')).UseDrawer)

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
  return (
    <Allowed when={useMay()('editStructure')} title={kind.title}>
      <Assignments kind={kind} />
    </Allowed>
  )
}

function Assignments({ kind }: { kind: AssignmentKind }) {
  const orgId = useWorkspace().organisation.Id
  const queryClient = useQueryClient()
  const lists = useAssignments(kind)
  const { seenAs, seeAs } = useSeenAs()
  async function save(id: string, whole: Whole) {
    await kind.put(id, whole, orgId)
    await queryClient.invalidateQueries({ queryKey: everyStructureList(orgId) })
  }
  const seeAsButton = ({ id, name }: LinkSubject) => (
    <Button variant="subtle" size="compact-sm" onClick={() => seeAs(id)}>
      {`See as ${name}`}
    </Button>
  )
  const seen = kind.isByUser ? lists.subjects?.find(({ id }) => id === seenAs) : undefined
  return (
    <>
      <LinkPage kind={kind} lists={lists} save={save} mayEdit {...(kind.isByUser && { actions: seeAsButton })} />
      {seen === undefined ? null : <UseDrawer userId={seen.id} name={seen.name} onClose={() => seeAs(null)} />}
    </>
  )
}

/** Whose rights are shown, in the address. */
function useSeenAs() {
  const changeAddress = useChangeAddress()
  return {
    seenAs: useAddress().get('as'),
    seeAs: (userId: string | null) => changeAddress({ as: userId }),
  }
}
