/** `/connectors/{type}/v2/assign-users`: assigns users to the accounting products that they may synchronise. */
import type { LinkReplacement } from '@tributary/contract/assignments'
import { companyNamesMax } from '@tributary/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { useConnectorType } from '../../domain/connectors/use-connector-type.ts'
import { toUserItem } from '../../domain/users/user-names.ts'
import { useMay, useOrganisationId } from '../../api/session/workspace.ts'
import type { LinkKind, LinkLists } from '../../domain/link-editor/link-kind.ts'
import { LinkPage } from '../../domain/link-editor/link-page.tsx'
import { AccountingGate } from './accounting-page.tsx'
import { toLinks } from '../../domain/link-editor/links.ts'
import { productList, productUsers, useInvalidateProducts } from './api.ts'

const productAssignmentKind: LinkKind = {
  title: 'Assign Users V2',
  subjects: { title: 'Users', one: 'user' },
  objects: { title: 'Products', one: 'product' },
  applyModes: {},
  words: {
    create: 'Create new assignment',
    save: 'Assign',
    back: 'Back to assignments',
    remove: 'Unassign',
    removed: 'has no accounting product any more.',
    linked: 'ASSIGNED TO',
  },
  shown: { max: companyNamesMax, more: '...' },
  gaps: [],
  views: [],
}

export function AssignUsersPage() {
  return (
    <AccountingGate may="assignConnectorUsers">
      <AssignUsers />
    </AccountingGate>
  )
}

function AssignUsers() {
  const { title } = useConnectorType()
  const orgId = useOrganisationId()
  const lists = useProductAssignmentLists(orgId)
  const invalidateProducts = useInvalidateProducts()
  async function save(userId: string, { ids, before }: LinkReplacement) {
    const body = { ids, ...(before && { before: { ids: before.ids } }) }
    await call('PUT /users/:userId/xero2sqlproducts', { params: { userId }, query: { orgId }, body })
    await invalidateProducts()
  }
  return (
    <LinkPage
      kind={{ ...productAssignmentKind, section: `${title} Connectors` }}
      lists={lists}
      save={save}
      mayEdit={useMay()('assignConnectorUsers')}
    />
  )
}

function useProductAssignmentLists(orgId: string): LinkLists {
  const users = useQuery(productUsers(orgId))
  const products = useQuery(productList(orgId))
  return {
    subjects: users.data?.map((user) => ({
      ...toUserItem(user),
      links: toLinks(user.Xero2SqlProducts, false),
    })),
    objects: products.data?.map(({ Id, CompanyName, Name }) => ({
      id: Id,
      name: CompanyName,
      ...(Name !== CompanyName && { detail: Name }),
    })),
    queries: [users, products],
  }
}
