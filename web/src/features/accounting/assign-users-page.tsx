/** `/connectors/{type}/v2/assign-users`: who may synchronise which accounting products. */
import type { Whole } from '@tributary/contract/assignments'
import { companyNamesMax } from '@tributary/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { useType } from '../../domain/connectors/use-connector-type.ts'
import { personItem } from '../../domain/users/user-names.ts'
import { useMay, useWorkspace } from '../../api/session/workspace.ts'
import type { LinkKind, LinkLists } from '../../domain/link-editor/link-kind.ts'
import { LinkPage } from '../../domain/link-editor/link-page.tsx'
import { ForAccounting } from './accounting-page.tsx'
import { productList, productUsers, useRefreshed } from './api.ts'

const kind: LinkKind = {
  title: 'Assign Users V2',
  subjects: { title: 'Users', one: 'user' },
  objects: { title: 'Products', one: 'product' },
  applies: {},
  words: {
    create: 'Create new assignment',
    save: 'Assign',
    back: 'Back to assignments',
    remove: 'Unassign',
    removed: 'has no accounting product any more.',
    linked: 'ASSIGNED TO',
  },
  shown: { max: companyNamesMax, more: '...' },
  views: [],
}

export function AssignUsersPage() {
  return (
    <ForAccounting may="assignConnectorUsers">
      <AssignUsers />
    </ForAccounting>
  )
}

function AssignUsers() {
  const { title } = useType()
  const orgId = useWorkspace().organisation.Id
  const lists = useLists(orgId)
  const refreshed = useRefreshed()
  async function save(userId: string, { ids, before }: Whole) {
    const body = { ids, ...(before && { before: { ids: before.ids } }) }
    await call('PUT /users/:userId/xero2sqlproducts', { params: { userId }, query: { orgId }, body })
    await refreshed()
  }
  return (
    <LinkPage
      kind={{ ...kind, section: `${title} Connectors` }}
      lists={lists}
      save={save}
      mayEdit={useMay()('assignConnectorUsers')}
    />
  )
}

function useLists(orgId: string): LinkLists {
  const users = useQuery(productUsers(orgId))
  const products = useQuery(productList(orgId))
  return {
    subjects: users.data?.map((user) => ({
      ...personItem(user),
      links: { ids: new Set(user.Xero2SqlProducts.map((product) => product.Id)), all: false },
    })),
    objects: products.data?.map(({ Id, CompanyName, Name }) => ({
      id: Id,
      name: CompanyName,
      ...(Name !== CompanyName && { detail: Name }),
    })),
    error: users.error ?? products.error,
    retry() {
      void users.refetch()
      void products.refetch()
    },
  }
}
